// recursive_partition - cuda/recursive_partition: few large chains.
#include <optional>
#include <vector>

#include "solvers/tree/chains/cuda/recursive_partition/kernels.cuh"
#include "solvers/tree/chains/shared/refusals.hpp"
#include "solvers/tree/jobs.hpp"

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
[[nodiscard]] cuts cuts_of(index_t rows, index_t vectors, const policy& p, int element_size) {
    const index_t tile = index_t{32} * p.rows(element_size);
    cuts c{{(rows + tile - 1) / tile}, vectors};
    do {
        c.each.push_back((c.each.back() + p.group - 1) / p.group);
    } while (c.each.back() > 1);
    return c;
}
[[nodiscard]] bool ragged(const chain_job& job) {
    return job.a.shape().ragged() || job.rhs.ragged();
}
/// Words of every view's levels.
[[nodiscard]] index_t words_of(const chain_job& job, const policy& p) {
    const cuts c = cuts_of(largest_of(job.a.shape()), ragged(job) ? 1 : job.rhs.count, p,
                           static_cast<int>(bytes_of(job.a.type())));
    return level<double>::words_each * (c.segments() + c.vectors);
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

/// Blocks that are resident together, for a second wave would wait for the first: none without a tile, a row
/// of them for each vector.
template <class Kernel>
[[nodiscard]] dim3 grid_of(const cuda::context& on, Kernel* kernel, int bytes, index_t tiles,
                           index_t vectors) {
    cuda::launch_limits::prefer_shared(on, kernel);
    const int each = cuda::launch_limits::blocks(on, kernel, 32, static_cast<std::size_t>(bytes));
    const index_t blocks = index_t{std::max(each, 1)} * on.multiprocessors();
    const index_t rows = std::min<index_t>(vectors, 65535);
    return {static_cast<unsigned>(std::clamp<index_t>(blocks / rows, 1, tiles)), static_cast<unsigned>(rows)};
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
        <<<grid_of(on, reduce_tiles<Row, How, T>, bytes, tiles.each, c.count), 32, bytes, on.stream()>>>(
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
        <<<grid_of(on, solve_tiles<Row, How, T>, bytes, tiles.each, c.count), 32, bytes, on.stream()>>>(
            c, tiles);
    cuda::check_launch();
    return static_cast<index_t>(2 * top + 1);
}

[[nodiscard]] std::size_t row_for(const cuda::context& on, const chain_job& job) {
    return tuning::choose("tree/chains/recursive_partition", policies, on.sm(),
                          static_cast<int>(bytes_of(job.a.type())));
}

}  // namespace
}  // namespace partition

namespace {

std::string refuses_recursive_partition(const chain_job& job) {
    // A group's number is a block's.
    if (job.rhs.count > (index_t{1} << 20)) return "takes at most 2^20 vectors";
    return {};
}

/// Long systems that clusters do not keep on the chip, or too few of them: a thread a system would leave the
/// device idle.
bool suits_recursive_partition(const chain_job& job) {
    const index_t size = job.a.shape().size;
    if (partition::ragged(job)) return false;
    if (job.is_complex()) return size > 512 && job.rhs.count <= 1024;  // only cuda/thomas takes these, too
    // Interleaved: a thread a system is slow while systems are few; the rows that it skips cost sectors.
    const vector_layout layout = job.a.shape().layout;
    if (layout == vector_layout::interleaved || layout == vector_layout::block_interleaved)
        return size > (job.pivoting == pivoting::none ? 96 : 48) && job.rhs.count <= 1024 &&
               !refuses_one_pass(job).empty();
    return size > 4096 && !(refuses_pcr_thomas(job).empty() && suits_pcr_thomas(job));
}

void solve_recursive_partition(chain_job& job) {
    using namespace partition;
    const cuda::context on(job.where);
    const std::size_t row = row_for(on, job);
    const policy& p = policies[row].policy;
    const index_t words = words_of(job, p);
    if (job.workspace) {
        *job.workspace = words * bytes_of(job.a.type());
        return;
    }
    const status_of_call status(on, job.status, job.a.systems(), job.asynchronous);
    job.result->run.policy = "run=" + std::to_string(p.run_bytes) + "B group=" + std::to_string(p.group);
    std::optional<cuda::timer> timer;
    if (!job.asynchronous) timer.emplace(on);
    cuda::with_device_type(job.a.type(), [&](auto zero) {
        using T = decltype(zero);
        const cuda::scratch<T> memory(on, words);
        each_view<T>(job, [&](const chain_view<T>& view) {
            const auto levels = levels_of<T>(cuts_of(view.size, view.count, p, sizeof(T)), p, memory.data());
            job.result->run.iterations += tuning::with_row<policies, sizeof(T)>(row, [&]<int Row>() {
                return job.pivoting == wale::pivoting::none
                           ? queue<Row, on_device<false>>(on, view, levels, status.on_device())
                           : queue<Row, on_device<true>>(on, view, levels, status.on_device());
            });
        });
    });
    if (job.asynchronous) return;
    job.result->run.compute_seconds = timer->stop(status.words());
    status.report(*job.result);
}

}  // namespace

extern constinit const catalogue::row<chain_job> chains_cuda_recursive_partition{
    "cuda/recursive_partition", "few long systems: runs of rows reduced to two equations, joined, and solved",
    solve_recursive_partition,  refuses_recursive_partition,
    suits_recursive_partition,  true};

}  // namespace wale::tree
