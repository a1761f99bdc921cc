#include "solvers/wavefront/infix/shared/nearest.hpp"

#include <algorithm>
#include <utility>

#include "solvers/wavefront/infix/shared/last_row.hpp"
#include "solvers/wavefront/infix/shared/path.hpp"

namespace wale::wavefront {

namespace {

/// The least values of the last row and their columns, from what each column adds.
class least_values {
public:
    least_values(index_t rows, index_t bound) : value_(rows), wanted_(std::min(rows, bound)) {
        if (rows <= bound) best_ = {rows, {0}};  // the empty part
    }
    void add(std::size_t column, index_t step) {
        value_ += step;
        if (value_ > wanted_) return;
        if (value_ != best_.distance) best_.ends.clear();
        best_.distance = wanted_ = value_;
        best_.ends.push_back(static_cast<index_t>(column) + 1);
    }
    [[nodiscard]] infix_best take() { return std::move(best_); }

private:
    index_t value_, wanted_;
    infix_best best_;
};

/// No part that begins where the text begins is longer.
symbols reachable(const symbols& query, const symbols& text, bool prefix, index_t bound) {
    return part(text, 0, prefix ? std::min(text.size, query.size + std::min(query.size, bound)) : text.size);
}

}  // namespace

infix_best nearest_in_words(const symbols& query, const symbols& text, bool prefix, index_t bound) {
    least_values best(query.size, bound);
    by_words(query.size, [&](auto words) {
        word_columns<words()>(typed<std::uint8_t>(query),
                              typed<std::uint8_t>(reachable(query, text, prefix, bound)), prefix,
                              [&](std::size_t column, const auto&, index_t step) { best.add(column, step); });
    });
    return best.take();
}

infix_best nearest_in_strips(const symbols& query, const symbols& text, bool prefix, index_t bound) {
    if (query.size - text.size > bound) return {};  // as many symbols of the query have no partner
    least_values best(query.size, bound);
    std::size_t column = 0;
    for (const std::int8_t step :
         last_row_steps(encode(query, reachable(query, text, prefix, bound)), prefix))
        best.add(column++, step);
    return best.take();
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
    out.cigar = cigar_of(query, part(text, first.begin, first.end - first.begin), best.distance);
    return out;
}

}  // namespace wale::wavefront
