#include "solvers/wavefront/infix/shared/last_row.hpp"

#include <array>
#include <bit>
#include <utility>

#include "base/aligned.hpp"
#include "cpu/poll.hpp"
#include "solvers/wavefront/infix/shared/word_columns.hpp"
#include "solvers/wavefront/length/shared/strips.hpp"

namespace wale::wavefront {
namespace {

/// Fewer rows are columns of plain words: most lanes of a vector would have none.
constexpr std::size_t most_words = 3;

/// A short query, column by column.
class plain_words {
public:
    plain_words(code_span rows, std::uint32_t codes) : rows_(rows), words_((rows.size() + 63) / 64) {
        matches_.resize(codes * words_);
        for (std::size_t row = 0; row < rows.size(); ++row)
            matches_[rows[row] * words_ + row / 64] |= std::uint64_t{1} << row % 64;
    }

    void run(code_span columns, bool rising, std::int8_t* steps) const {
        [&]<std::size_t... W>(std::index_sequence<W...>) {
            (void)((words_ == W + 1 ? (run_words<W + 1>(columns, rising, steps), true) : false) || ...);
        }
        (std::make_index_sequence<most_words>());
    }

private:
    template <std::size_t W>
    void run_words(code_span columns, bool rising, std::int8_t* steps) const {
        std::array<differences, W> v;
        v.fill({~std::uint64_t{0}, 0});
        const std::size_t last = (rows_.size() - 1) % 64;
        cpu::rare_poll poll(4096);
        for (std::size_t column = 0; column < columns.size(); ++column) {
            poll();
            const std::uint64_t* const m = matches_.data() + columns[column] * W;
            differences carry{rising ? 1u : 0u, 0};
            for (std::size_t w = 0; w < W; ++w) {
                const word_step s = next_column(m[w], v[w], carry);
                if (w + 1 == W) steps[column] = static_cast<std::int8_t>(step_of(s, last));
            }
        }
    }

    code_span rows_;
    std::size_t words_;
    std::vector<std::uint64_t> matches_;  // words of a code side by side
};

/// The vectors of a strip and what is left: strips of one, two or four.
int strip_of(std::size_t vectors) {
    return static_cast<int>(std::min<std::size_t>(vectors == 3 ? 4 : std::bit_floor(vectors), widest_strip));
}

/// Strips of whole vectors. The rows that the query does not fill are above it, of a symbol that no column
/// has. Below a border of zeros their values are what they add to the query's; below one that rises by one a
/// column they begin with zeros, and rise likewise.
class rows_in_strips {
public:
    rows_in_strips(const coded_pair& pair, bool rising)
        : pair_(pair),
          recurrence_(edit_strips()),
          planes_(compiled_planes(static_cast<int>(std::bit_width(pair.count)))),
          rising_(rising),
          vector_rows_(static_cast<std::size_t>(strip_lanes() * recurrence_.rows_a_word)) {
        const std::size_t size = pair.a.size();
        std::size_t vectors = 0;
        while (vectors * vector_rows_ < size)
            vectors += static_cast<std::size_t>(strip_of((size + vector_rows_ - 1) / vector_rows_ - vectors));
        rows_.assign(vectors * vector_rows_ - size, pair.count);
        above_ = rows_.size();
        rows_.insert(rows_.end(), pair.a.begin(), pair.a.end());
        for (std::size_t row = 0; row < rows_.size();) row += add_strip(row);
    }

    void run(std::int8_t* steps) {
        const auto block = static_cast<std::size_t>(chosen_strips().columns);
        const std::size_t widest = std::min(block, pair_.b.size());
        pitch_ = static_cast<index_t>(widest) + 2 * strip_padding;
        columns_.resize(static_cast<std::size_t>(planes_ * pitch_));
        carries_.resize(static_cast<std::size_t>(2 * pitch_));
        active_.resize(static_cast<std::size_t>(pitch_));
        for (std::size_t first = 0; first < pair_.b.size(); first += block) {
            const code_span part = code_span(pair_.b).subspan(first, std::min(block, pair_.b.size() - first));
            run_block(part, steps + first);
        }
    }

private:
    struct strip {
        int vectors;
        base::aligned_vector<std::uint64_t> planes, state;
    };

