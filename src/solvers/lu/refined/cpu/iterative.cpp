// iterative - factors in f32, then classical refinement in f64 of all right-hand sides at once (Langou et
// al. 2006); what does not converge is done again from factors in f64. Scaled by powers of two (units.hpp),
// and once more on the way down, so that neither the range of f64 nor that of f32 is a limit.
#include <cmath>
#include <optional>
#include <string>

#include "cpu/instruction_set.hpp"
#include "solvers/lu/cpu/copy.hpp"
#include "solvers/lu/cpu/scratch.hpp"
#include "solvers/lu/inspect/shared/measures.hpp"
#include "solvers/lu/inspect/shared/tuning.hpp"
#include "solvers/lu/problem.hpp"
#include "solvers/lu/refined/shared/units.hpp"

namespace wale::lu {
namespace {

constexpr index_t rows_a_task = 128;

/// The power of two that brings `largest` into [1/2, 1), or a residual that is nothing beside b nearer to it.
double power_below(double largest) {
    return std::ldexp(1.0, -std::clamp(exponent_of(largest), -1000, 1000));
}

/// What both precisions share: x, its residual, and how good it is.
class refinement {
public:
    refinement(const refined_job& job)
        : job_(job),
          n_(job.a.rows),
          columns_(job.b.columns),
          threads_(cpu::team_size(std::get<on_cpu>(job.where).threads,
                                  useful_threads(static_cast<double>(n_) * static_cast<double>(n_)))),
          units_(job, threads_),
          residual_(static_cast<std::size_t>(n_ * columns_)) {}

    struct quality {
        double worst = 0;           // of |r| / (good_residual |x|): good up to 1
        double backward_error = 0;  // of |r| / (|A| |x| + |b|)
    };

    /// r <- b - A x, and the quality of x.
    quality assess() {
        const block<const double> a = this->a();
        for_tasks<double>(threads_, tasks(), [&](index_t t, scratch<double>&) {
            const index_t first = t * rows_a_task, rows = std::min(rows_a_task, n_ - first);
            copy_block<double>(units_.b().from(first, 0), residual().from(first, 0), rows, columns_);
            cpu::blas::subtract_product<double>(residual().from(first, 0), a.from(first, 0), x(),
                                                {rows, columns_, n_});
        });
        quality q;
        const double limit = good_residual(n_, units_.norm());
        for (index_t j = 0; j < columns_; ++j) {
            const double r = largest_of_column(residual(), j, n_), size = largest_of_column(x(), j, n_),
                         right = largest_of_column(units_.b(), j, n_);
            if (r == 0) continue;
            q.worst = larger(q.worst, r / (limit * size));
            q.backward_error = larger(q.backward_error, r / (units_.norm() * size + right));
        }
        // An infinite norm would make every residual look small.
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        return std::isfinite(units_.norm()) ? q : quality{nan, nan};
    }

    /// Factors A in T; nothing where a pivot is 0 or not finite, unless `anyway`.
    template <class T>
    bool factor(bool anyway) {
        const index_t pitch = n_ + 8;  // of no power of two
        down_ = sizeof(T) == sizeof(double) ? 1 : power_below(units_.largest());
        const block<const double> a = this->a();
        const block<T> f{memory<T>().take(n_ * pitch), pitch, a.order};
        for_tasks<double>(threads_, tasks(), [&](index_t t, scratch<double>&) {
            for (index_t l = t * rows_a_task; l < std::min((t + 1) * rows_a_task, n_); ++l)
                for (index_t i = 0; i < n_; ++i)
                    f.data[l * pitch + i] = static_cast<T>(a.data[l * a.leading + i] * down_);
        });
        factors_ = units_.a();
        factors_.type = scalar_of<T>::value;
        factors_.leading = pitch;
        factors_.data = f.data;
        pivots_.resize(static_cast<std::size_t>(n_));
        lu_result outcome;
        factor_job now{.where = job_.where,
                       .a = matrices(f.data, factors_),
                       .out = {.pivots = pivots_.data()},
                       .result = &outcome};
        run_factor(now, "automatic");
        first_zero_ = outcome.first_zero;
        return anyway || (outcome.singular == 0 && outcome.not_finite == 0);
    }

