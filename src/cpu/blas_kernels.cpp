// blas_kernels - products of matrices: a tile of C stays in registers while the inner index runs (Goto and
// van de Geijn 2008). Tiles have three vectors of rows and as many columns as the registers hold.
// Only targets with wider vectors or fused multiply-adds; arrays of vectors need vectors of a known size.
#define HWY_DISABLED_TARGETS \
    (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/blas_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>

#include "cpu/blas_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::cpu::blas::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int vectors = 3;
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int columns = 8;  // 32 registers: 24 of C, 3 of A, one of B
#else
constexpr int columns = 4;  // 16 registers: 12, 3, 1
#endif
constexpr index_t a_bytes = index_t{3} << 17;  // of A that stay in the second cache

template <class T>
HWY_INLINE index_t lanes() {
    return static_cast<index_t>(hn::Lanes(hn::ScalableTag<T>()));
}

enum class order_of_b { packed, rows, pairs };  // tiled_product

/// C -= A B for V vectors of rows and N columns.
template <class T, int V, int N, order_of_b Order>
HWY_INLINE void multiply_tile(const tiled_product<T>& p, const T* HWY_RESTRICT a, const T* HWY_RESTRICT b,
                              T* c, index_t leading, const T* next) {
    constexpr int rows = Order == order_of_b::pairs ? 2 : 1;  // of B at a time
    const index_t a_step = p.a_step, b_line = Order == order_of_b::packed ? 1 : p.b_line,
                  b_step = Order == order_of_b::packed ? columns : p.b_step;
    const hn::ScalableTag<T> d;
    hn::Vec<decltype(d)> sum[N][V];
    for (int j = 0; j < N; ++j)
        for (int v = 0; v < V; ++v) sum[j][v] = hn::LoadU(d, c + j * leading + v * lanes<T>());
    for (int j = 0; j < N; ++j)  // the tile of C that follows
        for (int v = 0; v < V; ++v) hwy::Prefetch(next + j * leading + v * lanes<T>());
    for (index_t k = 0; k < p.inner; k += rows, b += b_step)
        for (int row = 0; row < rows; ++row, a += a_step) {
            hn::Vec<decltype(d)> left[V];
            for (int v = 0; v < V; ++v) left[v] = hn::LoadU(d, a + v * lanes<T>());
            for (int j = 0; j < N; ++j) {
                const auto right = hn::Set(d, b[j * b_line + row]);
                for (int v = 0; v < V; ++v) sum[j][v] = hn::NegMulAdd(left[v], right, sum[j][v]);
            }
        }
    for (int j = 0; j < N; ++j)
        for (int v = 0; v < V; ++v) hn::StoreU(sum[j][v], d, c + j * leading + v * lanes<T>());
}

/// Fewer rows than a vector has: through a copy of the tile, where vectors may run over the end.
template <class T, int N, order_of_b Order>
HWY_NOINLINE void multiply_edge(const tiled_product<T>& p, const T* a, const T* b, T* c, index_t rows) {
    HWY_ALIGN T tile[N * hn::MaxLanes(hn::ScalableTag<T>())] = {};
    for (int j = 0; j < N; ++j) std::copy_n(c + j * p.leading, rows, tile + j * lanes<T>());
    multiply_tile<T, 1, N, Order>(p, a, b, tile, lanes<T>(), tile);
    for (int j = 0; j < N; ++j) std::copy_n(tile + j * lanes<T>(), rows, c + j * p.leading);
}

/// Tiles of N columns for rows first .. end - 1.
template <class T, int N, order_of_b Order>
HWY_INLINE void multiply_columns(const tiled_product<T>& p, const T* b, T* c, index_t first, index_t end) {
    const index_t size = vectors * lanes<T>();
    const T* a = p.a + first / size * p.a_tile;
    index_t i = first;
    for (; i + size <= end; i += size, a += p.a_tile)
        multiply_tile<T, vectors, N, Order>(p, a, b, c + i, p.leading,
                                            c + (i + 2 * size <= end ? i + size : i));
    if (i + 2 * lanes<T>() <= end) {
        multiply_tile<T, 2, N, Order>(p, a, b, c + i, p.leading, c + i);
        i += 2 * lanes<T>();
        a += 2 * lanes<T>();
    } else if (i + lanes<T>() <= end) {
        multiply_tile<T, 1, N, Order>(p, a, b, c + i, p.leading, c + i);
        i += lanes<T>();
        a += lanes<T>();
    }
    if (i < end) multiply_edge<T, N, Order>(p, a, b, c + i, end - i);
}

template <order_of_b Order, class T, int N = columns>
HWY_INLINE void multiply_some(index_t count, const tiled_product<T>& p, const T* b, T* c, index_t first,
                              index_t end) {
    if constexpr (N > 1)
        if (count < N) return multiply_some<Order, T, N - 1>(count, p, b, c, first, end);
    multiply_columns<T, N, Order>(p, b, c, first, end);
}

template <order_of_b Order, class T>
HWY_INLINE void multiply_in_order(const tiled_product<T>& p) {
    const index_t size = vectors * lanes<T>(), most = a_bytes / (p.inner * index_t{sizeof(T)}),
                  block = std::max(size, most / size * size);
    for (index_t i = 0; i < p.rows; i += block)
        for (index_t j = 0; j < p.columns; j += columns)
            multiply_some<Order, T>(std::min<index_t>(columns, p.columns - j), p,
                                    p.b + j * (Order == order_of_b::packed ? p.inner : p.b_line),
                                    p.c + j * p.leading, i, std::min(i + block, p.rows));
}

template <class T>
HWY_INLINE void multiply_all(const tiled_product<T>& p) {
    if (p.b_line == 0) return multiply_in_order<order_of_b::packed>(p);
    p.pairs ? multiply_in_order<order_of_b::pairs>(p) : multiply_in_order<order_of_b::rows>(p);
}

/// Lines are contiguous: whole groups of W are copied.
template <class T, index_t W>
HWY_INLINE void pack_lines(const unpacked<T>& x, T* to) {
    for (index_t i = 0; i < x.lines; i += W) {
        const index_t count = std::min(W, x.lines - i);
        const T* from = x.data + i;
        for (index_t k = 0; k < x.inner; ++k, from += x.inner_step, to += W)
            if (count == W) {
                for (index_t l = 0; l < W; ++l) to[l] = from[l];
            } else {
                for (index_t l = 0; l < W; ++l) to[l] = l < count ? from[l] : T(0);
            }
    }
}

/// The inner index is contiguous: a transposition, by squares that the first cache holds.
template <class T, index_t W>
HWY_INLINE void pack_inner(const unpacked<T>& x, T* to) {
    constexpr index_t at_once = 64 / index_t{sizeof(T)};
    for (index_t i = 0; i < x.lines; i += W, to += W * x.inner) {
        const index_t count = std::min(W, x.lines - i);
        for (index_t first = 0; first < x.inner; first += at_once) {
            const index_t end = std::min(first + at_once, x.inner);
            for (index_t l = 0; l < W; ++l) {
                const T* const from = x.data + (i + l) * x.line_step;
                for (index_t k = first; k < end; ++k) to[k * W + l] = l < count ? from[k] : T(0);
            }
        }
    }
}

template <class T>
HWY_INLINE void pack_any(const unpacked<T>& x, index_t width, T* to) {
    constexpr auto rows = static_cast<index_t>(vectors * hn::MaxLanes(hn::ScalableTag<T>()));
    if (x.line_step == 1)
        width == columns ? pack_lines<T, columns>(x, to) : pack_lines<T, rows>(x, to);
    else
        width == columns ? pack_inner<T, columns>(x, to) : pack_inner<T, rows>(x, to);
}

/// W / 2 complex numbers, and behind them the same times i.
template <class T, index_t W>
HWY_INLINE void copy_pairs(const T* from, T* to) {
    const hn::ScalableTag<T> d;
    if constexpr (hn::MaxLanes(d) % 2 == 0) {
        for (index_t l = 0; l < W; l += lanes<T>()) {
            const auto v = hn::LoadU(d, from + l), turned = hn::Reverse2(d, v);
            hn::StoreU(v, d, to + l);
            hn::StoreU(hn::OddEven(turned, hn::Neg(turned)), d, to + W + l);
        }
    } else {
        for (index_t l = 0; l < W; l += 2) {
            to[l] = to[W + l + 1] = from[l];
            to[l + 1] = from[l + 1];
            to[W + l] = -from[l + 1];
        }
    }
}

/// A of complex numbers: W real rows at a time.
template <class T, index_t W>
HWY_INLINE void pack_left_parts(const unpacked<T>& x, T* to) {
    const index_t rows = 2 * x.lines;
    for (index_t first = 0; first < rows; first += W)
        for (index_t k = 0; k < x.inner; ++k, to += 2 * W) {
            const T* const from = x.data + 2 * k * x.inner_step;
            const auto pair = [&](index_t l, index_t step) HWY_ATTR {
                const T* const v = from + (first / 2 + l) * step;
                to[2 * l] = to[W + 2 * l + 1] = v[0];
                to[2 * l + 1] = v[1];
                to[W + 2 * l] = -v[1];
            };
            if (W % 2 == 0 && first + W <= rows && x.line_step == 1) {
                copy_pairs<T, W>(from + first, to);
            } else if (W % 2 == 0 && first + W <= rows) {
                for (index_t l = 0; l < W / 2; ++l) pair(l, 2 * x.line_step);
            } else {
                for (index_t l = 0; l < W; ++l) {
                    const index_t row = first + l, part = row % 2;
                    const T* const v = from + row / 2 * 2 * x.line_step;
                    to[l] = row < rows ? v[part] : T(0);
                    to[W + l] = row < rows ? (part == 0 ? -v[1] : v[0]) : T(0);
                }
            }
        }
}

/// B of complex numbers whose lines are contiguous.
template <class T>
HWY_INLINE void pack_right_parts(const unpacked<T>& x, T* to) {
    for (index_t first = 0; first < x.lines; first += columns) {
        const index_t count = std::min<index_t>(columns, x.lines - first);
        for (index_t k = 0; k < x.inner; ++k, to += 2 * columns) {
            const T* const from = x.data + 2 * (k * x.inner_step + first);
            for (index_t l = 0; l < columns; ++l) {
                to[l] = l < count ? from[2 * l] : T(0);
                to[columns + l] = l < count ? from[2 * l + 1] : T(0);
            }
        }
    }
}

template <class T>
HWY_INLINE void pack_parts_any(const unpacked<T>& x, bool left, index_t width, T* to) {
    constexpr auto rows = static_cast<index_t>(vectors * hn::MaxLanes(hn::ScalableTag<T>()));
    if (left) return pack_left_parts<T, rows>(x, to);
    if (x.line_step == 1) return pack_right_parts(x, to);
    pack_any<T>({x.data, 2 * x.line_step, 1, x.lines, 2 * x.inner}, width, to);  // the parts as they lie
}

/// R rows; the sum of a row does not depend on R.
template <int R, class T>
HWY_INLINE void subtract_row_dots(const T* a, index_t leading, const T* x, index_t inner, T* y,
                                  index_t y_step) {
    const hn::ScalableTag<T> d;
    hn::Vec<decltype(d)> even[R], odd[R];
    for (int r = 0; r < R; ++r) even[r] = odd[r] = hn::Zero(d);
    index_t k = 0;
    for (; k + 2 * lanes<T>() <= inner; k += 2 * lanes<T>())
        for (int r = 0; r < R; ++r) {
            const T* const row = a + r * leading + k;
            even[r] = hn::MulAdd(hn::LoadU(d, row), hn::LoadU(d, x + k), even[r]);
            odd[r] = hn::MulAdd(hn::LoadU(d, row + lanes<T>()), hn::LoadU(d, x + k + lanes<T>()), odd[r]);
        }
    for (int r = 0; r < R; ++r) {
        T sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(even[r], odd[r])));
        for (index_t rest = k; rest < inner; ++rest) sum += a[r * leading + rest] * x[rest];
        y[r * y_step] -= sum;
    }
}

