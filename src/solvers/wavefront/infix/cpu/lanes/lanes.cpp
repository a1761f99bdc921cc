// lanes - one query a lane of the vectors. Queries are taken in rounds: the first finds those with a few
// errors, which need few words of a column; those that remain have a larger bound in the next. Groups of
// queries and pieces of the text go to the threads.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

#include "base/aligned.hpp"
#include "base/checked.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/infix/cpu/lanes/scan.hpp"
#include "solvers/wavefront/infix/cpu/tuning.hpp"
#include "solvers/wavefront/length/shared/dictionary.hpp"
#include "solvers/wavefront/length/shared/strip_tile.hpp"
#include "solvers/wavefront/search_jobs.hpp"

namespace wale::wavefront {
namespace {

constexpr std::int64_t idle = -(std::int64_t{1} << 40);  // a bound that no distance meets

/// What the threads find, joined.
class findings {
public:
    explicit findings(const infix_job& job) : job_(job) {}
    void add(index_t query, const infix_best& found) {
        infix_best& best = job_.best[query];
        const std::scoped_lock lock(mutex_);
        if (best.distance >= 0 && found.distance > best.distance) return;
        if (found.distance != best.distance) best = {found.distance, {}};
        best.ends.insert(best.ends.end(), found.ends.begin(), found.ends.end());
    }
    /// Ends in order; the empty part is at the distance of the query's size.
    void finish() {
        for (index_t q = 0; q < job_.count; ++q) {
            infix_best& best = job_.best[q];
            if (best.distance == sequence(job_.queries, q).size) best.ends.push_back(0);
            std::sort(best.ends.begin(), best.ends.end());
        }
    }

private:
    const infix_job& job_;
    std::mutex mutex_;
};

/// The queries in the lanes of one group, their masks, and a scan of a piece of the text for them.
class lane_set {
public:
    lane_set(const infix_job& job, const coded_text& text, std::span<const index_t> queries, index_t bound)
        : job_(job), text_(text), queries_(queries), bound_(bound) {
        const auto lanes = static_cast<std::size_t>(strip_lanes());
        group_.lanes = std::ssize(queries) > strip_lanes() ? 2 * lanes : lanes;
        for (const index_t q : queries) {
            rows_ = std::max(rows_, sequence(job.queries, q).size);
            wanted_ = std::max(wanted_, limit(q));
        }
        group_.words = static_cast<std::size_t>(base::ceil_div(rows_, 64));
        const std::size_t word_bytes = group_.words * group_.lanes * sizeof(std::uint64_t);
        group_.planes = text.byte_codes() && (text.codes() + 1) * word_bytes <=
                                                 static_cast<std::size_t>(chosen_infix.mask_bytes)
                            ? 0
                            : text.planes();
        fill_masks();
    }
    /// Columns before a piece, whose ends the piece cannot know: a part is at most so long.
    [[nodiscard]] index_t overlap() const { return rows_ + wanted_; }

    void scan_piece(index_t begin, index_t end, findings& out) const {
        base::aligned_vector<std::uint64_t> state(2 * group_.words * group_.lanes);
        base::aligned_vector<std::int64_t> bounds(group_.lanes, idle);
        std::vector<infix_best> found(queries_.size());
        for (std::size_t k = 0; k < queries_.size(); ++k) bounds[k] = limit(queries_[k]);
        scan_group g = group_;
        g.masks = masks_.data();
        g.end_rows = end_rows_.data();
        g.text = text_.data();
        g.code_bytes = text_.code_bytes();
        g.first = job_.prefix ? 0 : std::max<index_t>(0, begin - overlap());
        g.report = begin;
        g.last = end;
        g.prefix = job_.prefix;
        g.state = state.data();
        g.bounds = bounds.data();
        g.context = &found;
        g.found = [](void* context, std::size_t lane, index_t at, std::int64_t distance) {
            infix_best& best = (*static_cast<std::vector<infix_best>*>(context))[lane];
            if (distance != best.distance) best = {distance, {}};
            best.ends.push_back(at);
        };
        scan(g);
        for (std::size_t k = 0; k < queries_.size(); ++k)
            if (found[k].distance >= 0) out.add(queries_[k], found[k]);
    }

private:
    [[nodiscard]] index_t limit(index_t query) const { return std::min(bound_, job_.bounds[query]); }

