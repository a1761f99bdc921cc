// contraction - cuda/contraction: a big tree on the whole device, a block a window, two launches a level.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cuda/device_array.cuh"
#include "cuda/stream.cuh"
#include "solvers/tree/hines/cuda/contraction/window.cuh"
#include "solvers/tree/hines/shared/contraction/schedule.hpp"
#include "solvers/tree/hines/shared/thread_tuning.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale::tree {
namespace {

/// A contraction's schedule in a device's memory, kept with the plan.
struct contraction_level_on_device {
    contraction_level_on_device(const cuda::context& on, const contraction_level& level)
        : windows(on, level.windows),
          cells(on, level.cells),
          links(on, level.links),
          node(on, level.node),
          items(level.items),
          window_count(static_cast<int>(level.windows.size())),
          most_items(level.most_items),
          most_slots(level.most_slots),
          most_cells(level.most_cells) {}
    cuda::device_array<contraction_window> windows;
    cuda::device_array<contraction_cell> cells;
    cuda::device_array<contraction_link> links;
    cuda::device_array<std::int32_t> node;
    index_t items;
    int window_count, most_items, most_slots, most_cells;
};

struct contraction_on_device {
    contraction_on_device(const cuda::context& on, const contraction_schedule& schedule) {
        levels.reserve(schedule.levels.size());
        for (const contraction_level& level : schedule.levels) levels.emplace_back(on, level);
    }
    std::vector<contraction_level_on_device> levels;
};

extern __shared__ __align__(16) char shared_memory[];

/// Where a level's rows go, writable.
template <class T>
struct contraction_above {
    contraction_rows<T> rows;
    T *u, *l, *d, *b;
};

template <int Row, class T>
__global__ void __launch_bounds__(contraction_policies[Row].policy.threads,
                                  contraction_policies[Row].policy.blocks)
    contract(const __grid_constant__ contraction_view<T> view,
             const __grid_constant__ contraction_above<T> above, device_status status) {
    contraction_block<T> block(view, blockIdx.x, shared_memory);
    block.load(nullptr);
    block.eliminate(status);
    block.put(above.rows, above.u, above.l, above.d, above.b);
}

/// Windows from the last to the first: what `contract` read last is still in the cache. To eliminate once
/// more moves fewer bytes than to keep three words of every node.
template <int Row, class T>
__global__ void __launch_bounds__(contraction_policies[Row].policy.threads,
                                  contraction_policies[Row].policy.blocks)
    expand(const __grid_constant__ contraction_view<T> view, contraction_rows<T> above,
           device_status status) {
    contraction_block<T> block(view, static_cast<int>(gridDim.x - 1 - blockIdx.x), shared_memory);
    const T* const unknowns = above.x + above.begin(block.vector());
    block.load(unknowns);
    block.eliminate(status);
    block.substitute(unknowns);
    block.store();
}

template <int Row, class T>
class contraction_call {
    static constexpr contraction_policy policy = contraction_policies[Row].policy;

public:
    contraction_call(const hines_job& job, const contraction_on_device& schedule, const cuda::context& here)
        : here_(here), levels_(schedule.levels), vectors_(job.rhs.count) {
        index_t items = 0;
        for (std::size_t k = 1; k < levels_.size(); ++k) items += levels_[k].items;
        memory_ = std::make_unique<cuda::scratch<T>>(here, 5 * vectors_ * items);
        T* free = memory_->data();
        rows_.push_back(callers(job));
        for (std::size_t k = 1; k < levels_.size(); ++k) {
            const index_t size = vectors_ * levels_[k].items;
            rows_.push_back({{free, free + size, free + 2 * size, free + 3 * size, free + 4 * size, 1,
                              levels_[k].items, 1},
                             free,
                             free + size,
                             free + 2 * size,
                             free + 3 * size});
            free += 5 * size;
        }
    }

    /// Once for each plan: as much shared memory as there is.
    static void prepare(const cuda::context& here) {
        const auto most = static_cast<std::size_t>(here.facts().shared_per_block);
        for (const void* kernel : {reinterpret_cast<const void*>(contract<Row, T>),
                                   reinterpret_cast<const void*>(expand<Row, T>)}) {
            cuda::launch_limits::permit(here, kernel, most);
            cuda::launch_limits::prefer_shared(here, kernel);
        }
    }

    void run(const device_status& status) {
        for (index_t v = 0; v < vectors_; v += most_vectors) run_some(v, status);
    }

private:
    static constexpr index_t most_vectors = 65535;  // a grid's second dimension

    static contraction_above<T> callers(const hines_job& job) {
        const vector_shape& s = job.rhs;
        const index_t width = s.layout == vector_layout::block_interleaved ? s.width : 1;
        const index_t block = width > 1 || s.layout == vector_layout::block_interleaved ? width * s.size
                              : s.layout == vector_layout::interleaved                  ? 1
                              : s.layout == vector_layout::unified ? s.stride * vector_shape::unified_step
                                                                   : s.stride;
        return {{static_cast<const T*>(job.upper.data), static_cast<const T*>(job.lower.data),
                 static_cast<const T*>(job.diagonal.data), static_cast<const T*>(job.rhs.data),
                 static_cast<T*>(job.solution.data), width, block, s.step()},
                nullptr,
                nullptr,
                nullptr,
                nullptr};
    }

