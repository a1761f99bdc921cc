// box - the least (or largest) value of a box round each pixel, one axis after the other. A window of w is
// two windows of the largest power of two below, which are made by doubling: every step runs along rows, so
// that it is the same few vector instructions for any w.
#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "solvers/reconstruction/prepare/cpu/lines/lines.hpp"
#include "solvers/reconstruction/problem.hpp"

namespace wale::reconstruction {
namespace {

template <class T, bool Largest>
T extreme(T a, T b) {
    if constexpr (Largest)
        return larger(a, b);
    else
        return smaller(a, b);
}

/// `count` lines of `width` elements with `pad` neutral lines before and after them: line i becomes the
/// extreme of lines i .. i + window - 1.
template <class T, bool Largest>
void slide(T* lines, index_t count, index_t width, index_t window) {
    const index_t whole = static_cast<index_t>(std::bit_floor(static_cast<std::uint64_t>(window)));
    index_t valid = (count + window - 1) * width;  // elements
    const auto join = [&](index_t distance) {
        valid -= distance * width;
        const T* ahead = lines + distance * width;
        for (index_t i = 0; i < valid; ++i) lines[i] = extreme<T, Largest>(lines[i], ahead[i]);
    };
    for (index_t half = 1; half < whole; half *= 2) join(half);
    join(window - whole);
}

/// Lines of one axis: `count` of them, `stride` elements apart.
struct axis {
    index_t count, stride_from, stride_to;
};

/// A strip of `width` columns through all lines of an axis; from and to may be the same memory.
template <class T, bool Largest>
void filter_strip(const T* from, T* to, const axis& a, index_t width, index_t window, std::vector<T>& lines) {
    const T neutral = Largest ? lowest_key<T>() : mirrored(lowest_key<T>());
    const index_t radius = window / 2;
    lines.assign(static_cast<std::size_t>((a.count + 2 * radius) * width), neutral);
    const auto bytes = static_cast<std::size_t>(width) * sizeof(T);
    for (index_t i = 0; i < a.count; ++i)
        std::memcpy(lines.data() + (i + radius) * width, from + i * a.stride_from, bytes);
    slide<T, Largest>(lines.data(), a.count, width, window);
    for (index_t i = 0; i < a.count; ++i) std::memcpy(to + i * a.stride_to, lines.data() + i * width, bytes);
}

/// Along rows: a row is an axis of single elements.
template <class T, bool Largest>
void filter_row(const T* from, T* to, index_t columns, index_t window, std::vector<T>& lines) {
    const T neutral = Largest ? lowest_key<T>() : mirrored(lowest_key<T>());
    const index_t radius = window / 2;
    lines.assign(static_cast<std::size_t>(columns + 2 * radius), neutral);
    const auto bytes = static_cast<std::size_t>(columns) * sizeof(T);
    std::memcpy(lines.data() + radius, from, bytes);
    slide<T, Largest>(lines.data(), columns, 1, window);
    std::memcpy(to, lines.data(), bytes);
}

template <class T, bool Largest>
struct box_filter {
    const prepare_job& job;
    const const_image_view& image = job.image;
    const image_view& out = job.marker;
    int threads = host_threads(job.where, image.pixels());

    [[nodiscard]] const T* from(index_t item, index_t plane, index_t row) const {
        return static_cast<const T*>(image.data) + image.offset(item, plane, row);
    }
    [[nodiscard]] T* to(index_t item, index_t plane, index_t row) const {
        return static_cast<T*>(out.data) + out.offset(item, plane, row);
    }

    void along_rows() const {
        cpu::run_team(threads, [&](int rank) {
            std::vector<T> lines;
            const index_t rows = image.images * image.planes * image.rows;
            for (index_t i = rows * rank / threads; i < rows * (rank + 1) / threads; ++i, cpu::poll()) {
                const index_t row = i % image.rows, plane = i / image.rows % image.planes;
                const index_t item = i / image.rows / image.planes;
                filter_row<T, Largest>(from(item, plane, row), to(item, plane, row), image.columns, job.size,
                                       lines);
            }
        });
    }

    /// In place in `out`: down the columns of each plane, or through the planes at each row.
    void across(bool planes) const {
        const axis a = planes ? axis{image.planes, out.plane_stride, out.plane_stride}
                              : axis{image.rows, out.row_stride, out.row_stride};
        const index_t outer = planes ? image.rows : image.planes;
        const preparing_policy& policy = chosen_preparing();
        const index_t width = std::max(policy.strip_bytes / (a.count + job.size), policy.line_bytes) /
                              static_cast<index_t>(sizeof(T));
        const index_t strips = (image.columns + width - 1) / width;
        cpu::run_team(threads, [&](int rank) {
            std::vector<T> lines;
            const index_t tasks = image.images * outer * strips;
            for (index_t i = tasks * rank / threads; i < tasks * (rank + 1) / threads; ++i, cpu::poll()) {
                const index_t column = i % strips * width, o = i / strips % outer;
                T* strip = to(i / strips / outer, planes ? 0 : o, planes ? o : 0) + column;
                filter_strip<T, Largest>(strip, strip, a, std::min(width, image.columns - column), job.size,
                                         lines);
            }
        });
    }

    void run() const {
        along_rows();
        across(false);
        if (image.rank == 3) across(true);
    }
};

}  // namespace

void prepare_box(prepare_job& job) {
    if (job.image.pixels() == 0) return;
    visit(job.image.type, [&]<class T>() {
        if (job.largest)
            box_filter<T, true>{job}.run();
        else
            box_filter<T, false>{job}.run();
    });
}

}  // namespace wale::reconstruction
