// unpivoted_parts - what the unpivoted form of cuda/lookahead is made of: panels, their products and copies,
// streams and events.
#pragma once

#include "cuda/blas.cuh"
#include "solvers/lu/factor/cuda/lookahead/unpivoted_tuning.hpp"

namespace wale::lu::unpivoted {

/// A matrix by columns, on the device.
template <class T>
struct panel {
    T* data;
    index_t leading, rows, columns;
    [[nodiscard]] panel part(index_t row, index_t column, index_t height, index_t breadth) const {
        return {data + row + column * leading, leading, height, breadth};
    }
    [[nodiscard]] bool empty() const { return rows == 0 || columns == 0; }
};

/// A panel from scratch to its place, behind the products that read the scratch.
template <class T>
__global__ void copy_kernel(panel<T> from, panel<T> to) {
    const index_t r = static_cast<index_t>(blockIdx.x) * copy_rows + threadIdx.x;
    if (r >= from.rows) return;
#pragma unroll 4
    for (index_t c = blockIdx.y; c < from.columns; c += gridDim.y)
        to.data[r + c * to.leading] = from.data[r + c * from.leading];
}

/// to = factor * x y + keep * to; the numbers lie where the handle expects them.
template <class T>
void queue_product(const cuda::blas& on, const T* factor, const panel<T>& x, const panel<T>& y, const T* keep,
                   const panel<T>& to) {
    if (to.empty()) return;
    const auto gemm = [&] {
        if constexpr (sizeof(T) == 4)
            return cublasSgemm_64;
        else
            return cublasDgemm_64;
    }();
    cuda::check(gemm(on.get(), CUBLAS_OP_N, CUBLAS_OP_N, to.rows, to.columns, x.columns, factor, x.data,
                     x.leading, y.data, y.leading, keep, to.data, to.leading));
}

/// A stream that runs before others when both have work, and what it has recorded last.
class side_stream {
public:
    side_stream() {
        int least = 0, greatest = 0;
        cuda::check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        cuda::check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest));
    }
    side_stream(const side_stream&) = delete;
    side_stream& operator=(const side_stream&) = delete;
    ~side_stream() { (void)cudaStreamDestroy(stream_); }
    [[nodiscard]] cudaStream_t get() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

class event {
public:
    event() { cuda::check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    event(const event&) = delete;
    event& operator=(const event&) = delete;
    ~event() { (void)cudaEventDestroy(event_); }
    void record(cudaStream_t stream) const { cuda::check(cudaEventRecord(event_, stream)); }
    void wait(cudaStream_t stream) const { cuda::check(cudaStreamWaitEvent(stream, event_)); }
    /// `after` goes on when `before` has done what it has been given so far.
    void order(cudaStream_t before, cudaStream_t after) const {
        record(before);
        wait(after);
    }

private:
    cudaEvent_t event_ = nullptr;
};

}  // namespace wale::lu::unpivoted
