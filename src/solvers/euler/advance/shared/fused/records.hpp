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
/// or, of doubles, in a record of eight words, which lies in one line. What is fixed for floats costs no
/// register.
template <class Real>
struct value_records {
    Real* moving = nullptr;
    Real* pressure = nullptr;
    bool packed = false;
    [[nodiscard]] WALE_HD primitives<Real> at(index_t i) const {
        const words<Real, 4> m = *reinterpret_cast<const words<Real, 4>*>(moving + (eight() ? 8 : 4) * i);
        return {{m.at[0], m.at[1], m.at[2], m.at[3], pressure[(eight() ? 8 : 1) * i]}};
    }
    WALE_HD void set(index_t i, const primitives<Real>& p) const {
        *reinterpret_cast<words<Real, 4>*>(moving +
                                           (eight() ? 8 : 4) * i) = {{p.at[0], p.at[1], p.at[2], p.at[3]}};
        pressure[(eight() ? 8 : 1) * i] = p.at[4];
    }

    [[nodiscard]] WALE_HD bool eight() const { return sizeof(Real) == 8 && packed; }
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
