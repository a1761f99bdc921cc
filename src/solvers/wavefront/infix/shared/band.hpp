// band - the columns of a table of edit distances near its diagonals, in words of 64 rows (Myers 1999,
// Ukkonen 1985).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "cpu/poll.hpp"
#include "solvers/wavefront/infix/shared/word_columns.hpp"

namespace wale::wavefront {

/// Diagonals column - row, from `first` to `last`; 0 is among them.
struct diagonal_band {
    index_t first, last;

    /// Of the cells that a path of `distance` edits from corner to corner can touch.
    [[nodiscard]] static diagonal_band of_path(index_t rows, index_t columns, index_t distance) {
        const index_t longer = columns - rows, slack = (distance - std::abs(longer)) / 2;
        return {std::min<index_t>(0, longer) - slack, std::max<index_t>(0, longer) + slack};
    }
    /// The words that a column has, from 0; `column` from 0, too.
    [[nodiscard]] std::size_t first_word(index_t column) const {
        return static_cast<std::size_t>(std::max<index_t>(0, column - last) / 64);
    }
    [[nodiscard]] std::size_t end_word(index_t column, std::size_t words) const {
        return std::min(words, static_cast<std::size_t>((column - first) / 64) + 1);
    }
    /// Of any column, at most.
    [[nodiscard]] std::size_t words(std::size_t all) const {
        return std::min(all, static_cast<std::size_t>((last - first) / 64) + 2);
    }
};

/// Which rows hold a code: a table of words for alphabets of bytes, the planes of the codes for larger ones.
class row_masks {
public:
    row_masks(code_span rows, std::uint32_t count)
        : words_((rows.size() + 63) / 64),
          planes_(count > 256 ? static_cast<std::size_t>(std::bit_width(count - 1)) : 0) {
        bits_.resize(words_ * (planes_ > 0 ? planes_ : count));
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const std::uint64_t bit = std::uint64_t{1} << row % 64;
            if (planes_ == 0) bits_[rows[row] * words_ + row / 64] |= bit;
            for (std::size_t p = 0; p < planes_; ++p)
                if (rows[row] >> p & 1) bits_[p * words_ + row / 64] |= bit;
        }
    }
    [[nodiscard]] std::size_t words() const { return words_; }

    /// f(rows of word w that hold the code as at(w)), which is one load of most alphabets.
    template <class F>
    void with(std::uint32_t code, F&& f) const {
        if (planes_ == 0) {
            const std::uint64_t* const row = bits_.data() + code * words_;
            return f([row](std::size_t w) { return row[w]; });
        }
        f([this, code](std::size_t w) {
            std::uint64_t differ = 0;
            for (std::size_t p = 0; p < planes_; ++p)
                differ |= bits_[p * words_ + w] ^ (0 - std::uint64_t{code >> p & 1});
            return ~differ;
        });
    }

private:
    std::size_t words_, planes_;
    std::vector<std::uint64_t> bits_;
};

/// The table whose upper border grows by one a column, in a band: values of cells that a path within the band
/// reaches are exact, others are not too small.
class band_table {
public:
    band_table(const row_masks& rows, index_t row_count, diagonal_band band)
        : rows_(rows), row_count_(row_count), band_(band), v_(rows.words(), {~std::uint64_t{0}, 0}) {}

    /// The next one. Calls each(word, level, v) with the cells of a column whose upper left neighbours have
    /// their value, and with the vertical differences.
    template <class Each>
    void column(std::uint32_t code, const Each& each) {
        const std::size_t first = band_.first_word(column_), end = band_.end_word(column_, rows_.words());
        for (; first_ < first; ++first_) top_ += vertical(first_);
        differences carry{1, 0}, lowest{0, 0};  // horizontal differences
        const bool met_last = end_ == rows_.words();
        rows_.with(code, [&](auto matches) {
            for (std::size_t w = first; w < end; ++w) {
                const word_step s = next_column(matches(w), v_[w], carry);
                each(w, s.level, v_[w]);
                lowest = {s.plus, s.minus};
            }
        });
        ++top_;
        ++column_;
        end_ = end;
        if (end < rows_.words()) return;
        last_ += step_of(lowest, static_cast<std::size_t>((row_count_ - 1) % 64));
        if (!met_last) last_ = value(row_count_);
    }
    /// Whether the band has come to the last row, and the value there.
    [[nodiscard]] bool at_last_row() const { return end_ == rows_.words(); }
    [[nodiscard]] index_t last_value() const { return last_; }

