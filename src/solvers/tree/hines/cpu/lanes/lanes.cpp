// lanes - cpu/lanes: many cells of one topology, one in each lane of the vectors; threads take runs of
// groups.
#include <algorithm>
#include <limits>

#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/tree/hines/cpu/lanes/group.hpp"
#include "solvers/tree/hines/cpu/tuning.hpp"
#include "solvers/tree/jobs.hpp"
#include "solvers/tree/problem.hpp"
#include "wale/buffer.hpp"

namespace wale::tree {
namespace {

/// Vectors [begin, end) of a group: side by side where the layout has them so.
class lane_cut {
public:
    explicit lane_cut(const hines_job& job) : shape_(job.rhs) {
        const index_t lanes = tree_lanes(shape_.type);
        if (shape_.layout == vector_layout::block_interleaved) run_ = shape_.width;
        vectors_ = row_vectors * lanes > std::min(run_, shape_.count) ? 1 : row_vectors;
        row_ = vectors_ * lanes;
        run_ = std::clamp<index_t>(run_, 1, std::max<index_t>(shape_.count, 1));
        groups_a_run_ = (run_ + row_ - 1) / row_;
        groups_ = (shape_.count + run_ - 1) / run_ * groups_a_run_;
    }
    [[nodiscard]] index_t groups() const { return groups_; }
    [[nodiscard]] index_t row() const { return row_; }
    [[nodiscard]] index_t vectors() const { return vectors_; }
    [[nodiscard]] index_t begin(index_t group) const {
        return group / groups_a_run_ * run_ + group % groups_a_run_ * row_;
    }
    [[nodiscard]] index_t end(index_t group) const {
        return std::min({begin(group) + row_, (group / groups_a_run_ + 1) * run_, shape_.count});
    }
    /// From one vector's element to the next one's.
    [[nodiscard]] index_t distance() const {
        return shape_.layout == vector_layout::interleaved ||
                       shape_.layout == vector_layout::block_interleaved
                   ? 1
                   : shape_.begin_of(1);
    }

private:
    const vector_shape& shape_;
    index_t vectors_ = 1, row_ = 1, run_ = std::numeric_limits<index_t>::max(), groups_a_run_ = 1,
            groups_ = 0;
};

template <class T>
void solve_groups(const hines_job& job, const lane_cut& cut, const lane_plan& plan, index_t begin,
                  index_t end, verdict& bad) {
    buffer<T> scratch(lane_scratch(job.tree->size(), cut.row()));
    std::vector<index_t> lowest(static_cast<std::size_t>(cut.row()));
    lane_cells cells{.plan = &plan,
                     .order = job.tree->ascending ? nullptr : job.tree->order.data(),
                     .nodes = job.tree->size(),
                     .vectors = cut.vectors(),
                     .upper = job.upper.data,
                     .lower = job.lower.data,
                     .diagonal = job.diagonal.data,
                     .rhs = job.rhs.data,
                     .solution = job.solution.data,
                     .eliminated = job.eliminated.data,
                     .scratch = scratch.data(),
                     .lowest_bad = lowest.data()};
    for (index_t g = begin; g < end; ++g) {
        const index_t first = cut.begin(g);
        if (first >= cut.end(g)) continue;
        cells.lanes = cut.end(g) - first;
        cells.at = {job.rhs.begin_of(first), job.rhs.step(), cut.distance()};
        solve_lanes(job.rhs.type, cells);
        for (index_t w = 0; w < cells.lanes; ++w) {
            bad.begin(first + w);
            if (const index_t node = lowest[static_cast<std::size_t>(w)]; node >= 0)
                bad.note(first + w, node);
        }
    }
}

}  // namespace

lane_plan::lane_plan(const topology& t) : parent(t.parent.size()), links(t.parent.size(), 0) {
    std::vector<std::int32_t> row(parent.size());
    std::vector<char> visited(parent.size(), 0);
    const auto at = [](std::int32_t i) { return static_cast<std::size_t>(i); };
    for (std::size_t k = 0; k < parent.size(); ++k) row[at(t.order[k])] = static_cast<std::int32_t>(k);
    for (std::size_t k = parent.size(); k-- > 0;) {
        const std::int32_t node = t.order[k], above = t.parent[at(node)];
        parent[k] = above < 0 ? -1 : row[at(above)];
        if (above < 0) {
            links[k] |= is_root;
        } else if (parent[k] + 1 == static_cast<std::int32_t>(k) && t.children_of(above).size() == 1) {
            links[k] |= hands_on;
            links[k - 1] |= takes_share;
        } else {
            if (!visited[at(above)]) links[k] |= is_first;
            visited[at(above)] = 1;
            links[at(parent[k])] |= takes_sum;
        }
    }
}

index_t lane_scratch(index_t nodes, index_t row) {
    return 2 * nodes * row;
}

namespace {

/// Vectors that are half empty pay where a tree is mostly one long chain: the other variants wait for each
/// node. Full ones pay for all but two or three nodes, which must be gathered for little work.
bool suits_hines_lanes(const hines_job& job) {
    constexpr index_t few = 6, long_chain = 8;  // vectors; edges
    const vector_shape& v = job.rhs;
    const bool beside = v.layout == vector_layout::interleaved ||
                        (v.layout == vector_layout::block_interleaved && v.width >= tree_lanes(v.type));
    if (v.size > 1 && v.size <= 3 && !beside) return v.count >= 4 * tree_lanes(v.type);
    return v.count >= tree_lanes(v.type) ||
           (v.count >= few && job.tree->depth >= long_chain && 4 * job.tree->depth >= v.size);
}

void solve_hines_lanes(hines_job& job) {
    const auto plan =
        job.tree->kept<lane_plan>("cpu/lanes", [&] { return std::make_shared<const lane_plan>(*job.tree); });
    const lane_cut cut(job);
    const double enough =
        static_cast<double>(job.rhs.elements()) / static_cast<double>(chosen_hines_threads.nodes_a_thread);
    const int threads =
        cpu::team_size(std::get<on_cpu>(job.where).threads,
                       static_cast<long long>(std::min(static_cast<double>(cut.groups()), enough)));
    std::vector<verdict> seen(static_cast<std::size_t>(threads), verdict{job.status});
    with_type(job.rhs.type, [&](auto zero) {
        cpu::run_team(threads, [&](int rank) {
            solve_groups<decltype(zero)>(job, cut, *plan, cut.groups() * rank / threads,
                                         cut.groups() * (rank + 1) / threads,
                                         seen[static_cast<std::size_t>(rank)]);
        });
    });
    for (const verdict& v : seen) v.report(*job.result);
    job.result->run.threads = threads;
    job.result->run.device = cpu::instruction_set();
    job.result->run.policy = "lanes=" + std::to_string(cut.row());
}

}  // namespace

extern constinit const catalogue::row<hines_job> hines_cpu_lanes{
    "cpu/lanes", "a cell a lane of the vectors, groups of cells over threads", solve_hines_lanes, nullptr,
    suits_hines_lanes};

}  // namespace wale::tree
