// side_stream - the second stream of cuda/lookahead, and the events that order it and the caller's.
#pragma once

#include "cuda/stream.cuh"

namespace wale::lu {

/// A stream that runs before others when both have work, and what it has recorded last.
class side_stream {
public:
    side_stream() {
        int least = 0, greatest = 0;
        cuda::check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        cuda::check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest));
    }
    side_stream(const side_stream&) = delete;
    side_stream& operator=(const side_stream&) = delete;
    ~side_stream() { (void)cudaStreamDestroy(stream_); }
    [[nodiscard]] cudaStream_t get() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

class event {
public:
    event() { cuda::check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    event(const event&) = delete;
    event& operator=(const event&) = delete;
    ~event() { (void)cudaEventDestroy(event_); }
    void record(cudaStream_t stream) const { cuda::check(cudaEventRecord(event_, stream)); }
    void wait(cudaStream_t stream) const { cuda::check(cudaStreamWaitEvent(stream, event_)); }
    /// `after` goes on when `before` has done what it has been given so far.
    void order(cudaStream_t before, cudaStream_t after) const {
        record(before);
        wait(after);
    }

private:
    cudaEvent_t event_ = nullptr;
};

}  // namespace wale::lu
