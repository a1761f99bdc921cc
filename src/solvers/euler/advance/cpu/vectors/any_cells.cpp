// any_cells - the session of cpu/vectors for every flux, order and shape of cells: a stage finds all
// gradients, then takes block after block from states at faces to fluxes to the step, while the block stays
// in a near cache. One parallel region for all iterations of a call; threads meet after the gradients and
// after the step.
#include <algorithm>
#include <atomic>
#include <limits>

#include "cpu/instruction_set.hpp"
#include "solvers/euler/advance/cpu/vectors/blocks.hpp"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/multigrid/coarse_levels.hpp"
#include "solvers/euler/advance/shared/team_measure.hpp"

namespace wale::euler {
namespace {

/// Along a curve cells of a block are near each other and have few neighbours in others.
std::vector<std::int32_t> block_order(const flow_system& system) {
    if (system.options.order) return order_cells(system.grid, cell_order::natural);  // is in that order
    return order_cells(system.grid,
                       system.grid.has_centres() ? cell_order::hilbert : cell_order::reverse_cuthill_mckee);
}

template <class Real>
class blocks_session final : public flow_session {
public:
    explicit blocks_session(const advance_job& job)
        : system_(*job.system),
          arrays_(system_),
          order_(block_order(system_)),
          mesh_(arranged_in_blocks(
              system_, arrays_.grid, order_,
              cpu::team_size(std::get<on_cpu>(job.where).threads, system_.cells() / 1000))),
          coarse_(system_, mesh_.k, arrays_.said) {
        const auto places = static_cast<std::size_t>(mesh_.places);
        for (auto& c : conserved_) c.resize(variables * places);
        for (auto& p : points_) p.resize(record * static_cast<std::size_t>(mesh_.records));
        if (scheme().order == 2) slopes_.resize(static_cast<std::size_t>(mesh_.slope_words()) * places);
        steps_.resize(places);
        residual_[0].resize(record * places);
        for (std::size_t i = 1; scheme().smoothing > 0 && i < residual_.size(); ++i)
            residual_[i].resize(record * places);
        if (!coarse_.empty()) restricted_.resize(static_cast<std::size_t>(mesh_.cells));
        for (index_t at = 0; at < mesh_.places; ++at) {
            const index_t cell = order_[static_cast<std::size_t>(std::min(at, mesh_.cells - 1))];
            for (int v = 0; v < variables; ++v)
                word(at, v) = static_cast<Real>(
                    (*job.state)[static_cast<std::size_t>(cell)][static_cast<std::size_t>(v)]);
        }
        place_.resize(order_.size());
        for (std::size_t i = 0; i < order_.size(); ++i)
            place_[static_cast<std::size_t>(order_[i])] = static_cast<std::int32_t>(i);
        at_wall_.resize(order_.size());
        for (const edge_face<Real>& e : mesh_.edges)
            if (arrays_.grid.kinds[e.patch] == euler_boundary::wall)
                at_wall_[static_cast<std::size_t>(e.place)] = true;
        grow_scratch(1);
        for (const cell_block& b : mesh_.blocks) complete(b, 0);
        kept_ = conserved_[0];
    }

    void step(flow_steps& steps) override {
        threads_ = cpu::team_size(std::get<on_cpu>(steps.where).threads, std::ssize(mesh_.blocks));
        grow_scratch(threads_);
        flow_time end = steps.time;
        index_t done = 0;
        cpu::barrier meet(threads_);
        cpu::run_team(threads_, [&](int rank) {
            member m{rank, share(std::ssize(mesh_.blocks), rank, threads_), now_, steps.time, meet};
            index_t iterations = 0;
            for (; iterations < steps.iterations && !m.time.at_end(); ++iterations) iterate(m);
            if (rank > 0) return;
            end = m.time;
            done = iterations;
        });
        now_ = (now_ + static_cast<int>(stages * done % 2)) % 2;
        steps.time = end;
        steps.done = done;
        steps.run->threads = threads_;
        steps.run->device = cpu::instruction_set();
        steps.run->policy =
            "lanes=" + std::to_string(mesh_.lanes) + " blocks=" + std::to_string(mesh_.blocks.size());
    }

    measured measure() override;

    void keep() override { kept_ = conserved_[0]; }
    void go_back() override {
        conserved_[0] = kept_;
        for (const cell_block& b : mesh_.blocks) complete(b, now_);
    }
    void fetch(std::vector<euler_state>& state) override {
        for (std::size_t at = 0; at < order_.size(); ++at)
            for (int v = 0; v < variables; ++v)
                state[static_cast<std::size_t>(order_[at])][static_cast<std::size_t>(v)] =
                    static_cast<double>(word(static_cast<index_t>(at), v));
    }

private:
    /// A thread of the team: its blocks, the points that are now (all threads count alike), its time.
    struct member {
        int rank;
        share blocks;
        int now;
        flow_time time;
        cpu::barrier& meet;
    };
    struct alignas(base::cache_line) own_memory {
        base::aligned_vector<Real> slots, residual;
        double least = 0;  // step
    };

