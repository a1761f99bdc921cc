// preconditioner - factors of a system in a lower precision, and solves with them for f64 vectors.
#pragma once

#include "cuda/blas.cuh"
#include "solvers/lu/cuda/triangles.cuh"
#include "solvers/lu/refined/cuda/iterative/tuning.hpp"

namespace wale::lu {

/// What became of a factorisation in a lower precision.
struct lower_factors {
    factor_precision precision;  // what really ran
    bool usable;                 // no zero pivot, all finite
    std::string variant;
};

class preconditioner {
public:
    /// Factors A, whose largest magnitude is `largest`, in `precision`. Waits for the outcome.
    preconditioner(const refined_job& job, const cuda::context& c, const cuda::blas& blas,
                   const refinement::policy& p, double largest);
    [[nodiscard]] const lower_factors& factors() const { return outcome_; }
    /// z = A^-1 v, nearly; both n x columns and packed.
    void apply(const double* v, double* z, index_t columns) const;

private:
    [[nodiscard]] matrix_shape shape() const;
    [[nodiscard]] lower_factors factor(const refined_job& job);

    const cuda::context& c_;
    index_t n_, leading_;  // leading: of the factors, so that columns begin at whole lines
    double scale_;         // a power of two: what was factored is scale * A, of magnitudes near 1
    cuda::scratch<float> a_, work_, solution_;
    cuda::scratch<std::int32_t> pivots_, from_;
    lower_factors outcome_;
    triangles<float> triangles_;
};

}  // namespace wale::lu
