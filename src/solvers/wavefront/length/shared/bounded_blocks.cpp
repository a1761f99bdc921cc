#include "solvers/wavefront/length/shared/bounded.hpp"

#include <array>
#include <utility>

#include "cpu/poll.hpp"
#include "solvers/wavefront/length/shared/live_diagonals.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t block_rows = 64, most_blocks = 8;
constexpr index_t turn = 32;       // columns for which the blocks stay
constexpr index_t quarter = 16;    // rows from one looked at value of a column to the next
constexpr index_t look_turns = 2;  // turns from one look at the values to the next

/// Of each quarter of a word's rows: those with a 1, in fields of 16 bits.
std::uint64_t ones_of_quarters(std::uint64_t x) {
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (x + (x >> 8)) & 0x00ff00ff00ff00ff;
}

struct block {
    std::uint64_t up = ~std::uint64_t{0}, down = 0;  // rows whose value is one more, one less than above

    /// f(what `rows` rows add, rows) from the top, for the first `held` rows.
    template <class F>
    void for_quarters(index_t held, F&& f) const {
        const std::uint64_t mask = held < block_rows ? ~(~std::uint64_t{0} << held) : ~std::uint64_t{0};
        const std::uint64_t more = ones_of_quarters(up & mask), less = ones_of_quarters(down & mask);
        for (int k = 0; k < 4 && held > 0; ++k, held -= quarter)
            f(static_cast<index_t>(more >> (16 * k) & 0xff) - static_cast<index_t>(less >> (16 * k) & 0xff),
              std::min(held, quarter));
    }
    [[nodiscard]] index_t vertical(index_t held) const {
        index_t sum = 0;
        for_quarters(held, [&](index_t adds, index_t) { sum += adds; });
        return sum;
    }
};

/// The words of a symbol: which rows of each block hold it, block b at b % most_blocks.
using match_words = std::array<std::uint64_t, most_blocks>;

/// Bytes have words each.
template <class Symbol>
class symbol_matches {
public:
    [[nodiscard]] const match_words& of(Symbol x) const { return words_[x]; }
    [[nodiscard]] match_words& added(Symbol x) { return words_[x]; }
    void leave(Symbol x, std::size_t slot) { words_[x][slot] = 0; }
    [[nodiscard]] static constexpr bool full() { return false; }
    void clear() {}

private:
    std::array<match_words, 256> words_{};
};

/// Wider symbols have words where rows near the band hold them: a place by open addressing, at most half of
/// them used.
template <class Symbol>
    requires(sizeof(Symbol) > 1)
class symbol_matches<Symbol> {
    static constexpr std::size_t most = 2 * most_blocks * block_rows, places = 2 * most;

public:
    [[nodiscard]] const match_words& of(Symbol x) const { return words_[used_[place(x)]]; }
    [[nodiscard]] match_words& added(Symbol x) {
        const std::size_t at = place(x);
        if (used_[at] == 0) {
            used_[at] = static_cast<std::uint16_t>(words_.size());
            keys_[at] = x;
            words_.emplace_back();
        }
        return words_[used_[at]];
    }
    void leave(Symbol x, std::size_t slot) {
        if (const std::size_t at = used_[place(x)]; at != 0) words_[at][slot] = 0;
    }
    [[nodiscard]] bool full() const { return words_.size() + block_rows > most; }
    void clear() {
        used_.fill(0);
        words_.resize(1);
    }

private:
    [[nodiscard]] std::size_t place(Symbol x) const {
        std::size_t at = (std::uint64_t{x} * 0x9E3779B97F4A7C15 >> 32) % places;
        while (used_[at] != 0 && keys_[at] != x) at = (at + 1) % places;
        return at;
    }
    std::array<std::uint16_t, places> used_{};       // 0: free
    std::array<Symbol, places> keys_;                // where used
    std::vector<match_words> words_{match_words{}};  // the first for symbols without rows
};

template <class Symbol>
class block_band {
    using sequence = std::span<const Symbol>;

public:
    block_band(sequence rows, sequence columns) : rows_(rows), columns_(columns) {}

