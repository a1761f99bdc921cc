// streams - several streams that start after the caller's stream and that the caller's stream waits for.
#pragma once

#include <vector>

#include "cuda/stream.cuh"

namespace wale::cuda {

class forked_streams {
public:
    forked_streams(const context& on, int count) : on_(on), streams_(static_cast<std::size_t>(count)) {
        check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
        check(cudaEventRecord(event_, on.stream()));
        for (cudaStream_t& s : streams_) {
            check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
            check(cudaStreamWaitEvent(s, event_));
        }
    }
    forked_streams(const forked_streams&) = delete;
    forked_streams& operator=(const forked_streams&) = delete;
    ~forked_streams() {
        for (cudaStream_t s : streams_) (void)cudaStreamDestroy(s);
        (void)cudaEventDestroy(event_);
    }
    [[nodiscard]] cudaStream_t operator[](int k) const { return streams_[static_cast<std::size_t>(k)]; }
    /// What the caller queues next on its own stream waits for all of these streams.
    void join() const {
        for (cudaStream_t s : streams_) {
            check(cudaEventRecord(event_, s));
            check(cudaStreamWaitEvent(on_.stream(), event_));
        }
    }

private:
    const context& on_;
    std::vector<cudaStream_t> streams_;
    cudaEvent_t event_{};
};

}  // namespace wale::cuda
