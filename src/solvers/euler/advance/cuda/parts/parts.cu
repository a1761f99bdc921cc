// parts - a flow over several devices of one process. Tiles are dealt to the devices; each moves its own with
// the kernels of one device, and so with its bits. Of second order on tetrahedra a device has its part of the
// mesh alone, else all of it. One thread queues all and waits for nothing between measurements:
//
//     border stream   wait: inner tiles moved, records of others came | border tiles | send their records
//     inner stream    wait: border tiles moved                        | inner tiles
//
// Tiles of the border lend to other devices or borrow of them. Records are written into one buffer while
// another is read: of one pass, a device sends what another reads in the next; that other one has read what
// is overwritten before it sent what this device waited for.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "cuda/recorded_graph.cuh"
#include "solvers/euler/advance/cuda/parts/lanes.cuh"
#include "solvers/euler/advance/cuda/parts/tuning.hpp"
#include "solvers/euler/advance/cuda/second_order/second_order.cuh"
#include "solvers/euler/advance/cuda/tiled/tiled.cuh"
#include "solvers/euler/advance/shared/device/measure.cuh"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/fused/fused_parts.cuh"
#include "solvers/euler/advance/shared/parts/clock.cuh"
#include "solvers/euler/advance/shared/parts/link.cuh"

namespace wale::euler {
namespace {

using lane_list = std::vector<std::unique_ptr<part_lanes>>;

std::vector<on_cuda> borders_of(const lane_list& lanes) {
    std::vector<on_cuda> all;
    for (const auto& l : lanes) all.push_back(l->border());
    return all;
}

template <class Real>
flow_parts<Real> cut_into_parts(const advance_job& job, const lane_list& lanes) {
    if (tiled::why_not(job).empty()) return tiled::parts_of<Real>(job, borders_of(lanes));
    if (second_order::why_not(job).empty()) return second_order::parts_of<Real>(job, borders_of(lanes));
    return fused_parts_of<Real>(job, borders_of(lanes));
}

lane_list lanes_of(const advance_job& job) {
    lane_list lanes;
    for (const int device : std::get<on_cuda>(job.where).devices)
        lanes.push_back(std::make_unique<part_lanes>(device));
    return lanes;
}

template <class Real>
class parts_session final : public flow_session {
public:
    explicit parts_session(const advance_job& job)
        : times_on_device_(std::get<on_cuda>(job.where).time_on_device),
          lanes_(lanes_of(job)),
          policy_(parts_policies[tuning::choose("euler/advance/parts", parts_policies,
                                                cuda::context(lanes_[0]->border()).sm(), sizeof(Real))]
                      .policy),
          parts_(cut_into_parts<Real>(job, lanes_)),
          system_(parts_.renumbered ? *parts_.renumbered : *job.system),
          k_(constants_of<Real>(system_)),
          links_(lanes_.size()),
          begun_(border(0).device) {
        for (std::size_t d = 0; d < size(); ++d) {
            const cuda::context on(border(d));
            std::vector<Real> first;
            for (std::size_t i = 0; i < places(d); ++i)
                for (const double v : (*job.state)[of_case(d, i)]) first.push_back(static_cast<Real>(v));
            kept_.emplace_back(on, first);
            states_.emplace_back(on, first);
            clocks_.emplace_back(on, in_pieces() ? *parts_.pieces[d].system : system_, static_cast<int>(d),
                                 static_cast<int>(size()));
            if (clocks_[d].has_time()) parts_.of[d]->follow(clocks_[d].time());
            cudaDeviceProp properties{};
            cuda::check(cudaGetDeviceProperties(&properties, on.device()));
            names_ += (d == 0 ? "" : ", ") + std::string(properties.name);
        }
        make_links();
        go_back();
    }

    void step(flow_steps& steps) override {
        steps.run->device = names_;
        steps.run->threads = static_cast<int>(size());
        steps.run->policy = policy();
        for (std::size_t d = 0; d < size(); ++d) clocks_[d].begin(cuda::context(border(d)), steps.time);
        const cuda::context root(on_cuda{border(0).device, border(0).stream, {}, times_on_device_});
        cuda::timer watch(root);
        iterate(root, steps.iterations);
        steps.run->compute_seconds += watch.stop();
        steps.done = steps.iterations;
        for (std::size_t d = 0; d < size() && clocks_[d].has_time(); ++d)
            steps.done = clocks_[d].end(cuda::context(border(d)), steps.time);
    }

