// points - states as the resident kernel keeps them: six numbers a slot, in shared memory and in packets.
#pragma once

#include <cstdint>

#include "cuda/atomics.cuh"
#include "solvers/euler/advance/problem.hpp"
#include "solvers/euler/advance/shared/fused/near_number.hpp"

namespace wale::euler::resident {

/// What a face asks of the state behind it.
template <class Real>
struct point {
    Real rho, u, v, w, p;
    Real a;  // |v| + c
};

/// Two arrays of 16 and 8 bytes a slot, or three of 16: lanes that ask 8 different classes are served at
/// once.
template <class Real>
class point_store;

template <>
class point_store<float> {
public:
    static constexpr int bytes_a_slot = 24;
    __device__ point_store(char* memory, int slots) : first_(memory), second_(memory + 16 * slots) {}
    /// `at` is 16 times the slot.
    [[nodiscard]] __device__ point<float> load(unsigned at) const {
        const float4 a = *reinterpret_cast<const float4*>(first_ + at);
        const float2 b = *reinterpret_cast<const float2*>(second_ + at / 2);
        return {a.x, a.y, a.z, a.w, b.x, b.y};
    }
    __device__ void store(unsigned at, const point<float>& g) const {
        *reinterpret_cast<float4*>(first_ + at) = {g.rho, g.u, g.v, g.w};
        *reinterpret_cast<float2*>(second_ + at / 2) = {g.p, g.a};
    }

private:
    char *first_, *second_;
};

template <>
class point_store<double> {
public:
    static constexpr int bytes_a_slot = 48;
    __device__ point_store(char* memory, int slots) : memory_(memory), stride_(16 * slots) {}
    [[nodiscard]] __device__ point<double> load(unsigned at) const {
        const double2 a = pair(at), b = pair(at + stride_), c = pair(at + 2 * stride_);
        return {a.x, a.y, b.x, b.y, c.x, c.y};
    }
    __device__ void store(unsigned at, const point<double>& g) const {
        pair(at) = {g.rho, g.u};
        pair(at + stride_) = {g.v, g.w};
        pair(at + 2 * stride_) = {g.p, g.a};
    }

private:
    [[nodiscard]] __device__ double2& pair(unsigned at) const {
        return *reinterpret_cast<double2*>(memory_ + at);
    }
    char* memory_;
    unsigned stride_;
};

/// 96 bits of a state and a tag.
struct __align__(16) packet_word {
    std::uint32_t data[3];
    std::uint32_t tag;
};
// Volatile, so that they stay in order with barriers; no clobbered memory, so that the compiler may move
// other loads round them: nothing but the words themselves is handed over.
__device__ inline void store_relaxed(packet_word* p, const packet_word& w) {
    asm volatile(
        "{.reg .b128 v;.reg .b64 l,h; mov.b64 l,{%1,%2}; mov.b64 h,{%3,%4}; mov.b128 v,{l,h};\n"
        " st.relaxed.gpu.global.b128 [%0],v;}" ::"l"(p),
        "r"(w.data[0]), "r"(w.data[1]), "r"(w.data[2]), "r"(w.tag));
}
__device__ inline packet_word load_relaxed(const packet_word* p) {
    packet_word w;
    asm volatile(
        "{.reg .b128 v;.reg .b64 l,h; ld.relaxed.gpu.global.b128 v,[%4];\n"
        " mov.b128 {l,h},v; mov.b64 {%0,%1},l; mov.b64 {%2,%3},h;}"
        : "=r"(w.data[0]), "=r"(w.data[1]), "=r"(w.data[2]), "=r"(w.tag)
        : "l"(p));
    return w;
}

/// A state on its way: two words of a float one, four of a double one, in arrays of `places` each.
template <class Real>
struct packet {
    static constexpr int words = sizeof(point<Real>) / 12;
    packet_word word[words];

    packet() = default;
    __device__ packet(const point<Real>& g, std::uint32_t epoch) {
        const Real numbers[6] = {g.rho, g.u, g.v, g.w, g.p, g.a};
        for (int w = 0; w < words; ++w) {
            for (int d = 0; d < 3; ++d) word[w].data[d] = bits_of(numbers, 3 * w + d);
            word[w].tag = epoch;
        }
    }
    __device__ void post(packet_word* at, int places) const {
        for (int w = 0; w < words; ++w) store_relaxed(at + w * places, word[w]);
    }
    __device__ void ask(const packet_word* at, int places) {
        for (int w = 0; w < words; ++w) word[w] = load_relaxed(at + w * places);
    }
    [[nodiscard]] __device__ bool has_come(std::uint32_t epoch) const {
        bool all = true;
        for (int w = 0; w < words; ++w) all = all && word[w].tag == epoch;
        return all;
    }
    [[nodiscard]] __device__ point<Real> state() const {
        return {number(0), number(1), number(2), number(3), number(4), number(5)};
    }

private:
    [[nodiscard]] __device__ static std::uint32_t bits_of(const float (&x)[6], int i) {
        return __float_as_uint(x[i]);
    }
    [[nodiscard]] __device__ static std::uint32_t bits_of(const double (&x)[6], int i) {
        const auto bits = static_cast<std::uint64_t>(__double_as_longlong(x[i / 2]));
        return static_cast<std::uint32_t>(i % 2 == 0 ? bits : bits >> 32);
    }
    [[nodiscard]] __device__ std::uint32_t half(int i) const { return word[i / 3].data[i % 3]; }
    [[nodiscard]] __device__ Real number(int i) const {
        if constexpr (sizeof(Real) == 4)
            return __uint_as_float(half(i));
        else
            return __hiloint2double(static_cast<int>(half(2 * i + 1)), static_cast<int>(half(2 * i)));
    }
};

}  // namespace wale::euler::resident
