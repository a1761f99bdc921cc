// levels - keys as unsigned integers of the same order, so that one atomic maximum serves all types.
#pragma once

#include <cstdint>

#include "solvers/reconstruction/problem.hpp"

namespace wale::reconstruction::basins {

/// level: of a pixel. wide: what atomics take. A zero's sign survives, -0 just below +0.
template <class T>
struct levels {
    using level = T;  // std::uint8_t and std::uint16_t
    using wide = std::uint32_t;
    static WALE_HD level of(T key) { return key; }
    static WALE_HD T key(level l) { return l; }
};
template <>
struct levels<std::int32_t> {
    using level = std::uint32_t;
    using wide = std::uint32_t;
    static WALE_HD level of(std::int32_t key) { return static_cast<level>(key) ^ 0x80000000u; }
    static WALE_HD std::int32_t key(level l) { return static_cast<std::int32_t>(l ^ 0x80000000u); }
};

template <class T, class Bits>
struct float_levels {
    using level = Bits;
    using wide = Bits;
    static constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
    static WALE_HD level of(T key) {
        const Bits b = std::bit_cast<Bits>(key);
        return (b & sign) != 0 ? ~b : b | sign;
    }
    static WALE_HD T key(level l) { return std::bit_cast<T>((l & sign) != 0 ? l ^ sign : ~l); }
};
template <>
struct levels<float> : float_levels<float, std::uint32_t> {};
template <>
struct levels<double> : float_levels<double, std::uint64_t> {};

/// Numbers of equal edges are scrambled: in their own order equal levels would hook into one long chain.
/// Bijections; only 0 becomes 0.
struct scramble {
    static constexpr std::uint32_t odd = 0x9E3779B1u;
    static constexpr std::uint32_t inverse() {
        std::uint32_t x = odd;
        for (int i = 0; i < 5; ++i) x *= 2 - odd * x;
        return x;
    }
    template <class Bits>
    static __device__ Bits there(Bits number) {
        return static_cast<Bits>(number * odd);
    }
    template <class Bits>
    static __device__ Bits back(Bits scrambled) {
        constexpr std::uint32_t undo = inverse();
        return static_cast<Bits>(scrambled * undo);
    }
};

/// The 64-bit atomics of the runtime take unsigned long long, not std::uint64_t.
template <class Wide>
__device__ void raise(Wide* place, Wide to) {
    if constexpr (sizeof(Wide) == 8)
        atomicMax(reinterpret_cast<unsigned long long*>(place), static_cast<unsigned long long>(to));
    else
        atomicMax(place, to);
}

/// 16 bytes of pixels, keys or levels at a time.
template <class T>
struct alignas(16) vector_of {
    static constexpr int size = 16 / sizeof(T);
    using level = typename levels<T>::level;
    T at[size];

    static __device__ vector_of load(const T* from) {
        return std::bit_cast<vector_of>(__ldg(reinterpret_cast<const uint4*>(from)));
    }
    __device__ void store(T* to) const { *reinterpret_cast<uint4*>(to) = std::bit_cast<uint4>(*this); }

    /// Stored values to keys, and back.
    __device__ vector_of keys(const recipe<T>& rule) const {
        if constexpr (std::is_unsigned_v<T>) {  // words of several pixels
            const std::uint32_t flip = rule.mirror ? ~0u : 0u;
            const uint4 w = std::bit_cast<uint4>(*this);
            return std::bit_cast<vector_of>(make_uint4(w.x ^ flip, w.y ^ flip, w.z ^ flip, w.w ^ flip));
        } else {
            vector_of k;
#pragma unroll
            for (int i = 0; i < size; ++i) k.at[i] = rule.key(at[i]);
            return k;
        }
    }
    /// Keys to levels.
    __device__ void store_levels(level* to) const {
        if constexpr (std::is_unsigned_v<T>) {
            store(to);
        } else {
            vector_of<level> l;
#pragma unroll
            for (int i = 0; i < size; ++i) l.at[i] = levels<T>::of(at[i]);
            l.store(to);
        }
    }
};

}  // namespace wale::reconstruction::basins
