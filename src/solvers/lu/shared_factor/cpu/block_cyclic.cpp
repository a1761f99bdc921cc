// block_cyclic - the owner of a panel factors the panel and sends it round; every rank applies the panel to
// its own columns. Look-ahead of one panel: the next owner brings its panel up to date first, factors and
// sends it, and all others receive it while they apply the last one.
#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "cpu/instruction_set.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "mpi/transport.hpp"
#include "solvers/lu/cpu/triangle.hpp"
#include "solvers/lu/factor/cpu/recursive/exchange.hpp"
#include "solvers/lu/factor/cpu/recursive/panel.hpp"
#include "solvers/lu/shared_factor/shared/columns.hpp"
#include "tuning/override.hpp"

namespace wale::lu {
namespace {

// A panel goes from its owner to all other ranks along a binomial tree, whose inner ranks hand it on while
// they compute.

/// Ranks are counted from the owner of the panel, so that the owner of the next panel is the first that gets
/// this one.
class panel_route {
public:
    panel_route(mpi::transport* t, int owner) : transport_(t), owner_(owner) {
        if (t != nullptr) place_ = (t->rank() - owner + t->size()) % t->size();
    }
    /// Queues the receipt of some bytes, of any rank but the owner.
    void receive(void* bytes, index_t count) const {
        int above = 1;
        while (2 * above <= place_) above *= 2;
        transport_->receive(rank_at(place_ - above), bytes, count);
    }
    /// Queues the bytes for the ranks below this one in the tree.
    void send(const void* bytes, index_t count) const {
        if (transport_ == nullptr) return;
        int step = 1;
        while (step <= place_) step *= 2;
        for (; place_ + step < transport_->size(); step *= 2)
            transport_->send(rank_at(place_ + step), bytes, count);
    }

private:
    [[nodiscard]] int rank_at(int place) const { return (owner_ + place) % transport_->size(); }

    mpi::transport* transport_;
    int owner_, place_ = 0;
};

struct cyclic_policy {
    index_t narrow, wide;        // columns of a strip, which one thread brings up to date at once
    index_t tournament;          // as in the policy of cpu/recursive
    double operations_a_thread;  // of one panel's product; fewer are not worth a thread
};

constexpr tuning::row<cyclic_policy> cyclic_policies[] = {
    {0, 0, {64, 512, 4, 1e7}, "untuned"},
    {0, 0, {32, 96, 4, 1e5}, "untuned"},
};
static_assert(tuning::well_formed(cyclic_policies));

const cyclic_policy& chosen_cyclic(int element_size) {
    return cyclic_policies[tuning::choose("lu/shared_factor/block_cyclic", cyclic_policies, 0, element_size)]
        .policy;
}

using cpu::blas::packed;

/// The columns of one rank.
///
/// What it waits for: the next panel, at the end of a step. Why it cannot deadlock: panel k + 1 needs no more
/// than panel k; the owner sends it before it waits, and a rank that waits for panel k + 1 has queued its
/// receipt before and hands panel k + 1 on as soon as it is there, so that by induction each panel arrives
/// everywhere. Why two panels are enough: finish() ends the sends of panel k before the receipt of panel k +
/// 2 is queued.
template <class T>
class rank_columns {
public:
    rank_columns(const shared_factor_job& job, int threads)
        : policy_(chosen_cyclic(sizeof(T))),
          threads_(threads),
          transport_(job.group->transport()),
          dealt_(job.whole, job.group->rank(), job.group->size()),
          rows_(job.whole.rows),
          diagonal_(job.whole.diagonal()),
          a_{static_cast<T*>(job.own.data), job.own.leading, job.own.order},
          pivoting_(job.pivoting),
          pivots_(job.pivots, static_cast<std::size_t>(job.whole.diagonal())) {
        if (job.smallest_pivot) rules_.smallest = static_cast<real_of<T>>(*job.smallest_pivot);
        rules_.pivots = job.pivoting == pivoting::partial;
    }

