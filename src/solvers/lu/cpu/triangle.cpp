#include "solvers/lu/cpu/triangle.hpp"

#include "cpu/poll.hpp"

namespace wale::lu {
namespace {

/// Rows of a triangle that takes milliseconds at most. Pieces of shared loops must not throw: their triangles
/// are no larger.
constexpr index_t longest_without_poll = 512;

/// At most substitution<T>::most rows.
template <class T>
void solve_small(const triangle<T>& t, cpu::blas::block<T> x, index_t columns) {
    substitution<T> s;
    s.size = t.size;
    s.divides = !t.unit;
    const auto row = [&](index_t step) { return t.lower ? step : t.size - 1 - step; };
    for (index_t i = 0; i < t.size; ++i) {
        for (index_t j = 0; j < i; ++j) s.coefficient[i][j] = t.at(row(i), row(j));
        if (s.divides) s.divisor[i] = t.at(row(i), row(i));
    }
    s.rows = &x(row(0), 0);
    s.row_step = t.lower ? x.leading : -x.leading;
    s.columns = columns;
    substitute(s);
}

}  // namespace

template <class T>
void solve_triangle(const triangle<T>& t, cpu::blas::block<T> x, index_t columns) {
    constexpr index_t most = substitution<T>::most;
    if (t.size == 0 || columns == 0) return;
    if (t.size > longest_without_poll) cpu::poll();
    if (t.size <= most) return solve_small(t, x, columns);
    const index_t half = (t.size / 2 + most - 1) / most * most, rest = t.size - half;
    const triangle<T> upper_left{t.at, half, t.lower, t.unit},
        lower_right{t.at.from(half, half), rest, t.lower, t.unit};
    const auto first = x, second = x.from(half, 0);
    if (t.lower) {
        solve_triangle(upper_left, first, columns);
        cpu::blas::subtract_product<T>(second, t.at.from(half, 0), first, {rest, columns, half});
        solve_triangle(lower_right, second, columns);
    } else {
        solve_triangle(lower_right, second, columns);
        cpu::blas::subtract_product<T>(first, t.at.from(0, half), second, {half, columns, rest});
        solve_triangle(upper_left, first, columns);
    }
}
template void solve_triangle(const triangle<float>&, cpu::blas::block<float>, index_t);
template void solve_triangle(const triangle<double>&, cpu::blas::block<double>, index_t);
template void solve_triangle(const triangle<std::complex<float>>&, cpu::blas::block<std::complex<float>>,
                             index_t);
template void solve_triangle(const triangle<std::complex<double>>&, cpu::blas::block<std::complex<double>>,
                             index_t);

}  // namespace wale::lu
