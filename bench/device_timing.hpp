// device_timing - device seconds of queued work, for the programs that time CUDA rows beside a peer.
#pragma once

#include <cuda_runtime.h>

#include <functional>

namespace wale::bench {

/// Device seconds of work queued on the default stream.
inline double device_seconds(const std::function<void()>& queue) {
    cudaEvent_t begin{}, end{};
    (void)cudaEventCreate(&begin);
    (void)cudaEventCreate(&end);
    (void)cudaEventRecord(begin);
    queue();
    (void)cudaEventRecord(end);
    (void)cudaEventSynchronize(end);
    float milliseconds = 0;
    (void)cudaEventElapsedTime(&milliseconds, begin, end);
    (void)cudaEventDestroy(begin);
    (void)cudaEventDestroy(end);
    return 1e-3 * milliseconds;
}

}  // namespace wale::bench