    void run() {
        if (diagonal_ == 0) return;
        const index_t panels = (diagonal_ + dealt_.block - 1) / dealt_.block;
        obtain(0);
        if (dealt_.owns(0)) make_panel(0);
        arrive(0);
        for (index_t k = 0; k < panels; ++k) {
            const bool more = k + 1 < panels;
            if (more) obtain(k + 1);
            apply(k, more);
            if (more) arrive(k + 1);
        }
        if (transport_) transport_->finish();
        for (index_t k = 0; pivoting_ != pivoting::none && k + 1 < panels; ++k)
            if (dealt_.owns(k))
                exchange_rows<T>(a_.from(0, dealt_.own_before(dealt_.start(k))), rows_, width(k), pivots_,
                                 end_of(k));
    }
    [[nodiscard]] index_t moved() const { return moved_; }

private:
    /// What comes with a panel's elements.
    struct panel_note {
        index_t moved = 0;
    };
    struct held_panel {
        panel<T> elements;
        panel_note note;
        bool there = false;
    };

    [[nodiscard]] index_t end_of(index_t k) const { return std::min(dealt_.start(k + 1), diagonal_); }
    [[nodiscard]] index_t width(index_t k) const { return end_of(k) - dealt_.start(k); }
    [[nodiscard]] held_panel& held(index_t k) { return held_[static_cast<std::size_t>(k % 2)]; }
    [[nodiscard]] std::span<std::int32_t> pivots_of(index_t k) {
        return pivots_.subspan(static_cast<std::size_t>(dealt_.start(k)), static_cast<std::size_t>(width(k)));
    }

    /// Queues the receipt of panel k, unless it is this rank's own.
    void obtain(index_t k) {
        held_panel& p = held(k);
        p.there = false;
        if (dealt_.owns(k)) return;
        p.elements.expect(rows_ - dealt_.start(k), width(k));
        const panel_route route(transport_, dealt_.owner(k));
        route.receive(p.elements.all().data, p.elements.all_bytes());
        route.receive(pivots_of(k).data(), std::ssize(pivots_of(k)) * 4);
        route.receive(&p.note, sizeof p.note);
    }
    /// Panel k is there: the ranks below get it.
    void hand_on(index_t k) {
        held_panel& p = held(k);
        p.there = true;
        const panel_route route(transport_, dealt_.owner(k));
        route.send(p.elements.all().data, p.elements.all_bytes());
        route.send(pivots_of(k).data(), std::ssize(pivots_of(k)) * 4);
        route.send(&p.note, sizeof p.note);
    }
    /// Waits for panel k, and for the end of all sends of panel k - 1.
    void arrive(index_t k) {
        if (transport_ && !held(k).there) {
            transport_->finish();
            hand_on(k);
        }
        moved_ += held(k).note.moved;
    }
    /// Between two parts of the work on panel k - 1.
    void look_for(index_t k) {
        if (transport_ && !held(k).there && !dealt_.owns(k) && transport_->settled()) {
            transport_->finish();
            hand_on(k);
        }
    }

    void make_panel(index_t k) {
        const index_t start = dealt_.start(k);
        panel<T>& p = held(k).elements;
        const auto own = a_.from(start, dealt_.own_before(start));
        p.load(own, rows_ - start, width(k));
        const std::span<std::int32_t> pivots = pivots_of(k);
        if (pivoting_ != pivoting::tournament) {
            held(k).note.moved = p.factor(rules_, pivots);
        } else if (!p.factor_by_tournament(policy_.tournament * width(k), pivots)) {
            p.load(own, rows_ - start, width(k));
            (void)p.factor({}, pivots);
        }
        p.store(own);
        for (std::int32_t& row : pivots) row += static_cast<std::int32_t>(start);
        if (transport_) transport_->finish();  // the sends of panel k - 1, before panel k + 1 takes its place
        hand_on(k);
    }

