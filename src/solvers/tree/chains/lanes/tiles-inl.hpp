// tiles-inl - some rows of a group's lanes, from wherever the job keeps them into rows of vectors, and back.
// Once for each Highway target.
#if defined(WALE_TREE_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_TREE_TILES_INL
#undef WALE_TREE_TILES_INL
#else
#define WALE_TREE_TILES_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>

#include "solvers/tree/chains/lanes/group.hpp"
#include "solvers/tree/chains/lanes/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {

/// The rows [begin, end) that hold something.
struct row_range {
    index_t begin, end;
};

/// Elements [k, k + vector) of a contiguous run, zero outside of `valid`, where nothing is touched.
template <class T>
HWY_INLINE auto load_part(const T* p, index_t k, row_range valid) {
    const hn::ScalableTag<T> d;
    constexpr index_t n = vector_size<T>;
    if (k >= valid.begin && k + n <= valid.end) return hn::LoadU(d, p + k);
#if HWY_MEM_OPS_MIGHT_FAULT
    HWY_ALIGN T part[n] = {};
    for (index_t i = std::max(k, valid.begin); i < std::min(k + n, valid.end); ++i) part[i - k] = p[i];
    return hn::Load(d, part);
#else
    const auto first = [&](index_t to) HWY_ATTR {
        return hn::FirstN(d, static_cast<std::size_t>(std::clamp<index_t>(to - k, 0, n)));
    };
    return hn::MaskedLoad(hn::AndNot(first(valid.begin), first(valid.end)), d, p + k);
#endif
}

template <class T, class V>
HWY_INLINE void store_part(V v, T* p, index_t k, row_range valid, bool stream) {
    const hn::ScalableTag<T> d;
    constexpr index_t n = vector_size<T>;
    if (k >= valid.begin && k + n <= valid.end) {
        if (stream)
            hn::Stream(v, d, p + k);
        else
            hn::StoreU(v, d, p + k);
        return;
    }
#if HWY_MEM_OPS_MIGHT_FAULT
    HWY_ALIGN T part[n];
    hn::Store(v, d, part);
    for (index_t i = std::max(k, valid.begin); i < std::min(k + n, valid.end); ++i) p[i] = part[i - k];
#else
    const auto count = static_cast<std::size_t>(std::clamp<index_t>(valid.end - k, 0, n));
    hn::BlendedStore(v, hn::FirstN(d, count), d, p + k);  // valid.begin is 0 here
#endif
}

/// An array of a group, and where its rows are to be had: in place, or in a tile of [rows][pitch].
template <class T>
class lane_rows {
public:
    /// Row k is element k + shift of the array. Rows outside of [first, size - missing) are not there.
    lane_rows(const lane_set& g, const lane_array& a, index_t shift, T* tile)
        : g_(g), a_(a), shift_(shift), tile_(tile), data_(static_cast<const T*>(a.data)) {
        if (!a.side_by_side) return;
        row_ = data_ + a.at[0];
        row_pitch_ = a.step;
        row_shift_ = shift;
    }
    [[nodiscard]] bool in_place() const { return a_.side_by_side; }
    [[nodiscard]] const T* row(index_t k) const { return row_ + (k + row_shift_) * row_pitch_; }
    [[nodiscard]] index_t row_pitch() const { return row_pitch_; }

