// hilbert - how far along Hilbert's curve a place is.
#include "mesh/hilbert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace wale::meshes {
namespace {

using coordinates = std::array<std::uint32_t, 3>;

/// The bits of the key, transposed: bit b of coordinate d is bit dimensions * b + (dimensions - 1 - d).
coordinates transposed_key(coordinates x, std::size_t dimensions, int bits) {
    for (std::uint32_t q = 1u << (bits - 1); q > 1;
         q >>= 1) {  // undo the turns and reflections of each level
        const std::uint32_t p = q - 1;
        for (std::size_t d = 0; d < dimensions; ++d) {
            if (x[d] & q) {
                x[0] ^= p;
            } else {
                const std::uint32_t swapped = (x[0] ^ x[d]) & p;
                x[0] ^= swapped;
                x[d] ^= swapped;
            }
        }
    }
    for (std::size_t d = 1; d < dimensions; ++d) x[d] ^= x[d - 1];  // Gray code
    std::uint32_t t = 0;
    for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1)
        if (x[dimensions - 1] & q) t ^= q - 1;
    for (std::size_t d = 0; d < dimensions; ++d) x[d] ^= t;
    return x;
}

std::uint64_t interleaved(const coordinates& x, std::size_t dimensions, int bits) {
    std::uint64_t key = 0;
    for (int b = bits - 1; b >= 0; --b)
        for (std::size_t d = 0; d < dimensions; ++d) key = key << 1 | (x[d] >> b & 1);
    return key;
}

}  // namespace

std::vector<std::uint64_t> hilbert_keys(std::span<const double> places, int dimensions) {
    const auto axes = static_cast<std::size_t>(dimensions);
    const int bits = dimensions == 2 ? 31 : 21;
    std::array<double, 3> low{}, high{};
    low.fill(HUGE_VAL);
    high.fill(-HUGE_VAL);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!std::isfinite(places[i])) continue;
        low[i % 3] = std::min(low[i % 3], places[i]);
        high[i % 3] = std::max(high[i % 3], places[i]);
    }
    double extent = 0;
    for (std::size_t d = 0; d < axes; ++d) extent = std::max(extent, high[d] - low[d]);
    const double last = static_cast<double>((std::uint64_t{1} << bits) - 1);
    std::vector<std::uint64_t> keys;
    keys.reserve(places.size() / 3);
    for (std::size_t i = 0; i < places.size(); i += 3) {
        coordinates x{};
        bool finite = true;
        for (std::size_t d = 0; d < axes; ++d) {
            finite &= std::isfinite(places[i + d]);
            const double part = extent > 0 ? (places[i + d] - low[d]) / extent : 0;
            if (finite) x[d] = static_cast<std::uint32_t>(std::min(part, 1.0) * last);
        }
        keys.push_back(finite ? interleaved(transposed_key(x, axes, bits), axes, bits)
                              : std::numeric_limits<std::uint64_t>::max());
    }
    return keys;
}

}  // namespace wale::meshes
