// trailing - the product that brings what lies right of and below a panel up to date: in the matrix's own
// precision, or, for a solve that is refined afterwards, in tf32 or from pairs of halves with
// sums in f32.
#pragma once

#include <cuda_fp16.h>

#include "cuda/blas.cuh"
#include "solvers/lu/factor/cuda/lookahead/lookahead.hpp"

namespace wale::lu {

/// C -= L U by cuBLAS; all three in the same matrix.
template <class T>
struct trailing_job {
    index_t rows, columns, depth;
    const T* l;
    const T* u;
    T* c;
    index_t leading;
};

/// Each element as the sum of two halves, high and low: 22 bits. L goes as [high high low] side by side, U as
/// [high; low; high] on top of each other, so that one product of three times the depth has all that matters
/// of (high + low)(high + low); what it moves of C, which binds it, is the same.
inline constexpr int parts = 3;

/// rows x columns of `from` to the parts, `part_step` apart; part `low` gets the low halves.
struct halves {
    __half* to;
    index_t leading, part_step;
    int low;
};
template <class T>
__global__ void to_halves(const T* from, index_t leading, index_t rows, index_t columns, halves h) {
    const index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x;
    if (i >= rows) return;
    for (index_t j = blockIdx.y; j < columns; j += gridDim.y) {
        const auto v = static_cast<float>(from[j * leading + i]);
        const __half high = __float2half(v), low = __float2half(v - __half2float(high));
        __half* to = h.to + j * h.leading + i;
        for (int p = 0; p < parts; ++p) to[p * h.part_step] = p == h.low ? low : high;
    }
}

/// Queues products one after the other on one stream, with scratch for halves where they are asked for.
template <class T>
class trailing {
public:
    trailing(const cuda::context& c, trailing_products as, index_t rows, index_t columns, index_t depth)
        : as_(sizeof(T) == 4 ? as : trailing_products::as_stored),
          l_(c, as_ == trailing_products::f16 ? padded(rows) * parts * depth : 0),
          u_(c, as_ == trailing_products::f16 ? padded(parts * depth) * columns : 0) {}

    void queue(const cuda::blas& on, const trailing_job<T>& p) const {
        if (p.rows == 0 || p.columns == 0) return;
        const T minus = -1, one = 1;
        if (sizeof(T) == 8 || as_ == trailing_products::as_stored)
            cuda::check(cuda::blas_of<T>::gemm(on.get(), CUBLAS_OP_N, CUBLAS_OP_N, p.rows, p.columns, p.depth,
                                               &minus, p.l, p.leading, p.u, p.leading, &one, p.c, p.leading));
        else if constexpr (sizeof(T) == 4)
            as_ == trailing_products::tf32 ? queue_as(on, p, {p.l, p.leading}, {p.u, p.leading}, CUDA_R_32F,
                                                      CUBLAS_COMPUTE_32F_FAST_TF32)
                                           : queue_halves(on, p);
    }

private:
    struct operand {
        const void* data;
        index_t leading;
    };
    static index_t padded(index_t rows) { return (rows + 7) / 8 * 8; }  // columns begin at 16 bytes
    void queue_as(const cuda::blas& on, const trailing_job<T>& p, const operand& l, const operand& u,
                  cudaDataType type, cublasComputeType_t compute) const {
        const float minus = -1, one = 1;
        cuda::check(cublasGemmEx_64(on.get(), CUBLAS_OP_N, CUBLAS_OP_N, p.rows, p.columns, p.depth, &minus,
                                    l.data, type, l.leading, u.data, type, u.leading, &one, p.c, CUDA_R_32F,
                                    p.leading, compute, CUBLAS_GEMM_DEFAULT));
    }
    void queue_halves(const cuda::blas& on, const trailing_job<T>& p) const {
        cudaStream_t stream{};
        cuda::check(cublasGetStream(on.get(), &stream));
        const auto convert = [&](const T* from, index_t rows, index_t columns, const halves& to) {
            constexpr unsigned threads = 256;
            constexpr index_t most = 65535;
            const dim3 grid(static_cast<unsigned>((rows + threads - 1) / threads),
                            static_cast<unsigned>(std::min(columns, most)));
            to_halves<<<grid, threads, 0, stream>>>(from, p.leading, rows, columns, to);
            cuda::check_launch();
        };
        const index_t l_leading = padded(p.rows), u_leading = padded(parts * p.depth);
        convert(p.l, p.rows, p.depth, {l_.data(), l_leading, l_leading * p.depth, 2});
        convert(p.u, p.depth, p.columns, {u_.data(), u_leading, p.depth, 1});
        trailing_job<T> deep = p;
        deep.depth = parts * p.depth;
        queue_as(on, deep, {l_.data(), l_leading}, {u_.data(), u_leading}, CUDA_R_16F, CUBLAS_COMPUTE_32F);
    }

    trailing_products as_;
    cuda::scratch<__half> l_, u_;
};

}  // namespace wale::lu
