// pcr_thomas - cuda/pcr_thomas: some threads a system, its rows in their registers, one pass, no workspace.
#include <cstdint>
#include <optional>

#include "cuda/brief_timer.cuh"
#include "solvers/tree/chains/cuda/pcr_thomas/queue.hpp"
#include "solvers/tree/chains/shared/refusals.hpp"
#include "solvers/tree/cuda/status.cuh"
#include "solvers/tree/jobs.hpp"

namespace wale::tree {
namespace pcr_thomas {

row_words words_of(const chain_job& job) {
    row_words w;
    if (job.rhs.layout != vector_layout::unified) return w;
    const void* const arrays[4] = {job.a.lower.data, job.a.diagonal.data, job.a.upper.data, job.rhs.data};
    w.first = *std::min_element(arrays, arrays + 4, std::less<>());
    unsigned seen = 0;
    for (int k = 0; k < 4; ++k) {
        const auto bytes = static_cast<const char*>(arrays[k]) - static_cast<const char*>(w.first);
        const auto element = bytes_of(job.a.type());
        if (bytes % element != 0 || bytes / element >= vector_shape::unified_step) return w;
        w.place[k] = static_cast<int>(bytes / element);
        seen |= 1u << w.place[k];
    }
    w.together = seen == 0xf;
    return w;
}

namespace {

[[nodiscard]] alignment alignment_of(const chain_job& job) {
    const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
    const vector_shape& m = job.a.shape();
    const const_vectors& b = job.rhs;
    const bool unified = b.layout == vector_layout::unified;
    const auto in_line = [&](const vector_shape& v) {
        const index_t step = unified ? vector_shape::unified_step : 1;
        return v.count == 1 || v.stride * step * bytes_of(v.type) % 16 == 0;
    };
    const bool arrays = unified
                            ? aligned(words_of(job).first)
                            : aligned(job.a.lower.data) && aligned(job.a.diagonal.data) &&
                                  aligned(job.a.upper.data) && aligned(b.data) && aligned(job.solution.data);
    return {arrays, in_line(m) && in_line(b), m.count == b.count && (m.count == 1 || m.stride == b.stride)};
}

/// Blocks that may share a system.
[[nodiscard]] int most_blocks(const cuda::context& here, const chain_job& job) {
    constexpr int cluster = 16, with_clusters = 90;
    const bool able = here.sm() >= with_clusters && job.pivoting == pivoting::none &&
                      job.rhs.layout == vector_layout::flat && !job.a.transposed;
    return able ? cluster : 1;
}

/// Whether few rows a thread suit: flat systems of a warp each or less, and few of them.
[[nodiscard]] bool suits_few(const cuda::context& here, const chain_job& job, const policy& p) {
    if (job.rhs.layout != vector_layout::flat || job.rhs.size > index_t{32} * p.few_rows) return false;
    const index_t chunks = (job.rhs.size + p.few_rows - 1) / p.few_rows;
    const auto tiles = tuning::overridden("tree/chains/pcr_thomas_few", std::size_t{1} << 20,
                                          static_cast<std::size_t>(p.few_tiles));
    return chunks * job.rhs.count <= 32 * static_cast<index_t>(tiles) * here.multiprocessors();
}

template <std::size_t N>
[[nodiscard]] plan plan_with(const cuda::context& here, const chain_job& job, const char* name,
                             const tuning::row<policy> (&policies)[N]) {
    const int element = static_cast<int>(bytes_of(job.a.type()));
    plan p{};
    p.row = tuning::choose(name, policies, here.sm(), element);
    p.chosen = policies[p.row].policy;
    p.most = index_t{32} * p.chosen.warps * p.chosen.rows * most_blocks(here, job);
    p.few = suits_few(here, job, p.chosen);
    if (p.few) p.chosen.rows = p.chosen.few_rows;
    if (job.rhs.size <= p.most)
        p.dealt =
            deal(job.rhs, job.rhs.layout == vector_layout::unified ? 4 : 1, alignment_of(job), p.chosen);
    return p;
}
[[nodiscard]] plan plan_of(const cuda::context& here, const chain_job& job) {
    return job.pivoting == pivoting::none
               ? plan_with(here, job, "tree/chains/pcr_thomas", unpivoted_policies)
               : plan_with(here, job, "tree/chains/pcr_thomas_pivoted", pivoted_policies);
}

}  // namespace
}  // namespace pcr_thomas

std::string refuses_pcr_thomas(const chain_job& job) {
    if (job.rhs.layout != vector_layout::flat && job.rhs.layout != vector_layout::unified)
        return "needs the flat or the unified layout";
    if (job.a.shape().ragged() || job.rhs.ragged()) return "needs systems of one size";
    if (job.a.shape().layout != job.rhs.layout) return "needs matrix and right side in one layout";
    if (job.rhs.layout == vector_layout::unified && !job.uniform())
        return "needs a matrix for each right side in the unified layout";
    if (job.rhs.elements() == 0) return "";
    if (job.rhs.layout == vector_layout::unified && !pcr_thomas::words_of(job).together)
        return "needs the four words of a unified row side by side";
    if (job.rhs.size <= pcr_thomas::rows_of_any_plan) return "";
    const cuda::context here(job.where);
    const pcr_thomas::plan p = pcr_thomas::plan_of(here, job);
    if (job.rhs.size > p.most)
        return "keeps at most " + std::to_string(p.most) + " rows of " + name_of(job.a.type()) +
               (job.pivoting != pivoting::none ? " when pivoting"
                : job.a.transposed             ? " transposed"
                                               : "");
    return "";
}

/// A large system by itself leaves most of the device idle: other rows spread it.
bool suits_pcr_thomas(const chain_job& job) {
    constexpr index_t one_cluster = 16384;  // rows that a cluster solves before the whole device has begun
    if (job.rhs.elements() == 0) return true;
    // A thread holds such a system.
    if (job.rhs.size < (job.pivoting == pivoting::none ? 9 : 13) && !job.a.periodic) return false;
    if (job.rhs.size < one_cluster) return true;
    const cuda::context here(job.where);
    const index_t blocks = pcr_thomas::plan_of(here, job).dealt.blocks;
    return blocks == 1 || 2 * job.rhs.count * blocks >= here.multiprocessors();
}

namespace {

void solve_pcr_thomas(chain_job& job) {
    if (job.workspace) {
        *job.workspace = 0;
        return;
    }
    const cuda::context here(job.where);
    const status_of_call status(here, job.status, job.a.systems(), job.asynchronous);
    if (job.rhs.elements() == 0) return;
    const pcr_thomas::plan p = pcr_thomas::plan_of(here, job);
    std::optional<cuda::brief_timer> timer;
    if (!job.asynchronous) timer.emplace(here);
    const bool pivoted = job.pivoting != pivoting::none, single = job.a.type() == scalar::f32;
    const auto queue = pivoted  ? single ? pcr_thomas::queue_pivoted_f32 : pcr_thomas::queue_pivoted_f64
                       : single ? pcr_thomas::queue_unpivoted_f32
                                : pcr_thomas::queue_unpivoted_f64;
    queue(here, job, p, status.on_device());
    const char* const copied[] = {"line", "vectors", "elements"};
    job.result->run.policy =
        "rows=" + std::to_string(p.chosen.rows) + " threads=" + std::to_string(p.dealt.chunks) +
        " systems=" + std::to_string(p.dealt.tile) + " copied=" + copied[static_cast<int>(p.dealt.how)];
    if (job.asynchronous) return;
    job.result->run.compute_seconds = timer->stop(status.words());
    job.result->run.iterations = 1;
    status.report(*job.result);
}

}  // namespace

extern constinit const catalogue::row<chain_job> chains_cuda_pcr_thomas{
    "cuda/pcr_thomas", "flat: some threads a system, its rows in their registers, cyclic reduction, one pass",
    solve_pcr_thomas, refuses_pcr_thomas, suits_pcr_thomas};

}  // namespace wale::tree
