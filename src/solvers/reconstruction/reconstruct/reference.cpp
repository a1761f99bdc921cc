// reference - defines the result: every pixel takes the least of its mask and its largest neighbour, in
// raster order and back, until nothing changes. Read this first.
#include <vector>

#include "cpu/poll.hpp"
#include "solvers/reconstruction/problem.hpp"

namespace wale::reconstruction {
namespace {

/// One image of keys, packed: mask I and rising J.
template <class T>
struct keys {
    index_t planes, rows, columns;
    std::vector<T> mask, rising;
    [[nodiscard]] std::size_t at(index_t plane, index_t row, index_t column) const {
        return static_cast<std::size_t>((plane * rows + row) * columns + column);
    }
};

/// Calls f(plane, row, column) for every pixel in raster order.
template <class F>
void for_each_pixel(const raster& r, const F& f) {
    for (index_t plane = 0; plane < r.planes; ++plane)
        for (index_t row = 0; row < r.rows; ++row) {
            cpu::poll();
            for (index_t column = 0; column < r.columns; ++column) f(plane, row, column);
        }
}

bool pixel_of_words(const std::uint32_t* row, index_t column) {
    return row[column / 32] >> column % 32 & 1;
}

template <class T>
T load(const raster& r, const void* data, index_t image, index_t plane, index_t row, index_t column) {
    const index_t start = r.offset(image, plane, row);
    if (r.type == pixel::bit)
        return static_cast<T>(pixel_of_words(static_cast<const std::uint32_t*>(data) + start, column) ? 1
                                                                                                      : 0);
    return static_cast<const T*>(data)[start + column];
}

template <class T>
void store(const image_view& p, index_t offset, index_t column, T value) {
    if (p.type == pixel::bit) {
        std::uint32_t& word = static_cast<std::uint32_t*>(p.data)[offset + column / 32];
        const std::uint32_t bit = std::uint32_t{1} << column % 32;
        word = value & 1 ? word | bit : word & ~bit;
    } else {
        static_cast<T*>(p.data)[offset + column] = value;
    }
}
template <>
void store(const image_view& p, index_t offset, index_t column, float value) {
    static_cast<float*>(p.data)[offset + column] = value;
}
template <>
void store(const image_view& p, index_t offset, index_t column, double value) {
    static_cast<double*>(p.data)[offset + column] = value;
}

template <class T>
keys<T> start(const reconstruct_job& job, const recipe<T>& rule, index_t image) {
    const const_image_view& mask = job.mask;
    keys<T> k{mask.planes, mask.rows, mask.columns, {}, {}};
    for_each_pixel(mask, [&](index_t plane, index_t row, index_t column) {
        const T under = rule.key(load<T>(mask, mask.data, image, plane, row, column));
        const T given = job.start == start_rule::given
                            ? load<T>(job.marker, job.marker.data, image, plane, row, column)
                            : T{};
        k.mask.push_back(under);
        k.rising.push_back(rule.marker(under, given, at_border(mask, plane, row, column)));
    });
    return k;
}

template <class T>
T largest_neighbour(const keys<T>& k, const reconstruct_job& job, index_t plane, index_t row,
                    index_t column) {
    T largest = k.rising[k.at(plane, row, column)];
    for_each_neighbour(job.mask.rank, job.reach, [&](step s) {
        const index_t p = plane + s.plane, r = row + s.row, c = column + s.column;
        if (p >= 0 && p < k.planes && r >= 0 && r < k.rows && c >= 0 && c < k.columns)
            largest = larger(largest, k.rising[k.at(p, r, c)]);
    });
    return largest;
}

/// One pass there and one back; whether anything rose.
template <class T>
bool sweep(keys<T>& k, const reconstruct_job& job) {
    bool rose = false;
    const auto raise = [&](index_t plane, index_t row, index_t column) {
        const std::size_t at = k.at(plane, row, column);
        const T risen = smaller(k.mask[at], largest_neighbour(k, job, plane, row, column));
        rose = rose || k.rising[at] < risen;
        k.rising[at] = risen;
    };
    for_each_pixel(job.mask, raise);
    for_each_pixel(job.mask, [&](index_t plane, index_t row, index_t column) {
        raise(k.planes - 1 - plane, k.rows - 1 - row, k.columns - 1 - column);
    });
    return rose;
}

template <class T>
void finish(const keys<T>& k, const reconstruct_job& job, const recipe<T>& rule, index_t image) {
    for_each_pixel(job.mask, [&](index_t plane, index_t row, index_t column) {
        const std::size_t at = k.at(plane, row, column);
        const index_t offset = job.out.offset(image, plane, row);
        if (job.finish == finish_rule::flag)
            store<std::uint8_t>(job.out, offset, column, k.rising[at] < k.mask[at] ? 1 : 0);
        else
            store<T>(job.out, offset, column, rule.finished(k.rising[at], k.mask[at]));
    });
}

template <class T>
void reconstruct_all(reconstruct_job& job) {
    const recipe<T> rule(job);
    for (index_t image = 0; image < job.mask.images; ++image) {
        keys<T> k = start(job, rule, image);
        index_t sweeps = 2;
        while (sweep(k, job)) sweeps += 2;
        job.result->run.iterations = larger(job.result->run.iterations, sweeps);
        finish(k, job, rule, image);
    }
}

void run(reconstruct_job& job) {
    if (job.mask.type == pixel::bit) return reconstruct_all<std::uint8_t>(job);
    visit(job.mask.type, [&]<class T>() { reconstruct_all<T>(job); });
}

}  // namespace

extern constinit const catalogue::row<reconstruct_job> reconstruct_reference_plain{
    "reference/plain", "raster order and back until nothing changes: the reference", run};

}  // namespace wale::reconstruction
