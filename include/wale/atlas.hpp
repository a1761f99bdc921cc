// atlas - a random sample of a solver's whole problem space: each cell run by `automatic` and by every
// variant that does not refuse it, verified and timed. Shows where `automatic` chooses a slower variant than
// it might.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>
#include <wale/layout.hpp>

namespace wale {

struct atlas_options {
    std::string operation{};  // one of atlas_operations(solver); empty: all of them
    std::uint64_t seed = 1;   // the same seed draws the same cells
    index_t first = 0;        // number of the first cell; a cell depends on the seed and its number alone
    index_t cells = 500;      // at most so many cells
    double seconds = 0;       // > 0: no new cell after this time
    double largest_seconds = 0.05;  // about what a fast variant needs for the largest cells on one thread
    double largest_bytes = 2.5e8;   // about what the largest cells take
    int threads = 0;                // of CPU variants; 0: each cell draws 1 to all
    bool cpu = true;
    bool cuda = true;   // where it is available
    bool timed = true;  // false: every variant once, to be verified
    std::function<void(const std::string&)>
        progress{};  // called before each cell; what it throws ends the atlas
};

struct atlas_time {
    std::string variant;
    double seconds = 0;          // lower quartile of the plain calls, as the caller waits for them; of what
                                 // outlives a call, such as a flow, of report.compute_seconds
    double compute_seconds = 0;  // lower quartile of report.compute_seconds
    std::string verified;  // "certificate", "reference", "agreement" (of two variants), or "" with timed
                           // results that are not to be trusted: see atlas_result::failed
};

struct atlas_cell {
    index_t number = 0;
    std::string operation;
    std::string traits;  // "type=f64 rows=12 count=7": everything else that was drawn
    std::string backend;
    int threads = 0;
    double work = 0;     // cells, pixels, operations, unknowns, cell iterations
    std::string chosen;  // the variant that `automatic` ran
    double automatic_seconds = 0;
    std::string best;  // the fastest variant by name
    double best_seconds = 0;
    double regret = 0;  // time of the chosen variant, as `automatic` or by its name, over best_seconds:
                        // 1 where the fastest was chosen
    std::vector<atlas_time> times;  // of each variant that does not refuse the cell
};

struct atlas_result {
    std::string solver;
    std::uint64_t seed = 0;
    std::vector<atlas_cell> cells;
    std::vector<std::string> failed;   // wrong answers, with seed and cell
    std::vector<std::string> skipped;  // cells without memory, or cut short
};

/// Throws bad_argument for a solver, an operation or a number out of range.
[[nodiscard]] atlas_result atlas(std::string_view solver, const atlas_options& = {});

/// The operations that an atlas of the solver draws from.
[[nodiscard]] std::vector<std::string> atlas_operations(std::string_view solver);

/// A line for each cell and variant, `automatic` among them, under a line of names.
[[nodiscard]] std::string atlas_csv(const atlas_result& r);

/// Regret at the given part of all cells in rising order: 0.5 the median, 1 the worst. 0 without cells.
[[nodiscard]] double regret_at(const atlas_result& r, double part);

/// The cells of greatest regret, worst first.
[[nodiscard]] std::vector<atlas_cell> worst_cells(const atlas_result& r, index_t count = 10);

/// A map of regret: a row for each operation on each backend, a column for each half power of ten of the
/// work.
struct atlas_map {
    std::vector<std::string> rows;
    index_t columns = 0;
    int first_power = 0;         // column c holds work from 10^((first_power + c) / 2)
    std::vector<double> regret;  // [rows][columns] the worst of its cells; NaN without any
};
[[nodiscard]] atlas_map map_of(const atlas_result& r);

}  // namespace wale
