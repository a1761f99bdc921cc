// lu - reads a matrix, factors it, solves, inverts or takes the determinant, says what the result is worth.
#include "lu.hpp"

#include <algorithm>
#include <cstring>
#include <iostream>
#include <optional>
#include <wale/enumerators.hpp>

#include "backend.hpp"
#include "failure.hpp"
#include "group.hpp"
#include "json.hpp"
#include "placement.hpp"
#include "progress.hpp"
#include "text.hpp"
#include "widen.hpp"

namespace wale::cli {
namespace {

constexpr double device_pays = 2e10;  // operations from which starting the device (0.3 s) pays

std::optional<scalar> type_of(const std::string& name) {
    return find_named<scalar>(name);
}

/// A packed matrix of its own, rows first, in host memory.
matrix_file_data blank(scalar type, index_t rows, index_t columns) {
    const matrix_shape s{
        .type = type, .rows = rows, .columns = columns, .leading = columns, .stride = rows * columns};
    return {memory(rows * columns * bytes_of(type), memory_space::host), s, matrix_format::by_name};
}

class lu_run {
public:
    /// `prints`: no -o names the output; what its format does not hold is left to the verdict.
    lu_run(const lu_command& command, bool prints) : command_(command), prints_(prints) { check(); }
    int run() {
        if (!group().empty()) return run_shared();
        read_all();
        open_outputs();
        line_.say("computing");
        const double work = 2.0 / 3 * static_cast<double>(a_.shape.diagonal()) *
                            static_cast<double>(a_.shape.rows) * static_cast<double>(a_.shape.columns);
        chosen_ = choose_backend(command_, command_.threads, work >= device_pays);
        on_backend(chosen_, command_.threads, [&](const execution& where) { compute(where); });
        judge();
        const std::string verdict = verdict_of(report_);
        // Factors of a singular matrix are complete; a solution or an inverse there is not.
        if (verdict.empty() || command_.operation == "factor") write();
        line_.stop();
        say();
        if (!verdict.empty()) throw verdict_error(printable(command_.file) + ": " + verdict);
        return exit_good;
    }

private:
    int run_shared();
    void compute_shared(const on_cpu& where);
    void judge_shared(const shared_matrix& a, const on_cpu& where);
    void check() const;
    void read_all();
    void read_right_side();
    void open_outputs();
    void begin_report();
    void compute(const execution& where);
    void factor_and_use(const execution& where);
    void refine(const execution& where);
    void judge();
    void write();
    void say() const;
    /// Factors come first: the row that was asked for, and then its namesake, where there is one.
    [[nodiscard]] std::string second_variant(const char* operation) const {
        return has_variant("lu", operation, command_.variant) ? command_.variant : "automatic";
    }
    [[nodiscard]] bool is(const char* operation) const { return command_.operation == operation; }
    /// What is written to the output; before the answer is computed a matrix of its shape.
    [[nodiscard]] const matrix_file_data& answer() const {
        return is("solve") ? (x_ ? *x_ : b_) : (x_ ? *x_ : a_);
    }

