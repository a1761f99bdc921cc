// tree - reads chains or trees, solves them, says what the solution is worth; or shows the form of a tree.
#include "tree.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <tuple>
#include <wale/enumerators.hpp>
#include <wale/matrix_file.hpp>
#include <wale/swc_file.hpp>
#include <wale/tree_file.hpp>

#include "backend.hpp"
#include "failure.hpp"
#include "group.hpp"
#include "json.hpp"
#include "numbers.hpp"
#include "placement.hpp"
#include "progress.hpp"
#include "text.hpp"
#include "tree_ranks.hpp"
#include "widen.hpp"

namespace wale::cli {
namespace {

constexpr double device_pays = 1e8;  // unknowns from which starting the device (0.3 s) pays

bool is_swc(const std::string& path) {
    return path.ends_with(".swc") || path.ends_with(".SWC");
}

/// The parents of a tree, from a case or from SWC.
std::vector<std::int32_t> read_parents(const std::string& path, bool forest) {
    if (!is_swc(path)) return read_tree_case(path, {.forest = forest}).parent;
    std::vector<std::int32_t> parent;
    for (const swc_point& p : read_swc(path).points) parent.push_back(p.parent);
    return parent;
}

bool all_finite(const memory& m, scalar type) {
    const auto finite = [](auto v) { return std::isfinite(v); };  // of complex numbers each part
    if (is_single(type)) {
        const auto* p = static_cast<const float*>(m.data());
        return std::all_of(p, p + m.bytes() / 4, finite);
    }
    const auto* p = static_cast<const double*>(m.data());
    return std::all_of(p, p + m.bytes() / 8, finite);
}

class tree_run {
public:
    explicit tree_run(const tree_command& command) : command_(command) { check(); }
    int run() {
        line_.say("reading");
        const stopwatch watch;
        command_.file.empty() ? read_arrays() : read_case();
        report_.read_seconds = watch.seconds();
        if (!command_.output.empty() && group().rank() == 0) output_.emplace(command_.output, inputs());
        line_.say("computing");
        const double seconds = report_.read_seconds;
        const bool alone = group().empty();
        chosen_backend chosen =
            choose_backend(command_, threads_of_rank(command_.threads),
                           alone && static_cast<double>(shape_.elements()) >= device_pays);
        if (!alone && (backend_of(chosen.where) == backend::cuda || case_))
            throw usage_error(case_ ? "tree solve: a case is one tree, which is not shared by ranks"
                                    : "--backend: is cuda, expected cpu or reference for several ranks",
                              "-np 1, or arrays of many systems");
        on_backend(chosen, command_.threads, [&](const execution& where) {
            report_ = {};  // a device may have been tried before
            report_.read_seconds = seconds;
            compute(where);
        });
        report_.verdict = group().rank() == 0 ? verdict() : "";
        report_.verified = !command_.unverified;
        const bool good = report_.verdict.empty();
        if (good) write();
        line_.stop();
        const bool bad = group().any(!good);
        if (group().rank() > 0) return bad ? exit_verdict : exit_good;
        say();
        if (bad) throw verdict_error(printable(name()) + ": " + report_.verdict);
        return exit_good;
    }

private:
    void check() const;
    void read_case();
    void read_arrays();
    [[nodiscard]] std::vector<std::string> inputs() const {
        return {command_.file,  command_.lower, command_.diagonal,
                command_.upper, command_.rhs,   command_.form};
    }
    [[nodiscard]] std::string name() const {
        return command_.file.empty() ? command_.diagonal : command_.file;
    }
    [[nodiscard]] matrix_file_data read_like(const std::string& path, const matrix_file_data& other) const;
    void compute(const execution& where);
    template <class Solve, class Residual>
    void compute_with(const execution& where, Solve&& solve, Residual&& residual);
    template <class Solve, class Residual>
    void compute_shared(bool rows, const Solve& solve, const Residual& residual);
    [[nodiscard]] std::string verdict() const;
    void write();
    void say() const;

