// rules - one pixel of a preparation, for every backend.
#pragma once

#include <cmath>

#include "solvers/reconstruction/prepare/prepare.hpp"
#include "solvers/reconstruction/problem.hpp"

namespace wale::reconstruction {

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
