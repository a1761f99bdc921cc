// short_words - many pairs of short byte sequences, one after the other: the words that say where a symbol
// stands in the rows are kept from pair to pair, so that a pair costs its symbols and no tables.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "cpu/poll.hpp"
#include "solvers/wavefront/jobs.hpp"

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
        return by_words([&](auto words) { return lcs_of<words()>(columns); });
    }
    /// Myers 1999, Hyyro 2003.
    [[nodiscard]] index_t edit(bytes columns) const {
        if (rows_.empty()) return std::ssize(columns);
        return by_words([&](auto words) { return edit_of<words()>(columns); });
    }

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
    /// f(the words of a column's symbol).
    template <std::size_t W, class F>
    void for_columns(bytes columns, const F& f) const {
        constexpr std::size_t columns_a_poll = 4096;
        while (!columns.empty()) {
            const bytes part = columns.first(std::min(columns.size(), columns_a_poll));
            for (const std::uint8_t symbol : part) f(bits_.data() + symbol * W);
            columns = columns.subspan(part.size());
            if (!columns.empty()) cpu::poll();
        }
    }
    /// Bits above the rows match nothing and stay 1.
    template <std::size_t W>
    [[nodiscard]] index_t lcs_of(bytes columns) const {
        std::array<std::uint64_t, W> v;
        v.fill(~std::uint64_t{0});
        for_columns<W>(columns, [&](const std::uint64_t* m) {
            std::uint64_t carry = 0;
            for (std::size_t w = 0; w < W; ++w) {
                const std::uint64_t u = v[w] & m[w], sum = v[w] + u, with_carry = sum + carry;
                carry = static_cast<std::uint64_t>(sum < u) | static_cast<std::uint64_t>(with_carry < sum);
                v[w] = with_carry | (v[w] & ~m[w]);
            }
        });
        index_t length = 0;
        for (const std::uint64_t word : v) length += std::popcount(~word);
        return length;
    }
    template <std::size_t W>
    [[nodiscard]] index_t edit_of(bytes columns) const {
        std::array<std::uint64_t, W> up, down{};  // rows whose value is one more, one less than above
        up.fill(~std::uint64_t{0});
        const std::size_t last = (rows_.size() - 1) % 64;
        index_t distance = std::ssize(rows_);
        for_columns<W>(columns, [&](const std::uint64_t* m) {
            std::uint64_t plus_in = 1, minus_in = 0;  // the upper border grows by one a column
            for (std::size_t w = 0; w < W; ++w) {
                const std::uint64_t xv = m[w] | down[w], met = m[w] | minus_in;
                const std::uint64_t xh = (((met & up[w]) + up[w]) ^ up[w]) | met;
                const std::uint64_t plus = down[w] | ~(xh | up[w]), minus = up[w] & xh;
                if (w == W - 1)
                    distance +=
                        static_cast<index_t>(plus >> last & 1) - static_cast<index_t>(minus >> last & 1);
                const std::uint64_t plus_below = plus << 1 | plus_in;
                up[w] = (minus << 1 | minus_in) | ~(xv | plus_below);
                down[w] = plus_below & xv;
                plus_in = plus >> 63;
                minus_in = minus >> 63;
            }
        });
        return distance;
    }

    std::array<std::uint64_t, 256 * 4> bits_{};  // [symbol][word], 0 but between set() and clear()
    bytes rows_;
    std::size_t words_ = 1;
};

}  // namespace wale::wavefront
