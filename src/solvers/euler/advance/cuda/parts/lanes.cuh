// lanes - the two streams of a device that has a part of a flow, and what its streams and those of others
// wait for.
#pragma once

#include <array>

#include "cuda/event.cuh"

namespace wale::euler {

/// Events of the passes of even and odd turn.
class turn_events {
public:
    turn_events() = default;  // of the current device
    explicit turn_events(int device) : turn_events(cuda::context(on_cuda{device})) {}
    void record(const cuda::context& on, int turn) const {
        events_[static_cast<std::size_t>(turn)].record(on.stream());
    }
    /// What `on` queues next waits for what was recorded.
    void await(const cuda::context& on, int turn) const {
        events_[static_cast<std::size_t>(turn)].wait(on.stream());
    }

private:
    explicit turn_events(const cuda::context& /* makes the device current */) {}

    std::array<cuda::event, 2> events_;
};

/// Of a device. What others wait for goes first: the border's stream has the higher priority.
class part_lanes {
public:
    explicit part_lanes(int device) : part_lanes(device, cuda::context(on_cuda{device})) {}
    part_lanes(const part_lanes&) = delete;
    part_lanes& operator=(const part_lanes&) = delete;
    ~part_lanes() {
        for (cudaStream_t s : {inner_.get(), border_.get()}) (void)cudaStreamSynchronize(s);
    }
    [[nodiscard]] on_cuda border() const { return {.device = device_, .stream = border_.get()}; }
    [[nodiscard]] on_cuda inner() const { return {.device = device_, .stream = inner_.get()}; }

    turn_events border_moved, inner_moved, sent;  // of a pass
    turn_events least_sent, timed;                // of an iteration that asks for its step, turn 0
    turn_events joined;                           // turn 0

private:
    part_lanes(int device, const cuda::context& /* makes the device current */) : device_(device) {}

    int device_;
    cuda::priority_stream border_{true}, inner_{false};
};

}  // namespace wale::euler
