#include "solvers/wavefront/length/shared/bounded_strips.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/checked.hpp"
#include "cpu/poll.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t stride = 8;  // columns from one looked at value below a strip to the next
constexpr std::uint64_t every_row = ~std::uint64_t{1};  // bit 0 of a word is no row

}  // namespace

bounded_strips::bounded_strips(const coded_pair& pair)
    : recurrence_(edit_strips()),
      rows_(pair.a.size() <= pair.b.size() ? pair.a : pair.b),
      columns_(pair.a.size() <= pair.b.size() ? pair.b : pair.a),
      planes_(compiled_planes(pair.planes())),
      vector_rows_(strip_lanes() * recurrence_.rows_a_word) {
    row_planes_.resize(static_cast<std::size_t>(planes_ * widest_strip * strip_lanes()));
    state_.resize(static_cast<std::size_t>(recurrence_.states * widest_strip * strip_lanes()));
}

/// Steps of one vector wait for each other, so that two cost little more; a taller strip has more columns
/// that a path cannot touch.
int bounded_strips::vectors_for(index_t width) const {
    constexpr double price[] = {10, 17, 31};  // cycles a column of 1, 2, 4 vectors
    const index_t left = std::ssize(rows_) - row_;
    int best = 1;
    double least = 0;
    for (int k = 0; k < 3; ++k) {
        const int vectors = 1 << k;
        const index_t rows = std::min(vectors * vector_rows_, left);
        if (vectors > 1 && rows <= vectors / 2 * vector_rows_) break;
        const double cost = price[k] * static_cast<double>(width + rows) / static_cast<double>(rows);
        if (k == 0 || cost < least) {
            least = cost;
            best = vectors;
        }
    }
    return best;
}

void bounded_strips::make_room(index_t columns) {
    room_ = columns;
    pitch_ = columns + 2 * strip_padding;
    const auto line = static_cast<std::size_t>(pitch_);
    column_planes_.resize(line * static_cast<std::size_t>(planes_));
    carries_.resize(line * static_cast<std::size_t>(recurrence_.carries));
    active_.resize(line);
}

/// The window of the lines to columns first to last - 1: planes of new ones, and one edit more a column where
/// nothing above is known.
void bounded_strips::move_to(index_t first, index_t last) {
    if (last - origin_ > room_) {
        const index_t held = end_ - first, by = first - origin_;
        const auto shift = [&](base::aligned_vector<std::uint64_t>& lines, int count) {
            for (int k = 0; k < count; ++k) {
                std::uint64_t* const from =
                    lines.data() + k * pitch_ + strip_padding + room_ - (end_ - origin_);
                std::copy_backward(from, from + held, from + held + by);
            }
        };
        if (held > 0) {
            shift(column_planes_, planes_);
            shift(carries_, recurrence_.carries);
        }
        origin_ = first;
    }
    const index_t known = std::max(end_, first);
    spread_columns({columns_.data() + known, last - known, planes_, every_row,
                    column_planes_.data() + strip_padding + room_ - (last - origin_), pitch_});
    for (int k = 0; k < recurrence_.carries; ++k)
        std::fill_n(carries_.data() + k * pitch_ + strip_padding + room_ - (last - origin_), last - known,
                    recurrence_.carry_start[k]);
    if (active_count_ != last - first) {
        active_count_ = last - first;
        std::uint64_t* const active = active_.data() + strip_padding;
        std::fill_n(active, active_count_, ~std::uint64_t{0});
        std::fill_n(active + active_count_, strip_padding, 0);
    }
    right_ += last - known;  // of the row above
    begin_ = first;
    end_ = last;
}

void bounded_strips::run_strip(int vectors, index_t rows) {
    const auto words = static_cast<std::size_t>(vectors * strip_lanes());
    pack_rows({rows_.data() + row_, static_cast<std::size_t>(rows),
               static_cast<std::size_t>(recurrence_.rows_a_word), words, planes_, row_planes_.data()});
    for (std::size_t s = 0; s < 2; ++s)
        std::fill_n(state_.begin() + static_cast<std::ptrdiff_t>(s * words), words,
                    recurrence_.state_start[s]);
    const index_t shift = room_ - (end_ - origin_);
    recurrence_.run({row_planes_.data(), planes_, vectors, state_.data(), column_planes_.data() + shift,
                     carries_.data() + shift, active_.data(), pitch_, end_ - begin_});
    row_ += rows;
}

/// The values below the last strip.
void bounded_strips::look(live_diagonals& live) {
    const index_t count = end_ - begin_;
    const std::uint64_t* plus = carries_.data() + strip_padding + room_ - (begin_ - origin_);
    const std::uint64_t* minus = plus + pitch_;
    index_t value = left_;
    values_.clear();
    values_.push_back(value);
    for (index_t c = 0; c < count; c += stride) {
        const index_t some = std::min(stride, count - c);
        plus -= some;
        minus -= some;
        const index_t before = value;
        if (some == stride) {
            std::uint64_t up = 0, down = 0;
            for (index_t k = 0; k < stride; ++k) {
                up += plus[k] >> 63;
                down += minus[k] >> 63;
            }
            value += static_cast<index_t>(up) - static_cast<index_t>(down);
        } else {
            for (index_t k = 0; k < some; ++k)
                value += static_cast<index_t>(plus[k] >> 63) - static_cast<index_t>(minus[k] >> 63);
        }
        values_.push_back(value);
        live.look(before, value, some, begin_ + c - row_);
    }
    right_ = value;
}

index_t bounded_strips::distance(index_t bound) {
    const index_t m = std::ssize(rows_), n = std::ssize(columns_);
    if (bound < n - m) return bound + 1;
    bound = std::min(bound, n);
    live_diagonals live(m, n, bound);
    const index_t tallest =
        std::min<index_t>(widest_strip * vector_rows_, base::ceil_div(m, vector_rows_) * vector_rows_);
    const index_t widest = std::min(n, tallest + live.width() + stride);
    make_room(std::min(n, 2 * widest));
    row_ = begin_ = end_ = left_ = right_ = origin_ = 0;
    for (;;) {
        cpu::poll();
        const int vectors = vectors_for(live.width());
        const index_t rows = std::min(vectors * vector_rows_, m - row_);
        index_t first = std::max(begin_, row_ + live.first());
        if (row_ > 0) {
            const index_t steps = (first - begin_) / stride;
            first = begin_ + steps * stride;
            left_ = values_[static_cast<std::size_t>(steps)];
        }
        move_to(first, std::max(end_, std::min(n, row_ + rows + live.last())));
        run_strip(vectors, rows);
        if (row_ == m) {
            const auto words = static_cast<std::size_t>(vectors * strip_lanes());
            return std::min(right_ + vertical(state_.data(), words, rows, recurrence_.rows_a_word),
                            bound + 1);
        }
        left_ += rows;
        live.begin();
        look(live);
        if (!live.end()) return bound + 1;
    }
}

}  // namespace wale::wavefront
