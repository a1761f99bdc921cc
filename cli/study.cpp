// study - the table of `wale study`.
#include <charconv>
#include <optional>
#include <wale/error.hpp>
#include <wale/output_file.hpp>
#include <wale/result_fields.hpp>
#include <wale/study.hpp>

#include "failure.hpp"
#include "json.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

std::string table_of(const study_result& r) {
    std::vector<std::vector<std::string>> rows{{"variant", "size", "time", "rate", "of ceiling", "x slowest",
                                                "of fastest", "verified", "what binds; policy"}};
    for (const study_row& row : r.rows) {
        const std::string binds =
            row.ceiling > 0 ? row.binds + " " + rate_text(row.ceiling, r.unit) : std::string("-");
        rows.push_back({row.variant, std::to_string(row.size), time_text(row.seconds),
                        rate_text(row.rate, r.unit), row.ceiling > 0 ? percent_text(row.of_ceiling) : "-",
                        short_text(row.over_slowest), percent_text(row.of_fastest),
                        row.verified ? "yes" : "no", binds + (row.policy.empty() ? "" : "; " + row.policy)});
    }
    return table_text(rows, 1);
}

std::string text_of(const study_result& r) {
    std::string out = table_of(r);
    for (const std::string& s : r.skipped) out += "skipped: " + s + "\n";
    for (const std::string& f : r.failed) out += "FAILED: " + f + "\n";
    if (!r.claims.empty()) out += "\nThe source notes say, and these rows measured:\n";
    for (const study_claim& c : r.claims) out += "- " + c.claim + "\n    " + c.measured + "\n";
    return out;
}

/// A cell of CSV (RFC 4180): text with a comma, a quote or a line feed stands in quotes; a number has as many
/// digits as distinguish it from its neighbours.
template <class T>
std::string csv_cell(const T& v) {
    if constexpr (std::is_same_v<T, bool>) {
        return v ? "true" : "false";
    } else if constexpr (std::is_arithmetic_v<T>) {
        char digits[32];
        return {digits, std::to_chars(digits, digits + sizeof digits, v).ptr};
    } else {
        if (v.find_first_of(",\"\n\r") == std::string::npos) return v;
        std::string out(1, '"');
        for (const char c : v) out.append(c == '"' ? 2 : 1, c);
        out += '"';
        return out;
    }
}

/// A line for each row, below a line of the fields' names.
std::string csv_of(const std::string& operation, const study_result& r) {
    std::string out = "operation";
    for_each_field<study_row>([&](const auto& f) { (out += ',') += f.name; });
    out += '\n';
    for (const study_row& row : r.rows) {
        out += csv_cell(operation);
        for_each_field<study_row>([&](const auto& f) { (out += ',') += csv_cell(row.*f.member); });
        out += '\n';
    }
    return out;
}

}  // namespace

std::string operations_text(const std::vector<std::string>& solvers) {
    std::string text;
    for (const std::string& solver : solvers) {
        std::string list;
        for (const std::string& name : wale::study_operations(solver))
            list += (list.empty() ? "" : ", ") + name;
        text += "of " + solver + ": " + list + "\n\n";
    }
    return text + "the first of a solver is its default";
}

int study(const study_command& command) {
    if (command.backend == "cuda")
        if (const std::string why = why_unavailable(backend::cuda); !why.empty())
            throw backend_unavailable("CUDA is not available: " + why);
    expect_ending("--map", command.map, ".png");
    if (!command.input.empty() && command.solver != "reconstruction")
        throw usage_error("--input: is an image, expected the solver reconstruction");
    expect_distinct(std::vector<named_output>{
        {"--output", command.output}, {"--csv", command.csv}, {"--map", command.map}});
    if (command.atlas) return study_atlas(command);
    output_file out(command.output, {command.input});
    std::optional<output_file> csv;  // opened before the work, so that a bad path is seen at once
    if (!command.csv.empty()) csv.emplace(command.csv, std::vector{command.input});
    progress line;
    study_options options;
    options.operation = command.operation;
    options.sizes = command.sizes;
    options.input = command.input;
    options.variant = command.variant;
    options.repeats = command.repeats;
    options.threads = command.threads;
    options.cpu = command.backend != "cuda";
    options.cuda = command.backend != "cpu";
    options.progress = [&line](const std::string& what) { line.say(what); };
    const study_result result = wale::study(command.solver, options);
    line.stop();
    const std::string operation =
        command.operation.empty() ? wale::study_operations(command.solver).front() : command.operation;
    if (csv) csv->write(csv_of(operation, result));
    out.write(command.json ? to_json(result) + "\n" : text_of(result));
    if (csv) csv->commit();
    out.commit();
    return result.failed.empty() ? exit_good : exit_verdict;
}

}  // namespace wale::cli
