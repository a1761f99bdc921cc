// eliminate - one step of the elimination downwards, with row exchanges where pivoting asks for them; the
// state is the row that is left over: pivot x[i] + right x[i + 1].
#pragma once

#include "cuda/complex.cuh"
#include "solvers/tree/problem.hpp"

namespace wale::tree::thomas {

using cuda::less_product;

/// What the elimination of unknown i leaves: row i of U, and how row i + 1 was changed.
template <class T>
struct step_of_elimination {
    T pivot, inverse;
    T right, beyond;  // of x[i + 1], x[i + 2]; beyond is 0 unless rows were exchanged
    T multiplier;
    bool exchanged;
};

/// The row left over so far.
template <class T>
struct open_row {
    T pivot, right;

    /// Takes unknown i out of row i + 1, which is low x[i] + middle x[i + 1] + up x[i + 2]; what remains of
    /// the two rows is the open row of unknown i + 1.
    template <bool Pivoted>
    __device__ step_of_elimination<T> eliminate(T low, T middle, T up) {
        step_of_elimination<T> s{T(0), T(0), right, T(0), T(0), false};
        if (Pivoted && pivot_size(low) > pivot_size(pivot)) {
            s.exchanged = true;
            s.right = middle;
            s.beyond = up;
            const T old = pivot;
            pivot = low;
            low = old;
            middle = right;
            up = T(0);
        }
        s.pivot = pivot;
        s.inverse = base::reciprocal(pivot);
        s.multiplier = low * s.inverse;
        pivot = less_product(middle, s.multiplier, s.right);
        right = Pivoted ? less_product(up, s.multiplier, s.beyond) : up;
        return s;
    }
};

/// The same for a right side: `y` becomes that of row i of U, the result belongs to the row left over.
template <class T>
__device__ T follow(const step_of_elimination<T>& s, T& y, T next) {
    if (s.exchanged) {
        const T kept = y;
        y = next;
        next = kept;
    }
    return less_product(next, s.multiplier, y);
}

}  // namespace wale::tree::thomas
