// device_timing - device seconds of queued work, for the programs that time CUDA rows beside a peer.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <functional>
#include <thread>

namespace wale::bench {

/// Device seconds of `queue` on the default stream. The stream stands still while the host queues it, so that
/// the device does not wait for the host.
inline double device_seconds(const std::function<void()>& prepare, const std::function<void()>& queue) {
    prepare();
    (void)cudaLaunchHostFunc(
        nullptr, [](void*) { std::this_thread::sleep_for(std::chrono::microseconds(500)); }, nullptr);
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
