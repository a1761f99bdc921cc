// session - what the device's sessions share: the state on its way in and out, snapshots, measurements, time
// steps, and how long runs take. A session keeps the flow in its own layout and numbering.
#pragma once

#include <string>
#include <vector>

#include "solvers/euler/advance/shared/device/device_mesh.cuh"
#include "solvers/euler/advance/shared/device/measure.cuh"
#include "solvers/euler/advance/shared/device/time_step.cuh"

namespace wale::euler {

template <class Real>
class device_session : public flow_session {
public:
    explicit device_session(const advance_job& job) : device_session(job, cuda::context(job.where)) {}

    void step(flow_steps& steps) final {
        const cuda::context on(steps.where);
        where_ = std::get<on_cuda>(steps.where);
        if (!begun_) {
            load(on, kept_.data());
            prepare(on);
        }
        begun_ = true;
        steps.run->device = device_name_;
        steps.run->policy = policy();
        stepper_.begin(on, steps.time);
        cuda::timer watch(on);
        if (steps.iterations > 0 && (system_.cells() > 0 || stepper_.has_time()))
            iterate(on, steps.iterations);
        steps.run->compute_seconds += watch.stop();
        finish(on);
        steps.done = steps.iterations;
        if (stepper_.has_time()) steps.done = stepper_.end(on, steps.time);
    }

    [[nodiscard]] measured measure() final {
        const cuda::context on(where_);
        const cuda::scratch<Real> states(on, variables * system_.cells());
        store(on, states.data());
        return measured_on_device(on, system_, mesh_, states.data());
    }

    void keep() final { store(cuda::context(where_), kept_.data()); }
    void go_back() final { load(cuda::context(where_), kept_.data()); }

    void fetch(std::vector<euler_state>& state) final {
        const cuda::context on(where_);
        const cuda::scratch<Real> states(on, variables * system_.cells());
        store(on, states.data());
        std::vector<Real> host(static_cast<std::size_t>(states.size()));
        states.to_host(host.data());
        for (std::size_t i = 0; i < host.size(); ++i)
            state[i / variables][i % variables] = static_cast<double>(host[i]);
    }

protected:
    /// Queues `count` iterations, more than 0. There are cells, unless steps are global (time().has_time()):
    /// a row that takes such steps asks time() for each, and for where to stop, even where there are none.
    virtual void iterate(const cuda::context& on, index_t count) = 0;
    /// Queues a copy of the state to or from [cells][5] on the device, in the system's numbering.
    virtual void store(const cuda::context& on, Real* states) = 0;
    virtual void load(const cuda::context& on, const Real* states) = 0;
    /// Once, when the first state is there: the place to record graphs.
    virtual void prepare(const cuda::context&) {}
    /// After the work of a run is done and timed: the place to throw for what a kernel reported.
    virtual void finish(const cuda::context&) {}
    [[nodiscard]] virtual std::string policy() const = 0;

    [[nodiscard]] const flow_system& system() const { return system_; }
    [[nodiscard]] const constants<Real>& numbers() const { return k_; }
    [[nodiscard]] const device_mesh<Real>& mesh() const { return mesh_; }
    [[nodiscard]] const on_cuda& where() const { return where_; }
    /// Patches vortex_far_field as a lift coefficient bends them.
    void bend_far_field(const cuda::context& on, double lift) { mesh_.bend_far_field(on, system_, lift); }
    [[nodiscard]] const time_stepper<Real>& time() const { return stepper_; }
    /// A copy of [cells][5] that keeps its layout.
    void copy_states(const cuda::context& on, Real* to, const Real* from) const {
        if (kept_.bytes() > 0)
            cuda::check(cudaMemcpyAsync(to, from, kept_.bytes(), cudaMemcpyDeviceToDevice, on.stream()));
    }

private:
    device_session(const advance_job& job, const cuda::context& on)
        : system_(*job.system),
          where_(std::get<on_cuda>(job.where)),
          k_(constants_of<Real>(system_)),
          mesh_(on, system_),
          stepper_(on, system_),
          kept_(on, flat(*job.state)) {
        cudaDeviceProp properties{};
        cuda::check(cudaGetDeviceProperties(&properties, on.device()));
        device_name_ = properties.name;
    }

    [[nodiscard]] static std::vector<Real> flat(const std::vector<euler_state>& state) {
        std::vector<Real> out;
        out.reserve(variables * state.size());
        for (const euler_state& s : state)
            for (const double v : s) out.push_back(static_cast<Real>(v));
        return out;
    }

    const flow_system& system_;
    on_cuda where_;  // of the last run
    constants<Real> k_;
    device_mesh<Real> mesh_;
    time_stepper<Real> stepper_;
    cuda::device_array<Real> kept_;  // [cells][5]; what the session begins with
    std::string device_name_;
    bool begun_ = false;
};

}  // namespace wale::euler
