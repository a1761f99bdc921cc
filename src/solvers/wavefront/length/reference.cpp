// reference - defines lengths and strings: one row of the plain table, and the whole table for the string.
#include <algorithm>
#include <numeric>

#include "cpu/poll.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {
namespace {

template <class Symbol>
index_t lcs(std::span<const Symbol> a, std::span<const Symbol> b) {
    std::vector<index_t> row(b.size() + 1, 0);
    for (const Symbol x : a) {
        cpu::poll();
        index_t diagonal = 0;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const index_t up = row[j + 1];
            row[j + 1] = std::max({up, row[j], diagonal + (x == b[j] ? 1 : 0)});
            diagonal = up;
        }
    }
    return row.back();
}

template <class Symbol>
index_t edit(std::span<const Symbol> a, std::span<const Symbol> b) {
    std::vector<index_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), index_t{0});
    for (const Symbol x : a) {
        cpu::poll();
        index_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const index_t up = row[j + 1];
            row[j + 1] = std::min({up + 1, row[j] + 1, diagonal + (x == b[j] ? 0 : 1)});
            diagonal = up;
        }
    }
    return row.back();
}

template <class Symbol>
void matches(std::span<const Symbol> a, std::span<const Symbol> b, const lcs_string_job& job) {
    const std::size_t width = b.size() + 1;
    std::vector<index_t> table((a.size() + 1) * width, 0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        cpu::poll();
        for (std::size_t j = 0; j < b.size(); ++j)
            table[(i + 1) * width + j + 1] =
                a[i] == b[j] ? table[i * width + j] + 1
                             : std::max(table[i * width + j + 1], table[(i + 1) * width + j]);
    }
    std::size_t i = a.size();
    std::size_t j = b.size();
    while (i > 0 && j > 0) {
        const index_t here = table[i * width + j];
        if (table[(i - 1) * width + j] == here) {
            --i;
        } else if (table[i * width + j - 1] == here) {
            --j;
        } else {
            job.in_a->push_back(static_cast<index_t>(--i));
            job.in_b->push_back(static_cast<index_t>(--j));
        }
    }
    std::reverse(job.in_a->begin(), job.in_a->end());
    std::reverse(job.in_b->begin(), job.in_b->end());
}

void run_lcs(lcs_length_job& job) {
    job.length = visit_symbols(job.a, job.b, [](auto a, auto b) { return lcs(a, b); });
}

void run_edit(edit_distance_job& job) {
    job.distance = visit_symbols(job.a, job.b, [](auto a, auto b) { return edit(a, b); });
}

void run_string(lcs_string_job& job) {
    visit_symbols(job.a, job.b, [&](auto a, auto b) { matches(a, b, job); });
}

}  // namespace

extern constinit const catalogue::row<lcs_length_job> lcs_length_reference_plain{
    "reference/plain", "one row of the plain table", run_lcs};

extern constinit const catalogue::row<edit_distance_job> edit_distance_reference_plain{
    "reference/plain", "one row of the plain table", run_edit};

extern constinit const catalogue::row<lcs_string_job> lcs_string_reference_plain{
    "reference/plain", "the whole plain table and a walk back through it", run_string};

}  // namespace wale::wavefront
