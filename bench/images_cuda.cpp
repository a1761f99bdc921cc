// images_cuda - what is made of reconstruction on the device, on random shapes: seconds of a plain call, of
// the reconstruction that the call contains, and the floor, which is the bytes of images read and written
// once over the device's own rate of copies. A cell follows from the seed and its number.
//   images_cuda OUT.csv SECONDS [SEED [LARGEST_PIXELS]]
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <span>
#include <vector>
#include <wale/wale.hpp>

#include "csv.hpp"
#include "solvers/reconstruction/study/inputs.hpp"
#include "timing.hpp"

namespace {

using namespace wale;
using bench::now;

struct dice {
    std::mt19937_64 random;
    index_t below(index_t n) { return static_cast<index_t>(random() % static_cast<std::uint64_t>(n)); }
    index_t size(double low, double high) {
        const double lot = std::uniform_real_distribution<>(0, 1)(random);
        return static_cast<index_t>(low * std::pow(high / low, lot));
    }
};

void wait() {
    if (cudaDeviceSynchronize() != cudaSuccess) throw error(cudaGetErrorString(cudaGetLastError()));
}

/// The lower quartile of the call's times; the first two calls warm up.
double timed(const std::function<void()>& call) {
    std::vector<double> seconds;
    for (int round = 0; round < 11; ++round) {
        wait();
        const double start = now();
        call();
        wait();
        if (round > 1) seconds.push_back(now() - start);
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 4];
}

/// Bytes a second that a copy within the device reads and writes.
double copy_rate() {
    constexpr index_t bytes = 1 << 28;
    const buffer<std::uint8_t> from(bytes, memory_space::device), to(bytes, memory_space::device);
    return 2 * static_cast<double>(bytes) /
           timed([&] { (void)cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice); });
}

/// What the operations of a cell work on, in the memory of a backend.
struct places {
    execution where;
    const_image_view image, flags;         // grey; boolean
    image_view kept, grey_out, flags_out;  // kept: a marker, the image's opening
};

template <class T>
struct arrays {
    buffer<T> image, kept, out;
    buffer<std::uint8_t> flags;

    arrays(const execution& on, const std::vector<std::uint8_t>& grey) {
        const auto pixels = std::ssize(grey);
        const auto space = backend_of(on) == backend::cuda ? memory_space::device : memory_space::host;
        image = buffer<T>(pixels, space);
        kept = buffer<T>(pixels, space);
        out = buffer<T>(pixels, space);
        flags = buffer<std::uint8_t>(pixels, space);
        const std::vector<T> wide(grey.begin(), grey.end());
        std::vector<std::uint8_t> set(grey.size());
        for (std::size_t i = 0; i < set.size(); ++i) set[i] = grey[i] > 140;
        copy_bytes(on, image.data(), wide.data(), pixels * index_t{sizeof(T)});
        copy_bytes(on, flags.data(), set.data(), pixels);
    }
    [[nodiscard]] places at(const execution& on, const raster& shape) const {
        raster bytes = shape;
        bytes.type = pixel::boolean;
        bytes.pack();
        return {on,
                const_image_view(image.data(), shape),
                const_image_view(flags.data(), bytes),
                image_view(kept.data(), shape),
                image_view(out.data(), shape),
                image_view(out.data(), bytes)};
    }
};

using operation = std::function<void(const places&)>;

template <class T>
class cell {
public:
    cell(const raster& shape, dice& d, index_t box)
        : shape_(shape),
          box_(box),
          grey_(reconstruction::blots({1, shape.planes * shape.rows, shape.columns}, d.random())),
          host_(on_cpu{}, grey_),
          device_(on_cuda{}, grey_) {}

