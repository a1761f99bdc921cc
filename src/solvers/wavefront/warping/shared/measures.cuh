// measures - from the measure of a call to the cells of its kernels.
#pragma once

#include "solvers/wavefront/warping/shared/cells.cuh"

namespace wale::wavefront::warping {

/// f.template operator()<Cell, One>(cell). One: points are one number, and the minimum is no soft one.
template <class T, class F>
void with_cell(const warping_measure& m, const F& f) {
    const auto gamma = static_cast<T>(m.gamma);
    const bool squared = m.cost == dtw_cost::squared;
    if (m.gamma > 0) {
        if (squared)
            f.template operator()<cell_of<T, true, true>, false>(cell_of<T, true, true>{m.dimensions, gamma});
        else
            f.template operator()<cell_of<T, false, true>, false>(
                cell_of<T, false, true>{m.dimensions, gamma});
        return;
    }
    const auto hard = [&]<bool One>() {
        if (squared)
            f.template operator()<cell_of<T, true, false>, One>(cell_of<T, true, false>{m.dimensions, gamma});
        else
            f.template operator()<cell_of<T, false, false>, One>(
                cell_of<T, false, false>{m.dimensions, gamma});
    };
    if (m.dimensions == 1)
        hard.template operator()<true>();
    else
        hard.template operator()<false>();
}

}  // namespace wale::wavefront::warping
