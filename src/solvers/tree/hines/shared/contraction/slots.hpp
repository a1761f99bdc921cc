// slots - the numerics of a window: what a run, a sum and the way back do to the slots. Every backend calls
// these. Inline, host and device.
//
// A node that has gone keeps, in the place of its row, what its unknown is made of: x = b - l x(above) -
// u x(below), and in d its coupling to the node above it, from which the sum there takes what it still
// receives.
#pragma once

#include "solvers/tree/hines/shared/contraction/schedule.hpp"
#include "solvers/tree/problem.hpp"

namespace wale::tree {

template <class T>
WALE_HD inline T multiply_add(T a, T b, T c) {
#if defined(__CUDA_ARCH__)
    return fma(a, b, c);
#else
    return a * b + c;
#endif
}

/// Word w of slot i is at w[i * Step].
template <class T, int Step = 1>
struct contraction_slots {
    T *u, *l;  // [items]
    T *d, *b;  // [slots]; b holds the unknown in the end
    const std::uint16_t* list;

    [[nodiscard]] WALE_HD int slot(const contraction_run& run, int k) const {
        return run.count & contraction_run::in_list ? list[run.first + k] : run.first + k;
    }
    [[nodiscard]] WALE_HD static int count(const contraction_run& run) {
        return run.count & ~contraction_run::in_list;
    }

    /// bad(slot) for a pivot that cannot be divided by; inverse(pivot) is 1 / pivot. The next row is read
    /// before the last one is written: a run waits for its divisions, not for memory.
    template <class Bad, class Inverse>
    WALE_HD void eliminate(const contraction_run& run, const Bad& bad, const Inverse& inverse_of) const {
        const bool has_bottom = run.bottom != contraction_run::none;
        // The fill between the node and the slot below the run, and what that slot still receives.
        T down = has_bottom ? u[run.bottom * Step] : T(0), up = has_bottom ? l[run.bottom * Step] : T(0),
          owed_d = 0, owed_b = 0;
        T to_above = 0, factor = 0, part = 0;  // of the node eliminated before
        int i = slot(run, count(run) - 1);
        T next_u = u[i * Step], next_l = l[i * Step], next_d = d[i * Step], next_b = b[i * Step];
        for (int k = count(run); k-- > 0;) {
            const int at = i;
            const T row_u = next_u, row_l = next_l, row_d = next_d, row_b = next_b;
            i = slot(run, k > 0 ? k - 1 : 0);
            next_u = u[i * Step], next_l = l[i * Step], next_d = d[i * Step], next_b = b[i * Step];
            const T pivot = multiply_add(-to_above, factor, row_d);
            if (is_bad(pivot)) bad(at);
            const T inverse = inverse_of(pivot), fill = down * inverse;
            part = multiply_add(-to_above, part, row_b) * inverse;
            const bool root = k == 0 && run.parent == contraction_run::none;  // whose u and l mean nothing
            to_above = root ? T(0) : row_u;
            factor = root ? T(0) : row_l * inverse;
            d[at * Step] = to_above;
            l[at * Step] = factor;
            b[at * Step] = part;
            u[at * Step] = fill;
            owed_d = multiply_add(-up, fill, owed_d);
            owed_b = multiply_add(-up, part, owed_b);
            down = -to_above * fill;
            up = -up * factor;
        }
        if (!has_bottom) return;
        u[run.bottom * Step] = down;
        l[run.bottom * Step] = up;
        d[run.bottom * Step] += owed_d;
        b[run.bottom * Step] += owed_b;
    }

    WALE_HD void add(const contraction_sum& sum) const {
        T on_d = d[sum.target * Step], on_b = b[sum.target * Step];
        for (const std::uint16_t source : sum.source) {
            if (source == contraction_sum::none) break;
            const int i = source & ~contraction_sum::plain;
            if (source & contraction_sum::plain) {
                on_d += d[i * Step];
                on_b += b[i * Step];
            } else {
                on_d = multiply_add(-d[i * Step], l[i * Step], on_d);
                on_b = multiply_add(-d[i * Step], b[i * Step], on_b);
            }
        }
        d[sum.target * Step] = on_d;
        b[sum.target * Step] = on_b;
    }

    WALE_HD void substitute(const contraction_run& run) const {
        const bool has_bottom = run.bottom != contraction_run::none,
                   has_parent = run.parent != contraction_run::none;
        const T below = has_bottom ? b[run.bottom * Step] : T(0);
        T x = has_parent ? b[run.parent * Step] : T(0);
        int i = slot(run, 0);
        T next_l = l[i * Step], next_u = u[i * Step], next_b = b[i * Step];
        for (int k = 0, end = count(run); k < end; ++k) {
            const int at = i;
            const T row_l = next_l, rest = multiply_add(-next_u, below, next_b);
            i = slot(run, k + 1 < end ? k + 1 : k);
            next_l = l[i * Step], next_u = u[i * Step], next_b = b[i * Step];
            x = multiply_add(-row_l, x, rest);
            b[at * Step] = x;
        }
    }
};

}  // namespace wale::tree
