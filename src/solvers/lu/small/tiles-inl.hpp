// tiles-inl - products of small matrices in registers, and transposition; once for each Highway target.
#if defined(WALE_LU_SMALL_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_LU_SMALL_TILES_INL
#undef WALE_LU_SMALL_TILES_INL
#else
#define WALE_LU_SMALL_TILES_INL
#endif

#include <hwy/highway.h>

#include <type_traits>
#include <utility>

#include "solvers/lu/problem.hpp"
#include "solvers/lu/small/small.hpp"
#include "solvers/lu/small/tuning.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
struct tile_traits {
    using D = hn::ScalableTag<T>;
    using V = hn::Vec<D>;
    static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
    // 32 registers: AVX-512 in each of its forms, of which newer versions of Highway compile more, and NEON.
    static constexpr bool many = HWY_ARCH_X86 ? HWY_TARGET <= HWY_AVX3 : HWY_ARCH_ARM_A64;
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

/// f(0), f(1), ... f(N - 1), each with its number as a constant: vectors in arrays stay in registers.
template <int N, class F>
HWY_INLINE void unrolled(const F& f) {
    [&]<int... I>(std::integer_sequence<int, I...>) HWY_ATTR {
        (f(std::integral_constant<int, I>()), ...);
    }
    (std::make_integer_sequence<int, N>());
}

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

/// As many lines as a vector of at most 32 bytes has elements: exchanged by halves, then by pairs of blocks
/// of 16 bytes.
template <class T>
struct square_block {
    using D = hn::CappedTag<T, 32 / sizeof(T)>;
    using V = hn::Vec<D>;
    static constexpr int size = static_cast<int>(hn::MaxLanes(D()));

#if HWY_TARGET == HWY_SCALAR
    static HWY_INLINE void transpose(rows_at<const T> from, rows_at<T> to) {
        *to.data = *from.data;
    }
#else
    static HWY_INLINE void transpose(rows_at<const T> from, rows_at<T> to) {
        const D d;
        V lines[size];
        for (int i = 0; i < size; ++i) lines[i] = hn::LoadU(d, from.row(i));
        within_blocks(lines);
        if constexpr (size * sizeof(T) == 32)
            for (int i = 0; i < size / 2; ++i) {
                const V low = lines[i], high = lines[i + size / 2];
                lines[i] = hn::ConcatLowerLower(d, high, low);
                lines[i + size / 2] = hn::ConcatUpperUpper(d, high, low);
            }
        for (int i = 0; i < size; ++i) hn::StoreU(lines[i], d, to.row(i));
    }

private:
    static constexpr int in_block = static_cast<int>(16 / sizeof(T));
    static HWY_INLINE void within_blocks(V* lines) {
        const D d;
        for (V* four = lines; four < lines + size; four += in_block) {
            if constexpr (in_block == 2) {
                const V a = four[0], b = four[1];
                four[0] = hn::InterleaveLower(d, a, b);
                four[1] = hn::InterleaveUpper(d, a, b);
            } else {
                const hn::Repartition<double, D> pairs;
                const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(d, four[0], four[1]));
                const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(d, four[0], four[1]));
                const auto ce_low = hn::BitCast(pairs, hn::InterleaveLower(d, four[2], four[3]));
                const auto ce_high = hn::BitCast(pairs, hn::InterleaveUpper(d, four[2], four[3]));
                four[0] = hn::BitCast(d, hn::InterleaveLower(pairs, ab_low, ce_low));
                four[1] = hn::BitCast(d, hn::InterleaveUpper(pairs, ab_low, ce_low));
                four[2] = hn::BitCast(d, hn::InterleaveLower(pairs, ab_high, ce_high));
                four[3] = hn::BitCast(d, hn::InterleaveUpper(pairs, ab_high, ce_high));
            }
        }
    }
#endif
};

/// to(j, i) = from(i, j): `lines` lines of `size` elements. `Along`: the side that is gone through line after
/// line; it should be the caller's, whose leading dimension may be a power of two and map to few cache sets.
enum class along { from, to };
template <along Along, class T>
void transpose(rows_at<const T> from, index_t lines, index_t size, rows_at<T> to) {
    using block = square_block<T>;
    const index_t whole_lines = lines / block::size * block::size;
    const index_t whole_size = size / block::size * block::size;
    if constexpr (Along == along::from)
        for (index_t i = 0; i < whole_lines; i += block::size)
            for (index_t j = 0; j < whole_size; j += block::size)
                block::transpose(from.from(i, j), to.from(j, i));
    else
        for (index_t j = 0; j < whole_size; j += block::size)
            for (index_t i = 0; i < whole_lines; i += block::size)
                block::transpose(from.from(i, j), to.from(j, i));
    for (index_t i = 0; i < whole_lines; ++i)
        for (index_t j = whole_size; j < size; ++j) to.row(j)[i] = from.row(i)[j];
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
        transpose<along::from, T>(from, m.lines(), m.line_size(), to);
}
template <class T>
void put(rows_at<const T> from, const matrices& m, bool transposed) {
    const rows_at<T> to{static_cast<T*>(m.data), m.leading};
    if (m.row_major() != transposed)
        copy(from, m.lines(), m.line_size(), to);
    else
        transpose<along::to, T>(from, m.line_size(), m.lines(), to);
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
