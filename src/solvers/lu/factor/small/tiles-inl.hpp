// tiles-inl - products of small matrices in registers, and transposition; once for each Highway target.
#if defined(WALE_LU_SMALL_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_LU_SMALL_TILES_INL
#undef WALE_LU_SMALL_TILES_INL
#else
#define WALE_LU_SMALL_TILES_INL
#endif

#include <hwy/highway.h>

#include "solvers/lu/factor/small/tuning.hpp"
#include "solvers/lu/problem.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
struct tile_traits {
    using D = hn::ScalableTag<T>;
    using V = hn::Vec<D>;
    static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
    static constexpr bool many = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON;
    static constexpr small_tile_policy policy =
        small_tile_policies[tuning::pick(small_tile_policies, 0, sizeof(T))].policy;
    static constexpr int panel = many ? policy.panel_many : policy.panel_few;
    static constexpr int tile_rows = many ? policy.rows_many : policy.rows_few;
    static constexpr int vectors = panel / lanes;  // of a row of a panel
    static_assert(panel % lanes == 0 && panel <= small_margin && tile_rows <= small_margin);
};

/// Elements of a matrix in scratch memory, row by row.
template <class T>
struct rows_at {
    T* data;
    index_t pitch;
    HWY_INLINE T* row(index_t i) const { return data + i * pitch; }
    HWY_INLINE rows_at from(index_t i, index_t j) const { return {data + i * pitch + j, pitch}; }
};

/// acc -= A B: A is Rows x depth, B depth x (Vectors vectors).
template <int Rows, int Vectors, class T, class V>
HWY_INLINE void subtract_product(rows_at<const T> a, rows_at<const T> b, index_t depth,
                                 V (&acc)[Rows][Vectors]) {
    const hn::ScalableTag<T> d;
    constexpr index_t lanes = tile_traits<T>::lanes;
    for (index_t k = 0; k < depth; ++k) {
        V line[Vectors];
        for (int v = 0; v < Vectors; ++v) line[v] = hn::LoadU(d, b.row(k) + v * lanes);
        for (int r = 0; r < Rows; ++r) {
            const V factor = hn::Set(d, a.row(r)[k]);
            for (int v = 0; v < Vectors; ++v) acc[r][v] = hn::NegMulAdd(factor, line[v], acc[r][v]);
        }
    }
}

template <int Rows, int Vectors, class T, class V>
HWY_INLINE void load_tile(rows_at<const T> from, V (&acc)[Rows][Vectors]) {
    for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < Vectors; ++v)
            acc[r][v] = hn::LoadU(hn::ScalableTag<T>(), from.row(r) + v * tile_traits<T>::lanes);
}
template <int Rows, int Vectors, class T, class V>
HWY_INLINE void store_tile(const V (&acc)[Rows][Vectors], rows_at<T> to) {
    for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < Vectors; ++v)
            hn::StoreU(acc[r][v], hn::ScalableTag<T>(), to.row(r) + v * tile_traits<T>::lanes);
}

/// Four lines of four elements each, or two of two: whatever fills vectors of 16 bytes.
HWY_INLINE void transpose_block(const float* from, index_t from_pitch, float* to, index_t to_pitch) {
#if HWY_TARGET == HWY_SCALAR
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) to[j * to_pitch + i] = from[i * from_pitch + j];
#else
    const hn::Full128<float> d;
    const hn::Full128<double> pairs;
    const auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + from_pitch);
    const auto c = hn::LoadU(d, from + 2 * from_pitch), e = hn::LoadU(d, from + 3 * from_pitch);
    const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(d, a, b));
    const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b));
    const auto ce_low = hn::BitCast(pairs, hn::InterleaveLower(d, c, e));
    const auto ce_high = hn::BitCast(pairs, hn::InterleaveUpper(d, c, e));
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, ab_low, ce_low)), d, to);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, ab_low, ce_low)), d, to + to_pitch);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, ab_high, ce_high)), d, to + 2 * to_pitch);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, ab_high, ce_high)), d, to + 3 * to_pitch);
#endif
}
HWY_INLINE void transpose_block(const double* from, index_t from_pitch, double* to, index_t to_pitch) {
#if HWY_TARGET == HWY_SCALAR
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) to[j * to_pitch + i] = from[i * from_pitch + j];
#else
    const hn::Full128<double> d;
    const auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + from_pitch);
    hn::StoreU(hn::InterleaveLower(d, a, b), d, to);
    hn::StoreU(hn::InterleaveUpper(d, a, b), d, to + to_pitch);
#endif
}

/// to(j, i) = from(i, j): `lines` lines of `size` elements.
template <class T>
void transpose(rows_at<const T> from, index_t lines, index_t size, rows_at<T> to) {
    constexpr index_t step = 16 / sizeof(T);
    const index_t whole_lines = lines / step * step, whole_size = size / step * step;
    for (index_t i = 0; i < whole_lines; i += step) {
        for (index_t j = 0; j < whole_size; j += step)
            transpose_block(from.row(i) + j, from.pitch, to.row(j) + i, to.pitch);
        for (index_t j = whole_size; j < size; ++j)
            for (index_t l = i; l < i + step; ++l) to.row(j)[l] = from.row(l)[j];
    }
    for (index_t i = whole_lines; i < lines; ++i)
        for (index_t j = 0; j < size; ++j) to.row(j)[i] = from.row(i)[j];
}

/// to(i, j) = from(i, j).
template <class T>
void copy(rows_at<const T> from, index_t lines, index_t size, rows_at<T> to) {
    const hn::ScalableTag<T> d;
    constexpr index_t lanes = tile_traits<T>::lanes;
    for (index_t i = 0; i < lines; ++i) {
        index_t j = 0;
        for (; j + lanes <= size; j += lanes) hn::StoreU(hn::LoadU(d, from.row(i) + j), d, to.row(i) + j);
        for (; j < size; ++j) to.row(i)[j] = from.row(i)[j];
    }
}

/// Between a matrix of the caller and scratch memory, by rows or, `transposed`, by columns.
template <class T>
void fetch(const const_matrices& m, rows_at<T> to, bool transposed) {
    const rows_at<const T> from{static_cast<const T*>(m.data), m.leading};
    if (m.row_major() != transposed)
        copy(from, m.lines(), m.line_size(), to);
    else
        transpose(from, m.lines(), m.line_size(), to);
}
template <class T>
void put(rows_at<const T> from, const matrices& m, bool transposed) {
    const rows_at<T> to{static_cast<T*>(m.data), m.leading};
    if (m.row_major() != transposed)
        copy(from, m.lines(), m.line_size(), to);
    else
        transpose(from, m.line_size(), m.lines(), to);
}

template <class T>
HWY_INLINE void exchange_rows(rows_at<T> a, index_t i, index_t j, index_t size) {
    const hn::ScalableTag<T> d;
    T *p = a.row(i), *q = a.row(j);
    for (index_t at = 0; at < size; at += tile_traits<T>::lanes) {
        const auto v = hn::LoadU(d, p + at);
        hn::StoreU(hn::LoadU(d, q + at), d, p + at);
        hn::StoreU(v, d, q + at);
    }
}

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
