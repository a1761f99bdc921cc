// rows - the table row by row in two passes: first what needs only the row above, which the compiler turns
// into vectors, then the scan along the row. Exact for integers and, since no sum is reordered, for floats.
// One thread: a row has no work for two.
#include "cpu/poll.hpp"
#include "solvers/wavefront/fill/problem.hpp"

namespace wale::wavefront {
namespace {

// cell() = after(before(diagonal, up), left): `before` needs nothing of its own row.

template <class T, class S>
auto split_of(const lcs_recurrence<T, S>& r) {
    struct parts {
        lcs_recurrence<T, S> r;
        T before(T diagonal, T up, index_t i, index_t j) const { return r.cell(diagonal, up, up, i, j); }
        T after(T partial, T left, index_t, index_t) const { return larger(partial, left); }
    };
    return parts{r};
}

template <class T, class S>
auto split_of(const edit_recurrence<T, S>& r) {
    struct parts {
        edit_recurrence<T, S> r;
        T before(T diagonal, T up, index_t i, index_t j) const { return r.cell(diagonal, up, up, i, j); }
        T after(T partial, T left, index_t, index_t) const {
            return smaller(partial, static_cast<T>(left + 1));
        }
    };
    return parts{r};
}

template <class T, class S>
auto split_of(const global_recurrence<T, S>& r) {
    struct parts {
        global_recurrence<T, S> r;
        T before(T diagonal, T up, index_t i, index_t j) const { return r.cell(diagonal, up, up, i, j); }
        T after(T partial, T left, index_t, index_t) const {
            return larger(partial, static_cast<T>(left + r.score.gap));
        }
    };
    return parts{r};
}

template <class T, bool Squared>
auto split_of(const dtw_recurrence<T, Squared>& r) {
    struct parts {
        dtw_recurrence<T, Squared> r;
        T before(T diagonal, T up, index_t, index_t) const { return smaller(diagonal, up); }
        T after(T partial, T left, index_t i, index_t j) const {
            return r.cost(i, j) + smaller(partial, left);
        }
    };
    return parts{r};
}

template <class T>
auto split_of(const summed_area_recurrence<T>& r) {
    struct parts {
        summed_area_recurrence<T> r;
        T before(T diagonal, T up, index_t i, index_t j) const { return r.cell(diagonal, up, 0, i, j); }
        T after(T partial, T left, index_t, index_t) const { return static_cast<T>(partial + left); }
    };
    return parts{r};
}

template <class R>
void fill_two_pass(const R& r, const fill_job& job) {
    using T = typename R::value_type;
    const auto parts = split_of(r);
    const index_t n = job.columns;
    for (index_t i = 0; i < job.rows && n > 0; ++i) {
        T* __restrict row = static_cast<T*>(job.table) + i * job.pitch;
        const T* __restrict above = row - job.pitch;
        cpu::poll();
        if (i == 0) {
            for (index_t j = 0; j < n; ++j)
                row[j] = parts.before(j > 0 ? r.top(j - 1) : r.corner(), r.top(j), i, j);
        } else {
            row[0] = parts.before(r.left(i - 1), above[0], i, 0);
            for (index_t j = 1; j < n; ++j) row[j] = parts.before(above[j - 1], above[j], i, j);
        }
        T left = r.left(i);
        for (index_t j = 0; j < n; ++j) row[j] = left = parts.after(row[j], left, i, j);
    }
}

void run(fill_job& job) {
    visit(job, [&](const auto& r) { fill_two_pass(r, job); });
}

}  // namespace

extern constinit const catalogue::row<fill_job> fill_cpu_rows{
    "cpu/rows", "row by row in two vector passes, on one thread", run};

}  // namespace wale::wavefront