    void fill_masks() {
        const std::size_t tables =
            group_.planes > 0 ? static_cast<std::size_t>(group_.planes) : text_.codes() + 1;
        masks_.assign(tables * group_.words * group_.lanes, 0);
        end_rows_.assign(group_.lanes, ~std::uint64_t{0});
        for (std::size_t lane = 0; lane < queries_.size(); ++lane) {
            std::size_t row = 0;
            text_.for_codes(sequence(job_.queries, queries_[lane]), [&](std::uint32_t code) {
                const std::uint64_t bit = std::uint64_t{1} << row % 64;
                const std::size_t word = row++ / 64 * group_.lanes + lane;
                const std::size_t table = group_.words * group_.lanes;
                if (group_.planes == 0) masks_[code * table + word] |= bit;
                for (std::size_t p = 0; p < static_cast<std::size_t>(group_.planes); ++p)
                    if (code >> p & 1) masks_[p * table + word] |= bit;
            });
            if (row % 64 > 0) end_rows_[lane] = (std::uint64_t{1} << row % 64) - 1;
        }
    }

    const infix_job& job_;
    const coded_text& text_;
    std::span<const index_t> queries_;
    index_t bound_, rows_ = 0, wanted_ = 0;
    scan_group group_{};
    base::aligned_vector<std::uint64_t> masks_, end_rows_;
};

index_t word_count(const infix_job& job, index_t query) {
    return base::ceil_div(sequence(job.queries, query).size, 64);
}

/// Groups of queries with as many words each; `queries` ascends in words.
std::vector<std::span<const index_t>> groups_of(const infix_job& job, std::span<const index_t> queries) {
    const auto most = static_cast<std::size_t>(scan_vectors * strip_lanes());
    std::vector<std::span<const index_t>> groups;
    for (std::size_t first = 0; first < queries.size();) {
        std::size_t last = first + 1;
        while (last < queries.size() && last - first < most &&
               word_count(job, queries[last]) == word_count(job, queries[first]))
            ++last;
        groups.push_back(queries.subspan(first, last - first));
        first = last;
    }
    return groups;
}

/// Scans the text for `queries` with the bound of a round.
void run_round(const infix_job& job, const coded_text& text, std::span<const index_t> queries, index_t bound,
               findings& out) {
    const auto groups = groups_of(job, queries);
    const index_t most_pieces =
        job.prefix ? 1 : std::max<index_t>(1, base::ceil_div(job.text.size, chosen_infix.shortest_piece));
    const int threads = cpu::team_size(job.where, most_pieces * std::ssize(groups));
    // Where queries are few, the text is cut, so that all threads have work.
    const index_t pieces =
        std::clamp<index_t>(base::ceil_div(4 * threads, std::ssize(groups)), 1, most_pieces);
    const index_t cut = threads > 1 ? pieces : 1;
    const index_t tasks = std::ssize(groups) * cut;
    std::atomic<index_t> next{0};
    job.run->threads = std::max(job.run->threads, cpu::team_size(threads, tasks));
    cpu::run_team(cpu::team_size(threads, tasks), [&](int) {
        for (index_t i = next++; i < tasks; i = next++) {
            const lane_set lanes(job, text, groups[static_cast<std::size_t>(i / cut)], bound);
            const index_t size =
                job.prefix ? std::min(job.text.size, lanes.overlap()) : base::ceil_div(job.text.size, cut);
            const index_t begin = i % cut * size;
            lanes.scan_piece(begin, std::min(job.text.size, begin + size), out);
        }
    });
}

void run(infix_job& job) {
    job.run->device = cpu::instruction_set();
    job.run->threads = 1;
    const coded_text text(job.queries, job.count, job.text);
    findings found(job);
    std::vector<index_t> waiting(static_cast<std::size_t>(job.count));
    std::iota(waiting.begin(), waiting.end(), index_t{0});
    std::stable_sort(waiting.begin(), waiting.end(),
                     [&](index_t x, index_t y) { return word_count(job, x) < word_count(job, y); });
    // A bound spares words: a short scan of one word does without rounds.
    constexpr index_t word = 64, short_text = 2048;
    const bool at_once =
        job.text.size <= short_text && (waiting.empty() || word_count(job, waiting.back()) <= 1);
    for (index_t bound = at_once ? word : chosen_infix.first_bound; !waiting.empty();
         bound *= chosen_infix.widening) {
        run_round(job, text, waiting, bound, found);
        std::erase_if(waiting, [&](index_t q) {
            const index_t first = q / job.strands * job.strands;
            bool settled = true;
            for (index_t s = first; s < first + job.strands; ++s) settled &= bound >= job.bounds[s];
            for (index_t s = first; s < first + job.strands; ++s) settled |= job.best[s].distance >= 0;
            return settled;
        });
    }
    found.finish();
    job.run->policy = "lanes=" + std::to_string(strip_lanes());
}

}  // namespace

extern constinit const catalogue::row<infix_job> infix_cpu_lanes{
    "cpu/lanes",
    "one query a lane of the vectors, words within the bound only, the bound widened until it is met", run};

}  // namespace wale::wavefront
