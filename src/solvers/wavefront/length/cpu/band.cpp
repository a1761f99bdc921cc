// band - only the strips near the diagonal, wider until the distance fits (Ukkonen 1985).
#include <algorithm>

#include "cpu/instruction_set.hpp"
#include "solvers/wavefront/length/shared/bit_vector.hpp"
#include "solvers/wavefront/length/shared/strips.hpp"

namespace wale::wavefront {
namespace {

/// The distance itself, or something above `bound`.
index_t banded(edit_distance_job& job, const coded_pair& pair) {
    const index_t m = std::ssize(pair.a);
    const index_t n = std::ssize(pair.b);
    const index_t difference = std::max(m, n) - std::min(m, n);
    const index_t most = std::max(m, n);
    if (job.bound >= 0 && job.bound < difference) return difference;
    index_t bound = difference + std::max<index_t>(64, std::min(m, n) / chosen_methods().band_first);
    for (;;) {
        if (job.bound >= 0) bound = std::min(bound, job.bound);
        if (bound > most / 2) return distance_by_strips(job, pair);
        const index_t found = distance_by_strips(job, pair, bound);
        if (found <= bound || bound == job.bound) return found;
        // What a band finds is a distance by some way: a band of that width is sure to hold the best one.
        // Unless it is much wider, as then twice the width may do.
        bound = std::min(found, 4 * bound);
    }
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

bool suits(const edit_distance_job& job) {
    const index_t shorter = std::min(job.a.size, job.b.size), longer = std::max(job.a.size, job.b.size);
    if (job.bound >= 0 && job.bound < longer - shorter) return true;  // the lengths alone are the answer
    if (shorter <= 64) return false;  // before the table of choices is read, which takes longer than the pair
    if (shorter < 8 * chosen_methods().band_columns) return false;  // a band would hold most of the tiles
    if (job.bound >= 0 && job.bound < shorter / 4) return true;
    return looks_similar(job.a, job.b);
}

void run(edit_distance_job& job) {
    job.run->device = cpu::instruction_set();
    with_codes(job, [&](const coded_pair& pair) { return banded(job, pair); });
}

}  // namespace

extern const catalogue::row<edit_distance_job> edit_distance_cpu_band;
constinit const catalogue::row<edit_distance_job> edit_distance_cpu_band{
    "cpu/band",
    backend::cpu,
    "only the strips near the diagonal, wider until the distance fits (Ukkonen)",
    catalogue::never_refuses<edit_distance_job>,
    suits,
    run};

}  // namespace wale::wavefront
