// strip - the kernel, for each Highway target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/wavefront/warping/cpu/diagonals/strip.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "cpu/poll.hpp"
#include "solvers/wavefront/warping/cpu/cells-inl.hpp"
#include "solvers/wavefront/warping/cpu/diagonals/strip.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T, bool Squared>
HWY_INLINE vec<T> difference(const T* a, const T* b) {
    const tag<T> d;
    return cost_of<Squared>(hn::LoadU(d, a), hn::LoadU(d, b));
}

/// `a` and `b` are at the first row of the vector: b goes backwards, so that both ascend with the lanes.
template <class T, bool Squared>
HWY_INLINE vec<T> cost(const warping_strip<T>& s, const T* a, const T* b) {
    vec<T> sum = difference<T, Squared>(a, b);
    for (index_t k = 1; k < s.dimensions; ++k)
        sum = hn::Add(sum, difference<T, Squared>(a + k * s.a_stride, b + k * s.b_stride));
    return sum;
}

/// Cells from what is before them on the diagonals; Traced: and where a path came from.
template <class T, bool Squared, class Minimum, bool Traced>
HWY_INLINE void advance(const warping_strip<T>& s, const Minimum& minimum, index_t k, index_t i,
                        const T* before2, const T* before, T* here, std::uint8_t* decisions) {
    const tag<T> d;
    const vec<T> diagonal = hn::LoadU(d, before2 + i - 1), up = hn::LoadU(d, before + i - 1),
                 left = hn::LoadU(d, before + i);
    if constexpr (Traced) {
        const index_t bytes = decision_bytes(static_cast<index_t>(hn::Lanes(d)));
        hn::StoreMaskBits(d, hn::Lt(up, diagonal), decisions);
        hn::StoreMaskBits(d, hn::Lt(left, hn::Min(up, diagonal)), decisions + bytes);
    }
    hn::StoreU(hn::Add(cost<T, Squared>(s, s.a + i, s.b + i - k), minimum(diagonal, up, left)), d, here + i);
}

template <class T, bool Squared, class Minimum, bool Traced>
void sweep(const warping_strip<T>& s) {
    const tag<T> d;
    const auto lanes = static_cast<index_t>(hn::Lanes(d));
    const Minimum minimum(s.gamma);
    cpu::rare_poll poll(256);
    T* before2 =
        s.diagonals + 1;  // of diagonal -2: the corner; of diagonal -1 the first cells of both borders
    T* before = before2 + s.pitch;
    before2[-1] = s.edge[-1];
    before[-1] = s.edge[0];
    before[0] = warping_cell<T>::infinity;
    index_t slot = 2;
    for (index_t k = 0; k < s.rows + s.columns - 1; ++k) {
        poll();
        const index_t first = s.first_row(k), last = s.last_row(k);
        T* const here = s.diagonals + slot * s.pitch + 1;
        std::uint8_t* decisions = Traced ? s.decisions + k * s.decision_pitch : nullptr;
        for (index_t i = first; i <= last; i += lanes) {
            advance<T, Squared, Minimum, Traced>(s, minimum, k, i, before2, before, here, decisions);
            if (Traced) decisions += 2 * decision_bytes(lanes);
        }
        // What the next diagonals read beside these cells: the row above, a border, or a cell out of the
        // band.
        here[first - 1] = first == 0 ? s.edge[k + 1] : warping_cell<T>::infinity;
        here[last + 1] = warping_cell<T>::infinity;
        if (last == s.rows - 1 && first <= last) s.edge[k - last] = here[last];
        before2 = before;
        before = here;
        slot = slot + 1 == s.kept ? 0 : slot + 1;
    }
}

template <class T>
void sweep_measure(const warping_strip<T>& s) {
    with_measure(s.squared, s.gamma, [&]<bool Squared, class Minimum>() {
        if (s.decisions == nullptr)
            sweep<T, Squared, Minimum, false>(s);
        else if constexpr (std::is_same_v<Minimum, hard_minimum<T>>)
            sweep<T, Squared, Minimum, true>(s);
    });
}
index_t strip_lanes(int bytes) {
    return static_cast<index_t>(bytes == 4 ? hn::Lanes(tag<float>()) : hn::Lanes(tag<double>()));
}
void sweep_floats(const warping_strip<float>& s) {
    sweep_measure(s);
}
void sweep_doubles(const warping_strip<double>& s) {
    sweep_measure(s);
}

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::wavefront {
HWY_EXPORT(sweep_floats);
HWY_EXPORT(sweep_doubles);
HWY_EXPORT(strip_lanes);
void compute(const warping_strip<float>& s) {
    HWY_DYNAMIC_DISPATCH(sweep_floats)(s);
}
void compute(const warping_strip<double>& s) {
    HWY_DYNAMIC_DISPATCH(sweep_doubles)(s);
}
index_t lanes_of_strip(int bytes) {
    return HWY_DYNAMIC_DISPATCH(strip_lanes)(bytes);
}
}  // namespace wale::wavefront
#endif
