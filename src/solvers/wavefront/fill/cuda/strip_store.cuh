// strip_store - finished rows of one compute warp's columns, from its ring in shared memory to the table:
// bulk copies of whole rows (one instruction a row), 16-byte stores, or cell by cell where the row is clipped
// or not aligned.
#pragma once

#include <cstdint>
#include <wale/layout.hpp>

namespace wale::wavefront {

/// Shared memory that this thread wrote may be read by bulk copies of others after the next barrier.
__device__ inline void writes_for_bulk_copies() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/// All but the last `Pending` groups of this thread's bulk copies have read their shared memory.
template <int Pending>
__device__ void bulk_copies_have_read() {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
#endif
}

__device__ inline void bulk_copy(void* to, const void* from, int bytes) {
#if __CUDA_ARCH__ >= 900
    const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(from));
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(at), "r"(bytes)
                 : "memory");
#endif
}

__device__ inline void bulk_commit() {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#endif
}

/// Where a group of rows goes.
template <class T>
struct row_block {
    T* table;
    index_t rows, columns, pitch;  // of the table
    index_t row, column;           // of the group's corner
    __device__ T* at(int k) const { return table + (row + k) * pitch + column; }
    __device__ bool has(int k) const { return row + k < rows; }
};

/// S: shape<Row, T> of strips.cu. Called by one warp for its ring.
template <class S, class T>
__device__ void store_rows(const row_block<T>& block, bool aligned, const unsigned char* ring) {
    constexpr int group = S::p.group;
    constexpr int row_bytes = S::warp_columns * static_cast<int>(sizeof(T));
    const int lane = static_cast<int>(threadIdx.x % 32);
    const auto first = static_cast<int>(block.row) & (S::p.ring - 1);  // a group never wraps inside
    const unsigned char* from = ring + first * row_bytes;
    const index_t left = block.columns - block.column;
    const int bytes =
        left < S::warp_columns ? static_cast<int>(left) * static_cast<int>(sizeof(T)) : row_bytes;
    if (!aligned || bytes % 16 != 0) {
        for (int k = 0; k < group && block.has(k); ++k)
            for (int c = lane; c * static_cast<int>(sizeof(T)) < bytes; c += 32)
                block.at(k)[c] = reinterpret_cast<const T*>(from + k * row_bytes)[c];
    } else if (S::p.bulk) {
        if (lane < group && block.has(lane)) bulk_copy(block.at(lane), from + lane * row_bytes, bytes);
        bulk_commit();
        bulk_copies_have_read<S::pending>();
    } else {
#pragma unroll
        for (int k = 0; k < group; ++k)
#pragma unroll
            for (int v = 0; v < row_bytes / 512; ++v) {
                const int at = (v * 32 + lane) * 16;
                if (block.has(k) && at < bytes)
                    *reinterpret_cast<int4*>(reinterpret_cast<char*>(block.at(k)) + at) =
                        *reinterpret_cast<const int4*>(from + k * row_bytes + at);
            }
    }
}

}  // namespace wale::wavefront
