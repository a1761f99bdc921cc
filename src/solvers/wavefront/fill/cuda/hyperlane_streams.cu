// hyperlane_streams - as hyperlane, with one launch for each row of tiles, on streams. lanes.cuh has the four
// answers.
#include "cuda/forked_streams.cuh"
#include "solvers/wavefront/fill/shared/lanes.cuh"

namespace wale::wavefront {
namespace {

template <class R>
__global__ void hyperlane_streams(const R r, const lanes_call<typename R::value_type> call, int lane) {
    (void)do_lane<signal::counter>(r, call, lane);
}

void run(fill_job& job) {
    if (job.rows == 0 || job.columns == 0) return;
    const cuda::context on(job.where);
    const auto row = tuning::choose("wavefront/fill/hyperlane_streams", hyperlane_stream_policies, on.sm(),
                                    size_of(job.type));
    over_lanes(
        job, on, signal::counter, [&](const auto& r, const auto& call, int threads, std::size_t shared) {
            const auto kernel = hyperlane_streams<std::decay_t<decltype(r)>>;
            const int most = std::min({call.lanes, resident_blocks(on, kernel, threads, shared),
                                       hyperlane_stream_policies[row].policy.streams});
            const cuda::forked_streams streams(on, most);
            for (int lane = 0; lane < call.lanes; ++lane) {
                kernel<<<1, static_cast<unsigned>(threads), shared, streams[lane % most]>>>(r, call, lane);
                cuda::check_launch();
            }
            streams.join();
            job.run->iterations = call.lanes;
        });
}

}  // namespace

extern constinit const catalogue::row<fill_job> fill_cuda_hyperlane_streams{
    "cuda/hyperlane_streams", "the same with one launch for each row of tiles, on streams", run,
    hyperlane_refusal};

}  // namespace wale::wavefront
