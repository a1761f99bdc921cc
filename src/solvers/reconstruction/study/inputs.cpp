// inputs - generators in integers only.
#include "solvers/reconstruction/study/inputs.hpp"

#include <algorithm>

namespace wale::reconstruction {
namespace {

/// SplitMix64 (Steele, Lea & Flood 2014): a hash of a counter.
std::uint64_t noise(std::uint64_t n) {
    n += 0x9e3779b97f4a7c15u;
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
    n = (n ^ n >> 27) * 0x94d049bb133111ebu;
    return n ^ n >> 31;
}

using field = std::vector<std::uint32_t>;

/// The mean over 2 * radius + 1 values of each line along one direction; the line goes on in a circle.
void average_line(std::uint32_t* line, index_t count, index_t stride, index_t radius, field& copy) {
    copy.resize(static_cast<std::size_t>(count));
    const auto at = [&](index_t i) -> std::uint32_t& { return copy[static_cast<std::size_t>(i)]; };
    for (index_t i = 0; i < count; ++i) at(i) = line[i * stride];
    std::uint64_t sum = 0;
    const auto wrapped = [&](index_t i) { return (i % count + count) % count; };
    for (index_t i = -radius; i <= radius; ++i) sum += at(wrapped(i));
    for (index_t i = 0; i < count; ++i) {
        line[i * stride] = static_cast<std::uint32_t>(sum / static_cast<std::uint64_t>(2 * radius + 1));
        sum += at(wrapped(i + radius + 1));
        sum -= at(wrapped(i - radius));
    }
}

/// The same for columns, row by row, so that memory is read in order.
void average_planes(std::uint32_t* first, index_t count, index_t stride, index_t radius) {
    const auto wrapped = [&](index_t i) { return (i % count + count) % count * stride; };
    const auto width = static_cast<std::size_t>(stride);
    std::vector<std::uint64_t> sum(width, 0);
    const field copy(first, first + count * stride);
    const auto add = [&](index_t i, auto&& change) {
        const std::uint32_t* row = copy.data() + wrapped(i);
        for (std::size_t c = 0; c < width; ++c) change(sum[c], row[c]);
    };
    for (index_t i = -radius; i <= radius; ++i) add(i, [](auto& s, auto v) { s += v; });
    for (index_t i = 0; i < count; ++i) {
        for (std::size_t c = 0; c < width; ++c)
            first[i * stride + static_cast<index_t>(c)] =
                static_cast<std::uint32_t>(sum[c] / static_cast<std::uint64_t>(2 * radius + 1));
        add(i + radius + 1, [](auto& s, auto v) { s += v; });
        add(i - radius, [](auto& s, auto v) { s -= v; });
    }
}

std::vector<std::uint8_t> walls(image_size size) {
    return std::vector<std::uint8_t>(static_cast<std::size_t>(size.rows * size.columns), 0);
}

struct canvas {
    std::vector<std::uint8_t>& pixels;
    image_size size;
    void open(index_t row, index_t column) {
        if (row >= 0 && row < size.rows && column >= 0 && column < size.columns)
            pixels[static_cast<std::size_t>(row * size.columns + column)] = 255;
    }
};

/// Cell number `step` of a Hilbert curve through 2^order cells a side.
std::pair<index_t, index_t> hilbert_cell(int order, index_t step) {
    index_t x = 0, y = 0;
    for (index_t s = 1; s < index_t{1} << order; s *= 2, step /= 4) {
        const index_t rx = step / 2 & 1, ry = (step ^ rx) & 1;
        if (ry == 0) {
            if (rx == 1) {
                x = s - 1 - x;
                y = s - 1 - y;
            }
            std::swap(x, y);
        }
        x += s * rx;
        y += s * ry;
    }
    return {y, x};
}

}  // namespace

std::vector<std::uint8_t> mirrored(const std::vector<std::uint8_t>& tile, image_size t, image_size size) {
    const auto folded = [](index_t i, index_t n) { return i / n % 2 == 0 ? i % n : n - 1 - i % n; };
    std::vector<std::uint8_t> all(static_cast<std::size_t>(size.pixels()));
    for (index_t r = 0; r < size.rows; ++r) {
        const std::uint8_t* from = tile.data() + folded(r, t.rows) * t.columns;
        std::uint8_t* to = all.data() + r * size.columns;
        for (index_t c = 0; c < size.columns; ++c) to[c] = from[folded(c, t.columns)];
    }
    return all;
}

std::vector<std::uint16_t> smooth_field(image_size size, index_t radius, std::uint64_t seed) {
    field f(static_cast<std::size_t>(size.pixels()));
    for (std::size_t i = 0; i < f.size(); ++i)
        f[i] = static_cast<std::uint32_t>(noise(seed * 0x100000001b3u + i) >> 34);  // below 2^30
    field copy;
    const index_t plane = size.rows * size.columns;
    for (int pass = 0; pass < 3; ++pass) {
        for (index_t row = 0; row < size.planes * size.rows; ++row)
            average_line(f.data() + row * size.columns, size.columns, 1, radius, copy);
        for (index_t p = 0; p < size.planes; ++p)
            average_planes(f.data() + p * plane, size.rows, size.columns, radius);
        if (size.planes > 1) average_planes(f.data(), size.planes, plane, radius);
    }
    std::vector<std::uint16_t> stretched;
    stretched.reserve(f.size());
    if (f.empty()) return stretched;
    const auto [low, high] = std::minmax_element(f.begin(), f.end());
    const std::uint64_t range = std::max<std::uint64_t>(1, *high - *low);
    for (const std::uint32_t v : f)
        stretched.push_back(static_cast<std::uint16_t>(std::uint64_t{v - *low} * 65535 / range));
    return stretched;
}

std::vector<std::uint8_t> high_bytes(const std::vector<std::uint16_t>& wide) {
    std::vector<std::uint8_t> bytes;
    bytes.reserve(wide.size());
    for (const std::uint16_t v : wide) bytes.push_back(static_cast<std::uint8_t>(v >> 8));
    return bytes;
}

std::vector<std::uint8_t> blots(image_size size, std::uint64_t seed) {
    const std::vector<std::uint16_t> shapes = smooth_field(size, 6, seed);
    const std::vector<std::uint16_t> ground = smooth_field(size, 1, seed + 1);
    std::vector<std::uint8_t> all;
    all.reserve(shapes.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const int light = shapes[i] < 24000 ? 60 : shapes[i] < 40000 ? 60 + (shapes[i] - 24000) / 128 : 185;
        all.push_back(static_cast<std::uint8_t>(std::clamp(light + (ground[i] >> 9) - 64, 0, 255)));
    }
    return all;
}

std::vector<std::uint8_t> serpentine(image_size size) {
    std::vector<std::uint8_t> all = walls(size);
    canvas c{all, size};
    for (index_t row = 0; row < size.rows; ++row) {
        if (row % 2 == 0)
            for (index_t column = 0; column < size.columns; ++column) c.open(row, column);
        else
            c.open(row, row % 4 == 1 ? size.columns - 1 : 0);
    }
    return all;
}

std::vector<std::uint8_t> spiral(image_size size) {
    std::vector<std::uint8_t> all = walls(size);
    canvas c{all, size};
    index_t top = 0, left = 0, bottom = size.rows - 1, right = size.columns - 1;
    index_t from = 0;  // where the corridor enters this turn's upper edge
    while (top <= bottom && left <= right) {
        for (index_t x = from; x <= right; ++x) c.open(top, x);
        for (index_t y = top; y <= bottom; ++y) c.open(y, right);
        for (index_t x = left; x <= right && bottom > top; ++x) c.open(bottom, x);
        for (index_t y = top + 2; y <= bottom && right > left; ++y) c.open(y, left);
        from = left;
        top += 2;
        left += 2;
        bottom -= 2;
        right -= 2;
        if (top <= bottom && left <= right) c.open(top, left - 1);
    }
    return all;
}

std::vector<std::uint8_t> comb(image_size size) {
    std::vector<std::uint8_t> all = walls(size);
    canvas c{all, size};
    for (index_t row = 0; row < size.rows; ++row) {
        c.open(row, 0);
        for (index_t column = 0; column < size.columns && row % 2 == 0; ++column) c.open(row, column);
    }
    return all;
}

std::vector<std::uint8_t> hilbert_corridor(image_size size) {
    std::vector<std::uint8_t> all = walls(size);
    canvas c{all, size};
    int order = 0;
    while ((index_t{1} << order) * 2 - 1 < std::max(size.rows, size.columns)) ++order;
    auto [row, column] = hilbert_cell(order, 0);
    c.open(2 * row, 2 * column);
    for (index_t step = 1; step < index_t{1} << 2 * order; ++step) {
        const auto [r, q] = hilbert_cell(order, step);
        c.open(row + r, column + q);  // the wall between two cells
        c.open(2 * r, 2 * q);
        row = r;
        column = q;
    }
    return all;
}

std::vector<std::uint8_t> checkerboard(image_size size) {
    std::vector<std::uint8_t> all = walls(size);
    canvas c{all, size};
    for (index_t row = 0; row < size.rows; ++row)
        for (index_t column = row % 2; column < size.columns; column += 2) c.open(row, column);
    return all;
}

std::vector<std::uint8_t> percolation(image_size size, int percent, std::uint64_t seed) {
    std::vector<std::uint8_t> all = walls(size);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (static_cast<int>(noise(seed * 0x100000001b3u + i) % 100) < percent) all[i] = 255;
    if (!all.empty()) all[0] = 255;
    return all;
}

std::vector<std::uint8_t> corner_marker(const std::vector<std::uint8_t>& mask) {
    std::vector<std::uint8_t> marker(mask.size(), 0);
    if (!mask.empty()) marker[0] = mask[0];
    return marker;
}

}  // namespace wale::reconstruction
