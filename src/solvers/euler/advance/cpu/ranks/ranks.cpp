// ranks - the session of cpu/ranks: this rank's share of a case that several compute. Each stage, the cells
// that others look at come first; while their states travel, the rest is computed. Every cell gathers its own
// faces in the order of its rows, so how a mesh is cut changes no bit.
//
// All ranks hold the whole mesh and cut it alike; each computes with its part.
#include <algorithm>
#include <atomic>
#include <exception>
#include <wale/rank_messages.hpp>

#include "base/aligned.hpp"
#include "cpu/instruction_set.hpp"
#include "solvers/euler/advance/cpu/ranks/part_cells.hpp"
#include "solvers/euler/advance/cpu/ranks/tuning.hpp"
#include "solvers/euler/advance/session.hpp"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/lanes/lanes.hpp"
#include "solvers/euler/advance/shared/ranks/collectives.hpp"
#include "solvers/euler/advance/shared/team_measure.hpp"

namespace wale::euler {
namespace {

/// Records of `words` numbers a cell, [cells][words]. start() packs and queues, finish() waits and fills the
/// halo; between them the cells that are sent may be read but not the halo written.
template <class Real>
class halo_exchange {
public:
    halo_exchange(mpi::transport& t, const mesh_part& part, index_t words)
        : transport_(t), part_(part), words_(words) {
        for (const mesh_part::peer& p : part.peers) {
            out_.emplace_back(p.send.size() * static_cast<std::size_t>(words));
            in_.emplace_back(p.receive.size() * static_cast<std::size_t>(words));
        }
    }

    void start(const Real* records) {
        for (std::size_t p = 0; p < out_.size(); ++p) {
            const mesh_part::peer& peer = part_.peers[p];
            Real* to = out_[p].data();
            for (const std::int32_t cell : peer.send)
                for (index_t w = 0; w < words_; ++w) *to++ = records[words_ * cell + w];
        }
        queue();
    }
    void progress() { transport_.progress(); }
    void finish(Real* records) {
        transport_.finish();
        for (std::size_t p = 0; p < in_.size(); ++p) {
            const Real* from = in_[p].data();
            for (const std::int32_t cell : part_.peers[p].receive)
                for (index_t w = 0; w < words_; ++w) records[words_ * cell + w] = *from++;
        }
    }

private:
    void queue() {
        constexpr auto size = static_cast<index_t>(sizeof(Real));
        for (std::size_t p = 0; p < in_.size(); ++p) {
            const int rank = part_.peers[p].rank;
            transport_.receive(rank, in_[p].data(), size * std::ssize(in_[p]));
            transport_.send(rank, out_[p].data(), size * std::ssize(out_[p]));
        }
    }

    mpi::transport& transport_;
    const mesh_part& part_;
    index_t words_;
    std::vector<base::aligned_vector<Real>> out_, in_;  // [peers]
};

template <class Real>
class ranks_session final : public flow_session {
public:
    ranks_session(const advance_job& job, bool by_vectors)
        : system_(*job.system),
          transport_(*system_.options.group.transport()),
          cut_(cut_for_ranks(job, by_vectors ? lanes_of<Real>() : 1)),
          own_(mesh_of_part(system_.grid, cut_.part), options_of_part(system_.options)),
          cells_(
              (by_vectors ? vector_cells<Real> : plain_cells<Real>)({system_, own_, cut_.part}, *job.state)),
          states_(transport_, cut_.part, cells_->words()),
          residuals_(transport_, cut_.part, variables),
          chunk_(chosen_chunk),
          fair_threads_(threads_for(system_.options.group)) {}

    void step(flow_steps& steps) override {
        const int asked = std::get<on_cpu>(steps.where).threads;
        threads_ = cpu::team_size(asked > 0 ? asked : fair_threads_, cut_.part.owned / chunk_);
        least_.assign(static_cast<std::size_t>(threads_), 0);
        cpu::barrier meet(threads_);
        const flow_time begun = steps.time;
        cpu::run_team(threads_, [&](int member) {
            flow_time time = begun;
            index_t done = 0;
            for (; done < steps.iterations && !time.at_end() && !failed_; ++done) iterate(member, time, meet);
            if (member > 0) return;
            steps.time = time;
            steps.done = done;
        });
        pass_on();
        steps.run->threads = threads_;
        steps.run->device = cpu::instruction_set();
        steps.run->policy = "ranks=" + std::to_string(transport_.size()) + " cells=" + cells_->name() +
                            " chunk=" + std::to_string(chunk_);
    }

    measured measure() override {
        measured m;
        std::atomic<int> come = 0;  // members of the team, in any order
        talk([&] {
            m = measure_by_team(
                system_, threads_,
                [&](share mine, cpu::barrier& meet) {
                    prepare(come.fetch_add(1), 0, meet);
                    cells_->find_residuals(mine.first, mine.last);
                },
                [&](index_t i) { return cells_->measure(i); },
                [&](index_t i) { return cells_->is_bad_cell(i) ? system_.number_of(number(i)) : -1; },
                rank_collectives(transport_, cut_.part.owned));
        });
        pass_on();
        return m;
    }

