// short_words - many pairs of short byte sequences, one after the other: the words that say where a symbol
// stands in the rows are kept from pair to pair, so that a pair costs its symbols and no tables.
#pragma once

#include "solvers/wavefront/length/shared/codes.hpp"
#include "solvers/wavefront/length/shared/word_strips.hpp"

namespace wale::wavefront {

class short_words {
public:
    using bytes = std::span<const std::uint8_t>;
    static constexpr index_t most = 256;  // rows: four words

    short_words() = default;
    short_words(const short_words&) = delete;
    short_words& operator=(const short_words&) = delete;

    [[nodiscard]] static bool takes(const symbols& rows) { return rows.bytes == 1 && rows.size <= most; }

    /// `rows`: takes() says so; they must stay until clear().
    void set(bytes rows) {
        rows_ = rows;
        words_ = rows.empty() ? 1 : (rows.size() + 63) / 64;
        for (std::size_t row = 0; row < rows.size(); ++row)
            bits_[rows[row] * words_ + row / 64] |= std::uint64_t{1} << row % 64;
    }
    void clear() {
        for (const std::uint8_t symbol : rows_)
            for (std::size_t w = 0; w < words_; ++w) bits_[symbol * words_ + w] = 0;
    }

    /// Hyyro 2004.
    [[nodiscard]] index_t lcs(bytes columns) const {
        return by_words([&](auto words) { return added<lcs_words<words()>, words()>(columns); });
    }
    /// Myers 1999, Hyyro 2003.
    [[nodiscard]] index_t edit(bytes columns) const {
        return std::ssize(columns) +
               by_words([&](auto words) { return added<edit_words<words()>, words()>(columns); });
    }

    /// Of rows of one word: which of them hold the symbol.
    [[nodiscard]] const std::uint64_t* operator()(std::uint8_t symbol) const { return &bits_[symbol]; }

private:
    template <class F>
    index_t by_words(const F& f) const {
        switch (words_) {
            case 1:
                return f(std::integral_constant<std::size_t, 1>());
            case 2:
                return f(std::integral_constant<std::size_t, 2>());
            case 3:
                return f(std::integral_constant<std::size_t, 3>());
            default:
                return f(std::integral_constant<std::size_t, 4>());
        }
    }
    template <class Words, std::size_t W>
    [[nodiscard]] index_t added(bytes columns) const {
        return run_words<Words>(std::ssize(rows_), columns,
                                [&](std::uint8_t symbol) { return bits_.data() + symbol * W; });
    }

    std::array<std::uint64_t, 256 * 4> bits_{};  // [symbol][word], 0 but between set() and clear()
    bytes rows_;
    std::size_t words_ = 1;
};

}  // namespace wale::wavefront
