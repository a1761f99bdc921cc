// vectors - norms of the columns of a block of vectors, column-major in f64, and their scaling.
#pragma once

#include <vector>

#include "cuda/stream.cuh"

namespace wale::lu {

struct column_norms {
    std::vector<double> two, infinity;
};

/// Norms of `columns` vectors of `rows` entries each, `rows` apart.
class norms_on_device {
public:
    norms_on_device(const cuda::context& c, index_t columns) : c_(c), norms_(c, 2 * columns) {}
    void queue(const double* x, index_t rows, index_t columns);
    /// Of the vectors last queued; waits.
    [[nodiscard]] column_norms read() const;
    [[nodiscard]] const double* two() const { return norms_.data(); }

private:
    const cuda::context& c_;
    cuda::scratch<double> norms_;  // 2-norms, then infinity norms
    index_t columns_ = 0;
};

/// to(:, j) = x(:, j) / by[j], or 0 where by[j] is 0.
void queue_divide(const cuda::context& c, const double* x, const double* by, index_t rows, index_t columns,
                  double* to);

/// x(:, j) = ldexp(x(:, j), exponents[j]), in place; exponents on the host.
void queue_ldexp(const cuda::context& c, const std::vector<int>& exponents, index_t rows, double* x);

}  // namespace wale::lu
