// block - the cells of one rectangle of a table, row by row, the neighbours being there already.
#pragma once

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

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

template <class R>
[[nodiscard]] table_writer<R> writer_of(const R& r, const fill_job& job) {
    return {r, static_cast<typename R::value_type*>(job.table), job.pitch};
}

}  // namespace wale::wavefront
