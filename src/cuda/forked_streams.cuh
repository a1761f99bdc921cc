// streams - several streams that start after the caller's stream and that the caller's stream waits for.
#pragma once

#include <vector>

#include "cuda/event.cuh"

namespace wale::cuda {

class forked_streams {
public:
    forked_streams(const context& on, int count) : on_(on), streams_(static_cast<std::size_t>(count)) {
        event_.record(on.stream());
        for (cudaStream_t& s : streams_) {
            check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
            event_.wait(s);
        }
    }
    forked_streams(const forked_streams&) = delete;
    forked_streams& operator=(const forked_streams&) = delete;
    ~forked_streams() {
        for (cudaStream_t s : streams_) (void)cudaStreamDestroy(s);
    }
    [[nodiscard]] cudaStream_t operator[](int k) const { return streams_[static_cast<std::size_t>(k)]; }
    /// What the caller queues next on its own stream waits for all of these streams.
    void join() const {
        for (cudaStream_t s : streams_) event_.order(s, on_.stream());
    }

private:
    const context& on_;
    std::vector<cudaStream_t> streams_;
    event event_;
};

}  // namespace wale::cuda
