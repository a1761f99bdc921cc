// sweep - cpu/sweep: every vector by one thread, in the caller's order where parents come first there.
// Pivots are divided by once, and the way back finds its factors ready.
#include <algorithm>
#include <vector>

#include "base/aligned.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/tree/hines/cpu/tuning.hpp"
#include "solvers/tree/jobs.hpp"
#include "solvers/tree/problem.hpp"
#include "solvers/tree/topology.hpp"

namespace wale::tree {
namespace {

/// A vector without gaps: what most callers have, without a multiplication for each element.
template <class T>
struct run_of {
    T* data;
    T& operator[](index_t i) const { return data[i]; }
};

template <class T, class In, class Out>
class sweep_of_vector {
public:
    sweep_of_vector(const hines_job& job, index_t number, T* pivots)
        : tree_(*job.tree),
          u_(at<In>(job.upper, number)),
          l_(at<In>(job.lower, number)),
          d_(pivots),
          x_(at<Out>(job.solution, number)) {
        const In d = at<In>(job.diagonal, number), b = at<In>(job.rhs, number);
        for (index_t i = 0; i < tree_.size(); ++i) d_[i] = d[i];
        if (job.solution.data != job.rhs.data)
            for (index_t i = 0; i < tree_.size(); ++i) x_[i] = b[i];
        if (job.eliminated.data) eliminated_ = line_of<T>(job.eliminated, number);
    }

    /// A node with a bad pivot, or -1; name_rows() looks for the one to be named.
    template <bool Ascending, bool Eliminated>
    index_t solve() {
        index_t bad = -1;
        const std::int32_t* const parent = tree_.parent.data();
        const std::int32_t* const order = tree_.order.data();
        for (index_t k = tree_.size(); k-- > 0;) {
            const index_t i = Ascending ? k : order[k];
            const T pivot = d_[i], inverse = T(1) / pivot;
            if (is_bad(pivot)) bad = i;
            if constexpr (Eliminated) eliminated_[i] = pivot;
            const T part = x_[i] * inverse;
            x_[i] = part;
            const index_t p = parent[i];
            if (p < 0) continue;
            const T factor = l_[i] * inverse;
            d_[i] = factor;
            d_[p] -= u_[i] * factor;
            x_[p] -= u_[i] * part;
        }
        for (index_t k = 0; k < tree_.size(); ++k) {
            const index_t i = Ascending ? k : order[k], p = parent[i];
            if (p >= 0) x_[i] -= d_[i] * x_[p];
        }
        return bad;
    }

private:
    template <class Line, class Vectors>
    static Line at(const Vectors& v, index_t number) {
        const auto all = line_of<T>(v, number);
        if constexpr (requires(Line l) { l.step; })
            return {all.data, all.step};
        else
            return {all.data};
    }
    const topology& tree_;
    In u_, l_;
    T* d_;
    Out x_;
    line<T> eliminated_{};
};

template <class T, class In, class Out>
index_t solve_vector(const hines_job& job, index_t number, T* pivots) {
    sweep_of_vector<T, In, Out> sweep(job, number, pivots);
    if (job.eliminated.data)
        return job.tree->ascending ? sweep.template solve<true, true>() : sweep.template solve<false, true>();
    return job.tree->ascending ? sweep.template solve<true, false>() : sweep.template solve<false, false>();
}

template <class T>
void solve_vectors(const hines_job& job, index_t begin, index_t end, verdict& bad) {
    base::aligned_vector<T> pivots(static_cast<std::size_t>(job.tree->size()));
    for (index_t v = begin; v < end; ++v) {
        cpu::poll();
        bad.begin(v);
        const index_t node = job.rhs.step() == 1
                                 ? solve_vector<T, run_of<const T>, run_of<T>>(job, v, pivots.data())
                                 : solve_vector<T, line<const T>, line<T>>(job, v, pivots.data());
        if (node >= 0) bad.note(v, node);
    }
}

void solve_hines_sweep(hines_job& job) {
    const double enough =
        static_cast<double>(job.rhs.elements()) / static_cast<double>(chosen_hines_threads.nodes_a_thread);
    const int threads =
        cpu::team_size(std::get<on_cpu>(job.where).threads,
                       static_cast<long long>(std::min(static_cast<double>(job.rhs.count), enough)));
    std::vector<verdict> seen(static_cast<std::size_t>(threads), verdict{job.status});
    with_type(job.rhs.type, [&](auto zero) {
        cpu::run_team(threads, [&](int rank) {
            solve_vectors<decltype(zero)>(job, job.rhs.count * rank / threads,
                                          job.rhs.count * (rank + 1) / threads,
                                          seen[static_cast<std::size_t>(rank)]);
        });
    });
    for (const verdict& v : seen) v.report(*job.result);
    job.result->run.threads = threads;
}

}  // namespace

extern constinit const catalogue::row<hines_job> hines_cpu_sweep{
    "cpu/sweep", "a thread a vector, leaves into parents and back, in the order of the nodes",
    solve_hines_sweep};

}  // namespace wale::tree
