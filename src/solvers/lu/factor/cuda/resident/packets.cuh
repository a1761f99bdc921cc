// packets - numbers that are their own flag, and the small decisions about a pivot.
//
// The workspace starts with all bits set, which is one of many NaNs. A number is published with a relaxed
// store, and never as that NaN: another NaN takes its place. So a word that is not all bits is a number
// that has arrived, and no fence orders anything. A vector load may be torn between its words, never inside
// one, and every word is checked.
#pragma once

#include <cstdint>

#include "cuda/complex.cuh"
#include "cuda/wait.cuh"
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
struct bits_of<int> {
    using type = std::uint32_t;
};
template <>
struct bits_of<double> {
    using type = std::uint64_t;
};
template <class R>
struct bits_of<thrust::complex<R>> : bits_of<R> {};  // of each part
template <class T>
using bits = typename bits_of<T>::type;

__device__ inline std::uint32_t to_bits(float v) {
    return __float_as_uint(v);
}
__device__ inline std::uint32_t to_bits(int v) {
    return static_cast<std::uint32_t>(v);
}
__device__ inline std::uint64_t to_bits(double v) {
    return static_cast<std::uint64_t>(__double_as_longlong(v));
}

/// Whether v is the NaN that means "not there yet"; of a complex number, whether either part is.
template <class T>
__device__ bool absent(T v) {
    if constexpr (is_complex_type<T>)
        return absent(v.real()) || absent(v.imag());
    else
        return to_bits(v) == ~bits<T>{0};
}

/// A small integer among numbers: moved, never computed with.
__device__ inline float as_number(float, int v) {
    return __int_as_float(v);
}
__device__ inline double as_number(double, int v) {
    return __longlong_as_double(v);
}
__device__ inline int as_int(float v) {
    return __float_as_int(v);
}
__device__ inline int as_int(double v) {
    return static_cast<int>(__double_as_longlong(v));
}

template <class R>
__device__ thrust::complex<R> as_number(thrust::complex<R>, int v) {
    return thrust::complex<R>(as_number(R(0), v), R(0));
}
template <class R>
__device__ int as_int(const thrust::complex<R>& v) {
    return as_int(v.real());
}

template <class T>
inline constexpr int per_packet = 16 / static_cast<int>(sizeof(T));

/// Numbers side by side; one instruction moves up to 16 bytes of them.
template <class T, int Size = per_packet<T>>
struct alignas(Size < per_packet<T> ? Size * sizeof(T) : 16) packet {
    T v[Size];
    __device__ T& operator[](int i) { return v[i]; }
    __device__ const T& operator[](int i) const { return v[i]; }
    [[nodiscard]] __device__ bool missing() const {
        bool any = false;
#pragma unroll
        for (int i = 0; i < Size; ++i) any |= absent(v[i]);
        return any;
    }
};

