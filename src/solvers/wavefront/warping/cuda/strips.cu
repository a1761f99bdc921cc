// strips - the path of one pair: its table is swept in strips of rows by ticket, which keep some rows and
// columns, and the host computes again what lies between those that the path crosses.
#include <algorithm>
#include <string>

#include "solvers/wavefront/warping/shared/kept_blocks.hpp"
#include "solvers/wavefront/warping/shared/measures.cuh"
#include "solvers/wavefront/warping/shared/sweeper.cuh"

namespace wale::wavefront {
namespace {

using namespace warping;

std::string refusal(const warping_path_job& job) {
    if (job.gradient != nullptr) return "gives paths, not gradients";
    if (std::max(job.a.size, job.b.size) > most_points) return "needs series of fewer than 2^30 points";
    return "";
}

/// How many strips and tiles lie between two lines: as few as there is memory for, and not less than the host
/// computes in the time of a copy.
struct spacing_of_lines {
    index_t strips, tiles;
    spacing_of_lines(index_t rows, index_t columns, const sweep_policy& p, int element_bytes) {
        std::size_t available = 0, all = 0;
        cuda::check(cudaMemGetInfo(&available, &all));
        const double cells = static_cast<double>(rows) * static_cast<double>(columns);
        const double room = std::max(static_cast<double>(available) * kept_share, 1e6);
        const auto asked = static_cast<index_t>(
            tuning::overridden("wavefront/warping/lines", std::size_t{1} << 20, least_line_step));
        const index_t apart =
            std::max(std::max<index_t>(asked, 1), static_cast<index_t>(2 * cells * element_bytes / room) + 1);
        strips = base::ceil_div(apart, index_t{warp_size} * p.rows);
        tiles = std::max<index_t>(
            2, base::ceil_div(apart, index_t{p.columns}));  // more than before the first point
    }
};

/// The lines on the device; offset: columns before the first point.
template <class T>
struct lines_of_device {
    const cuda::context& c;
    kept_lines<T> kept;
    index_t offset, tile;
    void row(index_t block, index_t j, index_t count, T* to) const {
        copy(kept.rows + (block - 1) * kept.row_pitch + j + offset, count, to);
    }
    void column(index_t block, index_t i, index_t count, T* to) const {
        copy(kept.columns + (block - 1) * kept.column_pitch + i, count, to);
    }
    void copy(const T* from, index_t count, T* to) const {
        cuda::read_back(c, to, from, static_cast<std::size_t>(count) * sizeof(T));
    }
};

template <class Cell, bool One>
void sweep_and_walk(const cuda::context& c, warping_path_job& job, const Cell& cell) {
    using T = typename Cell::number;
    const index_t m = job.a.size, n = job.b.size, a_offsets[] = {0, m}, b_offsets[] = {0, n};
    const index_t dimensions = job.measure.dimensions;
    const device_side<T> a(c, "a", {job.a.data, a_offsets}, 1, dimensions);
    const device_side<T> b(c, "b", {job.b.data, b_offsets}, 1, dimensions);
    const sweep_work work{1,
                          static_cast<double>(m),
                          static_cast<double>(n),
                          static_cast<double>(m),
                          static_cast<double>(n),
                          job.measure.window,
                          sizeof(T),
                          c.multiprocessors()};
    const std::vector<index_t> one{0};
    sweeper<Cell, One> all(c, cell, a, b, one, one, job.measure.window, shape_for<One>(work));
    const sweep_policy& p = all.policy();
    const spacing_of_lines spacing(m, n, p, sizeof(T));
    const index_t height = index_t{warp_size} * p.rows, pitch = base::round_up(n + 1, index_t{p.columns});
    const index_t strips = base::ceil_div(m, height), tiles = pitch / p.columns;
    kept_lines<T> kept;
    kept.row_step = static_cast<int>(std::min(spacing.strips, strips));
    kept.column_step = static_cast<int>(std::min(spacing.tiles, tiles));
    kept.row_pitch = pitch;
    kept.column_pitch = strips * height;
    const cuda::scratch<T> rows(c, (strips - 1) / kept.row_step * pitch, "the rows kept for the path");
    const cuda::scratch<T> columns(c, tiles / kept.column_step * kept.column_pitch,
                                   "the columns kept for the path");
    const cuda::scratch<T> answer(c, 1);
    kept.rows = rows.data();
    kept.columns = columns.data();
    all.add(0, 0, answer.data(), nullptr);
    all.flush(kept);
    T cost = 0;
    answer.to_host(&cost);
    job.cost = cost;
    const series_pair<T> pair(job);
    const index_t between = index_t{kept.column_step} * p.columns;
    kept_blocks<T, lines_of_device<T>> cells(pair, {kept.row_step * height, between, between - (pitch - n)},
                                             {c, kept, pitch - n, p.columns});
    path_backward<T>(job).strip(0, [&](index_t i, index_t j) { return cells(i, j); });
    job.run->bytes =
        all.bytes() + static_cast<double>(sizeof(T)) * static_cast<double>(rows.size() + columns.size());
    job.run->policy = "strip=" + std::to_string(height) + " block=" + std::to_string(kept.row_step * height) +
                      "x" + std::to_string(between);
}

void run(warping_path_job& job) {
    const cuda::context c(job.where);
    cuda::timer whole(c);
    with_series_type(job.measure, [&]<class T>(T) {
        with_hard_cell<T>(job.measure, [&]<class Cell, bool One>(const Cell& cell) {
            sweep_and_walk<Cell, One>(c, job, cell);
        });
    });
    job.run->compute_seconds = whole.stop();
}

}  // namespace

extern constinit const catalogue::row<warping_path_job> warping_path_cuda_strips{
    "cuda/strips",
    "rows in registers, strips by ticket; what the path crosses between kept lines again on the host", run,
    refusal};

}  // namespace wale::wavefront
