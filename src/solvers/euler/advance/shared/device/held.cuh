// held - where a kernel finds the constants of the scheme: in its parameters, in constant memory, or compiled
// in. All three are the same numbers; `wale study euler` shows what the place costs.
#pragma once

#include <mutex>

#include "cuda/stream.cuh"
#include "solvers/euler/advance/shared/device/published.hpp"

namespace wale::euler {

// A symbol of the device belongs to the file that is compiled, and so does what names it.
namespace {

__constant__ constants<float> constants_f32;
__constant__ constants<double> constants_f64;

template <euler_constants Where, class Real>
__device__ inline constants<Real> held(const constants<Real>& parameter) {
    if constexpr (Where == euler_constants::compiled)
        return published_constants<Real>();
    else if constexpr (Where == euler_constants::constant_memory && sizeof(Real) == 4)
        return constants_f32;
    else if constexpr (Where == euler_constants::constant_memory)
        return constants_f64;
    else
        return parameter;
}

/// A stage's number without indexing, which would put the constants into local memory.
template <class Real>
__device__ inline Real of_stage(const Real (&numbers)[stages], int stage) {
    return stage == 0 ? numbers[0] : stage == 1 ? numbers[1] : numbers[2];
}

/// Constant memory is one for all cases of a process: a case that uses it locks the others out until the
/// device is done.
class constant_memory_in_use {
public:
    template <class Real>
    constant_memory_in_use(const cuda::context& on, const constants<Real>& k) : lock_(mutex()), on_(on) {
        if constexpr (sizeof(Real) == 4)
            cuda::check(
                cudaMemcpyToSymbolAsync(constants_f32, &k, sizeof k, 0, cudaMemcpyHostToDevice, on.stream()));
        else
            cuda::check(
                cudaMemcpyToSymbolAsync(constants_f64, &k, sizeof k, 0, cudaMemcpyHostToDevice, on.stream()));
    }
    constant_memory_in_use(const constant_memory_in_use&) = delete;
    constant_memory_in_use& operator=(const constant_memory_in_use&) = delete;
    ~constant_memory_in_use() { (void)cudaStreamSynchronize(on_.stream()); }

private:
    [[nodiscard]] static std::mutex& mutex() {
        static std::mutex m;
        return m;
    }
    std::lock_guard<std::mutex> lock_;
    const cuda::context& on_;
};

}  // namespace
}  // namespace wale::euler