    const tree_command& command_;
    std::optional<hines_plan> plan_;  // of trees
    vector_shape shape_;
    memory lower_, diagonal_, upper_, rhs_, solution_, eliminated_;
    std::optional<tree_case> case_;
    matrix_shape form_;  // of the arrays' files
    std::optional<output_file> output_;
    tree_report report_;
    progress line_;
};

void tree_run::check() const {
    if (!command_.file.empty()) expect_no_devices(command_, "tree solve of a case", "one tree");
    const bool arrays = !command_.lower.empty() && !command_.diagonal.empty() && !command_.upper.empty() &&
                        !command_.rhs.empty();
    const bool any = !command_.lower.empty() || !command_.diagonal.empty() || !command_.upper.empty() ||
                     !command_.rhs.empty();
    if (command_.file.empty() ? !arrays : any)
        throw usage_error("expected a case, or all of --lower, --diagonal, --upper and --rhs");
    if (!command_.form.empty() && !arrays)
        throw usage_error("--tree: goes with --lower, --diagonal, --upper and --rhs");
    if (command_.output == "-" && command_.json)
        throw usage_error("--json: writes to standard output, where the solution goes, expected -o FILE");
    const bool tree = !command_.file.empty() || !command_.form.empty();
    if (tree && command_.periodic) throw usage_error("--periodic: trees have no ends to join");
    if (tree && is_complex(find_named<scalar>(command_.type).value_or(scalar::f64)))
        throw usage_error("--type: is " + command_.type + ", expected float32 or float64 for trees");
    if (!command_.file.empty() && command_.interleaved)
        throw usage_error("--interleaved: a case is one system");
}

void tree_run::read_case() {
    case_ = read_tree_case(command_.file, {.type = find_named<scalar>(command_.type).value_or(scalar::f64),
                                           .forest = command_.forest});
    shape_ = case_->shape();
    lower_ = std::move(case_->lower);
    diagonal_ = std::move(case_->diagonal);
    upper_ = std::move(case_->upper);
    rhs_ = std::move(case_->rhs);
    plan_.emplace(std::span<const std::int32_t>(case_->parent),
                  hines_plan_options{.forest = command_.forest});
}

matrix_file_data tree_run::read_like(const std::string& path, const matrix_file_data& other) const {
    matrix_file_data m = read_matrix(path, {.type = find_named<scalar>(command_.type)});
    const bool line = std::min(other.shape.rows, other.shape.columns) == 1 && !command_.interleaved;
    if (line && m.shape.rows == other.shape.columns && m.shape.columns == other.shape.rows) {
        const scalar type =
            m.shape.type;  // one system, along a row in this file and down a column in that one
        m.shape = other.shape;
        m.shape.type = type;
    }
    if (m.shape.rows != other.shape.rows || m.shape.columns != other.shape.columns)
        throw input_error(printable(path) + ": is " + std::to_string(m.shape.rows) + " x " +
                          std::to_string(m.shape.columns) + ", expected " + std::to_string(other.shape.rows) +
                          " x " + std::to_string(other.shape.columns) + " like " +
                          printable(command_.diagonal));
    return m.shape.order == other.shape.order ? std::move(m) : turned(m);
}

/// Rows of the files are systems, or with --interleaved columns are. A file of one axis or column is one
/// system.
void tree_run::read_arrays() {
    matrix_file_options first;
    first.type = find_named<scalar>(command_.type);
    matrix_file_data d = read_matrix(command_.diagonal, first);
    matrix_file_data l = read_like(command_.lower, d), u = read_like(command_.upper, d),
                     b = read_like(command_.rhs, d);
    scalar type = d.shape.type;
    for (const matrix_file_data* m : {&l, &u, &b}) type = common_type(type, m->shape.type);
    for (matrix_file_data* m : {&d, &l, &u, &b})
        if (m->shape.type != type) *m = widened(*m, type);
    form_ = d.shape;
    const bool one = form_.columns == 1 && !command_.interleaved;
    const bool down = one || command_.interleaved;  // a system lies along a column
    const index_t size = down ? form_.rows : form_.columns, count = one    ? 1
                                                                    : down ? form_.columns
                                                                           : form_.rows;
    // Contiguous along the system: flat.
    const bool flat = one || down != form_.row_major();
    shape_ = flat ? vector_shape::flat(form_.type, size, count)
                  : vector_shape::interleaved(form_.type, size, count);
    lower_ = std::move(l.elements);
    diagonal_ = std::move(d.elements);
    upper_ = std::move(u.elements);
    rhs_ = std::move(b.elements);
    if (command_.form.empty()) return;
    const std::vector<std::int32_t> parent = read_parents(command_.form, command_.forest);
    if (static_cast<index_t>(parent.size()) != size)
        throw input_error(printable(command_.form) + ": has " + std::to_string(parent.size()) +
                          " nodes, expected " + std::to_string(size) + " like a system of " +
                          printable(command_.diagonal));
    plan_.emplace(std::span<const std::int32_t>(parent), hines_plan_options{.forest = command_.forest});
}

/// solve and residual take five arrays, solve those of this rank: `rows` of one chain, or systems.
template <class Solve, class Residual>
void tree_run::compute_shared(bool rows, const Solve& solve, const Residual& residual) {
    expect_same_arrays({&lower_, &diagonal_, &upper_, &rhs_});
    const shared_systems shares(shape_, rows);
    solution_ = memory(rhs_.bytes(), memory_space::host);
    const auto seen = [&](const memory& m) { return const_vectors(shares.place(m), shares.own()); };
    const vectors x(shares.place(solution_), shares.own());
    const auto result = solve(seen(lower_), seen(diagonal_), seen(upper_), seen(rhs_), x);
    report_.run = merged(result.run);
    std::tie(report_.first_bad_system, report_.first_bad_row) =
        shares.first_bad(result.first_bad_system, result.first_bad_row);
    shares.gather(solution_);
    const bool first = group().rank() == 0;
    report_.finite = first && all_finite(solution_, shape_.type);
    if (command_.unverified || !first) return;
    const auto whole = [&](const memory& m) { return const_vectors(m.data(), shape_); };
    report_.backward_error =
        residual(whole(lower_), whole(diagonal_), whole(upper_), whole(rhs_), whole(solution_));
}

template <class Solve, class Residual>
void tree_run::compute_with(const execution& where, Solve&& solve, Residual&& residual) {
    const placed_bytes l(where, lower_, report_.to_device_seconds),
        d(where, diagonal_, report_.to_device_seconds), u(where, upper_, report_.to_device_seconds),
        b(where, rhs_, report_.to_device_seconds), x(where, rhs_.bytes());
    const auto seen = [&](const placed_bytes& p) { return const_vectors(p.as<void>(), shape_); };
    const vectors out(x.as<void>(), shape_);
    const auto result = solve(seen(l), seen(d), seen(u), seen(b), out);
    report_.run = result.run;
    report_.first_bad_system = result.first_bad_system;
    report_.first_bad_row = result.first_bad_row;
    solution_ = memory(rhs_.bytes(), memory_space::host);
    x.fetch(solution_.data(), report_.from_device_seconds);
    report_.finite = all_finite(solution_, shape_.type);
    if (!command_.unverified) report_.backward_error = residual(seen(l), seen(d), seen(u), seen(b), seen(x));
}

void tree_run::compute(const execution& where) {
    report_.input = name();
    report_.output = command_.output;
    report_.shape = shape_;
    if (!plan_) {
        tridiagonal_options o{.variant = command_.variant,
                              .pivoting = named<pivoting>("--pivoting", command_.pivoting),
                              .periodic = command_.periodic,
                              .transposed = command_.transposed};
        const auto solve = [&](auto l, auto d, auto u, auto b, auto x) {
            return tridiagonal_solve(where, l, d, u, b, x, o);
        };
        const auto residual = [&](auto l, auto d, auto u, auto b, auto x) {
            return tridiagonal_residual(home_of(where), l, d, u, b, x, o);
        };
        if (group().empty()) return compute_with(where, solve, residual);
        const auto whole = [&](const memory& m) { return vectors(m.data(), shape_); };
        o.variant = tridiagonal_variant(where, whole(lower_), whole(diagonal_), whole(upper_), whole(rhs_),
                                        whole(rhs_), o);  // for the bits of one process
        const bool rows = shape_.count == 1 && o.variant == "cpu/partition" && !o.transposed;
        if (!rows) return compute_shared(false, solve, residual);
        const auto together = [&](auto l, auto d, auto u, auto b, auto x) {
            return tridiagonal_solve(group(), std::get<on_cpu>(where), l, d, u, b, x, o);
        };
        return compute_shared(true, together, residual);
    }
    report_.kind = "trees";
    report_.branches = plan_->branches();
    report_.depth = plan_->depth();
    const placed_bytes eliminated(where, case_ ? rhs_.bytes() : 0);
    hines_options o{.variant = command_.variant, .transposed = command_.transposed};
    if (case_) o.eliminated = vectors(eliminated.as<void>(), shape_);
    const auto solve = [&](auto l, auto d, auto u, auto b, auto x) {
        return hines_solve(where, *plan_, d, u, l, b, x, o);
    };
    const auto residual = [&](auto l, auto d, auto u, auto b, auto x) {
        return hines_residual(home_of(where), *plan_, d, u, l, b, x, command_.transposed);
    };
    if (!group().empty()) {
        const auto whole = [&](const memory& m) { return vectors(m.data(), shape_); };
        o.variant = hines_variant(where, *plan_, whole(diagonal_), whole(upper_), whole(lower_), whole(rhs_),
                                  whole(rhs_), o);
        return compute_shared(false, solve, residual);
    }
    compute_with(where, solve, residual);
    if (!case_) return;
    eliminated_ = memory(rhs_.bytes(), memory_space::host);
    eliminated.fetch(eliminated_.data(), report_.from_device_seconds);
}

/// Why the solution cannot be trusted, in words; empty if it can.
std::string tree_run::verdict() const {
    const char* row = plan_ ? "node " : "row ";
    if (report_.first_bad_system >= 0)
        return "the pivot of " + (row + std::to_string(report_.first_bad_row)) +
               (shape_.count > 1 ? " in system " + std::to_string(report_.first_bad_system) : "") +
               " is 0 or not finite";
    if (!report_.finite)
        return is_single(shape_.type) ? "the solution is not finite: it leaves the range of float32"
                                      : "the solution is not finite";
    const double most = good_backward_error(shape_.type);
    if (!command_.unverified && !(report_.backward_error <= most))
        return "backward error " + short_text(report_.backward_error) + ", expected at most " +
               short_text(most) +
               (plan_                            ? ": the elimination of a tree does not exchange rows"
                : command_.pivoting == "partial" ? ""
                                                 : ": expected --pivoting partial for such a matrix");
    return {};
}

void tree_run::write() {
    if (!output_) return;
    line_.say("writing");
    if (case_) {
        case_->lower = std::move(lower_);
        case_->upper = std::move(upper_);
        case_->rhs = std::move(solution_);
        case_->diagonal = std::move(eliminated_);
        write_tree_case(*output_, *case_);
    } else {
        const const_matrices x(solution_.data(), form_);
        const matrix_format format =
            command_.output == "-" ? matrix_format::matrix_market : matrix_format_of(command_.output);
        if (const std::string why = why_unwritable(command_.output, x, {.format = format}); !why.empty())
            throw usage_error(why);
        write_matrix(*output_, x, format);
    }
    output_->commit();
}

void tree_run::say() const {
    const tree_report& r = report_;
    std::string text = "wale: tree solve, " + std::to_string(r.shape.count) + " x " +
                       std::to_string(r.shape.size) + " " + wale::name_of(r.shape.type) +
                       (plan_ ? " nodes: " : " rows: ") + (r.verdict.empty() ? "good" : r.verdict);
    if (r.backward_error >= 0) text += "; backward error " + short_text(r.backward_error);
    text += "; " + time_text(r.run.compute_seconds) + ", " +
            rate_text(static_cast<double>(r.shape.elements()) / std::max(r.run.compute_seconds, 1e-9),
                      "unknown") +
            " by " + r.run.variant;
    std::cerr << text + "\n";
    if (!command_.json) return;
    write_standard_output(to_json(report_) + "\n");
}

tree_summary summary_of(const std::string& input, const std::vector<std::int32_t>& parent, bool forest) {
    const hines_plan plan{std::span<const std::int32_t>(parent), {.forest = forest}};
    tree_summary f{.input = input,
                   .nodes = plan.size(),
                   .trees = plan.trees(),
                   .branches = plan.branches(),
                   .depth = plan.depth(),
                   .depth_first = plan.depth_first()};
    std::vector<index_t> children(parent.size(), 0), run(parent.size(), 0);
    for (const std::int32_t p : parent)
        if (p >= 0) ++children[static_cast<std::size_t>(p)];
    f.tips = std::count(children.begin(), children.end(), 0);
    if (!children.empty()) f.most_children = *std::max_element(children.begin(), children.end());
    // A run starts below a root or a branch, and goes on while there is one child.
    for (std::size_t i = 0; i < parent.size(); ++i) {
        if (children[i] == 1) continue;
        index_t length = 1;
        for (std::int32_t p = parent[i]; p >= 0 && children[static_cast<std::size_t>(p)] == 1;
             p = parent[static_cast<std::size_t>(p)])
            ++length;
        f.longest_run = std::max(f.longest_run, length);
    }
    return f;
}

}  // namespace

int tree_solve(const tree_command& command) {
    tree_command full = command;
    if (full.output.empty() && !full.json) full.output = "-";  // else what was computed is lost
    return tree_run(full).run();
}

int tree_info(const tree_command& command) {
    const tree_summary f =
        summary_of(command.file, read_parents(command.file, command.forest), command.forest);
    std::string text;
    if (command.json) {
        text = to_json(f) + "\n";
    } else {
        for_each_field<tree_summary>([&]<class M>(const field<tree_summary, M>& one) {
            const M& value = f.*one.member;
            if constexpr (std::is_same_v<M, index_t>)
                text += std::string(one.text) + ": " + std::to_string(value) + "\n";
            else if constexpr (std::is_same_v<M, bool>)
                text += std::string(one.text) + (value ? ": yes\n" : ": no\n");
        });
    }
    write_standard_output(text);
    return exit_good;
}

}  // namespace wale::cli
