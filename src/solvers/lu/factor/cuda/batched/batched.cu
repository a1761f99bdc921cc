// batched - sorts matrices by size and layout into buckets and launches a kernel for each.
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "cuda/brief_timer.cuh"
#include "solvers/lu/factor/cuda/batched/tuning.hpp"
#include "solvers/lu/factor/cuda/batched/work.cuh"
#include "solvers/lu/factor/shared/refusals.hpp"
#include "tuning/override.hpp"

namespace wale::lu {
namespace batched {
namespace {

enum class kernel { threads, strips, fragments, thread_rows, thread_grid, panels };

/// Matrices of one launch: of like size.
struct bucket {
    kernel by = kernel::panels;
    int policy = 0;                     // number in the table of its kernel
    bool by_row = false;                // not for panels: the matrices are row-major
    int rows = 0, columns = 0;          // of the largest
    std::vector<std::int32_t> numbers;  // of a list, the largest matrix first; empty: all of a uniform batch
};

constexpr int size_step = 32;  // matrices of a list share a launch up to a multiple of it, of 128 above 256

int rounded(index_t size) {
    const index_t step = size <= 256 ? size_step : 4 * size_step;
    return static_cast<int>((size + step - 1) / step * step);
}

bool holds(const tuning::row<strip_policy>& row, const matrices& m) {
    const strip_policy& p = row.policy;
    return row.element_size == bytes_of(m.type) && m.rows <= p.lanes * p.rows_per_lane &&
           m.columns <= p.warps * p.strips * strip_columns;
}

/// The strips that hold m; -1: none.
int strips_for(const matrices& m) {
    constexpr std::size_t count = std::size(strip_policies);
    const std::size_t asked = tuning::overridden("lu/factor/batched/strips", count, 0);
    if (asked > 0 && holds(strip_policies[asked], m)) return static_cast<int>(asked);
    for (std::size_t i = 0; i < count; ++i)
        if (holds(strip_policies[i], m)) return static_cast<int>(i);
    return -1;
}

/// The fragments that hold m; -1: none.
int fragments_for(const matrices& m) {
    for (int i = 0; i < std::ssize(fragment_policies); ++i) {
        const auto& row = fragment_policies[i];
        if (row.element_size == bytes_of(m.type) && std::max(m.rows, m.columns) <= row.policy.lanes) return i;
    }
    return -1;
}

/// The thread rows that hold m; -1: none.
int thread_rows_for(const matrices& m) {
    for (int i = 0; i < std::ssize(thread_row_policies); ++i) {
        const auto& row = thread_row_policies[i];
        if (row.element_size == bytes_of(m.type) && m.rows <= thread_row_count &&
            m.columns <= row.policy.columns)
            return i;
    }
    return -1;
}

bool holds(const tuning::row<panel_choice>& row, const matrices& m) {
    if (row.element_size != bytes_of(m.type) || m.rows > row.policy.largest_rows) return false;
    const int most = row.policy.most_shared_bytes;
    if (most == 0) return true;
    if (m.columns > most) return false;  // surely too many, and the product below stays in range
    return bytes_of(m.type) * rounded(m.rows) * rounded(m.columns) <= most;
}

int panels_for(const matrices& m) {
    for (const auto& row : panel_choices)
        if (holds(row, m))
            return static_cast<int>(tuning::overridden("lu/factor/batched", std::size(panel_policies),
                                                       static_cast<std::size_t>(row.policy.policy)));
    return -1;
}

/// Whether the thread grid takes m, one of `count` matrices.
bool suits_thread_grid(const matrices& m, index_t count, int sm) {
    const thread_grid_policy& p =
        thread_grid_policies[tuning::choose("lu/factor/batched/grid", thread_grid_policies, sm,
                                            static_cast<int>(bytes_of(m.type)))]
            .policy;
    const index_t size = std::max(m.rows, m.columns);
    return size >= p.least && size <= p.most && count <= p.most_count;
}

bucket bucket_of(const matrices& m, bool grid) {
    bucket b;
    b.by_row = m.row_major();
    b.rows = static_cast<int>(m.rows);
    b.columns = static_cast<int>(m.columns);
    b.by = kernel::threads;
    if (std::max(m.rows, m.columns) <= most_by_thread) return b;
    b.by = kernel::thread_grid;
    if (grid) return b;
    b.by = kernel::strips;
    b.policy = strips_for(m);
    if (b.policy >= 0) return b;
    b.by = kernel::fragments;
    b.policy = fragments_for(m);
    if (b.policy >= 0) return b;
    b.by = kernel::thread_rows;
    b.policy = thread_rows_for(m);
    if (b.policy >= 0) return b;
    b.by = kernel::panels;
    b.by_row = false;
    b.policy = panels_for(m);
    return b;
}

std::vector<bucket> buckets_of(const factor_job& job, int sm) {
    const batch& all = job.a;
    const auto one = [&](const matrices& m) {
        return bucket_of(m, job.pivoting == pivoting::none && suits_thread_grid(m, all.count(), sm));
    };
    if (all.count() == 0) return {};
    if (!all.listed()) return {one(all.uniform())};
    std::map<std::tuple<kernel, int, bool, int, int>, bucket> sorted;
    for (index_t i = 0; i < all.count(); ++i) {
        const bucket b = one(all[i]);
        const bool apart = b.by == kernel::panels;  // the sizes of the others are in their policy
        const int size = b.by == kernel::thread_grid ? rounded(std::max(b.rows, b.columns)) : 0;
        bucket& to = sorted[{b.by, b.policy, b.by_row, apart ? rounded(b.rows) : size,
                             apart && panel_policies[b.policy].policy.in_shared ? rounded(b.columns) : 0}];
        to.by = b.by;
        to.policy = b.policy;
        to.by_row = b.by_row;
        to.rows = std::max(to.rows, b.rows);
        to.columns = std::max(to.columns, b.columns);
        to.numbers.push_back(static_cast<std::int32_t>(i));
    }
    std::vector<bucket> out;
    for (auto& entry : sorted) {
        bucket& b = out.emplace_back(std::move(entry.second));
        std::stable_sort(b.numbers.begin(), b.numbers.end(), [&](std::int32_t x, std::int32_t y) {
            return all[x].rows * all[x].columns > all[y].rows * all[y].columns;
        });
    }
    return out;
}

template <class T>
void launch_one(const cuda::context& c, const factor_work<T>& work, const bucket& b) {
    switch (b.by) {
        case kernel::threads:
            launch_threads(c, work, std::max(b.rows, b.columns));
            return;
        case kernel::strips:
            if constexpr (sizeof(T) == 4) launch_strips(c, work, b.policy, b.columns, b.by_row);
            return;
        case kernel::fragments:
            if constexpr (sizeof(T) == 8) launch_fragments(c, work, b.policy, b.by_row);
            return;
        case kernel::thread_rows:
            if constexpr (sizeof(T) == 8) launch_thread_rows(c, work, b.policy, b.by_row);
            return;
        case kernel::thread_grid:
            launch_thread_grid(c, work, std::max(b.rows, b.columns), b.by_row);
            return;
        case kernel::panels:
            launch_panels(c, work, b.policy, b.rows, b.columns);
    }
}

template <class T>
void launch_all(const cuda::context& c, const factor_job& job, const std::vector<bucket>& buckets,
                outcome* to) {
    const batch_on_device<T> all(c, job.a);
    const cuda::scratch<std::int32_t> order(c, job.a.listed() ? job.a.count() : 0);
    std::vector<std::int32_t> numbers;
    for (const bucket& b : buckets) numbers.insert(numbers.end(), b.numbers.begin(), b.numbers.end());
    if (!numbers.empty())  // from pageable memory: the copy has left `numbers` when the call returns
        cuda::check(cudaMemcpyAsync(order.data(), numbers.data(), numbers.size() * sizeof(numbers[0]),
                                    cudaMemcpyHostToDevice, c.stream()));
    const std::int32_t* at = order.data();
    for (const bucket& b : buckets) {
        factor_work<T> work{.all = all.get(), .out = job.out, .smallest_pivot = job.smallest_pivot, .to = to};
        work.pivoting = job.pivoting == pivoting::partial;
        work.count = job.a.listed() ? std::ssize(b.numbers) : job.a.count();
        if (job.a.listed()) work.order = at;
        at += b.numbers.size();
        launch_one(c, work, b);
    }
}

std::string text_of(const bucket& b) {
    if (b.by == kernel::threads) return "thread_per_matrix";
    if (b.by == kernel::strips) {
        const strip_policy& p = strip_policies[b.policy].policy;
        return "lanes=" + std::to_string(p.lanes * p.warps) + ",rows=" + std::to_string(p.rows_per_lane) +
               ",strips";
    }
    if (b.by == kernel::fragments) {
        const fragment_policy& p = fragment_policies[b.policy].policy;
        return "lanes=" + std::to_string(p.lanes);
    }
    if (b.by == kernel::thread_rows)
        return "columns=" + std::to_string(thread_row_policies[b.policy].policy.columns) + ",thread_rows";
    if (b.by == kernel::thread_grid) return "thread_grid";
    const panel_policy& p = panel_policies[b.policy].policy;
    return "panel=" + std::to_string(p.width) + (p.in_shared ? ",shared" : ",in_place");
}

}  // namespace
}  // namespace batched

namespace {

constexpr index_t most_rows = 1024, most_columns = 1 << 24;

std::string refuses_batched(const factor_job& job) {
    if (std::string no = refuses_tournament(job); !no.empty()) return no;
    if (job.a.largest_rows() > most_rows) return "more than 1024 rows";
    return job.a.largest_columns() > most_columns ? "more than 16777216 columns" : "";
}

bool suits_batched(const factor_job& job) {
    const index_t largest = std::max(job.a.largest_rows(), job.a.largest_columns());
    if (largest > 512 && job.pivoting == pivoting::none && job.a.count() <= 16) return false;
    if (job.a.count() == 1) {
        const lone_policy& p =
            lone_policies[tuning::pick(lone_policies, 0, static_cast<int>(bytes_of(job.a.type())))].policy;
        return largest <= (job.pivoting == pivoting::none ? p.largest : p.largest_pivoted);
    }
    for (const auto& row : batch_policies)
        if (largest <= row.policy.largest) return job.a.count() >= row.policy.least_count;
    return false;
}

void factor_batched(factor_job& job) {
    const cuda::context c(job.where);
    const outcome_on_device to(c, job);
    std::optional<cuda::brief_timer> timer;
    if (!job.asynchronous) timer.emplace(c);
    const std::vector<batched::bucket> buckets = batched::buckets_of(job, c.sm());
    with_type(job.a.type(),
              [&](auto zero) { batched::launch_all<decltype(zero)>(c, job, buckets, to.data()); });
    if (timer) job.result->run.compute_seconds = timer->stop(to.words());
    job.result->run.iterations = std::ssize(buckets);
    if (!buckets.empty()) job.result->run.policy = batched::text_of(buckets.back());
    to.report(job, "cuda/batched");
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cuda_batched{
    "cuda/batched", "many matrices: some lanes of a warp, or a block, keep one in registers or shared memory",
    factor_batched, refuses_batched, suits_batched};

}  // namespace wale::lu
