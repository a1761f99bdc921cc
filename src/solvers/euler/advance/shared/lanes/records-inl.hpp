// records-inl - records of eight words to lanes and back. A record is loaded whole, in blocks of 128 bits
// that are put where a transposition inside blocks needs them: no gather instructions, which take a load for
// each word. Compiled once a target: no include guard of the usual kind.
#if defined(WALE_EULER_RECORDS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_EULER_RECORDS_INL
#undef WALE_EULER_RECORDS_INL
#else
#define WALE_EULER_RECORDS_INL
#endif

#include <hwy/highway.h>

#include "solvers/euler/advance/shared/lanes/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::euler::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR
namespace hn = hwy::HWY_NAMESPACE;

/// Squares of words, one in each block of 128 bits: rows become columns.
template <class D, class V>
HWY_INLINE void transpose_blocks(D d, V (&r)[2]) {
    const V low = hn::InterleaveLower(d, r[0], r[1]);
    r[1] = hn::InterleaveUpper(d, r[0], r[1]);
    r[0] = low;
}
template <class D, class V>
HWY_INLINE void transpose_blocks(D d, V (&r)[4]) {
    const V a = hn::InterleaveLower(d, r[0], r[2]), b = hn::InterleaveLower(d, r[1], r[3]);
    const V e = hn::InterleaveUpper(d, r[0], r[2]), f = hn::InterleaveUpper(d, r[1], r[3]);
    r[0] = hn::InterleaveLower(d, a, b);
    r[1] = hn::InterleaveUpper(d, a, b);
    r[2] = hn::InterleaveLower(d, e, f);
    r[3] = hn::InterleaveUpper(d, e, f);
}

template <class Real>
struct records_of {
    using D = hn::ScalableTag<Real>;
    using V = hn::Vec<D>;
    static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
    static constexpr int block = 16 / static_cast<int>(sizeof(Real));  // words, and cells of a square
    static constexpr int parts = static_cast<int>(record) / block;     // of a record

    /// Words of the records at(0), at(1), ... in all lanes.
    template <class At>
    static HWY_INLINE void load(const At& at, V (&words)[record]) {
        const D d;
        for (int part = 0; part < parts; ++part) {
            V rows[block];
            for (int i = 0; i < block; ++i) rows[i] = load_blocks(d, at, i, part * block);
            transpose_blocks(d, rows);
            for (int i = 0; i < block; ++i) words[part * block + i] = rows[i];
        }
    }

    /// The records of a group, one after the other.
    static HWY_INLINE void store(const V (&words)[record], Real* to) {
        const D d;
        for (int part = 0; part < parts; ++part) {
            V rows[block];
            for (int i = 0; i < block; ++i) rows[i] = words[part * block + i];
            transpose_blocks(d, rows);
            for (int i = 0; i < block; ++i) store_blocks(d, rows[i], to + i * record + part * block);
        }
    }

private:
    /// Words `word`... of the records of lanes `lane`, `lane` + block, ...
    template <class Part, class At>
    static HWY_INLINE hn::Vec<Part> load_blocks(Part d, const At& at, int lane, int word) {
        if constexpr (hn::MaxLanes(Part()) == block) {
            return hn::Load(d, at(lane) + word);
        } else {
            const hn::Half<Part> half;
            const auto low = load_blocks(half, at, lane, word);
            const auto high = load_blocks(half, at, lane + static_cast<int>(hn::MaxLanes(half)), word);
            return hn::Combine(d, high, low);
        }
    }
    template <class Part, class W>
    static HWY_INLINE void store_blocks(Part d, W v, Real* to) {
        if constexpr (hn::MaxLanes(Part()) == block) {
            hn::Store(v, d, to);
        } else {
            const hn::Half<Part> half;
            store_blocks(half, hn::LowerHalf(half, v), to);
            store_blocks(half, hn::UpperHalf(half, v),
                         to + static_cast<index_t>(hn::MaxLanes(half)) * record);
        }
    }
};

#endif
}  // namespace wale::euler::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