    std::size_t add_strip(std::size_t row) {
        const int vectors = strip_of((rows_.size() - row) / vector_rows_);
        const auto words = static_cast<std::size_t>(vectors * strip_lanes()),
                   a_word = static_cast<std::size_t>(recurrence_.rows_a_word);
        strip s{vectors, base::aligned_vector<std::uint64_t>(words * static_cast<std::size_t>(planes_)),
                base::aligned_vector<std::uint64_t>(2 * words)};
        pack_rows({rows_.data() + row, words * a_word, a_word, words, planes_, s.planes.data()});
        for (std::size_t w = 0; w < words; ++w) {
            const auto first = static_cast<index_t>(above_) - static_cast<index_t>(row + w * a_word);
            s.state[w] = recurrence_.state_start[0];
            if (rising_) s.state[w] &= ~row_bits(first, recurrence_.rows_a_word);
            s.state[words + w] = recurrence_.state_start[1];
        }
        strips_.push_back(std::move(s));
        return words * a_word;
    }

    void run_block(code_span part, std::int8_t* steps) {
        const auto count = static_cast<index_t>(part.size());
        const std::uint64_t above = rising_ ? recurrence_.carry_start[0] : 0;
        std::fill_n(carries_.begin(), pitch_, above);
        std::fill_n(carries_.begin() + pitch_, pitch_, std::uint64_t{0});
        if (!strips_.empty()) {
            spread_columns(
                {part.data(), count, planes_, ~std::uint64_t{1}, columns_.data() + strip_padding, pitch_});
            std::fill(active_.begin(), active_.end(), std::uint64_t{0});
            std::fill_n(active_.begin() + strip_padding, count, ~std::uint64_t{0});
        }
        for (strip& s : strips_) {
            cpu::poll();
            recurrence_.run({s.planes.data(), planes_, s.vectors, s.state.data(), columns_.data(),
                             carries_.data(), active_.data(), pitch_, count});
        }
        const std::uint64_t* const plus = carries_.data() + strip_padding;
        for (std::size_t column = 0; column < part.size(); ++column) {
            const std::size_t at = part.size() - 1 - column;
            steps[column] =
                static_cast<std::int8_t>(static_cast<int>(plus[at] >> 63) -
                                         static_cast<int>(plus[static_cast<std::size_t>(pitch_) + at] >> 63));
        }
    }

    const coded_pair& pair_;
    const strip_recurrence recurrence_;
    const int planes_;
    const bool rising_;
    const std::size_t vector_rows_;
    std::size_t above_ = 0;  // rows above the query
    std::vector<std::uint32_t> rows_;
    std::vector<strip> strips_;
    index_t pitch_ = 0;
    base::aligned_vector<std::uint64_t> columns_, carries_, active_;  // of a block, backwards
};

}  // namespace

index_t last_row_cells(index_t rows) {
    const index_t words = (rows + 63) / 64, of_vector = index_t{strip_lanes()} * 63;
    if (words <= static_cast<index_t>(most_words)) return words * word_cells;
    const index_t vectors = (rows + of_vector - 1) / of_vector, rest = vectors % widest_strip;
    // A strip of one or two vectors waits for itself.
    const index_t of_rest = rest == 0 ? 0 : rest == 3 ? widest_strip * of_vector : of_vector * 3 / 2;
    return vectors / widest_strip * widest_strip * of_vector + of_rest;
}

std::vector<std::int8_t> last_row_steps(const coded_pair& pair, bool rising) {
    std::vector<std::int8_t> steps(pair.b.size());
    if (pair.a.size() <= 64 * most_words)
        plain_words(pair.a, pair.count).run(pair.b, rising, steps.data());
    else
        rows_in_strips(pair, rising).run(steps.data());
    return steps;
}

}  // namespace wale::wavefront
