// inputs - images that a study, a test or a benchmark computes on: natural ones, smooth fields, and the
// corridors that are the worst case of propagation. The same numbers on every machine.
#pragma once

#include <cstdint>
#include <vector>
#include <wale/layout.hpp>

namespace wale::reconstruction {

struct image_size {
    index_t planes = 1, rows = 0, columns = 0;
    [[nodiscard]] index_t pixels() const { return planes * rows * columns; }
};

/// Tiles of an image, every other one turned over, so that equal edges touch: `size` of one plane.
[[nodiscard]] std::vector<std::uint8_t> mirrored(const std::vector<std::uint8_t>& tile, image_size tile_size,
                                                 image_size size);

/// White noise, three times averaged over boxes of 2 * radius + 1 a side (nearly a Gaussian), stretched to
/// 0..65535. Its basins are wide and drain through narrow passes: hole filling is hard for every propagation.
[[nodiscard]] std::vector<std::uint16_t> smooth_field(image_size size, index_t radius, std::uint64_t seed);

/// Something like tissue under a microscope where no real image is at hand: dark blots on a noisy ground.
[[nodiscard]] std::vector<std::uint8_t> blots(image_size size, std::uint64_t seed);

/// The lower 8 bits dropped.
[[nodiscard]] std::vector<std::uint8_t> high_bytes(const std::vector<std::uint16_t>& wide);

/// Corridors of 255 between walls of 0, one pixel wide each, of one plane. All begin at (0, 0).
[[nodiscard]] std::vector<std::uint8_t> serpentine(
    image_size size);                                             // rows there and back: size / 2 pixels long
[[nodiscard]] std::vector<std::uint8_t> spiral(image_size size);  // from the corner to the middle
[[nodiscard]] std::vector<std::uint8_t> comb(image_size size);    // a spine in column 0, teeth in even rows
[[nodiscard]] std::vector<std::uint8_t> hilbert_corridor(
    image_size size);  // square, side 2^k - 1 or cut from it
[[nodiscard]] std::vector<std::uint8_t> checkerboard(image_size size);

/// Pixels of 255 with the given probability, else 0: near 59% its 4-connected clusters have fractal shapes.
[[nodiscard]] std::vector<std::uint8_t> percolation(image_size size, int percent, std::uint64_t seed);

/// The mask's value at (0, 0), 0 elsewhere: a marker for the corridors.
[[nodiscard]] std::vector<std::uint8_t> corner_marker(const std::vector<std::uint8_t>& mask);

}  // namespace wale::reconstruction
