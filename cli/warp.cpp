// warp - the dynamic time warping of two series, its path, or the costs of many series with each other.
#include "warp.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>
#include <wale/matrix_file.hpp>
#include <wale/output_file.hpp>
#include <wale/series_file.hpp>
#include <wale/warping.hpp>

#include "backend.hpp"
#include "failure.hpp"
#include "json.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

constexpr double device_pays = 1e10;  // cells from which starting the device (0.3 s) pays

std::string digits(double v) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, v).ptr};
}

/// Series of a file: its lines are points of one series or, with --all, series of numbers.
template <class T>
struct series_of_file {
    std::vector<T> numbers;
    std::vector<index_t> offsets;  // in points
    index_t dimensions = 1;

    series_of_file(const warp_command& o, const std::string& file) {
        number_lines lines = read_number_lines(file);
        numbers.assign(lines.numbers.begin(), lines.numbers.end());
        for (const T v : numbers)
            if (v - v != 0) throw bad_input(printable(file) + ": a number is beyond float32");
        if (o.all) {
            offsets = std::move(lines.offsets);
            return;
        }
        dimensions = lines.width();
        if (dimensions < 0)
            throw bad_input(printable(file) +
                            ": lines have different numbers of values, expected a point a line; with --all "
                            "lines are series");
        offsets = {0, lines.count()};
    }
    [[nodiscard]] index_t count() const { return std::ssize(offsets) - 1; }
    [[nodiscard]] double points() const { return static_cast<double>(offsets.back()); }
    [[nodiscard]] series_batch<T> batch() const {
        return {numbers.data(), offsets.data(), count(), dimensions};
    }
};

warping_options options_of(const warp_command& o) {
    warping_options out;
    out.variant = o.variant;
    out.cost = o.cost == "squared" ? dtw_cost::squared : dtw_cost::absolute;
    out.window = o.window;
    out.gamma = o.gamma;
    return out;
}

/// The path of the only pair, or the costs of all.
template <class T>
void compute(const execution& where, const warp_command& o, const series_of_file<T>& a,
             const series_of_file<T>& b, warp_summary& out) {
    if (o.path) {
        auto found = warping_path<T>(where, a.numbers, b.numbers, a.dimensions, options_of(o));
        out.costs = {{static_cast<double>(found.cost)}};
        out.path = std::move(found.path);
        out.run = std::move(found.run);
        return;
    }
    std::vector<T> costs(static_cast<std::size_t>(a.count() * b.count()));
    const matrix_view<T> to(costs.data(), extents<2>{{a.count(), b.count()}});
    out.run = (o.second_file.empty() ? warping_costs<T>(where, a.batch(), to, options_of(o))
                                     : warping_costs<T>(where, a.batch(), b.batch(), to, options_of(o)))
                  .run;
    for (index_t i = 0; i < a.count(); ++i)
        out.costs.emplace_back(costs.begin() + i * b.count(), costs.begin() + (i + 1) * b.count());
}

template <class T>
warp_summary warped(const warp_command& o, progress& line) {
    line.say("reading " + printable(o.first_file));
    const series_of_file<T> a(o, o.first_file);
    const bool with_itself = o.second_file.empty();
    const series_of_file<T> b = with_itself ? a : series_of_file<T>(o, o.second_file);
    if (a.dimensions != b.dimensions)
        throw bad_input(printable(o.second_file) + ": points of " + std::to_string(b.dimensions) +
                        " numbers, expected " + std::to_string(a.dimensions) + ", as in " +
                        printable(o.first_file));
    chosen_backend chosen =
        choose_backend(o.backend, o.variant, o.threads, a.points() * b.points() >= device_pays);
    line.say("warping");
    warp_summary out{{o.first_file}, {a.count()}, a.dimensions, {}, {}, {}};
    if (!with_itself) out.files.push_back(o.second_file), out.series.push_back(b.count());
    on_backend(chosen, o.threads, [&](const execution& where) { compute(where, o, a, b, out); });
    return out;
}

/// Of --path the steps, else the costs, a line for each series of the first file.
void write_csv(output_file& out, const warp_command& o, const warp_summary& found) {
    if (o.path) out.write("first,second\n");
    for (const auto& [i, j] : found.path) out.write(std::to_string(i) + "," + std::to_string(j) + "\n");
    for (const std::vector<double>& row : found.costs) {
        if (o.path) break;
        std::string line;
        for (const double cost : row) line += (line.empty() ? "" : ",") + digits(cost);
        out.write(line + "\n");
    }
}

