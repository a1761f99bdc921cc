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

#include "solvers/tree/elimination/lanes/lane_set.hpp"
#include "solvers/tree/lanes/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {

/// The rows [begin, end) that may be touched.
struct row_range {
    index_t begin, end;
};

/// Which of the elements [k, k + vector) of a contiguous run may be touched.
template <class T>
HWY_INLINE auto part_of(index_t k, row_range valid) {
    const hn::ScalableTag<T> d;
    const auto first = [&](index_t to) HWY_ATTR {
        return hn::FirstN(d, static_cast<std::size_t>(std::clamp<index_t>(to - k, 0, vector_size<T>)));
    };
    return hn::AndNot(first(valid.begin), first(valid.end));
}

/// Zero where the part is not.
template <class T, class M>
HWY_INLINE auto load_part(const T* p, M part) {
    const hn::ScalableTag<T> d;
#if HWY_MEM_OPS_MIGHT_FAULT
    HWY_ALIGN T in[vector_size<T>] = {}, flag[vector_size<T>];
    hn::Store(hn::IfThenElseZero(part, hn::Set(d, T(1))), d, flag);
    for (int i = 0; i < vector_size<T>; ++i)
        if (flag[i] != T(0)) in[i] = p[i];
    return hn::Load(d, in);
#else
    return hn::MaskedLoad(part, d, p);
#endif
}
template <class T, class V, class M>
HWY_INLINE void store_part(V v, T* p, M part) {
    const hn::ScalableTag<T> d;
#if HWY_MEM_OPS_MIGHT_FAULT
    HWY_ALIGN T out[vector_size<T>], flag[vector_size<T>];
    hn::Store(v, d, out);
    hn::Store(hn::IfThenElseZero(part, hn::Set(d, T(1))), d, flag);
    for (int i = 0; i < vector_size<T>; ++i)
        if (flag[i] != T(0)) p[i] = out[i];
#else
    hn::BlendedStore(v, part, d, p);
#endif
}

/// Lanes are often a power of two apart and share few sets of the first cache: a prefetch into it would drive
/// out what is still to be read.
template <class T>
HWY_INLINE void to_second_cache(const T* p) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
    __builtin_prefetch(p, 0, 2);
#else
    hwy::Prefetch(p);
#endif
}

/// An array of a group, and where its rows are to be had: in place, or in a tile of [rows][pitch].
template <class T>
class lane_rows {
public:
    /// Row k is element k + shift of the array.
    lane_rows(const lane_set& g, const lane_array& a, index_t shift, T* tile)
        : g_(g), a_(a), shift_(shift), tile_(tile), data_(static_cast<const T*>(a.data)) {
        if (a.side_by_side) look_at(data_ + a.at[0], a.step, shift);
    }
    [[nodiscard]] bool in_place() const { return a_.side_by_side; }
    [[nodiscard]] const T* row(index_t k) const { return row_ + (k + row_shift_) * row_pitch_; }
    /// Row k is at p + (k + shift) pitch.
    void look_at(const T* p, index_t pitch, index_t shift) {
        row_ = p;
        row_pitch_ = pitch;
        row_shift_ = shift;
    }

    /// Brings rows [k, k + vector) into the tile. Of lanes of one size only the rows in `valid` are right.
    /// Where sizes differ: rows before `first` and the last `missing` of each lane are 0, those beyond its
    /// size `outside`.
    void fetch(index_t k, row_range valid) {
        look_at(tile_, g_.pitch, -k);
        for (index_t w = 0; w < g_.pitch; w += vector_size<T>)
            if (a_.step == 1)
                fetch_square(k, w, valid);
            else
                fetch_strided(k, w, valid);
    }
    void fetch_ragged(index_t k, index_t first, index_t missing, T outside) {
        look_at(tile_, g_.pitch, -k);
        for (index_t w = 0; w < g_.pitch; w += vector_size<T>) fetch_ragged(k, w, {first, -missing}, outside);
    }

private:
    static constexpr index_t vector = vector_size<T>;

