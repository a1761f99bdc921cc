// recursive - recursive panels, packed products, look-ahead: while one thread brings the next panel
// up to date and factors it, the others apply the last one to the strips behind.
#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <string>
#include <vector>

#include "cpu/instruction_set.hpp"
#include "cpu/ready_rows_sync.hpp"
#include "cpu/ready_tasks.hpp"
#include "cpu/team.hpp"
#include "solvers/lu/cpu/copy.hpp"
#include "solvers/lu/cpu/triangle.hpp"
#include "solvers/lu/factor/cpu/recursive/exchange.hpp"
#include "solvers/lu/factor/cpu/recursive/panel.hpp"
#include "solvers/lu/factor/shared/refusals.hpp"
#include "solvers/lu/problem.hpp"
#include "tuning/override.hpp"

namespace wale::lu {
namespace {

/// `panel` columns are factored at once; the strips that wait for a panel are up to `strip` panels wide.
/// Below `small` rows or columns panels have `small_panel` columns, below `medium` `medium_panel`: a narrow
/// panel is soon done, a wide one makes products of a better rate. Rows of the table behind the first that
/// fits are candidates that only WALE_TUNING reaches.
struct recursive_policy {
    index_t panel;
    index_t strip;  // panels
    index_t small;
    index_t small_panel;
    index_t medium;
    index_t medium_panel;
    index_t tournament;          // panel widths: the rows of a block that finds its own candidates for pivots
    double operations_a_thread;  // fewer are not worth a thread
};

/// By the bytes of an element, of complex ones twice: their panels take more of the time.
constexpr tuning::row<recursive_policy> recursive_policies[] = {
    {0, 4, {320, 3, 1024, 64, 4608, 128, 4, 2e7}, "untuned"},
    {0, 16, {128, 6, 1280, 32, 4608, 48, 4, 1.5e7}, "untuned"},
    {0, 32, {128, 6, 1280, 32, 4608, 48, 4, 1.5e7}, "untuned"},
    {0, 0, {256, 4, 1024, 64, 4608, 128, 4, 2e7}, "untuned"},
};
static_assert(tuning::well_formed(recursive_policies));

const recursive_policy& chosen_recursive(scalar type) {
    const auto key = static_cast<int>(bytes_of(type) * (is_complex(type) ? 2 : 1));
    return recursive_policies[tuning::choose("lu/factor/recursive", recursive_policies, 0, key)].policy;
}

/// Columns of a panel of a matrix whose smaller extent is `diagonal`.
index_t panel_of(const recursive_policy& p, index_t diagonal) {
    return diagonal < p.small ? p.small_panel : diagonal < p.medium ? p.medium_panel : p.panel;
}

/// Which panel and which strip of columns is worked on when: look-ahead of one panel. Fixed by the shape of
/// the matrix alone, so that the bits do not depend on how many threads share the work. Columns are cut into
/// blocks: the first `panels` of them are factored, and each of these is applied to all blocks behind it.
struct recursive_schedule {
    enum class what {
        first_panel,  // factor panel 0
        next_panel,   // apply panel `step` to block step + 1 and factor that
        strip,        // apply panel `step` to blocks first .. last - 1
        left          // the exchanges of all later panels in block `first`
    };
    struct task {
        what kind;
        index_t step, first, last;
    };
    std::vector<index_t> starts;  // [blocks + 1] first columns
    index_t panels = 0;
    std::vector<task> tasks;    // every task waits for earlier ones only
    std::vector<index_t> ends;  // [panels + 1] of the tasks that may begin while so many panels are factored

    [[nodiscard]] index_t blocks() const { return std::ssize(starts) - 1; }
    [[nodiscard]] index_t start(index_t block) const { return starts[static_cast<std::size_t>(block)]; }
    [[nodiscard]] index_t width(index_t block) const { return start(block + 1) - start(block); }

