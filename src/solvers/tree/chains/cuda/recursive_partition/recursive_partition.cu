// recursive_partition - cuda/recursive_partition: few large chains.
#include <optional>
#include <vector>

#include "solvers/tree/chains/cuda/recursive_partition/kernels.cuh"
#include "solvers/tree/chains/cuda/rows.hpp"

namespace wale::tree {
namespace partition {
namespace {

/// The cuts of a job: segments of a vector at each depth, tiles first, one group last.
struct cuts {
    std::vector<index_t> each;
    index_t vectors = 0;
    [[nodiscard]] index_t segments() const {
        index_t sum = 0;
        for (std::size_t i = 0; i + 1 < each.size(); ++i) sum += each[i];
        return sum * vectors;
    }
};
[[nodiscard]] cuts cuts_of(const chain_job& job, const policy& p) {
    const index_t tile = 32 * p.rows(static_cast<int>(bytes_of(job.a.type())));
    cuts c{{(job.a.shape().size + tile - 1) / tile}, job.rhs.count};
    do {
        c.each.push_back((c.each.back() + p.group - 1) / p.group);
    } while (c.each.back() > 1);
    return c;
}

template <class T>
[[nodiscard]] std::vector<level<T>> levels_of(const cuts& c, const policy& p, T* memory) {
    std::vector<level<T>> levels;
    index_t rows = 32 * p.rows(sizeof(T));
    for (const index_t each : c.each) {
        const index_t all = each * c.vectors;
        T* first = memory + level<T>::segment_words * all;
        levels.push_back({memory, first, first + all, each, all, rows});
        memory += level<T>::words_each * all;
        rows *= p.group;
    }
    return levels;
}

/// Blocks that fill the device, none without a tile.
template <class Kernel>
[[nodiscard]] unsigned resident_blocks(const cuda::context& on, Kernel* kernel, int bytes, index_t tiles) {
    cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                     cudaSharedmemCarveoutMaxShared));
    int each = 0;
    cuda::check(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, 32, static_cast<std::size_t>(bytes)));
    return static_cast<unsigned>(std::min<index_t>(tiles, index_t{std::max(each, 1)} * on.multiprocessors()));
}

/// Launches.
template <int Row, class How, class T>
index_t queue(const cuda::context& on, const chain_view<T>& c, const std::vector<level<T>>& levels,
              const device_status& status) {
    constexpr policy p = policies[Row].policy;
    constexpr int bytes = tile<T, 32, p.rows(sizeof(T))>::bytes;
    const auto blocks = [](index_t n) { return static_cast<unsigned>(n); };
    const level<T>& tiles = levels[0];
    reduce_tiles<Row, How, T>
        <<<resident_blocks(on, reduce_tiles<Row, How, T>, bytes, tiles.all), 32, bytes, on.stream()>>>(
            c, tiles, status);
    cuda::check_launch();
    const std::size_t top = levels.size() - 1;
    for (std::size_t l = 0; l + 1 < top; ++l) {
        join_groups<p.group, stage::gather, How, T>
            <<<blocks(levels[l + 1].all), p.group, 0, on.stream()>>>(levels[l], levels[l + 1], c, status);
        cuda::check_launch();
    }
    join_groups<p.group, stage::close, How, T>
        <<<blocks(levels[top].all), p.group, 0, on.stream()>>>(levels[top - 1], levels[top], c, status);
    cuda::check_launch();
    for (std::size_t l = top - 1; l-- > 0;) {
        join_groups<p.group, stage::spread, How, T>
            <<<blocks(levels[l + 1].all), p.group, 0, on.stream()>>>(levels[l], levels[l + 1], c, status);
        cuda::check_launch();
    }
    solve_tiles<Row, How, T>
        <<<resident_blocks(on, solve_tiles<Row, How, T>, bytes, tiles.all), 32, bytes, on.stream()>>>(c,
                                                                                                      tiles);
    cuda::check_launch();
    return static_cast<index_t>(2 * top + 1);
}

[[nodiscard]] std::size_t row_for(const cuda::context& on, const chain_job& job) {
    return tuning::choose("tree/chains/recursive_partition", policies, on.sm(),
                          static_cast<int>(bytes_of(job.a.type())));
}

}  // namespace
}  // namespace partition

std::string refuses_recursive_partition(const chain_job& job) {
    if (job.a.shape().ragged() || job.rhs.ragged()) return "takes systems of one size";
    // A group's number is a block's.
    if (job.rhs.count > (index_t{1} << 20)) return "takes at most 2^20 vectors";
    return {};
}

bool suits_recursive_partition(const chain_job& job) {
    return job.a.shape().size > 65536 && job.a.shape().step() <= vector_shape::unified_step;
}

void solve_recursive_partition(chain_job& job) {
    using namespace partition;
    const cuda::context on(job.where);
    const std::size_t row = row_for(on, job);
    const policy& p = policies[row].policy;
    const cuts c = cuts_of(job, p);
    const index_t words = level<double>::words_each * (c.segments() + c.vectors);
    if (job.workspace) {
        *job.workspace = words * bytes_of(job.a.type());
        return;
    }
    const status_of_call status(on, job.status, job.a.systems());
    job.result->run.policy = "run=" + std::to_string(p.run_bytes) + "B group=" + std::to_string(p.group);
    if (job.a.shape().size == 0 || job.rhs.count == 0) return;
    std::optional<cuda::timer> timer;
    if (!job.asynchronous) timer.emplace(on);
    with_type(job.a.type(), [&](auto zero) {
        using T = decltype(zero);
        const cuda::scratch<T> memory(on, words);
        const auto levels = levels_of<T>(c, p, memory.data());
        tuning::with_row<std::size(policies)>(row, [&]<int Row>() {
            job.result->run.iterations =
                job.pivoting == wale::pivoting::none
                    ? queue<Row, on_device<false>>(on, view_of<T>(job), levels, status.on_device())
                    : queue<Row, on_device<true>>(on, view_of<T>(job), levels, status.on_device());
        });
    });
    if (job.asynchronous) return;
    job.result->run.compute_seconds = timer->stop();
    status.report(*job.result);
}

}  // namespace wale::tree
