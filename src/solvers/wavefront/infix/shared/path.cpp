#include "solvers/wavefront/infix/shared/path.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <string_view>

#include "solvers/wavefront/infix/shared/band.hpp"

namespace wale::wavefront {
namespace {

constexpr std::size_t traced_words = std::size_t{1} << 18;  // 4 MiB of two bits a cell

using codes = code_span;

/// Two words of each word of 64 rows, column after column, of a band.
class kept_band {
public:
    kept_band(diagonal_band band, std::size_t words, std::size_t columns)
        : band_(band),
          words_(words),
          pitch_(band.words(words)),
          kept_(std::make_unique_for_overwrite<differences[]>(pitch_ * columns)) {}
    /// Of a column, by the number of the word.
    [[nodiscard]] differences* column(std::size_t j) {
        return kept_.get() + j * pitch_ - band_.first_word(static_cast<index_t>(j));
    }
    /// Whether bits of row i are set in column j. Of a row below the band: no.
    [[nodiscard]] bool plus(std::size_t i, std::size_t j) const { return bit(i, j, &differences::plus); }
    [[nodiscard]] bool minus(std::size_t i, std::size_t j) const { return bit(i, j, &differences::minus); }

private:
    [[nodiscard]] bool bit(std::size_t i, std::size_t j, std::uint64_t differences::*which) const {
        const auto at = static_cast<index_t>(j);
        if (i / 64 >= band_.end_word(at, words_)) return false;
        return (kept_[j * pitch_ + i / 64 - band_.first_word(at)].*which >> i % 64 & 1) != 0;
    }
    diagonal_band band_;
    std::size_t words_, pitch_;
    std::unique_ptr<differences[]> kept_;
};

/// The operations from the end to the beginning, by the vertical differences of all columns. kept.plus(i, j)
/// and kept.minus(i, j): whether the value in row i of column j is one more, one less than that above.
template <class Symbol, class Kept>
std::string walked_back(std::span<const Symbol> query, std::span<const Symbol> text, const Kept& kept) {
    std::string back;
    std::size_t i = query.size(), j = text.size();
    while (i > 0 && j > 0) {
        if (query[i - 1] == text[j - 1]) {  // never worse than a gap
            back += '=';
            --i, --j;
        } else if (kept.plus(i - 1, j - 1)) {
            back += 'I';
            --i;
        } else if (j > 1 && kept.minus(i - 1, j - 2)) {  // to the left is less than on the diagonal
            back += 'D';
            --j;
        } else {
            back += 'X';
            --i, --j;
        }
    }
    return back.append(i, 'I').append(j, 'D');
}

/// The same by the rule of ties of alignments. kept.plus(i, j): whether the cell has the value of its upper
/// left neighbour.
template <class Symbol, class Kept>
std::string pairs_walked_back(std::span<const Symbol> query, std::span<const Symbol> text, const Kept& kept) {
    std::string back;
    std::size_t i = query.size(), j = text.size();
    while (i > 0 && j > 0) {
        const bool equal = query[i - 1] == text[j - 1];
        if (equal || !kept.plus(i - 1, j - 1)) {
            back += equal ? '=' : 'X';
            --i, --j;
        } else if (j > 1 && kept.minus(i - 1, j - 2)) {
            back += 'D';
            --j;
        } else {
            back += 'I';
            --i;
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
    path_builder(std::uint32_t count, bool pairs_first) : count_(count), pairs_first_(pairs_first) {}

    void add(codes query, codes text, index_t distance) {
        if (query.empty() || text.empty()) {
            operations_.append(query.size(), 'I').append(text.size(), 'D');
            return;
        }
        const auto band = diagonal_band::of_path(std::ssize(query), std::ssize(text), distance);
        const std::size_t words = (query.size() + 63) / 64;
        if (text.size() == 1 || band.words(words) * text.size() <= traced_words)
            return trace(query, text, band);
        // Hirschberg 1975: where the best path crosses the middle column.
        const std::size_t middle = text.size() / 2;
        const std::vector<index_t> before = last_column(query, text.first(middle), band);
        const std::vector<std::uint32_t> back_query(query.rbegin(), query.rend());
        const codes rest = text.subspan(middle);
        const std::vector<std::uint32_t> back_text(rest.rbegin(), rest.rend());
        const std::vector<index_t> after = last_column(back_query, back_text, band);
        std::size_t row = 0;
        while (before[row] + after[query.size() - row] > distance) ++row;
        const index_t first = before[row];
        add(query.first(row), text.first(middle), first);
        add(query.subspan(row), rest, distance - first);
    }
    [[nodiscard]] const std::string& operations() const { return operations_; }

private:
    /// Distances of all prefixes of the query, the empty one first, to the whole text: those that a path in
    /// the band has; others are not too small.
    [[nodiscard]] std::vector<index_t> last_column(codes query, codes text, diagonal_band band) const {
        constexpr index_t beyond = index_t{1} << 60;
        std::vector<index_t> out(query.size() + 1, beyond);
        const row_masks masks(query, count_);
        band_table table(masks, std::ssize(query), band);
        cpu::rare_poll poll(64);
        for (const std::uint32_t code : text) {
            poll();
            table.column(code, [](std::size_t, std::uint64_t, const differences&) {});
        }
        table.for_values([&](index_t row, index_t value) { out[static_cast<std::size_t>(row)] = value; });
        return out;
    }

    /// Walks back in what is kept of all columns.
    void trace(codes query, codes text, diagonal_band band) {
        const row_masks masks(query, count_);
        band_table table(masks, std::ssize(query), band);
        kept_band kept(band, masks.words(), text.size());
        cpu::rare_poll poll(64);
        for (std::size_t j = 0; j < text.size(); ++j) {
            poll();
            differences* const to = kept.column(j);
            if (pairs_first_)
                table.column(text[j], [to](std::size_t w, std::uint64_t level, const differences& v) {
                    to[w] = {level, v.minus};
                });
            else
                table.column(text[j],
                             [to](std::size_t w, std::uint64_t, const differences& v) { to[w] = v; });
        }
        const std::string back =
            pairs_first_ ? pairs_walked_back(query, text, kept) : walked_back(query, text, kept);
        operations_.append(back.rbegin(), back.rend());
    }

    std::uint32_t count_;
    bool pairs_first_;
    std::string operations_;
};

/// What is kept of the whole columns of a query of at most 64 W rows.
template <std::size_t W>
struct kept_words {
    std::vector<differences> words;
    [[nodiscard]] bool plus(std::size_t i, std::size_t j) const {
        return (words[j * W + i / 64].plus >> i % 64 & 1) != 0;
    }
    [[nodiscard]] bool minus(std::size_t i, std::size_t j) const {
        return (words[j * W + i / 64].minus >> i % 64 & 1) != 0;
    }
};

constexpr index_t most_short_text = 4096;

/// The path of a query that takes_words() takes.
std::string short_cigar(const symbols& query, const symbols& text) {
    const auto rows = typed<std::uint8_t>(query), columns = typed<std::uint8_t>(text);
    return by_words(query.size, [&](auto words) {
        kept_words<words()> kept;
        kept.words.reserve(words() * columns.size());
        word_columns<words()>(rows, columns, true, [&](std::size_t, const auto& v, index_t) {
            kept.words.insert(kept.words.end(), v.begin(), v.end());
        });
        std::string path = walked_back(rows, columns, kept);
        std::reverse(path.begin(), path.end());
        return runs_of(path);
    });
}

/// The value in row `rows` of a column by its vertical differences.
template <std::size_t W>
index_t value_at(index_t column, const differences* v, std::size_t rows) {
    index_t value = column;
    for (std::size_t w = 0; w < W && rows > w * 64; ++w) {
        const std::uint64_t mask = ~std::uint64_t{0} >> (64 - std::min<std::size_t>(rows - w * 64, 64));
        value += std::popcount(v[w].plus & mask) - std::popcount(v[w].minus & mask);
    }
    return value;
}

}  // namespace

std::string cigar_of(const symbols& query, const symbols& text, index_t distance) {
    if (takes_words(query) && text.size <= most_short_text) return short_cigar(query, text);
    const coded_pair pair = encode(query, text);
    path_builder path(pair.count, false);
    path.add(pair.a, pair.b, distance);
    return runs_of(path.operations());
}

std::string paired_operations(const symbols& query, const symbols& text, index_t distance) {
    const coded_pair pair = encode(query, text);
    path_builder path(pair.count, true);
    path.add(pair.a, pair.b, distance);
    return path.operations();
}

std::string paired_cigar(const symbols& query, const symbols& text, index_t distance) {
    const auto rows = typed<std::uint8_t>(query), columns = typed<std::uint8_t>(text);
    return by_words(query.size, [&](auto words) {
        constexpr std::size_t w = words();
        std::vector<differences> kept(w, {~std::uint64_t{0}, 0});  // of the border column first
        kept.reserve(w * (columns.size() + 1));
        word_columns<w>(rows, columns, true, [&](std::size_t, const auto& v, index_t) {
            kept.insert(kept.end(), v.begin(), v.end());
        });
        std::string path;
        std::size_t i = rows.size(), j = columns.size();
        for (index_t value = distance; i > 0 && j > 0;) {
            const bool equal = rows[i - 1] == columns[j - 1];
            const differences* const left = &kept[(j - 1) * w];
            const auto column = static_cast<index_t>(j) - 1;
            if (equal || value_at<w>(column, left, i - 1) == value - 1) {
                path += equal ? '=' : 'X';
                --i, --j;
            } else if (value_at<w>(column, left, i) == value - 1) {
                path += 'D';
                --j;
            } else {
                path += 'I';
                --i;
            }
            value -= equal ? 0 : 1;
        }
        path.append(i, 'I').append(j, 'D');
        std::reverse(path.begin(), path.end());
        return runs_of(path);
    });
}

}  // namespace wale::wavefront
