// tiles - tiles of plain 32-bit cells, a column after the other: for machines without vectors.
#include "solvers/wavefront/align/shared/tiles.hpp"

#include "solvers/wavefront/align/shared/codes.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {
namespace {

std::int32_t score_of(const tile_rows<std::int32_t>& rows, const tile<std::int32_t>& t, index_t i,
                      index_t j) {
    if (!t.by_equality) {
        const auto row = static_cast<std::size_t>(t.columns_codes[j]) * static_cast<std::size_t>(rows.depth);
        return rows.profile[row + static_cast<std::size_t>(i)];
    }
    return rows.codes[static_cast<std::size_t>(i)] == *(t.backwards - j) ? t.match : t.mismatch;
}

void run_tile(tile_rows<std::int32_t>& rows, tile<std::int32_t>& t) {
    const auto open = static_cast<std::int32_t>(t.open), extend = static_cast<std::int32_t>(t.extend);
    rows.h.assign(t.left, t.left + t.rows);
    rows.e.assign(t.left_gap, t.left_gap + t.rows);
    t.best = t.zero;
    for (index_t j = 0; j < t.columns; ++j) {
        std::int32_t diagonal = j == 0 ? t.corner : t.top[j - 1];
        std::int32_t f = t.top_gap[j];
        for (index_t i = 0; i < t.rows; ++i) {
            std::int32_t &kept = rows.h[static_cast<std::size_t>(i)],
                         &e = rows.e[static_cast<std::size_t>(i)];
            std::int32_t h = std::max({diagonal + score_of(rows, t, i, j), e, f});
            if (t.local) h = std::max(h, t.zero);
            if (t.h_cells != nullptr) {
                t.h_cells[j * rows.depth + i] = h;
                t.e_cells[j * rows.depth + i] = e;
            }
            t.best = std::max(t.best, h);
            diagonal = std::exchange(kept, h);
            e = std::max(h - open, e - extend);
            f = std::max(h - open, f - extend);
        }
        if (t.bottom != nullptr) {
            t.bottom[j] = rows.h[static_cast<std::size_t>(t.rows - 1)];
            t.bottom_gap[j] = f;
        }
    }
    if (t.right == nullptr) return;
    std::copy(rows.h.begin(), rows.h.end(), t.right);
    std::copy(rows.e.begin(), rows.e.end(), t.right_gap);
}

constexpr tile_kernels kernels{.narrow = {}, .middle = {}, .wide = {1, 256, run_tile, nullptr}};

std::string refusal(const alignment_job& job) {
    return asks_heuristics(*job.options);
}

void run(alignment_job& job) {
    const coded_alignment codes(job);
    job.run->policy = align_in_tiles(codes.problem(), kernels, job.options->task, *job.result);
}

template <class Job>
void run_all(Job& job) {
    for_each_pair(job, threads_asked(job.where), [](const alignment_problem& p) {
        alignment_result result;
        (void)align_in_tiles(p, kernels, alignment_task::score, result);
        return result.score;
    });
}

}  // namespace

extern constinit const catalogue::row<alignment_job> align_cpu_tiles{
    "cpu/tiles", "plain cells in tiles; the path from those that it crosses", run, refusal};

extern constinit const catalogue::row<alignment_batch_job> align_batch_cpu_tiles{
    "cpu/tiles", "pair by pair, plain cells in tiles; a slice of the pairs a thread",
    run_all<alignment_batch_job>};

extern constinit const catalogue::row<align_cross_job> align_cross_cpu_tiles{
    "cpu/tiles", "pair by pair, plain cells in tiles; a slice of the pairs a thread",
    run_all<align_cross_job>};

}  // namespace wale::wavefront
