// block - the kernel, for each Highway target: row by row, four vectors of lanes side by side, because a cell
// waits for the one at its left.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/wavefront/warping/shared/block.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "cpu/poll.hpp"
#include "solvers/wavefront/warping/cpu/cells-inl.hpp"
#include "solvers/wavefront/warping/shared/block.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The cells [from, to) of row i, for vector k of the four: `left` and `diagonal` as they enter, `left` as it
/// leaves.
template <class T, bool Squared, class Minimum, bool Pairs>
HWY_INLINE void sweep_row(const warping_block<T>& s, const Minimum& minimum, index_t i, index_t from,
                          index_t to, vec<T> (&left)[4], vec<T> (&diagonal)[4]) {
    const tag<T> d;
    const auto lanes = static_cast<index_t>(hn::Lanes(d)), width = 4 * lanes;
    const T* const point = s.a + i * s.dimensions * (Pairs ? width : 1);
    const auto number = [&](index_t n, index_t k) HWY_ATTR {
        if constexpr (Pairs)
            return hn::Load(d, point + n * width + k * lanes);
        else
            return hn::Set(d, point[n]);
    };
    vec<T> a[4];
    for (index_t k = 0; k < 4; ++k) a[k] = number(0, k);
    T* cell = s.row + (from - s.first) * width;
    const T* b = s.b + from * s.dimensions * width;
    for (index_t j = from; j < to; ++j, cell += width, b += s.dimensions * width) {
        vec<T> cost[4];
        for (index_t k = 0; k < 4; ++k) cost[k] = cost_of<Squared>(a[k], hn::Load(d, b + k * lanes));
        for (index_t n = 1; n < s.dimensions; ++n)
            for (index_t k = 0; k < 4; ++k)
                cost[k] =
                    hn::Add(cost[k], cost_of<Squared>(number(n, k), hn::Load(d, b + n * width + k * lanes)));
        for (index_t k = 0; k < 4; ++k) {
            const vec<T> up = hn::Load(d, cell + k * lanes);
            left[k] = hn::Add(cost[k], minimum(diagonal[k], up, left[k]));
            diagonal[k] = up;
            hn::Store(left[k], d, cell + k * lanes);
        }
    }
}

template <class T, bool Squared, class Minimum, bool Pairs>
void sweep(const warping_block<T>& s) {
    const tag<T> d;
    const auto lanes = static_cast<index_t>(hn::Lanes(d)), width = 4 * lanes;
    const Minimum minimum(s.gamma);
    const vec<T> infinite = hn::Set(d, warping_cell<T>::infinity);
    cpu::rare_poll poll(256);
    for (index_t k = 0; k < (s.end - s.first) * width; k += lanes) hn::Store(infinite, d, s.row + k);
    const index_t top = HWY_MAX(index_t{0}, s.first - s.above);
    vec<T> corner[4];  // column first - 1 of the row above, as it was before this block
    for (index_t k = 0; k < 4; ++k)
        corner[k] = top > 0        ? hn::Load(d, s.edge + (top - 1) * width + k * lanes)
                    : s.first == 0 ? hn::Zero(d)
                                   : infinite;
    for (index_t i = top; i <= HWY_MIN(s.rows - 1, s.end - 1 + s.below); ++i) {
        poll();
        const index_t from = HWY_MAX(s.first, i - s.below), to = HWY_MIN(s.end, i + s.above + 1);
        T* const edge = s.edge + i * width;
        vec<T> left[4], diagonal[4];
        for (index_t k = 0; k < 4; ++k) {
            const vec<T> before = hn::Load(d, edge + k * lanes);
            const bool inside = from > s.first;
            left[k] = inside ? infinite : before;
            diagonal[k] = inside ? hn::Load(d, s.row + (from - 1 - s.first) * width + k * lanes) : corner[k];
            corner[k] = before;
        }
        sweep_row<T, Squared, Minimum, Pairs>(s, minimum, i, from, to, left, diagonal);
        for (index_t k = 0; k < 4; ++k) hn::Store(to == s.end ? left[k] : infinite, d, edge + k * lanes);
    }
}

template <class T>
void sweep_measure(const warping_block<T>& s) {
    with_measure(s.squared, s.gamma, [&]<bool Squared, class Minimum>() {
        s.pairs ? sweep<T, Squared, Minimum, true>(s) : sweep<T, Squared, Minimum, false>(s);
    });
}
void block_of_floats(const warping_block<float>& s) {
    sweep_measure(s);
}
void block_of_doubles(const warping_block<double>& s) {
    sweep_measure(s);
}
index_t block_lanes(int bytes) {
    return static_cast<index_t>(4 * (bytes == 4 ? hn::Lanes(tag<float>()) : hn::Lanes(tag<double>())));
}

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::wavefront {
HWY_EXPORT(block_of_floats);
HWY_EXPORT(block_of_doubles);
HWY_EXPORT(block_lanes);
void compute(const warping_block<float>& s) {
    HWY_DYNAMIC_DISPATCH(block_of_floats)(s);
}
void compute(const warping_block<double>& s) {
    HWY_DYNAMIC_DISPATCH(block_of_doubles)(s);
}
index_t lanes_of_block(int bytes) {
    return HWY_DYNAMIC_DISPATCH(block_lanes)(bytes);
}
}  // namespace wale::wavefront
#endif
