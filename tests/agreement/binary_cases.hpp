// binary_cases - binary images for the bits rows of both backends, stored as words and as bytes with
// rubbish around them, and what the reference makes of them.
#pragma once

#include <cstdint>
#include <random>
#include <wale/buffer.hpp>

#include "solvers/reconstruction/jobs.hpp"
#include "solvers/reconstruction/study/inputs.hpp"

namespace wale::reconstruction {

using bytes = std::vector<std::uint8_t>;

struct binary_case {
    bytes mask, marker;  // 0 and 1, images one after the other
    image_size size;
    int rank = 2, reach = 2;
    index_t images = 1;
    index_t gap = 1;  // elements between rows
    reconstruction_method method = reconstruction_method::dilation;
    start_rule start = start_rule::given;
    finish_rule finish = finish_rule::value;
};

/// Pixels of a case, or an answer's place, in the memory that `where` computes in.
class stored {
public:
    stored(const binary_case& c, pixel type, const bytes& from) {
        shape_.type = type;
        shape_.rank = c.rank;
        shape_.images = c.images;
        shape_.planes = c.size.planes;
        shape_.rows = c.size.rows;
        shape_.columns = c.size.columns;
        shape_.row_stride = shape_.row_elements() + c.gap;
        shape_.plane_stride = shape_.rows * shape_.row_stride;
        shape_.image_stride = shape_.planes * shape_.plane_stride;
        content_.assign(static_cast<std::size_t>(shape_.images * shape_.image_stride * bytes_of(type)),
                        0xa5);
        std::size_t k = 0;
        for (index_t line = 0; line < shape_.images * shape_.planes * shape_.rows; ++line)
            for (index_t column = 0; column < shape_.columns && k < from.size(); ++column)
                put(line * shape_.row_stride, column, from[k++]);
    }
    [[nodiscard]] const raster& shape() const { return shape_; }
    [[nodiscard]] bytes& content() { return content_; }
    [[nodiscard]] const bytes& content() const { return content_; }

private:
    void put(index_t offset, index_t column, std::uint8_t value) {
        if (shape_.type != pixel::bit) {
            content_[static_cast<std::size_t>(offset + column)] = value;
            return;
        }
        std::uint8_t& byte = content_[static_cast<std::size_t>(4 * offset + column / 8)];
        const auto bit = static_cast<std::uint8_t>(1 << column % 8);
        byte = static_cast<std::uint8_t>(value != 0 ? byte | bit : byte & ~bit);
    }
    raster shape_;
    bytes content_;
};

/// The answer with all that lies around it, which no row may touch.
inline bytes computed(const binary_case& c, pixel type, const execution& where, const char* variant,
                      bool in_place = false, reconstruction_result* result = nullptr) {
    const stored mask(c, type, c.mask), marker(c, type, c.marker);
    stored out(c, type, in_place ? c.marker : bytes());
    using view = std::span<const std::uint8_t>;
    const auto at_mask = to_device(where, view(mask.content()));
    const auto at_marker = to_device(where, view(marker.content()));
    const auto at_out = to_device(where, view(out.content()));
    reconstruction_result unread;
    reconstruct_job job;
    job.where = where;
    job.mask = {at_mask.data(), mask.shape()};
    if (c.start == start_rule::given)
        job.marker = {in_place ? at_out.data() : at_marker.data(), marker.shape()};
    job.out = image_view(at_out.data(), out.shape());
    job.method = c.method;
    job.reach = c.reach;
    job.start = c.start;
    job.height = 1;
    job.finish = c.finish;
    job.result = result != nullptr ? result : &unread;
    select(reconstruct_rows(), backend_of(where), variant, job).run(job);
    copy_bytes(where, out.content().data(), at_out.data(), static_cast<index_t>(out.content().size()));
    return out.content();
}

inline bytes random_bits(index_t count, double share, std::mt19937& random) {
    std::bernoulli_distribution one(share);
    bytes b;
    for (index_t k = 0; k < count; ++k) b.push_back(one(random) ? 1 : 0);
    return b;
}

inline bytes ones_of(bytes grey) {
    for (std::uint8_t& v : grey) v = v != 0 ? 1 : 0;
    return grey;
}

/// Calls check(case) for every method, start, finish and kind of neighbour that bits can do.
template <class F>
void for_each_rule(binary_case c, const F& check) {
    for (c.reach = 1; c.reach <= c.rank; ++c.reach)
        for (const auto method : {reconstruction_method::dilation, reconstruction_method::erosion})
            for (const auto finish : {finish_rule::value, finish_rule::residue, finish_rule::flag})
                for (const auto start :
                     {start_rule::given, start_rule::border, start_rule::predecessor, start_rule::lowered}) {
                    const bool below = start == start_rule::lowered || start == start_rule::predecessor;
                    if (method == reconstruction_method::erosion && below) continue;
                    c.method = method;
                    c.finish = finish;
                    c.start = start;
                    check(c);
                }
}

/// All images of 3 x 3 with marker <= mask, as one batch.
inline binary_case every_three_by_three(int reach) {
    binary_case c;
    c.size = {1, 3, 3};
    c.reach = reach;
    c.images = 0;
    for (unsigned mask = 0; mask < 512; ++mask)
        for (unsigned marker = mask;; marker = (marker - 1) & mask) {
            for (unsigned bit = 0; bit < 9; ++bit) {
                c.mask.push_back(mask >> bit & 1);
                c.marker.push_back(marker >> bit & 1);
            }
            ++c.images;
            if (marker == 0) break;
        }
    return c;
}

inline bytes transposed(const bytes& from, index_t side) {
    bytes to(from.size());
    for (index_t r = 0; r < side; ++r)
        for (index_t q = 0; q < side; ++q)
            to[static_cast<std::size_t>(q * side + r)] = from[static_cast<std::size_t>(r * side + q)];
    return to;
}

/// Calls check(case) for corridors through a square, there and back in rows and in columns.
template <class F>
void for_each_corridor(index_t side, const F& check) {
    const image_size size{1, side, side};
    for (const bytes& mask : {serpentine(size), spiral(size), comb(size), checkerboard(size),
                              hilbert_corridor(size), percolation(size, 60, 3)}) {
        binary_case c;
        c.size = size;
        c.mask = ones_of(mask);
        c.marker = ones_of(corner_marker(mask));
        for (c.reach = 1; c.reach <= 2; ++c.reach) check(c);
        c.mask = transposed(c.mask, side);
        for (c.reach = 1; c.reach <= 2; ++c.reach) check(c);
    }
}

}  // namespace wale::reconstruction