    [[nodiscard]] std::size_t bytes(std::size_t k) const {
        return contraction_bytes<T>(levels_[k].most_items, levels_[k].most_slots, levels_[k].most_cells);
    }
    [[nodiscard]] contraction_view<T> view(std::size_t k, index_t first) const {
        const contraction_level_on_device& level = levels_[k];
        return {level.windows.data(),
                level.cells.data(),
                level.links.data(),
                level.node.data(),
                k == 0 && level.node.data() != nullptr,
                level.items,
                level.most_items,
                level.most_slots,
                rows_[k].rows,
                first};
    }

    void run_some(index_t first, const device_status& status) {
        const auto count = static_cast<unsigned>(std::min(most_vectors, vectors_ - first));
        const auto grid = [&](std::size_t k) {
            return dim3(static_cast<unsigned>(levels_[k].window_count), count);
        };
        const std::size_t last = levels_.size() - 1;
        for (std::size_t k = 0; k < last; ++k) {
            contract<Row, T>
                <<<grid(k), policy.threads, bytes(k), here_.stream()>>>(view(k, first), rows_[k + 1], status);
            cuda::check_launch();
        }
        for (std::size_t k = last + 1; k-- > 0;) {
            expand<Row, T><<<grid(k), policy.threads, bytes(k), here_.stream()>>>(
                view(k, first), k == last ? contraction_rows<T>{} : rows_[k + 1].rows, status);
            cuda::check_launch();
        }
    }

    const cuda::context& here_;
    const std::vector<contraction_level_on_device>& levels_;
    const index_t vectors_;
    std::unique_ptr<cuda::scratch<T>> memory_;
    std::vector<contraction_above<T>> rows_;
};

std::size_t policy_row(const cuda::context& here, scalar type) {
    return tuning::choose("tree/hines/contraction", contraction_policies, here.sm(),
                          static_cast<int>(bytes_of(type)));
}

template <int Row, class T>
std::shared_ptr<const contraction_on_device> schedule_of(const topology& tree, const cuda::context& here) {
    const std::string key = "cuda/contraction " + std::to_string(Row) + " for " + std::to_string(sizeof(T)) +
                            " bytes on device " + std::to_string(here.device());
    return tree.kept<contraction_on_device>(key, [&] {
        contraction_call<Row, T>::prepare(here);
        return std::make_shared<const contraction_on_device>(
            here, contraction_schedule(tree, contraction_policies[Row].policy.limits));
    });
}

template <int Row, class T>
void solve_with(hines_job& job, const cuda::context& here, const status_of_call& status) {
    const auto schedule = schedule_of<Row, T>(*job.tree, here);
    if (schedule->levels.empty() || job.rhs.count == 0) return;
    std::optional<cuda::timer> timer;
    if (!job.asynchronous) timer.emplace(here);
    contraction_call<Row, T>(job, *schedule, here).run(status.on_device());
    if (timer) job.result->run.compute_seconds = timer->stop(status.words());
    job.result->run.iterations = 2 * static_cast<index_t>(schedule->levels.size()) - 1;
}

std::string refuses_contraction_cuda(const hines_job& job) {
    return job.eliminated.data
               ? "eliminates in another order than leaves first, so there is no eliminated diagonal"
               : "";
}

/// Where threads that take a tree each would be too few.
bool suits_contraction_cuda(const hines_job& job) {
    const auto trees = static_cast<index_t>(job.tree->roots.size()) * job.rhs.count;
    if (thread_sweeps::many_short_trees(job)) return false;
    const cuda::context here(job.where);
    return trees < contraction_policies[policy_row(here, job.rhs.type)].policy.fewer_trees;
}

void solve_contraction_cuda(hines_job& job) {
    const cuda::context here(job.where);
    const std::size_t row = policy_row(here, job.rhs.type);
    const contraction_policy& policy = contraction_policies[row].policy;
    job.result->run.policy = "window=" + std::to_string(policy.limits.window) +
                             " run=" + std::to_string(policy.limits.first_run) +
                             " threads=" + std::to_string(policy.threads);
    const status_of_call status(here, job.status, job.rhs.count, job.asynchronous);
    with_type(job.rhs.type, [&](auto zero) {
        tuning::with_row<contraction_policies, sizeof(zero)>(
            row, [&]<int Row>() { solve_with<Row, decltype(zero)>(job, here, status); });
    });
    if (!job.asynchronous) status.report(*job.result);
}

}  // namespace

extern constinit const catalogue::row<hines_job> hines_cuda_contraction{
    "cuda/contraction",
    "a few big trees: rake and compress inside windows, a block each, two launches a level",
    solve_contraction_cuda, refuses_contraction_cuda, suits_contraction_cuda};

}  // namespace wale::tree
