// launch - queues a job's kernel.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/tree/chains/cuda/pcr_thomas/kernel.cuh"
#include "solvers/tree/chains/cuda/pcr_thomas/queue.hpp"

namespace wale::tree::pcr_thomas {

template <class T>
[[nodiscard]] work<T> work_of(const chain_job& job, const geometry& g, const device_status& to) {
    const row_words words = words_of(job);
    work<T> w{};
    const void* const arrays[4] = {job.a.lower.data, job.a.diagonal.data, job.a.upper.data, job.rhs.data};
    for (int k = 0; k < 4; ++k) {
        w.in[k] = static_cast<const T*>(words.first ? words.first : arrays[k]);
        w.word[k] = words.place[k];
    }
    w.solution = static_cast<T*>(job.solution.data);
    w.systems = job.rhs.count;
    w.tiles = (w.systems + g.tile - 1) / g.tile;
    w.stride = job.rhs.stride;
    w.matrix_stride = job.a.shape().stride;
    w.sides = job.right_sides();
    w.size = static_cast<int>(job.rhs.size);
    w.chunks = g.chunks;
    w.pads = g.pads;
    w.tile = g.tile;
    w.blocks = g.blocks;
    w.share = g.share;
    w.pitch = g.pitch;
    w.region = g.region;
    w.how = g.how;
    w.periodic = job.a.periodic;
    w.transposed = job.a.transposed;
    w.status = to;
    return w;
}

/// Blocks that the device can hold at once, or as many as there is work for: whole clusters.
template <class Kernel>
[[nodiscard]] int blocks_of(const cuda::context& here, Kernel kernel, std::size_t bytes, const geometry& g,
                            index_t tiles) {
    using limits = cuda::launch_limits;
    const int resident = g.blocks == 1
                             ? here.multiprocessors() * limits::blocks(here, kernel, g.threads, bytes)
                             : limits::clusters(here, kernel, g.blocks, g.threads, bytes);
    return static_cast<int>(std::min<index_t>(tiles, std::max(1, resident))) * g.blocks;
}

template <template <class, int> class Method, class T, int Row, int Step, reach Far, bool Few = false>
void launch(const cuda::context& here, const work<T>& w, const geometry& g) {
    const auto kernel = pcr_thomas_kernel<Method, T, Row, Step, Far, Few>;
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(g.blocks), 1, 1};
    cudaLaunchConfig_t config{};
    config.blockDim = dim3(static_cast<unsigned>(g.threads));
    config.dynamicSmemBytes =
        static_cast<std::size_t>(shared_bytes(g, Step, Method<T, 1>::exchanges, static_cast<int>(sizeof(T))));
    config.stream = here.stream();
    config.attrs = &cluster;
    config.numAttrs = Far == reach::cluster ? 1 : 0;
    config.gridDim =
        dim3(static_cast<unsigned>(blocks_of(here, kernel, config.dynamicSmemBytes, g, w.tiles)));
    cuda::check(cudaLaunchKernelEx(&config, kernel, w));
}

template <template <class, int> class Method, class T, int Row>
void launch(const cuda::context& here, const work<T>& w, const geometry& g, bool unified, bool few) {
    if (few) return launch<Method, T, Row, 1, reach::warp, true>(here, w, g);
    if (g.far() == reach::warp)
        unified ? launch<Method, T, Row, 4, reach::warp>(here, w, g)
                : launch<Method, T, Row, 1, reach::warp>(here, w, g);
    else if (g.far() == reach::block)
        unified ? launch<Method, T, Row, 4, reach::block>(here, w, g)
                : launch<Method, T, Row, 1, reach::block>(here, w, g);
    else if constexpr (Method<T, 1>::farthest == reach::cluster)
        launch<Method, T, Row, 1, reach::cluster>(here, w, g);
}

template <template <class, int> class Method, class T>
void queue(const cuda::context& here, const chain_job& job, const plan& p, const device_status& to) {
    const work<T> w = work_of<T>(job, p.dealt, to);
    tuning::with_row<Method<T, 1>::policies, sizeof(T)>(p.row, [&]<int Row>() {
        launch<Method, T, Row>(here, w, p.dealt, job.rhs.layout == vector_layout::unified, p.few);
    });
}

}  // namespace wale::tree::pcr_thomas
