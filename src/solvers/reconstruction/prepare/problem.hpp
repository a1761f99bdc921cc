// problem - the steps before and after a reconstruction that no start_rule or finish_rule can express, and
// what they do with one pixel. Internal, not in wale::variants(). Every row of the table does every kind.
#pragma once

#include <cmath>
#include <span>

#include "solvers/reconstruction/problem.hpp"

namespace wale::reconstruction {

/// T is the type of `image`; v a value of it; lowest and highest the ends of T, infinite for floats
/// (lowest_key<T>() and its mirror). Booleans count as bytes unless stated.
enum class preparation {
    /// Before fill_depressions, for a reconstruction by erosion. marker, mask: T; outlet_rule below.
    ///     mask   = is_outlet(v) ? lowest : v
    ///     marker = is_outlet(v) || at_border ? mask : highest
    drain,
    /// After it: marker = v where is_outlet(v); elsewhere marker stays as it is.
    restore,
    /// Before impose_minima, for a reconstruction by erosion. minima: boolean; marker, mask: T.
    ///     mask   = minima ? lowest : successor(v)
    ///     marker = minima ? lowest : highest
    impose,
    /// marker = v > high, mask = v > low; NaN is above nothing. marker and mask are both boolean or both bit.
    /// Bits beyond the last column become 0, or of marker keep their value: see keep_padding.
    threshold,
    /// marker (boolean) = the bits of image (bit).
    widen,
    /// marker (boolean or bit) = 1 at each of `points`, 0 elsewhere; bits beyond the last column keep their
    /// value. No image, but marker gives the shape;
    /// one image; the points lie in it, may repeat, and are in host memory for this call only.
    points,
    /// marker (T) = the smallest v (`largest`: the largest) of the box of `size` pixels a side round the
    /// pixel,
    /// cut at the ends of its image: size x size, or size x size x size in rank 3. size is odd; any type
    /// but
    /// bit.
    box,
    /// For each image of the batch by itself: if all its pixels are equal, marker (boolean) = 0; else
    /// marker
    /// stays as it is.
    clear_constant,
    /// job.area = how many pixels of image (boolean or bit) are set: waits for the device.
    area
};

/// All images of a call. Same shape; strides differ. Nothing overlaps. Any extent may be 0.
struct prepare_job {
    execution where{};
    preparation kind = preparation::drain;
    const_image_view image{};
    const_image_view minima{};  // impose
    image_view marker{};
    image_view mask{};  // drain, impose, threshold
    bool has_no_data = false;
    double no_data = 0;  // drain, restore: a number; for f32 rounded to it (outlet_rule)
    double low = 0;      // threshold: numbers; for f32 rounded to it (above_rule)
    double high = 0;
    /// threshold: bits of marker beyond the last column keep their value, as those of a caller's image must.
    bool keep_padding = false;
    index_t size = 1;      // box
    bool largest = false;  // box
    std::span<const pixel_position> points{};
    /// CUDA: queue only: no timer, no wait but for many points. Never with area. Scratch of a row in stream
    /// order.
    bool asynchronous = false;
    // Out.
    index_t area = 0;
    double seconds = 0;  // as report::compute_seconds
};

using prepare_table = catalogue::table<prepare_job>;

[[nodiscard]] prepare_table& prepare_rows();

/// Runs the job on the backend of `where`, on the CPU for the reference, and adds its time to `run`.
void prepare(prepare_job& job, report& run);

/// The upper end of the type; infinity for floats.
template <class T>
WALE_HD constexpr T highest_key() {
    return mirrored(lowest_key<T>());
}

/// The next higher value, or the highest itself.
template <class T>
WALE_HD constexpr T successor(T v) {
    return mirrored(predecessor(mirrored(v)));
}

/// The first `count` bits of `word`, 1 to 32, and those of `before` beyond: the last word of a row holds bits
/// beyond the last column, which keep their value.
WALE_HD constexpr std::uint32_t with_padding(std::uint32_t word, std::uint32_t before, index_t count) {
    const std::uint32_t pixels = ~std::uint32_t{0} >> (32 - count);
    return (word & pixels) | (before & ~pixels);
}

/// preparation::drain and restore. no_data as a T, so that no kernel compares doubles.
template <class T>
struct outlet_rule {
    bool has_no_data = false;  // and T has this value
    T no_data{};

    explicit outlet_rule(const prepare_job& job) {
        if (!job.has_no_data) return;
        if constexpr (std::is_floating_point_v<T>) {
            has_no_data = true;
            no_data = static_cast<T>(job.no_data);
        } else {
            has_no_data = job.no_data == std::floor(job.no_data) &&
                          job.no_data >= static_cast<double>(std::numeric_limits<T>::min()) &&
                          job.no_data <= static_cast<double>(std::numeric_limits<T>::max());
            if (has_no_data) no_data = static_cast<T>(job.no_data);
        }
    }
    [[nodiscard]] WALE_HD bool is_outlet(T v) const {
        bool outlet = has_no_data && v == no_data;
        if constexpr (std::is_floating_point_v<T>) outlet = outlet || v != v;
        return outlet;
    }
    /// A neighbour of an outlet can keep its height, as a border cell can.
    [[nodiscard]] WALE_HD T mask(T v) const { return is_outlet(v) ? lowest_key<T>() : v; }
    [[nodiscard]] WALE_HD T marker(T v, bool at_border) const {
        return at_border || is_outlet(v) ? mask(v) : highest_key<T>();
    }
};

/// preparation::threshold: v > threshold as v > limit or always, so that no kernel compares doubles.
template <class T>
struct above_rule {
    bool always = false;
    T limit{};

    explicit above_rule(double threshold) {
        if constexpr (std::is_floating_point_v<T>) {
            limit = static_cast<T>(threshold);
        } else {
            const double low = static_cast<double>(std::numeric_limits<T>::min());
            const double high = static_cast<double>(std::numeric_limits<T>::max());
            always = threshold < low;
            limit = always              ? std::numeric_limits<T>::min()
                    : threshold >= high ? std::numeric_limits<T>::max()
                                        : static_cast<T>(std::floor(threshold));
        }
    }
    [[nodiscard]] WALE_HD bool operator()(T v) const { return always || v > limit; }
};

}  // namespace wale::reconstruction
