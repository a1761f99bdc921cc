// striped - one pair, or few: the rows of a query in all lanes of a few vectors, column by column (Farrar
// 2007). Cells have 8 bits (local, while the best score is below 255) or 16 bits.
#include <atomic>

#include "cpu/instruction_set.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/align/cpu/striped/stripes.hpp"
#include "solvers/wavefront/align/shared/pairwise.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t most_bytes = index_t{1} << 30, quick_bytes = index_t{1} << 23;  // of cells that are kept

/// Scores alone, in cells as narrow as they may be.
class striped_scores {
public:
    explicit striped_scores(const lane_scoring& s)
        : s_(s), narrow_(s, kernels_of_stripes().narrow), middle_(s, kernels_of_stripes().middle) {}

    void set_query(letter_span codes) {
        query_ = codes;
        known_narrow_ = known_middle_ = false;
    }
    [[nodiscard]] std::int64_t score(letter_span target) {
        const index_t rows = std::ssize(query_), columns = std::ssize(target);
        if (rows == 0 || columns == 0) return s_.with_nothing(rows, columns);
        if (s_.local && s_.open <= 127) {
            if (!std::exchange(known_narrow_, true)) narrow_.set_query(query_);
            if (narrow_.run(target, {})) return narrow_.best();
        }
        if (!std::exchange(known_middle_, true)) middle_.set_query(query_);
        (void)middle_.run(target, {s_.last_row_ends, s_.last_column_ends, false});
        std::int64_t best = middle_.best();
        if (s_.local) return best;
        for (index_t j = 0; s_.last_row_ends && j < columns; ++j)
            best = std::max(best, middle_.in_last_row(j));
        for (index_t i = 0; s_.last_column_ends && i < rows; ++i)
            best = std::max(best, middle_.in_last_column(i));
        return std::max(best, s_.with_nothing(rows, columns));
    }

private:
    const lane_scoring& s_;
    stripes<std::int8_t> narrow_;
    stripes<std::int16_t> middle_;
    letter_span query_;
    bool known_narrow_ = false, known_middle_ = false;
};

/// What path_walker asks of cells.
template <class T>
struct striped_table {
    const stripes<T>& cells;
    const alignment_problem& problem;

    [[nodiscard]] bool has_h(index_t i, index_t j, std::int64_t v) const {
        if (i == 0) return problem.top(j) == v;
        return (j == 0 ? problem.left(i) : cells.cell(i, j)) == v;
    }
    [[nodiscard]] bool has_pair(index_t i, index_t j, std::int64_t v) const { return has_h(i - 1, j - 1, v); }
    [[nodiscard]] bool has_e(index_t i, index_t j, std::int64_t) const { return cells.is_gap(i, j); }
};

template <class T>
bool align_in_stripes(const alignment_problem& p, const lane_scoring& s, const striped_kernel<T>& kernel,
                      letter_span query, letter_span target, alignment_task task, alignment_result& out) {
    const bool keeps = task >= (s.local ? alignment_task::ends : alignment_task::starts);
    stripes<T> columns(s, kernel);
    best_ends ends(p);
    if (!query.empty() && !target.empty()) {
        columns.set_query(query);
        if (!columns.run(target, {p.ends.target_end, p.ends.query_end, keeps})) return false;
        ends.offer(p.rows(), p.columns(), columns.best());
        for (index_t j = 1; p.ends.target_end && j < p.columns(); ++j)
            ends.offer(p.rows(), j, columns.in_last_row(j - 1));
        for (index_t i = 1; p.ends.query_end && i < p.rows(); ++i)
            ends.offer(i, p.columns(), columns.in_last_column(i - 1));
    }
    if (s.local) {
        out.score = query.empty() || target.empty() ? 0 : columns.best();
        out.best_ends = {keeps && out.score > 0 ? columns.best_cell() : alignment_end{}};
    } else {
        ends.offer_border();
        out.score = ends.score();
        out.best_ends = ends.sorted();
    }
    if (task < alignment_task::starts) return true;
    path_walker walker(p, out.best_ends[0], out.score);
    walker.walk(striped_table<T>{columns, p}, 0, 0);
    walker.finish(out, task == alignment_task::path);
    return true;
}

std::vector<std::uint8_t> narrowed(std::span<const std::uint32_t> codes) {
    return {codes.begin(), codes.end()};
}

std::string refusal_of(const lane_scoring& s, index_t rows, index_t columns) {
    if (s.open > 32767) return "needs gaps that open at 32767 at most";
    if (s.match > 127) return "needs a match of at most 127";
    return s.fits_16_bits(rows, columns) ? "" : "needs scores of 32 bits";
}

index_t bytes_of_cells(const alignment_job& job) {
    const bool local = job.options->mode == alignment_mode::local;
    if (job.options->task < (local ? alignment_task::ends : alignment_task::starts)) return 0;
    const auto rows = static_cast<double>(job.query.size + 64);
    const double bytes = rows * static_cast<double>(job.target.size) * (local ? 1 : 2);
    return static_cast<index_t>(std::min(bytes, 1e18));
}

template <class Job>
std::string refusal_of_options(const Job& job, const score_profile* profile, int bytes) {
    if (kernels_of_stripes().narrow.run == nullptr) return "needs vectors";
    if (profile != nullptr) return "needs a matrix or match and mismatch, not a profile";
    if (bytes != 1) return "needs symbols of one byte";
    return lane_scoring::refusal(*job.options);
}

