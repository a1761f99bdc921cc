// lines - the host row of the preparations: one pass over the rows, shared by threads.
#include <algorithm>
#include <numeric>
#include <vector>

#include "solvers/reconstruction/prepare/cpu/lines/lines.hpp"
#include "solvers/reconstruction/prepare/problem.hpp"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/shared/eight_flags.hpp"

namespace wale::reconstruction {
namespace {

/// A row of an image of a batch.
struct place {
    index_t item, plane, row;
};

template <class T>
const T* row_of(const const_image_view& p, place at) {
    return static_cast<const T*>(p.data) + p.offset(at.item, at.plane, at.row);
}
template <class T>
T* row_of(const image_view& p, place at) {
    return static_cast<T*>(p.data) + p.offset(at.item, at.plane, at.row);
}

/// Calls f(place) for every row of every image, on the threads that the job may use.
template <class F>
void for_each_row(const execution& where, const raster& r, const F& f) {
    if (r.pixels() == 0) return;
    share(host_threads(where, r.pixels()), r.images * r.planes * r.rows, [&](index_t i) {
        f(place{i / r.rows / r.planes, i / r.rows % r.planes, i % r.rows});
    });
}

template <class T>
void drain(const prepare_job& job) {
    const outlet_rule<T> shared(job);
    const raster& r = job.image;
    for_each_row(job.where, r, [&](place at) {
        const outlet_rule<T> rule = shared;  // bytes may alias what is captured by reference
        const index_t columns = r.columns;
        const T* v = row_of<T>(job.image, at);
        T* marker = row_of<T>(job.marker, at);
        T* mask = row_of<T>(job.mask, at);
        const bool outer = at_border(r, at.plane, at.row, r.columns / 2);
        for (index_t c = 0; c < columns; ++c) {
            const T value = v[c];
            mask[c] = rule.mask(value);
            marker[c] = rule.marker(value, outer);
        }
        for (const index_t c : {index_t{0}, columns - 1}) marker[c] = rule.marker(v[c], true);
    });
}

template <class T>
void restore(const prepare_job& job) {
    const outlet_rule<T> shared(job);
    for_each_row(job.where, job.image, [&](place at) {
        const outlet_rule<T> rule = shared;
        const index_t columns = job.image.columns;
        const T* v = row_of<T>(job.image, at);
        T* out = row_of<T>(job.marker, at);
        for (index_t c = 0; c < columns; ++c) out[c] = rule.is_outlet(v[c]) ? v[c] : out[c];
    });
}

template <class T>
void impose(const prepare_job& job) {
    for_each_row(job.where, job.image, [&](place at) {
        const T* v = row_of<T>(job.image, at);
        const auto* minimum = row_of<std::uint8_t>(job.minima, at);
        T* marker = row_of<T>(job.marker, at);
        T* mask = row_of<T>(job.mask, at);
        const index_t columns = job.image.columns;
        for (index_t c = 0; c < columns; ++c) {
            const bool wanted = minimum[c] != 0;
            const T lifted = successor(v[c]);
            mask[c] = wanted ? lowest_key<T>() : lifted;
            marker[c] = wanted ? lowest_key<T>() : highest_key<T>();
        }
    });
}

/// Up to 32 flags of 0 or 1 as a word, the first in bit 0.
std::uint32_t packed(const std::uint8_t* flags) {
    std::uint32_t word = 0;
    for (int byte = 0; byte < 4; ++byte) {
        std::uint64_t eight = 0;
        for (int k = 0; k < 8; ++k) eight |= std::uint64_t{flags[8 * byte + k]} << 8 * k;
        word |= std::uint32_t{bits_of_flags(eight)} << 8 * byte;
    }
    return word;
}

template <class T>
void flag_row(const T* v, index_t count, const above_rule<T>& above, std::uint8_t* flags) {
    for (index_t c = 0; c < count; ++c) flags[c] = above(v[c]) ? 1 : 0;
}

template <class T>
void threshold_row(const T* v, const above_rule<T>& above, const image_view& to, place at,
                   bool keep_padding) {
    const index_t columns = to.columns;
    if (to.type == pixel::boolean) return flag_row(v, columns, above, row_of<std::uint8_t>(to, at));
    std::uint32_t* words = row_of<std::uint32_t>(to, at);
    for (index_t c = 0; c < columns; c += 32) {
        std::uint8_t flags[32] = {};
        const index_t count = std::min<index_t>(32, columns - c);
        flag_row(v + c, count, above, flags);
        words[c / 32] = with_padding(packed(flags), keep_padding ? words[c / 32] : 0, count);
    }
}

template <class T>
void threshold(const prepare_job& job) {
    const above_rule<T> high(job.high), low(job.low);
    for_each_row(job.where, job.image, [&](place at) {
        const T* v = row_of<T>(job.image, at);
        threshold_row(v, high, job.marker, at, job.keep_padding);
        threshold_row(v, low, job.mask, at, false);
    });
}

void widen(const prepare_job& job) {
    for_each_row(job.where, job.image, [&](place at) {
        const auto* words = row_of<std::uint32_t>(job.image, at);
        auto* flags = row_of<std::uint8_t>(job.marker, at);
        const index_t columns = job.image.columns, whole = columns / 8 * 8;
        for (index_t c = 0; c < whole; c += 8) {
            const std::uint64_t eight = flags_of_bits(static_cast<std::uint8_t>(words[c / 32] >> c % 32));
            for (int k = 0; k < 8; ++k) flags[c + k] = static_cast<std::uint8_t>(eight >> 8 * k);
        }
        for (index_t c = whole; c < columns; ++c) flags[c] = words[c / 32] >> c % 32 & 1;
    });
}

void set_points(const prepare_job& job) {
    const bool bits = job.marker.type == pixel::bit;
    const index_t columns = job.marker.columns;
    for_each_row(job.where, job.marker, [&](place at) {
        if (!bits) {
            std::fill_n(row_of<std::uint8_t>(job.marker, at), columns, std::uint8_t{0});
            return;
        }
        std::uint32_t* words = row_of<std::uint32_t>(job.marker, at);
        std::uint32_t& last = *std::fill_n(words, (columns - 1) / 32, std::uint32_t{0});
        last = with_padding(0, last, (columns - 1) % 32 + 1);
    });
    for (const pixel_position& p : job.points) {
        const place at{0, p.plane, p.row};
        if (bits)
            row_of<std::uint32_t>(job.marker, at)[p.column / 32] |= std::uint32_t{1} << p.column % 32;
        else
            row_of<std::uint8_t>(job.marker, at)[p.column] = 1;
    }
}

template <class T>
bool is_constant(const const_image_view& image, index_t item) {
    const T first = *row_of<T>(image, {item, 0, 0});
    for (index_t plane = 0; plane < image.planes; ++plane)
        for (index_t row = 0; row < image.rows; ++row) {
            const T* v = row_of<T>(image, {item, plane, row});
            if (!std::all_of(v, v + image.columns, [&](T value) { return value == first; })) return false;
        }
    return true;
}

template <class T>
void clear_constant(const prepare_job& job) {
    if (job.image.pixels() == 0) return;
    for (index_t item = 0; item < job.image.images; ++item) {
        if (!is_constant<T>(job.image, item)) continue;
        for (index_t plane = 0; plane < job.image.planes; ++plane)
            for (index_t row = 0; row < job.image.rows; ++row)
                std::fill_n(row_of<std::uint8_t>(job.marker, {item, plane, row}), job.image.columns,
                            std::uint8_t{0});
    }
}

index_t area_of_row(const const_image_view& image, place at) {
    index_t area = 0;
    if (image.type == pixel::boolean) {
        const auto* flags = row_of<std::uint8_t>(image, at);
        for (index_t c = 0; c < image.columns; ++c) area += flags[c] != 0;
        return area;
    }
    const auto* words = row_of<std::uint32_t>(image, at);
    for (index_t c = 0; c < image.columns; c += 32) {
        const index_t valid = std::min<index_t>(32, image.columns - c);
        area += std::popcount(words[c / 32] & (~std::uint32_t{0} >> (32 - valid)));
    }
    return area;
}

void measure_area(prepare_job& job) {
    std::vector<index_t> rows(static_cast<std::size_t>(job.image.images * job.image.planes * job.image.rows),
                              0);
    for_each_row(job.where, job.image, [&](place at) {
        const index_t i = (at.item * job.image.planes + at.plane) * job.image.rows + at.row;
        rows[static_cast<std::size_t>(i)] = area_of_row(job.image, at);
    });
    job.area = std::accumulate(rows.begin(), rows.end(), index_t{0});
}

void run(prepare_job& job) {
    switch (job.kind) {
        case preparation::drain:
            return visit(job.image.type, [&]<class T>() { drain<T>(job); });
        case preparation::restore:
            return visit(job.image.type, [&]<class T>() { restore<T>(job); });
        case preparation::impose:
            return visit(job.image.type, [&]<class T>() { impose<T>(job); });
        case preparation::threshold:
            return visit(job.image.type, [&]<class T>() { threshold<T>(job); });
        case preparation::clear_constant:
            return visit(job.image.type, [&]<class T>() { clear_constant<T>(job); });
        case preparation::widen:
            return widen(job);
        case preparation::points:
            return set_points(job);
        case preparation::box:
            return prepare_box(job);
        case preparation::area:
            return measure_area(job);
    }
}

}  // namespace

extern constinit const catalogue::row<prepare_job> prepare_cpu_lines{
    "cpu/lines", "one pass over the lines, shared by threads", run};

}  // namespace wale::reconstruction
