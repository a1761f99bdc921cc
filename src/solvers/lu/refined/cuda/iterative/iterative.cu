// iterative - solves to f64 accuracy from factors in a lower precision, and by f64 factors where that does
// not converge.
#include <algorithm>
#include <cmath>
#include <optional>

#include "solvers/lu/cuda/copy.cuh"
#include "solvers/lu/refined/cuda/iterative/gmres.cuh"
#include "solvers/lu/refined/shared/range.hpp"
#include "tuning/override.hpp"

namespace wale::lu {
namespace {

using refinement::policy;

const policy& chosen(const cuda::context& c) {
    return refinement::policies[tuning::choose("lu/refined/iterative", refinement::policies, c.sm(), 8)]
        .policy;
}

/// One call.
class refined_solve {
public:
    explicit refined_solve(refined_job& job)
        : job_(job),
          c_(job.where),
          policy_(chosen(c_)),
          blas_(c_),
          n_(job.a.rows),
          b_(c_, n_ * job.b.columns),
          x_(c_, n_ * job.b.columns) {}

    void run() {
        if (n_ == 0 || job_.b.columns == 0) {
            job_.result->outcome = "nothing to solve";
            if (job_.precision != factor_precision::automatic) job_.result->factored = job_.precision;
            return;
        }
        cuda::timer watch(c_);
        queue_copy(c_, permuted_copy<double, double>{
                           elements<double>(job_.b), {b_.data(), 1, n_}, n_, job_.b.columns});
        const f64_system a(c_, blas_, job_);
        scale_right_sides(a);
        const bool lower = pays() && std::isfinite(a.norm()) && a.largest() > 0;
        if (!lower || !refine(a)) solve_in_f64(a);
        leave_units(a);
        queue_copy(c_, permuted_copy<double, double>{
                           {x_.data(), 1, n_}, elements<double>(job_.x), n_, job_.b.columns});
        job_.result->run.compute_seconds = watch.stop();
    }

private:
    /// The largest magnitude of each column of B comes into [1/2, 1).
    void scale_right_sides(const f64_system& a) {
        std::vector<int> down;
        for (const double largest : infinity_norms(b_.data())) {
            down.push_back(-exponent_of(largest));
            exponents_.push_back(exponent_of(largest) - a.exponent());
        }
        queue_ldexp(c_, down, n_, b_.data());
    }
    /// x in the units of the job; where it is rounded for that, its backward error is taken anew.
    void leave_units(const f64_system& a) {
        const std::vector<double> largest = infinity_norms(x_.data());
        bool exact = true;
        std::vector<int> back;
        for (std::size_t j = 0; j < largest.size(); ++j) {
            exact = exact && keeps_digits(largest[j], exponents_[j]);
            back.push_back(-exponents_[j]);
        }
        queue_ldexp(c_, exponents_, n_, x_.data());
        if (exact) return;
        queue_ldexp(c_, back, n_, x_.data());
        const cuda::scratch<double> residual(c_, b_.size());
        copy_vectors(b_.data(), residual.data());
        a.multiply(x_.data(), residual.data(), job_.b.columns, -1, 1);
        job_.result->backward_error = backward_error(a, residual.data());
        queue_ldexp(c_, exponents_, n_, x_.data());
    }

    [[nodiscard]] bool pays() const {
        if (job_.precision != factor_precision::automatic) return job_.precision != factor_precision::f64;
        return n_ >= policy_.pays_from && n_ >= policy_.pays_rows * job_.b.columns;
    }

    /// By factors in a lower precision; false where some column does not get there.
    bool refine(const f64_system& a) {
        lu_refined_result& r = *job_.result;
        refined_job scaled = job_;
        scaled.a = a.matrix();
        const preconditioner m(scaled, c_, blas_, policy_, a.largest());
        const lower_factors& factors = m.factors();
        r.factored = factors.precision;
        r.run.policy = "factors=" + std::string(name_of(factors.precision)) + " by " + factors.variant +
                       " inverted=" + std::to_string(policy_.inverted);
        tried_ = std::string(name_of(factors.precision)) + " factors ";
        if (!factors.usable) return fail("are singular");
        const index_t width = std::min(policy_.right_sides, job_.b.columns);
        gmres iteration(c_, blas_, a, m, policy_, width);
        r.backward_error = 0;
        for (index_t j = 0; j < job_.b.columns; j += width) {
            const index_t columns = std::min(width, job_.b.columns - j);
            if (!iteration.solve({b_.data() + j * n_, x_.data() + j * n_, columns}, job_.max_iterations,
                                 r.iterations))
                return fail("did not converge in " + std::to_string(r.iterations) + " iterations");
            r.backward_error = std::max(r.backward_error, iteration.backward_error());
        }
        r.outcome = "refined in " + std::to_string(r.iterations) + " iterations from " +
                    name_of(factors.precision) + " factors";
        return true;
    }
    bool fail(const std::string& why) {
        job_.result->fell_back = true;
        tried_ += why + "; ";
        return false;
    }