    const lu_command& command_;
    const bool prints_;
    chosen_backend chosen_;
    matrix_file_data a_, b_;
    std::optional<matrix_file_data> x_;  // factors, solution or inverse, on the host
    std::vector<std::int32_t> pivots_, permutation_;
    std::optional<output_file> output_, pivots_file_, permutation_file_;
    lu_report report_;
    progress line_;
};

void lu_run::check() const {
    if (command_.output == "-" && command_.json)
        throw usage_error("--json: writes to standard output, where the matrix goes, expected -o FILE");
    if (!command_.refined.empty() && command_.transposed)
        throw usage_error("--refined and --transposed: expected one of them");
    if (!command_.refined.empty() && (type_of(command_.type).value_or(scalar::f64) != scalar::f64 ||
                                      command_.pivoting != "partial" || command_.perturbation != 0))
        throw usage_error(
            "--refined: solves in float64 with partial pivoting, expected no other --type, no --pivoting "
            "and no --perturbation");
    if (command_.file == "-" && command_.rhs == "-")
        throw usage_error("several files are standard input, expected one");
    for (const std::string* file : {&command_.pivots, &command_.permutation})
        if (!file->empty() && matrix_format_of(*file) != matrix_format::npy)
            throw usage_error(std::string(file == &command_.pivots ? "--pivots" : "--permutation") +
                              ": is '" + printable(*file) + "', expected a name that ends in .npy");
    expect_distinct(std::vector<named_output>{{"--output", command_.output},
                                              {"--pivots", command_.pivots},
                                              {"--permutation", command_.permutation}});
}

void lu_run::read_all() {
    line_.say("reading " + printable(command_.file));
    const stopwatch watch;
    a_ =
        read_matrix(command_.file, {.type = command_.refined.empty() ? type_of(command_.type) : scalar::f64});
    if (!is("factor") && a_.shape.rows != a_.shape.columns)
        throw input_error(printable(command_.file) + ": is " + std::to_string(a_.shape.rows) + " x " +
                          std::to_string(a_.shape.columns) + ", expected as many rows as columns");
    if (is("solve")) read_right_side();
    report_.read_seconds = watch.seconds();
}

/// The wider of both types counts, unless one was asked for.
void lu_run::read_right_side() {
    if (command_.rhs.empty()) {
        b_ = blank(a_.shape.type, a_.shape.rows, 1);
        return fill_for_ones(a_.view(), b_.view(), command_.transposed);
    }
    b_ = read_matrix(command_.rhs, {.type = command_.refined.empty() ? type_of(command_.type) : scalar::f64});
    if (b_.shape.rows != a_.shape.rows)
        throw input_error(printable(command_.rhs) + ": has " + std::to_string(b_.shape.rows) +
                          " rows, expected " + std::to_string(a_.shape.rows) + " like the matrix");
    const scalar type = common_type(a_.shape.type, b_.shape.type);
    for (matrix_file_data* m : {&a_, &b_})
        if (m->shape.type != type) *m = widened(*m, type);
}

/// Before the work, so that a place that cannot be written costs none.
void lu_run::open_outputs() {
    const std::vector<std::string> inputs{command_.file, command_.rhs};
    if (!command_.output.empty()) {
        const matrix_write_options how{.format = command_.output == "-" ? matrix_format::matrix_market
                                                                        : matrix_format::by_name};
        const std::string why = why_unwritable(command_.output, answer().view(), how);
        if (!why.empty() && !prints_) throw usage_error(why);
        if (why.empty()) output_.emplace(command_.output, inputs);
    }
    if (!command_.pivots.empty()) pivots_file_.emplace(command_.pivots, inputs);
    if (!command_.permutation.empty()) permutation_file_.emplace(command_.permutation, inputs);
}

void lu_run::begin_report() {
    const double read_seconds = report_.read_seconds;
    report_ = {};  // a device may have been tried before
    report_.read_seconds = read_seconds;
    report_.operation = command_.operation;
    report_.input = command_.file;
    report_.output = command_.output;
    report_.shape = a_.shape;
    report_.right_sides = b_.shape.columns;
    report_.pivoting = command_.pivoting;
    report_.verified = !command_.unverified;
}

void lu_run::compute(const execution& where) {
    begin_report();
    command_.refined.empty() ? factor_and_use(where) : refine(where);
}

void lu_run::factor_and_use(const execution& where) {
    const placed_bytes factors(where, a_.elements, report_.to_device_seconds);
    const index_t pivot_count = a_.shape.diagonal(), rows = a_.shape.rows;
    const bool square = rows == a_.shape.columns;
    const placed_bytes pivots(where, 4 * pivot_count), permutation(where, 4 * rows), determinant(where, 24);
    const lu_outputs out{.pivots = pivots.as<std::int32_t>(),
                         .permutation = permutation.as<std::int32_t>(),
                         .sign = square ? determinant.as<double>() : nullptr,
                         .log_magnitude = square ? determinant.as<double>() + 2 : nullptr};
    const matrices f(factors.as<void>(), a_.shape);
    report_.factor = lu_factor(where, f, out,
                               {.variant = command_.variant,
                                .pivoting = named<pivoting>("--pivoting", command_.pivoting),
                                .perturbation = command_.perturbation,
                                .growth = true,
                                .condition = square && !command_.unverified});
    if (!command_.unverified && !is("solve")) {
        const placed_bytes original(where, a_.elements, report_.to_device_seconds);
        report_.residual_ratio =
            lu_residual_ratio(where, const_matrices(original.as<void>(), a_.shape), f, out.pivots);
    }
    double numbers[3] = {1, 0, 0};
    if (square) determinant.fetch(numbers, report_.from_device_seconds);
    report_.determinant = {numbers[0], numbers[2], is_complex(a_.shape.type) ? numbers[1] : 0};
    pivots_.resize(static_cast<std::size_t>(pivot_count));
    permutation_.resize(static_cast<std::size_t>(rows));
    pivots.fetch(pivots_.data(), report_.from_device_seconds);
    permutation.fetch(permutation_.data(), report_.from_device_seconds);
    if (is("det")) return;
    if (is("inverse"))
        report_.solve = lu_inverse(where, f, out.pivots, {.variant = second_variant("inverse")}).run;
    const matrix_shape& shape = is("solve") ? b_.shape : a_.shape;
    x_ = matrix_file_data{memory((is("solve") ? b_ : a_).elements.bytes(), memory_space::host), shape};
    if (!is("solve")) return factors.fetch(x_->elements.data(), report_.from_device_seconds);
    const placed_bytes b(where, b_.elements, report_.to_device_seconds);
    report_.solve = lu_solve(where, f, out.pivots, matrices(b.as<void>(), shape),
                             {.variant = second_variant("solve"), .transposed = command_.transposed})
                        .run;
    b.fetch(x_->elements.data(), report_.from_device_seconds);
}

/// The first rank reads, judges and writes; all ranks have columns.
int lu_run::run_shared() {
    if (!command_.refined.empty())
        throw usage_error(
            "--refined: is computed by one process, and mpirun started " + std::to_string(group().size()),
            "-np 1, or solve in float64");
    chosen_ = choose_backend(command_, threads_of_rank(command_.threads), false);
    const auto* cpu = std::get_if<on_cpu>(&chosen_.where);
    if (cpu == nullptr)
        throw usage_error("--backend: is " + command_.backend + ", expected cpu for several ranks", "-np 1");
    const bool first = group().rank() == 0;
    if (first) {
        read_all();
        open_outputs();
    }
    line_.say("computing");
    compute_shared(*cpu);
    const std::string verdict = first ? verdict_of(report_) : "";
    if (first && (verdict.empty() || is("factor"))) write();
    line_.stop();
    const bool bad = group().any(!verdict.empty());
    if (!first) return bad ? exit_verdict : exit_good;
    say();
    if (bad) throw verdict_error(printable(command_.file) + ": " + verdict);
    return exit_good;
}

void lu_run::compute_shared(const on_cpu& where) {
    const shared_matrix a(a_);
    a_.shape = a.whole();
    if (is("solve")) b_ = of_first(std::move(b_));
    begin_report();
    const index_t rows = a_.shape.rows;
    const bool square = rows == a_.shape.columns;
    pivots_.resize(static_cast<std::size_t>(a_.shape.diagonal()));
    permutation_.resize(static_cast<std::size_t>(rows));
    double numbers[3] = {1, 0, 0};
    const lu_outputs out{.pivots = pivots_.data(),
                         .permutation = permutation_.data(),
                         .sign = square ? numbers : nullptr,
                         .log_magnitude = square ? numbers + 2 : nullptr};
    report_.factor = lu_factor(group(), where, a.whole(), a.own(), out,
                               {.variant = command_.variant,
                                .pivoting = named<pivoting>("--pivoting", command_.pivoting),
                                .perturbation = command_.perturbation,
                                .growth = true});
    report_.determinant = {numbers[0], numbers[2], is_complex(a_.shape.type) ? numbers[1] : 0};
    if (is("solve")) {
        x_ = matrix_file_data{memory(b_.elements.bytes(), memory_space::host), b_.shape};
        std::memcpy(x_->elements.data(), b_.elements.data(), static_cast<std::size_t>(b_.elements.bytes()));
        report_.solve =
            lu_solve(group(), where, a.whole(), a.own(), pivots_.data(), x_->view(),
                     {.variant = second_variant("shared_solve"), .transposed = command_.transposed})
                .run;
    }
    judge_shared(a, where);
    if (!is("factor")) return;
    const bool first = group().rank() == 0;
    x_ = matrix_file_data{memory(first ? a_.elements.bytes() : 0, memory_space::host), a_.shape};
    a.gather_to(*x_);
    if (first && !square && !command_.unverified)
        report_.residual_ratio = lu_residual_ratio(where, a_.view(), x_->view(), pivots_.data());
}

/// HPL's ratio, of a factorisation too: of the system whose solution is all ones.
void lu_run::judge_shared(const shared_matrix& a, const on_cpu& where) {
    const bool first = group().rank() == 0, square = a_.shape.rows == a_.shape.columns;
    if (command_.unverified || !square) return;
    line_.say("verifying");
    matrix_file_data right = blank(a_.shape.type, a_.shape.rows, 1), made;
    if (!is("solve")) {
        if (first) fill_for_ones(a_.view(), right.view(), false);
        right = of_first(std::move(right));
        made = blank(a_.shape.type, a_.shape.rows, 1);
        std::memcpy(made.elements.data(), right.elements.data(),
                    static_cast<std::size_t>(made.elements.bytes()));
        (void)lu_solve(group(), where, a.whole(), a.own(), pivots_.data(), made.view(),
                       {.variant = second_variant("shared_solve")});
    }
    if (!first) return;
    const matrix_file_data &x = is("solve") ? *x_ : made, &b = is("solve") ? b_ : right;
    if (report_.factor.singular == 0)
        report_.hpl_ratio = hpl_ratio(a_.view(), x.view(), b.view(), is("solve") && command_.transposed);
    if (is("solve") && command_.rhs.empty()) report_.largest_error = largest_error_from_ones(x.view());
}

void lu_run::refine(const execution& where) {
    const placed_bytes a(where, a_.elements, report_.to_device_seconds),
        b(where, b_.elements, report_.to_device_seconds), x(where, b_.elements.bytes());
    report_.is_refined = true;
    report_.refined = lu_solve_refined(
        where, const_matrices(a.as<void>(), a_.shape), const_matrices(b.as<void>(), b_.shape),
        matrices(x.as<void>(), b_.shape),
        {.variant = command_.variant, .precision = named<factor_precision>("--refined", command_.refined)});
    x_ = matrix_file_data{memory(b_.elements.bytes(), memory_space::host), b_.shape};
    x.fetch(x_->elements.data(), report_.from_device_seconds);
}

/// What a solution or an inverse is worth, from A, b and x alone: O(n^2).
void lu_run::judge() {
    if (!x_ || is("factor") || command_.unverified) return;
    line_.say("verifying");
    if (is("inverse")) {
        if (report_.factor.singular == 0) report_.inverse_ratio = inverse_ratio(a_.view(), x_->view());
        return;
    }
    report_.backward_ratio = backward_ratio(a_.view(), x_->view(), b_.view(), command_.transposed);
    if (command_.rhs.empty()) report_.largest_error = largest_error_from_ones(x_->view());
}

void lu_run::write() {
    const matrix_format format =
        command_.output == "-" ? matrix_format::matrix_market : matrix_format_of(command_.output);
    if (output_) {
        line_.say("writing");
        if (const std::string why = why_unwritable(command_.output, x_->view(), {.format = format});
            !why.empty())
            throw verdict_error(why);
        write_matrix(*output_, x_->view(), format);
    }
    if (pivots_file_) write_indices(*pivots_file_, pivots_);
    if (permutation_file_) write_indices(*permutation_file_, permutation_);
    for (auto* file : {&pivots_file_, &permutation_file_, &output_})  // none appears before all are written
        if (*file) (*file)->commit();
}

void lu_run::say() const {
    std::string text;
    if (command_.json)
        text = to_json(report_) + "\n";
    else if (is("det"))
        text = determinant_text(report_.determinant, is_complex(a_.shape.type)) + "\n";
    if (!text.empty()) write_standard_output(text);
    std::cerr << line_of(report_);
}

int generate(const lu_command& command) {
    const std::string path = command.output.empty() ? "-" : command.output;
    matrix_file_data m = blank(type_of(command.type).value_or(scalar::f64), command.size, command.size);
    command.kind == "smooth" ? fill_rodinia_smooth(m.view()) : fill_rodinia_product(m.view(), command.seed);
    const matrix_write_options how{.format =
                                       path == "-" ? matrix_format::matrix_market : matrix_format::by_name};
    if (const std::string why = why_unwritable(path, m.view(), how); !why.empty()) throw usage_error(why);
    write_matrix(path, m.view(), how);
    return exit_good;
}

}  // namespace

int lu(const lu_command& command) {
    if (command.operation == "generate" || command.operation == "inverse")
        expect_alone("lu " + command.operation);
    if (command.operation == "generate") return generate(command);
    lu_command asked = command;
    const bool answers = asked.operation == "solve" || asked.operation == "inverse";
    const bool prints = answers && asked.output.empty() && !asked.json;  // else what was computed is lost
    if (prints) asked.output = "-";
    return lu_run(asked, prints).run();
}

}  // namespace wale::cli
