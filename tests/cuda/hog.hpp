// hog - kernels that keep the multiprocessors of a device busy beside the calls of a test.
#pragma once

#include <cuda_runtime_api.h>

namespace wale::agreement {

/// Queues a kernel of `blocks` blocks a multiprocessor, each with `threads` threads and `shared` bytes of
/// shared memory, that computes for so many milliseconds and writes nothing.
[[nodiscard]] cudaError_t queue_hog(int blocks, int threads, int shared, double milliseconds,
                                    cudaStream_t stream);

}  // namespace wale::agreement
