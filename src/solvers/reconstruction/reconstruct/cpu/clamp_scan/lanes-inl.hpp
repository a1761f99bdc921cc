// lanes-inl - a vector of pixels as a piece of a row: shifts by one pixel, and the sweep along it as a
// prefix scan. A pixel with mask m and own value a does v -> max(a, min(v, m)) to what comes along the row;
// (a2, m2) after (a1, m1) is (max(a2, min(a1, m2)), min(m1, m2)), associative. Included once a target.
#if defined(WALE_CLAMP_SCAN_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_CLAMP_SCAN_LANES_INL
#undef WALE_CLAMP_SCAN_LANES_INL
#else
#define WALE_CLAMP_SCAN_LANES_INL
#endif

#include <hwy/highway.h>

#include <limits>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace wale::reconstruction::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Falling: the order is mirrored, "up" is towards smaller values.
template <class T, bool Falling>
struct lanes {
#if HWY_HAVE_SCALABLE
    using D = hn::FixedTag<T, 16 / sizeof(T)>;
#else
    using D = hn::CappedTag<T, 64 / sizeof(T)>;
#endif
    using V = hn::Vec<D>;
    using bytes_tag = hn::Repartition<std::uint8_t, D>;
    using words_tag = hn::Repartition<std::uint32_t, D>;
    static constexpr int size = static_cast<int>(sizeof(T));
    static constexpr int count = static_cast<int>(hn::MaxLanes(D()));
    static constexpr int blocks = count * size / 16;  // of 16 bytes

    static constexpr T lowest() {  // of the type, not of the order
        if constexpr (std::is_floating_point_v<T>)
            return -std::numeric_limits<T>::infinity();
        else
            return std::numeric_limits<T>::min();
    }
    static constexpr T highest() {
        if constexpr (std::is_floating_point_v<T>)
            return std::numeric_limits<T>::infinity();
        else
            return std::numeric_limits<T>::max();
    }
    static constexpr T floor() {
        return Falling ? highest() : lowest();
    }
    static constexpr T ceiling() {
        return Falling ? lowest() : highest();
    }

    static HWY_INLINE V up(V a, V b) {
        if constexpr (Falling)
            return hn::Min(a, b);
        else
            return hn::Max(a, b);
    }
    static HWY_INLINE V down(V a, V b) {
        if constexpr (Falling)
            return hn::Max(a, b);
        else
            return hn::Min(a, b);
    }
    static HWY_INLINE bool same(V a, V b) {
        return hn::AllTrue(D(), hn::Eq(a, b));
    }

#if HWY_TARGET == HWY_SCALAR  // a unit is one pixel
    template <bool Right>
    static HWY_INLINE V shifted(V, V fill) {
        return fill;
    }
    template <bool Right>
    static HWY_INLINE V scan(V a, V mask, V carry) {
        return up(a, down(carry, mask));
    }
#else
    /// Blocks of 16 bytes, moved By blocks; `fill` comes in.
    template <int By, bool Right>
    static HWY_INLINE V move_blocks(V v, V fill) {
        if constexpr (By >= blocks) {
            return fill;
        } else {
            const words_tag d;
            constexpr int words = blocks * 4;
            HWY_ALIGN std::uint32_t from[words];
            for (int i = 0; i < words; ++i)
                from[i] = static_cast<std::uint32_t>((Right ? i - 4 * By : i + 4 * By) + words) % words;
            const auto moved = hn::TableLookupLanes(hn::BitCast(d, v), hn::SetTableIndices(d, from));
            const auto filling = hn::BitCast(d, fill);
            const auto head = hn::FirstN(d, Right ? 4 * By : words - 4 * By);
            return hn::BitCast(
                D(), Right ? hn::IfThenElse(head, filling, moved) : hn::IfThenElse(head, moved, filling));
        }
    }
    /// Each pixel gets its left (Right: sweep to the right) or right neighbour; `fill` comes in.
    template <bool Right>
    static HWY_INLINE V shifted(V v, V fill) {
        const V beside = move_blocks<1, Right>(v, fill);
        if constexpr (Right)
            return hn::CombineShiftRightBytes<16 - size>(D(), v, beside);
        else
            return hn::CombineShiftRightBytes<size>(D(), beside, v);
    }
    /// Within blocks, by Bytes.
    template <int Bytes, bool Right>
    static HWY_INLINE V shifted_in_block(V v, V fill) {
        if constexpr (Right)
            return hn::CombineShiftRightBytes<16 - Bytes>(D(), v, fill);
        else
            return hn::CombineShiftRightBytes<Bytes>(D(), fill, v);
    }
    /// The pixel at the end of each block that a sweep leaves, in the whole block.
    template <bool Right>
    static HWY_INLINE V leaving(V v) {
        const bytes_tag d;
        HWY_ALIGN std::uint8_t from[blocks * 16];
        for (int i = 0; i < blocks * 16; ++i)
            from[i] = static_cast<std::uint8_t>((Right ? 16 - size : 0) + i % size);
        return hn::BitCast(D(), hn::TableLookupBytes(hn::BitCast(d, v), hn::Load(d, from)));
    }
    template <int Bytes, bool Right>
    static HWY_INLINE void scan_in_blocks(V& a, V& m) {
        if constexpr (Bytes < 16) {
            a = up(a, down(shifted_in_block<Bytes, Right>(a, hn::Set(D(), floor())), m));
            m = down(m, shifted_in_block<Bytes, Right>(m, hn::Set(D(), ceiling())));
            scan_in_blocks<2 * Bytes, Right>(a, m);
        }
    }
    template <int By, bool Right>
    static HWY_INLINE void scan_blocks(V& a, V& m) {
        if constexpr (By < blocks) {
            a = up(a, down(move_blocks<By, Right>(leaving<Right>(a), hn::Set(D(), floor())), m));
            m = down(m, move_blocks<By, Right>(leaving<Right>(m), hn::Set(D(), ceiling())));
            scan_blocks<2 * By, Right>(a, m);
        }
    }
    /// The whole sweep through a unit. `carry`, the pixel before it in all lanes, comes last: only two
    /// operations of a unit wait for the unit before.
    template <bool Right>
    static HWY_INLINE V scan(V a, V mask, V carry) {
        V m = mask;
        scan_in_blocks<size, Right>(a, m);
        scan_blocks<1, Right>(a, m);
        return up(a, down(carry, m));
    }
#endif
};

}  // namespace wale::reconstruction::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
