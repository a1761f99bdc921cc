#include "solvers/wavefront/length/shared/bounded.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "cpu/poll.hpp"
#include "solvers/wavefront/length/shared/bit_vector.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t widest_in_word = 63;  // a word has a diagonal more than the bound

/// A band that one word holds (Hyyro 2003), the lowest diagonal in bit 63: the word moves down a row with
/// every column, so values never fall along it. The distance itself, or something above `bound`. `rows` is
/// not the shorter one and has more than `bound`.
class word_band {
public:
    using bytes = std::span<const std::uint8_t>;
    word_band(bytes rows, bytes columns, index_t bound)
        : rows_(rows),
          columns_(columns),
          bound_(bound),
          lowest_((bound + std::ssize(rows) - std::ssize(columns)) / 2),
          up_(~std::uint64_t{0} << (63 - lowest_)) {
        entered_.fill(-128);
        for (index_t row = 0; row < lowest_; ++row) enter(row, row - lowest_);
    }

    index_t distance() {
        const index_t m = std::ssize(rows_), n = std::ssize(columns_), below = m - lowest_;
        const index_t hopeless =
            bound_ + n - below;  // a value falls by one a column after the diagonal's end
        value_ = lowest_;        // of the lowest diagonal, then of the last row
        cpu::rare_poll poll(columns_a_poll / turn);
        for (index_t column = 0; column < n;) {
            poll();
            if (value_ > hopeless) return bound_ + 1;
            const index_t end = std::min(column + turn, n), entered = std::min(end, below);
            for (; column < entered; ++column) {
                enter(column + lowest_, column);
                step<true>(column, 63);
            }
            for (; column < end; ++column) step<false>(column, 62 - (column - below));
        }
        return value_;
    }

private:
    static constexpr index_t turn = 8;  // columns between two looks at what can still be reached

    template <bool Diagonal>
    void step(index_t column, index_t looked_at) {
        const std::uint64_t m_bits = matches(column);
        const std::uint64_t same = (((m_bits & up_) + up_) ^ up_) | m_bits | down_;  // as up left of it
        const std::uint64_t plus = down_ | ~(same | up_), minus = same & up_;
        if constexpr (Diagonal)
            value_ += static_cast<index_t>(~same >> 63);
        else
            value_ +=
                static_cast<index_t>(plus >> looked_at & 1) - static_cast<index_t>(minus >> looked_at & 1);
        up_ = minus | ~(same >> 1 | plus);
        down_ = same >> 1 & plus;
    }

    /// The rows that hold a symbol as the word stood when the last of them came in, at that column.
    [[nodiscard]] std::uint64_t held(std::uint8_t symbol, index_t now) const {
        const index_t since = now - entered_[symbol];
        return since < 64 ? held_[symbol] >> since : 0;
    }
    void enter(index_t row, index_t column) {
        const std::uint8_t symbol = rows_[static_cast<std::size_t>(row)];
        held_[symbol] = held(symbol, column) | std::uint64_t{1} << 63;
        entered_[symbol] = static_cast<std::int32_t>(column);
    }
    [[nodiscard]] std::uint64_t matches(index_t column) const {
        return held(columns_[static_cast<std::size_t>(column)], column);
    }

    bytes rows_, columns_;
    index_t bound_, lowest_, value_ = 0;     // lowest_: rows from the main diagonal down
    std::uint64_t up_, down_ = 0;            // rows whose value is one more, one less than above
    std::array<std::int32_t, 256> entered_;  // -128: no row
    std::array<std::uint64_t, 256> held_;    // unset where no row is
};

}  // namespace

bool fits_word(const symbols& a, const symbols& b, index_t bound) {
    const index_t longer = std::max(a.size, b.size), shorter = std::min(a.size, b.size);
    return bound >= 0 && bound <= widest_in_word && a.bytes == 1 && longer - shorter <= bound &&
           longer <= std::numeric_limits<std::int32_t>::max();
}

index_t distance_in_word(const symbols& a, const symbols& b, index_t bound) {
    const bool a_longer = a.size >= b.size;
    const auto rows = typed<std::uint8_t>(a_longer ? a : b), columns = typed<std::uint8_t>(a_longer ? b : a);
    return word_band(rows, columns, std::min(bound, std::ssize(rows) - 1)).distance();
}

}  // namespace wale::wavefront
