// words_of_rows - which rows hold a symbol, on the stack and without codes: bytes have words for each value,
// of which only those that occur are set; wider symbols have a small table of one word each.
#pragma once

#include <algorithm>
#include <type_traits>

#include "solvers/wavefront/length/shared/codes.hpp"
#include "solvers/wavefront/length/shared/word_strips.hpp"

namespace wale::wavefront {

template <std::size_t W>
class words_of_bytes {
public:
    using text = std::span<const std::uint8_t>;
    words_of_bytes(text rows, text columns) {
        if (columns.size() + rows.size() > few_symbols) {
            std::fill_n(bits_, 256 * W, 0);
        } else {
            for (const std::uint8_t x : columns) clear(x);
            for (const std::uint8_t x : rows) clear(x);
        }
        for (std::size_t row = 0; row < rows.size(); ++row)
            bits_[rows[row] * W + row / 64] |= std::uint64_t{1} << row % 64;
    }
    [[nodiscard]] const std::uint64_t* operator()(std::uint8_t symbol) const { return bits_ + symbol * W; }

private:
    static constexpr std::size_t few_symbols = 48;  // whose words are cleared sooner than those of all bytes
    void clear(std::uint8_t x) {
        for (std::size_t w = 0; w < W; ++w) bits_[x * W + w] = 0;
    }
    std::uint64_t bits_[256 * W];  // unset where no symbol is
};

/// At most 64 rows: half of the slots stay empty, so that a search ends.
template <class Symbol>
class word_of_wide {
public:
    using text = std::span<const Symbol>;
    word_of_wide(text rows, text /*columns*/) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const std::size_t slot = slot_of(rows[row]);
            symbols_[slot] = rows[row];
            bits_[slot] |= std::uint64_t{1} << row;
        }
    }
    [[nodiscard]] const std::uint64_t* operator()(Symbol symbol) const { return bits_ + slot_of(symbol); }

private:
    static constexpr std::size_t slots = 128;
    /// Where the symbol is, or the empty slot where it would be.
    [[nodiscard]] std::size_t slot_of(Symbol symbol) const {
        std::size_t slot = symbol * 0x9e3779b1u >> 25;
        while (bits_[slot] != 0 && symbols_[slot] != symbol) slot = (slot + 1) % slots;
        return slot;
    }
    std::uint64_t bits_[slots]{};
    Symbol symbols_[slots];  // unset where no bits are
};

/// What at most 64 W rows add to the value above them.
template <template <std::size_t> class Words, std::size_t W, class Symbol>
[[nodiscard]] index_t added_by_rows(std::span<const Symbol> rows, std::span<const Symbol> columns) {
    static_assert(sizeof(Symbol) == 1 || W == 1);
    const std::conditional_t<sizeof(Symbol) == 1, words_of_bytes<W>, word_of_wide<Symbol>> matches(rows,
                                                                                                   columns);
    return run_words<Words<W>>(std::ssize(rows), columns, [&](Symbol symbol) { return matches(symbol); });
}

}  // namespace wale::wavefront
