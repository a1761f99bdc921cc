// bit_vector - plain 64-bit words, one column after the other: the recurrences as their papers give them, for
// short sequences and for every machine.
#pragma once

#include "cpu/poll.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {

inline constexpr unsigned columns_a_poll = 256;

/// Which rows hold a code. A table of words for alphabets of bytes; the planes of the codes for larger ones,
/// so that memory stays linear.
class match_table {
public:
    explicit match_table(const coded_pair& pair)
        : words_((pair.a.size() + 63) / 64), planes_(pair.count > 256 ? pair.planes() : 0) {
        bits_.resize(words_ * (planes_ > 0 ? static_cast<std::size_t>(planes_) : pair.count));
        for (std::size_t row = 0; row < pair.a.size(); ++row) {
            const std::size_t word = row / 64;
            const std::uint64_t bit = std::uint64_t{1} << row % 64;
            if (planes_ == 0) bits_[pair.a[row] * words_ + word] |= bit;
            for (int p = 0; p < planes_; ++p)
                if (pair.a[row] >> p & 1) bits_[static_cast<std::size_t>(p) * words_ + word] |= bit;
        }
    }
    [[nodiscard]] std::size_t words() const { return words_; }

    /// f(word, rows of the word that hold `code`) for all words, from the top.
    template <class F>
    void for_words(std::uint32_t code, F&& f) const {
        if (planes_ == 0) {
            const std::uint64_t* const row = bits_.data() + code * words_;
            for (std::size_t w = 0; w < words_; ++w) f(w, row[w]);
            return;
        }
        for (std::size_t w = 0; w < words_; ++w) {
            std::uint64_t differ = 0;
            for (int p = 0; p < planes_; ++p)
                differ |=
                    bits_[static_cast<std::size_t>(p) * words_ + w] ^ (0 - std::uint64_t{code >> p & 1});
            f(w, ~differ);
        }
    }

private:
    std::size_t words_;
    int planes_;
    std::vector<std::uint64_t> bits_;
};

/// Hyyro 2004. Calls after(column, words) with the vector after each column: bit i is 0 where row i raises.
template <class After>
index_t lcs_bit_vector(const coded_pair& pair, After&& after) {
    const match_table matches(pair);
    std::vector<std::uint64_t> v(matches.words(), ~std::uint64_t{0});
    cpu::rare_poll poll(columns_a_poll);
    for (std::size_t column = 0; column < pair.b.size(); ++column) {
        poll();
        std::uint64_t carry = 0;
        matches.for_words(pair.b[column], [&](std::size_t w, std::uint64_t m) {
            const std::uint64_t u = v[w] & m;
            const std::uint64_t sum = v[w] + u;
            const std::uint64_t with_carry = sum + carry;
            carry = static_cast<std::uint64_t>(sum < u) | static_cast<std::uint64_t>(with_carry < sum);
            v[w] = with_carry | (v[w] & ~m);
        });
        after(column, v);
    }
    index_t length = 0;
    for (std::size_t row = 0; row < pair.a.size(); ++row)
        length += (v[row / 64] >> row % 64 & 1) == 0 ? 1 : 0;
    return length;
}

/// Myers 1999 in blocks of a word (Hyyro 2003). Calls after(distance of all rows to the columns so far).
template <class After>
index_t edit_bit_vector(const coded_pair& pair, After&& after) {
    if (pair.a.empty()) return std::ssize(pair.b);
    struct vertical {
        std::uint64_t plus, minus;  // rows whose value is one more, one less than that of the row above
    };
    const match_table matches(pair);
    std::vector<vertical> v(matches.words(), {~std::uint64_t{0}, 0});
    const std::size_t last_word = matches.words() - 1;
    const std::size_t last_bit = (pair.a.size() - 1) % 64;
    index_t distance = std::ssize(pair.a);
    cpu::rare_poll poll(columns_a_poll);
    for (const std::uint32_t code : pair.b) {
        poll();
        std::uint64_t plus_in = 1;  // the upper border grows by one a column
        std::uint64_t minus_in = 0;
        matches.for_words(code, [&](std::size_t w, std::uint64_t m) {
            const auto [up, down] = v[w];
            const std::uint64_t xv = m | down;
            m |= minus_in;
            const std::uint64_t xh = (((m & up) + up) ^ up) | m;
            const std::uint64_t plus = down | ~(xh | up);
            const std::uint64_t minus = up & xh;
            if (w == last_word)
                distance +=
                    static_cast<index_t>(plus >> last_bit & 1) - static_cast<index_t>(minus >> last_bit & 1);
            const std::uint64_t plus_below = plus << 1 | plus_in;
            v[w] = {(minus << 1 | minus_in) | ~(xv | plus_below), plus_below & xv};
            plus_in = plus >> 63;
            minus_in = minus >> 63;
        });
        after(distance);
    }
    return distance;
}
[[nodiscard]] inline index_t edit_bit_vector(const coded_pair& pair) {
    return edit_bit_vector(pair, [](index_t) {});
}

}  // namespace wale::wavefront
