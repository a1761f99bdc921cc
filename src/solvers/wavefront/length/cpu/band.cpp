// band - only what is near the diagonal: furthest cells, a word, blocks or strips; without a bound wider
// until the distance fits (Ukkonen 1985).
#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/length/shared/bit_vector.hpp"
#include "solvers/wavefront/length/shared/bounded_blocks.hpp"
#include "solvers/wavefront/length/shared/bounded_strips.hpp"
#include "solvers/wavefront/length/shared/furthest.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t widest_in_word = 63;  // a word has a diagonal more than the bound

/// A band that one word holds (Hyyro 2003), the lowest diagonal in bit 63: the word moves down a row with
/// every column, so values never fall along it. The distance itself, or something above `bound`. `rows` is
/// not the shorter one and has more than `bound`.
class word_band {
public:
    using bytes = std::span<const std::uint8_t>;
    word_band(bytes rows, bytes columns, index_t bound)
        : rows_(rows),
          columns_(columns),
          bound_(bound),
          lowest_((bound + std::ssize(rows) - std::ssize(columns)) / 2),
          up_(~std::uint64_t{0} << (63 - lowest_)) {
        for (index_t row = 0; row < lowest_; ++row) enter(row, row - lowest_);
    }

    index_t distance() {
        const index_t m = std::ssize(rows_), n = std::ssize(columns_), below = m - lowest_;
        const index_t hopeless =
            bound_ + n - below;  // a value falls by one a column after the diagonal's end
        value_ = lowest_;        // of the lowest diagonal, then of the last row
        cpu::rare_poll poll(columns_a_poll / turn);
        for (index_t column = 0; column < n;) {
            poll();
            if (value_ > hopeless) return bound_ + 1;
            const index_t end = std::min(column + turn, n), entered = std::min(end, below);
            for (; column < entered; ++column) {
                enter(column + lowest_, column);
                step<true>(column, 63);
            }
            for (; column < end; ++column) step<false>(column, 62 - (column - below));
        }
        return value_;
    }

private:
    static constexpr index_t turn = 16;  // columns between two looks at what can still be reached

    template <bool Diagonal>
    void step(index_t column, index_t looked_at) {
        const std::uint64_t m_bits = matches(column);
        const std::uint64_t same = (((m_bits & up_) + up_) ^ up_) | m_bits | down_;  // as up left of it
        const std::uint64_t plus = down_ | ~(same | up_), minus = same & up_;
        if constexpr (Diagonal)
            value_ += static_cast<index_t>(~same >> 63);
        else
            value_ +=
                static_cast<index_t>(plus >> looked_at & 1) - static_cast<index_t>(minus >> looked_at & 1);
        up_ = minus | ~(same >> 1 | plus);
        down_ = same >> 1 & plus;
    }

    /// Rows that hold a symbol, as the word stood when the last of them came in.
    struct held {
        index_t column = -64;  // no row comes in before
        std::uint64_t rows = 0;
        [[nodiscard]] std::uint64_t at(index_t now) const {
            return now - column < 64 ? rows >> (now - column) : 0;
        }
    };
    void enter(index_t row, index_t column) {
        held& h = held_[rows_[static_cast<std::size_t>(row)]];
        h = {column, h.at(column) | std::uint64_t{1} << 63};
    }
    [[nodiscard]] std::uint64_t matches(index_t column) const {
        return held_[columns_[static_cast<std::size_t>(column)]].at(column);
    }

    bytes rows_, columns_;
    index_t bound_, lowest_, value_ = 0;  // lowest_: rows from the main diagonal down
    std::uint64_t up_, down_ = 0;         // rows whose value is one more, one less than above
    std::array<held, 256> held_{};
};

bool fits_word(const symbols& a, const symbols& b, index_t bound) {
    return bound >= 0 && bound <= widest_in_word && a.bytes == 1 &&
           std::max(a.size, b.size) - std::min(a.size, b.size) <= bound;
}

/// Threads for a band of these cells, which several share only where each has much to do.
int band_team(const edit_distance_job& job, double cells) {
    const auto worth =
        static_cast<index_t>(cells / static_cast<double>(2 * chosen_methods().cells_a_thread)) + 1;
    return cpu::team_size(job.where, worth);
}

/// The distance itself, or something above `bound`.
index_t banded(edit_distance_job& job, const coded_pair& pair) {
    const index_t m = std::ssize(pair.a), n = std::ssize(pair.b);
    const index_t difference = std::abs(m - n), most = std::max(m, n);
    index_t bound = difference + std::max<index_t>(64, std::min(m, n) / chosen_methods().band_first);
    bounded_strips strips(pair);
    for (;;) {
        if (job.bound >= 0) bound = job.bound;
        if (bound > most / 2) return distance_by_strips(job, pair);
        const bool alone = band_team(job, static_cast<double>(most) * static_cast<double>(bound + 1500)) == 1;
        if (alone) ++job.run->iterations;
        const index_t found = alone ? strips.distance(bound) : distance_by_strips(job, pair, bound);
        if (found <= bound || bound == job.bound) return found;
        // What strips of the whole band find is a distance by some way: a band of that width is sure to hold
        // the best one. Strips that end where nothing is within the bound tell how far so many edits reach.
        const index_t wanted =
            alone ? bound + bound / 8 + bound * (std::min(m, n) - strips.rows_done()) / strips.rows_done()
                  : found;
        bound = std::clamp(wanted, bound + bound / 2, 4 * bound);
    }
}

