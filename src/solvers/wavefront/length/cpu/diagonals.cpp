// diagonals - the furthest cell of each diagonal that a number of edits reaches (Ukkonen 1985, Myers 1986).
#include <algorithm>
#include <cstdlib>
#include <string>

#include "solvers/wavefront/length/cpu/tuning.hpp"
#include "solvers/wavefront/length/shared/furthest.hpp"

namespace wale::wavefront {
namespace {

/// The steps are as many as the square of the distance.
constexpr index_t most_edits = 20000;

std::string refuses_many(const edit_distance_job& job) {
    const index_t longer = std::max(job.a.size, job.b.size);
    const index_t most = job.bound >= 0 ? std::min(job.bound, longer) : longer;
    if (most <= most_edits) return {};
    return "needs a bound or sequences of at most " + std::to_string(most_edits) + ", has " +
           std::to_string(most);
}

/// A bound that a word of cpu/band does not hold, and whose square is less than the cells near the diagonal.
bool suits(const edit_distance_job& job) {
    if (job.bound < 0 || job.bound < std::abs(job.a.size - job.b.size)) return false;
    const index_t shorter = std::min(job.a.size, job.b.size);
    if (shorter <= 64 || (job.bound <= 31 && job.a.bytes == 1) || job.bound >= shorter / 8) return false;
    return job.bound <=
           furthest_worth(2 * static_cast<double>(shorter) *
                          static_cast<double>(std::min(shorter, 2 * job.bound + chosen_methods().band_rows)));
}

void run(edit_distance_job& job) {
    without_ends(job, [&](const symbols& a, const symbols& b) {
        const index_t most = job.bound >= 0 ? job.bound : std::max(a.size, b.size);
        if (beginnings_differ(a, b, job.bound)) return most + 1;
        return *furthest_distance(a, b, most, most);
    });
}

}  // namespace

extern const catalogue::row<edit_distance_job> edit_distance_cpu_diagonals;
constinit const catalogue::row<edit_distance_job> edit_distance_cpu_diagonals{
    "cpu/diagonals", backend::cpu, "the furthest cell of each diagonal for each number of edits",
    refuses_many,    suits,        run};

}  // namespace wale::wavefront