std::string refusal(const alignment_job& job) {
    if (std::string why = refusal_of_options(job, job.profile, job.query.bytes); !why.empty()) return why;
    if (std::string why = asks_heuristics(*job.options); !why.empty()) return why;
    if (bytes_of_cells(job) > most_bytes)
        return "keeps all cells of a path: needs a table of at most " + std::to_string(most_bytes) + " bytes";
    return refusal_of(lane_scoring(*job.options, false), job.query.size, job.target.size);
}

bool suits(const alignment_job& job) {
    return bytes_of_cells(job) <= quick_bytes;
}

void run(alignment_job& job) {
    const coded_alignment codes(job);
    const alignment_problem& p = codes.problem();
    lane_scoring s(*job.options, false);
    if (s.kind == lane_scores::equality) s.letters = p.letters;
    const std::vector<std::uint8_t> query = narrowed(p.query), target = narrowed(p.target);
    const striped_kernels kernels = kernels_of_stripes();
    job.run->device = cpu::instruction_set();
    const alignment_task task = job.options->task;
    const bool narrow =
        s.local && s.open <= 127 && align_in_stripes(p, s, kernels.narrow, query, target, task, *job.result);
    if (!narrow) (void)align_in_stripes(p, s, kernels.middle, query, target, task, *job.result);
    job.run->policy = narrow ? "cells=8 bits" : "cells=16 bits";
}

/// The codes of all bytes of a side, end to end.
class coded_side {
public:
    coded_side(const lane_scoring& s, const char* name, const batch_side& side, index_t count) : side_(side) {
        const index_t first = side.offsets[0];
        codes_.resize(static_cast<std::size_t>(side.offsets[count] - first));
        for (index_t k = 0; k < count; ++k) {
            const auto text = typed<std::uint8_t>(sequence(side, k));
            std::uint8_t* const to = codes_.data() + (side.offsets[k] - first);
            for (std::size_t at = 0; at < text.size(); ++at) to[at] = s.code(name, text, at);
        }
    }
    [[nodiscard]] letter_span operator[](index_t k) const {
        return letter_span(codes_).subspan(static_cast<std::size_t>(side_.offsets[k] - side_.offsets[0]),
                                           static_cast<std::size_t>(side_.offsets[k + 1] - side_.offsets[k]));
    }

private:
    const batch_side side_;
    std::vector<std::uint8_t> codes_;
};

index_t longest(const batch_side& side, index_t count) {
    index_t most = 0;
    for (index_t k = 0; k < count; ++k) most = std::max(most, side.offsets[k + 1] - side.offsets[k]);
    return most;
}

std::string refusal(const alignment_batch_job& job) {
    if (std::string why = refusal_of_options(job, nullptr, job.query.bytes); !why.empty()) return why;
    return refusal_of(lane_scoring(*job.options, false), longest(job.query, job.count),
                      longest(job.target, job.count));
}

void number_letters(lane_scoring& s, const batch_side& query, index_t queries, const batch_side& target,
                    index_t targets) {
    if (s.kind != lane_scores::equality) return;
    s.number_bytes(query, 0, queries, target, 0, targets);
}

void run(alignment_batch_job& job) {
    lane_scoring s(*job.options, false);
    number_letters(s, job.query, job.count, job.target, job.count);
    const coded_side queries(s, "query", job.query, job.count), targets(s, "target", job.target, job.count);
    run_slices(job.count, threads_asked(job.where), *job.run, [&](index_t first, index_t last) {
        striped_scores scores(s);
        for (index_t k = first; k < last; ++k) {
            scores.set_query(queries[k]);
            job.scores[k] = scores.score(targets[k]);
        }
    });
}

std::string refusal(const align_cross_job& job) {
    if (std::string why = refusal_of_options(job, job.profiles, job.queries.bytes); !why.empty()) return why;
    return refusal_of(lane_scoring(*job.options, false), longest(job.queries, job.query_count),
                      longest(job.targets, job.target_count));
}

void run(align_cross_job& job) {
    lane_scoring s(*job.options, false);
    number_letters(s, job.queries, job.query_count, job.targets, job.target_count);
    const coded_side queries(s, "query", job.queries, job.query_count),
        targets(s, "target", job.targets, job.target_count);
    run_slices(job.query_count * job.target_count, threads_asked(job.where), *job.run,
               [&](index_t first, index_t last) {
                   striped_scores scores(s);
                   for (index_t k = first; k < last; ++k) {
                       const index_t q = k / job.target_count, t = k % job.target_count;
                       if (k == first || t == 0) scores.set_query(queries[q]);
                       job.scores[q * job.pitch + t] = scores.score(targets[t]);
                   }
               });
}

}  // namespace

extern const catalogue::row<alignment_job> align_cpu_striped;
constinit const catalogue::row<alignment_job> align_cpu_striped{
    "cpu/striped", backend::cpu, "the rows of the query in the lanes of a few vectors, column by column",
    refusal,       suits,        run};

extern const catalogue::row<alignment_batch_job> align_batch_cpu_striped;
constinit const catalogue::row<alignment_batch_job> align_batch_cpu_striped{
    "cpu/striped",
    backend::cpu,
    "pair by pair, the rows of the query in all lanes; a slice of the pairs a thread",
    refusal,
    nullptr,
    run};

extern const catalogue::row<align_cross_job> align_cross_cpu_striped;
constinit const catalogue::row<align_cross_job> align_cross_cpu_striped{
    "cpu/striped",
    backend::cpu,
    "pair by pair, the rows of the query in all lanes; a slice of the pairs a thread",
    refusal,
    nullptr,
    run};

}  // namespace wale::wavefront
