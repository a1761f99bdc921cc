// product - C -= L U of matrices of one shape by cuBLAS, of either order and any type.
#pragma once

#include "cuda/blas.cuh"
#include "cuda/complex.cuh"
#include "solvers/lu/cuda/batch.cuh"

namespace wale::lu::panels {

/// Rows r0 .. r1 - 1, columns c0 .. c1 - 1 of C; the inner index goes from k0 to k1 - 1.
struct product_range {
    index_t r0, r1, c0, c1, k0, k1;
};

template <class T>
void queue_product(const cuda::blas& on, const device_batch<T>& all, const product_range& p) {
    if (p.r0 >= p.r1 || p.c0 >= p.c1 || p.k0 >= p.k1) return;
    const strided<T> a = all.first.elements();
    const bool by_rows = a.column_step == 1;  // then C^T -= U^T L^T
    const index_t leading = by_rows ? a.row_step : a.column_step, rows = p.r1 - p.r0, columns = p.c1 - p.c0;
    const T *l = &a(p.r0, p.k0), *u = &a(p.k0, p.c0);
    T* const c = &a(p.r0, p.c0);
    const T minus(-1), one(1);
    using of = cuda::blas_of<T>;
    cuda::check(of::gemms(on.get(), CUBLAS_OP_N, CUBLAS_OP_N, by_rows ? columns : rows,
                          by_rows ? rows : columns, p.k1 - p.k0, of::in(&minus), of::in(by_rows ? u : l),
                          leading, all.stride, of::in(by_rows ? l : u), leading, all.stride, of::in(&one),
                          of::out(c), leading, all.stride, all.count));
}

}  // namespace wale::lu::panels