    /// x <- x + A^-1 r, or A^-1 r at first, by the factors in T.
    template <class T>
    void correct(bool first) {
        double most = 0;
        for (const double r : residual_) most = larger(most, std::fabs(r));
        const double scale = sizeof(T) == sizeof(double) ? 1 : power_below(most);
        std::vector<T> right(residual_.size());
        for (std::size_t i = 0; i < right.size(); ++i) right[i] = static_cast<T>(residual_[i] * scale);
        solve_job now{.where = job_.where,
                      .factors = factors_,
                      .pivots = pivots_.data(),
                      .b = matrices(view<T, 2>(right.data(), {n_, columns_}))};
        run_solve(now, "automatic");
        for (index_t i = 0; i < n_; ++i)
            for (index_t j = 0; j < columns_; ++j) {
                const double d = static_cast<double>(right[static_cast<std::size_t>(i * columns_ + j)]);
                x()(i, j) = first ? d / scale * down_ : x()(i, j) + d / scale * down_;
            }
    }
    void start() { copy_block<double>(units_.b(), residual(), n_, columns_); }
    /// x in the units of the job; where it is rounded for that, its backward error is taken anew.
    void finish(lu_refined_result& result) {
        const bool exact = units_.can_leave(x());
        units_.leave(x());
        if (exact) return;
        units_.enter(x());
        result.backward_error = assess().backward_error;
        units_.leave(x());
    }
    [[nodiscard]] index_t first_zero() const { return first_zero_; }
    [[nodiscard]] int threads() const { return threads_; }

private:
    [[nodiscard]] index_t tasks() const { return (n_ + rows_a_task - 1) / rows_a_task; }
    block<double> residual() { return {residual_.data(), columns_, storage_order::row_major}; }
    [[nodiscard]] block<double> x() const {
        return {static_cast<double*>(job_.x.data), job_.x.leading, job_.x.order};
    }
    [[nodiscard]] block<const double> a() const {
        return {static_cast<const double*>(units_.a().data), units_.a().leading, units_.a().order};
    }
    template <class T>
    scratch<T>& memory() {
        if constexpr (sizeof(T) == sizeof(float))
            return low_;
        else
            return high_;
    }

    const refined_job& job_;
    index_t n_, columns_;
    int threads_;
    units units_;
    std::vector<double> residual_;  // row-major
    scratch<float> low_;
    scratch<double> high_;
    const_matrices factors_;
    double down_ = 1;  // the factors are those of down_ times A in its units
    std::vector<std::int32_t> pivots_;
    index_t first_zero_ = -1;
};

/// Steps that it took; none if it does not get there.
std::optional<int> refine_from_f32(refinement& r, refined_job& job) {
    r.start();
    if (!r.factor<float>(false)) return std::nullopt;
    r.correct<float>(true);
    double before = std::numeric_limits<double>::infinity();
    for (int step = 0;; ++step) {
        const refinement::quality q = r.assess();
        job.result->backward_error = q.backward_error;
        if (q.worst <= 1) return step;
        // A step that gains less than a bit gets nowhere.
        if (step == job.max_iterations || !(q.worst < before / 2)) return std::nullopt;
        before = q.worst;
        r.correct<float>(false);
    }
}

void refine_from_f64(refinement& r, refined_job& job) {
    r.start();
    (void)r.factor<double>(true);
    r.correct<double>(true);
    job.result->backward_error = r.assess().backward_error;
    job.result->iterations = 0;
    if (job.max_iterations > 0) {
        r.correct<double>(false);
        job.result->backward_error = r.assess().backward_error;
        job.result->iterations = 1;
    }
    job.result->first_zero = r.first_zero();
    job.result->factored = factor_precision::f64;
}

std::string refuses_tensor_precision(const refined_job& job) {
    const bool tensor = job.precision == factor_precision::f16 || job.precision == factor_precision::tf32;
    return tensor ? std::string("factors in float32 or float64, not in ") + name_of(job.precision)
                  : std::string();
}

void refined_iterative(refined_job& job) {
    refinement r(job);
    lu_refined_result& result = *job.result;
    result.run.threads = r.threads();
    result.run.device = cpu::instruction_set();
    if (job.precision != factor_precision::f64) {
        if (const std::optional<int> steps = refine_from_f32(r, job)) {
            r.finish(result);
            result.factored = factor_precision::f32;
            result.iterations = *steps;
            result.outcome = "refined in " + std::to_string(*steps) +
                             (*steps == 1 ? " iteration" : " iterations") + " from float32 factors";
            return;
        }
        result.fell_back = true;
    }
    refine_from_f64(r, job);
    r.finish(result);
    result.outcome = std::string(result.fell_back ? "float32 factors did not converge; " : "") +
                     "float64 factors, refined " + (result.iterations == 1 ? "once" : "never");
}

}  // namespace

extern constinit const catalogue::row<refined_job> refined_cpu_iterative{
    "cpu/iterative", "f32 factors, refinement in f64, f64 factors where that fails", refined_iterative,
    refuses_tensor_precision};

}  // namespace wale::lu
