#include "solvers/wavefront/fill/shared/tiling.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "tuning/override.hpp"

namespace wale::wavefront {
namespace {

/// The cells of one tile, row by row; the neighbours of the tile are there already.
template <class R>
struct table_writer {
    using T = typename R::value_type;
    R r;
    T* table;
    index_t pitch;  // elements

    /// Cell (i, j) or, where one of them is -1, the border.
    [[nodiscard]] T at(index_t i, index_t j) const {
        if (i >= 0 && j >= 0) return table[i * pitch + j];
        return i >= 0 ? r.left(i) : j >= 0 ? r.top(j) : r.corner();
    }

    void operator()(const tile_range& t) const {
        cpu::poll();
        for (index_t i = t.row_begin; i < t.row_end; ++i) {
            if (t.column_begin >= t.column_end) return;
            T* row = table + i * pitch;
            const T* above = row - pitch;
            T left = at(i, t.column_begin - 1);
            T diagonal = at(i - 1, t.column_begin - 1);
            for (index_t j = t.column_begin; j < t.column_end; ++j) {
                const T up = i > 0 ? above[j] : r.top(j);
                row[j] = left = r.cell(diagonal, up, left, i, j);
                diagonal = up;
            }
        }
    }
};

}  // namespace

tile_range tiling::range(index_t row, index_t column) const {
    const index_t i = row * tile.rows;
    const index_t j = column * tile.columns;
    return {i, std::min(i + tile.rows, shape[0]), j, std::min(j + tile.columns, shape[1])};
}

tiling cpu_tiling(extents<2> shape, tile_shape asked, int threads) {
    const cpu_fill_policy& policy = chosen_cpu_fill();
    const auto side = [](index_t wanted, index_t tuned, index_t size) {
        return std::clamp<index_t>(wanted > 0 ? wanted : tuned, 1, std::max<index_t>(size, 1));
    };
    tiling t{
        shape,
        {side(asked.rows, policy.tile_rows, shape[0]), side(asked.columns, policy.tile_columns, shape[1])}};
    const index_t widest =
        std::min(base::ceil_div(shape[0], t.tile.rows), base::ceil_div(shape[1], t.tile.columns));
    // A person who names the threads gets them, as far as there are tiles side by side.
    const index_t useful = threads > 0 ? widest : std::min(widest, shape.count() / policy.thread_cells);
    t.threads = cpu::team_size(threads, useful);
    return t;
}

void fill_by(void (*schedule)(const tiling&, const tile_function&), fill_job& job) {
    const tiling t = cpu_tiling({{job.rows, job.columns}}, job.tile, std::get<on_cpu>(job.where).threads);
    job.run->threads = t.threads;
    job.run->policy = policy_text(t.tile);
    visit(job, [&]<class R>(const R& r) {
        schedule(t, table_writer<R>{r, static_cast<typename R::value_type*>(job.table), job.pitch});
    });
}

bool not_small(const fill_job& job) {
    return job.rows * job.columns >= chosen_cpu_fill().small_cells;
}

const cpu_fill_policy& chosen_cpu_fill() {
    return cpu_fill_policies[tuning::choose("wavefront/fill/cpu", cpu_fill_policies, 0, 0)].policy;
}

std::string policy_text(const tile_shape& tile) {
    return "tile=" + std::to_string(tile.rows) + "x" + std::to_string(tile.columns);
}

}  // namespace wale::wavefront
