// striped - one pair, or few: the rows of a query in all lanes of a few vectors, column by column (Farrar
// 2007). Cells have 8 bits (local, while the best score is below 255) or 16 bits.
#include <atomic>

#include "cpu/instruction_set.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/align/cpu/lanes/kept_prices.hpp"
#include "solvers/wavefront/align/cpu/striped/stripes.hpp"
#include "solvers/wavefront/align/shared/pairwise.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t most_bytes = index_t{1} << 30, quick_bytes = index_t{1} << 23;  // of cells that are kept

/// Scores alone, in cells as narrow as they may be.
class striped_scores {
public:
    explicit striped_scores(const both_ways& prices)
        : prices_(prices), upright_(prices.upright), swapped_(prices.swapped) {}

    void set_query(letter_span codes) {
        query_ = codes;
        upright_.reset_widths();
    }
    [[nodiscard]] std::int64_t score(letter_span target) {
        const index_t rows = std::ssize(query_), columns = std::ssize(target);
        if (rows == 0 || columns == 0) return prices_.upright.with_nothing(rows, columns);
        if (!prices_.swaps(rows, columns, upright_.lanes())) return upright_.score(query_, target);
        swapped_.reset_widths();
        return swapped_.score(target, query_);
    }

private:
    class one_way {
    public:
        explicit one_way(const lane_scoring& s)
            : s_(s), narrow_(s, kernels_of_stripes().narrow), middle_(s, kernels_of_stripes().middle) {}
        [[nodiscard]] std::size_t lanes() const { return s_.local ? narrow_.lanes() : middle_.lanes(); }
        void reset_widths() { known_narrow_ = known_middle_ = false; }

        [[nodiscard]] std::int64_t score(letter_span rows, letter_span columns) {
            if (s_.local && s_.open <= 127) {
                if (!std::exchange(known_narrow_, true)) narrow_.set_query(rows);
                if (narrow_.run(columns, {})) return narrow_.best();
            }
            if (!std::exchange(known_middle_, true)) middle_.set_query(rows);
            (void)middle_.run(columns, {s_.last_row_ends, s_.last_column_ends});
            std::int64_t best = middle_.best();
            if (s_.local) return best;
            for (index_t j = 0; s_.last_row_ends && j < std::ssize(columns); ++j)
                best = std::max(best, middle_.in_last_row(j));
            for (index_t i = 0; s_.last_column_ends && i < std::ssize(rows); ++i)
                best = std::max(best, middle_.in_last_column(i));
            return std::max(best, s_.with_nothing(std::ssize(rows), std::ssize(columns)));
        }

    private:
        const lane_scoring& s_;
        stripes<std::int8_t> narrow_;
        stripes<std::int16_t> middle_;
        bool known_narrow_ = false, known_middle_ = false;  // the rows
    };

    const both_ways& prices_;
    one_way upright_, swapped_;
    letter_span query_;
};

/// What path_walker asks of cells.
template <class T>
struct striped_table {
    const stripes<T>& cells;
    const alignment_problem& problem;
    bool swapped;

    [[nodiscard]] bool has_h(index_t i, index_t j, std::int64_t v) const {
        if (i == 0) return problem.top(j) == v;
        if (j == 0) return problem.left(i) == v;
        return (swapped ? cells.cell(j, i) : cells.cell(i, j)) == v;
    }
    [[nodiscard]] bool has_pair(index_t i, index_t j, std::int64_t v) const { return has_h(i - 1, j - 1, v); }
    [[nodiscard]] bool has_e(index_t i, index_t j, std::int64_t) const {
        return swapped ? cells.is_gap(j, i) : cells.is_gap(i, j);
    }
};

/// The pair of a problem in codes of a byte.
struct narrow_pair {
    explicit narrow_pair(const alignment_problem& p)
        : query(p.query.begin(), p.query.end()), target(p.target.begin(), p.target.end()) {}
    std::vector<std::uint8_t> query, target;
};

