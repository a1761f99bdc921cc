// gmres - see gmres.cuh. Each vector costs a solve with the lower factors, a product with A and two passes of
// Gram-Schmidt; the host sees the coefficients once a vector and keeps the small problems.
#include "solvers/lu/refined/cuda/iterative/gmres.cuh"

#include <cmath>

#include "solvers/lu/cuda/copy.cuh"
#include "solvers/lu/refined/shared/range.hpp"

namespace wale::lu {
namespace {

/// GMRES aims lower than what is asked for: its residual is in the 2-norm and known before rounding.
constexpr double margin = 0.25;
/// Vectors after which a cycle that gets nowhere is given up.
constexpr std::size_t vectors_to_judge = 12;

/// The same memory as the transposed matrix.
const_matrices transposed(const_matrices m) {
    m.order = m.row_major() ? storage_order::column_major : storage_order::row_major;
    std::swap(m.rows, m.columns);
    return m;
}

/// A number for one matrix, in memory of the device.
double measured_there(const cuda::context& c, const execution& where, const const_matrices& a, measure what) {
    const cuda::scratch<double> value(c, 1);
    measure_job m{.where = where, .a = a, .what = what, .values = value.data(), .asynchronous = true};
    run_measure(m);
    double found = 0;
    value.to_host(&found);
    return found;
}

}  // namespace

f64_system::f64_system(const cuda::context& c, const cuda::blas& blas, const refined_job& job)
    : blas_(blas),
      a_(job.a),
      largest_(measured_there(c, job.where, a_, measure::max_magnitude)),
      exponent_(is_far(exponent_of(largest_)) ? exponent_of(largest_) : 0),
      copy_(c, exponent_ != 0 ? a_.rows * a_.rows : 0) {
    if (exponent_ != 0) {
        queue_copy(c, permuted_copy<double, double>{
                          elements<double>(job.a), {copy_.data(), 1, a_.rows}, a_.rows, a_.rows});
        queue_ldexp(c, std::vector<int>(static_cast<std::size_t>(a_.rows), -exponent_), a_.rows,
                    copy_.data());
        a_.data = copy_.data();
        a_.order = storage_order::column_major;
        a_.leading = a_.rows;
        largest_ = std::ldexp(largest_, -exponent_);
    }
    norm_ = measured_there(c, job.where, transposed(a_), measure::one_norm);
}

void f64_system::multiply(const double* x, double* y, index_t columns, double alpha, double beta) const {
    lu::multiply(blas_.get(),
                 product<double>{.rows = a_.rows,
                                 .columns = columns,
                                 .inner = a_.rows,
                                 .alpha = alpha,
                                 .a = {static_cast<const double*>(a_.data), a_.leading, a_.row_major()},
                                 .b = {x, a_.rows},
                                 .beta = beta,
                                 .c = y,
                                 .leading = a_.rows});
}

gmres::gmres(const cuda::context& c, const cuda::blas& blas, const f64_system& a, const preconditioner& m,
             const refinement::policy& p, index_t columns)
    : c_(c),
      blas_(blas),
      a_(a),
      m_(m),
      n_(a.rows()),
      columns_(columns),
      restart_(p.restart),
      basis_(c, (restart_ + 1) * n_ * columns),
      directions_(c, restart_ * n_ * columns),
      coefficients_(c, 2 * columns * (restart_ + 1)),
      residual_(c, n_ * columns),
      norms_(c, columns),
      x_norms_(c, columns) {}

bool gmres::solve(const refined_columns& s, int most, int& iterations) {
    const auto bytes = static_cast<std::size_t>(n_ * s.columns) * sizeof(double);
    cuda::check(cudaMemsetAsync(s.x, 0, bytes, c_.stream()));
    cuda::check(cudaMemcpyAsync(residual_.data(), s.b, bytes, cudaMemcpyDeviceToDevice, c_.stream()));
    norms_.queue(s.b, n_, s.columns);
    column_norms residual = b_ = norms_.read();
    int used = 0;
    x_infinity_.clear();
    while (used < most) {
        const column_norms before = residual;
        cycle k;
        begin(s, k, residual);
        for (int v = 0; v < restart_ && used < most; ++v) {
            extend(s, k, v);
            ++used;
            if (hopeless(k, before, most - used)) break;
            if (std::find(k.done.begin(), k.done.end(), 0) == k.done.end()) break;
        }
        iterations = std::max(iterations, used);
        add_correction(s, k);
        if (small_enough(s, residual)) return true;
        for (std::size_t j = 0; j < residual.two.size(); ++j)
            if (residual.two[j] > 0 && !(residual.two[j] <= 0.5 * before.two[j])) return false;
        if (!std::isfinite(backward_error_)) return false;
    }
    return false;
}

/// The first vector is the residual's direction.
void gmres::begin(const refined_columns& s, cycle& k, const column_norms& residual) {
    norms_.queue(residual_.data(), n_, s.columns);
    queue_divide(c_, residual_.data(), norms_.two(), n_, s.columns, basis(0));
    for (const double beta : residual.two) k.problems.emplace_back(beta);
    k.done.assign(residual.two.size(), 0);
}

/// Direction and next vector of every column; what Gram-Schmidt took goes to the small problems.
void gmres::extend(const refined_columns& s, cycle& k, int v) {
    const index_t per_column = restart_ + 1, block_size = s.columns * per_column;
    m_.apply(basis(v), directions(v), s.columns);
    if (x_infinity_.empty()) x_norms_.queue(directions(v), n_, s.columns);
    double* const next = basis(v + 1);
    a_.multiply(directions(v), next, s.columns, 1, 0);
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough (Giraud et al. 2005)
        double* const h = coefficients_.data() + pass * block_size;
        product<double> dot{.rows = v + 1,
                            .columns = 1,
                            .inner = n_,
                            .alpha = 1,
                            .a = {basis(0), n_ * columns_, true, n_},
                            .b = {next, n_, false, n_},
                            .beta = 0,
                            .c = h,
                            .leading = per_column,
                            .stride = per_column,
                            .count = s.columns};
        multiply(blas_.get(), dot);
        product<double> subtract{.rows = n_,
                                 .columns = 1,
                                 .inner = v + 1,
                                 .alpha = -1,
                                 .a = {basis(0), n_ * columns_, false, n_},
                                 .b = {h, per_column, false, per_column},
                                 .beta = 1,
                                 .c = next,
                                 .leading = n_,
                                 .stride = n_,
                                 .count = s.columns};
        multiply(blas_.get(), subtract);
    }
    norms_.queue(next, n_, s.columns);
    queue_divide(c_, next, norms_.two(), n_, s.columns, next);
    std::vector<double> taken(static_cast<std::size_t>(coefficients_.size()));
    coefficients_.to_host(taken.data());
    const std::vector<double> lengths = norms_.read().two;
    if (x_infinity_.empty()) {  // x is about |r| M^-1 r / |r|
        x_infinity_ = x_norms_.read().infinity;
        for (std::size_t j = 0; j < x_infinity_.size(); ++j) x_infinity_[j] *= b_.two[j];
    }
    for (std::size_t j = 0; j < k.problems.size(); ++j) {
        if (k.done[j]) continue;
        std::vector<double> h;
        const std::size_t at = j * static_cast<std::size_t>(per_column);
        for (std::size_t i = 0; i <= static_cast<std::size_t>(v); ++i)
            h.push_back(taken[at + i] + taken[at + i + static_cast<std::size_t>(block_size)]);
        h.push_back(lengths[j]);
        k.problems[j].add_column(std::move(h));
        k.done[j] = k.problems[j].residual() <= target(j);
    }
}

