// vectors - the engine of cpu/vectors: groups of cells in the lanes of vectors, one parallel region for all
// iterations of a call. As in cpu/one_pass, stages go from buffer 0 to 1, 1 to 2 and 2 to 0.
#include <algorithm>

#include "cpu/instruction_set.hpp"
#include "solvers/euler/cpu.hpp"
#include "solvers/euler/cpu/team_measure.hpp"
#include "solvers/euler/cpu/vectors/arrange.hpp"
#include "solvers/euler/dispatch.hpp"

namespace wale::euler {
namespace {

template <class Real>
class vectors_engine final : public engine {
public:
    explicit vectors_engine(const advance_job& job)
        : system_(*job.system),
          arrays_(system_),
          order_(vector_order(system_)),
          mesh_(arranged(system_, arrays_.grid, order_)),
          lanes_(lanes_of<Real>()) {
        const auto places = static_cast<std::size_t>(mesh_.groups * lanes_);
        buffers_[0].resize(record * (places + static_cast<std::size_t>(lanes_)));
        for (std::size_t at = 0; at < places; ++at)
            set(at, (*job.state)[static_cast<std::size_t>(order_[std::min(at, order_.size() - 1)])]);
        for (std::size_t lane = 0; lane < static_cast<std::size_t>(lanes_); ++lane)
            set(places + lane, system_.options.stream.state());
        stage_task<Real> all = task(completion);
        all.now = all.next = buffers_[0].data();
        all.last = mesh_.groups + 1;
        run_stage(all);
        buffers_[1] = buffers_[2] = kept_ = buffers_[0];
        steps_.resize(places);
        for (std::size_t at = 0; mesh_.k.fixed_step > 0 && at < places; ++at)
            steps_[at] = static_cast<Real>(static_cast<double>(mesh_.k.fixed_step) / volume_at(at));
    }

    void advance(advance_job& job) override {
        threads_ = cpu::team_size(std::get<on_cpu>(job.where).threads, mesh_.groups);
        cpu::barrier meet(threads_);
        cpu::run_team(threads_, [&](int rank) {
            const share mine(mesh_.groups, rank, threads_);
            for (index_t i = 0; i < job.iterations; ++i)
                for (int stage = 0; stage < stages; ++stage) {
                    stage_task<Real> t = task(stage);
                    t.first = mine.first;
                    t.last = mine.last;
                    run_stage(t);
                    meet.wait();
                }
        });
        job.done = job.iterations;
        for (index_t i = 0; mesh_.k.fixed_step > 0 && i < job.done; ++i)
            (void)job.clock.take(static_cast<double>(mesh_.k.fixed_step));
        job.run->threads = threads_;
        job.run->device = cpu::instruction_set();
        job.run->policy = "lanes=" + std::to_string(lanes_);
    }

    measured measure() override;

    void keep() override { kept_ = buffers_[0]; }
    void go_back() override { buffers_[0] = kept_; }
    void fetch(std::vector<euler_state>& state) override {
        for (std::size_t at = 0; at < order_.size(); ++at)
            for (std::size_t v = 0; v < variables; ++v)
                state[static_cast<std::size_t>(order_[at])][v] =
                    static_cast<double>(buffers_[0][record * at + v]);
    }

private:
    void set(std::size_t at, const euler_state& s) {
        for (std::size_t v = 0; v < variables; ++v) buffers_[0][record * at + v] = static_cast<Real>(s[v]);
    }
    [[nodiscard]] double volume_at(std::size_t at) const {
        return system_.grid.volume[static_cast<std::size_t>(order_[std::min(at, order_.size() - 1)])];
    }
    [[nodiscard]] stage_task<Real> task(int stage) {
        const auto buffer = [&](int s) { return buffers_[static_cast<std::size_t>(s % stages)].data(); };
        return {&mesh_, buffer(stage), buffer(0), buffer(stage + 1), steps_.data(), stage, 0, mesh_.groups};
    }

    const flow_system& system_;
    host_arrays<Real> arrays_;
    std::vector<std::int32_t> order_;  // [cells] the system's number of the cell in each place
    lane_mesh<Real> mesh_;
    index_t lanes_;
    std::array<base::aligned_vector<Real>, stages>
        buffers_;  // [places + lanes][8]; the state is in the first
    base::aligned_vector<Real> kept_, steps_;
    int threads_ = 1;
};

/// Places take the part of cells.
template <class Real>
measured vectors_engine<Real>::measure() {
    const bool placed = system_.grid.has_centres();
    const auto own = [this](index_t at) { return point_of(buffers_[0].data() + record * at, mesh_.k); };
    return measure_by_team(
        system_, threads_,
        [&](share mine, cpu::barrier&) {
            stage_task<Real> t = task(residual);
            t.next = buffers_[1].data();
            t.first = (mine.first + lanes_ - 1) / lanes_;  // a group is its first cell's
            t.last = (mine.last + lanes_ - 1) / lanes_;
            run_stage(t);
        },
        [&](index_t at) {
            const index_t cell = order_[static_cast<std::size_t>(at)];
            flux_of<Real> r;
            for (int v = 0; v < variables; ++v)
                r.at[v] = buffers_[1][static_cast<std::size_t>(record * at + v)];
            const gas_point<Real> here = own(at);
            cell_measure c = measure_cell(arrays_.grid, here, r, cell);
            double centre[3]{};
            for (std::size_t d = 0; placed && d < 3; ++d)
                centre[d] = system_.grid.centre[static_cast<std::size_t>(3 * cell) + d] -
                            system_.options.moment_centre[d];
            measure_walls(arrays_.grid, here, cell, mesh_.k.far.p, placed ? centre : nullptr, c);
            return c;
        },
        [&](index_t at) {
            return is_bad(own(at)) ? system_.number_of(order_[static_cast<std::size_t>(at)]) : -1;
        });
}

}  // namespace

std::string refuses_vectors(const advance_job& job) {
    const euler_options& o = job.system->options;
    const euler_scheme& s = o.scheme;
    if (lanes_of<float>() == 1) return "this processor, or this build of Highway, has no vectors";
    if (s.flux == euler_flux::hllc || s.flux == euler_flux::roe)
        return "knows the fluxes rodinia, central, rusanov";
    if (s.order > 1) return "is of first order";
    if (s.smoothing > 0) return "does not smooth residuals";
    if (s.levels > 1) return "has no multigrid";
    if (o.end_time > 0 || (s.step == euler_step::global && !(s.fixed_step > 0)))
        return "takes local or fixed steps, without an end in time";
    if (o.layout != euler_layout::automatic && o.layout != euler_layout::packed) return "keeps states packed";
    const mesh& m = job.system->grid;
    for (index_t i = 0; i < m.cells(); ++i)
        if (m.first_face[static_cast<std::size_t>(i) + 1] != 4 * (i + 1)) return "is for cells of four faces";
    if (m.cells() > (index_t{1} << 31) - 65) return "counts cells in 32 bits";
    return {};
}

void advance_vectors(advance_job& job) {
    if (!job.engine)
        job.engine =
            with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<engine> {
                return std::make_unique<vectors_engine<Real>>(job);
            });
    job.engine->advance(job);
}

}  // namespace wale::euler
