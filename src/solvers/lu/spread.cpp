// spread - what a part of a batch of matrices takes to its device, and the outcome of all parts.
#include "solvers/lu/spread.hpp"

#include <cmath>

namespace wale::lu {
namespace {

/// Rows of the pivots and of the permutation, by `extent` of each matrix, that a part has.
template <class M, class F>
cuda::part range_of(const batch_of<M>& all, cuda::part p, F&& extent) {
    if (!all.listed()) return {p.first * extent(all.uniform()), p.last * extent(all.uniform())};
    cuda::part range;
    for (index_t i = 0; i < p.last; ++i) (i < p.first ? range.first : range.last) += extent(all[i]);
    range.last += range.first;
    return range;
}

constexpr auto diagonal_of = [](const matrix_shape& m) { return m.diagonal(); };

/// A part of the matrices on its device; `list` holds the views of matrices that each have a shape.
template <class M, class... How>
batch_of<M> part_of(cuda::carrier& c, const batch_of<M>& all, cuda::part p, std::vector<M>& list,
                    const How&... how) {
    if (!all.listed()) return c.part_of(all.uniform(), p, how...);
    for (index_t i = p.first; i < p.last; ++i) list.push_back(c.part_of(all[i], {0, 1}, how...));
    return std::span<const M>(list);
}

/// call(carrier, part) on several devices, matrices split by operations(matrix).
template <class Result, class M, class Work, class Call, class Merge>
Result spread(const on_cuda& devices, const batch_of<M>& all, bool asynchronous, Work&& operations,
              const Call& call, const Merge& merge) {
    if (asynchronous) throw bad_argument("options.asynchronous: does not go with where.devices");
    const auto work = [&](index_t i) { return operations(all[i]); };
    const auto parts = cuda::split_by_work(all.count(), devices.devices.size(), 1, work);
    return cuda::spread<Result>(devices, parts, call, merge);
}

void merge_outcome(lu_result& all, const lu_result& part, index_t first) {
    if (all.first_singular < 0 && part.first_singular >= 0) {
        all.first_singular = first + part.first_singular;
        all.first_zero = part.first_zero;
    }
    all.singular += part.singular;
    all.not_finite += part.not_finite;
    all.perturbed += part.perturbed;
    if (part.growth > all.growth || std::isnan(part.growth)) all.growth = part.growth;
    if (part.reciprocal_condition < all.reciprocal_condition || std::isnan(part.reciprocal_condition))
        all.reciprocal_condition = part.reciprocal_condition;
    all.diverged = all.diverged || part.diverged;
}

constexpr auto square_of_rows = [](const matrix_shape& m) {
    return static_cast<double>(m.rows) * static_cast<double>(m.rows);
};
constexpr auto merge_nothing = [](lu_solve_result&, const lu_solve_result&, index_t) {};

/// Of one matrix the right sides are split; its factors go to every device.
lu_solve_result spread_sides(const on_cuda& devices, const solve_job& job, bool asynchronous,
                             const std::function<lu_solve_result(solve_job&)>& one) {
    if (asynchronous) throw bad_argument("options.asynchronous: does not go with where.devices");
    const const_matrices factors = job.factors[0];
    const matrices b = job.b[0];
    const auto parts = cuda::split_by_work(b.columns, devices.devices.size(), 1, [](index_t) { return 1.0; });
    const auto call = [&](cuda::carrier& c, cuda::part p) {
        matrices own = b;
        own.columns = p.count();
        own.data = static_cast<char*>(b.data) + p.first * b.column_step() * bytes_of(b.type);
        solve_job mine{.where = c.where(),
                       .factors = c.part_of(factors, {0, 1}),
                       .pivots = c.part_of(job.pivots, {0, factors.diagonal()}, cuda::traffic::in),
                       .b = c.part_of(own, {0, 1}, cuda::traffic::both)};
        return one(mine);
    };
    return cuda::spread<lu_solve_result>(devices, parts, call, merge_nothing);
}

}  // namespace

lu_result spread_factor(const on_cuda& devices, const factor_job& job, bool asynchronous, operations work,
                        const std::function<lu_result(factor_job&)>& one) {
    using cuda::traffic;
    const auto call = [&](cuda::carrier& c, cuda::part p) {
        std::vector<matrices> list;
        const cuda::part rows = range_of(job.a, p, [](const matrix_shape& m) { return m.rows; });
        const lu_outputs out{
            .pivots = c.part_of(job.out.pivots, range_of(job.a, p, diagonal_of), traffic::out),
            .permutation = c.part_of(job.out.permutation, rows, traffic::out),
            .first_zero = c.part_of(job.out.first_zero, p, traffic::out),
            .sign = c.part_of(job.out.sign, p, traffic::out, job.is_complex() ? 2 : 1),
            .log_magnitude = c.part_of(job.out.log_magnitude, p, traffic::out)};
        factor_job own{.where = c.where(), .a = part_of(c, job.a, p, list, traffic::both), .out = out};
        return one(own);
    };
    return spread<lu_result>(devices, job.a, asynchronous, work, call, merge_outcome);
}

lu_solve_result spread_solve(const on_cuda& devices, const solve_job& job, bool asynchronous,
                             const std::function<lu_solve_result(solve_job&)>& one) {
    if (job.factors.count() == 1) return spread_sides(devices, job, asynchronous, one);
    const auto call = [&](cuda::carrier& c, cuda::part p) {
        std::vector<const_matrices> factors;
        std::vector<matrices> b;
        const cuda::part pivots = range_of(job.factors, p, diagonal_of);
        solve_job own{.where = c.where(),
                      .factors = part_of(c, job.factors, p, factors),
                      .pivots = c.part_of(job.pivots, pivots, cuda::traffic::in),
                      .b = part_of(c, job.b, p, b, cuda::traffic::both)};
        return one(own);
    };
    return spread<lu_solve_result>(devices, job.factors, asynchronous, square_of_rows, call, merge_nothing);
}

lu_solve_result spread_inverse(const on_cuda& devices, const inverse_job& job, bool asynchronous,
                               operations work, const std::function<lu_solve_result(inverse_job&)>& one) {
    const auto call = [&](cuda::carrier& c, cuda::part p) {
        std::vector<matrices> list;
        const cuda::part pivots = range_of(job.a, p, diagonal_of);
        inverse_job own{.where = c.where(),
                        .a = part_of(c, job.a, p, list, cuda::traffic::both),
                        .pivots = c.part_of(job.pivots, pivots, cuda::traffic::in)};
        return one(own);
    };
    return spread<lu_solve_result>(devices, job.a, asynchronous, work, call, merge_nothing);
}

}  // namespace wale::lu