    void keep() override { cells_->keep(); }
    void go_back() override { cells_->go_back(); }
    void fetch(std::vector<euler_state>& state) override {
        talk([&] {
            gather_part(transport_, cut_.owner, cut_.part, cells_->records(0), cells_->words(), state);
        });
        pass_on();
    }

private:
    [[nodiscard]] const euler_scheme& scheme() const { return system_.options.scheme; }
    [[nodiscard]] std::int32_t number(index_t i) const {
        return cut_.part.cells[static_cast<std::size_t>(i)];
    }

    /// What only the first member of the team does: other ranks may fail it. The team looks at failed_ after
    /// the next barrier, so that all leave at the same place.
    template <class F>
    void talk(F&& f) {
        if (failed_) return;
        try {
            f();
        } catch (...) {
            error_ = std::current_exception();
            failed_ = true;
        }
    }
    void pass_on() const {
        if (failed_) std::rethrow_exception(error_);
    }

    void iterate(int member, flow_time& time, cpu::barrier& meet) {
        if (scheme().fixed_step > 0 || scheme().step == euler_step::global) set_steps(member, time, meet);
        for (int stage = 0; stage < stages && !failed_; ++stage) {
            prepare(member, stage, meet);
            scheme().smoothing > 0 ? smoothed_stage(member, stage, meet) : one_stage(member, stage, meet);
        }
    }

    /// The halo's cells too: their gradients are found here again instead of sent.
    void prepare(int member, int stage, cpu::barrier& meet) {
        if (!cells_->is_prepared()) return;
        const share seen(cut_.part.near, member, threads_);
        cells_->prepare(stage, seen.first, seen.last);
        meet.wait();
    }

    void set_steps(int member, flow_time& time, cpu::barrier& meet) {
        const share mine(cut_.part.owned, member, threads_);
        double step =
            scheme().fixed_step > 0 ? static_cast<double>(static_cast<Real>(scheme().fixed_step)) : 0;
        if (!(step > 0)) {
            least_[static_cast<std::size_t>(member)] = cells_->least_step(mine.first, mine.last);
            meet.wait();
            if (member == 0)
                talk([&] { least_of_all_ = least_of_all(transport_, std::ranges::min(least_)); });
            meet.wait();
            step = least_of_all_;
        }
        cells_->set_steps(mine.first, mine.last, time.take(step));
        meet.wait();
    }

    void one_stage(int member, int stage, cpu::barrier& meet) {
        const share first(cut_.part.sent, member, threads_);
        cells_->stage(stage, first.first, first.last);
        if (member == 0) next_ = cut_.part.sent;
        meet.wait();
        if (member == 0) talk([&] { states_.start(cells_->records(stage + 1)); });
        for (index_t at = next_.fetch_add(chunk_); at < cut_.part.owned; at = next_.fetch_add(chunk_)) {
            cells_->stage(stage, at, std::min(at + chunk_, cut_.part.owned));
            if (member == 0) talk([&] { states_.progress(); });
        }
        if (member == 0) talk([&] { states_.finish(cells_->records(stage + 1)); });
        meet.wait();
    }

    /// Each sweep looks at what the neighbours' last one found, so nothing is left to do while that travels.
    void smoothed_stage(int member, int stage, cpu::barrier& meet) {
        const share mine(cut_.part.owned, member, threads_);
        cells_->rough(stage, mine.first, mine.last);
        for (int sweep = 0; sweep < scheme().smoothing; ++sweep) {
            exchange(member, residuals_, cells_->residuals(sweep), meet);
            cells_->sweep(sweep, mine.first, mine.last);
        }
        cells_->take(stage, mine.first, mine.last);
        exchange(member, states_, cells_->records(stage + 1), meet);
    }
    void exchange(int member, halo_exchange<Real>& halo, Real* records, cpu::barrier& meet) {
        meet.wait();
        if (member == 0)
            talk([&] {
                halo.start(records);
                halo.finish(records);
            });
        meet.wait();
    }

    const flow_system& system_;
    mpi::transport& transport_;
    cut_case cut_;
    flow_system own_;
    std::unique_ptr<part_cells<Real>> cells_;
    halo_exchange<Real> states_, residuals_;
    index_t chunk_;
    int fair_threads_;
    std::atomic<index_t> next_ = 0;  // cell to be taken
    std::vector<double> least_;      // [threads] step
    double least_of_all_ = 0;
    std::atomic<bool> failed_ = false;
    std::exception_ptr error_;
    int threads_ = 1;
};

/// The same on all ranks, so that they and any number of them round alike.
bool takes_vectors(const advance_job& job) {
    return why_not_lanes(*job.system).empty();
}

std::string refusal(const advance_job& job) {
    const euler_options& o = job.system->options;
    if (o.group.empty()) return "needs ranks: euler_options::group is empty";
    if (const std::string why = why_not_shared(o); !why.empty()) return why;
    if (o.scheme.levels > 1) return "has no multigrid";
    if (o.layout == euler_layout::variable_major) return "keeps states cell-major or packed";
    if (o.layout == euler_layout::packed && !takes_vectors(job)) return "keeps these states cell-major";
    return {};
}
bool suits(const advance_job& job) {
    return !job.system->options.group.empty();
}

std::unique_ptr<flow_session> create(advance_job& job) {
    return with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<flow_session> {
        return std::make_unique<ranks_session<Real>>(job, takes_vectors(job));
    });
}

}  // namespace

extern constinit const flow_row advance_cpu_ranks{
    "cpu/ranks",
    "several processes, a part of the mesh each; states of its border travel while the rest is computed",
    create, refusal, suits};

}  // namespace wale::euler
