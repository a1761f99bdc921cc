// diagonals - the furthest cell of each diagonal that a number of edits reaches (Ukkonen 1985, Myers 1986).
#include <algorithm>
#include <cstdlib>
#include <string>

#include "solvers/wavefront/length/cpu/tuning.hpp"
#include "solvers/wavefront/length/shared/bounded.hpp"

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

/// cpu/band begins with the same steps, and leaves them where they reach too little.
bool suits(const edit_distance_job&) {
    return false;
}

void run(edit_distance_job& job) {
    without_ends(job, [&](const symbols& a, const symbols& b) {
        const index_t most = job.bound >= 0 ? job.bound : std::max(a.size, b.size);
        return *furthest_distance(a, b, most, most);
    });
}

}  // namespace

extern constinit const catalogue::row<edit_distance_job> edit_distance_cpu_diagonals{
    "cpu/diagonals", "the furthest cell of each diagonal for each number of edits", run, refuses_many, suits};

}  // namespace wale::wavefront
