// contraction - one big tree for a team of threads: each takes windows, level after level, and the way back.
// The cut into windows does not depend on the threads, so the bits do not.
#include <algorithm>
#include <bit>

#include "base/aligned.hpp"
#include "cpu/team.hpp"
#include "solvers/tree/hines/cpu/contraction/window_rows.hpp"
#include "solvers/tree/hines/cpu/tuning.hpp"
#include "solvers/tree/hines/shared/contraction/slots.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale::tree {
namespace {

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

/// Where a level's items come from and its unknowns go to: item i is element node[i], or i.
template <class T>
struct level_rows {
    line<const T> u, l, d, b;
    line<T> x;
    const std::int32_t* node;
    [[nodiscard]] index_t element(std::int32_t item) const { return node ? node[item] : item; }
};

/// Items of a level above the first, in memory of this call.
template <class T>
struct level_memory {
    base::aligned_vector<T> u, l, d, b, x;
    explicit level_memory(index_t items)
        : u(at(items)), l(at(items)), d(at(items)), b(at(items)), x(at(items)) {}
    [[nodiscard]] level_rows<T> rows() {
        return {{u.data(), 1}, {l.data(), 1}, {d.data(), 1}, {b.data(), 1}, {x.data(), 1}, nullptr};
    }
};

template <class T>
class window_worker {
    static constexpr int words = window_rows<T>::words;

public:
    explicit window_worker(const contraction_level& level)
        : level_(level), rows_(at(index_t{words} * (level.most_slots + 1))) {}

    /// Eliminates; what stays goes to the level above.
    void up(const contraction_window& w, const level_rows<T>& from, level_memory<T>& above) {
        eliminate(w, from);
        for (const contraction_link& link : links(w)) {
            const T* const row = row_of(link.slot);
            const std::size_t to = at(link.place);
            if (link.slot < w.items) {
                above.u[to] = row[0];
                above.l[to] = row[1];
            }
            above.d[to] = row[2];
            above.b[to] = row[3];
        }
    }

    /// Eliminates once more, which costs less than to keep three words of every node; then from the unknowns
    /// above to those of all items.
    void down(const contraction_window& w, const level_rows<T>& to, const T* above) {
        eliminate(w, to);
        for (const contraction_link& link : links(w)) row_of(link.slot)[3] = above[link.from];
        const contraction_cell* cells = level_.cells.data() + w.cell;
        const auto all = slots(w);
        for (int step = w.steps; step-- > 0;) {
            const auto s = std::bit_cast<contraction_step>(cells[step]);
            for (int r = s.run; r < s.runs_end; ++r) all.substitute(std::bit_cast<contraction_run>(cells[r]));
        }
        for (std::int32_t i = 0; i < w.items; ++i) to.x[to.element(w.item + i)] = row_of(i)[3];
    }

    index_t lowest_bad = -1;

private:
    [[nodiscard]] T* row_of(std::int32_t slot) { return rows_.data() + index_t{words} * slot; }
    [[nodiscard]] std::span<const contraction_link> links(const contraction_window& w) const {
        return {level_.links.data() + w.link, at(w.links)};
    }
    [[nodiscard]] window_rows<T> view(const contraction_window& w) {
        const contraction_cell* const cells = level_.cells.data() + w.cell;
        return {rows_.data(), level_.most_slots, cells, w.steps,
                reinterpret_cast<const std::uint16_t*>(cells + w.list)};
    }
    [[nodiscard]] contraction_slots<T, words> slots(const contraction_window& w) {
        T* const r = rows_.data();
        return {r, r + 1, r + 2, r + 3, view(w).list};
    }

    void load(const contraction_window& w, const level_rows<T>& from) {
        if (!from.node && from.u.step == 1) {
            const T* const lines[words] = {from.u.data + w.item, from.l.data + w.item, from.d.data + w.item,
                                           from.b.data + w.item};
            gather_rows(view(w), w.items, lines);
        } else {
            for (std::int32_t i = 0; i < w.items; ++i) {
                const index_t e = from.element(w.item + i);
                T* const row = row_of(i);
                row[0] = from.u[e];
                row[1] = from.l[e];
                row[2] = from.d[e];
                row[3] = from.b[e];
            }
        }
        std::fill(rows_.begin() + index_t{words} * w.items, rows_.end(), T(0));
    }

    void eliminate(const contraction_window& w, const level_rows<T>& from) {
        load(w, from);
        if (eliminate_rows(view(w))) return;
        load(w, from);
        eliminate_and_note(w);
    }

    /// One run after the other, to see which pivots are bad.
    void eliminate_and_note(const contraction_window& w) {
        const contraction_cell* cells = level_.cells.data() + w.cell;
        const auto all = slots(w);
        const auto bad = [&](int slot) {
            const std::int32_t item = w.item + slot;
            const index_t node = level_.node.empty() ? item : level_.node[at(item)];
            if (lowest_bad < 0 || node < lowest_bad) lowest_bad = node;
        };
        const auto inverse = [](T pivot) { return T(1) / pivot; };
        for (int step = 0; step < w.steps; ++step) {
            const auto s = std::bit_cast<contraction_step>(cells[step]);
            for (int r = s.run; r < s.runs_end; ++r)
                all.eliminate(std::bit_cast<contraction_run>(cells[r]), bad, inverse);
            for (int r = s.sum; r < s.sums_end; ++r) all.add(std::bit_cast<contraction_sum>(cells[r]));
        }
    }

