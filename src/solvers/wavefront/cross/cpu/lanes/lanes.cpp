// lanes - each sequence against each, one target a lane: the masks of a group of targets serve all queries.
// Targets are sorted by length, so that lanes are as narrow as their targets allow and end together.
#include <atomic>
#include <numeric>

#include "base/aligned.hpp"
#include "base/checked.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/cross/cpu/lanes/patterns.hpp"
#include "solvers/wavefront/cross/cpu/tuning.hpp"
#include "solvers/wavefront/length/shared/dictionary.hpp"
#include "solvers/wavefront/length/shared/word_band.hpp"
#include "solvers/wavefront/search_jobs.hpp"

namespace wale::wavefront {
namespace {

using kernel = void (*)(const pattern_group&, const coded_query&, std::int32_t*);

/// The queries in the codes of the targets, one after the other.
class coded_queries {
public:
    coded_queries(const cross_job& job, const dictionary& codes) : bytes_(codes.size() < 256 ? 1 : 4) {
        starts_.reserve(static_cast<std::size_t>(job.query_count) + 1);
        starts_.push_back(0);
        for (index_t q = 0; q < job.query_count; ++q)
            starts_.push_back(starts_.back() + static_cast<std::size_t>(sequence(job.queries, q).size));
        codes_.resize(starts_.back() * static_cast<std::size_t>(bytes_));
        for (index_t q = 0; q < job.query_count; ++q) {
            std::uint8_t* const to = codes_.data() + starts_[static_cast<std::size_t>(q)] * bytes();
            if (bytes_ == 1)
                codes.encode(sequence(job.queries, q), to);
            else
                codes.encode(sequence(job.queries, q), reinterpret_cast<std::uint32_t*>(to));
        }
    }
    [[nodiscard]] coded_query at(index_t q) const {
        const std::size_t begin = starts_[static_cast<std::size_t>(q)];
        return {codes_.data() + begin * bytes(), bytes_,
                static_cast<index_t>(starts_[static_cast<std::size_t>(q) + 1] - begin)};
    }

private:
    [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(bytes_); }
    int bytes_;
    std::vector<std::size_t> starts_;
    base::aligned_vector<std::uint8_t> codes_;
};

/// Targets in the lanes of one vector.
class target_group {
public:
    /// `ranks`: places in the order by length, ascending.
    target_group(const cross_job& job, const dictionary& codes, const std::vector<index_t>& order,
                 index_t first, index_t last)
        : first_(first), last_(last) {
        shortest_ = size_of(job, order, first);
        longest_ = size_of(job, order, last - 1);
        g_.lane_bits = lane_bits(longest_);
        g_.lanes = pattern_lanes(g_.lane_bits);
        g_.words = static_cast<std::size_t>(std::max<index_t>(1, base::ceil_div(longest_, g_.lane_bits)));
        const std::size_t lane_bytes = static_cast<std::size_t>(g_.lane_bits) / 8;
        const std::size_t table = g_.words * g_.lanes * lane_bytes;
        memory_.resize((codes.size() + 2) * table);  // the last is `rows`
        for (index_t r = first; r < last; ++r) {
            std::size_t row = 0;
            const auto lane = static_cast<std::size_t>(r - first);
            const symbols s = sequence(job.targets, order[static_cast<std::size_t>(r)]);
            visit_symbols(s, s, [&](auto x, auto) {
                for (const auto symbol : x) {
                    // A lane's word has its bits in ascending bytes: the machine is little-endian.
                    const std::size_t bits = lane_bytes * 8;
                    const std::size_t byte = (row / bits * g_.lanes + lane) * lane_bytes + row % bits / 8;
                    const auto bit = static_cast<std::uint8_t>(1u << row % 8);
                    memory_[codes.code(symbol) * table + byte] |= bit;
                    memory_[(codes.size() + 1) * table + byte] |= bit;
                    ++row;
                }
            });
        }
        g_.masks = memory_.data();
        g_.rows = memory_.data() + (codes.size() + 1) * table;
    }

    static index_t size_of(const cross_job& job, const std::vector<index_t>& order, index_t rank) {
        return sequence(job.targets, order[static_cast<std::size_t>(rank)]).size;
    }
    static int lane_bits(index_t size) { return size <= 8 ? 8 : size <= 16 ? 16 : size <= 32 ? 32 : 64; }

    [[nodiscard]] index_t first() const { return first_; }
    [[nodiscard]] index_t last() const { return last_; }
    [[nodiscard]] const pattern_group& group() const { return g_; }
    /// No target's length is nearer to `size`.
    [[nodiscard]] index_t least_distance(index_t size) const {
        return std::max({index_t{0}, shortest_ - size, size - longest_});
    }

private:
    index_t first_, last_, shortest_ = 0, longest_ = 0;
    pattern_group g_{};
    base::aligned_vector<std::uint8_t> memory_;
};

/// One call: the order of the targets, and blocks of queries against groups of them.
class cross_run {
public:
    cross_run(const cross_job& job, kernel compute)
        : job_(job), compute_(compute), codes_(job.targets, job.target_count), queries_(job, codes_) {
        order_.resize(static_cast<std::size_t>(job.target_count));
        std::iota(order_.begin(), order_.end(), index_t{0});
        std::stable_sort(order_.begin(), order_.end(), [&](index_t x, index_t y) {
            return sequence(job.targets, x).size < sequence(job.targets, y).size;
        });
    }

