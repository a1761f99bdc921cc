// blas - cuBLAS for the products of matrices: a handle for one call, on the call's stream, with the call's
// own workspace, so that nothing is allocated or synchronised behind our back and a graph can capture it.
#pragma once

#include <cublas_v2.h>

#include <source_location>

#include "cuda/stream.cuh"

namespace wale::cuda {

void check(cublasStatus_t code, const std::source_location& at = std::source_location::current());

/// A handle on loan: to make one takes milliseconds, so they are kept for each device.
class blas {
public:
    explicit blas(const context& c) : blas(c, c.stream()) {}
    /// For work on another stream of the call; the workspace is then allocated in the order of c.stream().
    blas(const context& c, cudaStream_t stream);
    blas(const blas&) = delete;
    blas& operator=(const blas&) = delete;
    ~blas();
    [[nodiscard]] cublasHandle_t get() const { return handle_; }

private:
    static constexpr index_t workspace_bytes = 32 << 20;  // what cuBLAS takes on Hopper
    int device_;
    scratch<unsigned char> workspace_;
    cublasHandle_t handle_ = nullptr;
};

}  // namespace wale::cuda
