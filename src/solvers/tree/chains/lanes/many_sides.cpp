// many_sides - cpu/lanes where each system has several right sides: factored once, right sides in lanes.
#include "solvers/tree/chains/lanes/many_sides.hpp"

#include "solvers/tree/chains/lanes/stored_factors.hpp"

namespace wale::tree {
namespace {

bool aligned_rows(const vectors& v, index_t each) {
    const index_t line = index_t{base::cache_line} / bytes_of(v.type);
    return reinterpret_cast<std::uintptr_t>(v.data) % base::cache_line == 0 && each % line == 0;
}

}  // namespace

bool may_stream(const vectors& x, double bytes) {
    if (bytes < chosen_lanes(bytes_of(x.type)).streamed_bytes || x.ragged()) return false;
    const bool line_vectors = vector_lanes(x.type) * bytes_of(x.type) == index_t{base::cache_line};
    switch (x.layout) {
        case vector_layout::interleaved:
            return aligned_rows(x, x.stride);
        case vector_layout::block_interleaved:
            return aligned_rows(x, x.width);
        case vector_layout::flat:
            return line_vectors && aligned_rows(x, x.stride);
        default:
            return false;
    }
}

void solve_many_sides(chain_job& job) {
    const thread_shares shares(job.where, job.rhs.count, static_cast<double>(job.rhs.elements()));
    with_type(job.a.type(), [&](auto zero) {
        using T = decltype(zero);
        const factor_form form{job.pivoting == pivoting::partial, job.a.periodic};
        if (job.workspace) {
            *job.workspace = job.a.shape().elements() * form.words() * index_t{sizeof(T)};
            return;
        }
        stored_factors<T> factors(job.a, form, 1);
        factors.factor(job.a, shares, job.status, *job.result);
        factors.solve(job.rhs, job.solution, false, shares, *job.result);
        job.result->run.policy = "right sides in lanes";
    });
}

}  // namespace wale::tree
