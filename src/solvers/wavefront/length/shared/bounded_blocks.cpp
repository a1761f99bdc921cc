#include "solvers/wavefront/length/shared/bounded_blocks.hpp"

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

template <class Symbol>
class block_band {
    using sequence = std::span<const Symbol>;

public:
    /// Symbols are below `count`.
    block_band(sequence rows, sequence columns, std::uint64_t* bits)
        : rows_(rows), columns_(columns), bits_(bits) {}

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
    [[nodiscard]] block& at(index_t b) { return blocks_[static_cast<std::size_t>(b % most_blocks)]; }
    [[nodiscard]] sequence rows_of(index_t b) const {
        const auto first = static_cast<std::size_t>(b * block_rows);
        return rows_.subspan(first, std::min<std::size_t>(block_rows, rows_.size() - first));
    }
    void enter(index_t b) {
        std::uint64_t* const bits = bits_ + b % most_blocks;
        if (b >= most_blocks)
            for (const Symbol x : rows_of(b - most_blocks)) bits[x * most_blocks] = 0;
        std::uint64_t bit = 1;
        for (const Symbol x : rows_of(b)) {
            bits[x * most_blocks] |= bit;
            bit <<= 1;
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
        std::array<std::size_t, W> slot;
        for (std::size_t w = 0; w < W; ++w) {
            slot[w] = static_cast<std::size_t>(first_ + static_cast<index_t>(w)) % most_blocks;
            v[w] = blocks_[slot[w]];
        }
        for (; column < end; ++column) {
            const std::uint64_t* const matches =
                bits_ + std::size_t{columns_[static_cast<std::size_t>(column)]} * most_blocks;
            std::uint64_t plus_in = 1, minus_in = 0;
            for (std::size_t w = 0; w < W; ++w) {
                const auto [up, down] = v[w];
                const std::uint64_t m = matches[slot[w]], xv = m | down, met = m | minus_in;
                const std::uint64_t xh = (((met & up) + up) ^ up) | met;
                const std::uint64_t plus = down | ~(xh | up), minus = up & xh;
                const std::uint64_t plus_below = plus << 1 | plus_in;
                v[w] = {(minus << 1 | minus_in) | ~(xv | plus_below), plus_below & xv};
                plus_in = plus >> 63;
                minus_in = minus >> 63;
            }
        }
        for (std::size_t w = 0; w < W; ++w) blocks_[slot[w]] = v[w];
    }

    sequence rows_, columns_;
    std::uint64_t* bits_;          // [symbol][block % most_blocks], 0 at first: rows that hold the symbol
    index_t first_ = 0, end_ = 0;  // blocks of the band
    std::array<block, most_blocks> blocks_;
};

/// The shorter one is the columns, which cost more than rows.
template <class Symbol>
index_t distance(std::span<const Symbol> a, std::span<const Symbol> b, std::uint64_t* bits, index_t bound) {
    return a.size() >= b.size() ? block_band<Symbol>(a, b, bits).distance(bound)
                                : block_band<Symbol>(b, a, bits).distance(bound);
}

}  // namespace

bool fits_blocks(index_t size_a, index_t size_b, index_t bound) {
    return std::abs(size_a - size_b) <= bound && bound + 1 + turn <= (most_blocks - 1) * block_rows;
}

index_t distance_in_blocks(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b, index_t bound) {
    std::array<std::uint64_t, 256 * most_blocks> bits{};
    return distance(a, b, bits.data(), bound);
}

index_t distance_in_blocks(const coded_pair& pair, index_t bound) {
    std::vector<std::uint64_t> bits(std::size_t{pair.count} * most_blocks);
    return distance(code_span(pair.a), code_span(pair.b), bits.data(), bound);
}

}  // namespace wale::wavefront
