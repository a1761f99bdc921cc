// records - planes of 32 symbols, and the order in which a block stores the records of eight threads of a
// pair kernel. Threads of a warp follow each other in memory, and a tile of shared memory turns their words
// into that order.
#pragma once

#include "solvers/wavefront/batch/shared/plan.cuh"

namespace wale::wavefront::batch {

inline constexpr int slots = 8;                     // of a block: threads of the pair kernel
inline constexpr int units = pass_threads / slots;  // chunks, or rows, that are on their way at once

/// Planes and valid word of 32 symbols, as they are put together from bit 0 on.
template <int Planes>
struct record_of {
    word plane[Planes + 1] = {};

    __device__ void add(word symbol, bool valid, const std::uint8_t* position) {
#pragma unroll
        for (int p = 0; p < Planes; ++p)
            plane[p] = __funnelshift_r(plane[p], valid ? symbol >> position[p] : 0, 1);
        plane[Planes] = __funnelshift_r(plane[Planes], valid ? 1u : 0u, 1);
    }
    /// Four bytes, of which the first `valid` count. The product moves their lowest bits to bits 28 to 31.
    __device__ void add_four(word bytes, int valid, const std::uint8_t* position) {
#pragma unroll
        for (int p = 0; p < Planes; ++p)
            plane[p] = plane[p] >> 4 | ((bytes >> position[p] & 0x01010101u) * 0x10204080u & 0xf0000000u);
        plane[Planes] = plane[Planes] >> 4 | ((1u << valid) - 1) << 28;
    }
    __device__ void finish() {
#pragma unroll
        for (int p = 0; p < Planes; ++p) plane[p] &= plane[Planes];
    }
};

/// Encodes `count` records for each of 2^log2_width columns of words: make(column, record, &words). The words
/// of a record are `columns` apart from to[record * (Planes + 1) * columns + column]. All threads take part.
template <int Planes, class Make>
__device__ void encode_records(word* to, index_t count, int log2_width, int columns, word* tile,
                               const Make& make) {
    constexpr int size = Planes + 1;
    const int at_once = pass_threads >> log2_width;
    const int width = 1 << log2_width, pitch = width == slots ? slots + 1 : width;  // the tile holds no more
    const int column = static_cast<int>(threadIdx.x) / at_once,
              mine = static_cast<int>(threadIdx.x) % at_once;
    for (index_t first = 0; first < count; first += at_once) {
        if (first + mine < count) {
            record_of<Planes> record;
            make(column, first + mine, record);
            record.finish();
#pragma unroll
            for (int p = 0; p < size; ++p) tile[(mine * size + p) * pitch + column] = record.plane[p];
        }
        __syncthreads();
        const int words = static_cast<int>(min(count - first, index_t{at_once})) * size << log2_width;
        for (int i = static_cast<int>(threadIdx.x); i < words; i += pass_threads) {
            const int row = i >> log2_width, c = i & (width - 1);
            to[(first * size + row) * columns + c] = tile[row * pitch + c];
        }
        __syncthreads();
    }
}

/// encode_room.cu: where has_room() is.
void encode_in_room(const cuda::context&, const encoding&);

}  // namespace wale::wavefront::batch
