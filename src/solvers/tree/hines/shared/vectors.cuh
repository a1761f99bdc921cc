// vectors - a Hines job as kernels see it, and the reciprocal that they divide by.
#pragma once

#include <optional>

#include "solvers/tree/cuda/places.cuh"
#include "solvers/tree/cuda/status.cuh"
#include "solvers/tree/problem.hpp"
#include "solvers/tree/topology.hpp"
#include "wale/buffer.hpp"

namespace wale::tree {

/// Everything by value; `solution` may be rhs's memory.
template <class T>
struct device_tree_vectors {
    const T *diagonal, *upper, *lower, *rhs;
    T *solution, *eliminated;  // eliminated: null where not wanted
    places at;
    device_status bad;
};
template <class T>
[[nodiscard]] device_tree_vectors<T> vectors_on_device(const hines_job& job, const status_of_call& status) {
    return {static_cast<const T*>(job.diagonal.data),
            static_cast<const T*>(job.upper.data),
            static_cast<const T*>(job.lower.data),
            static_cast<const T*>(job.rhs.data),
            static_cast<T*>(job.solution.data),
            static_cast<T*>(job.eliminated.data),
            places_of(job.rhs, nullptr),
            status.on_device()};
}

/// 1 / x to an ulp, without the detour of a correctly rounded division where the result is an ordinary number
/// for certain; with it elsewhere, so that no range is lost.
__device__ inline double reciprocal(double x) {
    const unsigned exponent = static_cast<unsigned>(__double2hiint(x)) >> 20 & 0x7ffu;
    if (exponent - 16u > 2000u) return 1.0 / x;
    double y;
    asm("rcp.approx.ftz.f64 %0,%1;" : "=d"(y) : "d"(x));  // 2^-23 off; the cubic step leaves 2^-69
    const double e = fma(-x, y, 1.0);
    return fma(fma(e, e, e), y, y);
}
__device__ inline float reciprocal(float x) {
    const unsigned exponent = __float_as_uint(x) >> 23 & 0xffu;
    if (exponent - 4u > 244u) return 1.0f / x;
    float y;
    asm("rcp.approx.ftz.f32 %0,%1;" : "=f"(y) : "f"(x));
    return y;
}

/// Device work of one call: timed and its bad pivots reported, unless the job is asynchronous.
class tree_call {
public:
    explicit tree_call(hines_job& job)
        : here(job.where), status(here, job.status, job.rhs.count, job.asynchronous), job_(job) {
        if (!job.asynchronous) watch_.emplace(here);
    }
    void finish(index_t launches) {
        job_.result->run.iterations = launches;
        if (!watch_) return;
        job_.result->run.compute_seconds = watch_->stop(status.words());
        status.report(*job_.result);
    }
    const cuda::context here;
    const status_of_call status;

private:
    hines_job& job_;
    std::optional<cuda::timer> watch_;
};

/// The key of a schedule that lies on the job's device.
[[nodiscard]] inline std::string on_device_of(const hines_job& job, const std::string& schedule) {
    return schedule + " on device " + std::to_string(std::get<on_cuda>(job.where).device);
}

}  // namespace wale::tree