double gmres::target(std::size_t column) const {
    return margin * good_residual(n_, a_.norm()) * x_infinity_[column];
}

/// x += Z y.
void gmres::add_correction(const refined_columns& s, const cycle& k) const {
    const index_t per_column = restart_ + 1;
    std::vector<double> all(static_cast<std::size_t>(s.columns * per_column));
    index_t vectors = 0;
    for (std::size_t j = 0; j < k.problems.size(); ++j) {
        const std::vector<double> y = k.problems[j].solution();
        std::copy(y.begin(), y.end(), all.begin() + static_cast<index_t>(j) * per_column);
        vectors = std::max(vectors, std::ssize(y));
    }
    cuda::check(cudaMemcpyAsync(coefficients_.data(), all.data(), all.size() * sizeof(double),
                                cudaMemcpyHostToDevice, c_.stream()));
    multiply(blas_.get(), product<double>{.rows = n_,
                                          .columns = 1,
                                          .inner = vectors,
                                          .alpha = 1,
                                          .a = {directions(0), n_ * columns_, false, n_},
                                          .b = {coefficients_.data(), per_column, false, per_column},
                                          .beta = 1,
                                          .c = s.x,
                                          .leading = n_,
                                          .stride = n_,
                                          .count = s.columns});
}

/// Whether x is good enough; its residual goes to residual_ and `residual`.
bool gmres::small_enough(const refined_columns& s, column_norms& residual) {
    cuda::check(cudaMemcpyAsync(residual_.data(), s.b,
                                static_cast<std::size_t>(n_ * s.columns) * sizeof(double),
                                cudaMemcpyDeviceToDevice, c_.stream()));
    a_.multiply(s.x, residual_.data(), s.columns, -1, 1);
    norms_.queue(residual_.data(), n_, s.columns);
    x_norms_.queue(s.x, n_, s.columns);
    residual = norms_.read();
    x_infinity_ = x_norms_.read().infinity;
    bool good = true;
    backward_error_ = 0;
    for (std::size_t j = 0; j < x_infinity_.size(); ++j) {
        const double r = residual.infinity[j], scale = a_.norm() * x_infinity_[j] + b_.infinity[j];
        good = good && r <= good_residual(n_, a_.norm()) * x_infinity_[j];
        const double error = r == 0 ? 0 : r / scale;
        if (!(error <= backward_error_)) backward_error_ = error;  // also where NaN
    }
    return good;
}

/// After some vectors: not finite, or at this pace the aim is far beyond what is left.
bool gmres::hopeless(const cycle& k, const column_norms& before, int left) const {
    for (std::size_t j = 0; j < k.problems.size(); ++j) {
        const least_squares& p = k.problems[j];
        if (!std::isfinite(p.residual())) return true;
        if (k.done[j] || p.size() < vectors_to_judge) continue;
        const double gained = std::log(before.two[j] / p.residual()),
                     wanted = std::log(before.two[j] / target(j));
        if (static_cast<double>(p.size()) * (wanted - gained) > 2 * gained * (left + 1)) return true;
    }
    return false;
}

}  // namespace wale::lu