    [[nodiscard]] measured measure() override {
        gather();
        if (in_pieces()) return measured_in_pieces();
        return measured_on_device(cuda::context(border(0)), system_, parts_.of[0]->grid(), states_[0].data());
    }
    void keep() override {
        for (std::size_t d = 0; d < size(); ++d)
            parts_.of[d]->queue_store(cuda::context(border(d)), number_, kept_[d].data());
        wait();
    }
    void go_back() override {
        for (std::size_t d = 0; d < size(); ++d)
            parts_.of[d]->queue_load(cuda::context(border(d)), number_, kept_[d].data());
        wait();
        // The records of the border are those that the last pass of an iteration before would have written.
        const moment last{number_ + 1, parts_.of[0]->passes() - 1, 0};
        for (std::size_t d = 0; d < size(); ++d) send(d, last);
        wait();
        for (std::size_t d = 0; d < size(); ++d) receive(d, last);
        wait();
    }
    void fetch(std::vector<euler_state>& state) override {
        in_pieces() ? store_states() : gather();
        for (std::size_t d = 0; d < (in_pieces() ? size() : 1); ++d) {
            const std::vector<Real> all = states_[d].on_host();
            const std::size_t end = in_pieces() ? variables * at(parts_.pieces[d].part.owned) : all.size();
            for (std::size_t i = 0; i < end; ++i)
                state[of_case(d, i / variables)][i % variables] = static_cast<double>(all[i]);
        }
    }

private:
    [[nodiscard]] static std::size_t at(index_t i) { return static_cast<std::size_t>(i); }
    /// Whether a device has a piece of the mesh, not all of it.
    [[nodiscard]] bool in_pieces() const { return !parts_.pieces.empty(); }
    [[nodiscard]] std::size_t places(std::size_t d) const {
        return in_pieces() ? parts_.pieces[d].part.cells.size() : at(system_.cells());
    }
    /// The case's number of the cell at a place.
    [[nodiscard]] std::size_t of_case(std::size_t d, std::size_t place) const {
        if (in_pieces()) return at(parts_.pieces[d].part.cells[place]);
        return parts_.origin.empty() ? place : at(parts_.origin[place]);
    }
    [[nodiscard]] std::size_t size() const { return lanes_.size(); }
    [[nodiscard]] on_cuda border(std::size_t d) const { return lanes_[d]->border(); }
    [[nodiscard]] on_cuda inner(std::size_t d) const { return lanes_[d]->inner(); }
    void wait() const {
        for (std::size_t d = 0; d < size(); ++d) cuda::context(border(d)).synchronize();
    }
    [[nodiscard]] std::string policy() const {
        return "parts=" + std::to_string(size()) + (stores_ ? " stores" : " copies") +
               " iterations_a_graph=" + std::to_string(recorded()) + " " + parts_.of[0]->choices();
    }
    /// Copies between devices are not recorded: a graph does not take them on every machine.
    [[nodiscard]] int recorded() const { return clocks_[0].has_time() || !stores_ ? 0 : policy_.recorded; }

    void make_links() {
        index_t bytes = 0;
        for (int pass = 0; pass < parts_.of[0]->passes(); ++pass)
            bytes = std::max(bytes, parts_.of[0]->written(0, pass).bytes());
        for (std::size_t d = 0; d < size(); ++d)
            for (std::size_t e = 0; e < size(); ++e) {
                const bool straight = d == e || (policy_.stores && reach(border(d).device, border(e).device));
                stores_ = stores_ && straight;
                const auto link = [&](const record_link::numbers& records) {
                    return std::make_unique<record_link>(border(d), border(e), records, bytes, straight);
                };
                const part_share& share = parts_.shares[d];
                const auto& there = share.lent_there.empty() ? share.lent : share.lent_there;
                links_[d].push_back(
                    {link({share.lent[e], there[e]}),
                     share.lent_rows.empty() ? nullptr : link({share.lent_rows[e], share.lent_rows[e]})});
            }
        for (std::size_t d = in_pieces() ? 0 : 1; d < size(); ++d)
            in_pieces() ? link_states(d) : link_home(d);
    }
    /// States of a device's cells to the first, which has all.
    void link_home(std::size_t d) {
        const part_share& share = parts_.shares[d];
        const std::vector<std::int32_t> own(parts_.order.begin() + share.first,
                                            parts_.order.begin() + share.last);
        state_links_.push_back({d, 0, state_link(d, 0, {own, own})});
    }
    /// States of a device's cells to those whose cells look at them.
    void link_states(std::size_t d) {
        for (const mesh_part::peer& to : parts_.pieces[d].part.peers) {
            const auto e = at(to.rank);
            for (const mesh_part::peer& from : parts_.pieces[e].part.peers)
                if (at(from.rank) == d)
                    state_links_.push_back({d, e, state_link(d, e, {to.send, from.receive})});
        }
    }
    [[nodiscard]] std::unique_ptr<record_link> state_link(std::size_t d, std::size_t e,
                                                          const record_link::numbers& states) const {
        return std::make_unique<record_link>(border(d), border(e), states, variables * index_t{sizeof(Real)},
                                             policy_.stores && reach(border(d).device, border(e).device));
    }
    /// Whether device d waits for e or e for d.
    [[nodiscard]] bool are_neighbours(std::size_t d, std::size_t e) const {
        return !parts_.shares[d].lent[e].empty() || !parts_.shares[e].lent[d].empty();
    }

