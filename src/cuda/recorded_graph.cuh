// recorded_graph - work that is queued once, onto a stream that only records, and then launched as a whole as
// often as wanted: a node of a graph costs the device half a microsecond, a launch some four.
#pragma once

#include <utility>

#include "cuda/stream.cuh"

namespace wale::cuda {

class recorded_graph {
public:
    recorded_graph() = default;
    /// queue(context) queues the work; it may neither allocate nor wait.
    template <class Queue>
    recorded_graph(const context& on, Queue&& queue) {
        const recorder stream;
        check(cudaStreamBeginCapture(stream.handle, cudaStreamCaptureModeThreadLocal));
        cudaGraph_t graph{};
        try {
            queue(context(on_cuda{on.device(), stream.handle}));
        } catch (...) {
            (void)cudaStreamEndCapture(stream.handle, &graph);
            if (graph != nullptr) (void)cudaGraphDestroy(graph);
            throw;
        }
        check(cudaStreamEndCapture(stream.handle, &graph));
        const cudaError_t made = cudaGraphInstantiate(&ready_, graph, 0);
        (void)cudaGraphDestroy(graph);
        check(made);
    }
    recorded_graph(recorded_graph&& other) noexcept : ready_(std::exchange(other.ready_, nullptr)) {}
    recorded_graph& operator=(recorded_graph&& other) noexcept {
        std::swap(ready_, other.ready_);
        return *this;
    }
    ~recorded_graph() {
        if (ready_ != nullptr) (void)cudaGraphExecDestroy(ready_);
    }
    [[nodiscard]] explicit operator bool() const { return ready_ != nullptr; }
    void launch(const context& on) const { check(cudaGraphLaunch(ready_, on.stream())); }

private:
    struct recorder {
        cudaStream_t handle{};
        recorder() { check(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking)); }
        recorder(const recorder&) = delete;
        recorder& operator=(const recorder&) = delete;
        ~recorder() { (void)cudaStreamDestroy(handle); }
    };
    cudaGraphExec_t ready_ = nullptr;
};

}  // namespace wale::cuda
