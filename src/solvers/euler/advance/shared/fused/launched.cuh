// launched - sessions that queue kernels for every iteration: one after the other, or recorded in a graph.
// A stage reads one buffer and writes another: 0 to 1, 1 to 2, and 2 to 0, where the state from before the
// iteration waits, of which a thread reads its own cell just before it writes it. So the state is always in
// buffer 0, no pass copies it, and an iteration may be recorded.
#pragma once

#include "cuda/recorded_graph.cuh"
#include "solvers/euler/advance/shared/device/session.cuh"
#include "solvers/euler/advance/shared/device/tuning.hpp"

namespace wale::euler {

template <class Real>
class launched_session : public device_session<Real> {
public:
    launched_session(const advance_job& job, bool recorded)
        : device_session<Real>(job), recorded_(recorded) {}

protected:
    /// `number` counts from the beginning of this run, or from that of a graph, which is even.
    virtual void queue_iteration(const cuda::context& on, index_t number) = 0;

    void prepare(const cuda::context& on) override {
        if (!recorded_) return;
        graph_ = cuda::recorded_graph(on, [&](const cuda::context& recorder) {
            for (index_t i = 0; i < at_once; ++i) queue_iteration(recorder, i);
        });
    }
    void iterate(const cuda::context& on, index_t count) override {
        index_t done = 0;
        for (; graph_ && done + at_once <= count; done += at_once) graph_.launch(on);
        for (; done < count; ++done) queue_iteration(on, done);
    }
    [[nodiscard]] std::string how() const {
        return recorded_ ? " iterations_a_graph=" + std::to_string(at_once) : "";
    }

private:
    static constexpr index_t at_once = graph_policies[0].policy.iterations;
    static_assert(at_once % 2 == 0);
    bool recorded_;
    cuda::recorded_graph graph_;
};

}  // namespace wale::euler
