// thomas - the row that factors chains on the device into memory of its own and solves with them.
#include <optional>

#include "cuda/complex.cuh"
#include "solvers/tree/elimination/cuda/store.cuh"
#include "solvers/tree/jobs.hpp"
#include "wale/buffer.hpp"

namespace wale::tree {
namespace thomas {
namespace {

template <class T>
struct kept_factors {
    memory workspace;
    factor_store<T> store;
};

template <class T>
void solve_kept(const chain_factors& f, const vectors& rhs, bool transposed, bool asynchronous,
                tridiagonal_result& result) {
    const auto& kept = *static_cast<const kept_factors<T>*>(f.data.get());
    const cuda::context here(f.where);
    const sent_to_device<index_t> starts(here, rhs.starts);
    std::optional<cuda::timer> timer;
    if (!asynchronous) timer.emplace(here);
    if (f.systems > 0)
        solve_with<T>(here, kept.store,
                      {static_cast<const T*>(rhs.data), static_cast<T*>(rhs.data),
                       places_of(rhs, starts.data()), rhs.count / f.systems},
                      transposed);
    result.run.iterations = 1;
    if (timer) result.run.compute_seconds = timer->stop();
}

template <class T>
void factor(chain_factor_job& job) {
    const cuda::context here(job.where);
    const vector_shape& shape = job.a.shape();
    const bool pivoted = job.pivoting == pivoting::partial;
    index_t bytes = 0;
    (void)lay_out<T>(shape, pivoted, job.a.periodic, nullptr, &bytes);
    auto kept = std::make_shared<kept_factors<T>>();
    kept->workspace = memory(bytes, memory_space::device, here.device());
    kept->store = lay_out<T>(shape, pivoted, job.a.periodic, kept->workspace.data(), &bytes);
    if (shape.ragged())
        cuda::check(cudaMemcpyAsync(kept->store.starts, shape.starts.data(), shape.starts.size_bytes(),
                                    cudaMemcpyHostToDevice, here.stream()));
    const status_of_call status(here, job.status, shape.count, false);
    cuda::timer timer(here);
    chain_matrix a = job.a;
    a.transposed = false;
    factor_into<T>(here, kept->store, chains_on_device<T>(a, kept->store.starts), status.on_device());
    job.result->run.iterations = 1;
    job.result->run.compute_seconds = timer.stop(status.words());
    status.report(*job.result);
    job.factors->data = kept;
    job.factors->solve = solve_kept<T>;
    job.factors->bytes = bytes;
}

}  // namespace
}  // namespace thomas

namespace {

void factor_thomas(chain_factor_job& job) {
    cuda::with_device_type(job.a.type(), [&](auto zero) { thomas::factor<decltype(zero)>(job); });
}

}  // namespace

extern constinit const catalogue::row<chain_factor_job> factor_cuda_thomas{
    "cuda/thomas", "a thread a system, then a thread a right side", factor_thomas, nullptr, nullptr, true};

}  // namespace wale::tree
