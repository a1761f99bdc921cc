// partition - cpu/partition: few large chains. Threads reduce runs of rows to segments, one thread joins the
// segments and goes the way back, threads find the unknowns of their runs. The runs depend on the size alone.
// Several ranks of one chain have runs each: all get all segments, and each joins them.
#include <vector>
#include <wale/rank_messages.hpp>
#include <wale/shared_systems.hpp>

#include "base/aligned.hpp"
#include "base/argument.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "mpi/transport.hpp"
#include "solvers/tree/chains/cpu/partition/runs.hpp"
#include "solvers/tree/chains/cpu/partition/tuning.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale {
namespace tree {
namespace partition {
namespace {

/// How one thread computes where vectors do not.
template <bool Pivoted>
struct by_element {
    static constexpr bool pivoted = Pivoted;
    template <class T>
    static T fma(T a, T b, T c) {
        return a * b + c;
    }
    template <class T>
    static T reciprocal(T x) {
        return T(1) / x;
    }
};

template <class How, class T, class Note>
[[nodiscard]] segment<T> segment_of_rows(const one_chain<T>& c, index_t begin, index_t end,
                                         const Note& note) {
    if (end - begin == 1) return single(c[begin]);
    segment<T> s = couple(c[begin], c[begin + 1]);
    for (index_t i = begin + 2; i < end; ++i) note(absorb<How>(s, c[i]).pivot, i - 1);
    return s;
}

template <class How, class T>
void solve_rows(const one_chain<T>& c, index_t begin, index_t end, const ends<T>& x, T* kept) {
    if (end - begin == 1) {
        c.solution[begin] = x.first;
        return;
    }
    segment<T> s = couple(c[begin], c[begin + 1]);
    for (index_t i = begin + 2; i < end; ++i) {
        const substitution<T> gone = absorb<How>(s, c[i]);
        T* to = kept + 3 * (i - begin);
        to[0] = gone.next;
        to[1] = gone.beyond;
        to[2] = known_right<How>(gone, x);
    }
    T here = x.last, after = x.after;
    for (index_t i = end - 1; i >= begin + 2; --i) {
        const T* from = kept + 3 * (i - begin);
        c.solution[i] = here;
        const T lower = from[2] - from[0] * here - from[1] * after;
        after = here;
        here = lower;
    }
    c.solution[begin + 1] = here;
    c.solution[begin] = x.first;
}

/// One chain on some threads.
template <class How, class T>
class solver {
public:
    solver(const one_chain<T>& c, const cut& runs, int threads, const ranks* group)
        : chain_(c),
          cut_(runs),
          threads_(threads),
          group_(group),
          lanes_(bundle_lanes(sizeof(T) == sizeof(float) ? scalar::f32 : scalar::f64)),
          bundles_(c.contiguous() ? runs.even / lanes_ : 0),
          first_item_(item_of(group ? runs.first_of(group->rank(), group->size()) : 0)),
          last_item_(item_of(group ? runs.first_of(group->rank() + 1, group->size()) : runs.runs())),
          segments_(static_cast<std::size_t>(runs.runs())),
          seams_(segments_.size()),
          about_(segments_.size()) {}

