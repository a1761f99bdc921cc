// words - numbers that are their own flag, and the small decisions about a pivot.
//
// The workspace starts with all bits set, which is one of many NaNs. A number is published with a relaxed
// store, and never as that NaN: another NaN takes its place. So a word that is not all bits is a number
// that has arrived, and no fence orders anything. A vector load may be torn between its words, never inside
// one, and every word is looked at.
#pragma once

#include <cstdint>

#include "cuda/atomics.cuh"
#include "solvers/lu/problem.hpp"

namespace wale::lu::resident {

inline constexpr unsigned all_lanes = 0xffffffffu;

template <class T>
struct bits_of;
template <>
struct bits_of<float> {
    using type = std::uint32_t;
};
template <>
struct bits_of<double> {
    using type = std::uint64_t;
};
template <class T>
using bits = typename bits_of<T>::type;

__device__ inline std::uint32_t to_bits(float v) {
    return __float_as_uint(v);
}
__device__ inline std::uint64_t to_bits(double v) {
    return static_cast<std::uint64_t>(__double_as_longlong(v));
}

template <class T>
inline constexpr int per_packet = 16 / static_cast<int>(sizeof(T));

/// 16 bytes: what one instruction moves.
template <class T>
struct alignas(16) packet {
    T v[per_packet<T>];
    __device__ T& operator[](int i) { return v[i]; }
    __device__ const T& operator[](int i) const { return v[i]; }
    [[nodiscard]] __device__ bool missing() const {
        bool any = false;
#pragma unroll
        for (int i = 0; i < per_packet<T>; ++i) any |= to_bits(v[i]) == ~bits<T>{0};
        return any;
    }
};

__device__ inline packet<float> look(const float* p) {
    packet<float> f;
    asm volatile("ld.relaxed.gpu.global.v4.f32 {%0,%1,%2,%3},[%4];"
                 : "=f"(f.v[0]), "=f"(f.v[1]), "=f"(f.v[2]), "=f"(f.v[3])
                 : "l"(p)
                 : "memory");
    return f;
}
__device__ inline packet<double> look(const double* p) {
    packet<double> f;
    asm volatile("ld.relaxed.gpu.global.v2.f64 {%0,%1},[%2];"
                 : "=d"(f.v[0]), "=d"(f.v[1])
                 : "l"(p)
                 : "memory");
    return f;
}
__device__ inline int look(const int* p) {
    return static_cast<int>(cuda::load_relaxed(reinterpret_cast<const std::uint32_t*>(p)));
}
__device__ inline float look_one(const float* p) {
    return __uint_as_float(cuda::load_relaxed(reinterpret_cast<const std::uint32_t*>(p)));
}
__device__ inline double look_one(const double* p) {
    return __longlong_as_double(
        static_cast<long long>(cuda::tagged_word::load(reinterpret_cast<const std::uint64_t*>(p))));
}

/// What may be published: any number but the NaN that stands for "not there yet".
__device__ inline float honest(float v) {
    return v == v ? v : __uint_as_float(0x7fc00000u);
}
__device__ inline double honest(double v) {
    return v == v ? v : __longlong_as_double(0x7ff8000000000000ll);
}

__device__ inline void publish(float* p, const packet<float>& f) {
    asm volatile("st.relaxed.gpu.global.v4.f32 [%0],{%1,%2,%3,%4};" ::"l"(p), "f"(honest(f[0])),
                 "f"(honest(f[1])), "f"(honest(f[2])), "f"(honest(f[3]))
                 : "memory");
}
__device__ inline void publish(double* p, const packet<double>& f) {
    asm volatile("st.relaxed.gpu.global.v2.f64 [%0],{%1,%2};" ::"l"(p), "d"(honest(f[0])), "d"(honest(f[1]))
                 : "memory");
}
__device__ inline void publish(float* p, float v) {
    asm volatile("st.relaxed.gpu.global.f32 [%0],%1;" ::"l"(p), "f"(honest(v)) : "memory");
}
__device__ inline void publish(double* p, double v) {
    asm volatile("st.relaxed.gpu.global.f64 [%0],%1;" ::"l"(p), "d"(honest(v)) : "memory");
}
__device__ inline void publish(int* p, int v) {
    cuda::store_relaxed(reinterpret_cast<std::uint32_t*>(p), static_cast<std::uint32_t>(v));
}

/// A wait that ends: once a thread has waited too long it never waits again, goes through the motions with
/// what it has, and the call fails.
struct patience {
    std::uint32_t polls = 0;
    bool gone = false;
    __device__ bool lost() {
        gone = gone || ++polls > cuda::spin_limit;
        return gone;
    }
};

/// 1 / v to the last bit or next to it; 0 where v has no finite, normal reciprocal or is none: then divide.
__device__ inline float reciprocal(float v) {
    float r;
    asm("rcp.approx.ftz.f32 %0,%1;" : "=f"(r) : "f"(v));
    r = fmaf(r, fmaf(-v, r, 1.0f), r);
    return fabsf(v) >= FLT_MIN && fabsf(v) <= 1 / FLT_MIN ? r : 0.0f;
}
__device__ inline double reciprocal(double v) {
    double r;
    asm("rcp.approx.ftz.f64 %0,%1;" : "=d"(r) : "d"(v));
    r = fma(r, fma(-v, r, 1.0), r);
    r = fma(r, fma(-v, r, 1.0), r);
    r = fma(r, fma(-v, r, 1.0), r);
    return fabs(v) >= DBL_MIN && fabs(v) <= 1 / DBL_MIN ? r : 0.0;
}
/// An element below a pivot without reciprocal, over it: rare, and so out of the way of the other
/// instructions.
template <class T>
__device__ __noinline__ T divided(T below, T pivot) {
    return pivot == T(0) ? below : below / pivot;
}
template <class T>
__device__ T over_pivot(T below, T pivot, T reciprocal_of_pivot) {
    return reciprocal_of_pivot != T(0) ? below * reciprocal_of_pivot : divided(below, pivot);
}

__device__ inline std::uint32_t largest_of_warp(std::uint32_t v) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(all_lanes, v);
#else
    for (int step = 16; step > 0; step /= 2) v = max(v, __shfl_xor_sync(all_lanes, v, step));
    return v;
#endif
}

}  // namespace wale::lu::resident