    [[nodiscard]] const euler_scheme& scheme() const { return system_.options.scheme; }
    [[nodiscard]] bool is_global() const {
        return scheme().step == euler_step::global || mesh_.k.fixed_step > 0;
    }
    [[nodiscard]] Real& word(index_t at, int v) {
        return conserved_[0][static_cast<std::size_t>(variables * (at & ~(mesh_.lanes - 1)) +
                                                      v * mesh_.lanes + (at & (mesh_.lanes - 1)))];
    }
    /// The states in the system's numbering.
    struct system_states {
        blocks_session& session;
        [[nodiscard]] gas_point<Real> point(index_t cell, const constants<Real>& k) const {
            Real s[variables];
            for (int v = 0; v < variables; ++v)
                s[v] = session.word(session.place_[static_cast<std::size_t>(cell)], v);
            return point_of(s, k);
        }
    };
    [[nodiscard]] block_task<Real> task(int rank, int now) {
        return {&mesh_, points_[static_cast<std::size_t>(now)].data(), slopes_.data(), steps_.data(),
                memory_[static_cast<std::size_t>(rank)].slots.data()};
    }
    void grow_scratch(int threads) {
        index_t most = 0;
        for (const cell_block& b : mesh_.blocks) most = std::max(most, b.last - b.first);
        for (auto rank = std::ssize(memory_); rank < threads; ++rank) {
            memory_.emplace_back();
            memory_.back().slots.resize(static_cast<std::size_t>(record * mesh_.slots));
            memory_.back().residual.resize(static_cast<std::size_t>(record * most));
        }
    }
    template <class F>
    void each_block(const share& blocks, F&& f) {
        for (index_t b = blocks.first; b < blocks.last; ++b) f(mesh_.blocks[static_cast<std::size_t>(b)]);
    }

    void iterate(member& m) {
        if (!coarse_.empty()) correct(m);
        if (is_global()) find_global_steps(m);
        for (int stage = 0; stage < stages; ++stage) {
            find_all_slopes(m);
            const block_task<Real> t = task(m.rank, m.now);
            const bool stored = scheme().smoothing > 0;
            each_block(m.blocks, [&](const cell_block& b) {
                if (stage == 0 && !is_global()) find_local_steps(t, b, order_);
                Real* const residual = stored ? residual_[0].data() + record * b.first
                                              : memory_[static_cast<std::size_t>(m.rank)].residual.data();
                find_residuals(t, b, residual);
                if (!stored) take_stage(b, stage, residual, 1 - m.now);
            });
            if (stored) take_smoothed(m, stage);
            m.meet.wait();
            m.now = 1 - m.now;
        }
    }

    void find_all_slopes(member& m) {
        if (slopes_.empty()) return;
        const block_task<Real> t = task(m.rank, m.now);
        each_block(m.blocks, [&](const cell_block& b) { find_slopes(t, b.first, b.last); });
        m.meet.wait();
    }

    /// From the states before the iteration and of the stage before, the latter in place.
    void take_stage(const cell_block& b, int stage, const Real* residual, int next) {
        const auto s = static_cast<std::size_t>(stage);
        Real *const before = conserved_[0].data(), *const between = conserved_[1].data();
        const step_task<Real> t{&mesh_,
                                before,
                                stage == 0 ? before : between,
                                stage + 1 == stages ? before : between,
                                residual,
                                steps_.data(),
                                points_[static_cast<std::size_t>(next)].data(),
                                mesh_.k.from_old[s],
                                mesh_.k.from_now[s],
                                mesh_.k.from_flux[s]};
        take_steps(t, b.first, b.last);
        find_ghosts(mesh_, b, points_[static_cast<std::size_t>(next)].data());
    }
    /// Points of the states before an iteration: a step of nothing.
    void complete(const cell_block& b, int now) {
        Real* const states = conserved_[0].data();
        Real* const points = points_[static_cast<std::size_t>(now)].data();
        take_steps(step_task<Real>{&mesh_, states, states, states, nullptr, steps_.data(), points, 1, 0, 0},
                   b.first, b.last);
        find_ghosts(mesh_, b, points);
    }

    void take_smoothed(member& m, int stage) {
        Real *const rough = residual_[0].data(), *smooth = rough, *next = residual_[1].data(),
                    *after = residual_[2].data();
        for (int i = 0; i < scheme().smoothing; ++i) {
            m.meet.wait();
            each_block(m.blocks,
                       [&](const cell_block& b) { sweep_residuals(mesh_, b, rough, smooth, next); });
            smooth = std::exchange(next, std::exchange(after, next));
        }
        each_block(m.blocks,
                   [&](const cell_block& b) { take_stage(b, stage, smooth + record * b.first, 1 - m.now); });
    }