    recursive_schedule(index_t rows, index_t columns, index_t panel, index_t blocks_a_strip, bool exchanges) {
        const index_t diagonal = std::min(rows, columns);
        starts.push_back(0);
        while (starts.back() < diagonal) starts.push_back(std::min(starts.back() + panel, diagonal));
        panels = blocks();
        while (starts.back() < columns) starts.push_back(std::min(starts.back() + panel, columns));
        tasks.push_back({what::first_panel, 0, 0, 1});
        for (index_t k = 0; k < panels; ++k) {
            ends.push_back(std::ssize(tasks));
            const bool more = k + 1 < panels;
            if (more) tasks.push_back({what::next_panel, k, k + 1, k + 2});
            // Wide strips are fast products; towards the end narrower ones still give work to several
            // threads.
            const index_t wide = std::clamp<index_t>((blocks() - k) / 4, 1, blocks_a_strip);
            for (index_t first = k + 1 + more; first < blocks(); first += wide)
                tasks.push_back({what::strip, k, first, std::min(first + wide, blocks())});
        }
        for (index_t k = 0; exchanges && k + 1 < panels; ++k) tasks.push_back({what::left, k, k, k + 1});
        ends.push_back(std::ssize(tasks));
    }
};

using cpu::blas::packed;
using cpu::blas::subtract_product;
using task = recursive_schedule::task;
using what = recursive_schedule::what;

/// One matrix.
///
/// A task is ready when the panel that it applies is factored and those before it are applied to the columns
/// that it changes; where it overwrites a panel's copy, when all uses of the one that was there are over.
/// Which thread takes which task, and why no thread waits for ever: cpu::ready_tasks. A block's count is
/// released after its columns, and acquired before they are read.
template <class T>
class factorisation {
public:
    factorisation(const matrices& m, const factor_job& job, index_t number, const recursive_policy& policy,
                  int threads)
        : threads_(threads),
          rows_(m.rows),
          a_{static_cast<T*>(m.data), m.leading, m.order},
          pivoting_(job.pivoting),
          tournament_(policy.tournament),
          schedule_(m.rows, m.columns, panel_of(policy, m.diagonal()),
                    std::max<index_t>(1, policy.strip * policy.panel / panel_of(policy, m.diagonal())),
                    job.pivoting != pivoting::none),
          applied_(static_cast<std::size_t>(schedule_.blocks())),
          tasks_(std::ssize(schedule_.tasks)),
          exchanges_(static_cast<std::size_t>(schedule_.panels)),
          moved_(static_cast<std::size_t>(schedule_.panels)),
          pivots_(static_cast<std::size_t>(m.diagonal())),
          loops_(threads == 1 ? 1 : threads + 1) {
        if (job.smallest_pivot) rules_.smallest = static_cast<real_of<T>>(job.smallest_pivot[number]);
        rules_.pivots = job.pivoting == pivoting::partial;
    }

    void run() {
        cpu::run_team(threads_, [&](int rank) {
            cpu::blas::reserve();
            work({&loops_, threads_ == 1 ? 0 : rank + 1});
        });
        if (tasks_.failed()) throw error("a wait for a panel ran out");
    }
    [[nodiscard]] const std::vector<std::int32_t>& pivots() const { return pivots_; }
    [[nodiscard]] index_t moved() const { return std::accumulate(moved_.begin(), moved_.end(), index_t{0}); }

private:
    using sync = cpu::ready_rows_sync<>;

    /// U's rows of a strip, which belong to one thread.
    struct strip_memory {
        scratch<T> rows;
        packed<T> factor;
    };

    /// Slot 0 is the one that helpers look at first: of the thread that factors the next panel.
    [[nodiscard]] shared_work urgent() { return {&loops_, 0}; }

    void work(const shared_work& mine) {
        strip_memory top;
        const auto task_of = [&](index_t t) { return schedule_.tasks[static_cast<std::size_t>(t)]; };
        const auto next = [&] {
            return tasks_.take([&](index_t t) { return is_ready(task_of(t)); },
                               [&] { return schedule_.ends[factored_.load(std::memory_order_acquire)]; },
                               [&] { return loops_.help(); });
        };
        for (index_t t = next(); t >= 0; t = next()) {
            const task now = task_of(t);
            if (now.kind == what::left)
                exchange_left(now.first);
            else
                advance(now, top, mine);
        }
    }

