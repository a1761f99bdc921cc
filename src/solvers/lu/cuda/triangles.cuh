// triangles - solves with L and U of one large matrix: their diagonal blocks are inverted once, so that all
// that remains are products. Du Croz and Higham (1992) judge the stability of that.
#pragma once

#include "cuda/blas.cuh"
#include "solvers/lu/problem.hpp"

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

template <class T>
void multiply(cublasHandle_t h, const product<T>& p) {
    using of = cuda::blas_of<T>;
    if (p.rows == 0 || p.columns == 0) return;
    if (is_vector(p))
        return cuda::check(of::gemvs(
            h, p.a.op(), p.a.transposed ? p.inner : p.rows, p.a.transposed ? p.rows : p.inner, &p.alpha,
            p.a.data, p.a.leading, p.a.stride, p.b.data, 1, p.b.stride, &p.beta, p.c, 1, p.stride, p.count));
    cuda::check(of::gemms(h, p.a.op(), p.b.op(), p.rows, p.columns, p.inner, &p.alpha, p.a.data, p.a.leading,
                          p.a.stride, p.b.data, p.b.leading, p.b.stride, &p.beta, p.c, p.leading, p.stride,
                          p.count));
}

/// Right-hand sides, column-major: `work` is read and spoilt, the solution goes to `solution`.
template <class T>
struct right_sides {
    T* work;
    T* solution;
    index_t leading, columns;
    index_t zero_rows = 0;  // leading rows of `work` that are 0: L's solution is 0 there and not written
};

template <class T>
class triangles {
public:
    /// Queues the inversions. `inverted`: rows of a block, as in triangular::policy.
    triangles(const cuda::context& c, const cuda::blas& blas, const const_matrices& factors,
              index_t inverted);

    void solve_lower(const right_sides<T>& b, bool transposed) const;  // L x = b or L^T x = b
    void solve_upper(const right_sides<T>& b, bool transposed) const;  // U x = b or U^T x = b
    [[nodiscard]] index_t block() const { return block_; }

private:
    struct way {
        const T* inverses;  // of L's blocks or of the transposed of U's
        bool upper;         // which triangle of the factors
        bool transposed;
        [[nodiscard]] bool forward() const { return upper == transposed; }
    };
    struct range {
        index_t first, last;  // blocks
    };
    void recurse(const right_sides<T>& b, const way& w, range blocks) const;
    void apply_inverse(const right_sides<T>& b, const way& w, index_t number) const;
    void update(const right_sides<T>& b, const way& w, range target, range source) const;
    void double_inverses(T* blocks, index_t half) const;
    [[nodiscard]] index_t row_of(index_t block) const { return std::min(factors_.rows, block * block_); }

    const cuda::blas& blas_;
    const_matrices factors_;
    index_t block_, blocks_;
    cuda::scratch<T> inverses_;  // [2][blocks_][block_ x block_]: L's, then U's transposed; lower triangles
};

}  // namespace wale::lu
