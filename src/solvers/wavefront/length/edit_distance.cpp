// edit_distance - the host rows for the edit distance of one pair.
#include <algorithm>

#include "cpu/instruction_set.hpp"
#include "solvers/wavefront/length/affix.hpp"
#include "solvers/wavefront/length/bit_vector.hpp"
#include "solvers/wavefront/length/cpu.hpp"
#include "solvers/wavefront/length/strips.hpp"

namespace wale::wavefront {
namespace {

/// Calls method(codes of what the ends do not settle); an empty side is settled.
template <class Method>
void with_codes(edit_distance_job& job, Method&& method) {
    const trimmed_pair t = trim(job.a, job.b);
    job.distance = std::max(t.a.size, t.b.size);
    if (t.a.size > 0 && t.b.size > 0) job.distance = method(encode(t.a, t.b));
}

/// Tile by tile; with a limit only the tiles near the diagonal.
class edit_strips_of {
public:
    edit_strips_of(edit_distance_job& job, const coded_pair& pair) : job_(job), pair_(pair) {
        upright_ = fits_upright(edit_strips(), std::ssize(pair.a), std::ssize(pair.b));
    }
    [[nodiscard]] index_t all() const { return run(-1, chosen_strips()); }

    /// Exact if at most `bound`; never too small.
    [[nodiscard]] index_t within(index_t bound) const {
        const int lanes = strip_lanes();
        strip_policy policy{1, chosen_methods().band_columns};
        while (policy.vectors < chosen_strips().vectors && policy.vectors * lanes * 63 < bound / 2)
            policy.vectors *= 2;
        policy.columns *= policy.vectors;
        return run(bound, policy);
    }

private:
    [[nodiscard]] index_t run(index_t bound, strip_policy policy) const {
        const code_span rows = upright_ ? pair_.a : pair_.b;
        const code_span columns = upright_ ? pair_.b : pair_.a;
        strip_table table(edit_strips(), rows, columns, pair_.planes(), policy);
        if (bound >= 0) table.limit(bound);
        table.share(threads_asked(job_.where));
        job_.run->threads = table.workers();
        job_.run->policy = table.policy_text();
        ++job_.run->iterations;
        table.run();
        return table.bottom();
    }
    edit_distance_job& job_;
    const coded_pair& pair_;
    bool upright_;
};

/// The distance itself, or something above `bound`.
index_t banded(edit_distance_job& job, const coded_pair& pair) {
    const index_t m = std::ssize(pair.a);
    const index_t n = std::ssize(pair.b);
    const index_t difference = std::max(m, n) - std::min(m, n);
    const index_t most = std::max(m, n);
    if (job.bound >= 0 && job.bound < difference) return difference;
    const edit_strips_of strips(job, pair);
    index_t bound = difference + std::max<index_t>(64, std::min(m, n) / chosen_methods().band_first);
    for (;;) {
        if (job.bound >= 0) bound = std::min(bound, job.bound);
        if (bound > most / 2) return strips.all();
        const index_t found = strips.within(bound);
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

}  // namespace

void edit_distance_bit_vector(edit_distance_job& job) {
    with_codes(job, [](const coded_pair& pair) {
        return pair.a.size() <= pair.b.size() ? edit_bit_vector(pair)
                                              : edit_bit_vector(coded_pair{pair.b, pair.a, pair.count});
    });
    job.run->policy = "word=64";
}

void edit_distance_skewed_strips(edit_distance_job& job) {
    job.run->device = cpu::instruction_set();
    with_codes(job, [&](const coded_pair& pair) { return edit_strips_of(job, pair).all(); });
}

void edit_distance_band(edit_distance_job& job) {
    job.run->device = cpu::instruction_set();
    with_codes(job, [&](const coded_pair& pair) { return banded(job, pair); });
}

bool edit_distance_suits_strips(const edit_distance_job& job) {
    return job.a.size * job.b.size >= chosen_methods().strip_cells;
}

bool edit_distance_suits_band(const edit_distance_job& job) {
    const index_t shorter = std::min(job.a.size, job.b.size);
    if (shorter < 8 * chosen_methods().band_columns) return false;  // a band would hold most of the tiles
    if (job.bound >= 0 && job.bound < shorter / 4) return true;
    return looks_similar(job.a, job.b);
}

}  // namespace wale::wavefront