template <class T>
HWY_INLINE void subtract_all_dots(const tiled_product<T>& p, const T* x, index_t y_step) {
    constexpr int at_once = 4;
    index_t i = 0;
    for (; i + at_once <= p.rows; i += at_once)
        subtract_row_dots<at_once>(p.a + i * p.leading, p.leading, x, p.inner, p.c + i * y_step, y_step);
    for (; i < p.rows; ++i)
        subtract_row_dots<1>(p.a + i * p.leading, p.leading, x, p.inner, p.c + i * y_step, y_step);
}

template <class T>
HWY_INLINE tile_extents tile() {
    return {vectors * lanes<T>(), columns, lanes<T>()};
}

#define WALE_BLAS_FOR_TYPE(type, name)                                               \
    tile_extents tile_##name() {                                                     \
        return tile<type>();                                                         \
    }                                                                                \
    void multiply_##name(const tiled_product<type>& p) {                             \
        multiply_all(p);                                                             \
    }                                                                                \
    void pack_##name(const unpacked<type>& x, index_t width, type* to) {             \
        pack_any(x, width, to);                                                      \
    }                                                                                \
    void parts_##name(const unpacked<type>& x, bool left, index_t width, type* to) { \
        pack_parts_any(x, left, width, to);                                          \
    }                                                                                \
    void dots_##name(const tiled_product<type>& p, const type* x, index_t y_step) {  \
        subtract_all_dots(p, x, y_step);                                             \
    }