/// Edits that are worth the steps of furthest_distance() before the first band. A bound leaves out half of
/// them.
index_t worth_steps(const edit_distance_job& job, const symbols& a, const symbols& b) {
    const auto shorter = static_cast<double>(std::min(a.size, b.size));
    if (job.bound >= 0) {
        const auto bound = static_cast<double>(job.bound);
        const double width = fits_word(a, b, job.bound) ? 30 : std::min(shorter, bound + 96);
        const index_t worth = furthest_worth(3 * shorter * width);
        // Other than the bound, so that steps which reach too little are left.
        return job.bound <= worth ? worth + 1 : fits_word(a, b, job.bound) ? 0 : worth / 2;
    }
    const auto rows = static_cast<double>(std::abs(a.size - b.size) + chosen_methods().band_rows);
    return furthest_worth(
        std::min(shorter, 2 * shorter / static_cast<double>(chosen_methods().band_first) + rows) * shorter /
        2);
}

/// Whether the first or the last symbols look alike: unrelated texts differ in half of their symbols and
/// more.
bool looks_similar(const symbols& a, const symbols& b) {
    constexpr index_t window = 128;
    const index_t size = std::min({a.size, b.size, window});
    const auto near = [&](index_t at_a, index_t at_b) {
        const coded_pair pair = encode(part(a, at_a, size), part(b, at_b, size));
        return edit_bit_vector(pair) * 10 < size * 4;
    };
    return near(0, 0) || near(a.size - size, b.size - size);
}

/// The same at a lower price, and of fewer differences: those of which furthest_distance() takes few steps.
bool begins_alike(const symbols& a, const symbols& b) {
    constexpr index_t window = 128, edits = 16;
    const index_t size = std::min({a.size, b.size, window});
    return furthest_distance(part(a, 0, size), part(b, 0, size), size, edits).has_value();
}

/// Shorter texts take less time in whole tables than a look at their beginnings; wide symbols need codes
/// there.
constexpr index_t least_similar = 200, least_similar_wide = 65;
/// Wide symbols of longer texts are faster hashed than compared with each other or coded.
constexpr index_t least_wide = 16;

bool suits(const edit_distance_job& job) {
    const index_t shorter = std::min(job.a.size, job.b.size), longer = std::max(job.a.size, job.b.size);
    if (job.bound >= 0 && job.bound < longer - shorter) return true;  // the lengths alone are the answer
    if (job.a.bytes > 1 && shorter > least_wide && fits_blocks(job.a.size, job.b.size, longer)) return true;
    if (shorter <= 64) return false;  // before the table of choices is read, which takes longer than the pair
    if (job.bound >= 0 && job.bound < shorter) return true;
    if (shorter < (job.a.bytes == 1 ? least_similar : least_similar_wide)) return false;
    if (shorter < 8 * chosen_methods().band_columns)  // a band would hold most of the tiles
        return begins_alike(job.a, job.b);
    return looks_similar(job.a, job.b);
}

void run(edit_distance_job& job) {
    job.run->device = cpu::instruction_set();
    const index_t difference = std::abs(job.a.size - job.b.size);
    if (job.bound >= 0 && job.bound < difference) {
        job.distance = difference;
        return;
    }
    without_ends(job, [&](const symbols& a, const symbols& b) {
        const index_t most =
            job.bound >= 0 ? std::min(job.bound, std::max(a.size, b.size)) : std::max(a.size, b.size);
        const bool blocks = (job.bound >= 0 || a.bytes > 1) && fits_blocks(a.size, b.size, most);
        if (const auto few = furthest_distance(a, b, most, worth_steps(job, a, b))) return *few;
        if (fits_word(a, b, job.bound)) {
            const bool a_longer = a.size >= b.size;
            const auto rows = typed<std::uint8_t>(a_longer ? a : b),
                       columns = typed<std::uint8_t>(a_longer ? b : a);
            return word_band(rows, columns, std::min(job.bound, std::ssize(rows) - 1)).distance();
        }
        if (blocks) return distance_in_blocks(a, b, most);
        const coded_pair pair = encode(a, b);
        const bool mostly_band =
            job.bound < 0 && std::min(a.size, b.size) < 8 * chosen_methods().band_columns;
        return mostly_band ? distance_by_strips(job, pair) : banded(job, pair);
    });
}

}  // namespace

extern const catalogue::row<edit_distance_job> edit_distance_cpu_band;
constinit const catalogue::row<edit_distance_job> edit_distance_cpu_band{
    "cpu/band",
    backend::cpu,
    "only what is near the diagonal, as a word, blocks or strips (Ukkonen)",
    catalogue::never_refuses<edit_distance_job>,
    suits,
    run};

}  // namespace wale::wavefront
