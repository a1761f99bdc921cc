// lanes - the two streams of a device that has a part of a flow, and what its streams and those of others
// wait for.
#pragma once

#include <array>

#include "cuda/stream.cuh"

namespace wale::euler {

/// Events of the passes of even and odd turn.
class turn_events {
public:
    explicit turn_events(int device) {
        const cuda::context on(on_cuda{device});
        for (cudaEvent_t& e : events_) cuda::check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    }
    turn_events(const turn_events&) = delete;
    turn_events& operator=(const turn_events&) = delete;
    ~turn_events() {
        for (cudaEvent_t e : events_) (void)cudaEventDestroy(e);
    }
    void record(const cuda::context& on, int turn) const {
        cuda::check(cudaEventRecord(events_[static_cast<std::size_t>(turn)], on.stream()));
    }
    /// What `on` queues next waits for what was recorded.
    void await(const cuda::context& on, int turn) const {
        cuda::check(cudaStreamWaitEvent(on.stream(), events_[static_cast<std::size_t>(turn)]));
    }

private:
    std::array<cudaEvent_t, 2> events_{};
};

/// Of a device. What others wait for goes first: the border's stream has the higher priority.
class part_lanes {
public:
    explicit part_lanes(int device)
        : border_moved(device),
          inner_moved(device),
          sent(device),
          least_sent(device),
          timed(device),
          joined(device),
          device_(device) {
        const cuda::context on(on_cuda{device});
        int least = 0, greatest = 0;
        cuda::check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        cuda::check(cudaStreamCreateWithPriority(&border_, cudaStreamNonBlocking, greatest));
        cuda::check(cudaStreamCreateWithPriority(&inner_, cudaStreamNonBlocking, least));
    }
    part_lanes(const part_lanes&) = delete;
    part_lanes& operator=(const part_lanes&) = delete;
    ~part_lanes() {
        for (cudaStream_t s : {inner_, border_}) {
            (void)cudaStreamSynchronize(s);
            (void)cudaStreamDestroy(s);
        }
    }
    [[nodiscard]] on_cuda border() const { return {.device = device_, .stream = border_}; }
    [[nodiscard]] on_cuda inner() const { return {.device = device_, .stream = inner_}; }

    turn_events border_moved, inner_moved, sent;  // of a pass
    turn_events least_sent, timed;                // of an iteration that asks for its step, turn 0
    turn_events joined;                           // turn 0

private:
    int device_;
    cudaStream_t border_{}, inner_{};
};

}  // namespace wale::euler
