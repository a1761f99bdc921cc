// bit_vector - one chain of 64-bit words, column by column; the shorter sequence is the rows.
#include <algorithm>
#include <utility>

#include "solvers/wavefront/length/shared/words_of_rows.hpp"

namespace wale::wavefront {
namespace {

/// The shorter sequence is the rows; what they add to the value above them.
template <template <std::size_t> class Words>
index_t added(symbols rows, symbols columns) {
    if (rows.size > columns.size) std::swap(rows, columns);
    if (rows.size <= 64)
        return visit_symbols(rows, columns, [](auto x, auto y) { return added_by_rows<Words, 1>(x, y); });
    if (rows.bytes == 1)
        return word_strips<Words, std::uint8_t>(typed<std::uint8_t>(columns), 256)
            .sum(typed<std::uint8_t>(rows));
    const coded_pair pair = encode(rows, columns);
    return word_strips<Words, std::uint32_t>(code_span(pair.b), pair.count).sum(code_span(pair.a));
}

void run_lcs(lcs_length_job& job) {
    without_ends(job, added<lcs_words>);
    job.run->policy = "word=64";
}
void run_edit(edit_distance_job& job) {
    without_ends(job, [](const symbols& a, const symbols& b) {
        return std::max(a.size, b.size) + added<edit_words>(a, b);
    });
    job.run->policy = "word=64";
}

}  // namespace

extern constinit const catalogue::row<lcs_length_job> lcs_length_cpu_bit_vector{
    "cpu/bit_vector", "one chain of 64-bit words, column by column", run_lcs};

extern constinit const catalogue::row<edit_distance_job> edit_distance_cpu_bit_vector{
    "cpu/bit_vector", "one chain of 64-bit words, column by column", run_edit};

}  // namespace wale::wavefront
