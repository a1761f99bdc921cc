// triangles - inverts the diagonal blocks, 64 rows by substitution and then twice as many from level to level
// by products; solves by halves, so that the products are as large as can be.
#include "solvers/lu/cuda/triangles.cuh"

#include "solvers/lu/cuda/triangles_tuning.hpp"

namespace wale::lu {
namespace {

using triangular::base_rows;

/// Copies the diagonal blocks of L and, transposed, of U, so that both are lower triangles; beyond the matrix
/// the identity goes on. Block blockIdx.z of 2 * blocks.
template <class T>
__global__ void extract(strided<const T> a, index_t n, index_t block, index_t blocks, T* to) {
    const index_t number = blockIdx.z;
    const bool upper = number >= blocks;
    const index_t first = (upper ? number - blocks : number) * block;
    const strided<const T> source = upper ? a.transposed() : a;
    const index_t i = blockIdx.x * index_t{blockDim.x} + threadIdx.x, j = blockIdx.y;
    if (i >= block) return;
    T v = i == j ? T(1) : T(0);
    if (first + i < n && first + j < n && (i > j || (upper && i == j))) v = source(first + i, first + j);
    to[number * block * block + j * block + i] = v;
}

/// The inverse of a lower triangle of 64 rows by forward substitution, a thread a column. blockIdx.x: which
/// triangle along the diagonal of block blockIdx.y. Element (t, j) of the inverse waits at l[j][t], above the
/// diagonal, where the triangle has nothing.
template <class T>
__global__ void __launch_bounds__(base_rows) invert_base(const T* from, index_t block, T* to) {
    __shared__ T l[base_rows][base_rows + 1];
    const index_t at = blockIdx.y * block * block + blockIdx.x * base_rows * (block + 1);
    const int j = threadIdx.x;
    for (int t = 0; t < base_rows; ++t) l[j][t] = from[at + t * block + j];
    __syncthreads();
    const T first = T(1) / l[j][j];
    for (int i = 1; i < base_rows; ++i) {
        if (i <= j) continue;
        T sum = -l[i][j] * first;
        for (int t = 1; t < i; ++t)
            if (t > j) sum = fma(-l[i][t], l[j][t], sum);
        l[j][i] = sum / l[i][i];
    }
    __syncthreads();
    l[j][j] = first;
    __syncthreads();
    for (int t = 0; t < base_rows; ++t) to[at + t * block + j] = j < t ? T(0) : l[t][j];
}

/// The smallest block that holds the matrix, `inverted` at most.
index_t block_for(index_t rows, index_t inverted) {
    index_t block = base_rows;
    while (block < rows && block < inverted) block *= 2;
    return block;
}

}  // namespace

template <class T>
triangles<T>::triangles(const cuda::context& c, const cuda::blas& blas, const const_matrices& factors,
                        index_t inverted)
    : blas_(blas),
      factors_(factors),
      block_(block_for(factors.rows, inverted)),
      blocks_((factors.rows + block_ - 1) / block_),
      inverses_(c, 2 * blocks_ * block_ * block_) {
    if (blocks_ == 0) return;
    const cuda::scratch<T> blocks(c, inverses_.size());
    constexpr unsigned threads = 256;
    const auto both = static_cast<unsigned>(2 * blocks_), size = static_cast<unsigned>(block_);
    extract<T><<<dim3((size + threads - 1) / threads, size, both), threads, 0, c.stream()>>>(
        elements<T>(factors), factors.rows, block_, blocks_, blocks.data());
    cuda::check_launch();
    inverses_.fill_bytes(0);
    invert_base<<<dim3(size / base_rows, both), base_rows, 0, c.stream()>>>(blocks.data(), block_,
                                                                            inverses_.data());
    cuda::check_launch();
    for (index_t half = base_rows; half < block_; half *= 2) double_inverses(blocks.data(), half);
}

/// The inverse of [A 0; C B] is [A^-1 0; -B^-1 C A^-1 B^-1]. The unused upper half of `blocks` takes C A^-1.
template <class T>
void triangles<T>::double_inverses(T* blocks, index_t half) const {
    const index_t area = block_ * block_, down = half * (block_ + 1);
    for (index_t at = 0; at < area; at += 2 * down) {
        T* inverse = inverses_.data() + at;
        T* between = blocks + at + half * block_;
        multiply(blas_.get(), product<T>{.rows = half,
                                         .columns = half,
                                         .inner = half,
                                         .alpha = 1,
                                         .a = {blocks + at + half, block_, false, area},
                                         .b = {inverse, block_, false, area},
                                         .beta = 0,
                                         .c = between,
                                         .leading = block_,
                                         .stride = area,
                                         .count = 2 * blocks_});
        multiply(blas_.get(), product<T>{.rows = half,
                                         .columns = half,
                                         .inner = half,
                                         .alpha = -1,
                                         .a = {inverse + down, block_, false, area},
                                         .b = {between, block_, false, area},
                                         .beta = 0,
                                         .c = inverse + half,
                                         .leading = block_,
                                         .stride = area,
                                         .count = 2 * blocks_});
    }
}

template <class T>
void triangles<T>::apply_inverse(const right_sides<T>& b, const way& w, index_t number) const {
    const index_t row = row_of(number), rows = row_of(number + 1) - row;
    multiply(blas_.get(), product<T>{.rows = rows,
                                     .columns = b.columns,
                                     .inner = rows,
                                     .alpha = 1,
                                     .a = {w.inverses + number * block_ * block_, block_, !w.forward()},
                                     .b = {b.work + row, b.leading},
                                     .beta = 0,
                                     .c = b.solution + row,
                                     .leading = b.leading});
}

template <class T>
void triangles<T>::update(const right_sides<T>& b, const way& w, range target, range source) const {
    const index_t to = row_of(target.first), from = row_of(source.first);
    const T* coupling = static_cast<const T*>(factors_.data) +
                        (w.transposed ? from : to) * factors_.row_step() +
                        (w.transposed ? to : from) * factors_.column_step();
    multiply(blas_.get(), product<T>{.rows = row_of(target.last) - to,
                                     .columns = b.columns,
                                     .inner = row_of(source.last) - from,
                                     .alpha = -1,
                                     .a = {coupling, factors_.leading, w.transposed != factors_.row_major()},
                                     .b = {b.solution + from, b.leading},
                                     .beta = 1,
                                     .c = b.work + to,
                                     .leading = b.leading});
}

template <class T>
void triangles<T>::recurse(const right_sides<T>& b, const way& w, range blocks) const {
    const index_t count = blocks.last - blocks.first;
    if (count <= 0) return;
    if (count == 1) return apply_inverse(b, w, blocks.first);
    const index_t middle = blocks.first + (count + 1) / 2;
    const range upper{blocks.first, middle}, lower{middle, blocks.last};
    const range& first = w.forward() ? upper : lower;
    const range& second = w.forward() ? lower : upper;
    recurse(b, w, first);
    update(b, w, second, first);
    recurse(b, w, second);
}

template <class T>
void triangles<T>::solve_lower(const right_sides<T>& b, bool transposed) const {
    const way w{inverses_.data(), false, transposed};
    recurse(b, w, {w.forward() ? b.zero_rows / block_ : 0, blocks_});
}

template <class T>
void triangles<T>::solve_upper(const right_sides<T>& b, bool transposed) const {
    recurse(b, {inverses_.data() + blocks_ * block_ * block_, true, transposed}, {0, blocks_});
}

template class triangles<float>;
template class triangles<double>;

}  // namespace wale::lu