    /// Brings rows [k, k + vector) into the tile; `missing` rows at the end of every lane are 0, and rows
    /// before `first`. Rows of a lane beyond its size are `outside`.
    void fetch(index_t k, index_t first, index_t missing, T outside) {
        constexpr index_t n = vector_size<T>;
        row_ = tile_;
        row_pitch_ = g_.pitch;
        row_shift_ = -k;
        for (index_t w = 0; w < g_.pitch; w += n)
            if (a_.step == 1)
                fetch_square(k, w, first, missing, outside);
            else
                fetch_strided(k, w, first, missing, outside);
    }

private:
    [[nodiscard]] row_range valid(index_t w, index_t first, index_t missing) const {
        return {first, w < g_.lanes ? g_.sizes[w] - missing : 0};
    }
    HWY_INLINE void fetch_square(index_t k, index_t w, index_t first, index_t missing, T outside) const {
        const hn::ScalableTag<T> d;
        constexpr int n = vector_size<T>;
        hn::Vec<decltype(d)> v[n];
        const bool whole = w + n <= g_.lanes && k >= first && k + n + missing <= g_.rows && !g_.ragged;
        if (HWY_LIKELY(whole)) {
            for (int i = 0; i < n; ++i) {
                const T* p = data_ + a_.at[w + i] + k + shift_;
                hwy::Prefetch(p + ahead);
                v[i] = hn::LoadU(d, p);
            }
        } else {
            for (int i = 0; i < n; ++i) v[i] = part(k, w + i, valid(w + i, first, missing), outside);
        }
        transpose<T>(v);
        for (int i = 0; i < n; ++i) hn::Store(v[i], d, tile_ + i * g_.pitch + w);
    }
    HWY_INLINE auto part(index_t k, index_t w, row_range there, T outside) const {
        const hn::ScalableTag<T> d;
        const T* p = w < g_.lanes ? data_ + a_.at[w] + shift_ : data_;
        const auto v = load_part(p, k, there);
        const index_t size = w < g_.lanes ? g_.sizes[w] : 0;
        const auto inside =
            hn::FirstN(d, static_cast<std::size_t>(std::clamp<index_t>(size - k, 0, vector_size<T>)));
        return hn::IfThenElse(inside, v, hn::Set(d, outside));
    }
    void fetch_strided(index_t k, index_t w, index_t first, index_t missing, T outside) const {
        constexpr index_t n = vector_size<T>;
        for (index_t i = w; i < w + n; ++i) {
            const row_range there = valid(i, first, missing);
            const index_t size = i < g_.lanes ? g_.sizes[i] : 0;
            const T* p = i < g_.lanes ? data_ + a_.at[i] : data_;
            for (index_t r = k; r < std::min(k + n, g_.rows); ++r)
                tile_[(r - k) * g_.pitch + i] = r >= size ? outside
                                                : r < there.begin || r >= there.end
                                                    ? T(0)
                                                    : p[(r + shift_) * a_.step];
        }
    }

    static constexpr index_t ahead = 2 * vector_size<T>;  // elements of a lane: a fetch after the next
    const lane_set& g_;
    const lane_array& a_;
    index_t shift_;
    T* tile_;
    const T* data_;
    const T* row_ = nullptr;
    index_t row_pitch_ = 0, row_shift_ = 0;
};

/// Where rows [row, row + vector) of the lanes belong.
template <class T>
struct lane_target {
    T* data;
    const lane_array& lanes;
    index_t row;
    bool stream;
};

/// `from`: [rows][row_pitch].
template <class T>
HWY_INLINE void put_rows(const lane_set& g, const T* from, index_t row_pitch, const lane_target<T>& to) {
    const hn::ScalableTag<T> d;
    constexpr int n = vector_size<T>;
    const index_t step = to.lanes.step, k = to.row;
    for (index_t w = 0; w < g.lanes; w += n) {
        if (step != 1) {
            for (index_t i = w; i < std::min(w + n, g.lanes); ++i)
                for (index_t r = k; r < std::min(k + n, g.sizes[i]); ++r)
                    to.data[to.lanes.at[i] + r * step] = from[(r - k) * row_pitch + i];
            continue;
        }
        hn::Vec<decltype(d)> v[n];
        for (int i = 0; i < n; ++i)
            v[i] = hn::Load(d, from + std::min<index_t>(i, g.rows - 1 - k) * row_pitch + w);
        transpose<T>(v);
        for (int i = 0; i < n && w + i < g.lanes; ++i)
            store_part(v[i], to.data + to.lanes.at[w + i], k, {0, g.sizes[w + i]}, to.stream);
    }
}

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
