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
    return p.rows * p.columns * c.of_cell + p.columns * c.of_column + c.of_step;
}
/// Columns of a strip that have cells within the band.
double columns_of(double rows, const sweep_work& w) {
    if (w.window < 0) return w.columns;
    return std::min(w.columns, rows + 2 * static_cast<double>(w.window) + std::abs(w.columns - w.rows) + 2);
}

}  // namespace

double cycles_of_strip(const sweep_policy& p, const sweep_work& w) {
    const double masked = w.window < 0 ? 1 : 1.5;
    return (columns_of(warp_size * p.rows, w) / p.columns + warp_size) * step_of(p) * masked;
}

double cycles_of_strips(const sweep_policy& p, const sweep_work& w) {
    const cycles_policy& c = cycles[0].policy;
    const double height = warp_size * p.rows, strips = std::ceil(w.rows / height) * w.pairs;
    const double warps = schedulers * w.multiprocessors;
    const double issued = strips * cycles_of_strip(p, w) / warps;
    const double resident = warps * p.warps * p.blocks * 4 / w.element_bytes / schedulers;
    const double beside = std::ceil(std::min(strips, resident) / warps);  // warps of a scheduler
    const double step =
        std::max(beside * step_of(p), (p.rows + p.columns - 1) * c.cell_latency + c.step_latency);
    const double behind = warp_size + 2 * static_cast<double>(p.chunk) / p.columns + c.hand_over / step;
    const double steps = w.most_columns / p.columns + std::ceil(w.most_rows / height) * behind;
    return std::max(issued, steps * step);
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
            const double masked = w.window < 0 ? 1 : 1.5;
            const double taken =
                (w.columns / p.columns + 1 + lanes) * step_of(p) * masked * lanes / warp_size;
            if (best.cycles == 0 || taken < best.cycles) best = {shape, lanes, taken};
        }
    return best;
}

}  // namespace wale::wavefront::warping
