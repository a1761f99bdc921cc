// tetrahedra - the session of cpu/vectors for tetrahedra to first order: groups of cells in the lanes of
// vectors, one parallel region for all iterations of a call. As in cpu/one_pass, stages go from buffer 0 to
// 1, 1 to 2 and 2 to 0.
#include <algorithm>

#include "cpu/instruction_set.hpp"
#include "solvers/euler/advance/cpu/vectors/blocks.hpp"
#include "solvers/euler/advance/session.hpp"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/lanes/lanes.hpp"
#include "solvers/euler/advance/shared/team_measure.hpp"

namespace wale::euler {
namespace {

template <class Real>
class vectors_session final : public flow_session {
public:
    explicit vectors_session(const advance_job& job)
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
        stage_task<Real> all = task(completion_pass);
        all.now = all.next = buffers_[0].data();
        all.last = mesh_.groups + 1;
        run_stage(all);
        buffers_[1] = buffers_[2] = kept_ = buffers_[0];
        steps_.resize(places);
        for (std::size_t at = 0; mesh_.k.fixed_step > 0 && at < places; ++at)
            steps_[at] = static_cast<Real>(static_cast<double>(mesh_.k.fixed_step) / volume_at(at));
    }

    void step(flow_steps& steps) override {
        threads_ = cpu::team_size(std::get<on_cpu>(steps.where).threads, mesh_.groups);
        cpu::barrier meet(threads_);
        cpu::run_team(threads_, [&](int rank) {
            const share mine(mesh_.groups, rank, threads_);
            for (index_t i = 0; i < steps.iterations; ++i)
                for (int stage = 0; stage < stages; ++stage) {
                    stage_task<Real> t = task(stage);
                    t.first = mine.first;
                    t.last = mine.last;
                    run_stage(t);
                    meet.wait();
                }
        });
        steps.done = steps.iterations;
        for (index_t i = 0; mesh_.k.fixed_step > 0 && i < steps.done; ++i)
            (void)steps.time.take(static_cast<double>(mesh_.k.fixed_step));
        steps.run->threads = threads_;
        steps.run->device = cpu::instruction_set();
        steps.run->policy = "lanes=" + std::to_string(lanes_);
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
measured vectors_session<Real>::measure() {
    const auto own = [this](index_t at) { return point_of(buffers_[0].data() + record * at, mesh_.k); };
    return measure_by_team(
        system_, threads_,
        [&](share mine, cpu::barrier&) {
            stage_task<Real> t = task(residual_pass);
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
            std::array<double, 3> arm;
            measure_walls(arrays_.grid, here, cell, mesh_.k.far.p, arm_of(system_, cell, arm), c);
            return c;
        },
        [&](index_t at) {
            return is_bad(own(at)) ? system_.number_of(order_[static_cast<std::size_t>(at)]) : -1;
        });
}

}  // namespace

std::unique_ptr<flow_session> create_tetrahedra(const advance_job& job) {
    return with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<flow_session> {
        return std::make_unique<vectors_session<Real>>(job);
    });
}

}  // namespace wale::euler
