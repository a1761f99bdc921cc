// tile - the kernels of cpu/lanes, for each Highway target.
#include <cstdint>

// SSE would add little to the plain words of the baseline, and AVX-512 has all that these kernels use.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/wavefront/batch/cpu/lanes/tile.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include "base/aligned.hpp"
#include "solvers/wavefront/batch/cpu/lanes/tile.hpp"
#include "solvers/wavefront/length/shared/bit_rows-inl.hpp"
#include "solvers/wavefront/length/shared/strip_tile.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {

/// Words = 0: as many as the group says, in memory; else in registers. Planes = 0: as many as the group says.
template <class Rows, int Planes, int Words>
class lanes_kernel {
    static constexpr int most_planes = Planes > 0 ? Planes : 8;

public:
    HWY_INLINE lanes_kernel(const lane_group& g, const strip_recurrence& r)
        : group_(g),
          words_(static_cast<std::size_t>(g.words)),
          lanes_(hn::Lanes(word_tag())),
          recurrence_(r),
          row_bits_(hn::Set(word_tag(), ~std::uint64_t{1} >> (r.forced_match ? 1 : 0) & ~std::uint64_t{1})) {}

    HWY_INLINE void run(std::uint64_t* state) const {
        const word_tag d;
        index_t column = 0;
        word_vector kept[Words > 0 ? Words : 1][Rows::states];
        for (int s = 0; s < Rows::states; ++s)
            for (std::size_t w = 0; w < words(); ++w) {
                const word_vector start = hn::Set(d, recurrence_.state_start[s]);
                if constexpr (Words > 0)
                    kept[w][s] = start;
                else
                    hn::Store(start, d, state + at(s, w));
            }
        for (std::size_t lane = 0; lane < lanes_; ++lane) {
            if (group_.ends[lane] == column && lane > 0) continue;  // ended with the lane before
            for (; column < group_.ends[lane]; ++column) step(column, kept, state);
            keep_finished(lane, kept, state);
        }
    }

private:
    HWY_INLINE std::size_t words() const { return Words > 0 ? std::size_t{Words} : words_; }
    HWY_INLINE int planes_count() const { return Planes > 0 ? Planes : group_.planes; }
    HWY_INLINE std::size_t at(int s, std::size_t word) const {
        return (static_cast<std::size_t>(s) * words() + word) * lanes_;
    }

    /// Writes the states of all lanes from `first` on; those that go on are written again at their own end.
    HWY_INLINE void keep_finished(std::size_t first, const word_vector (*kept)[Rows::states],
                                  const std::uint64_t* state) const {
        const word_tag d;
        const auto done_before = hn::FirstN(d, first);
        for (int s = 0; s < Rows::states; ++s)
            for (std::size_t w = 0; w < words(); ++w) {
                std::uint64_t* const to = group_.state + at(s, w);
                const word_vector now = Words > 0 ? kept[w][s] : hn::Load(d, state + at(s, w));
                hn::Store(hn::IfThenElse(done_before, hn::Load(d, to), now), d, to);
            }
    }

    /// All ones where bit `bit` of the lane's symbol is set, in the bits that are rows.
    HWY_INLINE word_vector spread(word_vector symbols, int plane) const {
        const word_tag d;
        const word_vector bit = hn::Set(d, std::uint64_t{1} << group_.bits[plane]);
        const word_vector ones = hn::VecFromMask(d, hn::Eq(hn::And(symbols, bit), bit));
        const word_vector rows = hn::And(ones, row_bits_);
        return plane == 0 ? hn::Or(rows, hn::Set(d, 1)) : rows;  // the spare bit never matches
    }

    HWY_INLINE void step(index_t column, word_vector (*kept)[Rows::states], std::uint64_t* state) const {
        const word_tag d;
        const hn::Rebind<std::uint32_t, word_tag> halves;
        const hn::Rebind<std::uint8_t, word_tag> bytes;
        const auto symbols_of_lanes =
            hn::LoadU(bytes, group_.columns + static_cast<std::size_t>(column) * lanes_);
        const word_vector symbols = hn::PromoteTo(d, hn::PromoteTo(halves, symbols_of_lanes));
        word_vector planes[most_planes];
        for (int p = 0; p < planes_count(); ++p) planes[p] = spread(symbols, p);
        word_vector carry[Rows::carries];
        for (int c = 0; c < Rows::carries; ++c) carry[c] = hn::Set(d, recurrence_.carry_start[c]);
        for (std::size_t w = 0; w < words(); ++w) {
            const auto row = [&](int p) HWY_ATTR {
                return hn::Load(d, group_.rows + (static_cast<std::size_t>(p) * words() + w) * lanes_);
            };
            word_vector x = hn::Xor(row(0), planes[0]);
            for (int p = 1; p < planes_count(); ++p) x = logic(a_or_b_xor_c(), x, row(p), planes[p]);
            word_vector v[Rows::states];
            for (int s = 0; s < Rows::states; ++s)
                v[s] = Words > 0 ? kept[w][s] : hn::Load(d, state + at(s, w));
            word_vector out[Rows::carries];
            Rows::step(x, carry, v, out);
            for (int c = 0; c < Rows::carries; ++c) carry[c] = out[c];
            for (int s = 0; s < Rows::states; ++s) {
                if constexpr (Words > 0)
                    kept[w][s] = v[s];
                else
                    hn::Store(v[s], d, state + at(s, w));
            }
        }
    }

    const lane_group& group_;
    const std::size_t words_, lanes_;
    const strip_recurrence& recurrence_;
    const word_vector row_bits_;
};

template <class Rows, int Planes>
void run_with_planes(const lane_group& g, const strip_recurrence& r) {
    if (g.words == 1) return lanes_kernel<Rows, Planes, 1>(g, r).run(nullptr);
    if (g.words == 2) return lanes_kernel<Rows, Planes, 2>(g, r).run(nullptr);
    if (g.words == 3) return lanes_kernel<Rows, Planes, 3>(g, r).run(nullptr);
    if (g.words == 4) return lanes_kernel<Rows, Planes, 4>(g, r).run(nullptr);
    base::aligned_vector<std::uint64_t> state(static_cast<std::size_t>(g.words) * Rows::states *
                                              hn::Lanes(word_tag()));
    lanes_kernel<Rows, Planes, 0>(g, r).run(state.data());
}

template <class Rows>
void run_lanes(const lane_group& g, const strip_recurrence& r) {
    if (g.planes == 2)
        run_with_planes<Rows, 2>(g, r);
    else if (g.planes == 3)
        run_with_planes<Rows, 3>(g, r);
    else
        run_with_planes<Rows, 0>(g, r);
}

void lcs_group(const lane_group& g, const strip_recurrence& r) {
    run_lanes<lcs_rows>(g, r);
}
void edit_group(const lane_group& g, const strip_recurrence& r) {
    run_lanes<edit_rows>(g, r);
}

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::wavefront {

HWY_EXPORT(lcs_group);
HWY_EXPORT(edit_group);

void lcs_lanes(const lane_group& g) {
    HWY_DYNAMIC_DISPATCH(lcs_group)(g, lcs_strips());
}
void edit_lanes(const lane_group& g) {
    HWY_DYNAMIC_DISPATCH(edit_group)(g, edit_strips());
}

}  // namespace wale::wavefront
#endif
