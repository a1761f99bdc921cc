// inputs - matrices of random numbers: the same on every machine.
#pragma once

#include <cstdint>
#include <vector>
#include <wale/matrix.hpp>

#include "base/scalar.hpp"

namespace wale::lu {

/// Numbers in [-1, 1) that differ for every element: a multiplicative hash (Steele et al. 2014, SplitMix64).
[[nodiscard]] inline double hashed(std::uint64_t i) {
    std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

/// Bytes of T. `heavy_diagonal`: such that no pivot needs to be looked for.
template <class T>
[[nodiscard]] std::vector<unsigned char> random_matrices(const matrix_shape& s, bool heavy_diagonal) {
    std::vector<unsigned char> memory(static_cast<std::size_t>(s.span_elements()) * sizeof(T));
    auto* a = reinterpret_cast<T*>(memory.data());
    for (index_t i = 0; i < s.span_elements(); ++i) {
        const auto k = static_cast<std::uint64_t>(i);
        if constexpr (base::is_complex_type<T>)
            a[i] = T(static_cast<base::real_of<T>>(hashed(k)), static_cast<base::real_of<T>>(hashed(~k)));
        else
            a[i] = static_cast<T>(hashed(k));
    }
    if (heavy_diagonal)
        for (index_t k = 0; k < s.count; ++k)
            for (index_t i = 0; i < s.diagonal(); ++i)
                a[k * s.stride + i * (s.leading + 1)] +=
                    static_cast<T>(static_cast<base::real_of<T>>(s.rows));
    return memory;
}

}  // namespace wale::lu