    /// Panel k on all columns behind it. The first thread takes the columns of the next panel, if they are
    /// this rank's, and looks after the messages.
    void apply(index_t k, bool more) {
        const index_t first = dealt_.own_before(end_of(k)), all = dealt_.own();
        const bool next_is_own = more && dealt_.owns(k + 1);
        const index_t behind = next_is_own ? first + width(k + 1) : first;
        panel<T>& p = held(k).elements;
        if (first < all) {
            std::vector<std::int32_t> from_top(pivots_of(k).begin(), pivots_of(k).end());
            for (std::int32_t& row : from_top) row -= static_cast<std::int32_t>(dealt_.start(k));
            exchange_ = row_exchange(from_top, p.rows());
            below_.shape(a_.order, true, p.rows() - p.columns(), p.columns());
        }
        const index_t products = std::max<index_t>(0, p.rows() - p.columns()) * (all - first) * p.columns();
        const int team = cpu::team_size(threads_, static_cast<long long>(2.0 * static_cast<double>(products) /
                                                                         policy_.operations_a_thread));
        if (first < all) pack_below(p, team);
        const index_t strip =
            std::clamp((all - behind) / (2 * index_t{team}), policy_.narrow, policy_.wide) / 32 * 32;
        std::atomic<index_t> ticket{behind};
        cpu::run_team(team, [&](int member) {
            cpu::blas::reserve();
            strip_memory memory;
            if (member == 0 && next_is_own) {
                apply_to(k, first, behind - first, memory);
                make_panel(k + 1);
            }
            for (index_t at = ticket.fetch_add(strip, std::memory_order_relaxed); at < all;
                 at = ticket.fetch_add(strip, std::memory_order_relaxed)) {
                cpu::poll();
                apply_to(k, at, std::min(strip, all - at), memory);
                if (member == 0 && more) look_for(k + 1);
            }
        });
    }

    void pack_below(panel<T>& p, int team) {
        const index_t below = p.rows() - p.columns(), step = packed<T>::step;
        std::atomic<index_t> ticket{0};
        cpu::run_team(team, [&](int) {
            for (index_t at = ticket.fetch_add(step, std::memory_order_relaxed); at < below;
                 at = ticket.fetch_add(step, std::memory_order_relaxed))
                below_.fill(p.all().from(p.columns(), 0), at, std::min(step, below - at));
        });
    }

    struct strip_memory {
        scratch<T> rows;
        packed<T> factor;
    };

    /// Panel k on `columns` of this rank's columns from `first` on.
    void apply_to(index_t k, index_t first, index_t columns, strip_memory& memory) {
        panel<T>& p = held(k).elements;
        const index_t height = p.columns();
        // A product of one column is summed in another order than one of several: the bits would depend on
        // where strips end.
        const index_t solved = std::max<index_t>(2, columns), pitch = padded<T>(solved);
        const block<T> top{memory.rows.take(height * pitch), pitch, storage_order::row_major};
        const block<T> strip = a_.from(dealt_.start(k), first);
        take_top(exchange_, strip, top, columns);
        if (solved > columns)
            for (index_t i = 0; i < height; ++i) top(i, columns) = T(0);
        solve_triangle(triangle<T>{p.all(), height, true, true}, top, solved);
        copy_block<T>(top, strip, height, columns);
        memory.factor.shape(strip.order, false, columns, height);
        memory.factor.fill(top, 0, columns);
        subtract_product<T>(strip.from(height, 0), below_, 0, memory.factor,
                            {p.rows() - height, columns, height});
    }

    const cyclic_policy& policy_;
    int threads_;
    mpi::transport* transport_;
    dealt_columns dealt_;
    index_t rows_, diagonal_;
    block<T> a_;
    wale::pivoting pivoting_;
    panel_rules<T> rules_;
    std::span<std::int32_t> pivots_;
    std::array<held_panel, 2> held_;
    row_exchange exchange_;
    packed<T> below_;
    index_t moved_ = 0;
};

void factor_block_cyclic(shared_factor_job& job) {
    const int threads = cpu::team_size(std::get<on_cpu>(job.where).threads, 1 << 20);
    job.result->perturbed = with_any_type(job.whole.type, [&](auto zero) {
        rank_columns<decltype(zero)> own(job, threads);
        own.run();
        return own.moved();
    });
    const dealt_columns dealt(job.whole, job.group->rank(), job.group->size());
    report& run = job.result->run;
    run.threads = threads;
    run.device = cpu::instruction_set();
    run.policy = "ranks=" + std::to_string(dealt.size) + " block=" + std::to_string(dealt.block);
}

}  // namespace

extern constinit const catalogue::row<shared_factor_job> shared_factor_cpu_block_cyclic{
    "cpu/block_cyclic",
    "columns in blocks by ranks in turn; panels go round, look-ahead of one panel",
    factor_block_cyclic,
    nullptr,
    nullptr,
    true};

}  // namespace wale::lu
