// pair_lanes - each with each: a pair a lane, for few series, of which no query has targets for all lanes,
// and for series with each other, where half of the targets' lanes would be empty. A group of pairs of the
// same lengths at a time; its columns stay in the first cache.
#include <atomic>

#include "base/aligned.hpp"
#include "base/checked.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"
#include "solvers/wavefront/warping/cpu/tuning.hpp"
#include "solvers/wavefront/warping/problem.hpp"
#include "solvers/wavefront/warping/shared/backward.hpp"
#include "solvers/wavefront/warping/shared/block.hpp"

namespace wale::wavefront {
namespace {

index_t size(const series_side& side, index_t k) {
    return side.offsets[k + 1] - side.offsets[k];
}

struct pair_of_job {
    index_t query, target;
};

/// All pairs but those of a series with itself, whose cost without a soft minimum is 0; where groups begin.
struct pair_groups {
    std::vector<pair_of_job> pairs;
    std::vector<index_t> begins;
    explicit pair_groups(const warping_job& job) {
        const index_t beside = job.measure.gamma > 0 ? 0 : 1;  // of a symmetric job: the first target
        pairs.reserve(static_cast<std::size_t>(job.query_count * job.target_count / (job.symmetric ? 2 : 1)));
        for (index_t q = 0; q < job.query_count; ++q)
            for (index_t t = job.symmetric ? q + beside : 0; t < job.target_count; ++t)
                pairs.push_back({q, t});
        const index_t lanes = lanes_of_block(size_of(job.measure.type));
        const auto alike = [&](const pair_of_job& x, const pair_of_job& y) {
            return size(job.queries, x.query) == size(job.queries, y.query) &&
                   size(job.targets, x.target) == size(job.targets, y.target);
        };
        for (index_t k = 0; k < std::ssize(pairs); ++k)
            if (begins.empty() || k == begins.back() + lanes || !alike(pair(k - 1), pair(k)))
                begins.push_back(k);
        begins.push_back(std::ssize(pairs));
    }
    [[nodiscard]] index_t groups() const { return std::ssize(begins) - 1; }
    [[nodiscard]] index_t begin(index_t g) const { return begins[static_cast<std::size_t>(g)]; }
    [[nodiscard]] const pair_of_job& pair(index_t k) const { return pairs[static_cast<std::size_t>(k)]; }
};

template <class T>
class pairs_of_thread {
public:
    pairs_of_thread(const warping_job& job, const pair_groups& groups)
        : job_(job), groups_(groups), lanes_(lanes_of_block(sizeof(T))) {}

    void answer(index_t g) {
        const index_t begin = groups_.begin(g), end = groups_.begin(g + 1);
        const pair_of_job& one = groups_.pair(begin);
        const index_t rows = size(job_.queries, one.query), columns = size(job_.targets, one.target);
        const index_t numbers = job_.measure.dimensions;
        a_.resize(static_cast<std::size_t>(rows * numbers * lanes_));
        b_.resize(static_cast<std::size_t>(columns * numbers * lanes_));
        for (index_t k = begin; k < begin + lanes_; ++k) {  // empty lanes repeat the last pair
            const pair_of_job& p = groups_.pair(std::min(k, end - 1));
            interleave(job_.queries, p.query, k - begin, a_);
            interleave(job_.targets, p.target, k - begin, b_);
        }
        const warping_band band(rows, columns, job_.measure.window);
        const index_t width = std::max<index_t>(
            1, chosen_warping().block_bytes / ((1 + numbers) * lanes_ * index_t{sizeof(T)}));
        edge_.assign(static_cast<std::size_t>(rows * lanes_), warping_cell<T>::infinity);
        row_.resize(static_cast<std::size_t>(std::min(width, columns) * lanes_));
        for (index_t first = 0; first < columns; first += width) {
            const index_t last = std::min(columns, first + width);
            compute({a_.data(), rows, first, last, band.below, band.above, numbers,
                     job_.measure.cost == dtw_cost::squared, static_cast<T>(job_.measure.gamma), b_.data(),
                     edge_.data(), row_.data(), true});
            if (last < columns) continue;
            for (index_t k = begin; k < end; ++k)
                keep(groups_.pair(k),
                     row_[static_cast<std::size_t>((columns - 1 - first) * lanes_ + k - begin)]);
        }
    }

private:
    void interleave(const series_side& side, index_t series, index_t lane,
                    base::aligned_vector<T>& to) const {
        const index_t numbers = size(side, series) * job_.measure.dimensions;
        const T* const from =
            static_cast<const T*>(side.data) + side.offsets[series] * job_.measure.dimensions;
        T* at = to.data() + lane;
        for (index_t k = 0; k < numbers; ++k, at += lanes_) *at = from[k];
    }
    void keep(const pair_of_job& p, T cost) const {
        T* const answers = static_cast<T*>(job_.answers);
        answers[p.query * job_.pitch + p.target] = cost;
        if (job_.symmetric) answers[p.target * job_.pitch + p.query] = cost;
    }

    const warping_job& job_;
    const pair_groups& groups_;
    index_t lanes_;
    base::aligned_vector<T> a_, b_, edge_, row_;
};

void run(warping_job& job) {
    const pair_groups groups(job);
    const auto worth =
        static_cast<index_t>(job.run->work / static_cast<double>(chosen_warping().thread_cells));
    std::atomic<index_t> next{0};
    job.run->threads = cpu::team_size(job.where, std::min(std::max<index_t>(groups.groups(), 1), worth + 1));
    job.run->device = cpu::instruction_set();
    with_series_type(job.measure, [&]<class T>(T) {
        if (job.symmetric && !(job.measure.gamma > 0))
            for (index_t k = 0; k < job.query_count; ++k)
                static_cast<T*>(job.answers)[k * (job.pitch + 1)] = 0;
        cpu::run_team(job.run->threads, [&](int) {
            pairs_of_thread<T> own(job, groups);
            for (index_t g = next++; g < groups.groups(); g = next++) own.answer(g);
        });
    });
}

/// Whether all series of a side have one length.
bool even(const series_side& side, index_t count) {
    for (index_t k = 1; k < count; ++k)
        if (size(side, k) != size(side, 0)) return false;
    return true;
}

/// A group with empty lanes takes as long as a full one, but pairs one by one take long where they are short:
/// a table of n x n is 2 n diagonals of 20 ns and n n / 4 ns, a group of them 2.8 n n ns (Xeon 6, float64).
/// Of series with each other this row saves the lanes of half a group in `cpu/lanes`, and copies both of a
/// pair.
bool suits(const warping_job& job) {
    const index_t lanes = lanes_of_block(size_of(job.measure.type)), targets = job.target_count;
    if (job.query_count == 0 || targets == 0 || !even(job.queries, job.query_count)) return false;
    if (!job.symmetric && !even(job.targets, targets)) return false;
    const index_t longest = std::max(size(job.queries, 0), size(job.targets, 0));
    const bool fuller = job.symmetric ? targets <= 4 * lanes || 8 * targets <= longest * lanes
                                      : 4 * base::round_up(targets, lanes) > 5 * targets;
    const index_t pairs = job.symmetric ? targets * (targets - 1) / 2 : job.query_count * targets;
    return fuller && pairs <= chosen_warping().most_pairs && pairs * (160 + longest) >= 11 * longest;
}

}  // namespace

extern constinit const catalogue::row<warping_job> warping_cpu_pair_lanes{
    "cpu/pair_lanes", "a pair a lane, of the same lengths; a group of pairs a thread", run, nullptr, suits};

}  // namespace wale::wavefront
