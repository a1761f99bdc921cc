// strip_tile - the kernel, for one recurrence, number of planes and number of vectors. Once for each target.
#if defined(WALE_STRIP_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_STRIP_TILE_INL
#undef WALE_STRIP_TILE_INL
#else
#define WALE_STRIP_TILE_INL
#endif

#include <algorithm>

#include "solvers/wavefront/length/shared/bit_rows-inl.hpp"
#include "solvers/wavefront/length/shared/strip_tile.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {

/// Planes = 0: as many as the tile says. Few planes stay in registers; more are read again in each step.
template <class Rows, int Planes, int Vectors>
class strip_kernel {
    static constexpr bool resident = Planes > 0 && Planes <= 3;
    static constexpr int kept = resident ? Planes : 1;

public:
    HWY_INLINE explicit strip_kernel(const strip_tile& t) : tile_(t), lanes_(hn::Lanes(word_tag())) {}

    HWY_INLINE void run() {
        const word_tag d;
        const index_t n = tile_.count;
        const index_t skew = Vectors * static_cast<index_t>(lanes_) - 1;
        word_vector planes[Vectors][kept];
        word_vector state[Vectors][Rows::states];
        word_vector out[Vectors][Rows::carries];
        for (int k = 0; k < Vectors; ++k) {
            if constexpr (resident)
                for (int p = 0; p < Planes; ++p) planes[k][p] = row_plane(p, k);
            for (int s = 0; s < Rows::states; ++s) state[k][s] = hn::LoadU(d, state_at(s, k));
            for (int c = 0; c < Rows::carries; ++c) out[k][c] = hn::Zero(d);
        }
        index_t t = 0;
        for (const index_t end = std::min(skew, n + skew); t < end; ++t) step<true>(t, planes, state, out);
        for (; t < n; ++t) step<false>(t, planes, state, out);
        for (; t < n + skew; ++t) step<true>(t, planes, state, out);
        for (int k = 0; k < Vectors; ++k)
            for (int s = 0; s < Rows::states; ++s) hn::StoreU(state[k][s], d, state_at(s, k));
    }

private:
    HWY_INLINE word_vector row_plane(int p, int k) const {
        return hn::LoadU(
            word_tag(),
            tile_.rows + (static_cast<std::size_t>(p) * Vectors + static_cast<std::size_t>(k)) * lanes_);
    }
    HWY_INLINE std::uint64_t* state_at(int s, int k) const {
        return tile_.state + static_cast<std::size_t>(s * Vectors + k) * lanes_;
    }

    /// 1 where the symbols of rows and columns differ; `at` is where lane 0 of vector 0 finds its column.
    HWY_INLINE word_vector mismatch(int k, const word_vector* planes, const std::uint64_t* at) const {
        const word_tag d;
        at += static_cast<std::size_t>(k) * lanes_;
        const auto row = [&](int p) HWY_ATTR { return resident ? planes[p] : row_plane(p, k); };
        word_vector x = hn::Xor(row(0), hn::LoadU(d, at));
        const int count = Planes > 0 ? Planes : tile_.planes;
        for (int p = 1; p < count; ++p)
            x = logic(a_or_b_xor_c(), x, row(p), hn::LoadU(d, at + p * tile_.pitch));
        return x;
    }

    /// Masked: some lanes are before their first column or beyond their last, and must keep their state. The
    /// carries of such a lane only reach lanes of the same column, which are masked too.
    template <bool Masked>
    HWY_INLINE void step(index_t t, word_vector (&planes)[Vectors][kept],
                         word_vector (&state)[Vectors][Rows::states],
                         word_vector (&out)[Vectors][Rows::carries]) const {
        const word_tag d;
        const index_t at = strip_padding + tile_.count - 1 - t;
        const auto lanes = static_cast<index_t>(lanes_);
        word_vector above[Rows::carries];
        for (int c = 0; c < Rows::carries; ++c)
            above[c] = hn::LoadU(d, tile_.carries + c * tile_.pitch + at - (lanes - 1));
#pragma GCC unroll 4
        for (int k = Vectors - 1; k >= 0; --k) {  // downwards: out[k - 1] is still that of the step before
            word_vector in[Rows::carries];
            for (int c = 0; c < Rows::carries; ++c)
                in[c] = moved_up(out[k][c], k > 0 ? out[k - 1][c] : above[c]);
            word_vector next[Rows::states];
            for (int s = 0; s < Rows::states; ++s) next[s] = state[k][s];
            Rows::step(mismatch(k, planes[k], tile_.columns + at), in, next, out[k]);
            for (int s = 0; s < Rows::states; ++s)
                state[k][s] = Masked ? hn::IfVecThenElse(hn::LoadU(d, tile_.active + at + k * lanes), next[s],
                                                         state[k][s])
                                     : next[s];
        }
        // The last lane belongs at [at + skew]; the others fall on columns whose carries have been read, and
        // are overwritten in the steps to come.
        for (int c = 0; c < Rows::carries; ++c)
            hn::StoreU(out[Vectors - 1][c], d, tile_.carries + c * tile_.pitch + at + (Vectors - 1) * lanes);
    }