/// False: cells of T are too narrow.
template <class T>
bool align_in_stripes(const alignment_problem& p, const both_ways& prices, const striped_kernel<T>& kernel,
                      const narrow_pair& codes, alignment_task task, alignment_result& out) {
    const bool local = p.local(), empty = codes.query.empty() || codes.target.empty();
    const bool keeps = task >= (local ? alignment_task::ends : alignment_task::starts);
    const bool swapped = prices.swaps(p.rows(), p.columns(), kernel.lanes);
    const lane_scoring& s = swapped ? prices.swapped : prices.upright;
    stripes<T> cells(s, kernel);
    best_ends ends(p);
    if (!empty) {
        cells.set_query(swapped ? codes.target : codes.query);
        if (!cells.run(swapped ? codes.query : codes.target,
                       {s.last_row_ends, s.last_column_ends, keeps, swapped}))
            return false;
        ends.offer(p.rows(), p.columns(), cells.best());
        for (index_t j = 1; p.ends.target_end && j < p.columns(); ++j)
            ends.offer(p.rows(), j, swapped ? cells.in_last_column(j - 1) : cells.in_last_row(j - 1));
        for (index_t i = 1; p.ends.query_end && i < p.rows(); ++i)
            ends.offer(i, p.columns(), swapped ? cells.in_last_row(i - 1) : cells.in_last_column(i - 1));
    }
    if (local) {
        out.score = empty ? 0 : cells.best();
        out.best_ends = {keeps && out.score > 0 ? cells.best_cell() : alignment_end{}};
    } else {
        ends.offer_border();
        out.score = ends.score();
        out.best_ends = ends.sorted();
    }
    if (task < alignment_task::starts) return true;
    path_walker walker(p, out.best_ends[0], out.score);
    walker.walk(striped_table<T>{cells, p, swapped}, 0, 0);
    walker.finish(out, task == alignment_task::path);
    return true;
}

std::string refusal_of_sizes(const lane_scoring& s, index_t rows, index_t columns) {
    if (s.open > 32767) return "needs gaps that open at 32767 at most";
    if (s.match > 127 || s.mismatch < -128)
        return "needs scores within a byte, of equal and of unequal symbols";
    return s.fits_16_bits(rows, columns) ? "" : "needs scores of 16 bits";
}

index_t bytes_of_cells(const alignment_job& job) {
    const bool local = job.options->mode == alignment_mode::local;
    if (job.options->task < (local ? alignment_task::ends : alignment_task::starts)) return 0;
    const auto rows = static_cast<double>(job.query.size + 64);
    const double bytes = rows * static_cast<double>(job.target.size) * (local ? 1 : 2);
    return static_cast<index_t>(std::min(bytes, 1e18));
}

/// Of one batch side or symbols, by what all operations have.
std::string refusal(const alignment_options& o, const score_profile* profile, int bytes, index_t rows,
                    index_t columns) {
    if (kernels_of_stripes().narrow.run == nullptr) return "needs vectors";
    if (profile != nullptr) return "needs a matrix or match and mismatch, not a profile";
    if (bytes != 1) return "needs symbols of one byte";
    if (std::string why = asks_heuristics(o); !why.empty()) return why;
    if (std::string why = kept_prices::refusal(o); !why.empty()) return why;
    return refusal_of_sizes(kept_prices::of(o).upright, rows, columns);
}

std::string refusal(const alignment_job& job) {
    if (bytes_of_cells(job) > most_bytes)
        return "keeps all cells of a path: needs a table of at most " + std::to_string(most_bytes) + " bytes";
    return refusal(*job.options, job.profile, job.query.bytes, job.query.size, job.target.size);
}

bool suits(const alignment_job& job) {
    return bytes_of_cells(job) <= quick_bytes;
}

void run_score(alignment_job& job);

