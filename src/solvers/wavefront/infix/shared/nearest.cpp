#include "solvers/wavefront/infix/shared/nearest.hpp"

#include "solvers/wavefront/infix/shared/path.hpp"

namespace wale::wavefront {

infix_best nearest_in_words(const symbols& query, const symbols& text, bool prefix, index_t bound) {
    infix_best best;
    const index_t m = query.size;
    if (m <= bound) best = {m, {0}};  // the empty part
    // No part that begins where the text begins is longer.
    const index_t size = prefix ? std::min(text.size, m + std::min(m, bound)) : text.size;
    by_words(m, [&](auto words) {
        index_t value = m, wanted = std::min(m, bound);
        word_columns<words()>(typed<std::uint8_t>(query), typed<std::uint8_t>(part(text, 0, size)), prefix,
                              [&](std::size_t column, const auto&, index_t step) {
                                  value += step;
                                  if (value > wanted) return;
                                  if (value != best.distance) best.ends.clear();
                                  best.distance = wanted = value;
                                  best.ends.push_back(static_cast<index_t>(column) + 1);
                              });
    });
    return best;
}

infix_match match_of(const infix_best& best, const symbols& query, const symbols& text, bool prefix,
                     infix_task task) {
    infix_match out;
    out.distance = best.distance;
    for (const index_t end : best.ends) {
        const bool known = task == infix_task::distance;
        out.locations.push_back({known                ? -1
                                 : prefix || end == 0 ? 0
                                                      : begin_of(query, text, end, best.distance),
                                 end, false});
    }
    if (task != infix_task::path || out.locations.empty()) return out;
    const infix_location& first = out.locations.front();
    out.cigar = cigar_of(query, part(text, first.begin, first.end - first.begin));
    return out;
}

}  // namespace wale::wavefront
