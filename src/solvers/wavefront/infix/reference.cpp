// reference - defines the places in a text: the table of edit distances, one column at a time, whose upper
// border is 0 where a part may begin anywhere (Sellers 1980).
#include <numeric>

#include "cpu/poll.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"
#include "solvers/wavefront/search_jobs.hpp"

namespace wale::wavefront {
namespace {

void consider(infix_best& best, index_t bound, index_t distance, index_t end) {
    if (distance > bound || (best.distance >= 0 && distance > best.distance)) return;
    if (distance != best.distance) best.ends.clear();
    best.distance = distance;
    best.ends.push_back(end);
}

template <class Symbol>
infix_best nearest(std::span<const Symbol> query, std::span<const Symbol> text, bool prefix, index_t bound) {
    infix_best best;
    std::vector<index_t> column(query.size() + 1);  // the best distance of each prefix of the query
    std::iota(column.begin(), column.end(), index_t{0});
    consider(best, bound, column.back(), 0);
    cpu::rare_poll poll(16);
    for (std::size_t j = 0; j < text.size(); ++j) {
        poll();
        index_t diagonal = column[0];
        column[0] = prefix ? static_cast<index_t>(j) + 1 : 0;
        for (std::size_t i = 1; i <= query.size(); ++i) {
            const index_t replaced = diagonal + (query[i - 1] != text[j] ? 1 : 0);
            diagonal = column[i];
            column[i] = std::min({replaced, diagonal + 1, column[i - 1] + 1});
        }
        consider(best, bound, column.back(), static_cast<index_t>(j) + 1);
    }
    return best;
}

void run(infix_job& job) {
    for (index_t q = 0; q < job.count; ++q)
        job.best[q] = visit_symbols(sequence(job.queries, q), job.text, [&](auto query, auto text) {
            return nearest(query, text, job.prefix, job.bounds[q]);
        });
}

}  // namespace

extern constinit const catalogue::row<infix_job> infix_reference_plain{
    "reference/plain", "query by query, one column of the plain table", run};

}  // namespace wale::wavefront