    index_t distance(index_t bound) {
        const index_t m = std::ssize(rows_), n = std::ssize(columns_);
        live_diagonals live(m, n, bound);
        index_t top = 0;  // value above the first block
        cpu::rare_poll poll(64);
        for (index_t column = 0, turns = 0; column < n; column += turn) {
            poll();
            const index_t end = std::min(n, column + turn);
            const index_t begins = std::max<index_t>(column - live.last(), 0) / block_rows;
            for (; first_ < begins && first_ < end_; ++first_) top += at(first_).vertical(block_rows);
            const index_t ends = std::min(end - live.first() - 1, m - 1) / block_rows;
            while (end_ <= ends) enter(end_++);
            run_turn(column, end);
            top += end - column;  // above the band: never too small
            if (end < n && ++turns % look_turns == 0) {
                live.begin();
                look(live, top, end);
                if (!live.end()) return bound + 1;
            }
        }
        for (index_t b = first_; b < end_; ++b) top += at(b).vertical(m - b * block_rows);
        return std::min(top, bound + 1);
    }

private:
    [[nodiscard]] static std::size_t slot(index_t b) { return static_cast<std::size_t>(b) % most_blocks; }
    [[nodiscard]] block& at(index_t b) { return blocks_[slot(b)]; }
    [[nodiscard]] sequence rows_of(index_t b) const {
        const auto first = static_cast<std::size_t>(b * block_rows);
        return rows_.subspan(first, std::min<std::size_t>(block_rows, rows_.size() - first));
    }
    void enter(index_t b) {
        index_t first = b;
        if (matches_.full()) {  // of symbols that may have left
            matches_.clear();
            first = std::max<index_t>(b - most_blocks + 1, 0);
        } else if (b >= most_blocks) {
            for (const Symbol x : rows_of(b - most_blocks)) matches_.leave(x, slot(b));
        }
        for (; first <= b; ++first) {
            std::uint64_t bit = 1;
            for (const Symbol x : rows_of(first)) {
                matches_.added(x)[slot(first)] |= bit;
                bit <<= 1;
            }
        }
        at(b) = {};
    }

    void look(live_diagonals& live, index_t value, index_t column) {
        const index_t m = std::ssize(rows_);
        for (index_t b = first_; b < end_; ++b) {
            index_t diagonal = column - b * block_rows;
            at(b).for_quarters(m - b * block_rows, [&](index_t adds, index_t rows) {
                diagonal -= rows;
                live.look(value, value + adds, rows, diagonal);
                value += adds;
            });
        }
    }

    void run_turn(index_t column, index_t end) {
        [&]<std::size_t... W>(std::index_sequence<W...>) {
            (void)((std::cmp_equal(end_ - first_, W + 1) ? (run_blocks<W + 1>(column, end), true) : false) ||
                   ...);
        }
        (std::make_index_sequence<most_blocks>());
    }
    /// Myers 1999, W blocks in registers.
    template <std::size_t W>
    void run_blocks(index_t column, index_t end) {
        std::array<block, W> v;
        std::array<std::size_t, W> slots;
        for (std::size_t w = 0; w < W; ++w) {
            slots[w] = slot(first_ + static_cast<index_t>(w));
            v[w] = blocks_[slots[w]];
        }
        for (; column < end; ++column) {
            const match_words& matches = matches_.of(columns_[static_cast<std::size_t>(column)]);
            std::uint64_t plus_in = 1, minus_in = 0;
            for (std::size_t w = 0; w < W; ++w) {
                const auto [up, down] = v[w];
                const std::uint64_t m = matches[slots[w]], xv = m | down, met = m | minus_in;
                const std::uint64_t xh = (((met & up) + up) ^ up) | met;
                const std::uint64_t plus = down | ~(xh | up), minus = up & xh;
                const std::uint64_t plus_below = plus << 1 | plus_in;
                v[w] = {(minus << 1 | minus_in) | ~(xv | plus_below), plus_below & xv};
                plus_in = plus >> 63;
                minus_in = minus >> 63;
            }
        }
        for (std::size_t w = 0; w < W; ++w) blocks_[slots[w]] = v[w];
    }

    sequence rows_, columns_;
    symbol_matches<Symbol> matches_;
    index_t first_ = 0, end_ = 0;  // blocks of the band
    std::array<block, most_blocks> blocks_;
};

}  // namespace

bool fits_blocks(index_t size_a, index_t size_b, index_t bound) {
    return std::abs(size_a - size_b) <= bound && bound + 1 + turn <= (most_blocks - 1) * block_rows;
}

/// The shorter one is the columns, which cost more than rows.
index_t distance_in_blocks(const symbols& a, const symbols& b, index_t bound) {
    const bool a_longer = a.size >= b.size;
    return visit_symbols(a_longer ? a : b, a_longer ? b : a,
                         [&]<class Symbol>(std::span<const Symbol> rows, std::span<const Symbol> columns) {
                             return block_band<Symbol>(rows, columns).distance(bound);
                         });
}

}  // namespace wale::wavefront
