// row_tile - 32 rows times K columns of a factor in the registers of one warp, and its product with 8
// columns: the tensor units for f64 (exact f64 arithmetic), one row a lane for f32.
#pragma once

#include "solvers/lu/problem.hpp"

namespace wale::lu {

inline constexpr int tile_rows = 32;
inline constexpr int tile_columns = 8;

/// Elements of a 32 x 8 block lie 8 in a lane: number e in row(e), column(e), that is row(0) + row_step *
/// (e / columns) and column(0) + e % columns.
template <class T, int K>
struct row_tile;

template <int K>
struct row_tile<float, K> {
    static constexpr int columns = 8, rows = 1, row_step = 0;
    float a[K];
    __device__ static int row(int) { return static_cast<int>(threadIdx.x % 32); }
    __device__ static int column(int e) { return e; }
    /// at(row, column) of the factor.
    template <class At>
    __device__ void load(const At& at) {
#pragma unroll
        for (int k = 0; k < K; ++k) a[k] = at(row(0), k);
    }
    /// c -= a * b; b[k * stride + column], 16-byte aligned.
    __device__ void subtract_product(float (&c)[8], const float* b, int stride) const {
#pragma unroll
        for (int k = 0; k < K; ++k) {
            const float4 left = *reinterpret_cast<const float4*>(b + k * stride);
            const float4 right = *reinterpret_cast<const float4*>(b + k * stride + 4);
            c[0] = fmaf(-a[k], left.x, c[0]);
            c[1] = fmaf(-a[k], left.y, c[1]);
            c[2] = fmaf(-a[k], left.z, c[2]);
            c[3] = fmaf(-a[k], left.w, c[3]);
            c[4] = fmaf(-a[k], right.x, c[4]);
            c[5] = fmaf(-a[k], right.y, c[5]);
            c[6] = fmaf(-a[k], right.z, c[6]);
            c[7] = fmaf(-a[k], right.w, c[7]);
        }
    }
};

/// c += a * b, 16 x 8 x 8. Lane 4 g + t holds a(g, t), a(g + 8, t), a(g, t + 4), a(g + 8, t + 4); b(t, g),
/// b(t + 4, g); c(g, 2 t), c(g, 2 t + 1), c(g + 8, 2 t), c(g + 8, 2 t + 1).
__device__ inline void multiply_16x8x8(double* c, const double* a, double b0, double b1) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b0), "d"(b1));
#endif
}

template <int K>
struct row_tile<double, K> {
    static constexpr int columns = 2, rows = 4, row_step = 8;
    double a[2 * (K / 8)][4];  // negated
    __device__ static int group() { return static_cast<int>(threadIdx.x % 32 / 4); }
    __device__ static int member() { return static_cast<int>(threadIdx.x % 4); }
    __device__ static int row(int e) { return group() + 8 * (e / 2); }
    __device__ static int column(int e) { return 2 * member() + e % 2; }
    template <class At>
    __device__ void load(const At& at) {
#pragma unroll
        for (int i = 0; i < 2 * (K / 8); ++i)
#pragma unroll
            for (int j = 0; j < 4; ++j)
                a[i][j] = -at(16 * (i / (K / 8)) + group() + 8 * (j % 2),
                              8 * (i % (K / 8)) + member() + 4 * (j / 2));
    }
    __device__ void subtract_product(double (&c)[8], const double* b, int stride) const {
#pragma unroll
        for (int k = 0; k < K / 8; ++k) {
            const double* at = b + (8 * k + member()) * stride + group();
            const double b0 = at[0], b1 = at[4 * stride];
            multiply_16x8x8(c, a[k], b0, b1);
            multiply_16x8x8(c + 4, a[K / 8 + k], b0, b1);
        }
    }
};

/// The narrowest strip: a step of 4.
template <>
struct row_tile<double, 4> : row_tile<double, 8> {
    template <class At>
    __device__ void load(const At& at) {
        row_tile<double, 8>::load([&](int row, int k) { return k < 4 ? at(row, k) : 0.0; });
    }
    __device__ void subtract_product(double (&c)[8], const double* b, int stride) const {
        const double b0 = b[member() * stride + group()];
        multiply_16x8x8(c, a[0], b0, 0.0);
        multiply_16x8x8(c + 4, a[1], b0, 0.0);
    }
};

}  // namespace wale::lu
