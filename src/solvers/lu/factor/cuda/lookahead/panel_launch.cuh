// panel_launch - the shapes of a panel, compiled for one type.
#pragma once

#include "solvers/lu/factor/cuda/lookahead/panel.cuh"

namespace wale::lu {

template <class T, int Shape>
void launch_panel_as(const panel_job<T>& job, cudaStream_t stream) {
    constexpr panel_shape shape = panel_shapes<T>()[Shape];
    const auto kernel = panel_kernel<T, shape.width, shape.rows, shape.threads>;
    using sizes = panel_sizes<T, shape.width, shape.rows, shape.threads>;
    const auto bytes = sizes::bytes(job.columns);
    cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    cuda::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    // Two at least: stores into the cluster's shared memory are checked as an error in a cluster of one.
    const int blocks = power_of_two_from(std::max(2, (job.rows + sizes::rows - 1) / sizes::rows));
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(blocks), 1, 1};
    cudaLaunchConfig_t launch{};
    launch.gridDim = dim3(static_cast<unsigned>(blocks));
    launch.blockDim = dim3(shape.threads);
    launch.dynamicSmemBytes = bytes;
    launch.stream = stream;
    launch.attrs = &cluster;
    launch.numAttrs = 1;
    cuda::check(cudaLaunchKernelEx(&launch, kernel, job));
}
template <class T>
void launch_panel(const panel_job<T>& job, int first_shape, cudaStream_t stream) {
    constexpr auto& shapes = panel_shapes<T>();
    std::size_t shape = static_cast<std::size_t>(first_shape);
    while (shape + 1 < std::size(shapes) && rows_held(shapes[shape]) < job.rows) ++shape;
    tuning::with_number<std::size(shapes)>(shape,
                                           [&]<int Shape>() { launch_panel_as<T, Shape>(job, stream); });
}

}  // namespace wale::lu
