// strips - matrices in registers: from memory, through all strips, and back to where P A has the rows.
#include <algorithm>

#include "solvers/lu/factor/cuda/batched/strips.cuh"
#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {
namespace {

/// Of a launch.
struct strip_launch {
    int width;        // columns of the largest matrix, a multiple of 8
    unsigned normal;  // strip_shape::normal
    bool by_row;      // the matrices are row-major
};

/// All lanes that share a matrix.
template <int Row>
__device__ void barrier_of_matrix() {
    if constexpr (strips<Row>::warps == 1)
        __syncwarp();
    else
        __syncthreads();
}

/// Neighbouring lanes read neighbouring rows.
template <int Row>
__device__ void load_columns(strip_rows<Row>& h, const device_matrix<float>& m, int lane, int warp) {
    using s = strips<Row>;
#pragma unroll
    for (int own = 0; own < s::own; ++own) {
        const int first = (own * s::warps + warp) * strip;
        const float* from = m.data + first * m.column_step + lane;
#pragma unroll
        for (int c = 0; c < strip; ++c, from += m.column_step)
#pragma unroll
            for (int r = 0; r < s::rows; ++r)
                h.a[r][own * strip + c] =
                    first + c < m.columns && lane + r * s::lanes < m.rows ? from[r * s::lanes] : 0.0f;
    }
}

/// By way of shared memory: neighbouring lanes read neighbouring columns. A warp then takes its own columns.
template <int Row>
__device__ void load_rows(strip_rows<Row>& h, const device_matrix<float>& m,
                          const strip_workspace<Row>& workspace, int lane, int warp) {
    using s = strips<Row>;
    constexpr int pitch = strip_workspace<Row>::column_pitch;
    constexpr int at_once = 16;  // loads on their way before the first store
    for (int column = lane; column < m.columns; column += s::lanes) {
        float* const to = workspace.columns + column * pitch;
        for (int first = warp; first < m.rows; first += s::warps * at_once) {
            float x[at_once];
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                const int row = first + i * s::warps;
                x[i] = row < m.rows ? m.data[row * m.row_step + column] : 0.0f;
            }
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                const int row = first + i * s::warps;
                if (row < m.rows) to[row % s::lanes * s::rows + row / s::lanes] = x[i];
            }
        }
    }
    barrier_of_matrix<Row>();
#pragma unroll
    for (int own = 0; own < s::own; ++own) {
        const int first = (own * s::warps + warp) * strip;
        const float* from = workspace.columns + first * pitch + lane * s::rows;
#pragma unroll
        for (int c = 0; c < strip; ++c, from += pitch)
#pragma unroll
            for (int r = 0; r < s::rows; ++r)
                h.a[r][own * strip + c] =
                    first + c < m.columns && lane + r * s::lanes < m.rows ? from[r] : 0.0f;
    }
}

/// From shared memory. source[r]: the slot of the row whose place is lane + r * lanes.
template <int Row>
__device__ void store_columns(const strip_workspace<Row>& workspace, const device_matrix<float>& m, int lane,
                              int warp) {
    using s = strips<Row>;
    constexpr int pitch = strip_workspace<Row>::column_pitch;
    int source[s::rows];
#pragma unroll
    for (int r = 0; r < s::rows; ++r)
        source[r] = lane + r * s::lanes < m.rows ? workspace.sources[lane + r * s::lanes] : 0;
    float* to = m.data + warp * m.column_step + lane;
    const float* from = workspace.columns + warp * pitch;
#pragma unroll 4
    for (int column = warp; column < m.columns; column += s::warps) {
#pragma unroll
        for (int r = 0; r < s::rows; ++r)
            if (lane + r * s::lanes < m.rows) to[r * s::lanes] = from[source[r]];
        to += s::warps * m.column_step;
        from += s::warps * pitch;
    }
}
template <int Row>
__device__ void store_rows(const strip_workspace<Row>& workspace, const device_matrix<float>& m, int lane,
                           int warp) {
    using s = strips<Row>;
    for (int column = lane; column < m.columns; column += s::lanes) {
        const float* const from = workspace.columns + column * strip_workspace<Row>::column_pitch;
        float* const to = m.data + column;
#pragma unroll 16
        for (int row = warp; row < m.rows; row += s::warps)
            to[row * m.row_step] = from[workspace.sources[row]];
    }
}

/// Rows go to their places, by way of shared memory.
template <int Row>
__device__ void gather(const strip_rows<Row>& h, const strip_workspace<Row>& workspace,
                       const device_matrix<float>& m, int lane, int warp, bool by_row) {
    using s = strips<Row>;
    if (warp == 0)
#pragma unroll
        for (int r = 0; r < s::rows; ++r)
            if (h.place[r] >= 0) workspace.sources[h.place[r]] = lane * s::rows + r;
    barrier_of_matrix<Row>();
    if (by_row)
        store_rows(workspace, m, lane, warp);
    else
        store_columns(workspace, m, lane, warp);
}

