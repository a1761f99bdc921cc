// thin - a strip of few rows or few columns, row by row in place: an antidiagonal of so few cells costs as
// much as a full vector.
#include <bit>
#include <cmath>
#include <cstring>

#include "cpu/poll.hpp"
#include "solvers/wavefront/warping/cpu/diagonals/strip.hpp"
#include "solvers/wavefront/warping/problem.hpp"

namespace wale::wavefront {
namespace {

template <class T, bool Squared>
T cost_of(const warping_strip<T>& s, index_t i, index_t j) {
    const auto part = [&](index_t d) {
        const T difference = s.a[d * s.a_stride + i] - s.b[d * s.b_stride - j];
        return Squared ? difference * difference : std::abs(difference);
    };
    T sum = part(0);
    for (index_t d = 1; d < s.dimensions; ++d) sum += part(d);
    return sum;
}

/// Where the kernel of antidiagonals puts the decisions of a cell.
template <class T>
void put_decisions(const warping_strip<T>& s, index_t lanes, index_t i, index_t j, bool up, bool left) {
    const index_t k = i + j, place = i - s.first_row(k), lane = place & (lanes - 1),
                  bytes = decision_bytes(lanes);
    std::uint8_t* const word = s.decisions + k * s.decision_pitch +
                               (place >> std::countr_zero(static_cast<std::uint64_t>(lanes))) * 2 * bytes +
                               lane / 8;
    word[0] = static_cast<std::uint8_t>(word[0] | (up ? 1 : 0) << lane % 8);
    word[bytes] = static_cast<std::uint8_t>(word[bytes] | (left ? 1 : 0) << lane % 8);
}

template <class T, bool Squared, bool Traced>
void sweep(const warping_strip<T>& s) {
    const index_t lanes = Traced ? lanes_of_strip(sizeof(T)) : 0;
    if (Traced)
        std::memset(s.decisions, 0, static_cast<std::size_t>((s.rows + s.columns) * s.decision_pitch));
    cpu::rare_poll poll(256);
    for (index_t i = 0; i < s.rows; ++i) {
        poll();
        const index_t first = std::max<index_t>(0, i - s.below), last = std::min(s.columns - 1, i + s.above);
        if (i > 0 && last == i + s.above) s.edge[last] = warping_cell<T>::infinity;  // beside the row above
        T left = warping_cell<T>::infinity, diagonal = s.edge[first - 1];
        for (index_t j = first; j <= last; ++j) {
            const T up = s.edge[j], least = std::min(up, diagonal);
            if (Traced) put_decisions(s, lanes, i, j, up < diagonal, left < least);
            diagonal = up;
            left = cost_of<T, Squared>(s, i, j) + std::min(left, least);
            s.edge[j] = left;
        }
        s.edge[-1] = warping_cell<T>::infinity;  // beside all rows but the one above the table
    }
}

template <class T>
void sweep_measure(const warping_strip<T>& s) {
    const bool traced = s.decisions != nullptr;
    if (s.squared)
        traced ? sweep<T, true, true>(s) : sweep<T, true, false>(s);
    else
        traced ? sweep<T, false, true>(s) : sweep<T, false, false>(s);
}

}  // namespace

void compute_thin(const warping_strip<float>& s) {
    sweep_measure(s);
}
void compute_thin(const warping_strip<double>& s) {
    sweep_measure(s);
}

}  // namespace wale::wavefront
