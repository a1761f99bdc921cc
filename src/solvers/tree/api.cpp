// api - checks arguments, selects variants, runs them, reports.
#include <wale/shared_systems.hpp>

#include "base/argument.hpp"
#include "base/enumerator.hpp"
#include "cuda/call_memory.hpp"
#include "cuda/reachable.hpp"
#include "solvers/tree/chains/cpu/partition/runs.hpp"
#include "solvers/tree/check.hpp"
#include "solvers/tree/named_rows.hpp"
#include "solvers/tree/problem.hpp"
#include "solvers/tree/spread.hpp"
#include "solvers/tree/topology.hpp"
#include "variants/run.hpp"

namespace wale {
namespace tree {
namespace {

void check_pivoting(wale::pivoting p) {
    base::check_enumerator("options", "pivoting", p, pivoting::tournament);
    if (p == pivoting::tournament) base::refuse("options.pivoting", "is tournament", "none or partial");
}

double bytes_of_all(const vector_shape& v) {
    return static_cast<double>(v.elements()) * static_cast<double>(bytes_of(v.type));
}

chain_job checked_job(const execution& where, const const_vectors& lower, const const_vectors& diagonal,
                      const const_vectors& upper, const const_vectors& rhs, const vectors& solution,
                      const tridiagonal_options& o) {
    check_vectors(where, "lower", lower, o.overwrite);
    check_vectors(where, "diagonal", diagonal, o.overwrite);
    check_vectors(where, "upper", upper, o.overwrite);
    check_vectors(where, "rhs", rhs, false);
    check_vectors(where, "solution", solution, true, rhs.data);
    check_pivoting(o.pivoting);
    chain_job job{.where = where,
                  .a = {lower, diagonal, upper, o.periodic, o.transposed},
                  .rhs = rhs,
                  .solution = solution,
                  .pivoting = o.pivoting,
                  .overwrite = o.overwrite,
                  .asynchronous = o.asynchronous,
                  .status = o.status};
    check_chains(job.a);
    check_alike("solution", solution, "rhs", rhs);
    check_right_sides(job.a, rhs);
    check_apart("solution", solution, "rhs", rhs, true);
    for (const auto& [name, v] : {std::pair<const char*, const const_vectors&>{"lower", lower},
                                  {"diagonal", diagonal},
                                  {"upper", upper}})
        check_apart("solution", solution, name, v, false);
    if (o.status) cuda::check_reachable(where, "options.status", o.status, diagonal.count);
    return job;
}

/// Of trees; all vectors are alike.
void check_real(const vector_shape& rhs) {
    if (is_complex(rhs.type))
        base::refuse("rhs", std::string("is ") + name_of(rhs.type), "float32 or float64");
}

/// A plan that was moved from has no nodes.
const topology& topology_of(const hines_plan& plan) {
    static const topology none({}, false);
    return plan.size() == 0 ? none : plan.topology();
}

void check_nodes(const hines_plan& plan, const vector_shape& rhs) {
    if (rhs.size != plan.size())
        base::refuse("rhs", "has size " + std::to_string(rhs.size),
                     "the plan's " + std::to_string(plan.size()) + " nodes");
}

hines_job checked_hines(const execution& where, const hines_plan& plan, const const_vectors& rhs,
                        const vectors& solution) {
    check_vectors(where, "rhs", rhs, false);
    check_vectors(where, "solution", solution, true, rhs.data);
    check_alike("solution", solution, "rhs", rhs);
    check_real(rhs);
    check_apart("solution", solution, "rhs", rhs, true);
    if (rhs.ragged()) base::refuse("rhs", "has starts", "a forest's plan for trees of several forms");
    check_nodes(plan, rhs);
    hines_job job;
    job.where = where;
    job.tree = &topology_of(plan);
    job.rhs = rhs;
    job.solution = solution;
    return job;
}

void set_coefficients(hines_job& job, const const_vectors& diagonal, const const_vectors& upper,
                      const const_vectors& lower, bool transposed) {
    for (const auto& [name, v] : {std::pair<const char*, const const_vectors&>{"diagonal", diagonal},
                                  {"upper", upper},
                                  {"lower", lower}}) {
        check_vectors(job.where, name, v, false);
        check_alike(name, v, "rhs", job.rhs);
        if (job.solution.data) check_apart("solution", job.solution, name, v, false);
    }
    job.diagonal = diagonal;
    job.upper = transposed ? lower : upper;
    job.lower = transposed ? upper : lower;
}

template <class Job>
double run_residual(const catalogue::table<Job>& all, Job& job) {
    catalogue::chosen(all, "automatic", job).run(job);
    return job.residual;
}

}  // namespace
}  // namespace tree

tridiagonal_result tridiagonal_solve(const execution& where, const const_vectors& lower,
                                     const const_vectors& diagonal, const const_vectors& upper,
                                     const const_vectors& rhs, const vectors& solution,
                                     const tridiagonal_options& options) {
    using namespace tree;
    chain_job job = checked_job(where, lower, diagonal, upper, rhs, solution, options);
    if (const on_cuda* devices = cuda::several(where)) return spread_chains(*devices, job, options);
    tridiagonal_result result;
    job.result = &result;
    result.run.work = static_cast<double>(rhs.elements());
    result.run.bytes = 3 * bytes_of_all(diagonal) + 2 * bytes_of_all(rhs);
    catalogue::run(chain_rows(), options.variant, job, result.run);
    name_rows(job);
    return result;
}

tridiagonal_result tridiagonal_solve(const execution& where, const const_vectors& lower,
                                     const const_vectors& diagonal, const const_vectors& upper,
                                     const vectors& rhs, const tridiagonal_options& options) {
    return tridiagonal_solve(where, lower, diagonal, upper, rhs, rhs, options);
}

tridiagonal_result tridiagonal_solve(const ranks& group, const on_cpu& where, const const_vectors& lower,
                                     const const_vectors& diagonal, const const_vectors& upper,
                                     const const_vectors& rhs, const vectors& solution,
                                     const tridiagonal_options& options) {
    using namespace tree;
    if (group.empty()) return tridiagonal_solve(where, lower, diagonal, upper, rhs, solution, options);
    chain_job job = checked_job(where, lower, diagonal, upper, rhs, solution, options);
    base::check_threads(job.where);
    if (diagonal.count != 1 || rhs.count != 1)
        base::refuse(
            "diagonal",
            "has " + base::text(diagonal.count) + " systems and " + base::text(rhs.count) + " right sides",
            "rows of one system");
    if (diagonal.step() != 1 || rhs.step() != 1) base::refuse("diagonal", "is not flat", "flat vectors");
    if (options.transposed)
        throw unsupported_variant("cpu/partition: solves no transposed systems of several ranks");
    if (options.variant != "automatic" && !catalogue::names("cpu/partition", options.variant))
        throw unsupported_variant(options.variant + ": computes on one rank only, expected cpu/partition");
    tridiagonal_result result;
    job.result = &result;
    result.run.variant = "cpu/partition";
    result.run.work = static_cast<double>(rhs.elements());
    result.run.bytes = 3 * bytes_of_all(diagonal) + 2 * bytes_of_all(rhs);
    const base::stopwatch watch;
    partition::solve_shared(job, group);
    result.run.compute_seconds = watch.seconds();
    return result;
}

std::string tridiagonal_variant(const execution& where, const const_vectors& lower,
                                const const_vectors& diagonal, const const_vectors& upper,
                                const const_vectors& rhs, const vectors& solution,
                                const tridiagonal_options& options) {
    using namespace tree;
    const chain_job job = checked_job(where, lower, diagonal, upper, rhs, solution, options);
    return catalogue::chosen(chain_rows(), options.variant, job).name;
}

index_t tridiagonal_workspace(const execution& where, const const_vectors& lower,
                              const const_vectors& diagonal, const const_vectors& upper,
                              const const_vectors& rhs, const vectors& solution,
                              const tridiagonal_options& options) {
    using namespace tree;
    chain_job job = checked_job(where, lower, diagonal, upper, rhs, solution, options);
    tridiagonal_result result;
    index_t bytes = 0;
    job.result = &result;
    job.workspace = &bytes;
    catalogue::chosen(chain_rows(), options.variant, job).run(job);
    return bytes;
}

double tridiagonal_residual(const execution& where, const const_vectors& lower, const const_vectors& diagonal,
                            const const_vectors& upper, const const_vectors& rhs,
                            const const_vectors& solution, const tridiagonal_options& options) {
    using namespace tree;
    for (const auto& [name, v] : {std::pair<const char*, const const_vectors&>{"lower", lower},
                                  {"diagonal", diagonal},
                                  {"upper", upper},
                                  {"rhs", rhs},
                                  {"solution", solution}})
        check_vectors(where, name, v, false);
    chain_residual_job job{.where = where,
                           .a = {lower, diagonal, upper, options.periodic, options.transposed},
                           .rhs = rhs,
                           .solution = solution};
    check_chains(job.a);
    check_alike("solution", solution, "rhs", rhs);
    check_right_sides(job.a, rhs);
    return run_residual(chain_residual_rows(), job);
}

tridiagonal_factors::tridiagonal_factors(const execution& where, const const_vectors& lower,
                                         const const_vectors& diagonal, const const_vectors& upper,
                                         const tridiagonal_options& options) {
    using namespace tree;
    check_vectors(where, "lower", lower, false);
    check_vectors(where, "diagonal", diagonal, false);
    check_vectors(where, "upper", upper, false);
    check_pivoting(options.pivoting);
    auto factors = std::make_shared<chain_factors>();
    chain_factor_job job{.where = where,
                         .a = {lower, diagonal, upper, options.periodic, false},
                         .pivoting = options.pivoting,
                         .status = options.status,
                         .factors = factors.get(),
                         .result = &factors->result};
    check_chains(job.a);
    if (options.status) cuda::check_reachable(where, "options.status", options.status, diagonal.count);
    factors->where = where;
    factors->size = diagonal.size;
    factors->systems = diagonal.count;
    factors->shape = diagonal;
    factors->starts.assign(diagonal.starts.begin(), diagonal.starts.end());
    factors->shape.starts = factors->starts;
    factors->result.run.work = static_cast<double>(diagonal.elements());
    catalogue::run(chain_factor_rows(), options.variant, job, factors->result.run);
    factors_ = factors;
}

const tridiagonal_result& tridiagonal_factors::result() const noexcept {
    static const tridiagonal_result moved_from;
    return factors_ ? factors_->result : moved_from;
}

index_t tridiagonal_factors::bytes() const noexcept {
    return factors_ ? factors_->bytes : 0;
}

tridiagonal_result tridiagonal_factors::solve(const vectors& rhs, const tridiagonal_options& options) const {
    using namespace tree;
    if (!factors_) base::refuse("factors", "were moved from", "factors of a matrix");
    const chain_factors& f = *factors_;
    check_vectors(f.where, "rhs", rhs, true);
    chain_matrix shape_only;
    shape_only.diagonal = const_vectors(nullptr, f.shape);
    check_right_sides(shape_only, rhs);
    tridiagonal_result result;
    result.run.variant = f.result.run.variant;
    result.run.work = static_cast<double>(rhs.elements());
    const base::stopwatch watch;
    f.solve(f, rhs, options.transposed, options.asynchronous, result);
    if (result.run.compute_seconds == 0) result.run.compute_seconds = watch.seconds();
    return result;
}

hines_plan::hines_plan(std::span<const std::int32_t> parent, const hines_plan_options& options)
    : topology_(std::make_shared<const tree::topology>(parent, options.forest)) {}

index_t hines_plan::size() const noexcept {
    return topology_ ? topology_->size() : 0;
}
index_t hines_plan::trees() const noexcept {
    return topology_ ? std::ssize(topology_->roots) : 0;
}
index_t hines_plan::branches() const noexcept {
    return topology_ ? topology_->branches : 0;
}
index_t hines_plan::depth() const noexcept {
    return topology_ ? topology_->depth : 0;
}
bool hines_plan::depth_first() const noexcept {
    return topology_ && topology_->depth_first;
}

hines_result hines_solve(const execution& where, const hines_plan& plan, const const_vectors& diagonal,
                         const const_vectors& upper, const const_vectors& lower, const const_vectors& rhs,
                         const vectors& solution, const hines_options& options) {
    using namespace tree;
    hines_job job = checked_hines(where, plan, rhs, solution);
    set_coefficients(job, diagonal, upper, lower, options.transposed);
    if (options.eliminated.data) {
        check_vectors(where, "options.eliminated", options.eliminated, true);
        check_alike("options.eliminated", options.eliminated, "rhs", rhs);
        check_apart("options.eliminated", options.eliminated, "solution", solution, false);
        check_apart("options.eliminated", options.eliminated, "rhs", rhs, false);
    }
    if (options.status) cuda::check_reachable(where, "options.status", options.status, rhs.count);
    bool spent = false;  // the eliminated diagonal takes the place of what it is made of
    for (const const_vectors* v : {&diagonal, &upper, &lower})
        spent |= options.eliminated.data &&
                 (v->layout == vector_layout::unified ? options.eliminated.data == v->data
                                                      : overlap(options.eliminated, *v));
    hines_result result;
    job.eliminated = options.eliminated;
    job.asynchronous = options.asynchronous;
    job.status = options.status;
    if (const on_cuda* devices = cuda::several(where)) return spread_hines(*devices, plan, job, options);
    job.result = &result;
    result.run.work = static_cast<double>(rhs.elements());
    result.run.bytes = (job.symmetric() ? 4 : 5) * bytes_of_all(rhs);
    catalogue::run(hines_rows(), options.variant, job, result.run);
    if (!spent) name_nodes(job);
    return result;
}

std::string hines_variant(const execution& where, const hines_plan& plan, const const_vectors& diagonal,
                          const const_vectors& upper, const const_vectors& lower, const const_vectors& rhs,
                          const vectors& solution, const hines_options& options) {
    using namespace tree;
    hines_job job = checked_hines(where, plan, rhs, solution);
    set_coefficients(job, diagonal, upper, lower, options.transposed);
    job.eliminated = options.eliminated;
    return catalogue::chosen(hines_rows(), options.variant, job).name;
}

hines_result hines_solve(const execution& where, const hines_plan& plan, const const_vectors& diagonal,
                         const const_vectors& upper, const const_vectors& lower, const vectors& rhs,
                         const hines_options& options) {
    return hines_solve(where, plan, diagonal, upper, lower, rhs, rhs, options);
}

hines_result hines_solve(const execution& where, std::span<const std::int32_t> parent,
                         const const_vectors& diagonal, const const_vectors& upper,
                         const const_vectors& lower, const vectors& rhs, const hines_options& options) {
    return hines_solve(where, hines_plan(parent), diagonal, upper, lower, rhs, rhs, options);
}

double hines_residual(const execution& where, const hines_plan& plan, const const_vectors& diagonal,
                      const const_vectors& upper, const const_vectors& lower, const const_vectors& rhs,
                      const const_vectors& solution, bool transposed) {
    using namespace tree;
    hines_job job;
    job.where = where;
    job.rhs = rhs;
    check_vectors(where, "rhs", rhs, false);
    check_vectors(where, "solution", solution, false);
    check_alike("solution", solution, "rhs", rhs);
    check_real(rhs);
    set_coefficients(job, diagonal, upper, lower, transposed);
    check_nodes(plan, rhs);
    hines_residual_job residual{.where = where,
                                .tree = &topology_of(plan),
                                .diagonal = job.diagonal,
                                .upper = job.upper,
                                .lower = job.lower,
                                .rhs = rhs,
                                .solution = solution};
    return run_residual(hines_residual_rows(), residual);
}

}  // namespace wale
