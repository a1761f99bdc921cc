// word_band - a band that one word holds (Hyyro 2003): the word moves down a row with every column, so that
// the values along the lowest diagonal never fall.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "cpu/poll.hpp"
#include "solvers/wavefront/length/shared/bit_vector.hpp"

namespace wale::wavefront {

inline constexpr index_t widest_in_word = 63;  // a word has a diagonal more than the bound

/// Rows from the main diagonal down to the lowest one of the band, which is in bit 63.
[[nodiscard]] inline index_t lowest_diagonal(index_t rows, index_t columns, index_t bound) {
    return (bound + rows - columns) / 2;
}

/// Distance of m rows and n columns, whose difference is at most the bound, or something above the bound. The
/// larger of m and n is above the bound. matches.enter(row, column) where a row comes in, with every column
/// one row until the last; matches(column): bit 63 - k says whether row column + lowest_diagonal() - k holds
/// the column's symbol. None where matches.full() says so.
template <class Matches>
[[nodiscard]] std::optional<index_t> distance_in_word(index_t m, index_t n, index_t bound, Matches& matches) {
    constexpr index_t turn = 8;  // columns between two looks at what can still be reached
    const index_t lowest = lowest_diagonal(m, n, bound), below = m - lowest;
    const index_t hopeless = bound + n - below;  // a value falls by one a column after the diagonal's end
    std::uint64_t up = ~std::uint64_t{0} << (63 - lowest), down = 0;  // rows one more, one less than above
    index_t value = lowest;  // of the lowest diagonal, then of the last row
    const auto plus_and_minus = [&](index_t column) {
        const std::uint64_t m_bits = matches(column);
        const std::uint64_t same = (((m_bits & up) + up) ^ up) | m_bits | down;  // as up left of it
        const std::uint64_t plus = down | ~(same | up), minus = same & up;
        up = minus | ~(same >> 1 | plus);
        down = same >> 1 & plus;
        return std::array{same, plus, minus};
    };
    cpu::rare_poll poll(columns_a_poll / turn);
    for (index_t column = 0; column < n;) {
        poll();
        if (value > hopeless) return bound + 1;
        if (matches.full()) return std::nullopt;
        const index_t end = std::min(column + turn, n), entered = std::min(end, below);
        for (; column < entered; ++column) {
            matches.enter(column + lowest, column);
            value += static_cast<index_t>(~plus_and_minus(column)[0] >> 63);
        }
        for (; column < end; ++column) {
            const index_t last_row = 62 - (column - below);
            const auto bits = plus_and_minus(column);
            value +=
                static_cast<index_t>(bits[1] >> last_row & 1) - static_cast<index_t>(bits[2] >> last_row & 1);
        }
    }
    return value;
}

/// A query of bytes whose words serve many texts within a bound.
class banded_query {
public:
    [[nodiscard]] static bool takes(const symbols& query, index_t bound) {
        return query.bytes == 1 && query.size > 64 && query.size <= longest && bound > 0 &&
               bound <= widest_in_word;
    }
    /// takes() says yes; the query must stay.
    banded_query(const symbols& query, index_t bound);
    /// bound + 1 where it is above the bound; none for a text that begins as the query does, whose equal
    /// parts are better left out.
    [[nodiscard]] std::optional<index_t> distance(const symbols& text) const;

private:
    static constexpr index_t longest = 1024;  // the words of a longer one take longer than most texts do
    symbols query_;
    index_t bound_;
    std::size_t words_;                // of a symbol: 64 rows of nothing, the query, 64 rows of nothing
    std::vector<std::uint64_t> bits_;  // [symbol][word]
};

}  // namespace wale::wavefront