    void measure(const bench::csv_lines& out, std::uint64_t seed, int number, double rate) const {
        const auto pixels = static_cast<double>(shape_.pixels());
        /// size: bytes a pixel that a call reads and writes at least; contained: seconds of its
        /// reconstruction.
        const auto add = [&](const std::string& what, double size, double contained, const operation& call) {
            const places there = device_.at(on_cuda{}, shape_);
            const double seconds = timed([&] { call(there); });
            call(host_.at(on_cpu{}, shape_));
            if (!agrees()) throw error(what + " of " + text() + ": CUDA and the CPU differ");
            out.add(seed, number, what, name_of(shape_.type), text(), seconds, contained,
                    pixels * size / rate);
            return seconds;
        };
        constexpr double each = sizeof(T);
        const double maxima = add("h_maxima_transform", 2 * each, 0, [](const places& p) {
            (void)h_maxima_transform(p.where, p.image, 1, p.grey_out);
        });
        add("regional_maxima", each + 1, maxima,
            [](const places& p) { (void)regional_maxima(p.where, p.image, p.flags_out); });
        add("extended_maxima", each + 1, 2 * maxima,
            [](const places& p) { (void)extended_maxima(p.where, p.image, 20, p.flags_out); });
        const double holes = add("fill_holes", 2 * each, 0,
                                 [](const places& p) { (void)fill_holes(p.where, p.image, p.grey_out); });
        add("fill_depressions", 2 * each, holes,
            [](const places& p) { (void)fill_depressions(p.where, p.image, p.grey_out, {}); });
        const auto open = [&](const places& p, const image_view& to) {
            (void)opening_by_reconstruction(p.where, p.image, box_, to);
        };
        for (const places& p : {host_.at(on_cpu{}, shape_), device_.at(on_cuda{}, shape_)}) open(p, p.kept);
        const double given = add("reconstruct", 3 * each, 0, [](const places& p) {
            (void)reconstruct(p.where, p.kept, p.image, p.grey_out);
        });
        add("opening_by_reconstruction " + std::to_string(box_), 2 * each, given,
            [&](const places& p) { open(p, p.grey_out); });
        add("impose_minima", 2 * each + 1, given,
            [](const places& p) { (void)impose_minima(p.where, p.image, p.flags, p.grey_out); });
        const double objects = add("fill_holes of flags", 2, 0,
                                   [](const places& p) { (void)fill_holes(p.where, p.flags, p.flags_out); });
        add("hysteresis_threshold", each + 1, objects,
            [](const places& p) { (void)hysteresis_threshold(p.where, p.image, 120, 180, p.flags_out); });
        const pixel_position middle{shape_.planes / 2, shape_.rows / 2, shape_.columns / 2};
        add("select_objects", 2, objects, [&](const places& p) {
            (void)select_objects(p.where, p.flags, std::span(&middle, 1), p.flags_out);
        });
    }

private:
    [[nodiscard]] std::string text() const {
        return (shape_.rank == 3 ? std::to_string(shape_.planes) + " x " : "") + std::to_string(shape_.rows) +
               " x " + std::to_string(shape_.columns);
    }
    /// Both answers begin with the flags, where these are the answer; what lies behind them is older and
    /// equal.
    [[nodiscard]] bool agrees() const {
        std::vector<T> found(grey_.size());
        const index_t bytes = device_.out.size() * index_t{sizeof(T)};
        copy_bytes(on_cuda{}, found.data(), device_.out.data(), bytes);
        return std::memcmp(found.data(), host_.out.data(), static_cast<std::size_t>(bytes)) == 0;
    }

    raster shape_;
    index_t box_;
    std::vector<std::uint8_t> grey_;
    arrays<T> host_, device_;
};

raster draw_shape(dice& d, double most) {
    raster r;
    r.type = std::array{pixel::u8, pixel::u16, pixel::f32}[static_cast<std::size_t>(d.below(3))];
    r.rank = d.below(4) == 0 ? 3 : 2;
    const index_t pixels = d.size(256, most);
    r.columns = d.below(2) == 0 ? d.size(1, static_cast<double>(pixels))
                                : static_cast<index_t>(std::pow(pixels, 1.0 / r.rank));
    const index_t rest = std::max<index_t>(1, pixels / r.columns);
    r.rows = r.rank == 3 ? static_cast<index_t>(std::sqrt(static_cast<double>(rest))) : rest;
    if (r.rank == 3) r.planes = std::max<index_t>(1, rest / r.rows);
    r.pack();
    return r;
}

void measure_cell(const bench::csv_lines& out, std::uint64_t seed, int number, double most, double rate) {
    dice d{std::mt19937_64(seed * 1000003 + static_cast<std::uint64_t>(number))};
    const raster shape = draw_shape(d, most);
    const index_t flat = std::min(shape.rows, shape.columns);
    const index_t least = shape.rank == 3 ? std::min(flat, shape.planes) : flat;
    const index_t box = 1 + 2 * d.below(std::min<index_t>(16, (least + 1) / 2));
    const auto run = [&]<class T>() { cell<T>(shape, d, box).measure(out, seed, number, rate); };
    if (shape.type == pixel::u8) return run.operator()<std::uint8_t>();
    if (shape.type == pixel::u16) return run.operator()<std::uint16_t>();
    run.operator()<float>();
}

}  // namespace

int main(int count, char** words) {
    if (count < 3 || count > 5) {
        std::fprintf(stderr, "usage: images_cuda OUT.csv SECONDS [SEED [LARGEST_PIXELS]]\n");
        return 2;
    }
    try {
        const double seconds = std::atof(words[2]), most = count > 4 ? std::atof(words[4]) : 3e7;
        const std::uint64_t seed = count > 3 ? std::strtoull(words[3], nullptr, 10) : 1;
        const bench::csv_lines out(words[1], "seed,cell,operation,type,shape,seconds,contained,floor");
        const double rate = copy_rate(), start = now();
        std::printf("copies: %.2f TB/s\n", rate * 1e-12);
        for (int number = 0; now() - start < seconds; ++number) measure_cell(out, seed, number, most, rate);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "images_cuda: %s\n", e.what());
        return 1;
    }
}
