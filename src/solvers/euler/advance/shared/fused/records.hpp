// records - what the stages of compact.hpp load: records whose parts come in words of 16 bytes.
#pragma once

#include "solvers/euler/advance/problem.hpp"

namespace wale::euler {

/// Loads of 16 bytes.
template <class T, int Count>
struct alignas(16) words {
    T at[Count];
};

/// Of each record density and velocity side by side, and the pressure: apart, so that no byte is for filling,
/// or in a record of eight words, which one load of a line finds whole.
template <class Real>
struct value_records {
    Real* moving = nullptr;
    Real* pressure = nullptr;
    int moving_stride = 4, pressure_stride = 1;  // words from one record to the next
    [[nodiscard]] WALE_HD primitives<Real> at(index_t i) const {
        const words<Real, 4> m = *reinterpret_cast<const words<Real, 4>*>(moving + moving_stride * i);
        return {{m.at[0], m.at[1], m.at[2], m.at[3], pressure[pressure_stride * i]}};
    }
    WALE_HD void set(index_t i, const primitives<Real>& p) const {
        *reinterpret_cast<words<Real, 4>*>(moving +
                                           moving_stride * i) = {{p.at[0], p.at[1], p.at[2], p.at[3]}};
        pressure[pressure_stride * i] = p.at[4];
    }
};

/// A vector of a row, and the number that goes with it, in one load (of doubles: two).
template <class Real>
struct alignas(16) row_vector {
    Real at[3];
    std::int32_t id;
};
/// What a cell's gradient needs beside its neighbours.
template <class Real>
struct alignas(16) cell_geometry {
    Real inverse[6];  // xx yy zz xy xz yz of the inverse of the least squares' matrix
    Real floor;       // of the limiter, without units
    Real unused;
};

}  // namespace wale::euler
