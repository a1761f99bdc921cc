// thomas - cpu/thomas: a system after the other, threads take runs of systems. Takes every job: any layout,
// any size, any number of right sides.
#include <algorithm>

#include "solvers/tree/chains/shared/solve_one.hpp"
#include "solvers/tree/elimination/shares.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale::tree {
namespace {

/// Some right sides at a time, whose rows are vectors.
template <class T>
void solve_beside(const chain_job& job, index_t s, const factor_solver<T>& solver) {
    constexpr index_t at_once = 512 / sizeof(T);
    const index_t sides = job.right_sides();
    for (index_t first = 0; first < sides; first += at_once) {
        const index_t some = std::min(at_once, sides - first);
        const line<const T> b = line_of<T>(job.rhs, s * sides + first);
        const line<T> x = line_of<T>(job.solution, s * sides + first);
        if (job.rhs.data != job.solution.data)
            for (index_t i = 0; i < job.a.shape().size_of(s); ++i) std::copy_n(&b[i], some, &x[i]);
        solver.solve_beside(x.data, x.step, some);
    }
}

template <class T>
outcome solve_system(const chain_job& job, index_t s, T* scratch) {
    const index_t sides = job.right_sides();
    if (sides == 1) return solve_one(job, s, line_of<T>(job.solution, s), scratch);
    const factor_form form{job.pivoting == pivoting::partial, job.a.periodic};
    if (form.pivoted && form.periodic) {
        const folded_factors<T> factors{scratch, job.a.shape().size_of(s), 1};
        const outcome seen{.bad_row = factor_folded(bands_of<T>(job.a, s), factors)};
        for (index_t v = s * sides; v < (s + 1) * sides; ++v)
            solve_folded(factors, line_of<T>(job.rhs, v), line_of<T>(job.solution, v));
        return seen;
    }
    const couplings<T> a = couplings_of<T>(job.a, s);
    const factor_rows<T> rows{scratch, a.size, 1, form};
    const outcome seen = factor_chain(a, rows);
    const factor_solver<T> solver(rows, seen.normal);
    if (are_beside(job, s)) {
        solve_beside(job, s, solver);
        return seen;
    }
    for (index_t v = s * sides; v < (s + 1) * sides; ++v) {
        const line<const T> b = line_of<T>(job.rhs, v);
        const line<T> x = line_of<T>(job.solution, v);
        if (job.rhs.data != job.solution.data)
            for (index_t i = 0; i < a.size; ++i) x[i] = b[i];
        solver.solve(x);
    }
    return seen;
}

constexpr index_t few_bytes = 4096;

index_t scratch_words(const chain_job& job) {
    const factor_form form{job.pivoting == pivoting::partial, job.a.periodic};
    const index_t words =
        job.right_sides() == 1 || (form.pivoted && form.periodic) ? one_side_words(form) : form.words();
    return words * largest_size(job.a.shape());
}

void solve_chains_thomas(chain_job& job) {
    const thread_shares shares(job.where, job.a.systems(), static_cast<double>(job.rhs.elements()));
    const index_t words = scratch_words(job);
    if (job.workspace) {
        *job.workspace = shares.threads() * words * bytes_of(job.a.type());
        return;
    }
    shares.run(job.a.systems(), job.status, *job.result, [&](index_t begin, index_t end, verdict& bad) {
        with_any_type(job.a.type(), [&](auto zero) {
            using T = decltype(zero);
            alignas(base::cache_line) unsigned char few[few_bytes];  // of short systems; unset
            const bool fits = words * index_t{sizeof(T)} <= few_bytes;
            base::aligned_vector<T> many(static_cast<std::size_t>(fits ? 0 : words));
            T* const scratch = fits ? reinterpret_cast<T*>(few) : many.data();
            for (index_t s = begin; s < end; ++s) {
                bad.begin(s);
                if (job.a.shape().size_of(s) == 0) continue;
                const outcome seen = solve_system<T>(job, s, scratch);
                if (seen.bad_row >= 0) bad.note(s, seen.bad_row);
            }
        });
    });
    job.result->run.policy = "one by one";
}

}  // namespace

extern constinit const catalogue::row<chain_job> chains_cpu_thomas{
    "cpu/thomas",
    "a system after the other, systems to threads; takes every job",
    solve_chains_thomas,
    nullptr,
    nullptr,
    true};

}  // namespace wale::tree
