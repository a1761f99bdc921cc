#include <algorithm>

#include "solvers/wavefront/infix/shared/band.hpp"
#include "solvers/wavefront/infix/shared/last_row.hpp"
#include "solvers/wavefront/infix/shared/path.hpp"

namespace wale::wavefront {
namespace {

template <class Symbol>
std::vector<Symbol> reversed(std::span<const Symbol> s) {
    return {s.rbegin(), s.rend()};
}

/// Columns after which a query is at `distance`, where nothing is less; the largest one. 0: before all.
index_t furthest_column(const coded_pair& pair, index_t distance) {
    const index_t rows = std::ssize(pair.a);
    index_t found = 0;
    const diagonal_band band{-distance, distance};
    const auto words = static_cast<index_t>(band.words((pair.a.size() + 63) / 64));
    if (words * word_cells > last_row_cells(rows)) {
        index_t value = rows, column = 0;
        for (const std::int8_t step : last_row_steps(pair, true)) {
            ++column;
            value += step;
            if (value == distance) found = column;
        }
        return found;
    }
    const row_masks masks(pair.a, pair.count);
    band_table table(masks, rows, band);
    cpu::rare_poll poll(64);
    for (std::size_t column = 0; column < pair.b.size(); ++column) {
        poll();
        table.column(pair.b[column], [](std::size_t, std::uint64_t, const differences&) {});
        if (table.at_last_row() && table.last_value() == distance) found = static_cast<index_t>(column) + 1;
    }
    return found;
}

}  // namespace

index_t begin_of(const symbols& query, const symbols& text, index_t end, index_t distance) {
    // Backwards from `end` the part is a prefix, and no longer than the query and the distance together.
    const index_t size = std::min(end, query.size + distance);
    if (takes_words(query)) {
        const auto rows = reversed(typed<std::uint8_t>(query));
        const auto window = reversed(typed<std::uint8_t>(part(text, end - size, size)));
        index_t found = query.size == distance ? 0 : -1, value = query.size;
        by_words(query.size, [&](auto words) {
            word_columns<words()>(std::span<const std::uint8_t>(rows), std::span<const std::uint8_t>(window),
                                  true, [&](std::size_t column, const auto&, index_t step) {
                                      value += step;
                                      if (value == distance) found = static_cast<index_t>(column) + 1;
                                  });
        });
        return end - found;
    }
    return visit_symbols(query, part(text, end - size, size), [&](auto rows, auto window) {
        const auto back_rows = reversed(rows);
        const auto back_window = reversed(window);
        return end - furthest_column(encode({back_rows.data(), query.size, query.bytes},
                                            {back_window.data(), size, query.bytes}),
                                     distance);
    });
}

}  // namespace wale::wavefront