    const strip_tile& tile_;
    const std::size_t lanes_;
};

template <class Rows, int Planes>
void run_with_planes(const strip_tile& t) {
    if (t.vectors == 1)
        strip_kernel<Rows, Planes, 1>(t).run();
    else if (t.vectors == 2)
        strip_kernel<Rows, Planes, 2>(t).run();
    else
        strip_kernel<Rows, Planes, widest_strip>(t).run();
}

template <class Rows>
void run_tile(const strip_tile& t) {
    if (t.planes == 2)
        run_with_planes<Rows, 2>(t);
    else if (t.planes == 3)
        run_with_planes<Rows, 3>(t);
    else if (t.planes == 5)
        run_with_planes<Rows, 5>(t);
    else
        run_with_planes<Rows, 0>(t);
}

inline void pack_rows(const code_rows& r) {
    const hn::CappedTag<std::uint32_t, 16> d;
    const std::size_t lanes = hn::Lanes(d), words = r.words;
    for (std::size_t word = 0; word < words; ++word) {
        const std::size_t first = std::min(word * r.rows_a_word, r.size);
        const std::size_t count = std::min(r.rows_a_word, r.size - first);
        const std::uint32_t* codes = r.codes + first;
        std::uint32_t last[64] = {};
        if (first + 64 > r.size) {  // a whole vector would be read beyond the end
            std::copy_n(codes, count, last);
            codes = last;
        }
        for (int p = 0; p < r.planes; ++p) {
            const auto bit = hn::Set(d, std::uint32_t{1} << p);
            std::uint64_t bits = 0;
            for (std::size_t i = 0; i < count; i += lanes) {
                std::uint8_t set[8] = {};
                (void)hn::StoreMaskBits(d, hn::TestBit(hn::LoadU(d, codes + i), bit), set);
                bits |= (std::uint64_t{set[0]} | std::uint64_t{set[1]} << 8) << i;
            }
            r.to[static_cast<std::size_t>(p) * words + word] = (bits & ~(~std::uint64_t{0} << count)) << 1;
        }
    }
}

inline void spread_columns(const code_columns& s) {
    const word_tag d;
    const hn::Rebind<std::uint32_t, word_tag> narrow;
    const auto lanes = static_cast<index_t>(hn::Lanes(d));
    const auto rows = hn::Set(d, s.row_bits), one = hn::Set(d, 1), none = hn::Zero(d);
    index_t c = 0;  // backwards
    for (; c + lanes <= s.count; c += lanes) {
        const auto codes = hn::Reverse(d, hn::PromoteTo(d, hn::LoadU(narrow, s.codes + s.count - c - lanes)));
        for (int p = 0; p < s.planes; ++p) {
            const auto bit = hn::And(hn::ShiftRightSame(codes, p), one);
            hn::StoreU(hn::Or(hn::And(hn::Sub(none, bit), rows), p == 0 ? one : none), d,
                       s.to + p * s.pitch + c);
        }
    }
    for (; c < s.count; ++c)
        for (int p = 0; p < s.planes; ++p) {
            const std::uint64_t bit = s.codes[s.count - 1 - c] >> p & 1;
            s.to[p * s.pitch + c] = ((0 - bit) & s.row_bits) | (p == 0 ? 1 : 0);
        }
}

}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