    void advance(const task& t, strip_memory& top, const shared_work& mine) {
        if (t.kind != what::first_panel) apply(t, top, t.kind == what::strip ? mine : urgent());
        if (t.kind != what::strip) factor_panel(t.first);
    }

    /// Whether a task of a panel that is factored may begin.
    bool is_ready(const task& t) {
        if (t.kind == what::first_panel || t.kind == what::left) return true;
        const index_t before = t.first - std::ssize(copies_);
        const bool free =
            t.kind == what::strip || before < 0 || have_had(before + 1, schedule_.blocks(), before + 1);
        return free && have_had(t.first, t.last, t.step);
    }

    /// Whether blocks first .. last - 1 have had `count` panels (their own counts when it is factored).
    bool have_had(index_t first, index_t last, index_t count) {
        for (index_t b = first; b < last; ++b)
            if (sync::load_acquire(&applied_[static_cast<std::size_t>(b)]) <
                static_cast<std::uint32_t>(count))
                return false;
        return true;
    }
    void publish(index_t block, index_t count) {
        sync::store_release(&applied_[static_cast<std::size_t>(block)], static_cast<std::uint32_t>(count));
    }
    panel<T>& copy_of(index_t k) { return copies_[static_cast<std::size_t>(k) % copies_.size()]; }
    packed<T>& below_of(index_t k) { return below_[static_cast<std::size_t>(k) % below_.size()]; }

    void factor_panel(index_t k) {
        const index_t start = schedule_.start(k), width = schedule_.width(k);
        panel<T>& p = copy_of(k);
        const auto own = a_.from(start, start);
        p.load(own, rows_ - start, width, urgent());
        const auto at = static_cast<std::size_t>(k);
        const std::span<std::int32_t> pivots(pivots_.data() + start, static_cast<std::size_t>(width));
        if (pivoting_ != pivoting::tournament) {
            moved_[at] = p.factor(rules_, pivots, urgent());
        } else if (!p.factor_by_tournament(tournament_ * width, pivots)) {
            p.load(own, rows_ - start, width);
            (void)p.factor({}, pivots, urgent());
        }
        p.store(own, urgent());
        const index_t below = schedule_.start(k) + width < schedule_.starts.back() ? p.rows() - width : 0;
        below_of(k).shape(a_.order, true, below, width);
        urgent().pieces(below, packed<T>::step, [&](index_t row, index_t rows) {
            below_of(k).fill(p.all().from(width, 0), row, rows);
        });
        exchanges_[at] = row_exchange(pivots, p.rows());
        for (std::int32_t& row : pivots) row += static_cast<std::int32_t>(start);
        publish(k, k + 1);
        factored_.store(at + 1, std::memory_order_release);
    }

    /// Panel t.step on the columns of blocks t.first .. t.last - 1.
    void apply(const task& t, strip_memory& memory, const shared_work& shared) {
        panel<T>& p = copy_of(t.step);
        const index_t height = p.columns(), start = schedule_.start(t.first);
        const index_t columns = schedule_.start(t.last) - start, pitch = padded<T>(columns);
        const block<T> top{memory.rows.take(height * pitch), pitch, storage_order::row_major};
        const block<T> strip = a_.from(schedule_.start(t.step), start);
        const auto solve = [&](index_t first, index_t count) {
            const block<T> part = top.from(0, first);
            take_top(exchanges_[static_cast<std::size_t>(t.step)], strip.from(0, first), part, count);
            solve_triangle(triangle<T>{p.all(), height, true, true}, part, count);
            copy_block<T>(part, strip.from(0, first), height, count);
        };
        shared.pieces(columns, t.kind == what::strip ? columns_at_once : narrow, solve, narrow);
        memory.factor.shape(strip.order, false, columns, height);
        memory.factor.fill(top, 0, columns);
        shared.rows_of_product(p.rows() - height, columns, height, [&](index_t row, index_t rows) {
            subtract_product<T>(strip.from(height + row, 0), below_of(t.step), row, memory.factor,
                                {rows, columns, height});
        });
        for (index_t b = t.first; b < t.last; ++b) publish(b, t.step + 1);
    }