__device__ inline void look(packet<float, 4>& f, const float* p) {
    asm volatile("ld.relaxed.gpu.global.v4.f32 {%0,%1,%2,%3},[%4];"
                 : "=f"(f.v[0]), "=f"(f.v[1]), "=f"(f.v[2]), "=f"(f.v[3])
                 : "l"(p)
                 : "memory");
}
__device__ inline void look(packet<float, 2>& f, const float* p) {
    asm volatile("ld.relaxed.gpu.global.v2.f32 {%0,%1},[%2];"
                 : "=f"(f.v[0]), "=f"(f.v[1])
                 : "l"(p)
                 : "memory");
}
__device__ inline void look(packet<double, 2>& f, const double* p) {
    asm volatile("ld.relaxed.gpu.global.v2.f64 {%0,%1},[%2];"
                 : "=d"(f.v[0]), "=d"(f.v[1])
                 : "l"(p)
                 : "memory");
}
__device__ inline void look(packet<double, 1>& f, const double* p) {
    asm volatile("ld.relaxed.gpu.global.f64 %0,[%1];" : "=d"(f.v[0]) : "l"(p) : "memory");
}
__device__ inline void look(packet<int, 4>& f, const int* p) {
    asm volatile("ld.relaxed.gpu.global.v4.s32 {%0,%1,%2,%3},[%4];"
                 : "=r"(f.v[0]), "=r"(f.v[1]), "=r"(f.v[2]), "=r"(f.v[3])
                 : "l"(p)
                 : "memory");
}
__device__ inline void look(packet<int, 2>& f, const int* p) {
    asm volatile("ld.relaxed.gpu.global.v2.s32 {%0,%1},[%2];"
                 : "=r"(f.v[0]), "=r"(f.v[1])
                 : "l"(p)
                 : "memory");
}
__device__ inline int look(const int* p);
__device__ inline void look(packet<int, 1>& f, const int* p) {
    f[0] = look(p);
}
/// The parts of complex numbers as real ones.
template <class R, int Size>
__device__ packet<R, 2 * Size>& parts(packet<thrust::complex<R>, Size>& f) {
    return reinterpret_cast<packet<R, 2 * Size>&>(f);
}
template <class R, int Size>
__device__ const packet<R, 2 * Size>& parts(const packet<thrust::complex<R>, Size>& f) {
    return reinterpret_cast<const packet<R, 2 * Size>&>(f);
}
template <class R, int Size>
__device__ inline void look(packet<thrust::complex<R>, Size>& f, const thrust::complex<R>* p) {
    look(parts(f), reinterpret_cast<const R*>(p));
}
/// Wider packets: one instruction for each 16 bytes.
template <class T, int Size>
__device__ inline void look(packet<T, Size>& f, const T* p) {
    static_assert(Size % per_packet<T> == 0 && Size > per_packet<T>);
#pragma unroll
    for (int i = 0; i < Size; i += per_packet<T>) look(reinterpret_cast<packet<T>&>(f.v[i]), p + i);
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

template <class R>
__device__ thrust::complex<R> look_one(const thrust::complex<R>* p) {
    const R* const part = reinterpret_cast<const R*>(p);
    return thrust::complex<R>(look_one(part), look_one(part + 1));
}

/// What may be published: any number but the NaN that stands for "not there yet".
__device__ inline float honest(float v) {
    return v == v ? v : __uint_as_float(0x7fc00000u);
}
__device__ inline double honest(double v) {
    return v == v ? v : __longlong_as_double(0x7ff8000000000000ll);
}

// Packets of f32 are products or zeros: the device's NaN of an f32 operation is 0x7fffffff whatever went in.
__device__ inline void publish(float* p, const packet<float, 2>& f) {
    asm volatile("st.relaxed.gpu.global.v2.f32 [%0],{%1,%2};" ::"l"(p), "f"(f.v[0]), "f"(f.v[1]) : "memory");
}
__device__ inline void publish(float* p, const packet<float, 4>& f) {
    asm volatile("st.relaxed.gpu.global.v4.f32 [%0],{%1,%2,%3,%4};" ::"l"(p), "f"(f.v[0]), "f"(f.v[1]),
                 "f"(f.v[2]), "f"(f.v[3])
                 : "memory");
}
__device__ inline void publish(double* p, const packet<double, 1>& f) {
    asm volatile("st.relaxed.gpu.global.f64 [%0],%1;" ::"l"(p), "d"(honest(f[0])) : "memory");
}
__device__ inline void publish(double* p, const packet<double, 2>& f) {
    asm volatile("st.relaxed.gpu.global.v2.f64 [%0],{%1,%2};" ::"l"(p), "d"(honest(f[0])), "d"(honest(f[1]))
                 : "memory");
}
__device__ inline void publish(int* p, const packet<int, 4>& f) {
    asm volatile("st.relaxed.gpu.global.v4.s32 [%0],{%1,%2,%3,%4};" ::"l"(p), "r"(f.v[0]), "r"(f.v[1]),
                 "r"(f.v[2]), "r"(f.v[3])
                 : "memory");
}
__device__ inline void publish(int* p, const packet<int, 2>& f) {
    asm volatile("st.relaxed.gpu.global.v2.s32 [%0],{%1,%2};" ::"l"(p), "r"(f.v[0]), "r"(f.v[1]) : "memory");
}
__device__ inline void publish(int* p, const packet<int, 1>& f) {
    asm volatile("st.relaxed.gpu.global.s32 [%0],%1;" ::"l"(p), "r"(f.v[0]) : "memory");
}
template <class R, int Size>
__device__ inline void publish(thrust::complex<R>* p, const packet<thrust::complex<R>, Size>& f) {
    publish(reinterpret_cast<R*>(p), parts(f));
}
template <class T, int Size>
__device__ inline void publish(T* p, const packet<T, Size>& f) {
    static_assert(Size % per_packet<T> == 0 && Size > per_packet<T>);
#pragma unroll
    for (int i = 0; i < Size; i += per_packet<T>) publish(p + i, reinterpret_cast<const packet<T>&>(f.v[i]));
}
__device__ inline void publish(float* p, float v) {
    asm volatile("st.relaxed.gpu.global.f32 [%0],%1;" ::"l"(p), "f"(honest(v)) : "memory");
}
__device__ inline void publish(double* p, double v) {
    asm volatile("st.relaxed.gpu.global.f64 [%0],%1;" ::"l"(p), "d"(honest(v)) : "memory");
}
template <class R>
__device__ void publish(thrust::complex<R>* p, thrust::complex<R> v) {
    R* const part = reinterpret_cast<R*>(p);
    publish(part, v.real());
    publish(part + 1, v.imag());
}
__device__ inline void publish(int* p, int v) {
    cuda::store_relaxed(reinterpret_cast<std::uint32_t*>(p), static_cast<std::uint32_t>(v));
}

__device__ inline std::uint32_t shared_address(const void* p) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

/// 1 / v to the last bit or next to it, for v between 2^-100 and 2^100 (f32), 2^-900 and 2^900.
__device__ inline float inverted(float v) {
    float r;
    asm("rcp.approx.ftz.f32 %0,%1;" : "=f"(r) : "f"(v));
    return fmaf(r, fmaf(-v, r, 1.0f), r);
}
__device__ inline double inverted(double v) {
    double r;
    asm("rcp.approx.ftz.f64 %0,%1;" : "=d"(r) : "d"(v));
    r = fma(r, fma(-v, r, 1.0), r);
    r = fma(r, fma(-v, r, 1.0), r);
    return fma(r, fma(-v, r, 1.0), r);
}

/// Of a complex number between 2^-48 and 2^48 (f32), 2^-448 and 2^448.
template <class R>
__device__ thrust::complex<R> inverted(thrust::complex<R> v) {
    const R over = inverted(fma(v.real(), v.real(), v.imag() * v.imag()));
    return thrust::complex<R>(v.real() * over, -v.imag() * over);
}

/// What an element below a pivot is multiplied by: x / pivot = (x * scale) * rate without a branch, for a
/// pivot of any size, subnormal ones included. `scale` is a power of two, and where it makes x overflow or
/// vanish, so does x / pivot. Below a pivot of zero elements stay as they are.
template <class T>
struct divisor {
    real_of<T> scale;
    T rate;
    __device__ T under(T x) const { return x * scale * rate; }
};
template <class T>
__device__ divisor<T> divisor_of(T pivot) {
    using R = real_of<T>;
    if constexpr (is_complex_type<T>) {
        if (pivot == T(0)) return {R(1), T(1)};
        constexpr int most = sizeof(R) == 4 ? 126 : 1022;
        int exponent = 0;
        (void)frexp(fmax(fabs(pivot.real()), fabs(pivot.imag())), &exponent);
        const R scale = ldexp(R(1), exponent > most ? -most : exponent < -most ? most : -exponent);
        return {scale, inverted(pivot * scale)};
    } else {
        constexpr T large = sizeof(T) == 4 ? T(0x1p100) : T(0x1p900),
                    shift = sizeof(T) == 4 ? T(0x1p64) : T(0x1p500);
        const T size = fabs(pivot);
        T scale = size < 1 / large ? shift : T(1);
        scale = size > large ? 1 / shift : scale;
        const T rate = inverted(pivot * scale);
        return pivot == T(0) ? divisor<T>{T(1), T(1)} : divisor<T>{scale, rate};
    }
}

}  // namespace wale::lu::resident
