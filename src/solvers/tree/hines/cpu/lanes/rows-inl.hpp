// rows-inl - rows of a group's lanes, from wherever the job keeps them into vectors, and back. Once for each
// Highway target.
#if defined(WALE_HINES_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_HINES_ROWS_INL
#undef WALE_HINES_ROWS_INL
#else
#define WALE_HINES_ROWS_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>

#include "solvers/tree/hines/cpu/lanes/group.hpp"
#include "solvers/tree/lanes/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {

/// How rows come: `side_by_side`: lanes are side by side and fill the row; `transposed`: each lane's nodes
/// are consecutive, and squares of them are turned; `one_by_one`: anything, also fewer lanes than a row has.
enum class row_form { side_by_side, transposed, one_by_one };

/// A row of K vectors.
template <class T, int K>
struct cell_row {
    using V = hn::Vec<hn::ScalableTag<T>>;
    V v[K];
};

template <class T, int K>
HWY_INLINE cell_row<T, K> load_row(const T* from) {
    cell_row<T, K> row;
    for (int k = 0; k < K; ++k) row.v[k] = hn::LoadU(hn::ScalableTag<T>(), from + k * vector_size<T>);
    return row;
}
template <class T, int K>
HWY_INLINE void store_row(const cell_row<T, K>& row, T* to) {
    for (int k = 0; k < K; ++k) hn::StoreU(row.v[k], hn::ScalableTag<T>(), to + k * vector_size<T>);
}

/// One array of the job, row after row from the last to the first.
template <class T, int K, row_form Form>
class rows_in {
public:
    static constexpr int width = K * vector_size<T>;
    rows_in(const lane_cells& g, const void* data, T absent)
        : g_(g), data_(static_cast<const T*>(data) + g.at.first), absent_(absent) {}

    HWY_INLINE cell_row<T, K> row(index_t k, index_t node) {
        if constexpr (Form == row_form::side_by_side) {
            const T* p = data_ + node * g_.at.step;
            hwy::Prefetch(p - std::min(node, ahead) * g_.at.step);
            return load_row<T, K>(p);
        } else if constexpr (Form == row_form::transposed) {
            if (k < begin_) fetch(k);
            return load_row<T, K>(tile_ + (k - begin_) * width);
        } else {
            const T* p = data_ + node * g_.at.step;
            for (index_t w = 0; w < width; ++w) tile_[w] = w < g_.lanes ? p[w * g_.at.distance] : absent_;
            return load_row<T, K>(tile_);
        }
    }
    void restart() { begin_ = g_.nodes; }

private:
    static constexpr index_t ahead = 6;          // rows
    static constexpr index_t squares_ahead = 3;  // more streams than the hardware follows
    static constexpr int n = vector_size<T>;

    /// The square of rows up to k, of which the first may be none.
    void fetch(index_t k) {
        const hn::ScalableTag<T> d;
        begin_ = k + 1 - n;
        for (int w = 0; w < width; w += n) {
            hn::Vec<decltype(d)> v[n];
            for (int i = 0; i < n; ++i) {
                const T* p = data_ + (w + i) * g_.at.distance;
                if (HWY_LIKELY(begin_ >= 0)) {
                    hwy::Prefetch(p + std::max<index_t>(begin_ - squares_ahead * n, 0));
                    v[i] = hn::LoadU(d, p + begin_);
                } else {
                    HWY_ALIGN T part[n] = {};
                    for (index_t r = 0; r <= k; ++r) part[r - begin_] = p[r];
                    v[i] = hn::Load(d, part);
                }
            }
            transpose<T>(v);
            for (int i = 0; i < n; ++i) hn::Store(v[i], d, tile_ + i * width + w);
        }
    }

    const lane_cells& g_;
    const T* data_;
    const T absent_;
    index_t begin_ = g_.nodes;
    HWY_ALIGN T tile_[(Form == row_form::transposed ? n : 1) * width];
};

/// One array, row after row from the first to the last.
template <class T, int K, row_form Form>
class rows_out {
public:
    static constexpr int width = K * vector_size<T>;
    rows_out(const lane_cells& g, void* data) : g_(g), data_(static_cast<T*>(data) + g.at.first) {}

    HWY_INLINE void put(index_t k, index_t node, const cell_row<T, K>& row) {
        if constexpr (Form == row_form::side_by_side) {
            store_row<T, K>(row, data_ + node * g_.at.step);
        } else if constexpr (Form == row_form::transposed) {
            store_row<T, K>(row, tile_ + k % n * width);
            if (k % n == n - 1 || k == g_.nodes - 1) flush(k - k % n, k % n + 1);
        } else {
            store_row<T, K>(row, tile_);
            T* p = data_ + node * g_.at.step;
            for (index_t w = 0; w < g_.lanes; ++w) p[w * g_.at.distance] = tile_[w];
        }
    }

private:
    static constexpr int n = vector_size<T>;

    void flush(index_t begin, index_t count) {
        const hn::ScalableTag<T> d;
        for (int w = 0; w < width; w += n) {
            hn::Vec<decltype(d)> v[n];
            for (int i = 0; i < n; ++i) v[i] = hn::Load(d, tile_ + i * width + w);
            transpose<T>(v);
            for (int i = 0; i < n; ++i) {
                T* p = data_ + (w + i) * g_.at.distance + begin;
                if (HWY_LIKELY(count == n)) {
                    hn::StoreU(v[i], d, p);
                } else {
                    HWY_ALIGN T part[n];
                    hn::Store(v[i], d, part);
                    for (index_t r = 0; r < count; ++r) p[r] = part[r];
                }
            }
        }
    }

    const lane_cells& g_;
    T* data_;
    HWY_ALIGN T tile_[(Form == row_form::transposed ? n : 1) * width] = {};
};

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
