// atlas - `wale study SOLVER --atlas`: regret of `automatic` over random cells, as text, CSV and a map.
#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>
#include <wale/atlas.hpp>
#include <wale/flow_picture.hpp>
#include <wale/output_file.hpp>

#include "failure.hpp"
#include "json.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

constexpr index_t worst_shown = 10;
constexpr index_t block = 24;  // pixels a side of a cell of the map
constexpr double half_power = 3.1622776601683795;

double part_above(const atlas_result& r, double limit) {
    double above = 0;
    for (const atlas_cell& c : r.cells) above += c.regret > limit ? 1 : 0;
    return r.cells.empty() ? 0 : above / static_cast<double>(r.cells.size());
}

std::string regrets_of(const atlas_result& r) {
    return std::to_string(r.cells.size()) + " cells of " + r.solver + ", seed " + std::to_string(r.seed) +
           "\nregret (time of automatic over time of the fastest variant): median " +
           short_text(regret_at(r, 0.5)) + ", 95% of cells up to " + short_text(regret_at(r, 0.95)) +
           ", worst " + short_text(regret_at(r, 1)) + "; above 1.15 in " + percent_text(part_above(r, 1.15)) +
           " of cells\n";
}

std::string worst_of(const atlas_result& r) {
    std::vector<std::vector<std::string>> rows{
        {"cell", "regret", "operation", "automatic", "time", "fastest", "time", "threads", "what was drawn"}};
    for (const atlas_cell& c : worst_cells(r, worst_shown)) {
        if (c.regret <= 1) break;
        rows.push_back({std::to_string(c.number), short_text(c.regret), c.operation, c.chosen,
                        time_text(c.automatic_seconds), c.best, time_text(c.best_seconds),
                        c.threads > 0 ? std::to_string(c.threads) : "-", c.traits});
    }
    return "\nThe worst:\n" + table_text(rows, 1);
}

std::string text_of(const atlas_result& r, bool timed) {
    std::string out;
    if (timed && !r.cells.empty())
        out = regrets_of(r) + worst_of(r);
    else
        out = std::to_string(r.cells.size()) + " cells of " + r.solver + ", seed " + std::to_string(r.seed) +
              (timed ? "\n" : ", each variant once\n");
    for (const std::string& s : r.skipped) out += "skipped: " + s + "\n";
    for (const std::string& f : r.failed) out += "FAILED: " + f + "\n";
    return out;
}

/// What the rows and columns of the image are, which holds no letters.
std::string legend_of(const atlas_map& m) {
    std::string out =
        "\nMap: white is a regret of 1, red 2 and more, grey has no cells. Columns: work from " +
        short_text(std::pow(half_power, m.first_power)) + ", each " + short_text(half_power) +
        " times the one before. Rows from the top:\n";
    for (const std::string& row : m.rows) out += "  " + row + "\n";
    return out;
}

void draw(output_file& out, const atlas_map& m) {
    slice image;
    image.columns = m.columns * block;
    image.rows = std::ssize(m.rows) * block;
    for (index_t y = 0; y < image.rows; ++y)
        for (index_t x = 0; x < image.columns; ++x) {
            const double regret = m.regret[static_cast<std::size_t>(y / block * m.columns + x / block)];
            image.values.push_back(static_cast<float>(std::log2(regret)));
        }
    slice_options colours;
    colours.low = -1;
    colours.high = 1;
    write_coloured(out, image, colours);
}

atlas_options options_of(const study_command& command, progress& line) {
    atlas_options options;
    options.operation = command.operation;
    options.seed = command.seed;
    options.first = command.first;
    options.cells = command.cells;
    options.seconds = command.seconds;
    options.largest_seconds = command.largest;
    options.threads = command.threads;
    options.cpu = command.backend != "cuda";
    options.cuda = command.backend != "cpu";
    options.timed = !command.once;
    options.progress = [&line](const std::string& what) { line.say(what); };
    return options;
}

}  // namespace

namespace {

/// "euler: advance; lu: factor solve inverse"
std::string atlas_text(const std::vector<std::string>& solvers) {
    std::string text;
    for (const std::string& solver : solvers) {
        text += (text.empty() ? "" : "; ") + solver + ":";
        for (const std::string& name : wale::atlas_operations(solver)) text += " " + name;
    }
    return text;
}

}  // namespace

void add_atlas(CLI::App& verb, study_command& o, const std::vector<std::string>& solvers) {
    CLI::Option* const atlas =
        verb.add_flag("--atlas", o.atlas,
                      "random cells of the whole problem space: regret of automatic over the "
                      "fastest\nvariant; --operation is one of " +
                          atlas_text(solvers));
    // Not by get_option(), which ends the program where it cannot allocate.
    for (CLI::Option* other : verb.get_options())
        for (const char* name : {"--sizes", "--input", "--variant", "--repeats"})
            if (other->get_name() == name) atlas->excludes(other);
    add_number(verb, "--seed", o.seed, {}, "of the atlas: the same seed draws the same cells")
        .needs(atlas)
        ->capture_default_str();
    add_number(verb, "--first", o.first, {.least = 0}, "number of the atlas's first cell").needs(atlas);
    add_number(verb, "--cells", o.cells, {.least = 1}, "cells of the atlas")
        .needs(atlas)
        ->capture_default_str();
    add_number(verb, "--seconds", o.seconds, {.least = 0}, "no new cell of the atlas after so many seconds")
        .needs(atlas)
        ->type_name("S");
    add_number(verb, "--largest", o.largest, {.least = 1e-6},
               "about what a fast variant needs for the atlas's largest cells, in seconds")
        .needs(atlas)
        ->capture_default_str()
        ->type_name("S");
    verb.add_flag("--once", o.once, "atlas: each variant once, verified, not timed")->needs(atlas);
    verb.add_option("--map", o.map, "the atlas as an image of regret over work")
        ->needs(atlas)
        ->type_name("FILE.png");
}

int study_atlas(const study_command& command) {
    output_file out(command.output);
    std::optional<output_file> csv, map;  // opened before the work, so that a bad path is seen at once
    if (!command.csv.empty()) csv.emplace(command.csv);
    if (!command.map.empty()) map.emplace(command.map);
    progress line;
    const atlas_result result = wale::atlas(command.solver, options_of(command, line));
    line.stop();
    std::string text = command.json ? to_json(result) + "\n" : text_of(result, !command.once);
    if (csv) csv->write(atlas_csv(result));
    if (map && !result.cells.empty()) {
        const atlas_map drawn = map_of(result);
        draw(*map, drawn);
        if (!command.json) text += legend_of(drawn);
    }
    out.write(text);
    if (csv) csv->commit();
    if (map && !result.cells.empty()) map->commit();
    out.commit();
    return result.failed.empty() ? exit_good : exit_verdict;
}

}  // namespace wale::cli
