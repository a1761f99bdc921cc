// reconstruction_peers - what people use today, each behind the same two functions. A peer gets what it needs
// beside the time that is counted: copies into its own image type and ready-made markers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>
#include <wale/layout.hpp>

namespace wale::bench {

template <class T>
struct grey_image {
    index_t rows = 0, columns = 0;
    std::vector<T> pixels;
};

struct bit_image {
    index_t rows = 0, columns = 0;
    std::vector<std::uint32_t> words;  // the leftmost pixel in bit 0
    [[nodiscard]] index_t row_words() const { return (columns + 31) / 32; }
};

[[nodiscard]] bit_image packed(const std::vector<std::uint8_t>& pixels, index_t columns);

template <class T>
struct peer {
    std::string name;
    int repeats;
    std::function<std::vector<T>(const grey_image<T>&, T h, int connectivity)> h_domes;
    std::function<std::vector<T>(const grey_image<T>&, int connectivity)> fill_holes;
    double* inner_seconds;  // of the last call, without copies and markers
};

/// The peers that this program was built with.
template <class T>
[[nodiscard]] std::vector<peer<T>> peers();
template <>
std::vector<peer<std::uint8_t>> peers();
template <>
std::vector<peer<std::uint16_t>> peers();

/// pixSeedfillBinary; nothing where Leptonica is not there.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> leptonica_seed_fill(const bit_image& marker,
                                                                            const bit_image& mask,
                                                                            int connectivity,
                                                                            double& seconds);

}  // namespace wale::bench
