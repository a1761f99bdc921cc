// lanes - each with each: a target a lane. Targets are grouped by length, with a window only those of one
// length; a thread takes a group and some queries at a time. The columns of a block stay in the first cache.
#include <atomic>
#include <numeric>

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

/// The targets by length, and where in this order each group begins.
struct grouping {
    std::vector<index_t> order, begins;
    explicit grouping(const warping_job& job) : order(static_cast<std::size_t>(job.target_count)) {
        std::iota(order.begin(), order.end(), index_t{0});
        const auto length = [&](index_t k) { return size(job.targets, k); };
        std::stable_sort(order.begin(), order.end(),
                         [&](index_t x, index_t y) { return length(x) < length(y); });
        const index_t lanes = lanes_of_block(size_of(job.measure.type));
        for (index_t k = 0; k < job.target_count; ++k)
            if (begins.empty() || k == begins.back() + lanes ||
                (job.measure.window >= 0 && length(target(k)) != length(target(k - 1))))
                begins.push_back(k);
        begins.push_back(job.target_count);
    }
    [[nodiscard]] index_t groups() const { return std::ssize(begins) - 1; }
    [[nodiscard]] index_t begin(index_t g) const { return begins[static_cast<std::size_t>(g)]; }
    [[nodiscard]] index_t target(index_t place) const { return order[static_cast<std::size_t>(place)]; }
};

template <class T>
class lanes_of_thread {
public:
    lanes_of_thread(const warping_job& job, const grouping& groups)
        : job_(job), groups_(groups), lanes_(lanes_of_block(sizeof(T))) {}

    void take_group(index_t g) {
        begin_ = groups_.begin(g), end_ = groups_.begin(g + 1);
        columns_ = size(job_.targets, groups_.target(end_ - 1));
        const index_t numbers = job_.measure.dimensions;
        b_.assign(static_cast<std::size_t>(columns_ * numbers * lanes_), T{0});
        for (index_t place = begin_; place < end_; ++place) {
            const index_t t = groups_.target(place);
            const T* const from = data(job_.targets, t);
            for (index_t k = 0; k < size(job_.targets, t) * numbers; ++k)
                b_[static_cast<std::size_t>(k * lanes_ + place - begin_)] = from[k];
        }
    }

    /// Query q with all targets of the group.
    void answer(index_t q) {
        const index_t rows = size(job_.queries, q);
        const warping_band band(rows, columns_, job_.measure.window);
        const index_t of_cache =
            chosen_warping().block_bytes / ((1 + job_.measure.dimensions) * lanes_ * index_t{sizeof(T)});
        const index_t width = std::max<index_t>(1, of_cache);
        edge_.assign(static_cast<std::size_t>(rows * lanes_), warping_cell<T>::infinity);
        row_.resize(static_cast<std::size_t>(std::min(width, columns_) * lanes_));
        for (index_t first = 0; first < columns_; first += width) {
            const index_t end = std::min(columns_, first + width);
            compute({data(job_.queries, q), rows, first, end, band.below, band.above, job_.measure.dimensions,
                     job_.measure.cost == dtw_cost::squared, static_cast<T>(job_.measure.gamma), b_.data(),
                     edge_.data(), row_.data()});
            for (index_t place = begin_; place < end_; ++place) {
                const index_t last = size(job_.targets, groups_.target(place)) - 1;
                if (last >= first && last < end)
                    keep(q, groups_.target(place),
                         row_[static_cast<std::size_t>((last - first) * lanes_ + place - begin_)]);
            }
        }
    }

private:
    [[nodiscard]] const T* data(const series_side& side, index_t k) const {
        return static_cast<const T*>(side.data) + side.offsets[k] * job_.measure.dimensions;
    }
    void keep(index_t q, index_t t, T cost) { static_cast<T*>(job_.answers)[q * job_.pitch + t] = cost; }

    const warping_job& job_;
    const grouping& groups_;
    index_t lanes_, begin_ = 0, end_ = 0, columns_ = 0;
    base::aligned_vector<T> b_, edge_, row_;
};

/// Of a symmetric job the queries of a group are those whose place is not behind the group's.
void run(warping_job& job) {
    const grouping groups(job);
    const index_t slice = chosen_warping().queries, slices = base::ceil_div(job.query_count, slice);
    const auto worth =
        static_cast<index_t>(job.run->work / static_cast<double>(chosen_warping().thread_cells));
    std::atomic<index_t> next{0};
    job.run->threads = cpu::team_size(job.where, std::min(groups.groups() * slices, worth + 1));
    job.run->device = cpu::instruction_set();
    with_series_type(job.measure, [&]<class T>(T) {
        cpu::run_team(job.run->threads, [&](int) {
            lanes_of_thread<T> own(job, groups);
            for (index_t unit = next++; unit < groups.groups() * slices; unit = next++) {
                const index_t g = unit / slices, first = unit % slices * slice;
                const index_t most = job.symmetric ? groups.begin(g + 1) : job.query_count;
                if (first < most) own.take_group(g);
                for (index_t q = first; q < std::min(most, first + slice); ++q)
                    own.answer(job.symmetric ? groups.target(q) : q);
            }
        });
        if (!job.symmetric) return;
        T* const answers = static_cast<T*>(job.answers);
        for (index_t y = 0; y < job.target_count;
             ++y)  // places: a pair was computed with the longer one as target
            for (index_t x = 0; x < y; ++x) {
                const index_t q = groups.target(x), t = groups.target(y);
                answers[t * job.pitch + q] = answers[q * job.pitch + t];
            }
    });
}

/// Lanes that are empty, and columns beyond the end of a lane's target, are work for nothing.
bool suits(const warping_job& job) {
    const index_t lanes = lanes_of_block(size_of(job.measure.type));
    if (job.target_count < lanes / 2) return false;
    const grouping groups(job);
    double asked = 0, swept = 0;
    for (index_t g = 0; g < groups.groups(); ++g) {
        const index_t end = groups.begin(g + 1);
        for (index_t k = groups.begin(g); k < end; ++k)
            asked += static_cast<double>(size(job.targets, groups.target(k)));
        swept += static_cast<double>(lanes) * static_cast<double>(size(job.targets, groups.target(end - 1)));
    }
    return 2 * asked >= swept;
}

}  // namespace

extern constinit const catalogue::row<warping_job> warping_cpu_lanes{
    "cpu/lanes", "a target a lane, by length; a group of targets and some queries a thread", run, nullptr,
    suits};

}  // namespace wale::wavefront
