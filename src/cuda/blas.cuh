// blas - cuBLAS for the products of matrices: a handle for one call, on the call's stream, with the call's
// own workspace, so that nothing is allocated or synchronised behind our back and a graph can capture it.
#pragma once

#include <cublas_v2.h>

#include <source_location>
#include <type_traits>

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

/// cuBLAS's products of numbers N: of two matrices, of a batch of them, of matrices with vectors.
template <class N, auto Gemm, auto Gemms, auto Gemvs>
struct blas_products {
    static constexpr auto gemm = Gemm;
    static constexpr auto gemms = Gemms;
    static constexpr auto gemvs = Gemvs;
    static const N* in(const void* x) { return static_cast<const N*>(x); }
    static N* out(void* x) { return static_cast<N*>(x); }
};
template <class T>
constexpr auto products_of() {
    if constexpr (std::is_same_v<T, float>)
        return blas_products<float, cublasSgemm_64, cublasSgemmStridedBatched_64,
                             cublasSgemvStridedBatched_64>{};
    else if constexpr (std::is_same_v<T, double>)
        return blas_products<double, cublasDgemm_64, cublasDgemmStridedBatched_64,
                             cublasDgemvStridedBatched_64>{};
    else if constexpr (sizeof(T) == 8)
        return blas_products<cuComplex, cublasCgemm_64, cublasCgemmStridedBatched_64,
                             cublasCgemvStridedBatched_64>{};
    else
        return blas_products<cuDoubleComplex, cublasZgemm_64, cublasZgemmStridedBatched_64,
                             cublasZgemvStridedBatched_64>{};
}
/// The products of T; a complex T has the layout of cuBLAS's number.
template <class T>
using blas_of = decltype(products_of<T>());

}  // namespace wale::cuda
