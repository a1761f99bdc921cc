// database_api - checks the arguments of a search, scores block after block of the database, keeps the best.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <wale/rank_messages.hpp>
#include <wale/search.hpp>
#include <wale/sequence_file.hpp>

#include "base/argument.hpp"
#include "base/decimal_text.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/check.hpp"
#include "solvers/wavefront/hit_messages.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"
#include "solvers/wavefront/search_jobs.hpp"
#include "solvers/wavefront/spread_pairs.hpp"
#include "variants/run.hpp"

namespace wale {
namespace {

using namespace wavefront;
using base::refuse;
using base::text;

constexpr index_t most_scores = index_t{1} << 24;  // of queries times targets at a time

/// On CUDA, too, sequences lie in host memory.
sequence_batch checked_side(const char* name, const sequence_batch& batch) {
    if (batch.symbol_bytes != 1)
        refuse(name, "symbols of " + text(batch.symbol_bytes) + " bytes", "symbols of one byte");
    return checked_batch(on_cpu{}, name, batch, std::numeric_limits<index_t>::max());
}

/// What is sought: sequences, or profiles, which have sizes and no letters.
struct search_queries {
    sequence_batch batch;
    const score_profile* profiles = nullptr;
    std::vector<index_t> sizes;  // of profiles: what batch.offsets are