    void run(bool stream, index_t system, verdict& bad) {
        std::vector<verdict> seen(static_cast<std::size_t>(threads_), verdict{bad.status});
        each_item([&](index_t begin, index_t end, int rank) {
            for (index_t i = begin; i < end; ++i) reduce(i, system, seen[static_cast<std::size_t>(rank)]);
        });
        for (const verdict& v : seen)
            if (v.first_system >= 0) bad.note(v.first_system, v.first_row);
        if (group_) exchange_segments(bad);
        join_all(system, bad);
        each_item([&](index_t begin, index_t end, int) {
            base::aligned_vector<T> kept(static_cast<std::size_t>(3 * cut_.rows * lanes_));
            for (index_t i = begin; i < end; ++i) solve(i, kept.data(), stream);
        });
    }

private:
    template <class Work>
    void each_item(const Work& work) const {
        cpu::run_team(threads_, [&](int rank) {
            const index_t items = last_item_ - first_item_;
            work(first_item_ + items * rank / threads_, first_item_ + items * (rank + 1) / threads_, rank);
        });
    }
    void exchange_segments(verdict& bad) {
        mpi::transport& t = *group_->transport();
        std::vector<index_t> bytes;
        for (int r = 0; r < t.size(); ++r)
            bytes.push_back((cut_.first_of(r + 1, t.size()) - cut_.first_of(r, t.size())) *
                            static_cast<index_t>(sizeof(segment<T>)));
        const auto own = static_cast<std::size_t>(cut_.first_of(t.rank(), t.size()));
        const std::vector<segment<T>> mine(segments_.begin() + static_cast<std::ptrdiff_t>(own),
                                           segments_.end());
        t.gather(mine.data(), bytes, segments_.data());
        for (const index_t row : mpi::gathered(t, bad.first_row))
            if (row >= 0) bad.note(0, row);
    }
    [[nodiscard]] index_t item_of(index_t run) const {
        return run < bundles_ * lanes_ ? run / lanes_ : run - bundles_ * (lanes_ - 1);
    }
    [[nodiscard]] index_t first_run(index_t item) const {
        return item < bundles_ ? item * lanes_ : item + bundles_ * (lanes_ - 1);
    }
    [[nodiscard]] bundle<T> bundle_at(index_t item) const {
        return {chain_, cut_.begin(first_run(item)), cut_.rows, How::pivoted};
    }
    void reduce(index_t item, index_t system, verdict& bad) {
        const index_t k = first_run(item);
        if (item >= bundles_) return reduce_run(k, system, bad);
        // Lanes see only that a pivot was bad, not which.
        if (reduce_bundle(bundle_at(item), &segments_[static_cast<std::size_t>(k)]))
            for (index_t l = k; l < k + lanes_; ++l) reduce_run(l, system, bad);
    }
    void reduce_run(index_t k, index_t system, verdict& bad) {
        segments_[static_cast<std::size_t>(k)] =
            segment_of_rows<How>(chain_, cut_.begin(k), cut_.end(k), [&](T pivot, index_t row) {
                if (is_bad(pivot)) bad.note(system, row);
            });
    }
    void join_all(index_t system, verdict& bad) {
        segment<T> all = segments_[0];
        const auto note = [&](T pivot, index_t row) {
            if (is_bad(pivot)) bad.note(system, row);
        };
        for (std::size_t k = 1; k < segments_.size(); ++k) {
            all = join<How>(all, segments_[k], seams_[k]);
            const index_t row = cut_.begin(static_cast<index_t>(k));
            note(seams_[k].left_pivot, row - 1);
            note(seams_[k].next_pivot, row);
        }
        T pivots[2];
        ends<T> x = close<How>(all, chain_.a.periodic, pivots);
        note(pivots[0], 0);
        note(pivots[1], cut_.size - 1);
        for (std::size_t k = segments_.size() - 1; k > 0; --k) {
            const seam_unknowns<T> at = unseam<How>(seams_[k], x);
            about_[k] = {at.left, at.next, x.last, x.after};
            x.last = at.left;
            x.after = at.next;
        }
        about_[0] = x;
    }
    void solve(index_t item, T* kept, bool stream) const {
        const index_t k = first_run(item);
        const ends<T>* about = &about_[static_cast<std::size_t>(k)];
        if (item < bundles_) return solve_bundle(bundle_at(item), about, kept, stream);
        solve_rows<How>(chain_, cut_.begin(k), cut_.end(k), *about, kept);
    }

