#include "solvers/wavefront/infix/shared/nearest.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

#include "solvers/wavefront/infix/shared/band.hpp"
#include "solvers/wavefront/infix/shared/last_row.hpp"
#include "solvers/wavefront/infix/shared/path.hpp"
#include "solvers/wavefront/length/shared/bounded.hpp"

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
        see(column, value_);
    }
    void see(std::size_t column, index_t value) {
        if (value > wanted_) return;
        if (value != best_.distance) best_.ends.clear();
        best_.distance = wanted_ = value;
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

namespace {

/// Column by column of a table that is exact up to a bound.
template <class Table>
infix_best least_of(Table table, const coded_pair& pair, index_t bound) {
    least_values best(std::ssize(pair.a), bound);
    cpu::rare_poll poll(64);
    const bool rows_above = pair.a.size() > 64;  // the first word has not the last row
    for (std::size_t column = 0; column < pair.b.size(); ++column) {
        poll();
        if constexpr (std::is_same_v<Table, upper_table>) {
            constexpr std::size_t turn = 1 << 12;  // columns between two polls
            const code_span rest = code_span(pair.b).subspan(column);
            column += rows_above ? table.skim(rest.first(std::min(turn, rest.size()))) : 0;
            if (column == pair.b.size()) break;
        }
        if constexpr (std::is_same_v<Table, band_table>) {
            constexpr std::size_t turn = 64;  // columns from one look to the next at what is within the bound
            table.column(pair.b[column], [](std::size_t, std::uint64_t, const differences&) {});
            if (column % turn == turn - 1 && table.least() > bound) break;
        } else {
            table.column(pair.b[column]);
        }
        if (table.at_last_row()) best.see(column, table.last_value());
    }
    return best.take();
}

/// Words of a column that a bound leaves.
index_t words_within(index_t rows, index_t bound, bool prefix) {
    const index_t all = (rows + 63) / 64;
    // Unrelated symbols cost some 0.4 edits a row.
    return std::min(all, (prefix ? 2 * bound : 5 * bound / 2) / 64 + 2);
}

/// Of a prefix, where few edits suffice or the bound asks for few: nothing where a table takes less time.
std::optional<infix_best> few_edits(const symbols& query, const symbols& text, index_t bound) {
    constexpr double dearer = 4;  // than steps of which half are left out, as those of a whole text are
    const index_t cells =
        std::min(words_within(query.size, bound, true) * word_cells, last_row_cells(query.size));
    const auto columns = static_cast<double>(std::min(text.size, query.size + bound));
    const index_t worth = furthest_worth(static_cast<double>(cells) * columns / dearer);
    infix_best best;
    const auto found = furthest_prefix(query, text, bound, bound <= worth ? worth + 1 : worth, best.ends);
    if (!found) return std::nullopt;
    if (*found <= bound) best.distance = *found;
    return best;
}

}  // namespace

infix_best nearest_in_strips(const symbols& query, const symbols& text, bool prefix, index_t bound) {
    if (query.size - text.size > bound) return {};  // as many symbols of the query have no partner
    if (prefix)
        if (const auto few = few_edits(query, text, std::min(query.size, bound))) return *few;
    const coded_pair pair = encode(query, reachable(query, text, prefix, bound));
    const index_t rows = query.size;
    // Rounds begin with a small bound where one that fails takes little of what the last one takes: of a
    // prefix, and of a query that may lie in a text much longer than itself.
    constexpr index_t first_bound = 64, first_infix = 16, widening = 4;
    const bool begins = prefix || text.size > 4 * rows;
    // No round takes nearly as long as the one with the bound itself.
    const auto rounded = [bound](index_t tried) { return 2 * tried > bound ? bound : tried; };
    for (index_t tried = begins ? rounded(prefix ? first_bound : first_infix) : bound;;
         tried = prefix ? rounded(widening * tried) : bound) {
        const index_t cells = words_within(rows, tried, prefix) * word_cells;
        if ((prefix ? 1 : 2) * cells > last_row_cells(rows)) break;  // a prefix may be given up early
        const row_masks masks(pair.a, pair.count);
        infix_best found = prefix ? least_of(band_table(masks, rows, {-tried, tried}), pair, tried)
                                  : least_of(upper_table(masks, rows, tried), pair, tried);
        if (found.distance >= 0 || tried == bound) return found;
    }
    least_values best(rows, bound);
    std::size_t column = 0;
    for (const std::int8_t step : last_row_steps(pair, prefix)) best.add(column++, step);
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