    /// By coarser grids.
    void correct(member& m) {
        find_all_slopes(m);
        const block_task<Real> t = task(m.rank, m.now);
        each_block(m.blocks, [&](const cell_block& b) {
            Real* const residual = memory_[static_cast<std::size_t>(m.rank)].residual.data();
            find_residuals(t, b, residual);
            for (index_t i = b.first; i < std::min(b.last, mesh_.cells); ++i)
                std::copy_n(residual + record * (i - b.first), variables,
                            restricted_[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])].at);
        });
        m.meet.wait();
        const auto at = [&](index_t cell, int v) -> Real& {
            return word(place_[static_cast<std::size_t>(cell)], v);
        };
        with_flux(scheme().flux, [&]<euler_flux Flux>() {
            coarse_.template correct<Flux>({m.rank, threads_, m.meet}, at, restricted_.data());
        });
        each_block(m.blocks, [&](const cell_block& b) { complete(b, m.now); });
        m.meet.wait();
    }

    /// The same step of time for all.
    void find_global_steps(member& m) {
        auto least = static_cast<double>(mesh_.k.fixed_step);
        if (!(mesh_.k.fixed_step > 0)) {
            const block_task<Real> t = task(m.rank, m.now);
            least = std::numeric_limits<double>::infinity();
            each_block(m.blocks, [&](const cell_block& b) {
                find_local_steps(t, b, order_);
                for (index_t i = b.first; i < std::min(b.last, mesh_.cells); ++i)
                    least =
                        std::min(least, static_cast<double>(steps_[static_cast<std::size_t>(i)]) * volume(i));
            });
            memory_[static_cast<std::size_t>(m.rank)].least = least;
            m.meet.wait();
            for (int r = 0; r < threads_; ++r)
                least = std::min(least, memory_[static_cast<std::size_t>(r)].least);
        }
        least = m.time.take(least);
        each_block(m.blocks, [&](const cell_block& b) {
            for (index_t i = b.first; i < b.last; ++i)
                steps_[static_cast<std::size_t>(i)] = static_cast<Real>(least / volume(i));
        });
    }
    [[nodiscard]] double volume(index_t i) const {
        return system_.grid
            .volume[static_cast<std::size_t>(order_[static_cast<std::size_t>(std::min(i, mesh_.cells - 1))])];
    }

    const flow_system& system_;
    host_arrays<Real> arrays_;
    std::vector<std::int32_t> order_;  // [cells] the system's number of the cell in each place
    std::vector<std::int32_t> place_;  // [cells] the other way round
    block_mesh<Real> mesh_;
    coarse_levels<Real> coarse_;
    std::array<base::large_vector<Real>, 2> conserved_;  // [groups][5][lanes] before and within an iteration
    std::array<base::large_vector<Real>, 2> points_;     // [records][8]
    int now_ = 0;                                        // of points_, those of conserved_[0]
    base::large_vector<Real> slopes_, steps_, kept_;
    std::array<base::large_vector<Real>, 3> residual_;  // [places][8]; two more to smooth
    std::vector<flux_of<Real>> restricted_;             // [cells] of the system, for coarser grids
    std::vector<bool> at_wall_;                         // [cells] by place
    std::vector<own_memory> memory_;                    // [threads]
    int threads_ = 1;
};

/// Places take the part of cells.
template <class Real>
measured blocks_session<Real>::measure() {
    std::atomic<int> come = 0;  // threads, in any order
    grow_scratch(threads_);
    const system_states states{*this};
    const auto own = [&](index_t at) { return states.point(order_[static_cast<std::size_t>(at)], mesh_.k); };
    return measure_by_team(
        system_, threads_,
        [&](share, cpu::barrier& meet) {
            const int rank = come.fetch_add(1);
            member m{rank, share(std::ssize(mesh_.blocks), rank, threads_), now_, {}, meet};
            find_all_slopes(m);
            const block_task<Real> t = task(rank, now_);
            each_block(m.blocks, [&](const cell_block& b) {
                find_residuals(t, b, residual_[0].data() + record * b.first);
            });
        },
        [&](index_t at) {
            const index_t cell = order_[static_cast<std::size_t>(at)];
            flux_of<Real> r;
            std::copy_n(residual_[0].data() + record * at, variables, r.at);
            const gas_point<Real> here = own(at);
            cell_measure c = measure_cell(arrays_.grid, here, r, cell);
            std::array<double, 3> arm;
            if (!at_wall_[static_cast<std::size_t>(at)]) return c;
            gradient_of<Real> slope{};  // as the reference rounds it
            if (scheme().order == 2) slope = cell_gradient(arrays_.grid, states, cell, mesh_.k);
            measure_walls(arrays_.grid, here, cell, mesh_.k.far.p, arm_of(system_, cell, arm), c,
                          scheme().order == 2 ? &slope : nullptr);
            return c;
        },
        [&](index_t at) {
            return is_bad(own(at)) ? system_.number_of(order_[static_cast<std::size_t>(at)]) : -1;
        });
}

}  // namespace

std::unique_ptr<flow_session> create_blocks(const advance_job& job) {
    return with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<flow_session> {
        return std::make_unique<blocks_session<Real>>(job);
    });
}

}  // namespace wale::euler
