// vectors - 16 bytes of pixels, keys or levels at a time.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/basins/levels.cuh"

namespace wale::reconstruction::basins {

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