void run(alignment_job& job) {
    job.run->device = cpu::instruction_set();
    const alignment_task task = job.options->task;
    if (task == alignment_task::score) return run_score(job);
    const coded_alignment codes(job);
    const alignment_problem& p = codes.problem();
    std::optional<both_ways> numbered;
    const both_ways* prices = &kept_prices::of(*job.options);
    if (p.by_equality) {
        prices = &numbered.emplace(*prices);
        numbered->number_codes(p.letters);
    }
    const narrow_pair pair(p);
    const striped_kernels kernels = kernels_of_stripes();
    const bool narrow =
        p.local() && p.open <= 127 && align_in_stripes(p, *prices, kernels.narrow, pair, task, *job.result);
    if (!narrow) (void)align_in_stripes(p, *prices, kernels.middle, pair, task, *job.result);
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

/// The prices with the bytes of both sides numbered, if they are by equality.
both_ways numbered_prices(const alignment_options& o, const batch_side& query, index_t queries,
                          const batch_side& target, index_t targets) {
    both_ways prices = kept_prices::of(o);
    prices.number_bytes(query, queries, target, targets);
    return prices;
}

void run_score(alignment_job& job) {
    const index_t rows[] = {0, job.query.size}, columns[] = {0, job.target.size};
    const batch_side query{job.query.data, rows, 1}, target{job.target.data, columns, 1};
    std::optional<both_ways> numbered;
    const both_ways* prices = &kept_prices::of(*job.options);
    if (prices->upright.kind == lane_scores::equality)
        prices = &numbered.emplace(numbered_prices(*job.options, query, 1, target, 1));
    const coded_side queries(prices->upright, "query", query, 1),
        targets(prices->upright, "target", target, 1);
    striped_scores scores(*prices);
    scores.set_query(queries[0]);
    job.result->score = scores.score(targets[0]);
    job.result->best_ends = {{}};
}

std::string refusal(const alignment_batch_job& job) {
    return refusal(*job.options, nullptr, job.query.bytes, longest(job.query, job.count),
                   longest(job.target, job.count));
}

void run(alignment_batch_job& job) {
    const both_ways prices = numbered_prices(*job.options, job.query, job.count, job.target, job.count);
    const coded_side queries(prices.upright, "query", job.query, job.count),
        targets(prices.upright, "target", job.target, job.count);
    run_slices(job.count, threads_asked(job.where), *job.run, [&](index_t first, index_t last) {
        striped_scores scores(prices);
        for (index_t k = first; k < last; ++k) {
            scores.set_query(queries[k]);
            job.scores[k] = scores.score(targets[k]);
        }
    });
}

std::string refusal(const align_cross_job& job) {
    return refusal(*job.options, job.profiles, job.queries.bytes, longest(job.queries, job.query_count),
                   longest(job.targets, job.target_count));
}

void run(align_cross_job& job) {
    const both_ways prices =
        numbered_prices(*job.options, job.queries, job.query_count, job.targets, job.target_count);
    const coded_side queries(prices.upright, "query", job.queries, job.query_count),
        targets(prices.upright, "target", job.targets, job.target_count);
    run_slices(job.query_count * job.target_count, threads_asked(job.where), *job.run,
               [&](index_t first, index_t last) {
                   striped_scores scores(prices);
                   for (index_t k = first; k < last; ++k) {
                       const index_t q = k / job.target_count, t = k % job.target_count;
                       if (k == first || t == 0) scores.set_query(queries[q]);
                       job.scores[q * job.pitch + t] = scores.score(targets[t]);
                   }
               });
}

}  // namespace

extern constinit const catalogue::row<alignment_job> align_cpu_striped{
    "cpu/striped", "the rows of the query in the lanes of a few vectors, column by column", run, refusal,
    suits};

extern constinit const catalogue::row<alignment_batch_job> align_batch_cpu_striped{
    "cpu/striped", "pair by pair, the rows of the query in all lanes; a slice of the pairs a thread", run,
    refusal};

extern constinit const catalogue::row<align_cross_job> align_cross_cpu_striped{
    "cpu/striped", "pair by pair, the rows of the query in all lanes; a slice of the pairs a thread", run,
    refusal};

}  // namespace wale::wavefront
