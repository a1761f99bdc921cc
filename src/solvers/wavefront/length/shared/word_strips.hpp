// word_strips - the recurrences on a fixed number of words of rows, which stay in registers from column to
// column; taller tables are strips of such words, with what crosses a strip's lower border kept for each
// column.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "cpu/poll.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

/// x + y + carry; the carry is 0 or 1. Compilers do not find the processor's own carry in two comparisons,
/// which make a column half as dear again, and g++ 12 may send what _addcarry_u64 gives through memory, which
/// doubles the time of a column of one word.
inline std::uint64_t add_with_carry(std::uint64_t x, std::uint64_t y, std::uint8_t& carry) {
#if defined(__x86_64__)
    asm("addb $-1, %1\n\tadcq %2, %0\n\tsetc %1" : "+r"(x), "+q"(carry) : "r"(y) : "cc");
    return x;
#else
    const std::uint64_t part = x + y, sum = part + carry;
    carry = static_cast<std::uint8_t>(part < x || sum < part);
    return sum;
#endif
}

/// Hyyro 2004: bit i is 0 where row i raises. Bits above the rows match nothing and stay 1.
template <std::size_t W>
class lcs_words {
public:
    static constexpr std::uint8_t top = 0;  // the border above the first row
    lcs_words() { v_.fill(~std::uint64_t{0}); }

    /// `m`: which rows hold the column's symbol. `border`: the carry into the words, then out of them.
    void step(const std::uint64_t* m, std::uint8_t& border) {
        std::uint8_t carry = border;  // a copy, which no store can change
        for (std::size_t w = 0; w < W; ++w) {
            const std::uint64_t u = v_[w] & m[w];
            v_[w] = add_with_carry(v_[w], u, carry) | (v_[w] - u);
        }
        border = carry;
    }
    /// The same below the border of the table, where nothing is carried.
    void step_from_top(const std::uint64_t* m) {
        std::uint64_t u = v_[0] & m[0], sum = v_[0] + u;
        auto carry = static_cast<std::uint8_t>(sum < u);
        v_[0] = sum | (v_[0] - u);
        for (std::size_t w = 1; w < W; ++w) {
            u = v_[w] & m[w];
            sum = w + 1 < W ? add_with_carry(v_[w], u, carry) : v_[w] + u + carry;
            v_[w] = sum | (v_[w] - u);
        }
    }
    /// What the rows add to the length.
    [[nodiscard]] index_t added(index_t /*rows*/) const {
        index_t length = 0;
        for (const std::uint64_t word : v_) length += std::popcount(~word);
        return length;
    }

private:
    std::array<std::uint64_t, W> v_;
};

/// Myers 1999, Hyyro 2003.
template <std::size_t W>
class edit_words {
public:
    static constexpr std::uint8_t top = 1;  // the border above the first row grows by one a column
    edit_words() { up_.fill(~std::uint64_t{0}); }

    /// `border`: 1 where the value above the words grows in this column, 2 where it falls; then that below
    /// them.
    void step(const std::uint64_t* m, std::uint8_t& border) {
        std::uint64_t plus_in = border & 1, minus_in = border >> 1;
        for (std::size_t w = 0; w < W; ++w) {
            const std::uint64_t xv = m[w] | down_[w], met = m[w] | minus_in;
            const std::uint64_t xh = (((met & up_[w]) + up_[w]) ^ up_[w]) | met;
            const std::uint64_t plus = down_[w] | ~(xh | up_[w]), minus = up_[w] & xh;
            const std::uint64_t plus_below = plus << 1 | plus_in;
            up_[w] = (minus << 1 | minus_in) | ~(xv | plus_below);
            down_[w] = plus_below & xv;
            plus_in = plus >> 63;
            minus_in = minus >> 63;
        }
        border = static_cast<std::uint8_t>(plus_in | minus_in << 1);
    }
    void step_from_top(const std::uint64_t* m) {
        std::uint8_t border = top;
        step(m, border);
    }
    /// What the first `rows` rows add to the value above them.
    [[nodiscard]] index_t added(index_t rows) const {
        index_t sum = 0;
        for (std::size_t w = 0; w < W && rows > 0; ++w, rows -= 64) {
            const std::uint64_t mask = ~std::uint64_t{0} >> (64 - std::min<index_t>(rows, 64));
            sum += std::popcount(up_[w] & mask) - std::popcount(down_[w] & mask);
        }
        return sum;
    }

private:
    std::array<std::uint64_t, W> up_, down_{};  // rows whose value is one more, one less than above
};