    void store_states() {
        for (std::size_t d = 0; d < size(); ++d)
            parts_.of[d]->queue_store(cuda::context(border(d)), number_, states_[d].data());
        wait();
    }
    /// All states to the first device; of pieces, what others look at to these.
    void gather() {
        const auto records = [&](std::size_t d) {
            written_records r{};
            r.pieces[0] = {reinterpret_cast<char*>(states_[d].data()), variables * index_t{sizeof(Real)}};
            return r;
        };
        store_states();
        for (const auto& [from, to, link] : state_links_)
            link->queue_send(cuda::context(border(from)), records(from), records(to), 0);
        wait();
        for (const auto& [from, to, link] : state_links_)
            link->queue_receive(cuda::context(border(to)), records(to), 0);
        wait();
    }
    /// A thread for each device, as ranks measure.
    [[nodiscard]] measured measured_in_pieces() const {
        measured found;
        run_ranks(static_cast<int>(size()), [&](const ranks& all) {
            const auto d = at(all.rank());
            const mesh_part& part = parts_.pieces[d].part;
            const rank_scope scope{rank_collectives(*all.transport(), part.owned), part.near};
            const measured own = measured_on_device(cuda::context(border(d)), system_, parts_.of[d]->grid(),
                                                    states_[d].data(), &scope);
            if (d == 0) found = own;
        });
        return found;
    }

    /// A pass of all devices; turns are 0 and 1 in turn.
    struct moment {
        index_t number;
        int pass, turn;
    };
    void send(std::size_t d, const moment& m) const {
        const cuda::context on(border(d));
        const written_records own = parts_.of[d]->written(m.number, m.pass);
        for (std::size_t e = 0; e < size(); ++e)
            links_[d][e].of(own).queue_send(on, own, parts_.of[e]->written(m.number, m.pass), m.turn);
    }
    void receive(std::size_t d, const moment& m) const {
        const cuda::context on(border(d));
        const written_records own = parts_.of[d]->written(m.number, m.pass);
        for (std::size_t e = 0; e < size(); ++e) links_[e][d].of(own).queue_receive(on, own, m.turn);
    }
    /// What others sent in a pass.
    void await_records(std::size_t d, const moment& m) const {
        const cuda::context on(border(d));
        for (std::size_t e = 0; e < size(); ++e)
            if (e != d && are_neighbours(d, e)) lanes_[e]->sent.await(on, m.turn);
        receive(d, m);
    }

    void iterate(const cuda::context& root, index_t count) {
        const auto at_once = index_t{recorded()};
        if (number_ % 2 != 0 && count > 0) {
            queue(root, 1);
            --count;
        }
        if (at_once > 0 && count >= at_once && !graph_)
            graph_ = cuda::recorded_graph(root, [&](const cuda::context& recorder) {
                queue(recorder, at_once);
                number_ -= at_once;
            });
        for (; at_once > 0 && count >= at_once; count -= at_once) {
            graph_.launch(root);
            number_ += at_once;
        }
        if (count > 0) queue(root, count);
    }

    /// Iterations of all devices, behind what `root` has queued before and before what it queues next.
    void queue(const cuda::context& root, index_t count) {
        begun_.record(root, 0);
        for (std::size_t d = 0; d < size(); ++d) {
            begun_.await(cuda::context(border(d)), 0);
            begun_.await(cuda::context(inner(d)), 0);
        }
        std::optional<moment> before;
        for (index_t i = 0; i < count; ++i, ++number_) {
            if (clocks_[0].has_time()) take_time(before);
            for (int pass = 0; pass < parts_.of[0]->passes(); ++pass) {
                const moment now{number_, pass, before ? 1 - before->turn : 0};
                for (std::size_t d = 0; d < size(); ++d) queue_pass(d, before, now);
                before = now;
            }
        }
        for (std::size_t d = 0; d < size(); ++d) {
            const cuda::context on(border(d));
            lanes_[d]->inner_moved.await(on, before->turn);
            await_records(d, *before);
            lanes_[d]->joined.record(on, 0);
            lanes_[d]->joined.await(root, 0);
        }
    }

