// trailing - the product that brings what lies right of and below a panel up to date: in the matrix's own
// precision, or, for a solve that is refined afterwards, in tf32 or from halves with sums in f32.
#pragma once

#include <cuda_fp16.h>

#include "cuda/blas.cuh"
#include "solvers/lu/factor/cuda/lookahead/pivoted.hpp"

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

/// to(i, j) = from(i, j) as a half; a block of threads a column at a time.
template <class T>
__global__ void to_halves(const T* from, index_t leading, index_t rows, index_t columns, __half* to,
                          index_t to_leading) {
    for (index_t j = blockIdx.y; j < columns; j += gridDim.y) {
        const index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x;
        if (i < rows) to[j * to_leading + i] = __float2half(static_cast<float>(from[j * leading + i]));
    }
}

/// Queues products one after the other on one stream, with room for halves where they are asked for.
template <class T>
class trailing {
public:
    trailing(const cuda::context& c, trailing_products as, index_t rows, index_t columns, index_t depth)
        : as_(sizeof(T) == 4 ? as : trailing_products::as_stored),
          l_(c, as_ == trailing_products::f16 ? padded(rows) * depth : 0),
          u_(c, as_ == trailing_products::f16 ? padded(depth) * columns : 0) {}

    void queue(const cuda::blas& on, const trailing_job<T>& p) const {
        if (p.rows == 0 || p.columns == 0) return;
        const T minus = -1, one = 1;
        if constexpr (sizeof(T) == 8)
            cuda::check(cublasDgemm_64(on.get(), CUBLAS_OP_N, CUBLAS_OP_N, p.rows, p.columns, p.depth, &minus,
                                       p.l, p.leading, p.u, p.leading, &one, p.c, p.leading));
        else if (as_ == trailing_products::as_stored)
            cuda::check(cublasSgemm_64(on.get(), CUBLAS_OP_N, CUBLAS_OP_N, p.rows, p.columns, p.depth, &minus,
                                       p.l, p.leading, p.u, p.leading, &one, p.c, p.leading));
        else if (as_ == trailing_products::tf32)
            queue_as(on, p, {p.l, p.leading}, {p.u, p.leading}, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
        else
            queue_halves(on, p);
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
        const auto convert = [&](const T* from, index_t rows, index_t columns, __half* to) {
            constexpr unsigned threads = 256;
            constexpr index_t most = 65535;
            const dim3 grid(static_cast<unsigned>((rows + threads - 1) / threads),
                            static_cast<unsigned>(std::min(columns, most)));
            to_halves<<<grid, threads, 0, stream>>>(from, p.leading, rows, columns, to, padded(rows));
            cuda::check_launch();
        };
        convert(p.l, p.rows, p.depth, l_.data());
        convert(p.u, p.depth, p.columns, u_.data());
        queue_as(on, p, {l_.data(), padded(p.rows)}, {u_.data(), padded(p.depth)}, CUDA_R_16F,
                 CUBLAS_COMPUTE_32F);
    }

    trailing_products as_;
    cuda::scratch<__half> l_, u_;
};

}  // namespace wale::lu
