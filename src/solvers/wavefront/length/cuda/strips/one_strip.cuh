// one_strip - a pair of bytes whose shorter side fits in the words of one warp: one launch, no codes, no
// memory but the answer. Lane i holds rows 32 * i ... and works one column behind lane i - 1, whose last
// row's bits come by a shuffle.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/wavefront/jobs.hpp"
#include "solvers/wavefront/length/cuda/tuning.hpp"

namespace wale::wavefront {

struct short_pair {
    const std::uint8_t* rows;
    const std::uint8_t* columns;
    int row_count, column_count;
};

/// A column of 32 rows of edit distance by Myers: bit i of `up` (`down`): cell i is one more (less) than the
/// cell above. What comes in and goes out along the last row: bit 0 up, bit 1 down.
struct edit_column {
    static constexpr std::uint32_t border = 1;
    std::uint32_t up = ~0u, down = 0;

    __device__ std::uint32_t step(std::uint32_t match, std::uint32_t in) {
        const std::uint32_t vertical = match | down;
        const std::uint32_t same = match | in >> 1;
        const std::uint32_t horizontal = (((same & up) + up) ^ up) | same;
        std::uint32_t right_up = down | ~(horizontal | up), right_down = up & horizontal;
        const std::uint32_t out = right_up >> 31 | right_down >> 31 << 1;
        right_up = right_up << 1 | (in & 1);
        right_down = right_down << 1 | in >> 1;
        up = right_down | ~(vertical | right_up);
        down = right_up & vertical;
        return out;
    }
    [[nodiscard]] __device__ int sum(std::uint32_t valid) const {
        return __popc(up & valid) - __popc(down & valid);
    }
};

/// The same of LCS (Crochemore and others 2001): bit i is 0 where cell i is one more than the cell above.
struct lcs_column {
    static constexpr std::uint32_t border = 0;
    std::uint32_t level = ~0u;

    __device__ std::uint32_t step(std::uint32_t match, std::uint32_t in) {
        const std::uint64_t sum = std::uint64_t{level} + (level & match) + in;
        level = static_cast<std::uint32_t>(sum) | (level & ~match);
        return static_cast<std::uint32_t>(sum >> 32);
    }
    [[nodiscard]] __device__ int sum(std::uint32_t valid) const { return __popc(~level & valid); }
};

/// One warp: answer = the sum of the differences down the last column.
template <class Column>
__global__ void __launch_bounds__(32) one_strip_kernel(short_pair p, std::int32_t* answer) {
    __shared__ std::uint32_t masks[256][32];
    __shared__ std::uint8_t columns[one_strip_most];
    const int lane = static_cast<int>(threadIdx.x);
#pragma unroll 8
    for (int s = 0; s < 256; ++s) masks[s][lane] = 0;
    for (int j = lane; j < p.column_count; j += 32) columns[j] = p.columns[j];
    const int mine = min(max(p.row_count - 32 * lane, 0), 32);
    for (int i = 0; i < mine; ++i) masks[p.rows[32 * lane + i]][lane] |= 1u << i;
    __syncwarp();
    Column column;
    std::uint32_t out = 0;
    const int lanes = (p.row_count + 31) / 32;
    for (int step = 0; step < p.column_count + lanes - 1; ++step) {
        const std::uint32_t above = __shfl_up_sync(0xffffffffu, out, 1);
        const int j = step - lane;
        if (j >= 0 && j < p.column_count)
            out = column.step(masks[columns[j]][lane], lane == 0 ? Column::border : above);
    }
    int sum = column.sum(mine == 32 ? ~0u : (1u << mine) - 1);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0) *answer = sum;
}

template <class Job>
[[nodiscard]] bool fits_one_strip(const Job& job) {
    return job.a.bytes == 1 && std::max(job.a.size, job.b.size) <= one_strip_most;
}

template <class Column, class Job>
index_t one_strip(Job& job, const symbols& rows, const symbols& columns) {
    const cuda::context c(job.where);
    cuda::timer timer(c);
    const cuda::call_report<> answer(c, {}, false);
    const short_pair pair{static_cast<const std::uint8_t*>(rows.data),
                          static_cast<const std::uint8_t*>(columns.data), static_cast<int>(rows.size),
                          static_cast<int>(columns.size)};
    one_strip_kernel<Column><<<1, 32, 0, c.stream()>>>(pair, answer.number_data());
    cuda::check_launch();
    job.run->compute_seconds = timer.stop(answer);
    job.run->iterations = 1;
    job.run->policy = "one strip";
    return answer.number();
}

}  // namespace wale::wavefront
