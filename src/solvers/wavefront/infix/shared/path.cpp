#include "solvers/wavefront/infix/shared/path.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#include "cpu/poll.hpp"
#include "solvers/wavefront/infix/shared/word_columns.hpp"
#include "solvers/wavefront/length/shared/bit_vector.hpp"

namespace wale::wavefront {
namespace {

constexpr std::size_t traced_words = std::size_t{1} << 17;  // 2 MiB of vertical differences

using codes = std::span<const std::uint32_t>;

coded_pair pair_of(codes query, codes text, std::uint32_t count) {
    return {{query.begin(), query.end()}, {text.begin(), text.end()}, count};
}

/// Calls after(column, v) with the vertical differences after each column of the table whose upper border
/// rises by one a column (Myers 1999, in blocks of a word).
template <class After>
void columns(const coded_pair& pair, After&& after) {
    const match_table matches(pair);
    std::vector<differences> v(matches.words(), {~std::uint64_t{0}, 0});
    cpu::rare_poll poll(64);
    for (std::size_t column = 0; column < pair.b.size(); ++column) {
        poll();
        std::uint64_t plus_in = 1, minus_in = 0;
        matches.for_words(pair.b[column], [&](std::size_t w, std::uint64_t m) {
            const auto [up, down] = v[w];
            const std::uint64_t xv = m | down;
            m |= minus_in;
            const std::uint64_t xh = (((m & up) + up) ^ up) | m;
            const std::uint64_t plus = down | ~(xh | up);
            const std::uint64_t minus = up & xh;
            const std::uint64_t below = plus << 1 | plus_in;
            v[w] = {(minus << 1 | minus_in) | ~(xv | below), below & xv};
            plus_in = plus >> 63;
            minus_in = minus >> 63;
        });
        after(column, v);
    }
}

index_t step(const differences* v, std::size_t row) {
    return static_cast<index_t>(v[row / 64].plus >> row % 64 & 1) -
           static_cast<index_t>(v[row / 64].minus >> row % 64 & 1);
}

/// Distances of all prefixes of the query, the empty one first, to the whole text.
std::vector<index_t> last_column(codes query, codes text, std::uint32_t count) {
    std::vector<index_t> out(query.size() + 1);
    out[0] = std::ssize(text);
    const auto sum = [&](const std::vector<differences>& v) {
        for (std::size_t i = 0; i < query.size(); ++i) out[i + 1] = out[i] + step(v.data(), i);
    };
    if (text.empty()) sum(std::vector<differences>(query.size() / 64 + 1, {~std::uint64_t{0}, 0}));
    columns(pair_of(query, text, count), [&](std::size_t column, const std::vector<differences>& v) {
        if (column + 1 == text.size()) sum(v);
    });
    return out;
}

/// The operations from the end to the beginning, by the vertical differences of all columns.
template <class Symbol>
std::string walked_back(std::span<const Symbol> query, std::span<const Symbol> text,
                        const std::vector<differences>& kept, std::size_t words) {
    std::string back;
    std::size_t i = query.size(), j = text.size();
    while (i > 0 && j > 0) {
        if (query[i - 1] == text[j - 1]) {  // never worse than a gap
            back += '=';
            --i, --j;
        } else if (step(&kept[(j - 1) * words], i - 1) == 1) {
            back += 'I';
            --i;
        } else if (j > 1 &&
                   step(&kept[(j - 2) * words], i - 1) == -1) {  // to the left is less than on the diagonal
            back += 'D';
            --j;
        } else {
            back += 'X';
            --i, --j;
        }
    }
    return back.append(i, 'I').append(j, 'D');
}

/// Runs of operations with their lengths.
std::string runs_of(std::string_view operations) {
    std::string out;
    for (std::size_t k = 0; k < operations.size();) {
        const std::size_t end = std::min(operations.find_first_not_of(operations[k], k), operations.size());
        out += std::to_string(end - k);
        out += operations[k];
        k = end;
    }
    return out;
}

/// Operations in the order of the sequences: parts of a path are appended one after the other.
class path_builder {
public:
    explicit path_builder(std::uint32_t count) : count_(count) {}