    /// The exchanges of all panels behind block b, in its columns.
    void exchange_left(index_t b) {
        exchange_rows<T>(a_.from(0, schedule_.start(b)), rows_, schedule_.width(b), pivots_,
                         schedule_.start(b + 1));
    }

    // Columns of a piece whose triangle is solved: vectors run over the end of a piece, into its padding, so
    // that pieces begin on cache lines and end there.
    static constexpr index_t columns_at_once = 256, narrow = 32;

    int threads_;
    index_t rows_;
    block<T> a_;
    wale::pivoting pivoting_;
    index_t tournament_;
    panel_rules<T> rules_;
    recursive_schedule schedule_;
    std::vector<sync::word> applied_;        // panels that each block has had, its own panel too
    std::atomic<std::size_t> factored_ = 0;  // panels
    cpu::ready_tasks tasks_;
    std::vector<row_exchange> exchanges_;
    std::vector<index_t> moved_;
    std::vector<std::int32_t> pivots_;
    cpu::shared_loops loops_;
    std::array<panel<T>, 3> copies_;  // of the last panels: their users need not wait for each other
    std::array<packed<T>, 3> below_;  // their rows below the diagonal block, for the products
};

/// Threads that one matrix occupies.
int useful_threads(const matrix_shape& m, const recursive_policy& p, int asked) {
    const auto d = static_cast<double>(m.diagonal());
    const double operations = d * d * static_cast<double>(std::max(m.rows, m.columns));
    return cpu::team_size(asked, static_cast<long long>(std::min(operations / p.operations_a_thread, 1e6)));
}

template <class T>
index_t factor_one(const factor_job& job, index_t number, int threads) {
    const matrices m = job.a[number];
    const recursive_policy& policy = chosen_recursive(job.a.type());
    if (m.diagonal() == 0) return 0;
    factorisation<T> f(m, job, number, policy, useful_threads(m, policy, threads));
    f.run();
    if (job.out.pivots)
        std::copy(f.pivots().begin(), f.pivots().end(), job.out.pivots + job.a.pivot_start(number));
    return f.moved();
}

void factor_recursive(factor_job& job) {
    const int asked = std::get<on_cpu>(job.where).threads;
    const index_t count = job.a.count();
    const recursive_policy& policy = chosen_recursive(job.a.type());
    std::vector<index_t> moved(static_cast<std::size_t>(count));
    // Many matrices: each by one thread. The bits are the same.
    const int team = cpu::team_size(asked, count);
    const bool one_each = team > 1 && team == cpu::team_size(asked, 1 << 20);
    const auto factor = [&](index_t i, int threads) {
        moved[static_cast<std::size_t>(i)] = with_any_type(
            job.a.type(), [&](auto zero) { return factor_one<decltype(zero)>(job, i, threads); });
    };
    if (one_each)
        cpu::run_team(team, [&](int rank) {
            for (index_t i = rank; i < count; i += team) factor(i, 1);
        });
    else
        for (index_t i = 0; i < count; ++i) factor(i, asked);
    report& run = job.result->run;
    run.threads = one_each ? team : 1;
    for (index_t i = 0; !one_each && i < count; ++i)
        run.threads = std::max(run.threads, useful_threads(job.a[i], policy, asked));
    run.device = cpu::instruction_set();
    run.policy = "panel=" + std::to_string(policy.panel) + " strip=" + std::to_string(policy.strip);
    job.result->perturbed += std::accumulate(moved.begin(), moved.end(), index_t{0});
    finish(job);
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cpu_recursive{
    "cpu/recursive",  "recursive panels, packed products, look-ahead over fixed strips",
    factor_recursive, nullptr,
    worth_panels,     true};

}  // namespace wale::lu
