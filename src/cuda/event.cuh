// event - streams of a call's own, and events that order streams. Both are made on the current device.
#pragma once

#include "cuda/stream.cuh"

namespace wale::cuda {

/// A stream that runs before others when both have work, or after them.
class priority_stream {
public:
    explicit priority_stream(bool first = true) {
        int least = 0, greatest = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, first ? greatest : least));
    }
    priority_stream(const priority_stream&) = delete;
    priority_stream& operator=(const priority_stream&) = delete;
    ~priority_stream() { (void)cudaStreamDestroy(stream_); }
    [[nodiscard]] cudaStream_t get() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

class event {
public:
    event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    event(const event&) = delete;
    event& operator=(const event&) = delete;
    ~event() { (void)cudaEventDestroy(event_); }
    void record(cudaStream_t stream) const { check(cudaEventRecord(event_, stream)); }
    void wait(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_)); }
    /// `after` goes on when `before` has done what it has been given so far.
    void order(cudaStream_t before, cudaStream_t after) const {
        record(before);
        wait(after);
    }

private:
    cudaEvent_t event_ = nullptr;
};

}  // namespace wale::cuda