    const one_chain<T>& chain_;
    const cut& cut_;
    int threads_;
    const ranks* group_;
    index_t lanes_, bundles_, first_item_, last_item_;  // items: bundles, then single runs
    std::vector<segment<T>> segments_;
    std::vector<seam<T>> seams_;
    std::vector<ends<T>> about_;
};

[[nodiscard]] index_t largest_of(const vector_shape& s) {
    if (!s.ragged()) return s.count == 0 ? 0 : s.size;
    index_t most = 0;
    for (index_t v = 0; v < s.count; ++v) most = std::max(most, s.size_of(v));
    return most;
}

[[nodiscard]] int threads_of(const chain_job& job, const cpu_policy& p, const ranks* group) {
    const auto* cpu = std::get_if<on_cpu>(&job.where);
    const int asked = cpu ? cpu->threads : 1;
    return cpu::team_size(asked == 0 && group ? threads_for(*group) : asked,
                          largest_of(job.a.shape()) / p.rows_a_thread);
}

/// This rank's rows in the numbers of the whole chain, whose other rows are not touched.
template <class T>
line<T> shifted(const line<T>& own, index_t first) {
    return {own.data - first * own.step, own.step};
}

/// Rows before this rank's, and rows of all ranks.
struct placed_rows {
    index_t first = 0, all = 0;
};
placed_rows place_rows(const chain_job& job, const ranks& group) {
    const index_t own = job.a.shape().size;
    placed_rows rows;
    const std::vector<index_t> sizes = mpi::gathered(*group.transport(), own);
    for (int r = 0; r < group.size(); ++r) {
        if (r == group.rank()) rows.first = rows.all;
        rows.all += sizes[static_cast<std::size_t>(r)];
    }
    for (int r = 0; r < group.size(); ++r) {
        const row_range share = tridiagonal_share(rows.all, job.a.type(), r, group.size());
        if (sizes[static_cast<std::size_t>(r)] != share.last - share.first)
            base::refuse("diagonal",
                         "rank " + std::to_string(r) + " has " +
                             std::to_string(sizes[static_cast<std::size_t>(r)]) + " of " +
                             std::to_string(rows.all) + " rows",
                         std::to_string(share.last - share.first) + " (tridiagonal_share)");
    }
    return rows;
}

template <class T>
void solve_vector(const chain_job& job, const placed_rows& rows, const ranks* group, index_t v, int threads,
                  verdict& bad) {
    const index_t system = v / job.right_sides();
    const cut runs(rows.all, chosen.run);
    if (runs.size == 0) return;
    one_chain<T> chain{bands_of<T>(job.a, system), line_of<T>(job.rhs, v), line_of<T>(job.solution, v)};
    chain.a.size = rows.all;
    for (line<const T>* l : {&chain.a.lower, &chain.a.diagonal, &chain.a.upper, &chain.right})
        *l = shifted(*l, rows.first);
    chain.solution = shifted(chain.solution, rows.first);
    const bool stream = static_cast<double>(job.rhs.size) * sizeof(T) > chosen.streamed_bytes &&
                        reinterpret_cast<std::uintptr_t>(chain.solution.data) % 64 == 0;
    if (job.pivoting == pivoting::none)
        solver<by_element<false>, T>(chain, runs, threads, group).run(stream, system, bad);
    else
        solver<by_element<true>, T>(chain, runs, threads, group).run(stream, system, bad);
}

[[nodiscard]] index_t workspace_bytes(const chain_job& job, const cut& runs, int threads) {
    return with_type(job.a.type(), [&](auto zero) {
        using T = decltype(zero);
        constexpr index_t each = sizeof(segment<T>) + sizeof(seam<T>) + sizeof(ends<T>);
        return runs.runs() * each +
               threads * 3 * runs.rows * bundle_lanes(job.a.type()) * static_cast<index_t>(sizeof(T));
    });
}

void start_report(const chain_job& job, const cut& runs, int threads) {
    job.result->run.threads = threads;
    job.result->run.device = cpu::instruction_set();
    job.result->run.policy = "run=" + std::to_string(runs.rows);
}

}  // namespace

void solve_shared(chain_job& job, const ranks& group) {
    const placed_rows rows = place_rows(job, group);
    const cut runs(rows.all, chosen.run);
    const int threads = threads_of(job, chosen, &group);
    verdict bad{job.status};
    bad.begin(0);
    start_report(job, runs, threads);
    job.result->run.policy += " ranks=" + std::to_string(group.size());
    with_type(job.a.type(),
              [&](auto zero) { solve_vector<decltype(zero)>(job, rows, &group, 0, threads, bad); });
    bad.report(*job.result);
}

}  // namespace partition

namespace {

bool suits_partition(const chain_job& job) {
    const vector_shape& m = job.a.shape();
    // Bordering costs the other rows a second right side. In float32 the couplings of short runs underflow,
    // and numbers below the normal range are slow.
    const index_t least =
        m.type == scalar::f64 ? (job.a.periodic ? 256 : 1280) : (job.a.periodic ? 2048 : 4096);
    if (m.ragged() || m.size < least || job.right_sides() != 1 || m.step() != 1 || job.rhs.step() != 1)
        return false;
    // Up to these systems their own runs fill a vector better than so few lanes of cpu/lanes do: measured,
    // docs/performance/atlas.md.
    index_t most = 3;
    if (m.type == scalar::f32) most = m.size >= 30000 ? 8 : m.size >= 10000 ? 6 : most;
    if (m.type == scalar::f64) most = m.size >= 30000 ? 6 : most;
    return job.a.systems() <= most;
}

void solve_chains_partition(chain_job& job) {
    using namespace partition;
    const cpu_policy& p = chosen;
    const cut runs(largest_of(job.a.shape()), p.run);
    const int threads = threads_of(job, p, nullptr);
    if (job.workspace) {
        *job.workspace = workspace_bytes(job, runs, threads);
        return;
    }
    verdict bad{job.status};
    for (index_t s = 0; s < job.a.systems(); ++s) bad.begin(s);
    start_report(job, runs, threads);
    for (index_t v = 0; v < job.rhs.count; ++v) {
        const placed_rows rows{0, job.a.shape().size_of(v / job.right_sides())};
        with_type(job.a.type(),
                  [&](auto zero) { solve_vector<decltype(zero)>(job, rows, nullptr, v, threads, bad); });
    }
    bad.report(*job.result);
}

}  // namespace
}  // namespace tree

row_range tridiagonal_share(index_t rows, scalar /* all are cut alike */, int rank, int size) {
    using namespace tree::partition;
    if (rows < 0) base::refuse("rows", "is " + base::text(rows), "0 or more");
    if (size < 1 || rank < 0 || rank >= size)
        base::refuse("rank", "is " + base::text(rank) + " of " + base::text(size), "0 to size - 1");
    const cut runs(rows, chosen.run);
    return {runs.begin(runs.first_of(rank, size)), runs.begin(runs.first_of(rank + 1, size))};
}

namespace tree {

extern constinit const catalogue::row<chain_job> chains_cpu_partition{
    "cpu/partition", "few long systems, runs of their rows to threads and to the lanes of vectors",
    solve_chains_partition, nullptr, suits_partition};

}  // namespace tree
}  // namespace wale
