// tiles - the walk over the tiles of a table, forward for the scores and backward for the path.
#include "solvers/wavefront/align/shared/tiles.hpp"

#include <limits>
#include <string>

#include "cpu/poll.hpp"
#include "solvers/wavefront/align/shared/scratch.hpp"
#include "solvers/wavefront/align/shared/tile_shape.hpp"

namespace wale::wavefront {
namespace {

/// The places of a path, and of the best cells, are in tiles that are computed again.
template <class T>
class table_of_tiles {
public:
    table_of_tiles(const alignment_problem& p, const tile_kernel<T>& kernel, tile_shape_chosen shape,
                   bool keeps)
        : p_(p), kernel_(kernel), shape_(shape), keeps_(keeps) {
        tall_ = base::ceil_div(p.rows(), shape.rows);
        wide_ = base::ceil_div(p.columns(), shape.columns);
        const auto rows = static_cast<std::size_t>(keeps ? tall_ : 1);
        const auto columns = static_cast<std::size_t>(keeps ? wide_ : 1);
        const auto m = static_cast<std::size_t>(p.rows()), n = static_cast<std::size_t>(p.columns());
        for (auto* const border : {&top_, &top_gap_, &left_, &left_gap_}) {
            cpu::poll();  // long sequences have borders of hundreds of megabytes
            border->resize(border == &top_ || border == &top_gap_ ? rows * n : columns * m);
        }
        corner_.resize(rows * static_cast<std::size_t>(wide_));
        bottom_.resize(static_cast<std::size_t>(shape.columns) * 2);
        right_.resize(static_cast<std::size_t>(shape.rows) * 2);
        load_columns();
        load_byte_columns();
    }

    /// False: a cell may have left the range of T.
    [[nodiscard]] bool run(alignment_result& out);
    void trace(alignment_result& out, alignment_task task);
    /// While the walker is in this table, whose first cell is at (first_i, first_j) of the walker's.
    void walk(path_walker& walker, index_t first_i, index_t first_j);

private:
    struct place {
        index_t row, column;  // of the tile
    };

    [[nodiscard]] static constexpr bool rebased() { return sizeof(T) > 1; }
    [[nodiscard]] index_t first_row(place at) const { return at.row * shape_.rows; }
    [[nodiscard]] index_t first_column(place at) const { return at.column * shape_.columns; }
    [[nodiscard]] T* top(place at, base::aligned_vector<T>& of) {
        return of.data() + (keeps_ ? at.row : 0) * p_.columns() + first_column(at);
    }
    [[nodiscard]] T* left(place at, base::aligned_vector<T>& of) {
        return of.data() + (keeps_ ? at.column : 0) * p_.rows() + first_row(at);
    }
    [[nodiscard]] std::int64_t& corner(place at) {
        return corner_[static_cast<std::size_t>((keeps_ ? at.row : 0) * wide_ + at.column)];
    }
    [[nodiscard]] std::int64_t base_of(place at) { return rebased() ? corner(at) : 0; }
    [[nodiscard]] T clamped(std::int64_t score) const { return static_cast<T>(clamped_score(p_, score)); }

    void load_columns();
    void load_byte_columns();
    void load_rows(index_t row);
    [[nodiscard]] tile<T> tile_at(place at);
    void enter_border(place at);
    void hand_on(place at, const tile<T>& t);
    void offer_ends(place at, const tile<T>& t, best_ends& ends);
    [[nodiscard]] alignment_end best_cell(std::int64_t score);
    [[nodiscard]] tile_cells<T> computed_again(place at, index_t rows, index_t columns);

