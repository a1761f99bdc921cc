// reference - defines the warping cost of series: the table row by row, cell by cell. Read this first.
#include "cpu/poll.hpp"
#include "solvers/wavefront/warping/shared/backward.hpp"

namespace wale::wavefront {
namespace {

/// Row i from the one above; cell j of a row is at [j + 1], and row -1 has a 0 at [0].
template <class T>
void fill_row(const warping_cell<T>& cell, const warping_band& band, index_t i, const T* a, const T* b,
              const T* above, T* here) {
    cpu::poll();
    std::fill_n(here, band.columns + 1, cell.infinity);
    for (index_t j = band.first(i); j <= band.last(i); ++j)
        here[j + 1] = cell.cost(a + i * cell.dimensions, b + j * cell.dimensions) +
                      cell.least(above[j], above[j + 1], here[j]);
}

template <class T>
std::vector<T> border(const warping_band& band) {
    std::vector<T> row(static_cast<std::size_t>(band.columns) + 1, warping_cell<T>::infinity);
    row[0] = 0;
    return row;
}

template <class T>
T cost_of(const warping_measure& measure, const T* a, index_t m, const T* b, index_t n) {
    const warping_cell<T> cell(measure);
    const warping_band band(m, n, measure.window);
    std::vector<T> above = border<T>(band), here(above.size());
    for (index_t i = 0; i < m; ++i, std::swap(above, here))
        fill_row(cell, band, i, a, b, above.data(), here.data());
    return above.back();
}

void run(warping_job& job) {
    with_series_type(job.measure, [&]<class T>(T) {
        const auto at = [&](const series_side& side, index_t k) {
            return static_cast<const T*>(side.data) + side.offsets[k] * job.measure.dimensions;
        };
        const auto size = [](const series_side& side, index_t k) {
            return side.offsets[k + 1] - side.offsets[k];
        };
        for (index_t q = 0; q < job.query_count; ++q)
            for (index_t t = 0; t < job.target_count; ++t)
                static_cast<T*>(job.answers)[q * job.pitch + t] =
                    cost_of(job.measure, at(job.queries, q), size(job.queries, q), at(job.targets, t),
                            size(job.targets, t));
    });
}

void run_path(warping_path_job& job) {
    with_series_type(job.measure, [&]<class T>(T) {
        const series_pair<T> pair(job);
        const auto width = static_cast<std::size_t>(pair.band.columns) + 1;
        std::vector<T> table(width * static_cast<std::size_t>(pair.band.rows));
        const std::vector<T> top = border<T>(pair.band);
        for (index_t i = 0; i < pair.band.rows; ++i) {
            T* const here = table.data() + static_cast<std::size_t>(i) * width;
            fill_row(pair.cell, pair.band, i, pair.a, pair.b, i > 0 ? here - width : top.data(), here);
        }
        job.cost = table.back();
        with_backward<T>(job, [&](auto&& backward) {
            backward.strip(0, [&](index_t i, index_t j) {
                return table[static_cast<std::size_t>(i) * width + static_cast<std::size_t>(j) + 1];
            });
        });
    });
}

}  // namespace

extern constinit const catalogue::row<warping_job> warping_reference_plain{
    "reference/plain", "pair by pair, two rows of the plain table", run};

extern constinit const catalogue::row<warping_path_job> warping_path_reference_plain{
    "reference/plain", "the whole plain table, read backwards", run_path};

}  // namespace wale::wavefront