WALE_BLAS_FOR_TYPE(float, f32)
WALE_BLAS_FOR_TYPE(double, f64)
#undef WALE_BLAS_FOR_TYPE

}  // namespace wale::cpu::blas::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::cpu::blas {

#define WALE_BLAS_FOR_TYPE(type, name)                                                \
    HWY_EXPORT(tile_##name);                                                          \
    HWY_EXPORT(multiply_##name);                                                      \
    HWY_EXPORT(pack_##name);                                                          \
    HWY_EXPORT(parts_##name);                                                         \
    HWY_EXPORT(dots_##name);                                                          \
    tile_extents tile_of(type) {                                                      \
        return HWY_DYNAMIC_DISPATCH(tile_##name)();                                   \
    }                                                                                 \
    void multiply(const tiled_product<type>& p) {                                     \
        HWY_DYNAMIC_DISPATCH(multiply_##name)(p);                                     \
    }                                                                                 \
    void pack(const unpacked<type>& x, index_t width, type* to) {                     \
        HWY_DYNAMIC_DISPATCH(pack_##name)(x, width, to);                              \
    }                                                                                 \
    void pack_parts(const unpacked<type>& x, bool left, index_t width, type* to) {    \
        HWY_DYNAMIC_DISPATCH(parts_##name)(x, left, width, to);                       \
    }                                                                                 \
    void subtract_dots(const tiled_product<type>& p, const type* x, index_t y_step) { \
        HWY_DYNAMIC_DISPATCH(dots_##name)(p, x, y_step);                              \
    }
WALE_BLAS_FOR_TYPE(float, f32)
WALE_BLAS_FOR_TYPE(double, f64)
#undef WALE_BLAS_FOR_TYPE

}  // namespace wale::cpu::blas
#endif
