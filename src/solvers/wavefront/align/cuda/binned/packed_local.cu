// packed_local - local alignments: every cell may be the best.
#include <algorithm>

#include "solvers/wavefront/align/cuda/binned/packed.cuh"
#include "solvers/wavefront/align/cuda/binned/shared_profile.cuh"

namespace wale::wavefront::binned {
namespace {

/// The warps of a block take pairs of one width at a time, and fill the profile when the width changes. No
/// block waits for another one.
template <int Words>
__global__ void __launch_bounds__(sharing_warps* warp_size)
    sharing_kernel(const __grid_constant__ packed_work w) {
    extern __shared__ word profile[];
    __shared__ std::uint32_t next;
    const int lane = static_cast<int>(threadIdx.x) % warp_size,
              warp = static_cast<int>(threadIdx.x) / warp_size;
    for (int filled = -1;;) {
        __syncthreads();  // all have read `next` and are done with the profile
        if (threadIdx.x == 0) next = atomicAdd(w.ticket, 1u);
        __syncthreads();
        const std::uint32_t task = next;
        if (task >= w.first_task[widths]) return;
        int k = 0;  // the widest first
        while (task >= w.first_task[k + 1]) ++k;
        const int log2_lanes = widths - 1 - k;
        group<kind::local, Words> pairs(w, profile, lane, log2_lanes);
        if (filled != k && warp == 0) {
            const pair any = pair_at(w.input, w.order[w.first_pair[k]]);
            pairs.fill(pairs.first_row_of_lane(), static_cast<const std::uint8_t*>(w.input.query) + any.query,
                       any.rows);
        }
        if (filled != k) __syncthreads();
        filled = k;
        const std::uint32_t of_task =
                                (task - w.first_task[k]) * sharing_warps + static_cast<std::uint32_t>(warp),
                            at = w.first_pair[k] + (of_task << k) +
                                 static_cast<std::uint32_t>(lane >> log2_lanes);
        pairs.template run<false>(at < w.first_pair[k + 1] ? index_t{w.order[at]} : -1);
    }
}

}  // namespace

void launch_local(const packed_work& w, int shape, unsigned blocks, cudaStream_t stream) {
    launch_packed<kind::local>(w, shape, blocks, stream);
}

void launch_local_sharing(const packed_work& w, int shape, const cuda::context& c) {
    const auto launch = [&]<int Shape>(std::integral_constant<int, Shape>) {
        constexpr int words = shapes[0].policy.words[Shape];
        constexpr int threads = sharing_warps * warp_size;
        const auto bytes = static_cast<std::size_t>(w.letters) * words * 2 * warp_size;
        const auto kernel = sharing_kernel<words>;
        cuda::launch_limits::permit(c, kernel, bytes);
        const index_t resident =
            index_t{c.multiprocessors()} * cuda::launch_limits::blocks(c, kernel, threads, bytes);
        const auto blocks = static_cast<unsigned>(std::min<index_t>(w.first_task[widths], resident));
        kernel<<<blocks, threads, bytes, c.stream()>>>(w);
        cuda::check_launch();
    };
    [&]<int... S>(std::integer_sequence<int, S...>) {
        ((shape == S ? launch(std::integral_constant<int, S>()) : void()), ...);
    }
    (std::make_integer_sequence<int, most_shapes>{});
}

}  // namespace wale::wavefront::binned