    const alignment_problem& p_;
    const tile_kernel<T>& kernel_;
    const tile_shape_chosen shape_;
    const bool keeps_;
    index_t tall_ = 0, wide_ = 0;              // tiles
    base::aligned_vector<T> top_, top_gap_;    // of the tiles of each row of tiles kept, side by side
    base::aligned_vector<T> left_, left_gap_;  // of the tiles of each column of tiles kept
    std::vector<std::int64_t> corner_;
    base::aligned_vector<T> bottom_, right_;  // what leaves the tile at work: H, then E or F
    base::aligned_vector<T> backwards_;
    std::vector<std::uint32_t> columns_;
    base::aligned_vector<std::int8_t> byte_columns_;  // of the matrix; none: see load_byte_columns()
    base::aligned_vector<std::uint8_t> row_codes_;
    tile_rows<T> rows_;
    index_t loaded_row_ = -1;
    scratch h_cells_, e_cells_;      // of the tile that the path crosses
    std::vector<place> best_tiles_;  // local
};

template <class T>
void table_of_tiles<T>::load_columns() {
    const auto n = static_cast<std::size_t>(p_.columns());
    if (p_.by_equality) {
        backwards_.assign(n + 2 * code_margin, T{-2});
        for (std::size_t j = 0; j < n; ++j)
            backwards_[code_margin + n - 1 - j] = static_cast<T>(p_.target[j]);
    } else {
        columns_.assign(n + 2 * code_margin, 0);
        std::copy(p_.target.begin(), p_.target.end(), columns_.begin() + code_margin);
    }
}

template <class T>
void table_of_tiles<T>::load_rows(index_t row) {
    if (loaded_row_ == row) return;
    loaded_row_ = row;
    const index_t first = row * shape_.rows;
    const index_t count = std::min(shape_.rows, p_.rows() - first);
    rows_.lanes = kernel_.lanes;
    rows_.depth = base::ceil_div(count, kernel_.lanes);
    const auto cells = static_cast<std::size_t>(rows_.depth * rows_.lanes);
    const auto at = [&](index_t i) {
        return static_cast<std::size_t>(i % rows_.depth * rows_.lanes + i / rows_.depth);
    };
    if (p_.by_equality) {
        rows_.codes.assign(cells, T{-1});
        for (index_t i = 0; i < count; ++i)
            rows_.codes[at(i)] = static_cast<T>(p_.query[static_cast<std::size_t>(first + i)]);
        return;
    }
    rows_.profile.resize(cells * p_.letters);
    if (!byte_columns_.empty()) {
        row_codes_.assign(cells + code_margin, 31);
        for (index_t i = 0; i < count; ++i)
            row_codes_[at(i)] = static_cast<std::uint8_t>(p_.query[static_cast<std::size_t>(first + i)]);
        return kernel_.fill_profile(row_codes_.data(), cells, byte_columns_.data(), p_.letters,
                                    rows_.profile.data());
    }
    std::fill(rows_.profile.begin(), rows_.profile.end(), std::numeric_limits<T>::min() / 2);
    for (index_t i = 0; i < count; ++i) {
        const std::int32_t* scores =
            p_.table + std::size_t{p_.query[static_cast<std::size_t>(first + i)]} * p_.letters;
        T* to = rows_.profile.data() + at(i);
        for (std::uint32_t c = 0; c < p_.letters; ++c) to[c * cells] = clamped(scores[c]);
    }
}

/// Of up to 31 letters of the query, or positions of a profile, whose scores are bytes; code 31 is below the
/// last row and gains nothing.
template <class T>
void table_of_tiles<T>::load_byte_columns() {
    if (kernel_.fill_profile == nullptr || p_.by_equality || p_.table_rows > 31) return;
    byte_columns_.assign(std::size_t{32} * p_.letters, -64);
    for (std::size_t row = 0; row < p_.table_rows; ++row)
        for (std::size_t column = 0; column < p_.letters; ++column) {
            const std::int64_t score = clamped_score(p_, p_.table[row * p_.letters + column]);
            if (score != static_cast<std::int8_t>(score)) return byte_columns_.clear();
            byte_columns_[column * 32 + row] = static_cast<std::int8_t>(score);
        }
}

template <class T>
tile<T> table_of_tiles<T>::tile_at(place at) {
    tile<T> t;
    t.rows = std::min(shape_.rows, p_.rows() - first_row(at));
    t.columns = std::min(shape_.columns, p_.columns() - first_column(at));
    t.open = p_.open;
    t.extend = p_.extend;
    t.by_equality = p_.by_equality;
    t.local = p_.local();
    t.match = clamped(p_.match);
    t.mismatch = clamped(p_.mismatch);
    if (p_.by_equality)
        t.backwards = backwards_.data() + code_margin + p_.columns() - 1 - first_column(at);
    else
        t.columns_codes = columns_.data() + code_margin + first_column(at);
    t.corner = static_cast<T>(corner(at) - base_of(at));
    t.zero = static_cast<T>(std::max<std::int64_t>(-base_of(at), std::numeric_limits<T>::min()));
    t.top = top(at, top_);
    t.top_gap = top(at, top_gap_);
    t.left = left(at, left_);
    t.left_gap = left(at, left_gap_);
    return t;
}

/// What enters the tiles at the upper and left border of the table.
template <class T>
void table_of_tiles<T>::enter_border(place at) {
    if (at.row == 0) {
        corner(at) = p_.top(first_column(at));
        for (index_t j = first_column(at); j < std::min(first_column(at) + shape_.columns, p_.columns());
             ++j) {
            top(at, top_)[j - first_column(at)] = static_cast<T>(p_.top(j + 1) - base_of(at));
            top(at, top_gap_)[j - first_column(at)] = static_cast<T>(p_.top_gap(j + 1) - base_of(at));
        }
    }
    if (at.column == 0) {
        corner(at) = p_.left(first_row(at));
        for (index_t i = first_row(at); i < std::min(first_row(at) + shape_.rows, p_.rows()); ++i) {
            left(at, left_)[i - first_row(at)] = static_cast<T>(p_.left(i + 1) - base_of(at));
            left(at, left_gap_)[i - first_row(at)] = static_cast<T>(p_.left_gap(i + 1) - base_of(at));
        }
    }
}

/// The tiles below and at the right take what leaves this one, relative to corners of their own.
template <class T>
void table_of_tiles<T>::hand_on(place at, const tile<T>& t) {
    const T below = rebased() ? t.left[t.rows - 1] : T{0};  // their corners, relative to this one
    const T beside = rebased() ? t.top[t.columns - 1] : T{0};
    const std::int64_t corner_below = base_of(at) + t.left[t.rows - 1];
    const auto move = [](const T* from, T* to, index_t count, T by) {
        for (index_t k = 0; k < count; ++k) to[k] = static_cast<T>(from[k] - by);
    };
    const place right{at.row, at.column + 1}, lower{at.row + 1, at.column};
    if (right.column < wide_) {
        move(t.right, left(right, left_), t.rows, beside);
        move(t.right_gap, left(right, left_gap_), t.rows, beside);
    }
    if (lower.row < tall_) {
        move(t.bottom, top(lower, top_), t.columns, below);
        move(t.bottom_gap, top(lower, top_gap_), t.columns, below);
    }
    if (lower.row < tall_) corner(lower) = corner_below;
}

template <class T>
void table_of_tiles<T>::offer_ends(place at, const tile<T>& t, best_ends& ends) {
    const index_t i = first_row(at), j = first_column(at);
    if (at.row + 1 == tall_)
        for (index_t k = p_.ends.target_end ? 0 : t.columns - 1; k < t.columns; ++k)
            ends.offer(p_.rows(), j + k + 1, base_of(at) + t.bottom[k]);
    if (at.column + 1 == wide_ && p_.ends.query_end)
        for (index_t k = 0; k < t.rows - (at.row + 1 == tall_ ? 1 : 0); ++k)
            ends.offer(i + k + 1, p_.columns(), base_of(at) + t.right[k]);
}

template <class T>
bool table_of_tiles<T>::run(alignment_result& out) {
    best_ends ends(p_);
    for (place at{0, 0}; at.row < tall_; ++at.row) {
        load_rows(at.row);
        for (at.column = 0; at.column < wide_; ++at.column) {
            cpu::poll();
            enter_border(at);
            tile<T> t = tile_at(at);
            t.bottom = bottom_.data();
            t.bottom_gap = t.bottom + shape_.columns;
            t.right = right_.data();
            t.right_gap = t.right + shape_.rows;
            kernel_.run(rows_, t);
            if (p_.local()) {
                if (!rebased() && t.best == std::numeric_limits<T>::max()) return false;
                const std::int64_t best = base_of(at) + t.best;
                if (best > out.score) best_tiles_.clear();
                out.score = std::max(out.score, best);
                if (best == out.score && best > 0) best_tiles_.push_back(at);
            } else {
                offer_ends(at, t, ends);
            }
            hand_on(at, t);
        }
    }
    if (p_.local()) return true;
    ends.offer_border();
    out.score = ends.score();
    out.best_ends = ends.sorted();
    return true;
}

template <class T>
tile_cells<T> table_of_tiles<T>::computed_again(place at, index_t rows, index_t columns) {
    cpu::poll();
    load_rows(at.row);
    tile_cells<T> cells{tile_at(at), first_row(at), first_column(at), rows_.depth, rows_.lanes, base_of(at)};
    cells.t.rows = rows;
    cells.t.columns = columns;
    const auto size = static_cast<std::size_t>((columns + rows_.lanes) * rows_.depth * rows_.lanes);
    if (const auto bytes = static_cast<index_t>(size * sizeof(T)); h_cells_.bytes() < bytes) {
        h_cells_ = scratch(bytes);
        e_cells_ = scratch(bytes);
    }
    cells.t.h_cells = h_cells_.as<T>();
    cells.t.e_cells = e_cells_.as<T>();
    kernel_.run(rows_, cells.t);
    return cells;
}

template <class T>
alignment_end table_of_tiles<T>::best_cell(std::int64_t score) {
    std::sort(best_tiles_.begin(), best_tiles_.end(),
              [](place x, place y) { return x.column != y.column ? x.column < y.column : x.row < y.row; });
    alignment_end best{0, p_.columns() + 1};
    for (const place at : best_tiles_) {
        if (first_column(at) >= best.target) break;
        const tile<T> whole = tile_at(at);
        const tile_cells<T> cells = computed_again(at, whole.rows, whole.columns);
        const alignment_end found = cells.first(score);
        if (found.target > 0 && found.target < best.target) best = found;
    }
    return best.target > p_.columns() ? alignment_end{} : best;
}

template <class T>
void table_of_tiles<T>::trace(alignment_result& out, alignment_task task) {
    if (p_.local()) out.best_ends = {best_cell(out.score)};
    if (task < alignment_task::starts) return;
    path_walker walker(p_, out.best_ends[0], out.score);
    while (!walker.at_border()) {
        const place at{(walker.i - 1) / shape_.rows, (walker.j - 1) / shape_.columns};
        walker.walk(computed_again(at, walker.i - first_row(at), walker.j - first_column(at)), first_row(at),
                    first_column(at));
    }
    walker.finish(out, task == alignment_task::path);
}

template <class T>
void table_of_tiles<T>::walk(path_walker& walker, index_t first_i, index_t first_j) {
    struct moved {
        const tile_cells<T>& cells;
        index_t by_i, by_j;
        [[nodiscard]] bool has_h(index_t i, index_t j, std::int64_t v) const {
            return cells.has_h(i - by_i, j - by_j, v);
        }
        [[nodiscard]] bool has_pair(index_t i, index_t j, std::int64_t v) const {
            return cells.has_pair(i - by_i, j - by_j, v);
        }
        [[nodiscard]] bool has_e(index_t i, index_t j, std::int64_t v) const {
            return cells.has_e(i - by_i, j - by_j, v);
        }
    };
    while (walker.i > first_i && walker.j > first_j && !walker.at_border()) {
        const index_t i = walker.i - first_i, j = walker.j - first_j;
        const place at{(i - 1) / shape_.rows, (j - 1) / shape_.columns};
        const tile_cells<T> cells = computed_again(at, i - first_row(at), j - first_column(at));
        walker.walk(moved{cells, first_i, first_j}, first_i + first_row(at), first_j + first_column(at));
    }
}

template <class T>
bool walk_with(const alignment_problem& part, const tile_kernel<T>& kernel, path_walker& walker,
               index_t first_i, index_t first_j) {
    const std::optional<tile_shape_chosen> shape = shape_for(part, kernel);
    if (!shape) return false;
    table_of_tiles<T> table(part, kernel, *shape, true);
    alignment_result ignored;
    if (!table.run(ignored)) return false;
    table.walk(walker, first_i, first_j);
    return true;
}

template <class T>
std::optional<std::string> solve(const alignment_problem& p, const tile_kernel<T>& kernel,
                                 alignment_task task, alignment_result& out) {
    const std::optional<tile_shape_chosen> shape =
        sizeof(T) == 1 ? tile_shape_chosen{kernel.lanes * kernel.most_depth, 1024} : shape_for(p, kernel);
    if (!shape) return std::nullopt;
    const bool keeps = task >= (p.local() ? alignment_task::ends : alignment_task::starts);
    table_of_tiles<T> table(p, kernel, *shape, keeps);
    out.score = 0;
    if (!table.run(out)) return std::nullopt;
    if (task > alignment_task::score) table.trace(out, task);
    return "cells=" + std::to_string(8 * sizeof(T)) + " bits, tile=" + std::to_string(shape->rows) + "x" +
           std::to_string(shape->columns);
}

}  // namespace

std::string align_in_tiles(const alignment_problem& p, const tile_kernels& kernels, alignment_task task,
                           alignment_result& out) {
    if (kernels.narrow.run != nullptr && may_be_narrow(p))
        if (const auto policy = solve(p, kernels.narrow, task, out)) return *policy;
    if (kernels.middle.run != nullptr && (!p.by_equality || p.letters < 32'000))
        if (const auto policy = solve(p, kernels.middle, task, out)) return *policy;
    return solve(p, kernels.wide, task, out).value();  // scores and gaps are within 10^6: 32 bits hold a tile
}

void walk_part(const alignment_problem& part, const tile_kernels& kernels, path_walker& walker,
               index_t first_i, index_t first_j) {
    const bool narrow = kernels.middle.run != nullptr && (!part.by_equality || part.letters < 32'000);
    if (narrow && walk_with(part, kernels.middle, walker, first_i, first_j)) return;
    (void)walk_with(part, kernels.wide, walker, first_i, first_j);
}

}  // namespace wale::wavefront