/// What `rows` rows add. step(words, column) for each column.
template <class Words, class Step>
index_t run_columns(index_t rows, std::size_t columns, const Step& step) {
    constexpr std::size_t columns_at_once = 4096;
    Words words;
    for (std::size_t column = 0; column < columns;) {
        const std::size_t end = std::min(columns, column + columns_at_once);
        for (; column < end; ++column) step(words, column);
        if (end < columns) cpu::poll();
    }
    return words.added(rows);
}

/// The same. matches(symbol): where the words of a symbol begin. border(column): the border of a column, as
/// step() takes and leaves it.
template <class Words, class Symbol, class Matches, class Border>
index_t run_words(index_t rows, std::span<const Symbol> columns, const Matches& matches,
                  const Border& border) {
    return run_columns<Words>(rows, columns.size(), [&](Words& words, std::size_t column) {
        words.step(matches(columns[column]), border(column));
    });
}

/// The same below the border of the table, of rows that are all in the words.
template <class Words, class Symbol, class Matches>
index_t run_words(index_t rows, std::span<const Symbol> columns, const Matches& matches) {
    return run_columns<Words>(rows, columns.size(), [&](Words& words, std::size_t column) {
        words.step_from_top(matches(columns[column]));
    });
}

/// The same of some texts side by side, each with its rows: a column waits for the one before it, those of
/// other texts do not. matches(text, symbol): which rows of that text hold the symbol.
template <class Words, std::size_t Count, class Symbol, class Matches>
std::array<index_t, Count> run_together(const std::array<index_t, Count>& rows,
                                        const std::array<std::span<const Symbol>, Count>& texts,
                                        const Matches& matches) {
    std::array<Words, Count> all;
    std::array<index_t, Count> found;
    std::size_t shared = texts[0].size();
    for (const auto& text : texts) shared = std::min(shared, text.size());
    for (std::size_t column = 0; column < shared; ++column)
        for (std::size_t t = 0; t < Count; ++t) all[t].step_from_top(matches(t, texts[t][column]));
    for (std::size_t t = 0; t < Count; ++t) {
        for (const Symbol symbol : texts[t].subspan(shared)) all[t].step_from_top(matches(t, symbol));
        found[t] = all[t].added(rows[t]);
    }
    return found;
}

/// The sum of what all rows add, by strips of at most eight words. `codes`: symbols are below it.
template <template <std::size_t> class Words, class Symbol>
class word_strips {
public:
    using text = std::span<const Symbol>;
    word_strips(text columns, std::size_t codes)
        : columns_(columns), codes_(codes), borders_(columns.size(), Words<1>::top) {}

    [[nodiscard]] index_t sum(text rows) {
        index_t all = 0;
        while (!rows.empty()) {
            const text strip = rows.first(std::min<std::size_t>(rows.size(), 8 * 64));
            const std::size_t words = (strip.size() + 63) / 64;
            all += words == 1   ? added<1>(strip)
                   : words == 2 ? added<2>(strip)
                   : words == 3 ? added<3>(strip)
                   : words == 4 ? added<4>(strip)
                   : words <= 6 ? added<6>(strip)
                                : added<8>(strip);
            rows = rows.subspan(strip.size());
        }
        return all;
    }

private:
    template <std::size_t W>
    index_t added(text rows) {
        if constexpr (sizeof(Symbol) == 1) {
            std::array<std::uint64_t, 256 * W> table{};
            return added<W>(rows, table.data());
        } else {
            table_.assign(codes_ * W, 0);
            return added<W>(rows, table_.data());
        }
    }
    template <std::size_t W>
    index_t added(text rows, std::uint64_t* table) {
        for (std::size_t row = 0; row < rows.size(); ++row)
            table[rows[row] * W + row / 64] |= std::uint64_t{1} << row % 64;
        return run_words<Words<W>>(
            std::ssize(rows), columns_, [&](Symbol symbol) { return table + symbol * W; },
            [&](std::size_t column) -> std::uint8_t& { return borders_[column]; });
    }

    text columns_;
    std::size_t codes_;
    std::vector<std::uint8_t> borders_;  // of each column, below the strip before
    std::vector<std::uint64_t> table_;   // [code][word], for codes that do not fit a byte
};

}  // namespace wale::wavefront
