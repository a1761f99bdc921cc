// short_pair - one pair of short texts: no codes, no memory but the stack's, no choice of a row. What
// surrounds such a pair costs more than its cells.
#pragma once

#include <algorithm>
#include <optional>
#include <wale/brief.hpp>

#include "solvers/wavefront/jobs.hpp"
#include "solvers/wavefront/length/shared/short_words.hpp"
#include "solvers/wavefront/length/shared/word_band.hpp"
#include "solvers/wavefront/length/shared/words_of_rows.hpp"

namespace wale::wavefront {

/// Of texts whose shorter one has, without what both have in common at their ends, at most so many symbols.
inline constexpr index_t most_short_edit = 384, most_short_lcs = 384;

/// LCS length; nothing where the pair is not short.
[[nodiscard]] std::optional<brief_result> short_length(const symbols& a, const symbols& b);

/// Edit distance, bound + 1 above a bound >= 0; nothing where the pair is not short.
[[nodiscard]] std::optional<brief_result> short_distance(const symbols& a, const symbols& b, index_t bound);

/// Some pairs of bytes side by side, the shorter one of each of at most W words.
template <bool Edit, std::size_t W = 1>
class pairs_together {
public:
    static constexpr std::size_t count = W > 1 ? 2 : Edit ? 3 : 4;

    [[nodiscard]] static bool takes(const symbols& a, const symbols& b) {
        return a.bytes == 1 && b.bytes == 1 && std::min(a.size, b.size) <= index_t{64 * W};
    }
    /// What is equal at the ends is left out.
    void answer(const std::array<std::pair<symbols, symbols>, count>& pairs, std::int32_t* answers) {
        std::array<std::span<const std::uint8_t>, count> rows, columns;
        std::array<index_t, count> sizes, beside;
        for (std::size_t k = 0; k < count; ++k) {
            const trimmed_pair t = trim(pairs[k].first, pairs[k].second);
            rows[k] = typed<std::uint8_t>(t.a.size <= t.b.size ? t.a : t.b);
            columns[k] = typed<std::uint8_t>(t.a.size <= t.b.size ? t.b : t.a);
            sizes[k] = std::ssize(rows[k]);
            beside[k] = Edit ? std::ssize(columns[k]) : t.prefix + t.suffix;
            for (std::size_t row = 0; row < rows[k].size(); ++row)
                bits_[k][rows[k][row] * W + row / 64] |= std::uint64_t{1} << row % 64;
        }
        const auto held = [this](std::size_t k, std::uint8_t symbol) { return &bits_[k][symbol * W]; };
        const auto found = Edit ? run_together<edit_words<W>>(sizes, columns, held)
                                : run_together<lcs_words<W>>(sizes, columns, held);
        for (std::size_t k = 0; k < count; ++k) {
            answers[k] = static_cast<std::int32_t>(found[k] + beside[k]);
            for (const std::uint8_t symbol : rows[k])
                for (std::size_t w = 0; w < W; ++w) bits_[k][symbol * W + w] = 0;
        }
    }
    /// Answers the next pairs where it takes them all, and returns how many; pair(t) of `left` pairs.
    template <class Pair>
    [[nodiscard]] std::size_t answer_next(std::size_t left, const Pair& pair, std::int32_t* answers) {
        if (left < count) return 0;
        std::array<std::pair<symbols, symbols>, count> next;
        for (std::size_t t = 0; t < count; ++t) {
            next[t] = pair(t);
            if (!takes(next[t].first, next[t].second)) return 0;
        }
        answer(next, answers);
        return count;
    }

private:
    std::array<std::array<std::uint64_t, 256 * W>, count> bits_{};  // 0 but within answer()
};

/// Of many pairs one after the other, whose words stay from pair to pair.
class short_pairs {
public:
    /// LCS length, or edit distance as short_distance() gives it; nothing where the pair is not short.
    template <bool Edit>
    [[nodiscard]] std::optional<index_t> answer(const symbols& a, const symbols& b, index_t bound) {
        const index_t shorter = std::min(a.size, b.size);
        if (Edit ? bound < 0 && shorter <= 64 && a.bytes == 1 : short_words::takes(a.size < b.size ? a : b))
            return in_words<Edit>(a, b);
        const auto found = Edit ? short_distance(a, b, bound) : short_length(a, b);
        return found ? std::optional(found->value) : std::nullopt;
    }