void write_answer(const warp_command& o, const warp_summary& found) {
    output_file out(o.output, found.files);
    if (o.json) {
        out.write(to_json(found) + "\n");
    } else if (matrix_format_of(o.output) == matrix_format::npy) {
        std::vector<double> all;
        for (const std::vector<double>& row : found.costs) all.insert(all.end(), row.begin(), row.end());
        const index_t rows = std::ssize(found.costs), columns = rows == 0 ? 0 : std::ssize(found.costs[0]);
        write_matrix(out, matrix_view<const double>(all.data(), extents<2>{{rows, columns}}),
                     matrix_format::npy);
    } else {
        write_csv(out, o, found);
    }
    out.commit();
}

void check(const warp_command& o) {
    if (o.second_file.empty() && !o.all) throw usage_error("there is one file, expected two, or --all");
    if (o.first_file == "-" && o.second_file == "-")
        throw usage_error("both files are standard input, expected one");
    if (o.path && o.all) throw usage_error("--path and --all: expected one of them");
    if (o.path && o.gamma > 0) throw usage_error("--path and --gamma: a soft minimum has no path");
    if (o.path && matrix_format_of(o.output) == matrix_format::npy)
        throw usage_error("--path: is written as CSV or JSON, not as NPY");
    if (o.json || matrix_format_of(o.output) != matrix_format::npy)
        expect_text_name(o.output, o.json ? "json" : "csv");
}

}  // namespace

void add_warp(CLI::App& app, warp_command& o) {
    CLI::App& verb =
        *app.add_subcommand("warp", "how far apart series of numbers are where time may be stretched");
    verb.add_option("first", o.first_file,
                    "CSV or other text with a line a point, or NPY or FILE.npz:NAME (points x dimensions);\n"
                    "- is standard input")
        ->required();
    verb.add_option("second", o.second_file, "the other one; with --all none: the first with itself");
    verb.add_flag(
        "--all", o.all,
        "the lines, or the rows of an NPY, are series of numbers: each of the first file with each\n"
        "of the second");
    verb.add_option("--cost", o.cost,
                    "of two points: the sum of absolute or of squared differences; no root is taken")
        ->check(CLI::IsMember({"absolute", "squared"}))
        ->capture_default_str();
    add_number(verb, "-w,--window", o.window, {.least = 0},
               "Sakoe & Chiba's: point i meets points at most N from i, or from the other series' end where\n"
               "lengths differ")
        .type_name("N");
    add_number(verb, "--gamma", o.gamma, positive, "soft-DTW: the smoothing of the minimum").type_name("G");
    verb.add_flag("--path", o.path, "the points that meet, from 0, instead of the cost");
    verb.add_option("--type", o.type, "of the computation")
        ->check(CLI::IsMember(real_types))
        ->capture_default_str();
    add_run(verb, o, "auto takes CUDA for much work where a device is there, else the CPU",
            "a row `warping` or `warping_path` of `wale list wavefront`");
    verb.add_flag("--json", o.json, "write JSON instead, errors too");
    verb.add_option("-o,--output", o.output,
                    "write to FILE instead of standard output: CSV, or .npy of the costs")
        ->type_name("FILE");
    verb.footer(
        "Writes the cost, a matrix of costs as CSV, or the path as CSV. What ran and how fast is\n"
        "said on standard error.\n\n"
        "Examples:\n"
        "  wale warp a.csv b.csv --cost squared --window 20\n"
        "  wale warp a.npy b.npy --path -o path.csv\n"
        "  wale warp --all series.csv -o costs.npy\n");
}

int warp(const warp_command& o) {
    check(o);
    progress line;
    const bool single = o.type == "float32" || o.type == "f32";
    const warp_summary found = single ? warped<float>(o, line) : warped<double>(o, line);
    line.stop();
    write_answer(o, found);
    const std::size_t pairs = found.costs.empty() ? 0 : found.costs.size() * found.costs[0].size();
    std::string said = "wale: " + std::to_string(pairs) + (pairs == 1 ? " pair, " : " pairs, ");
    if (o.path) said += "cost " + digits(found.costs[0][0]) + ", ";
    said += short_text(found.run.work) + " cells in " + time_text(found.run.compute_seconds) + ", " +
            rate_text(found.run.work / std::max(found.run.compute_seconds, 1e-9)) + ran_text(found.run) +
            ")\n";
    std::cerr << said;
    return exit_good;
}

}  // namespace wale::cli
