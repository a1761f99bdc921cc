// word_columns - the table of a short text of bytes and another one, column by column in words on the stack.
#pragma once

#include "solvers/wavefront/length/shared/words_of_rows.hpp"

namespace wale::wavefront {

/// Rows, for which at most four words are kept.
inline constexpr index_t most_word_rows = 256;

[[nodiscard]] inline bool takes_words(const symbols& rows) {
    return rows.bytes == 1 && rows.size > 0 && rows.size <= most_word_rows;
}

/// Vertical differences of a column, a bit a row: where the value is one more, one less than above.
struct differences {
    std::uint64_t plus, minus;
};

/// Of a word of a column: where the value is one more, one less than in the column before, and where it is
/// that of the upper left neighbour.
struct word_step {
    std::uint64_t plus, minus, level;
};

/// Moves a word of vertical differences to the next column (Myers 1999, Hyyro 2003). `matches`: rows whose
/// symbol is the column's. `carry`: what the row above the word grows by, in bit 0; then what its last row
/// does.
[[gnu::always_inline]] inline word_step next_column(std::uint64_t matches, differences& v,
                                                    differences& carry) {
    const auto [up, down] = v;
    const std::uint64_t xv = matches | down, met = matches | carry.minus;
    const std::uint64_t xh = (((met & up) + up) ^ up) | met;
    const std::uint64_t plus = down | ~(xh | up), minus = up & xh, below = plus << 1 | carry.plus;
    v = {(minus << 1 | carry.minus) | ~(xv | below), below & xv};
    carry = {plus >> 63, minus >> 63};
    return {plus, minus, xh | down};
}

/// What a row of a word grows by.
template <class Step>
[[nodiscard]] index_t step_of(const Step& s, std::size_t bit) {
    return static_cast<index_t>(s.plus >> bit & 1) - static_cast<index_t>(s.minus >> bit & 1);
}

/// Calls after(column, v, step) with the W words of each column and what the last row's value grows by (Myers
/// 1999, Hyyro 2003). `rising`: the upper border grows by one a column, else it is 0. W words hold the rows,
/// W - 1 do not.
template <std::size_t W, class After>
void word_columns(std::span<const std::uint8_t> rows, std::span<const std::uint8_t> text, bool rising,
                  After&& after) {
    const words_of_bytes<W> matches(rows, text);
    std::array<differences, W> v;
    v.fill({~std::uint64_t{0}, 0});
    const std::size_t last = (rows.size() - 1) % 64;
    cpu::rare_poll poll(4096);
    for (std::size_t column = 0; column < text.size(); ++column) {
        poll();
        const std::uint64_t* const m = matches(text[column]);
        differences carry{rising ? 1u : 0u, 0};
        index_t step = 0;
        for (std::size_t w = 0; w < W; ++w) {
            const word_step s = next_column(m[w], v[w], carry);
            if (w + 1 == W) step = step_of(s, last);
        }
        after(column, v, step);
    }
}

/// f(number of words) for rows that takes_words() takes.
template <class F>
auto by_words(index_t rows, F&& f) {
    if (rows <= 64) return f(std::integral_constant<std::size_t, 1>());
    if (rows <= 128) return f(std::integral_constant<std::size_t, 2>());
    if (rows <= 192) return f(std::integral_constant<std::size_t, 3>());
    return f(std::integral_constant<std::size_t, 4>());
}

}  // namespace wale::wavefront
