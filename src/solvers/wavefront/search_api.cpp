// search_api - checks the arguments of searches and of each against each, selects a variant, runs it,
// reports.
#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <wale/brief.hpp>
#include <wale/distance_matrix.hpp>

#include "base/argument.hpp"
#include "base/enumerator.hpp"
#include "cpu/team.hpp"
#include "cuda/reachable.hpp"
#include "cuda/spread.hpp"
#include "solvers/wavefront/check.hpp"
#include "solvers/wavefront/infix/shared/nearest.hpp"
#include "solvers/wavefront/infix/shared/path.hpp"
#include "solvers/wavefront/length/shared/short_pair.hpp"
#include "solvers/wavefront/search_jobs.hpp"
#include "variants/run.hpp"

namespace wale {
namespace {

using namespace wavefront;
using base::refuse;
using base::text;

void check_on_host(const execution& where, const char* call) {
    if (backend_of(where) == backend::cuda)
        throw unsupported_variant(std::string(call) +
                                  ": has no variant on cuda yet, expected backend cpu or reference");
}

void check_widths(int a, int b) {
    if (a != b)
        refuse("symbols", "are of " + text(a) + " and of " + text(b) + " bytes", "one width on both sides");
}

index_t size_of(const sequence_batch& batch, index_t k) {
    return batch.offsets[k + 1] - batch.offsets[k];
}

double symbols_of(const sequence_batch& batch) {
    double sum = 0;
    for (index_t k = 0; k < batch.count; ++k) sum += static_cast<double>(size_of(batch, k));
    return sum;
}

template <class F>
void for_queries(const execution& where, index_t count, const F& work) {
    std::atomic<index_t> next{0};
    cpu::run_team(cpu::team_size(where, (count + 63) / 64), [&](int) {
        for (index_t q = next++; q < count; q = next++) work(q);
    });
}

/// The queries of a search, both strands side by side, and what becomes of them. Queries without symbols are
/// left out of the job, as are all where the text has none: only the empty part is near them.
class search {
public:
    search(const execution& where, const sequence_batch& queries, sequence_view subject,
           const infix_options& o)
        : o_(o), queries_(queries), strands_(o.both_strands ? 2 : 1) {
        job_.where = where;
        job_.text = {subject.data(), subject.size(), subject.symbol_bytes()};
        job_.prefix = o.mode == infix_mode::prefix;
        job_.strands = strands_;
        for (index_t k = 0; k < queries.count && subject.size() > 0; ++k)
            if (size_of(queries, k) > 0) expand(k);
        offsets_.push_back(strands_ == 2 ? std::ssize(both_) : queries.offsets[queries.count]);
        job_.queries = strands_ == 2 ? batch_side{both_.data(), offsets_.data(), 1}
                                     : batch_side{queries.data, offsets_.data(), queries.symbol_bytes};
        job_.count = std::ssize(bounds_);
    }

    infix_result run() {
        infix_result out;
        best_.resize(bounds_.size());
        job_.bounds = bounds_.data();
        job_.best = best_.data();
        job_.run = &out.run;
        const index_t symbols = offsets_.back() - offsets_.front();
        out.run.work = static_cast<double>(symbols) * static_cast<double>(job_.text.size);
        catalogue::run(infix_rows(), o_.variant, job_, out.run);
        out.matches.resize(static_cast<std::size_t>(queries_.count));
        const base::stopwatch watch;
        std::vector<index_t> place(out.matches.size(), -1);  // of a query's strands in the job
        index_t next = 0;
        for (std::size_t k = 0; k < place.size() && job_.count > 0; ++k)
            if (size_of(queries_, static_cast<index_t>(k)) > 0) place[k] = strands_ * next++;
        for_queries(job_.where, queries_.count, [&](index_t q) {
            const auto k = static_cast<std::size_t>(q);
            out.matches[k] = place[k] < 0 ? match_of_nothing(q) : match_of(place[k]);
        });
        out.run.compute_seconds += watch.seconds();
        return out;
    }

private:
    [[nodiscard]] index_t asked(index_t query) const {
        return o_.bounds.empty() ? o_.bound : o_.bounds[static_cast<std::size_t>(query)];
    }

    void expand(index_t k) {
        const index_t size = size_of(queries_, k);
        bounds_.insert(bounds_.end(), static_cast<std::size_t>(strands_),
                       asked(k) < 0 ? size : std::min(asked(k), size));
        if (strands_ == 1) return offsets_.push_back(queries_.offsets[k]);
        const std::string_view forward(static_cast<const char*>(queries_.data) + queries_.offsets[k],
                                       static_cast<std::size_t>(size));
        for (const std::string& strand : {std::string(forward), reverse_complement(forward)}) {
            offsets_.push_back(std::ssize(both_));
            both_ += strand;
        }
    }

