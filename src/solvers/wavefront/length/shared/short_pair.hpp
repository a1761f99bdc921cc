// short_pair - one pair of short texts: no codes, no memory but the stack's, no choice of a row. What
// surrounds such a pair costs more than its cells.
#pragma once

#include <algorithm>
#include <optional>
#include <wale/brief.hpp>

#include "solvers/wavefront/jobs.hpp"
#include "solvers/wavefront/length/shared/short_words.hpp"

namespace wale::wavefront {

/// Of texts whose shorter one has, without what both have in common at their ends, at most so many symbols.
inline constexpr index_t most_short_edit = 256, most_short_lcs = 384;

/// LCS length; nothing where the pair is not short.
[[nodiscard]] std::optional<brief_result> short_length(const symbols& a, const symbols& b);

/// Edit distance, bound + 1 above a bound >= 0; nothing where the pair is not short.
[[nodiscard]] std::optional<brief_result> short_distance(const symbols& a, const symbols& b, index_t bound);

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

private:
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
