// spread - what a part of a batch of chains or trees takes to its device, and the outcome of all parts.
#include "solvers/tree/spread.hpp"

#include "variants/run.hpp"

namespace wale::tree {
namespace {

index_t block_of(const vector_shape& v) {
    return v.layout == vector_layout::block_interleaved ? v.width : 1;
}

void merge_outcome(auto& all, const auto& part, index_t first) {
    if (all.first_bad_system >= 0 || part.first_bad_system < 0) return;
    all.first_bad_system = first + part.first_bad_system;
    all.first_bad_row = part.first_bad_row;
}

/// The row that `automatic` takes for the whole batch on one device, so that its parts have the same bits.
template <class Job>
std::string name_of_row(const catalogue::table<Job>& all, Job whole, const on_cuda& devices,
                        const std::string& wanted) {
    if (whole.asynchronous) throw bad_argument("options.asynchronous: does not go with where.devices");
    whole.where = on_cuda{devices.devices[0]};
    return catalogue::chosen(all, wanted, whole).name;
}

}  // namespace

/// Systems are split; of one system with many right sides the right sides.
tridiagonal_result spread_chains(const on_cuda& devices, const chain_job& job,
                                 const tridiagonal_options& options) {
    using cuda::traffic;
    tridiagonal_options own = options;
    own.variant = name_of_row(chain_rows(), job, devices, options.variant);
    const bool one = job.a.systems() == 1;
    const index_t each = one ? 1 : job.right_sides();
    const vector_shape& units = one ? job.rhs : job.a.diagonal;
    const auto parts =
        cuda::split_by_work(units.count, devices.devices.size(), block_of(job.a.shape()) * block_of(job.rhs),
                            [&](index_t k) { return static_cast<double>(units.size_of(k)); });
    const auto call = [&](cuda::carrier& c, cuda::part p) {
        const cuda::part systems = one ? cuda::part{0, 1} : p, sides{p.first * each, p.last * each};
        tridiagonal_options mine = own;  // of one system the first part names the row
        mine.status = one && p.first > 0 ? nullptr : c.part_of(options.status, systems, traffic::out);
        const const_vectors lower = c.part_of(job.a.lower, systems), upper = c.part_of(job.a.upper, systems),
                            diagonal = c.part_of(job.a.diagonal, systems), rhs = c.part_of(job.rhs, sides);
        return tridiagonal_solve(c.where(), lower, diagonal, upper, rhs,
                                 c.part_of(job.solution, sides, traffic::out), mine);
    };
    return cuda::spread<tridiagonal_result>(
        devices, parts, call,
        [&](auto& all, const auto& part, index_t first) { merge_outcome(all, part, one ? 0 : first); });
}

hines_result spread_hines(const on_cuda& devices, const hines_plan& plan, const hines_job& job,
                          const hines_options& options) {
    using cuda::traffic;
    hines_options own = options;
    own.variant = name_of_row(hines_rows(), job, devices, options.variant);
    own.transposed = false;  // the job's upper and lower have changed places
    const auto parts = cuda::split_by_work(job.rhs.count, devices.devices.size(), block_of(job.rhs),
                                           [](index_t) { return 0.0; });
    const auto call = [&](cuda::carrier& c, cuda::part p) {
        hines_options mine = own;
        const const_vectors diagonal = c.part_of(job.diagonal, p), upper = c.part_of(job.upper, p),
                            lower = c.part_of(job.lower, p), rhs = c.part_of(job.rhs, p);
        mine.status = c.part_of(options.status, p, traffic::out);
        if (options.eliminated.data) mine.eliminated = c.part_of(options.eliminated, p, traffic::out);
        return hines_solve(c.where(), plan, diagonal, upper, lower, rhs,
                           c.part_of(job.solution, p, traffic::out), mine);
    };
    return cuda::spread<hines_result>(devices, parts, call, [](auto& all, const auto& part, index_t first) {
        merge_outcome(all, part, first);
    });
}

}  // namespace wale::tree
