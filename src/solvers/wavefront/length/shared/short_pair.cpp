#include "solvers/wavefront/length/shared/short_pair.hpp"

#include <cstdint>
#include <cstdlib>

#include "solvers/wavefront/length/shared/bounded.hpp"
#include "solvers/wavefront/length/shared/words_of_rows.hpp"

namespace wale::wavefront {
namespace {

constexpr const char *words = "cpu/bit_vector", *steps = "cpu/diagonals", *band = "cpu/band";

/// f(rows, columns, number of words) of texts of bytes, the shorter one as the rows.
template <class F>
index_t in_words(const symbols& a, const symbols& b, F&& f) {
    const auto rows = typed<std::uint8_t>(a.size <= b.size ? a : b),
               columns = typed<std::uint8_t>(a.size <= b.size ? b : a);
    const std::size_t count = (rows.size() + 63) / 64;
    if (count <= 1) return f(rows, columns, std::integral_constant<std::size_t, 1>());
    if (count == 2) return f(rows, columns, std::integral_constant<std::size_t, 2>());
    if (count == 3) return f(rows, columns, std::integral_constant<std::size_t, 3>());
    if (count == 4) return f(rows, columns, std::integral_constant<std::size_t, 4>());
    return f(rows, columns, std::integral_constant<std::size_t, 6>());
}

/// The same of wider symbols, for which one word is kept.
template <template <std::size_t> class Words>
index_t in_a_word(const symbols& a, const symbols& b) {
    return visit_symbols(a.size <= b.size ? a : b, a.size <= b.size ? b : a,
                         [](auto rows, auto columns) { return added_by_rows<Words, 1>(rows, columns); });
}

/// Wide symbols of a pair as codes of a byte: letters of any script are few.
class byte_pair {
public:
    /// Of symbols that may be too many; `good` says that both texts have codes.
    byte_pair(const symbols& a, const symbols& b) {
        if (a.size + b.size > most) return;
        visit_symbols(a, b,
                      [&](auto x, auto y) { good = encode(x, codes_) && encode(y, codes_ + x.size()); });
        first = {codes_, a.size, 1};
        second = {codes_ + a.size, b.size, 1};
    }
    byte_pair(const byte_pair&) = delete;
    byte_pair& operator=(const byte_pair&) = delete;

    bool good = false;
    symbols first{}, second{};

private:
    static constexpr index_t most = 2048;
    static constexpr std::size_t slots = 512;  // at least half of them are free
    struct slot {
        std::uint32_t symbol = 0;
        std::uint16_t code = 0;  // one more than the symbol's; 0: free
    };
    template <class Symbol>
    bool encode(std::span<const Symbol> text, std::uint8_t* to) {
        for (const Symbol symbol : text) {
            std::size_t at = static_cast<std::uint32_t>(symbol * 0x9e3779b1u) >> 23;
            while (table_[at].code != 0 && table_[at].symbol != symbol) at = (at + 1) % slots;
            if (table_[at].code == 0) {
                if (used_ == 256) return false;
                table_[at] = {symbol, ++used_};
            }
            *to++ = static_cast<std::uint8_t>(table_[at].code - 1);
        }
        return true;
    }
    slot table_[slots];
    std::uint8_t codes_[most];  // unset beyond the texts
    std::uint16_t used_ = 0;
};

/// Edits up to which the steps from diagonal to diagonal are tried first: little is lost where texts have
/// more. Wide symbols, which a word has to look for, are compared sooner.
index_t worth_trying(const symbols& a, const symbols& b) {
    const index_t shorter = std::min(a.size, b.size);
    return shorter <= 64 ? 3 : a.bytes > 1 ? 24 : shorter <= 256 ? 4 : 16;
}
/// Up to this bound they take less than a word of wide symbols, even where they are for nothing.
constexpr index_t sooner_than_a_word = 8;

}  // namespace

std::optional<brief_result> short_length(const symbols& a, const symbols& b) {
    const trimmed_pair t = trim(a, b);
    const index_t ends = t.prefix + t.suffix, shorter = std::min(t.a.size, t.b.size);
    if (shorter == 0) return brief_result{ends, words};
    if (shorter > most_short_lcs) return std::nullopt;
    if (a.bytes > 1 && shorter > 64) {
        const byte_pair bytes(t.a, t.b);
        if (!bytes.good) return std::nullopt;
        return brief_result{ends + short_length(bytes.first, bytes.second)->value, words};
    }
    if (a.bytes > 1) return brief_result{ends + in_a_word<lcs_words>(t.a, t.b), words};
    return brief_result{ends + in_words(t.a, t.b,
                                        [](auto rows, auto columns, auto count) {
                                            return added_by_rows<lcs_words, count()>(rows, columns);
                                        }),
                        words};
}

std::optional<brief_result> short_distance(const symbols& a, const symbols& b, index_t bound) {
    if (bound >= 0 && std::abs(a.size - b.size) > bound) return brief_result{bound + 1, band};
    const trimmed_pair t = trim(a, b);
    const index_t shorter = std::min(t.a.size, t.b.size), longer = std::max(t.a.size, t.b.size);
    const index_t most = bound < 0 ? longer : std::min(bound, longer);
    const auto answer = [&](index_t found, const char* variant) {
        return brief_result{bound < 0 || found <= bound ? found : bound + 1, variant};
    };
    if (shorter == 0) return answer(longer, words);
    if (bound == 0) return answer(1, band);
    if (most == 1) return answer(longer, steps);  // both ends differ: one edit is enough for one symbol only
    const index_t tried = worth_trying(t.a, t.b);
    if (most <= std::min(tried, sooner_than_a_word))
        return answer(*furthest_distance(t.a, t.b, most, most), steps);
    if (shorter > 64)
        if (const auto few = furthest_distance(t.a, t.b, most, std::min(tried, most - 1)))
            return answer(*few, steps);
    if (bound >= 0 && shorter > 64 && fits_word(t.a, t.b, most))
        if (const auto found = distance_in_word(t.a, t.b, most)) return answer(*found, band);
    if (a.bytes > 1) {
        if (shorter > 64) {
            if (shorter > most_short_edit) return std::nullopt;
            const byte_pair bytes(t.a, t.b);
            return bytes.good ? short_distance(bytes.first, bytes.second, bound) : std::nullopt;
        }
        return answer(longer + in_a_word<edit_words>(t.a, t.b), words);
    }
    if (shorter > most_short_edit) return std::nullopt;
    return answer(longer + in_words(t.a, t.b,
                                    [](auto rows, auto columns, auto count) {
                                        return added_by_rows<edit_words, count()>(rows, columns);
                                    }),
                  words);
}

}  // namespace wale::wavefront
