#include "solvers/wavefront/length/shared/word_band.hpp"

#include <cstring>
#include <limits>
#include <span>

#include "solvers/wavefront/length/shared/bounded.hpp"

namespace wale::wavefront {
namespace {

/// The rows that hold a symbol as the word stood when the last of them came in, at that column.
template <class Symbol>
class entering_rows {
public:
    using text = std::span<const Symbol>;
    entering_rows(text rows, text columns, index_t lowest) : rows_(rows), columns_(columns) {
        entered_.fill(no_row);
        for (index_t row = 0; row < lowest; ++row) enter(row, row - lowest);
    }
    void enter(index_t row, index_t column) {
        const Symbol symbol = rows_[static_cast<std::size_t>(row)];
        const std::size_t slot = slot_of(symbol);
        if constexpr (wide) {
            used_ += entered_[slot] == no_row;
            symbols_[slot] = symbol;
        }
        held_[slot] = held(slot, column) | std::uint64_t{1} << 63;
        entered_[slot] = static_cast<std::int32_t>(column);
    }
    [[nodiscard]] std::uint64_t operator()(index_t column) const {
        return held(slot_of(columns_[static_cast<std::size_t>(column)]), column);
    }
    [[nodiscard]] bool full() const { return used_ > most_used; }

private:
    static constexpr bool wide = sizeof(Symbol) > 1;
    static constexpr std::size_t slots = wide ? 512 : 256;
    static constexpr std::size_t most_used = slots - 128;  // 63 rows come in at first, 8 between two looks
    static constexpr std::int32_t no_row = -128;

    [[nodiscard]] std::uint64_t held(std::size_t slot, index_t now) const {
        const index_t since = now - entered_[slot];
        return since < 64 ? held_[slot] >> since : 0;
    }
    /// Where the symbol is, or the free slot where it would be.
    [[nodiscard]] std::size_t slot_of(Symbol symbol) const {
        if constexpr (!wide) return symbol;
        std::size_t slot = static_cast<std::uint32_t>(symbol * 0x9e3779b1u) >> 23;
        while (entered_[slot] != no_row && symbols_[slot] != symbol) slot = (slot + 1) % slots;
        return slot;
    }

    text rows_, columns_;
    std::size_t used_ = 0;  // slots, of wide symbols
    std::array<std::int32_t, slots> entered_;
    std::array<std::uint64_t, slots> held_;  // unset where no row is
    std::array<Symbol, wide ? slots : 0> symbols_;
};

}  // namespace

bool fits_word(const symbols& a, const symbols& b, index_t bound) {
    const index_t longer = std::max(a.size, b.size), shorter = std::min(a.size, b.size);
    return bound >= 0 && bound <= widest_in_word && longer - shorter <= bound &&
           longer <= std::numeric_limits<std::int32_t>::max();
}

std::optional<index_t> distance_in_word(const symbols& a, const symbols& b, index_t bound) {
    const bool a_longer = a.size >= b.size;
    const auto within = [&]<class Symbol>(std::span<const Symbol> rows, std::span<const Symbol> columns) {
        const index_t m = std::ssize(rows), n = std::ssize(columns), most = std::min(bound, m - 1);
        entering_rows<Symbol> matches(rows, columns, lowest_diagonal(m, n, most));
        return distance_in_word(m, n, most, matches);
    };
    return visit_symbols(a_longer ? a : b, a_longer ? b : a, within);
}

banded_query::banded_query(const symbols& query, index_t bound)
    : query_(query),
      bound_(bound),
      words_(static_cast<std::size_t>(query.size / 64 + 3)),
      bits_(256 * words_) {
    const auto rows = typed<std::uint8_t>(query);
    for (std::size_t row = 0; row < rows.size(); ++row)
        bits_[rows[row] * words_ + row / 64 + 1] |= std::uint64_t{1} << row % 64;
}

std::optional<index_t> banded_query::distance(const symbols& text) const {
    constexpr std::size_t alike = 16;
    const index_t m = query_.size, n = text.size;
    if (std::max(m, n) - std::min(m, n) > bound_) return bound_ + 1;
    if (static_cast<std::size_t>(n) < alike || std::memcmp(query_.data, text.data, alike) == 0)
        return std::nullopt;
    struct kept_rows {
        const std::uint64_t* bits;
        std::size_t words;
        const std::uint8_t* columns;
        index_t lowest;

        void enter(index_t, index_t) const {}
        [[nodiscard]] static bool full() { return false; }
        [[nodiscard]] std::uint64_t operator()(index_t column) const {
            const auto first =
                static_cast<std::size_t>(column + lowest + 1);  // 64 rows before the query's own
            const std::uint64_t* const word = bits + columns[column] * words + first / 64;
            return word[0] >> first % 64 | word[1] << 1 << (63 - first % 64);
        }
    } matches{bits_.data(), words_, typed<std::uint8_t>(text).data(), lowest_diagonal(m, n, bound_)};
    const index_t found = *distance_in_word(m, n, bound_, matches);
    return std::min(found, bound_ + 1);
}

}  // namespace wale::wavefront