    /// Factors, solves and takes one step of refinement, all in f64.
    void solve_in_f64(const f64_system& a) {
        lu_refined_result& r = *job_.result;
        const cuda::scratch<double> copy(c_, n_ * n_), residual(c_, n_ * job_.b.columns);
        const cuda::scratch<std::int32_t> pivots(c_, n_);
        const matrices factors(copy.data(), packed(n_)), x(x_.data(), packed(job_.b.columns)),
            rest(residual.data(), packed(job_.b.columns));
        queue_copy(c_,
                   permuted_copy<double, double>{elements<double>(a.matrix()), {copy.data(), 1, n_}, n_, n_});
        lu_result outcome;
        factor_job f{.where = job_.where, .a = factors, .out = {.pivots = pivots.data()}, .result = &outcome};
        run_factor(f, "automatic");
        copy_vectors(b_.data(), x_.data());
        solve_job solve{.where = job_.where,
                        .factors = const_matrices(factors),
                        .pivots = pivots.data(),
                        .b = x,
                        .asynchronous = true};
        run_solve(solve, "automatic");
        copy_vectors(b_.data(), residual.data());
        a.multiply(x_.data(), residual.data(), job_.b.columns, -1, 1);
        solve.b = rest;
        run_solve(solve, "automatic");
        add(residual.data());
        copy_vectors(b_.data(), residual.data());
        a.multiply(x_.data(), residual.data(), job_.b.columns, -1, 1);
        r.backward_error = backward_error(a, residual.data());
        r.factored = factor_precision::f64;
        r.first_zero = outcome.first_zero;
        r.iterations += 1;
        r.run.policy = "factors=float64 by " + outcome.run.variant;
        r.outcome = tried_ + "float64 factors, refined once";
    }
    [[nodiscard]] matrix_shape packed(index_t columns) const {
        matrix_shape s;
        s.order = storage_order::column_major;
        s.rows = s.leading = n_;
        s.columns = columns;
        s.stride = n_ * columns;
        return s;
    }
    void copy_vectors(const double* from, double* to) const {
        cuda::check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(b_.size()) * sizeof(double),
                                    cudaMemcpyDeviceToDevice, c_.stream()));
    }
    void add(const double* correction) const {
        const double one = 1;
        cuda::check(cublasDaxpy_64(blas_.get(), b_.size(), &one, correction, 1, x_.data(), 1));
    }
    [[nodiscard]] std::vector<double> infinity_norms(const double* columns) const {
        norms_on_device norms(c_, job_.b.columns);
        norms.queue(columns, n_, job_.b.columns);
        return norms.read().infinity;
    }
    /// Infinite where A or x is not finite.
    [[nodiscard]] double backward_error(const f64_system& a, const double* residual) const {
        const auto r = infinity_norms(residual), x = infinity_norms(x_.data()), b = infinity_norms(b_.data());
        double worst = std::isfinite(a.norm()) ? 0 : HUGE_VAL;
        for (std::size_t j = 0; j < r.size(); ++j) {
            const double error = r[j] == 0 ? 0 : r[j] / (a.norm() * x[j] + b[j]);
            worst = std::isfinite(error) ? std::max(worst, error) : HUGE_VAL;
        }
        return worst;
    }

    refined_job& job_;
    const cuda::context c_;
    const policy& policy_;
    const cuda::blas blas_;
    index_t n_;
    cuda::scratch<double> b_, x_;  // packed, column-major, in units of their own (range.hpp)
    std::vector<int> exponents_;   // that lead x out of them
    std::string tried_;            // of the outcome: lower factors that were not good enough
};

void refined_iterative(refined_job& job) {
    refined_solve(job).run();
}

}  // namespace

extern constinit const catalogue::row<refined_job> refined_cuda_iterative{
    "cuda/iterative", "factors in a lower precision, GMRES in f64, f64 factors where it fails",
    refined_iterative};

}  // namespace wale::lu
