// pairs - a batch as many single pairs: a thread takes a slice; short pairs of bytes are done in words that
// stay, others by the method that suits them.
#include <type_traits>

#include "solvers/wavefront/batch/shared/slices.hpp"
#include "solvers/wavefront/length/shared/short_pair.hpp"
#include "solvers/wavefront/length/shared/short_words.hpp"

namespace wale::wavefront {
namespace {

/// Pairs of a slice: of some ten microseconds, so that no thread is woken for less.
index_t slice_of(const batch_job& job) {
    if (job.count == 0) return 1;
    const index_t symbols =
        job.a.offsets[job.count] - job.a.offsets[0] + job.b.offsets[job.count] - job.b.offsets[0];
    const double mean = static_cast<double>(symbols) / (2 * static_cast<double>(job.count));
    return static_cast<index_t>(std::clamp(4e6 / (mean * mean + 4e3), 16.0, 1024.0));
}

/// A pair whose shorter sequence short_words takes; what is equal at the ends is left out.
template <bool Edit>
index_t short_pair(short_words& words, symbols a, symbols b) {
    const trimmed_pair t = trim(a, b);
    const auto rows = typed<std::uint8_t>(t.a.size <= t.b.size ? t.a : t.b),
               columns = typed<std::uint8_t>(t.a.size <= t.b.size ? t.b : t.a);
    words.set(rows);
    const index_t found = Edit ? words.edit(columns) : words.lcs(columns) + t.prefix + t.suffix;
    words.clear();
    return found;
}

template <class Job>
void run(batch_job& job, const catalogue::table<Job>& table) {
    const pair_rows<Job> rows(table, backend::cpu);
    constexpr bool edit = std::is_same_v<Job, edit_distance_job>;
    const auto answer = [&](short_words& words, const symbols& a, const symbols& b) {
        const index_t shorter = std::min(a.size, b.size);
        if (edit ? job.bound < 0 && shorter <= 64 && a.bytes == 1
                 : short_words::takes(a.size < b.size ? a : b))
            return static_cast<std::int32_t>(short_pair<edit>(words, a, b));
        if (const auto brief = edit ? short_distance(a, b, job.bound) : short_length(a, b))
            return static_cast<std::int32_t>(brief->value);
        return rows.answer(on_cpu{.threads = 1}, a, b, job.bound);
    };
    for_slices(job, slice_of(job), [&](index_t first, index_t last) {
        short_words words;  // of the slice: a call that is interrupted leaves nothing behind
        for (index_t k = first; k < last; ++k)
            job.answers[k] = answer(words, sequence(job.a, k), sequence(job.b, k));
    });
}

}  // namespace

extern constinit const catalogue::row<batch_job> lcs_batch_cpu_pairs{
    "cpu/pairs", "pair by pair, short ones in words that stay, others as a single pair would be",
    [](auto& job) { run(job, lcs_length_rows()); }};

extern constinit const catalogue::row<batch_job> edit_batch_cpu_pairs{
    "cpu/pairs", "pair by pair, short ones in words that stay, others as a single pair would be",
    [](auto& job) { run(job, edit_distance_rows()); }};

}  // namespace wale::wavefront