    explicit search_queries(const sequence_batch& sequences) : batch(checked_side("queries", sequences)) {}
    explicit search_queries(std::span<const score_profile> of) : profiles(of.data()), sizes{0} {
        for (const score_profile& p : of) sizes.push_back(sizes.back() + p.size());
        batch = {nullptr, sizes.data(), std::ssize(of), 1};
    }
    search_queries(const search_queries&) = delete;
    search_queries& operator=(const search_queries&) = delete;
};

void check(const execution& where, const search_queries& queries, const search_options& o) {
    if (queries.profiles != nullptr && backend_of(where) == backend::cuda)
        throw unsupported_variant("search: takes no profiles on cuda, expected cpu or reference");
    constexpr index_t most_cost = 1'000'000;
    for (const auto& [name, cost] : {std::pair{"options.open", o.open}, {"options.extend", o.extend}})
        if (cost < 0 || cost > most_cost) refuse(name, text(cost), "a cost from 0 to " + text(most_cost));
    for (index_t k = 0; queries.profiles != nullptr && k < queries.batch.count; ++k)
        if (const std::string& scale = queries.profiles[k].scaled_as; !scale.empty())
            (void)substitution_matrix::named(scale);  // throws where there is none
    if (o.top < 1 || o.top > 1'000'000'000) refuse("options.top", text(o.top), "1 to 1000000000");
    if (o.block < 1) refuse("options.block", text(o.block), "at least 1");
    if (std::isnan(o.evalue) || o.evalue < 0)
        refuse("options.evalue", base::decimal_text(o.evalue), "0 or more");
}

/// Records side by side, as searches take them.
struct block_of_records {
    std::vector<sequence_record> records;
    std::string letters;
    std::vector<index_t> offsets;

    explicit block_of_records(std::vector<sequence_record> from) : records(std::move(from)), offsets{0} {
        for (sequence_record& r : records) {
            letters += r.symbols;
            offsets.push_back(std::ssize(letters));
            r.symbols = {};  // once is enough
        }
    }
    [[nodiscard]] sequence_batch batch() const {
        return {letters.data(), offsets.data(), std::ssize(records), 1};
    }
};

bool better(const search_hit& a, const search_hit& b) {
    return a.score != b.score ? a.score > b.score : a.target < b.target;
}

execution where_of(const execution& where, const ranks& group) {
    const auto* cpu = std::get_if<on_cpu>(&where);
    if (cpu == nullptr || cpu->threads != 0 || group.empty()) return where;
    return on_cpu{threads_for(group)};
}

class searching {
public:
    searching(const execution& where, const search_queries& queries, const search_options& o)
        : where_(where_of(where, o.group)), queries_(queries.batch), profiles_(queries.profiles), o_(o) {
        scoring_.mode = o.mode;
        scoring_.ends = o.ends;
        if (profiles_ == nullptr) scoring_.matrix = o.matrix;
        scoring_.open = o.open;
        scoring_.extend = o.extend;
        out_.hits.resize(static_cast<std::size_t>(queries.batch.count));
    }

    /// A block of the database, of which this rank takes its part; `name(k)`: of record k of the block.
    void add(const sequence_batch& targets, const std::function<std::string(index_t)>& name) {
        const index_t step = std::max<index_t>(1, most_scores / std::max<index_t>(queries_.count, 1));
        const index_t last = first_of_rank(targets, o_.group.rank() + 1);
        for (index_t first = first_of_rank(targets, o_.group.rank()); first < last; first += step) {
            const sequence_batch part{targets.data, targets.offsets + first, std::min(step, last - first),
                                      targets.symbol_bytes};
            base_ = out_.targets + first;
            score(part);
            const base::stopwatch watch;
            for_each(queries_.count,
                     [&](index_t q) { keep(q, part, [&](index_t k) { return name(first + k); }); });
            out_.run.compute_seconds += watch.seconds();
        }
        (void)o_.group.any(false);  // ranks stay in step: no wait is longer than a block
        if (targets.count == 0) return;
        out_.targets += targets.count;
        out_.letters += targets.offsets[targets.count] - targets.offsets[0];
    }

    [[nodiscard]] search_result finish() {
        const base::stopwatch watch;
        if (!o_.group.empty()) leave_the_best();
        for (std::size_t q = 0; q < out_.hits.size(); ++q) {
            std::vector<search_hit>& list = out_.hits[q];
            if (const auto statistics = list.empty() ? std::nullopt : statistics_of(q)) {
                const double of_score_0 = statistics->evalue(0, query(q).size, out_.letters, out_.targets);
                for (search_hit& hit : list) {
                    hit.bits = statistics->bits(hit.score);
                    hit.evalue = of_score_0 * std::exp(-statistics->lambda * static_cast<double>(hit.score));
                }
            }
            std::erase_if(list, [&](const search_hit& hit) { return hit.evalue > o_.evalue; });
        }
        if (o_.path) align_hits();
        out_.run.compute_seconds += watch.seconds();
        if (!o_.group.empty()) collect();
        return std::move(out_);
    }

private:
    /// The first record of a rank, by letters.
    [[nodiscard]] index_t first_of_rank(const sequence_batch& targets, int rank) const {
        if (rank == o_.group.size() || targets.count == 0) return targets.count;
        const index_t begin = targets.offsets[0];
        const index_t share = (targets.offsets[targets.count] - begin) / o_.group.size();
        return std::lower_bound(targets.offsets, targets.offsets + targets.count, begin + share * rank) -
               targets.offsets;
    }

    /// Of the hits of all ranks the best stay, each with the rank that has it.
    void leave_the_best() {
        struct key {
            index_t query, score, target;
        };
        std::vector<key> own;
        for (std::size_t q = 0; q < out_.hits.size(); ++q)
            for (const search_hit& h : out_.hits[q])
                own.push_back({static_cast<index_t>(q), h.score, h.target});
        packer sent;
        const std::vector<index_t> same{queries_.count, out_.targets, out_.letters};
        sent.add(same);
        sent.add(own);
        std::vector<std::vector<search_hit>> all(out_.hits.size());
        for (const std::string& bytes : gather(o_.group, sent.bytes())) {
            packer received(bytes);
            std::vector<index_t> theirs;
            received.take(theirs);
            if (theirs != same) throw rank_error("search: ranks have other queries or another database");
            received.take(own);
            for (const key& k : own) {
                search_hit& h = all[static_cast<std::size_t>(k.query)].emplace_back();
                h.score = k.score;
                h.target = k.target;
            }
        }
        for (std::size_t q = 0; q < all.size(); ++q) {
            if (std::ssize(all[q]) <= o_.top) continue;
            const auto worst = all[q].begin() + static_cast<std::ptrdiff_t>(o_.top - 1);
            std::nth_element(all[q].begin(), worst, all[q].end(), better);
            std::erase_if(out_.hits[q], [&](const search_hit& h) { return better(*worst, h); });
        }
    }

    /// Every rank gets the hits of all.
    void collect() {
        packer own;
        own.add(std::vector<double>{out_.run.work, out_.run.compute_seconds});
        own.add(out_.run.variant);
        for (std::size_t q = 0; q < out_.hits.size(); ++q)
            for (const search_hit& h : out_.hits[q]) add_hit(own, q, h);
        for (auto& list : out_.hits) list.clear();
        out_.run.work = 0;
        for (std::string& bytes : gather(o_.group, own.bytes())) {
            packer all(std::move(bytes));
            std::vector<double> sums;
            all.take(sums);
            std::string variant;
            all.take(variant);
            if (out_.run.variant.empty()) out_.run.variant = variant;  // this rank had no record
            out_.run.work += sums[0];
            out_.run.compute_seconds = std::max(out_.run.compute_seconds, sums[1]);
            while (!all.at_end()) {
                search_hit h;
                const std::size_t q = take_hit(all, h);
                out_.hits[q].push_back(std::move(h));
            }
        }
        for (auto& list : out_.hits) std::sort(list.begin(), list.end(), better);
        out_.run.policy += (out_.run.policy.empty() ? "ranks=" : " ranks=") + text(o_.group.size());
    }

    [[nodiscard]] std::optional<score_statistics> statistics_of(std::size_t q) const {
        if (o_.mode != alignment_mode::local) return std::nullopt;
        if (profiles_ == nullptr) return published_statistics(o_.matrix, o_.open, o_.extend);
        const std::string& scale = profiles_[q].scaled_as;
        if (scale.empty()) return std::nullopt;
        return published_statistics(substitution_matrix::named(scale), o_.open, o_.extend);
    }

    [[nodiscard]] symbols query(std::size_t q) const {
        return sequence({queries_.data, queries_.offsets, 1}, static_cast<index_t>(q));
    }

    /// Of the host, where the device does the scores: all.
    [[nodiscard]] int threads() const {
        return backend_of(where_) == backend::cuda ? 0 : threads_asked(where_);
    }

    template <class Work>
    void for_each(index_t count, const Work& work) const {
        std::atomic<index_t> next{0};
        cpu::run_team(cpu::team_size(threads(), count), [&](int) {
            for (index_t k = next++; k < count; k = next++) work(k);
        });
    }

    void score(const sequence_batch& targets) {
        if (const index_t room = queries_.count * targets.count; room > room_) {
            scores_ = std::make_unique_for_overwrite<std::int64_t[]>(static_cast<std::size_t>(room));
            room_ = room;
        }
        align_cross_job job;
        job.where = where_;
        job.queries = {queries_.data, queries_.offsets, 1};
        job.targets = {targets.data, targets.offsets, 1};
        job.query_count = queries_.count;
        job.target_count = targets.count;
        job.options = &scoring_;
        job.scores = scores_.get();
        job.pitch = targets.count;
        report run;
        job.run = &run;
        job.profiles = profiles_;
        if (const on_cuda* devices = cuda::several(where_))
            run = spread_targets(*devices, job, o_.variant);
        else
            catalogue::run(align_cross_rows(), o_.variant, job, run);
        const auto letters = [](const sequence_batch& b) {
            return b.count == 0 ? 0.0 : static_cast<double>(b.offsets[b.count] - b.offsets[0]);
        };
        run.work = out_.run.work + letters(queries_) * letters(targets);
        run.compute_seconds += out_.run.compute_seconds;
        out_.run = run;
    }

    /// Merges a query's scores of a block into its best; of equal scores the earlier record stays.
    void keep(index_t q, const sequence_batch& targets, const std::function<std::string(index_t)>& name) {
        std::vector<search_hit>& list = out_.hits[static_cast<std::size_t>(q)];
        const auto top = static_cast<std::size_t>(o_.top);
        const std::int64_t* scores = scores_.get() + q * targets.count;
        std::vector<search_hit> found;
        const bool local = o_.mode == alignment_mode::local;
        index_t least = list.size() < top ? std::numeric_limits<index_t>::min() : list.back().score;
        if (local) least = std::max<index_t>(least, 0);
        const bool open = !local && list.size() < top;  // any score is welcome
        for (index_t k = 0; k < targets.count; ++k) {
            if (!open && scores[k] <= least) continue;
            found.emplace_back();
            found.back().target = base_ + k;
            found.back().score = scores[k];
            if (found.size() < 2 * top + 64) continue;
            std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(top), found.end(),
                             better);
            found.resize(top);
        }
        for (search_hit& hit : found) list.push_back(std::move(hit));
        std::sort(list.begin(), list.end(), better);
        if (list.size() > top) list.resize(top);
        for (search_hit& hit : list) {
            if (hit.target < base_) continue;
            const index_t k = hit.target - base_;
            const auto letters = typed<std::uint8_t>(sequence({targets.data, targets.offsets, 1}, k));
            hit.name = name(k);
            hit.symbols.assign(letters.begin(), letters.end());
        }
    }

    void align_hits() {
        std::vector<std::pair<std::size_t, search_hit*>> all;
        for (std::size_t q = 0; q < out_.hits.size(); ++q)
            for (search_hit& hit : out_.hits[q]) all.emplace_back(q, &hit);
        alignment_options one = scoring_;
        one.task = alignment_task::path;
        const bool reference = backend_of(where_) == backend::reference;
        const execution where = reference ? where_ : execution{on_cpu{.threads = 1}};
        for_each(std::ssize(all), [&](index_t k) {
            const auto& [q, hit] = all[static_cast<std::size_t>(k)];
            if (profiles_ != nullptr) {
                hit->alignment = align(where, profiles_[q], hit->symbols, one);
                return;
            }
            const symbols s = query(q);
            hit->alignment = align(
                where, std::string_view(static_cast<const char*>(s.data), static_cast<std::size_t>(s.size)),
                hit->symbols, one);
        });
    }

    const execution where_;
    const sequence_batch& queries_;
    const score_profile* const profiles_;
    const search_options& o_;
    alignment_options scoring_;
    std::unique_ptr<std::int64_t[]> scores_;  // not set to 0: the pages are first touched by those who write
    index_t room_ = 0;
    index_t base_ = 0;  // the number of a part's first record
    search_result out_;
};

search_result search_batch(const execution& where, const search_queries& queries,
                           const sequence_batch& targets, const search_options& o) {
    check(where, queries, o);
    searching s(where, queries, o);
    s.add(checked_side("targets", targets), [](index_t) { return std::string(); });
    return s.finish();
}

search_result search_file(const execution& where, const search_queries& queries,
                          const std::string& database_file, const search_options& o) {
    check(where, queries, o);
    sequence_blocks file(database_file, {.max_bytes = std::numeric_limits<index_t>::max()});
    searching s(where, queries, o);
    std::vector<sequence_record> next = file.next(o.block);
    while (!next.empty()) {
        const block_of_records block(std::move(next));
        next = {};
        // A thread reads while others search: reading takes as long as the search of many threads.
        const bool beside = threads_asked(where) != 1 || backend_of(where) == backend::cuda;
        cpu::run_team(beside ? 2 : 1, [&](int rank) {
            if (rank == 0)
                s.add(block.batch(),
                      [&](index_t k) { return block.records[static_cast<std::size_t>(k)].name; });
            if (rank == 1 || !beside) next = file.next(o.block);
        });
    }
    return s.finish();
}

}  // namespace

search_result search(const execution& where, const sequence_batch& queries, const sequence_batch& targets,
                     const search_options& o) {
    return search_batch(where, search_queries(queries), targets, o);
}

search_result search(const execution& where, const sequence_batch& queries, const std::string& database_file,
                     const search_options& o) {
    return search_file(where, search_queries(queries), database_file, o);
}

search_result search(const execution& where, std::span<const score_profile> queries,
                     const sequence_batch& targets, const search_options& o) {
    return search_batch(where, search_queries(queries), targets, o);
}

search_result search(const execution& where, std::span<const score_profile> queries,
                     const std::string& database_file, const search_options& o) {
    return search_file(where, search_queries(queries), database_file, o);
}

}  // namespace wale