    void add(codes query, codes text) {
        const std::size_t words = (query.size() + 63) / 64;
        if (query.empty() || text.empty() || words * text.size() <= traced_words || text.size() == 1)
            return trace(query, text);
        // Hirschberg 1975: where the best path crosses the middle column.
        const std::size_t middle = text.size() / 2;
        const std::vector<index_t> before = last_column(query, text.first(middle), count_);
        const std::vector<std::uint32_t> back_query(query.rbegin(), query.rend());
        const codes rest = text.subspan(middle);
        const std::vector<std::uint32_t> back_text(rest.rbegin(), rest.rend());
        const std::vector<index_t> after = last_column(back_query, back_text, count_);
        std::size_t row = 0;
        for (std::size_t i = 0; i <= query.size(); ++i)
            if (before[i] + after[query.size() - i] < before[row] + after[query.size() - row]) row = i;
        add(query.first(row), text.first(middle));
        add(query.subspan(row), rest);
    }
    [[nodiscard]] std::string cigar() const { return runs_of(operations_); }

private:
    /// Walks back in the vertical differences of all columns.
    void trace(codes query, codes text) {
        const std::size_t words = (query.size() + 63) / 64;
        std::vector<differences> kept;
        kept.reserve(words * text.size());
        if (!query.empty())
            columns(pair_of(query, text, count_), [&](std::size_t, const std::vector<differences>& v) {
                kept.insert(kept.end(), v.begin(), v.end());
            });
        const std::string back = walked_back(query, text, kept, words);
        operations_.append(back.rbegin(), back.rend());
    }

    std::uint32_t count_;
    std::string operations_;
};

constexpr index_t most_short_text = 4096;

/// The path of a query that takes_words() takes.
std::string short_cigar(const symbols& query, const symbols& text) {
    const auto rows = typed<std::uint8_t>(query), columns = typed<std::uint8_t>(text);
    return by_words(query.size, [&](auto words) {
        std::vector<differences> kept;
        kept.reserve(words() * columns.size());
        word_columns<words()>(rows, columns, true, [&](std::size_t, const auto& v, index_t) {
            kept.insert(kept.end(), v.begin(), v.end());
        });
        std::string path = walked_back(rows, columns, kept, words());
        std::reverse(path.begin(), path.end());
        return runs_of(path);
    });
}

template <class Symbol>
std::vector<Symbol> reversed(std::span<const Symbol> s) {
    return {s.rbegin(), s.rend()};
}

}  // namespace

std::string cigar_of(const symbols& query, const symbols& text) {
    if (takes_words(query) && text.size <= most_short_text) return short_cigar(query, text);
    const coded_pair pair = encode(query, text);
    path_builder path(pair.count);
    path.add(pair.a, pair.b);
    return path.cigar();
}

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
        const coded_pair pair =
            encode({back_rows.data(), query.size, query.bytes}, {back_window.data(), size, query.bytes});
        index_t found = query.size == distance ? 0 : -1;  // the empty part
        index_t value = query.size;
        columns(pair, [&](std::size_t column, const std::vector<differences>& v) {
            value = static_cast<index_t>(column) + 1;
            for (const differences& word : v) value += std::popcount(word.plus) - std::popcount(word.minus);
            const std::size_t spare = v.size() * 64 - rows.size();  // rows below the query, all one word's
            const std::uint64_t below = spare == 0 ? 0 : ~std::uint64_t{0} << (64 - spare);
            value -= std::popcount(v.back().plus & below) - std::popcount(v.back().minus & below);
            if (value == distance) found = static_cast<index_t>(column) + 1;
        });
        return end - found;
    });
}

}  // namespace wale::wavefront
