// gmres - flexible GMRES (Saad 1993) in f64 for several right-hand sides in step, preconditioned by factors
// in a lower precision (Carson and Higham 2018). With one vector a cycle it is classical refinement.
#pragma once

#include <cmath>
#include <vector>
#include "solvers/lu/refined/cuda/iterative/preconditioner.cuh"
#include "solvers/lu/refined/cuda/iterative/vectors.cuh"

namespace wale::lu {

/// The small problem of GMRES for one right-hand side: min |beta e1 - H y|, H upper Hessenberg, kept
/// triangular by Givens rotations as its columns come (Saad and Schultz 1986).
class least_squares {
public:
    explicit least_squares(double beta) : right_{beta} {}

    /// h: the next column of H, as many entries as columns so far, and one below.
    void add_column(std::vector<double> h) {
        const std::size_t k = rotations_.size();
        for (std::size_t i = 0; i < k; ++i) rotations_[i].turn(h[i], h[i + 1]);
        const double length = std::hypot(h[k], h[k + 1]);
        rotation r;
        if (length > 0) r = {h[k] / length, h[k + 1] / length};
        r.turn(h[k], h[k + 1]);
        right_.push_back(0);
        r.turn(right_[k], right_[k + 1]);
        h.resize(k + 1);
        columns_.push_back(h);
        rotations_.push_back(r);
    }
    [[nodiscard]] double residual() const { return std::fabs(right_.back()); }
    [[nodiscard]] std::size_t size() const { return columns_.size(); }
    [[nodiscard]] std::vector<double> solution() const {
        std::vector<double> y(right_.begin(), right_.end() - 1);
        for (std::size_t i = y.size(); i-- > 0;) {
            y[i] = columns_[i][i] == 0 ? 0 : y[i] / columns_[i][i];
            for (std::size_t t = 0; t < i; ++t) y[t] -= columns_[i][t] * y[i];
        }
        return y;
    }

private:
    struct rotation {
        double c = 1, s = 0;
        void turn(double& a, double& b) const {
            const double upper = c * a + s * b;
            b = c * b - s * a;
            a = upper;
        }
    };
    std::vector<std::vector<double>> columns_;
    std::vector<rotation> rotations_;
    std::vector<double> right_;
};

/// A of the job, in f64, times a power of two where its elements are far from 1 (range.hpp), and packed
/// columns of B and X.
class f64_system {
public:
    f64_system(const cuda::context& c, const cuda::blas& blas, const refined_job& job);
    [[nodiscard]] const const_matrices& matrix() const { return a_; }
    [[nodiscard]] int exponent() const { return exponent_; }  // matrix() is 2^-exponent A
    [[nodiscard]] index_t rows() const { return a_.rows; }
    [[nodiscard]] double norm() const { return norm_; }        // infinity norm of A
    [[nodiscard]] double largest() const { return largest_; }  // magnitude of A's elements
    /// y = beta y + alpha A x.
    void multiply(const double* x, double* y, index_t columns, double alpha, double beta) const;

private:
    const cuda::blas& blas_;
    const_matrices a_;
    double largest_;
    int exponent_;
    cuda::scratch<double> copy_;  // empty where exponent_ is 0
    double norm_ = 0;
};

/// Columns that are refined at once.
struct refined_columns {
    const double* b;
    double* x;  // n x columns, packed, like b
    index_t columns;
};

class gmres {
public:
    gmres(const cuda::context& c, const cuda::blas& blas, const f64_system& a, const preconditioner& m,
          const refinement::policy& p, index_t columns);

    /// Sets x; true where every residual came below the aim. `iterations`: solves with the preconditioner, at
    /// most `most`.
    [[nodiscard]] bool solve(const refined_columns& s, int most, int& iterations);
    /// max |b - A x| / (|A| |x| + |b|), of the x that solve() left.
    [[nodiscard]] double backward_error() const { return backward_error_; }

private:
    struct cycle {
        std::vector<least_squares> problems;  // one a column
        std::vector<char> done;
    };
    void begin(const refined_columns& s, cycle& k, const column_norms& residual);
    void extend(const refined_columns& s, cycle& k, int vector);
    [[nodiscard]] double target(std::size_t column) const;  // of the 2-norm of its residual
    void add_correction(const refined_columns& s, const cycle& k) const;
    [[nodiscard]] bool small_enough(const refined_columns& s, column_norms& residual);
    [[nodiscard]] bool hopeless(const cycle& k, const column_norms& before, int left) const;
    [[nodiscard]] double* basis(int vector) const { return basis_.data() + vector * n_ * columns_; }
    [[nodiscard]] double* directions(int vector) const { return directions_.data() + vector * n_ * columns_; }

    const cuda::context& c_;
    const cuda::blas& blas_;
    const f64_system& a_;
    const preconditioner& m_;
    index_t n_, columns_;
    int restart_;
    cuda::scratch<double> basis_, directions_;  // [restart + 1], [restart] blocks of n x columns
    cuda::scratch<double> coefficients_;        // [2][columns][restart + 1]
    cuda::scratch<double> residual_;
    norms_on_device norms_, x_norms_;
    column_norms b_;
    std::vector<double> x_infinity_;  // norms of x's columns, nearly in the first cycle; empty: not known
    double backward_error_ = 0;
};

}  // namespace wale::lu
