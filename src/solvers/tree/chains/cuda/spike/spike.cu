// spike - cuda/spike: few chains that fit the shared memory of the device, each once through memory.
#include <optional>

#include "cuda/withheld.cuh"
#include "solvers/tree/chains/cuda/spike/kernel.cuh"
#include "solvers/tree/chains/shared/refusals.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale::tree {
namespace spike {
namespace {

/// How a job runs on a device.
struct plan {
    int shape = -1;       // -1: too large
    index_t largest = 0;  // rows that can be kept
    int blocks = 0;       // of a vector
    int together = 0;     // vectors of a launch
};

template <int Row, class T>
[[nodiscard]] plan plan_of(const cuda::context& on, index_t rows) {
    constexpr int threads = 32 * policies[Row].policy.warps;
    // WALE_TUNING="tree/chains/spike_blocks=1": what one resident block can hold.
    const auto most = static_cast<index_t>(tuning::overridden(
        "tree/chains/spike_blocks", 1u << 16, static_cast<std::size_t>(on.multiprocessors())));
    const index_t blocks = std::clamp<index_t>(most, 1, std::min(on.multiprocessors(), threads));
    plan p;
    for (int s = 0; s < shapes && p.shape < 0; ++s) {
        const index_t height = index_t{threads} * policies[Row].policy.run_bytes[s] / index_t{sizeof(T)};
        p.largest = height * blocks;
        if (rows > p.largest) continue;
        p.shape = s;
        p.blocks = static_cast<int>((rows + height - 1) / height);
        p.together = p.blocks > 0 ? static_cast<int>(blocks) / p.blocks : 1;
    }
    return p;
}

[[nodiscard]] std::size_t row_for(const cuda::context& on, const chain_job& job) {
    return tuning::choose("tree/chains/spike", policies, on.sm(), static_cast<int>(bytes_of(job.a.type())));
}
[[nodiscard]] plan plan_for(const cuda::context& on, const chain_job& job, index_t rows) {
    return tuning::with_row<policies, 0>(row_for(on, job), [&]<int Row>() {
        return with_type(job.a.type(), [&](auto zero) { return plan_of<Row, decltype(zero)>(on, rows); });
    });
}

[[nodiscard]] index_t workspace_bytes(const chain_job& job, const plan& p) {
    const index_t words = job.a.type() == scalar::f32 ? segment_words<float> : segment_words<double>;
    const bool ragged = job.a.shape().ragged() || job.rhs.ragged();
    return ((ragged ? 1 : job.rhs.count) * p.blocks * words + 1) * index_t{sizeof(std::uint64_t)};
}

template <int Row, int Shape, class How, class T>
index_t queue(const cuda::context& on, chain_view<T> view, const plan& p, std::uint64_t* words,
              device_status note) {
    constexpr int bytes = shared_bytes<Row, Shape, How, T>;
    auto* kernel = &spike<Row, Shape, How, T>;
    cuda::launch_limits::permit(on, kernel, bytes);
    index_t launches = 0;
    for (index_t v = 0; v < view.count; v += p.together, ++launches) {
        const auto vectors = static_cast<unsigned>(std::min<index_t>(p.together, view.count - v));
        // WALE_TUNING="tree/chains/spike/withhold=1": the last block of a launch is not there.
        const unsigned here = vectors * static_cast<unsigned>(p.blocks),
                       missing = std::min(cuda::withheld("tree/chains/spike"), here - 1);
        exchange x{words + 1 + v * p.blocks * segment_words<T>, reinterpret_cast<std::uint32_t*>(words), v,
                   p.blocks};
        void* arguments[] = {&view, &x, &note};
        cuda::check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(here - missing),
                                                dim3(32 * policies[Row].policy.warps), arguments, bytes,
                                                on.stream()));
    }
    return launches;
}

