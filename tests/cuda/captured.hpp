// captured - calls that a stream records as a CUDA graph, to be replayed.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <functional>
#include <wale/execution.hpp>

namespace wale {

/// A graph that a caller's stream has recorded.
class captured {
public:
    explicit captured(const std::function<void(const on_cuda&)>& work) {
        good(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        good(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        work(on_cuda{.device = 0, .stream = stream_});
        cudaGraph_t graph = nullptr;
        good(cudaStreamEndCapture(stream_, &graph));
        good(cudaGraphInstantiate(&ready_, graph, 0));
        good(cudaGraphDestroy(graph));
    }
    captured(const captured&) = delete;
    captured& operator=(const captured&) = delete;
    ~captured() {
        (void)cudaGraphExecDestroy(ready_);
        (void)cudaStreamDestroy(stream_);
    }
    void replay() const {
        good(cudaGraphLaunch(ready_, stream_));
        good(cudaStreamSynchronize(stream_));
    }

private:
    static void good(cudaError_t code) { ASSERT_EQ(code, cudaSuccess) << cudaGetErrorString(code); }
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t ready_ = nullptr;
};

}  // namespace wale