    const contraction_level& level_;
    base::aligned_vector<T> rows_;  // [slots + 1][words]
};

/// One vector.
template <class T>
class contraction_call {
public:
    contraction_call(const contraction_schedule& schedule, int threads)
        : levels_(schedule.levels), threads_(threads) {
        for (std::size_t k = 1; k < levels_.size(); ++k) memory_.emplace_back(levels_[k].items);
    }

    void solve(const hines_job& job, index_t number, verdict& bad) {
        first_ = {
            line_of<T>(job.upper, number),    line_of<T>(job.lower, number),
            line_of<T>(job.diagonal, number), line_of<T>(job.rhs, number),
            line_of<T>(job.solution, number), levels_[0].node.empty() ? nullptr : levels_[0].node.data()};
        lowest_bad_ = -1;
        const std::size_t last = levels_.size() - 1;
        for (std::size_t k = 0; k < last; ++k)
            over_windows(
                k, [&, k](auto& worker, const contraction_window& w) { worker.up(w, rows(k), memory_[k]); });
        for (std::size_t k = last + 1; k-- > 0;)
            over_windows(k, [&, k](auto& worker, const contraction_window& w) {
                worker.down(w, rows(k), k == last ? nullptr : memory_[k].x.data());
            });
        if (lowest_bad_ >= 0) bad.note(number, lowest_bad_);
    }

private:
    [[nodiscard]] level_rows<T> rows(std::size_t k) { return k == 0 ? first_ : memory_[k - 1].rows(); }

    template <class F>
    void over_windows(std::size_t k, const F& work) {
        const contraction_level& level = levels_[k];
        const auto windows = static_cast<index_t>(level.windows.size());
        const int team = static_cast<int>(std::min<index_t>(threads_, (windows + 7) / 8));
        std::vector<index_t> bad(at(team), -1);
        cpu::run_team(team, [&](int rank) {
            window_worker<T> worker(level);
            for (index_t w = windows * rank / team; w < windows * (rank + 1) / team; ++w)
                work(worker, level.windows[at(w)]);
            bad[at(rank)] = worker.lowest_bad;
        });
        for (const index_t b : bad)
            if (b >= 0 && (lowest_bad_ < 0 || b < lowest_bad_)) lowest_bad_ = b;
    }

    const std::vector<contraction_level>& levels_;
    const int threads_;
    level_rows<T> first_{};
    std::vector<level_memory<T>> memory_;
    index_t lowest_bad_ = -1;
};

/// Nodes between forks and leaves on average, where the caller's order streams; else 0.
index_t mean_run(const topology& tree) {
    return *tree.kept<index_t>("cpu/contraction pays", [&] {
        index_t ends = tree.branches;
        for (std::size_t i = 0; i < tree.parent.size(); ++i)
            ends += tree.child_start[i] == tree.child_start[i + 1];
        return std::make_shared<const index_t>(tree.depth_first && ends > 0 ? tree.size() / ends : 0);
    });
}

std::string refuses_contraction(const hines_job& job) {
    return job.eliminated.data
               ? "eliminates in another order than leaves first, so there is no eliminated diagonal"
               : "";
}

/// The caller's number of threads must not choose: this row rounds otherwise than cpu/sweep, and the same
/// call has the same bits for any number of threads.
bool suits_contraction(const hines_job& job) {
    const contraction_cpu_policy& policy = chosen_contraction;
    // Of a star or a binary tree the plain sweep is done sooner: runs must be long enough to share vectors.
    if (job.tree->size() >= 2 * policy.nodes_a_thread)
        return job.rhs.count < policy.fewer_vectors && mean_run(*job.tree) >= policy.least_run;
    return job.rhs.count <= policy.few_vectors && job.tree->size() >= policy.path_nodes &&
           mean_run(*job.tree) >= policy.path_run;
}

void solve_hines_contraction(hines_job& job) {
    const contraction_cpu_policy& policy = chosen_contraction;
    const auto schedule = job.tree->kept<contraction_schedule>("cpu/contraction", [&] {
        return std::make_shared<const contraction_schedule>(*job.tree, policy.limits);
    });
    const int threads =
        cpu::team_size(std::get<on_cpu>(job.where).threads, job.tree->size() / policy.nodes_a_thread);
    verdict bad{job.status};
    with_type(job.rhs.type, [&](auto zero) {
        using T = decltype(zero);
        if (schedule->levels.empty()) {
            for (index_t v = 0; v < job.rhs.count; ++v) bad.begin(v);
            return;
        }
        contraction_call<T> call(*schedule, threads);
        for (index_t v = 0; v < job.rhs.count; ++v) {
            bad.begin(v);
            call.solve(job, v, bad);
        }
    });
    bad.report(*job.result);
    job.result->run.threads = threads;
    job.result->run.policy =
        "window=" + std::to_string(policy.limits.window) + " run=" + std::to_string(policy.limits.first_run);
    job.result->run.iterations = 2 * static_cast<index_t>(schedule->levels.size());
}

}  // namespace

extern constinit const catalogue::row<hines_job> hines_cpu_contraction{
    "cpu/contraction",
    "a big tree in windows over threads: rake and compress inside each, then what is left of all",
    solve_hines_contraction, refuses_contraction, suits_contraction};

}  // namespace wale::tree
