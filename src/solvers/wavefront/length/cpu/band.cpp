// band - only what is near the diagonal: furthest cells, a word, blocks or strips; without a bound wider
// until the distance fits (Ukkonen 1985).
#include <algorithm>
#include <cstdlib>

#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/length/shared/bit_vector.hpp"
#include "solvers/wavefront/length/shared/bounded.hpp"
#include "solvers/wavefront/length/shared/bounded_strips.hpp"

namespace wale::wavefront {
namespace {

/// Threads for a band of these cells, which several share only where each has much to do.
int band_team(const edit_distance_job& job, double cells) {
    const auto worth =
        static_cast<index_t>(cells / static_cast<double>(2 * chosen_methods.cells_a_thread)) + 1;
    return cpu::team_size(job.where, worth);
}

/// The distance itself, or something above `bound`.
index_t banded(edit_distance_job& job, const coded_pair& pair) {
    const index_t m = std::ssize(pair.a), n = std::ssize(pair.b);
    const index_t difference = std::abs(m - n), most = std::max(m, n);
    index_t bound = difference + std::max<index_t>(64, std::min(m, n) / chosen_methods.band_first);
    bounded_strips strips(pair);
    for (;;) {
        if (job.bound >= 0) bound = job.bound;
        if (bound > most / 2) return distance_by_strips(job, pair);
        const bool alone = band_team(job, static_cast<double>(most) * static_cast<double>(bound + 1500)) == 1;
        if (alone) ++job.run->iterations;
        const index_t found = alone ? strips.distance(bound) : distance_by_strips(job, pair, bound);
        if (found <= bound || bound == job.bound) return found;
        // What strips of the whole band find is a distance by some way: a band of that width is sure to hold
        // the best one. Strips that end where nothing is within the bound show how far so many edits reach.
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
    const auto rows = static_cast<double>(std::abs(a.size - b.size) + chosen_methods.band_rows);
    return furthest_worth(
        std::min(shorter, 2 * shorter / static_cast<double>(chosen_methods.band_first) + rows) * shorter / 2);
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
    if (shorter < 8 * chosen_methods.band_columns)  // a band would hold most of the tiles
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
        if (fits_word(a, b, job.bound))
            if (const auto found = distance_in_word(a, b, job.bound)) return *found;
        if (blocks) return distance_in_blocks(a, b, most);
        const coded_pair pair = encode(a, b);
        const bool mostly_band = job.bound < 0 && std::min(a.size, b.size) < 8 * chosen_methods.band_columns;
        return mostly_band ? distance_by_strips(job, pair) : banded(job, pair);
    });
}

}  // namespace

extern constinit const catalogue::row<edit_distance_job> edit_distance_cpu_band{
    "cpu/band", "only what is near the diagonal, as a word, blocks or strips (Ukkonen)", run, nullptr, suits};

}  // namespace wale::wavefront