    /// Whether run() takes a query: one of a word, or one with a bound that a word holds.
    template <bool Edit>
    [[nodiscard]] static bool takes_run(const symbols& query, index_t bound) {
        return (Edit && banded_query::takes(query, bound)) ||
               query.size <= (!Edit || bound < 0 || bound > most_steps ? 64 : least_steps);
    }
    /// answer() of one query and text(0), text(1), ... text(count - 1), all of its width; false where one of
    /// them is not short.
    template <bool Edit, class Text>
    [[nodiscard]] bool run(const symbols& query, std::size_t count, const Text& text, std::int32_t* answers,
                           index_t bound) {
        if (Edit && banded_query::takes(query, bound)) return run_banded(query, count, text, answers, bound);
        visit_symbols(query, query, [&]<class Symbol>(std::span<const Symbol> rows, auto) {
            const auto all = [&](const auto& matches) {
                run_with<Edit, Symbol>(std::ssize(rows), count, text, matches, answers, bound);
            };
            if constexpr (sizeof(Symbol) == 1) {
                words_.set(rows);
                all(words_);
                words_.clear();
            } else {
                all(word_of_wide<Symbol>(rows, {}));
            }
        });
        return true;
    }

private:
    static constexpr index_t most_steps = 3;    // edits up to which a pair is sooner looked at alone,
    static constexpr index_t least_steps = 20;  // of more symbols

    template <class Text>
    static bool run_banded(const symbols& query, std::size_t count, const Text& text, std::int32_t* answers,
                           index_t bound) {
        const banded_query banded(query, bound);
        for (std::size_t t = 0; t < count; ++t) {
            std::optional<index_t> found = banded.distance(text(t));
            if (!found)
                if (const auto one = short_distance(query, text(t), bound)) found = one->value;
            if (!found) return false;
            answers[t] = static_cast<std::int32_t>(*found);
        }
        return true;
    }
    template <bool Edit, class Symbol, class Text, class Matches>
    static void run_with(index_t rows, std::size_t count, const Text& text, const Matches& matches,
                         std::int32_t* answers, index_t bound) {
        std::size_t k = 0;
        const auto some = [&]<std::size_t Count>(std::integral_constant<std::size_t, Count>) {
            for (; k + Count <= count; k += Count) {
                std::array<std::span<const Symbol>, Count> texts;
                for (std::size_t t = 0; t < Count; ++t) texts[t] = typed<Symbol>(text(k + t));
                std::array<index_t, Count> all_rows;
                all_rows.fill(rows);
                const auto held = [&](std::size_t, Symbol symbol) { return matches(symbol); };
                const auto found = Edit ? run_together<edit_words<1>>(all_rows, texts, held)
                                        : run_together<lcs_words<1>>(all_rows, texts, held);
                for (std::size_t t = 0; t < Count; ++t) {
                    const index_t value = Edit ? found[t] + std::ssize(texts[t]) : found[t];
                    answers[k + t] =
                        static_cast<std::int32_t>(bound < 0 || value <= bound ? value : bound + 1);
                }
            }
        };
        some(std::integral_constant < std::size_t, Edit ? 3 : 4 > ());
        some(std::integral_constant<std::size_t, 1>());
    }

    /// What is equal at the ends is left out.
    template <bool Edit>
    index_t in_words(const symbols& a, const symbols& b) {
        const trimmed_pair t = trim(a, b);
        const auto rows = typed<std::uint8_t>(t.a.size <= t.b.size ? t.a : t.b),
                   columns = typed<std::uint8_t>(t.a.size <= t.b.size ? t.b : t.a);
        words_.set(rows);
        const index_t found = Edit ? words_.edit(columns) : words_.lcs(columns) + t.prefix + t.suffix;
        words_.clear();
        return found;
    }
    short_words words_;
};

}  // namespace wale::wavefront