template <int Row>
__device__ void say(const factor_work<float>& work, index_t number, const device_matrix<float>& m,
                    const strip_rows<Row>& h, const strip_workspace<Row>& workspace, const strip_shape& f) {
    using s = strips<Row>;
    findings<float, s::lanes, s::rows> out{};
    out.lane = f.lane;
    out.group = f.group;
#pragma unroll
    for (int r = 0; r < s::rows; ++r) {
        const int k = f.lane + r * s::lanes;
        strip_site site{};
        if (k < f.diagonal) site = workspace.sites[k];
        out.pivot[r] = site.pivot;
        out.from[r] = site.from;
        out.place[r] = h.place[r];
        out.perturbed += __popc(__ballot_sync(cuda::whole_warp, site.moved != 0) & f.group);
    }
    report_findings(work, number, m, out);
}

/// One matrix of each group of lanes, or of the block.
template <int Row>
__device__ void factor_one(const factor_work<float>& work, index_t number,
                           const strip_workspace<Row>& workspace, const strip_launch& how) {
    using s = strips<Row>;
    const bool by_row = how.by_row;
    device_matrix<float> m{};  // without rows, for lanes that have none
    if (number >= 0) m = work.all[number];
    __builtin_assume(__isGlobal(m.data));
    const int lane = static_cast<int>(threadIdx.x) % s::lanes;
    // By way of the warp's maximum the compiler learns that all lanes branch alike.
    const auto of_warp = [](index_t size) {
        return static_cast<int>(cuda::largest_of_warp(static_cast<unsigned>(size)));
    };
    const int warp = s::warps == 1 ? 0 : of_warp(threadIdx.x / 32);
    strip_shape f{};
    f.lane = lane;
    f.warp = warp;
    f.group = (cuda::whole_warp >> (32 - s::lanes)) << (static_cast<int>(threadIdx.x) % 32 - lane);
    f.end = of_warp(m.diagonal());
    f.diagonal = s::lanes == 32 ? f.end : static_cast<int>(m.diagonal());
    f.count = (of_warp(m.columns) + strip - 1) / strip;
    f.pivoting = work.pivoting;
    f.reach = work.pivoting ? INT_MAX : 0;
    f.normal = how.normal;
    f.move = work.smallest_pivot != nullptr;
    f.smallest = f.move && number >= 0 ? work.smallest_pivot[number] : 0;
    strip_rows<Row> h;
    if (by_row)
        load_rows(h, m, workspace, lane, warp);
    else
        load_columns(h, m, lane, warp);
#pragma unroll
    for (int r = 0; r < s::rows; ++r) {
        const int row = lane + r * s::lanes;
        h.place[r] = row < m.rows ? row : -1;
    }
    if constexpr (s::warps == 1)
        factor_alone(h, workspace, f);
    else
        factor_together(h, workspace, f);
    gather(h, workspace, m, lane, warp, by_row);
    if (warp == 0) say(work, number, m, h, workspace, f);
}

/// Shared memory: groups * words(width). A block takes `groups` matrices, once.
template <int Row>
__global__ void __launch_bounds__(strip_policies[Row].policy.threads, strip_policies[Row].policy.blocks)
    factor_strips(const __grid_constant__ factor_work<float> work, strip_launch how) {
    using s = strips<Row>;
    extern __shared__ __align__(16) unsigned char memory[];
    const int group = static_cast<int>(threadIdx.x) / (s::lanes * s::warps);
    const strip_workspace<Row> workspace(memory, group, how.width);
    const index_t i = static_cast<index_t>(blockIdx.x) * s::groups + group;
    factor_one(work, i < work.count ? work.number(i) : -1, workspace, how);
}

template <int Row>
void launch(const cuda::context& c, const factor_work<float>& work, int columns, bool by_row) {
    using s = strips<Row>;
    constexpr unsigned ordinary = 0x7e000000u;  // FLT_MIN to below 2^126
    const int width = (columns + strip - 1) / strip * strip;
    const strip_launch how{width, work.smallest_pivot == nullptr ? ordinary : 0, by_row};
    const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(s::groups) *
                              static_cast<std::size_t>(strip_workspace<Row>::words(width));
    const auto kernel = factor_strips<Row>;
    cuda::launch_limits::permit(c, kernel, bytes);
    // A grid holds 2^31 - 1 blocks; more matrices than that do not fit into the memory of a device.
    const index_t blocks = std::min<index_t>((work.count + s::groups - 1) / s::groups, INT_MAX);
    kernel<<<static_cast<unsigned>(blocks), s::policy.threads, bytes, c.stream()>>>(work, how);
    cuda::check_launch();
}

}  // namespace

void launch_strips(const cuda::context& c, const factor_work<float>& work, int policy, int columns,
                   bool by_row) {
    if (work.count == 0) return;
    tuning::with_number<std::size(strip_policies)>(static_cast<std::size_t>(policy),
                                                   [&]<int Row>() { launch<Row>(c, work, columns, by_row); });
}

}  // namespace wale::lu::batched