    [[nodiscard]] infix_match match_of_nothing(index_t query) const {
        infix_match out;
        const index_t size = size_of(queries_, query);
        if (asked(query) >= 0 && size > asked(query)) return out;
        out.distance = size;
        out.locations.push_back({o_.task == infix_task::distance ? -1 : 0, 0, false});
        if (o_.task == infix_task::path && size > 0) out.cigar = text(size) + "I";
        return out;
    }

    /// Of both strands the nearer one, of equal ones both.
    [[nodiscard]] infix_match match_of(index_t place) const {
        infix_match out;
        for (int s = 0; s < strands_; ++s) {
            const index_t found = best_[static_cast<std::size_t>(place + s)].distance;
            if (found >= 0 && (out.distance < 0 || found < out.distance)) out.distance = found;
        }
        for (int s = 0; s < strands_; ++s) add_strand(place + s, s == 1, out);
        if (o_.task != infix_task::path || out.locations.empty()) return out;
        const infix_location& first = out.locations.front();
        out.cigar = cigar_of(sequence(job_.queries, place + (first.reverse ? 1 : 0)),
                             part(job_.text, first.begin, first.end - first.begin), out.distance);
        return out;
    }

    void add_strand(index_t k, bool reverse, infix_match& out) const {
        const infix_best& best = best_[static_cast<std::size_t>(k)];
        if (best.distance < 0 || best.distance != out.distance) return;
        for (const index_t end : best.ends) {
            infix_location at{-1, end, reverse};
            if (o_.task != infix_task::distance)
                at.begin = job_.prefix || end == 0
                               ? 0
                               : begin_of(sequence(job_.queries, k), job_.text, end, best.distance);
            out.locations.push_back(at);
        }
    }