template <class T>
index_t queue_view(const cuda::context& on, const chain_job& job, const chain_view<T>& view,
                   const cuda::scratch<std::uint64_t>& words, const device_status& status) {
    const plan p = plan_for(on, job, view.size);
    return tuning::with_row<policies, sizeof(T)>(row_for(on, job), [&]<int Row>() {
        return tuning::with_number<shapes>(static_cast<std::size_t>(p.shape), [&]<int Shape>() {
            return job.pivoting == wale::pivoting::none
                       ? queue<Row, Shape, on_device<false>, T>(on, view, p, words.data(), status)
                       : queue<Row, Shape, on_device<true>, T>(on, view, p, words.data(), status);
        });
    });
}

}  // namespace
}  // namespace spike

namespace {

std::string refuses_spike(const chain_job& job) {
    const cuda::context on(job.where);
    const int available = on.facts().shared_per_block;
    if (on.facts().cooperative == 0) return "needs a device that starts all blocks together";
    const spike::plan p = spike::plan_for(on, job, partition::largest_of(job.a.shape()));
    if (p.shape < 0) return "keeps at most " + std::to_string(p.largest) + " rows on the chip";
    const int needed = tuning::with_row<spike::policies, 0>(spike::row_for(on, job), [&]<int Row>() {
        return tuning::with_number<spike::shapes>(static_cast<std::size_t>(p.shape), [&]<int Shape>() {
            return spike::shared_bytes<Row, Shape, partition::on_device<true>, double>;
        });
    });
    if (needed > available)
        return "needs " + std::to_string(needed) + " bytes of shared memory a block; the device has " +
               std::to_string(available);
    return {};
}

/// All vectors at once, and long ones.
bool suits_spike(const chain_job& job) {
    const index_t size = job.a.shape().size;
    if (job.a.shape().ragged() || job.rhs.ragged() || size < 4096 ||
        job.a.shape().step() > vector_shape::unified_step)
        return false;
    if (size < 16384 && refuses_pcr_thomas(job).empty()) return false;  // one cluster does without the device
    const cuda::context on(job.where);
    return job.rhs.count <= spike::plan_for(on, job, job.a.shape().size).together;
}

void solve_spike(chain_job& job) {
    using namespace spike;
    const cuda::context on(job.where);
    const plan p = plan_for(on, job, partition::largest_of(job.a.shape()));
    const index_t bytes = workspace_bytes(job, p);
    if (job.workspace) {
        *job.workspace = bytes;
        return;
    }
    const status_of_call status(on, job.status, job.a.systems(), job.asynchronous);
    std::optional<cuda::timer> timer;
    if (!job.asynchronous) timer.emplace(on);
    const cuda::scratch<std::uint64_t> words(on, bytes / index_t{sizeof(std::uint64_t)});
    words.fill_bytes(0);
    with_type(job.a.type(), [&](auto zero) {
        using T = decltype(zero);
        each_view<T>(job, [&](const chain_view<T>& view) {
            // Ragged vectors follow each other through the same words.
            if (job.result->run.iterations > 0) words.fill_bytes(0);
            job.result->run.iterations += queue_view<T>(on, job, view, words, status.on_device());
        });
    });
    const policy& chosen = policies[row_for(on, job)].policy;
    job.result->run.policy = "run=" + std::to_string(chosen.run_bytes[p.shape]) +
                             "B threads=" + std::to_string(32 * chosen.warps) +
                             " blocks=" + std::to_string(p.blocks);
    if (job.asynchronous) return;
    std::uint64_t failed = 0;
    const cuda::queued_read word(on, words.data(), sizeof failed);
    job.result->run.compute_seconds = timer->stop(status.words(), word);
    word.copy_to(&failed);
    if (failed != 0) throw device_error("cuda/spike: a wait ran out");
    status.report(*job.result);
}

}  // namespace

extern constinit const catalogue::row<chain_job> chains_cuda_spike{
    "cuda/spike", "few long systems in the shared memory of the whole device, once through memory",
    solve_spike, refuses_spike, suits_spike};

}  // namespace wale::tree
