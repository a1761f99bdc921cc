// measures - from the measure of a call to the cells of its kernels.
#pragma once

#include "solvers/wavefront/warping/shared/cells.cuh"

namespace wale::wavefront::warping {

/// f.template operator()<Cell, One>(cell) for a minimum that is not soft. One: points are one number.
template <class T, class F>
void with_hard_cell(const warping_measure& m, const F& f) {
    const auto with_cost = [&]<bool One>() {
        if (m.cost == dtw_cost::squared)
            f.template operator()<cell_of<T, true, false>, One>(cell_of<T, true, false>{m.dimensions, 0});
        else
            f.template operator()<cell_of<T, false, false>, One>(cell_of<T, false, false>{m.dimensions, 0});
    };
    if (m.dimensions == 1)
        with_cost.template operator()<true>();
    else
        with_cost.template operator()<false>();
}

/// The same for any minimum.
template <class T, class F>
void with_cell(const warping_measure& m, const F& f) {
    const auto gamma = static_cast<T>(m.gamma);
    if (!(m.gamma > 0)) return with_hard_cell<T>(m, f);
    if (m.cost == dtw_cost::squared)
        f.template operator()<cell_of<T, true, true>, false>(cell_of<T, true, true>{m.dimensions, gamma});
    else
        f.template operator()<cell_of<T, false, true>, false>(cell_of<T, false, true>{m.dimensions, gamma});
}

}  // namespace wale::wavefront::warping
