// images - see images.hpp.
#include "agreement/images.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <queue>
#include <random>
#include <tuple>

#include "solvers/reconstruction/problem.hpp"

namespace wale::agreement {
namespace {

constexpr std::byte foreign{0xA5};

bool binary(pixel type) {
    return type == pixel::bit || type == pixel::boolean;
}

/// The value nearest to v that the type holds.
double held(pixel type, double v) {
    return type == pixel::f32 ? static_cast<double>(static_cast<float>(v)) : v;
}

template <class T>
const values& extremes_of_floats() {
    using limits = std::numeric_limits<T>;
    static const values all{
        -limits::infinity(),  limits::lowest(), -1, -limits::min(), -limits::denorm_min(), -0.0, 0.0,
        limits::denorm_min(), limits::min(),    1,  limits::max(),  limits::infinity()};
    return all;
}

const values& extremes_of(pixel type) {
    static const values bits{0, 1}, u8{0, 1, 127, 128, 254, 255};
    static const values u16{0, 1, 255, 256, 32767, 32768, 65534, 65535};
    static const values i32{-2147483648.0, -2147483647.0, -65536,      -1, 0, 1,
                            65535,         2147483646.0,  2147483647.0};
    switch (type) {
        case pixel::u8:
            return u8;
        case pixel::u16:
            return u16;
        case pixel::i32:
            return i32;
        case pixel::f32:
            return extremes_of_floats<float>();
        case pixel::f64:
            return extremes_of_floats<double>();
        default:
            return bits;
    }
}

double random_value(pixel type, spread how, std::mt19937& random) {
    if (binary(type)) return static_cast<double>(random() % 2);
    if (how == spread::extreme) {
        const values& all = extremes_of(type);
        return all[random() % all.size()];
    }
    if (how == spread::few) return static_cast<double>(random() % 4) * 50;
    switch (type) {
        case pixel::u8:
            return static_cast<double>(random() % 256);
        case pixel::u16:
            return static_cast<double>(random() % 65536);
        case pixel::i32:
            return static_cast<double>(static_cast<std::int32_t>(random()));
        default:
            return held(type, (static_cast<double>(random()) - 2147483648.0) / 3);
    }
}

}  // namespace

raster shape_of(pixel type, index_t rows, index_t columns, index_t planes, index_t images) {
    raster r;
    r.type = type;
    r.rank = planes < 0 ? 2 : 3;
    r.images = images;
    r.planes = std::max<index_t>(planes, planes < 0 ? 1 : 0);
    r.rows = rows;
    r.columns = columns;
    r.pack();
    return r;
}

stored::stored(const raster& shape, index_t gap) : where_(shape) {
    where_.row_stride = where_.row_elements() + gap;
    where_.plane_stride = where_.rows * where_.row_stride + 2 * gap;
    where_.image_stride = where_.planes * where_.plane_stride + 3 * gap;
    bytes_.assign(static_cast<std::size_t>(where_.span_elements() * bytes_of(where_.type)), foreign);
}

void stored::for_each_row(const std::function<void(index_t, std::size_t)>& f) const {
    std::size_t first = 0;
    for (index_t image = 0; image < where_.images; ++image)
        for (index_t plane = 0; plane < where_.planes; ++plane)
            for (index_t row = 0; row < where_.rows && where_.columns > 0; ++row) {
                f(where_.offset(image, plane, row), first);
                first += static_cast<std::size_t>(where_.columns);
            }
}

stored::stored(const raster& shape, index_t gap, const values& v) : stored(shape, gap) {
    const auto columns = static_cast<std::size_t>(shape.columns);
    if (shape.type == pixel::bit) {
        auto* words = reinterpret_cast<std::uint32_t*>(bytes_.data());
        for_each_row([&](index_t offset, std::size_t first) {
            for (std::size_t c = 0; c < columns; ++c) {
                std::uint32_t& word = words[static_cast<std::size_t>(offset) + c / 32];
                const std::uint32_t bit = std::uint32_t{1} << c % 32;
                word = v[first + c] != 0 ? word | bit : word & ~bit;
            }
        });
        return;
    }
    reconstruction::visit(shape.type, [&]<class T>() {
        auto* elements = reinterpret_cast<T*>(bytes_.data());
        for_each_row([&](index_t offset, std::size_t first) {
            for (std::size_t c = 0; c < columns; ++c)
                elements[static_cast<std::size_t>(offset) + c] = static_cast<T>(v[first + c]);
        });
    });
}

values stored::get() const {
    values v(static_cast<std::size_t>(where_.pixels()));
    const auto columns = static_cast<std::size_t>(where_.columns);
    if (where_.type == pixel::bit) {
        const auto* words = reinterpret_cast<const std::uint32_t*>(bytes_.data());
        for_each_row([&](index_t offset, std::size_t first) {
            for (std::size_t c = 0; c < columns; ++c)
                v[first + c] = words[static_cast<std::size_t>(offset) + c / 32] >> c % 32 & 1;
        });
        return v;
    }
    reconstruction::visit(where_.type, [&]<class T>() {
        const auto* elements = reinterpret_cast<const T*>(bytes_.data());
        for_each_row([&](index_t offset, std::size_t first) {
            for (std::size_t c = 0; c < columns; ++c)
                v[first + c] = static_cast<double>(elements[static_cast<std::size_t>(offset) + c]);
        });
    });
    return v;
}

bool stored::gaps_untouched() const {
    std::vector<std::byte> expected(bytes_.size(), foreign);
    const auto size = static_cast<std::size_t>(bytes_of(where_.type));
    for_each_row([&](index_t offset, std::size_t) {
        const std::size_t at = static_cast<std::size_t>(offset) * size;
        std::memcpy(expected.data() + at, bytes_.data() + at,
                    static_cast<std::size_t>(where_.row_elements()) * size);
        if (where_.type != pixel::bit || where_.columns % 32 == 0) return;
        // Bits of the last word beyond the last column.
        auto* last = expected.data() + at + static_cast<std::size_t>(where_.columns / 32) * size;
        std::uint32_t word = 0, padding = 0;
        std::memcpy(&word, last, size);
        std::memset(&padding, static_cast<int>(foreign), size);
        const std::uint32_t beyond = ~std::uint32_t{0} << where_.columns % 32;
        word = (word & ~beyond) | (padding & beyond);
        std::memcpy(last, &word, size);
    });
    return expected == bytes_;
}

double lowest_of(pixel type) {
    return extremes_of(type).front();
}
double highest_of(pixel type) {
    return extremes_of(type).back();
}

values complement(pixel type, values v) {
    const double sum = type == pixel::f32 || type == pixel::f64 ? 0 : lowest_of(type) + highest_of(type);
    for (double& x : v) x = sum - x;
    return v;
}

specimen random_specimen(const raster& shape, spread how, unsigned seed) {
    std::mt19937 random(seed);
    specimen s{
        std::string("random ") + name_of(shape.type) + ", seed " + std::to_string(seed), shape, {}, {}};
    const unsigned one_in = seed % 3 == 0 ? 2 : seed % 3 == 1 ? 16 : 200;  // pixels with a marker
    for (index_t i = 0; i < shape.pixels(); ++i) {
        // Corridors appear where the binary mask is set a little more often than not.
        const double m = binary(shape.type) ? static_cast<double>(random() % 8 < 5)
                                            : random_value(shape.type, how, random);
        const double given =
            random() % one_in == 0 ? random_value(shape.type, how, random) : lowest_of(shape.type);
        s.mask.push_back(m);
        s.marker.push_back(std::min(given, m));
    }
    return s;
}

specimen corner_specimen(std::string what, const raster& shape, const std::vector<std::uint8_t>& mask) {
    specimen s{std::move(what), shape, {}, {}};
    for (const std::uint8_t m : mask) {
        s.mask.push_back(m != 0 ? highest_of(shape.type) : lowest_of(shape.type));
        s.marker.push_back(s.marker.empty() ? s.mask.front() : lowest_of(shape.type));
    }
    return s;
}

specimen dome_specimen(std::string what, const raster& shape, const std::vector<std::uint8_t>& mask,
                       int drop) {
    specimen s{std::move(what), shape, {}, {}};
    for (const std::uint8_t m : mask) {
        s.mask.push_back(m);
        s.marker.push_back(std::max(0, m - drop));
    }
    return s;
}

values border_marker(const raster& shape, const values& mask) {
    values marker;
    for (index_t image = 0; image < shape.images; ++image)
        for (index_t plane = 0; plane < shape.planes; ++plane)
            for (index_t row = 0; row < shape.rows; ++row)
                for (index_t column = 0; column < shape.columns; ++column) {
                    const bool edge = row == 0 || row == shape.rows - 1 || column == 0 ||
                                      column == shape.columns - 1 ||
                                      (shape.rank == 3 && (plane == 0 || plane == shape.planes - 1));
                    marker.push_back(edge ? mask[marker.size()] : lowest_of(shape.type));
                }
    return marker;
}

specimen border_specimen(std::string what, const raster& shape, const std::vector<std::uint8_t>& mask) {
    specimen s{std::move(what), shape, {}, values(mask.begin(), mask.end())};
    s.marker = border_marker(shape, s.mask);
    return s;
}

specimen all_three_by_three(pixel type) {
    constexpr int count = 19683;  // 3^9: outside the mask, in it, in the marker too
    specimen s{std::string("all 3x3 ") + name_of(type), shape_of(type, 3, 3, -1, count), {}, {}};
    for (int i = 0; i < count; ++i)
        for (int pixels = 0, digits = i; pixels < 9; ++pixels, digits /= 3) {
            s.mask.push_back(digits % 3 > 0);
            s.marker.push_back(digits % 3 > 1);
        }
    return s;
}

namespace {

struct place {
    double value;
    index_t at;
    bool operator<(const place& o) const { return value < o.value; }
};

/// Whether pixels that differ by p, r, c are neighbours.
bool neighbours(int connectivity, int rank, int p, int r, int c) {
    const int differing = (p != 0) + (r != 0) + (c != 0);
    if (differing == 0) return false;
    if (connectivity == 4 || connectivity == 6) return differing == 1;
    if (connectivity == 18) return differing <= 2;
    return rank == 3 || p == 0;
}

void widest_paths_of_one(const raster& shape, int connectivity, const double* mask, double* risen) {
    const index_t plane = shape.rows * shape.columns, size = shape.planes * plane;
    std::priority_queue<place> queue;
    for (index_t i = 0; i < size; ++i) queue.push({risen[i], i});
    const int depth = shape.rank == 3 ? 1 : 0;
    while (!queue.empty()) {
        const place top = queue.top();
        queue.pop();
        if (top.value < risen[top.at]) continue;  // it was settled higher
        const index_t p0 = top.at / plane, r0 = top.at / shape.columns % shape.rows,
                      c0 = top.at % shape.columns;
        for (int p = -depth; p <= depth; ++p)
            for (int r = -1; r <= 1; ++r)
                for (int c = -1; c <= 1; ++c) {
                    if (!neighbours(connectivity, shape.rank, p, r, c)) continue;
                    if (p0 + p < 0 || p0 + p >= shape.planes || r0 + r < 0 || r0 + r >= shape.rows ||
                        c0 + c < 0 || c0 + c >= shape.columns)
                        continue;
                    const index_t at = top.at + p * plane + r * shape.columns + c;
                    const double v = std::min(top.value, mask[at]);
                    if (!(risen[at] < v)) continue;
                    risen[at] = v;
                    queue.push({v, at});
                }
    }
}

/// 128 bits of a hash of doubles (two of FNV-1a's, by words).
std::array<std::uint64_t, 2> hash_of(const values& v) {
    std::array<std::uint64_t, 2> h{0xcbf29ce484222325u, 0x9e3779b97f4a7c15u};
    for (const double x : v)
        for (std::size_t k = 0; k < 2; ++k) {
            h[k] = (h[k] ^ std::bit_cast<std::uint64_t>(x)) * (k == 0 ? 0x100000001b3u : 0xd6e8feb86659fd93u);
            h[k] ^= h[k] >> 32;
        }
    return h;
}

}  // namespace

/// Every row of this process is asked the same questions: the answers are kept.
const values& widest_paths(const specimen& s, int connectivity) {
    const raster& shape = s.shape;
    using contents = std::array<std::uint64_t, 2>;
    static std::map<std::tuple<int, int, std::array<index_t, 4>, contents, contents>, values> known;
    const auto [at, is_new] = known.try_emplace({connectivity,
                                                 shape.rank,
                                                 {shape.images, shape.planes, shape.rows, shape.columns},
                                                 hash_of(s.mask),
                                                 hash_of(s.marker)});
    values& risen = at->second;
    if (!is_new) return risen;
    risen = s.marker;
    const index_t size = shape.planes * shape.rows * shape.columns;
    for (index_t image = 0; image < shape.images && size > 0; ++image)
        widest_paths_of_one(shape, connectivity, s.mask.data() + image * size, risen.data() + image * size);
    return risen;
}

std::string difference_text(const raster& shape, const values& found, const values& expected) {
    if (found == expected) return {};
    const auto at = std::mismatch(found.begin(), found.end(), expected.begin()).first - found.begin();
    const index_t row = at / shape.columns, plane = row / shape.rows;
    return "image " + std::to_string(plane / shape.planes) + ", plane " +
           std::to_string(plane % shape.planes) + ", row " + std::to_string(row % shape.rows) + ", column " +
           std::to_string(at % shape.columns) + ": found " +
           std::to_string(found[static_cast<std::size_t>(at)]) + ", expected " +
           std::to_string(expected[static_cast<std::size_t>(at)]);
}

placed_image::placed_image(const execution& where, stored& s) : where_(where), host_(s), view_(s.view()) {
    if (backend_of(where) != backend::cuda) return;
    copy_ = to_device<std::byte>(where, s.bytes());
    view_.data = copy_.data();
}

void placed_image::fetch() {
    if (backend_of(where_) == backend::cuda)
        copy_bytes(where_, host_.bytes().data(), copy_.data(), copy_.size());
}

}  // namespace wale::agreement
