// ranks - the engine of cpu/ranks: this rank's share of a case that several compute. Each stage, the cells
// that others look at come first; while their states travel, the rest is computed. Every cell gathers its own
// faces in the order of its rows, so how a mesh is cut changes no bit.
//
// All ranks hold the whole mesh and cut it alike; each computes with its part.
#include <algorithm>
#include <atomic>
#include <exception>

#include "cpu/instruction_set.hpp"
#include "solvers/euler/cpu.hpp"
#include "solvers/euler/cpu/ranks/part_cells.hpp"
#include "solvers/euler/cpu/ranks/tuning.hpp"
#include "solvers/euler/cpu/team_measure.hpp"
#include "solvers/euler/cpu/vectors/stage.hpp"
#include "solvers/euler/dispatch.hpp"
#include "solvers/euler/ranks/exchange.hpp"
#include "solvers/euler/ranks/together.hpp"

namespace wale::euler {
namespace {

template <class Real>
class ranks_engine final : public engine {
public:
    ranks_engine(const advance_job& job, bool by_vectors)
        : system_(*job.system),
          transport_(*system_.options.group.transport()),
          cut_(cut_together(job, by_vectors ? lanes_of<Real>() : 1)),
          own_(mesh_of_part(system_.grid, cut_.part), options_of_part(system_.options)),
          cells_(
              (by_vectors ? vector_cells<Real> : plain_cells<Real>)({system_, own_, cut_.part}, *job.state)),
          states_(transport_, cut_.part, cells_->words()),
          residuals_(transport_, cut_.part, variables),
          chunk_(chosen_chunk()),
          fair_threads_(fair_threads(transport_)) {}

    void advance(advance_job& job) override {
        const int asked = std::get<on_cpu>(job.where).threads;
        threads_ = cpu::team_size(asked > 0 ? asked : fair_threads_, cut_.part.owned / chunk_);
        least_.assign(static_cast<std::size_t>(threads_), 0);
        cpu::barrier meet(threads_);
        const flow_clock begun = job.clock;
        cpu::run_team(threads_, [&](int member) {
            flow_clock clock = begun;
            index_t done = 0;
            for (; done < job.iterations && !clock.at_end() && !failed_; ++done) iterate(member, clock, meet);
            if (member > 0) return;
            job.clock = clock;
            job.done = done;
        });
        pass_on();
        job.run->threads = threads_;
        job.run->device = cpu::instruction_set();
        job.run->policy = "ranks=" + std::to_string(transport_.size()) + " cells=" + cells_->name() +
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
                together(transport_, cut_.part.owned));
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
    /// the next meeting, so that all leave at the same place.
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

    void iterate(int member, flow_clock& clock, cpu::barrier& meet) {
        if (scheme().fixed_step > 0 || scheme().step == euler_step::global) set_steps(member, clock, meet);
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

    void set_steps(int member, flow_clock& clock, cpu::barrier& meet) {
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
        cells_->set_steps(mine.first, mine.last, clock.take(step));
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
    return refuses_vectors(job).empty();
}

}  // namespace

std::string refuses_ranks(const advance_job& job) {
    const euler_options& o = job.system->options;
    if (o.group.empty()) return "needs ranks: euler_options::group is nobody";
    if (o.scheme.levels > 1) return "has no multigrid";
    if (o.layout == euler_layout::variable_major) return "keeps states cell-major or packed";
    if (o.layout == euler_layout::packed && !takes_vectors(job)) return "keeps these states cell-major";
    return {};
}
bool suits_ranks(const advance_job& job) {
    return !job.system->options.group.empty();
}

void advance_ranks(advance_job& job) {
    if (!job.engine)
        job.engine =
            with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<engine> {
                return std::make_unique<ranks_engine<Real>>(job, takes_vectors(job));
            });
    job.engine->advance(job);
}

}  // namespace wale::euler
