// row_column - an element of U and one of L, as the rows that take one row and one column a step make them.
#pragma once

#include "solvers/lu/factor/shared/each.cuh"

namespace wale::lu::ladder {

/// a(i, j) less the product of the columns left of k and the rows above k.
template <class T>
__device__ T reduced(const strided<T>& a, index_t i, index_t j, index_t k) {
    T sum = a(i, j);
#pragma unroll 8
    for (index_t t = 0; t < k; ++t) sum = fma(-a(i, t), a(t, j), sum);
    return sum;
}
template <class T>
__device__ T row_element(const factoring<T>& f, index_t k, index_t j) {
    const T u = reduced(f.a, k, j, k);
    return j == k ? f.settled(u) : u;
}
template <class T>
__device__ T column_element(const factoring<T>& f, index_t i, index_t k) {
    return multiplier(reduced(f.a, i, k, k), f.a(k, k));
}

}  // namespace wale::lu::ladder
