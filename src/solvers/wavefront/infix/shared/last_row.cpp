#include "solvers/wavefront/infix/shared/last_row.hpp"

#include <array>
#include <utility>

#include "base/aligned.hpp"
#include "cpu/poll.hpp"
#include "solvers/wavefront/infix/shared/word_columns.hpp"
#include "solvers/wavefront/length/shared/strips.hpp"

namespace wale::wavefront {
namespace {

constexpr std::size_t most_words_below = 8;  // below the strips: a vector has at most as many rows

/// The rows below the last whole vector, column by column.
class words_below {
public:
    words_below(code_span rows, std::uint32_t codes) : rows_(rows), words_((rows.size() + 63) / 64) {
        matches_.resize(codes * words_);
        for (std::size_t row = 0; row < rows.size(); ++row)
            matches_[rows[row] * words_ + row / 64] |= std::uint64_t{1} << row % 64;
        v_.fill({~std::uint64_t{0}, 0});
    }

    /// `plus` and `minus` have what enters from above in bit 63, backwards; the first column's is the last.
    void run(code_span columns, const std::uint64_t* plus, const std::uint64_t* minus, std::int8_t* steps) {
        [&]<std::size_t... W>(std::index_sequence<W...>) {
            (void)((words_ == W + 1 ? (run_words<W + 1>(columns, plus, minus, steps), true) : false) || ...);
        }
        (std::make_index_sequence<most_words_below>());
    }

private:
    template <std::size_t W>
    void run_words(code_span columns, const std::uint64_t* plus_above, const std::uint64_t* minus_above,
                   std::int8_t* steps) {
        std::array<differences, W> v;
        for (std::size_t w = 0; w < W; ++w) v[w] = v_[w];
        const std::size_t last = (rows_.size() - 1) % 64, n = columns.size();
        for (std::size_t column = 0; column < n; ++column) {
            const std::uint64_t* const m = matches_.data() + columns[column] * W;
            std::uint64_t plus_in = plus_above[n - 1 - column] >> 63,
                          minus_in = minus_above[n - 1 - column] >> 63;
            for (std::size_t w = 0; w < W; ++w) {
                const auto [up, down] = v[w];
                const std::uint64_t xv = m[w] | down, met = m[w] | minus_in;
                const std::uint64_t xh = (((met & up) + up) ^ up) | met;
                const std::uint64_t plus = down | ~(xh | up), minus = up & xh;
                if (w + 1 == W)
                    steps[column] = static_cast<std::int8_t>(static_cast<int>(plus >> last & 1) -
                                                             static_cast<int>(minus >> last & 1));
                const std::uint64_t below = plus << 1 | plus_in;
                v[w] = {(minus << 1 | minus_in) | ~(xv | below), below & xv};
                plus_in = plus >> 63;
                minus_in = minus >> 63;
            }
        }
        for (std::size_t w = 0; w < W; ++w) v_[w] = v[w];
    }

    code_span rows_;
    std::size_t words_;
    std::vector<std::uint64_t> matches_;  // words of a code side by side
    std::array<differences, most_words_below> v_;
};

/// Strips of whole vectors from the top; what leaves the last one enters the words below.
class rows_in_strips {
public:
    rows_in_strips(const coded_pair& pair, bool rising)
        : pair_(pair),
          recurrence_(edit_strips()),
          planes_(compiled_planes(pair.planes())),
          rising_(rising),
          vector_rows_(static_cast<std::size_t>(strip_lanes() * recurrence_.rows_a_word)),
          in_strips_(pair.a.size() / vector_rows_ * vector_rows_),
          below_(code_span(pair.a).subspan(in_strips_), pair.count) {
        for (std::size_t row = 0; row < in_strips_;) row += add_strip(row);
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
        int vectors = chosen_strips().vectors;
        while (static_cast<std::size_t>(vectors) * vector_rows_ > in_strips_ - row) vectors /= 2;
        const auto words = static_cast<std::size_t>(vectors * strip_lanes());
        strip s{vectors, base::aligned_vector<std::uint64_t>(words * static_cast<std::size_t>(planes_)),
                base::aligned_vector<std::uint64_t>(2 * words)};
        const std::size_t rows = static_cast<std::size_t>(vectors) * vector_rows_;
        pack_rows({pair_.a.data() + row, rows, static_cast<std::size_t>(recurrence_.rows_a_word), words,
                   planes_, s.planes.data()});
        for (std::size_t k = 0; k < 2; ++k)
            std::fill_n(s.state.begin() + static_cast<std::ptrdiff_t>(k * words), words,
                        recurrence_.state_start[k]);
        strips_.push_back(std::move(s));
        return rows;
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
        if (in_strips_ < pair_.a.size()) return below_.run(part, plus, plus + pitch_, steps);
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
    const std::size_t vector_rows_, in_strips_;
    words_below below_;
    std::vector<strip> strips_;
    index_t pitch_ = 0;
    base::aligned_vector<std::uint64_t> columns_, carries_, active_;  // of a block, backwards
};

}  // namespace

index_t last_row_cells(index_t rows) {
    constexpr index_t one_vector = 300;  // a step of one vector waits for the step before
    const index_t of_vector = index_t{strip_lanes()} * 63, whole = rows / of_vector * of_vector;
    return whole + (whole > 0 ? one_vector : 0) + (rows - whole + 63) / 64 * word_cells;
}

std::vector<std::int8_t> last_row_steps(const coded_pair& pair, bool rising) {
    std::vector<std::int8_t> steps(pair.b.size());
    rows_in_strips(pair, rising).run(steps.data());
    return steps;
}

}  // namespace wale::wavefront