    /// f(rows above, value) of the rows of the last column that the band has.
    template <class F>
    void for_values(const F& f) const {
        index_t value = top_;
        const auto first = static_cast<index_t>(64 * first_);
        const index_t end = std::min(row_count_, static_cast<index_t>(64 * end_));
        f(first, value);
        for (index_t row = first; row < end; ++row) {
            const differences& v = v_[static_cast<std::size_t>(row / 64)];
            value +=
                static_cast<index_t>(v.plus >> row % 64 & 1) - static_cast<index_t>(v.minus >> row % 64 & 1);
            f(row + 1, value);
        }
    }

    /// Of the last column.
    [[nodiscard]] index_t least() const {
        index_t found = top_;
        for_values([&](index_t, index_t value) { found = std::min(found, value); });
        return found;
    }

private:
    [[nodiscard]] index_t vertical(std::size_t w) const {
        return std::popcount(v_[w].plus) - std::popcount(v_[w].minus);
    }
    [[nodiscard]] index_t value(index_t row) const {
        index_t sum = top_;
        for (std::size_t w = first_; w < end_; ++w) sum += vertical(w);
        const auto held = static_cast<std::size_t>(row % 64);
        if (held == 0) return sum;
        const differences& v = v_.back();  // without the rows below the last one
        return sum - std::popcount(v.plus >> held) + std::popcount(v.minus >> held);
    }

    const row_masks& rows_;
    index_t row_count_, column_ = 0;
    diagonal_band band_;
    std::vector<differences> v_;
    std::size_t first_ = 0, end_ = 0;  // words of the last column
    index_t top_ = 0, last_ = 0;       // value above the first word; of the last row
};

/// The table whose upper border is 0, down to the last word of a column that may hold a value of `bound` or
/// less: values of the last row are exact where they are.
class upper_table {
public:
    upper_table(const row_masks& rows, index_t row_count, index_t bound)
        : rows_(rows),
          row_count_(row_count),
          bound_(bound),
          v_(rows.words(), {~std::uint64_t{0}, 0}),
          value_(held(0)) {}

    /// Columns of the first word alone, whose value stays in registers: as many as leave it above the bound.
    [[nodiscard]] std::size_t skim(code_span columns) {
        if (last_ > 0) return 0;
        differences v = v_[0];
        index_t value = value_;
        const auto bit = static_cast<std::size_t>(held(0) - 1);
        std::size_t column = 0;
        for (; column < columns.size() && value > bound_; ++column)
            rows_.with(columns[column], [&](auto matches) {
                differences carry{0, 0};
                value += step_of(next_column(matches(0), v, carry), bit);
            });
        v_[0] = v;
        value_ = value;
        return column;
    }

    void column(std::uint32_t code) {
        // A cell below is within the bound only where the one at its upper left is.
        while (last_ + 1 < rows_.words() && value_ <= bound_) {
            v_[++last_] = {~std::uint64_t{0}, 0};
            value_ += held(last_);
        }
        differences carry{0, 0}, lowest{0, 0};  // horizontal differences
        rows_.with(code, [&](auto matches) {
            for (std::size_t w = 0; w <= last_; ++w) {
                const word_step s = next_column(matches(w), v_[w], carry);
                lowest = {s.plus, s.minus};
            }
        });
        const auto bit = static_cast<std::size_t>(held(last_) - 1);
        value_ += step_of(lowest, bit);
        if (last_ == 0 || value_ < bound_ + held(last_)) return;
        const std::uint64_t mask = ~std::uint64_t{0} >> (63 - bit);
        value_ -= std::popcount(v_[last_].plus & mask) - std::popcount(v_[last_].minus & mask);
        --last_;
    }
    [[nodiscard]] bool at_last_row() const { return last_ + 1 == rows_.words(); }
    [[nodiscard]] index_t last_value() const { return value_; }

private:
    /// Rows of a word.
    [[nodiscard]] index_t held(std::size_t w) const {
        return std::min<index_t>(64, row_count_ - 64 * static_cast<index_t>(w));
    }

    const row_masks& rows_;
    index_t row_count_, bound_;
    std::vector<differences> v_;
    std::size_t last_ = 0;  // word
    index_t value_;         // of its last row
};

}  // namespace wale::wavefront