    void queue_pass(std::size_t d, const std::optional<moment>& before, const moment& now) const {
        const part_lanes& lanes = *lanes_[d];
        {
            const cuda::context on(lanes.border());
            if (before) {
                lanes.inner_moved.await(on, before->turn);
                await_records(d, *before);
            }
            parts_.of[d]->queue_pass(on, now.number, now.pass, true);
            lanes.border_moved.record(on, now.turn);
            send(d, now);
            lanes.sent.record(on, now.turn);
        }
        const cuda::context on(lanes.inner());
        if (before) lanes.border_moved.await(on, before->turn);
        if (now.pass == 0 && clocks_[d].has_time()) lanes.timed.await(on, 0);
        parts_.of[d]->queue_pass(on, now.number, now.pass, false);
        lanes.inner_moved.record(on, now.turn);
    }

    /// The step of the next iteration, on the border's streams.
    void take_time(const std::optional<moment>& before) const {
        const bool asks = clocks_[0].asks_cells();
        for (std::size_t d = 0; d < size(); ++d) {
            const cuda::context on(border(d));
            if (before) lanes_[d]->inner_moved.await(on, before->turn);
            if (!asks) continue;
            parts_.of[d]->queue_store(on, number_, states_[d].data());
            const part_share& share = parts_.shares[d];
            clocks_[d].queue_least(on, parts_.of[d]->grid().grid(), k_, states_[d].data(),
                                   parts_.of[d]->numbering() + share.first, share.last - share.first);
            for (std::size_t e = 0; e < size(); ++e) {
                if (e == d) continue;
                if (before) lanes_[e]->timed.await(on, 0);  // it took the step before
                clocks_[d].queue_copy(on, clocks_[e]);
            }
            lanes_[d]->least_sent.record(on, 0);
        }
        for (std::size_t d = 0; d < size(); ++d) {
            const cuda::context on(border(d));
            for (std::size_t e = 0; asks && e < size(); ++e)
                if (e != d) lanes_[e]->least_sent.await(on, 0);
            clocks_[d].queue_take(on, static_cast<double>(k_.fixed_step));
            lanes_[d]->timed.record(on, 0);
        }
    }

    struct link {
        std::unique_ptr<record_link> by_cell, by_row;
        [[nodiscard]] const record_link& of(const written_records& r) const {
            return r.by_row ? *by_row : *by_cell;
        }
    };

    bool times_on_device_;
    lane_list lanes_;  // [devices], as all that follows
    parts_policy policy_;
    flow_parts<Real> parts_;
    const flow_system& system_;  // that devices compute
    constants<Real> k_;
    std::vector<cuda::device_array<Real>> kept_, states_;  // [cells][5] of the mesh or of the device's piece
    std::vector<part_clock<Real>> clocks_;
    std::vector<std::vector<link>> links_;  // [from][to]
    struct link_between {
        std::size_t from, to;
        std::unique_ptr<record_link> link;
    };
    std::vector<link_between> state_links_;
    cuda::recorded_graph graph_;
    std::string names_;
    bool stores_ = true;
    turn_events begun_;
    index_t number_ = 0;  // iterations since the session began
};

std::string refusal(const advance_job& job) {
    const auto* const on = std::get_if<on_cuda>(&job.where);
    if (on == nullptr || on->devices.empty()) return "needs several devices: where.devices is empty";
    if (!job.system->options.group.empty()) return "is of one process: ranks take a device each";
    if (tiled::why_not(job).empty() || second_order::why_not(job).empty()) return "";
    return why_no_fused_parts(job);
}
bool suits(const advance_job& job) {
    return !std::get<on_cuda>(job.where).devices.empty();
}

std::unique_ptr<flow_session> create(advance_job& job) {
    return with_precision(job.system->options.precision, [&]<class Real>() -> std::unique_ptr<flow_session> {
        return std::make_unique<parts_session<Real>>(job);
    });
}

}  // namespace

extern constinit const flow_row advance_cuda_parts{"cuda/parts",
                                                   "several devices of one process, a part of the mesh each; "
                                                   "records of the border travel while the rest is computed",
                                                   create, refusal, suits};

}  // namespace wale::euler