    const infix_options& o_;
    const sequence_batch& queries_;
    int strands_;
    infix_job job_;
    std::string both_;
    std::vector<index_t> offsets_, bounds_;
    std::vector<infix_best> best_;
};

/// The queries, checked.
sequence_batch check_search(const execution& where, const sequence_batch& batch, sequence_view subject,
                            const infix_options& o) {
    check_on_host(where, "infix_align");
    base::check_enumerator("options", "mode", o.mode, infix_mode::prefix);
    base::check_enumerator("options", "task", o.task, infix_task::path);
    const sequence_batch queries = checked_batch(where, "queries", batch, longest_of_answers);
    (void)checked(where, "text", subject);
    check_widths(queries.symbol_bytes, subject.symbol_bytes());
    if (o.both_strands && queries.symbol_bytes != 1)
        refuse("options.both_strands", "is set for symbols of " + text(queries.symbol_bytes) + " bytes",
               "symbols of one byte");
    if (!o.bounds.empty() && std::ssize(o.bounds) != queries.count)
        refuse("options.bounds", text(std::ssize(o.bounds)) + " entries", text(queries.count));
    return queries;
}

matrix_result run_matrix(const execution&, const sequence_batch& queries, const sequence_batch& targets,
                         matrix_view<std::int32_t> answers, const matrix_options&, bool edit, bool symmetric);

/// The queries in parts, each with all targets; half of a table only where one device has all.
matrix_result spread_matrix(const on_cuda& devices, const sequence_batch& queries,
                            const sequence_batch& targets, matrix_view<std::int32_t> answers,
                            const matrix_options& o, bool edit, bool symmetric) {
    const index_t pitch = answers.mapping().pitch;
    const auto parts = cuda::split_by_work(queries.count, devices.devices.size(), 1, [&](index_t q) {
        return static_cast<double>(size_of(queries, q));
    });
    const auto how = pitch == targets.count ? cuda::traffic::out : cuda::traffic::both;  // gaps stay
    return cuda::spread<matrix_result>(
        devices, parts,
        [&](cuda::carrier& c, cuda::part p) {
            const matrix_view<std::int32_t> there(
                c.part_of(answers.data(), p, how, pitch),
                layout_right::mapping<2>(extents<2>{{p.count(), targets.count}}, pitch));
            return run_matrix(c.where(), c.part_of(queries, p), c.part_of(targets, {0, targets.count}), there,
                              o, edit, symmetric && parts.size() == 1);
        },
        [](matrix_result&, const matrix_result&, index_t) {});
}

matrix_result run_matrix(const execution& where, const sequence_batch& rows, const sequence_batch& columns,
                         matrix_view<std::int32_t> answers, const matrix_options& o, bool edit,
                         bool symmetric) {
    const sequence_batch queries = checked_batch(where, "queries", rows, longest_of_answers),
                         targets = symmetric ? queries
                                             : checked_batch(where, "targets", columns, longest_of_answers);
    check_widths(queries.symbol_bytes, targets.symbol_bytes);
    if (!edit && o.cutoff >= 0)
        refuse("options.cutoff", "is " + text(o.cutoff), "-1: it is for edit distances");
    if (answers.extent(0) != queries.count || answers.extent(1) != targets.count)
        refuse("answers", "shape is " + text(answers.extent(0)) + " x " + text(answers.extent(1)),
               text(queries.count) + " x " + text(targets.count));
    const index_t pitch = answers.mapping().pitch;
    if (pitch < targets.count)
        refuse("answers", "pitch is " + text(pitch), "at least " + text(targets.count));
    cuda::check_reachable(where, "answers", answers.data(), answers.mapping().required_span_size());
    if (const on_cuda* devices = cuda::several(where))
        return spread_matrix(*devices, queries, targets, answers, o, edit, symmetric);
    matrix_result out;
    cross_job job;
    job.where = where;
    job.queries = side_of(queries);
    job.targets = side_of(targets);
    job.query_count = queries.count;
    job.target_count = targets.count;
    job.symmetric = symmetric;
    job.cutoff = std::min(o.cutoff, longest_of_answers - 1);  // the answers hold one more
    job.answers = answers.data();
    job.pitch = pitch;
    job.run = &out.run;
    const bool on_host = backend_of(where) != backend::cuda;
    if (on_host) out.run.work = symbols_of(queries) * symbols_of(targets) * (symmetric ? 0.5 : 1);
    catalogue::run(edit ? edit_cross_rows() : lcs_cross_rows(), o.variant, job, out.run);
    if (o.cutoff < 0 || !on_host) return out;
    for (index_t q = 0; q < queries.count; ++q)
        for (index_t t = 0; t < targets.count; ++t)
            answers(q, t) = std::min(answers(q, t), static_cast<std::int32_t>(job.cutoff + 1));
    return out;
}

}  // namespace

std::string reverse_complement(std::string_view symbols) {
    static const auto complement = [] {
        std::array<char, 256> table{};
        for (std::size_t c = 0; c < table.size(); ++c) table[c] = static_cast<char>(c);
        const std::string from = "ACGTURYKMBDHVacgturykmbdhv", to = "TGCAAYRMKVHDBtgcaayrmkvhdb";
        for (std::size_t k = 0; k < from.size(); ++k) table[static_cast<unsigned char>(from[k])] = to[k];
        return table;
    }();
    std::string out(symbols.rbegin(), symbols.rend());
    for (char& c : out) c = complement[static_cast<unsigned char>(c)];
    return out;
}

infix_result infix_align(const execution& where, const sequence_batch& queries, sequence_view subject,
                         const infix_options& o) {
    const sequence_batch own = check_search(where, queries, subject, o);
    return search(where, own, subject, o).run();
}

std::optional<infix_match> brief_align(sequence_view query, sequence_view subject, brief_mode mode,
                                       infix_task task, index_t bound) {
    constexpr index_t most_symbols = 1 << 16;
    catalogue::check_environment();
    static const execution& here = *new const execution(on_cpu{.threads = 1});
    const symbols rows = checked(here, "query", query), columns = checked(here, "text", subject);
    if (!takes_words(rows) || columns.bytes != 1 || columns.size < 1 || columns.size > most_symbols)
        return std::nullopt;
    infix_match out;
    if (mode == brief_mode::global) {
        const auto found = short_distance(rows, columns, bound);
        if (!found) return std::nullopt;
        if (bound >= 0 && found->value > bound) return out;
        out.distance = found->value;
        out.locations.push_back({task == infix_task::distance ? -1 : 0, columns.size, false});
        if (task == infix_task::path) out.cigar = paired_cigar(rows, columns, found->value);
        return out;
    }
    const bool prefix = mode == brief_mode::prefix;
    const infix_best best = nearest_in_words(rows, columns, prefix, bound < 0 ? rows.size : bound);
    return best.distance < 0 ? out : match_of(best, rows, columns, prefix, task);
}

infix_match infix_align(const execution& where, sequence_view query, sequence_view subject,
                        const infix_options& o) {
    const index_t offsets[] = {0, query.size()};
    return std::move(
        infix_align(where, {query.data(), offsets, 1, query.symbol_bytes()}, subject, o).matches[0]);
}

matrix_result edit_distances(const execution& where, const sequence_batch& queries,
                             const sequence_batch& targets, matrix_view<std::int32_t> answers,
                             const matrix_options& o) {
    return run_matrix(where, queries, targets, answers, o, true, false);
}
matrix_result edit_distances(const execution& where, const sequence_batch& sequences,
                             matrix_view<std::int32_t> answers, const matrix_options& o) {
    return run_matrix(where, sequences, sequences, answers, o, true, true);
}
matrix_result lcs_lengths(const execution& where, const sequence_batch& queries,
                          const sequence_batch& targets, matrix_view<std::int32_t> answers,
                          const matrix_options& o) {
    return run_matrix(where, queries, targets, answers, o, false, false);
}
matrix_result lcs_lengths(const execution& where, const sequence_batch& sequences,
                          matrix_view<std::int32_t> answers, const matrix_options& o) {
    return run_matrix(where, sequences, sequences, answers, o, false, true);
}

}  // namespace wale