    void run() {
        const index_t blocks = base::ceil_div(job_.query_count, chosen_cross.queries);
        job_.run->threads = cpu::team_size(job_.where, blocks);
        for (index_t rank = 0; rank < job_.target_count;) {
            std::vector<target_group> groups;
            for (std::size_t bytes = 0;
                 rank < job_.target_count && bytes < static_cast<std::size_t>(chosen_cross.mask_bytes);) {
                const index_t last = last_of_group(rank);
                groups.emplace_back(job_, codes_, order_, rank, last);
                bytes += (codes_.size() + 2) * groups.back().group().words * base::cache_line;
                rank = last;
            }
            std::atomic<index_t> next{0};
            cpu::run_team(job_.run->threads, [&](int) {
                for (index_t b = next++; b < blocks; b = next++) answer(groups, b);
            });
        }
    }

private:
    /// As many targets as lanes, all of one width of lanes.
    [[nodiscard]] index_t last_of_group(index_t first) const {
        const int bits = target_group::lane_bits(target_group::size_of(job_, order_, first));
        const auto lanes = static_cast<index_t>(pattern_lanes(bits));
        index_t last = first + 1;
        while (last < job_.target_count && last - first < lanes &&
               target_group::lane_bits(target_group::size_of(job_, order_, last)) == bits)
            ++last;
        return last;
    }

    /// Queries of a block: of a symmetric job by rank, against targets of no smaller rank.
    void answer(const std::vector<target_group>& groups, index_t block) const {
        const index_t end = std::min(job_.query_count, (block + 1) * chosen_cross.queries);
        for (const target_group& g : groups) {
            cpu::poll();
            for (index_t k = block * chosen_cross.queries; k < end; ++k) {
                if (job_.symmetric && g.last() <= k) continue;
                answer(g, job_.symmetric ? order_[static_cast<std::size_t>(k)] : k, job_.symmetric ? k : 0);
            }
        }
    }

    void answer(const target_group& g, index_t q, index_t least_rank) const {
        std::int32_t of_lanes[base::cache_line];
        const coded_query query = queries_.at(q);
        const index_t least = g.least_distance(query.size);
        if (job_.cutoff >= 0 && least > job_.cutoff)
            std::fill(std::begin(of_lanes), std::end(of_lanes), static_cast<std::int32_t>(least));
        else
            compute_(g.group(), query, of_lanes);
        for (index_t r = std::max(g.first(), least_rank); r < g.last(); ++r) {
            const index_t t = order_[static_cast<std::size_t>(r)];
            job_.answers[q * job_.pitch + t] = of_lanes[r - g.first()];
            if (job_.symmetric) job_.answers[t * job_.pitch + q] = of_lanes[r - g.first()];
        }
    }

    const cross_job& job_;
    const kernel compute_;
    const dictionary codes_;
    const coded_queries queries_;
    std::vector<index_t> order_;
};

void run(cross_job& job, kernel compute) {
    job.run->device = cpu::instruction_set();
    cross_run(job, compute).run();
    job.run->policy = "lanes=" + std::to_string(pattern_lanes(64));
}

void run_lcs(cross_job& job) {
    run(job, lcs_patterns);
}
void run_edit(cross_job& job) {
    run(job, edit_patterns);
}

/// Whether words of the queries cost less than masks of the targets, which serve few queries (cpu/pairs).
bool few_short(const cross_job& job, index_t few, index_t word_rows) {
    // Wide symbols need a dictionary of all targets before the masks, but only one word serves a query of
    // them.
    const bool wide = job.targets.bytes > 1;
    if (wide) few *= 4, word_rows = 64;
    if (job.symmetric || job.query_count > few) return false;
    for (index_t q = 0; q < job.query_count; ++q)
        if (sequence(job.queries, q).size > word_rows) return false;
    return true;
}

bool suits(const cross_job& job) {
    if (job.target_count == 0) return true;
    const index_t symbols = job.targets.offsets[job.target_count] - job.targets.offsets[0];
    if (symbols / job.target_count > chosen_cross.longest_mean) return false;
    return job.targets.bytes == 1 || dictionary(job.targets, job.target_count).size() <= chosen_cross.codes;
}
bool suits_lcs(const cross_job& job) {
    return !few_short(job, chosen_cross.few_lcs, chosen_cross.word_rows_lcs) && suits(job);
}
/// Whether most cells lie beyond the cutoff, which cpu/pairs leaves out; few pairs leave lanes empty.
bool cut_short(const cross_job& job) {
    if (job.cutoff < 0 || job.target_count == 0) return false;
    constexpr index_t few = 64, least = 100, long_text = 512;
    constexpr index_t cells_of_a_band = 2400,
                      cells_of_an_edit = 530;  // of lanes, in the time of a banded_query
    const index_t mean = (job.targets.offsets[job.target_count] - job.targets.offsets[0]) / job.target_count;
    if (job.targets.bytes == 1 && job.cutoff <= widest_in_word && mean > 64)
        return mean * mean > cells_of_a_band + cells_of_an_edit * job.cutoff;
    if (mean >= std::max(least, 5 * std::min(job.cutoff, mean))) return true;
    return job.query_count * job.target_count <= few &&
           mean >= std::max(long_text, 4 * std::min(job.cutoff, mean));
}

bool suits_edit(const cross_job& job) {
    return !cut_short(job) && !few_short(job, chosen_cross.few_edit, chosen_cross.word_rows_edit) &&
           suits(job);
}

}  // namespace

extern constinit const catalogue::row<cross_job> lcs_cross_cpu_lanes{
    "cpu/lanes", "one target a lane of 8 to 64 bits, their masks made once for all queries", run_lcs, nullptr,
    suits_lcs};

extern constinit const catalogue::row<cross_job> edit_cross_cpu_lanes{
    "cpu/lanes", "one target a lane of 8 to 64 bits, their masks made once for all queries", run_edit,
    nullptr, suits_edit};

}  // namespace wale::wavefront