    HWY_INLINE void fetch_square(index_t k, index_t w, row_range valid) const {
        const hn::ScalableTag<T> d;
        const index_t* at = a_.at + w;
        const T* p = data_ + shift_;
        hn::Vec<decltype(d)> v[vector];
        if (HWY_LIKELY(k >= valid.begin && k + vector <= valid.end)) {
            const T* next = data_ + prefetch_from(k);
            for (int i = 0; i < vector; ++i) to_second_cache(next + at[i]);
            for (int i = 0; i < vector; ++i) v[i] = hn::LoadU(d, p + at[i] + k);
        } else {
            const auto part = part_of<T>(k, valid);
            for (int i = 0; i < vector; ++i) v[i] = load_part(p + at[i] + k, part);
        }
        transpose<T>(v);
        for (int i = 0; i < vector; ++i) hn::Store(v[i], d, tile_ + i * g_.pitch + w);
    }
    /// What to ask for when row k is read: some rows on, or the beginning of the next group.
    [[nodiscard]] index_t prefetch_from(index_t k) const {
        const index_t row = k + 2 * vector;
        return row < g_.rows ? row : g_.next_group + (row - g_.rows) / vector * vector;
    }
    void fetch_strided(index_t k, index_t w, row_range valid) const {
        const index_t begin = std::max(k, valid.begin), end = std::min(k + vector, valid.end);
        for (index_t i = w; i < w + vector; ++i) {
            const T* p = data_ + a_.at[i] + shift_ * a_.step;
            for (index_t r = begin; r < end; ++r) tile_[(r - k) * g_.pitch + i] = p[r * a_.step];
        }
    }
    void fetch_ragged(index_t k, index_t w, row_range from, T outside) const {
        const hn::ScalableTag<T> d;
        hn::Vec<decltype(d)> v[vector];
        for (int i = 0; i < vector; ++i) {
            const index_t size = w + i < g_.lanes ? g_.sizes[w + i] : 0;
            const auto part = part_of<T>(k, {from.begin, size + from.end});
            const auto loaded = load_part(data_ + a_.at[w + i] + shift_ + k, part);
            const auto inside =
                hn::FirstN(d, static_cast<std::size_t>(std::clamp<index_t>(size - k, 0, vector)));
            v[i] = hn::IfThenElse(inside, loaded, hn::Set(d, outside));
        }
        transpose<T>(v);
        for (int i = 0; i < vector; ++i) hn::Store(v[i], d, tile_ + i * g_.pitch + w);
    }

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
        if (k + n <= g.rows)
            for (int i = 0; i < n; ++i) v[i] = hn::Load(d, from + i * row_pitch + w);
        else
            for (int i = 0; i < n; ++i)
                v[i] = hn::Load(d, from + std::min(i, static_cast<int>(g.rows - 1 - k)) * row_pitch + w);
        transpose<T>(v);
        const bool whole = k + n <= g.rows && !g.ragged && w + n <= g.lanes;
        if (whole && to.stream)
            for (int i = 0; i < n; ++i) hn::Stream(v[i], d, to.data + to.lanes.at[w + i] + k);
        else if (whole)
            for (int i = 0; i < n; ++i) hn::StoreU(v[i], d, to.data + to.lanes.at[w + i] + k);
        else if (!g.ragged) {
            const auto part = part_of<T>(k, {0, g.rows});
            for (int i = 0; i < n && w + i < g.lanes; ++i)
                store_part(v[i], to.data + to.lanes.at[w + i] + k, part);
        } else {
            for (int i = 0; i < n && w + i < g.lanes; ++i)
                store_part(v[i], to.data + to.lanes.at[w + i] + k, part_of<T>(k, {0, g.sizes[w + i]}));
        }
    }
}

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
