// products - C <- beta C + alpha op(A) op(B) by cuBLAS, f32 or f64, column-major; one or many.
#pragma once

#include "cuda/blas.cuh"

namespace wale::lu {

template <class T>
struct operand {
    const T* data;
    index_t leading;
    bool transposed = false;
    index_t stride = 0;  // to the next of many
    [[nodiscard]] cublasOperation_t op() const { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }
};

template <class T>
struct product {
    index_t rows, columns, inner;
    T alpha;
    operand<T> a, b;
    T beta;
    T* c;
    index_t leading, stride = 0;
    index_t count = 1;
};

/// y <- beta y + alpha op(A) x: no product of matrices is as fast for one column.
template <class T>
[[nodiscard]] bool is_vector(const product<T>& p) {
    return p.columns == 1 && !p.b.transposed;
}

inline void multiply(cublasHandle_t h, const product<float>& p) {
    if (p.rows == 0 || p.columns == 0) return;
    if (is_vector(p))
        return cuda::check(cublasSgemvStridedBatched_64(
            h, p.a.op(), p.a.transposed ? p.inner : p.rows, p.a.transposed ? p.rows : p.inner, &p.alpha,
            p.a.data, p.a.leading, p.a.stride, p.b.data, 1, p.b.stride, &p.beta, p.c, 1, p.stride, p.count));
    cuda::check(cublasSgemmStridedBatched_64(h, p.a.op(), p.b.op(), p.rows, p.columns, p.inner, &p.alpha,
                                             p.a.data, p.a.leading, p.a.stride, p.b.data, p.b.leading,
                                             p.b.stride, &p.beta, p.c, p.leading, p.stride, p.count));
}

inline void multiply(cublasHandle_t h, const product<double>& p) {
    if (p.rows == 0 || p.columns == 0) return;
    if (is_vector(p))
        return cuda::check(cublasDgemvStridedBatched_64(
            h, p.a.op(), p.a.transposed ? p.inner : p.rows, p.a.transposed ? p.rows : p.inner, &p.alpha,
            p.a.data, p.a.leading, p.a.stride, p.b.data, 1, p.b.stride, &p.beta, p.c, 1, p.stride, p.count));
    cuda::check(cublasDgemmStridedBatched_64(h, p.a.op(), p.b.op(), p.rows, p.columns, p.inner, &p.alpha,
                                             p.a.data, p.a.leading, p.a.stride, p.b.data, p.b.leading,
                                             p.b.stride, &p.beta, p.c, p.leading, p.stride, p.count));
}

}  // namespace wale::lu
