// shapes - see shapes.hpp.
#include "solvers/wavefront/warping/shared/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace wale::wavefront::warping {
namespace {

constexpr double warp_size = 32;
constexpr double schedulers = 4;  // of a multiprocessor

double step_of(const sweep_policy& p) {
    const cycles_policy& c = cycles[0].policy;
    return p.rows * p.columns * c.of_cell + p.columns * c.of_column +
           (p.unrolled > 0 ? c.of_plain_step : c.of_step);
}
/// Columns of a strip that have cells within the band.
double columns_of(double rows, const sweep_work& w) {
    if (w.window < 0) return w.columns;
    return std::min(w.columns, rows + 2 * static_cast<double>(w.window) + std::abs(w.columns - w.rows) + 2);
}

double masked(const sweep_work& w) {
    return w.window < 0 ? 1 : 1.5;
}
double latency_of(const sweep_policy& p) {
    const cycles_policy& c = cycles[0].policy;
    if (p.unrolled > 0) return c.plain_latency + p.rows * p.columns * c.plain_cell;
    return c.step_latency + (p.rows + p.columns - 1) * c.cell_latency + c.chunk_latency * p.columns / p.chunk;
}
/// Steps that a strip is behind the one above: lanes, two chunks, and the way through memory.
double lag_of(const sweep_policy& p) {
    return warp_size + 2.0 * p.chunk / p.columns + cycles[0].policy.hand_over / latency_of(p);
}
/// Warps of a scheduler that a multiprocessor has room for.
double room_of(const sweep_policy& p, const sweep_work& w) {
    return std::max(1.0, p.warps * p.blocks * 4.0 / w.element_bytes / schedulers);
}

/// Cycles until all strips of all pairs are done, with so many warps a scheduler: strips without a warp begin
/// when others have ended.
double cycles_with(int beside, const sweep_policy& p, const sweep_work& w) {
    const double all = schedulers * w.multiprocessors, warps = beside * all;
    const double of_pair = std::ceil(w.most_rows / (warp_size * p.rows)),
                 columns = w.most_columns / p.columns;
    const double strips = std::ceil(w.rows / (warp_size * p.rows)) * w.pairs;
    const double rounds = std::floor((strips - 1) / warps), last = std::min(of_pair, strips - rounds * warps);
    const double steps =
        columns + std::max(of_pair * lag_of(p), rounds * columns + (rounds > 0 ? last * lag_of(p) : 0));
    const double used = std::min<double>(beside, std::ceil(strips / all));
    return steps * std::max(used * std::min(step_of(p), latency_of(p)), latency_of(p));
}

}  // namespace

double cycles_of_pair(const sweep_policy& p, const sweep_work& w) {
    const double height = warp_size * p.rows, strips = std::ceil(w.rows / height);
    const double steps = columns_of(height, w) / p.columns + warp_size;
    // A strip begins behind the one above, in a window also when that one has come to its columns.
    const double waits = (strips - 1) / 2 * (lag_of(p) + (w.window < 0 ? 0 : height / p.columns));
    return strips * std::max(steps * masked(w) * step_of(p), (steps + waits) * latency_of(p) / room_of(p, w));
}

int warps_beside(const sweep_policy& p, const sweep_work& w) {
    constexpr double clearly = 0.97;  // else as many as there is room for, which hide latency
    int best = static_cast<int>(room_of(p, w));
    for (int beside = best - 1; beside > 0; --beside)
        if (cycles_with(beside, p, w) < clearly * cycles_with(best, p, w)) best = beside;
    return best;
}

double cycles_of_strips(const sweep_policy& p, const sweep_work& w) {
    return std::max(w.pairs * cycles_of_pair(p, w) / (schedulers * w.multiprocessors),
                    cycles_with(warps_beside(p, w), p, w));
}

int best_sweep(const sweep_work& w) {
    const auto least =
        std::min_element(std::begin(sweeps), std::end(sweeps), [&](const auto& a, const auto& b) {
            return cycles_of_strips(a.policy, w) < cycles_of_strips(b.policy, w);
        });
    return static_cast<int>(least - std::begin(sweeps));
}

pack_choice best_pack(const tuning::row<sweep_policy>* table, int count, index_t rows, const sweep_work& w) {
    pack_choice best;
    for (int shape = 0; shape < count; ++shape)
        for (int lanes = 1; lanes <= warp_size; lanes *= 2) {
            const sweep_policy& p = table[shape].policy;
            if (index_t{lanes} * p.rows < rows) continue;
            const double taken =
                (w.columns / p.columns + 1 + lanes) * step_of(p) * masked(w) * lanes / warp_size;
            if (best.cycles == 0 || taken < best.cycles) best = {shape, lanes, taken};
        }
    return best;
}

pack_choice best_band(index_t rows, index_t least_columns, index_t most_columns, const sweep_work& w) {
    pack_choice best{.along_diagonals = true};
    constexpr index_t most_diagonals = 1 << 20;  // more than lanes hold, and no sum below overflows
    if (w.window < 0 || w.window > most_diagonals) return best;
    // Those of the window, as many as the ends of a pair are apart, and one that makes the lower ones even.
    const index_t diagonals =
        2 * w.window + 2 + std::max(std::abs(rows - least_columns), std::abs(rows - most_columns));
    const cycles_policy& c = cycles[0].policy;
    constexpr double start = 2500;  // cycles of a warp before its first step, beyond those of a pack
    for (int shape = 0; shape < static_cast<int>(std::size(bands)); ++shape)
        for (int lanes = 2; lanes <= warp_size; lanes *= 2) {
            const int of_lane = bands[shape].policy.diagonals;
            if (index_t{lanes} * of_lane < diagonals) continue;
            const double steps = (static_cast<double>(rows) + w.columns) / 2;
            const double taken = (start + steps * (of_lane * c.band_cell + c.band_step)) * lanes / warp_size;
            if (best.cycles == 0 || taken < best.cycles) best = {shape, lanes, taken, true};
        }
    return best;
}

}  // namespace wale::wavefront::warping
