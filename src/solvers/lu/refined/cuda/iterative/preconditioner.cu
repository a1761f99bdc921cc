// preconditioner - A is scaled by a power of two, so that neither f32 nor f16 over- or underflows for it.
#include "solvers/lu/refined/cuda/iterative/preconditioner.cuh"

#include <cmath>

#include "solvers/lu/cuda/copy.cuh"
#include "solvers/lu/cuda/finish.cuh"
#include "solvers/lu/factor/cuda/lookahead/lookahead.hpp"

namespace wale::lu {
namespace {

/// Pairs of halves have the digits of f32 at the speed of the tensor units.
constexpr factor_precision lowest_that_pays = factor_precision::f16;

/// Factors job.a (f32) with partial pivoting; the products of the trailing matrix in `wanted`. Returns what
/// ran: f32 where the device or the size allows no lower precision. Sets job.result->run.variant.
factor_precision factor_lower(factor_job& job, factor_precision wanted) {
    const bool lower = wanted == factor_precision::f16 || wanted == factor_precision::tf32;
    if (!lower || !refuses_lookahead(job).empty()) {
        run_factor(job, "automatic");
        return factor_precision::f32;
    }
    factor_pivoted(job, wanted == factor_precision::f16 ? trailing_products::f16 : trailing_products::tf32);
    job.result->run.variant = "cuda/lookahead";
    return wanted;
}

}  // namespace

preconditioner::preconditioner(const refined_job& job, const cuda::context& c, const cuda::blas& blas,
                               const refinement::policy& p, double largest)
    : c_(c),
      n_(job.a.rows),
      leading_((n_ + 31) / 32 * 32),
      scale_(std::ldexp(1.0, -std::clamp(std::ilogb(largest), -1000, 1000))),
      a_(c, leading_ * n_),
      work_(c, n_ * std::min(p.right_sides, job.b.columns)),
      solution_(c, work_.size()),
      pivots_(c, n_),
      from_(c, n_),
      outcome_(factor(job)),
      triangles_(c, blas, {a_.data(), shape()}, p.inverted) {}

matrix_shape preconditioner::shape() const {
    matrix_shape s;
    s.type = scalar::f32;
    s.order = storage_order::column_major;
    s.rows = s.columns = n_;
    s.leading = leading_;
    s.stride = leading_ * n_;
    return s;
}

lower_factors preconditioner::factor(const refined_job& job) {
    queue_copy(c_, permuted_copy<double, float>{.from = elements<double>(job.a),
                                                .to = {a_.data(), 1, leading_},
                                                .rows = n_,
                                                .columns = n_,
                                                .scale = scale_});
    lu_result result;
    factor_job f{.where = job.where,
                 .a = matrices(a_.data(), shape()),
                 .out = {.pivots = pivots_.data(), .permutation = from_.data()},
                 .result = &result};
    const bool automatic = job.precision == factor_precision::automatic;
    const factor_precision ran = factor_lower(f, automatic ? lowest_that_pays : job.precision);
    return {ran, result.singular == 0 && result.not_finite == 0, result.run.variant};
}

void preconditioner::apply(const double* v, double* z, index_t columns) const {
    const strided<float> work{work_.data(), 1, n_};
    queue_copy(c_,
               permuted_copy<double, float>{
                   .from = {v, 1, n_}, .to = work, .rows = n_, .columns = columns, .from_row = from_.data()});
    triangles_.solve_lower({work_.data(), solution_.data(), n_, columns}, false);
    triangles_.solve_upper({solution_.data(), work_.data(), n_, columns}, false);
    queue_copy(c_, permuted_copy<float, double>{.from = {work_.data(), 1, n_},
                                                .to = {z, 1, n_},
                                                .rows = n_,
                                                .columns = columns,
                                                .scale = scale_});
}

}  // namespace wale::lu
