// stream - what a CUDA variant starts with: the caller's device made current, its stream, scratch memory in
// stream order, and event timing. The destructor restores the caller's device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "cuda/check.cuh"
#include "wale/execution.hpp"
#include "wale/layout.hpp"
#include "wale/report.hpp"

namespace wale::cuda {

class context {
public:
    explicit context(const execution& where) : on_(std::get<on_cuda>(where)) {
        check(cudaGetDevice(&previous_));
        check(cudaSetDevice(on_.device));
        check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, on_.device));
        int major = 0;
        int minor = 0;
        check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, on_.device));
        check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, on_.device));
        sm_ = 10 * major + minor;
    }
    context(const context&) = delete;
    context& operator=(const context&) = delete;
    ~context() { (void)cudaSetDevice(previous_); }

    [[nodiscard]] cudaStream_t stream() const { return static_cast<cudaStream_t>(on_.stream); }
    [[nodiscard]] int device() const { return on_.device; }
    [[nodiscard]] int multiprocessors() const { return multiprocessors_; }
    [[nodiscard]] int sm() const { return sm_; }
    void synchronize() const { check(cudaStreamSynchronize(stream())); }

private:
    on_cuda on_;
    int previous_ = 0;
    int multiprocessors_ = 0;
    int sm_ = 0;
};

/// Wale's own pool of scratch memory on a device. It keeps up to `kept_scratch` bytes between calls: to give
/// all back at each synchronisation, as the default pool does, cost 12% of a batch of alignments. The default
/// pool is the caller's and stays as it is.
[[nodiscard]] cudaMemPool_t scratch_pool(int device);

inline constexpr std::uint64_t kept_scratch = std::uint64_t{1} << 30;  // bytes

/// Device scratch of one call, from the pool in stream order: cheap after the first call. `what` stands in
/// the message where there is too little memory.
template <class T>
class scratch {
public:
    scratch(const context& c, index_t size, const char* what = "device memory")
        : stream_(c.stream()), size_(size) {
        if (size > 0)
            check_allocation(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&data_),
                                                     static_cast<std::size_t>(size) * sizeof(T),
                                                     scratch_pool(c.device()), stream_),
                             size * static_cast<index_t>(sizeof(T)), what);
    }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;
    ~scratch() {
        if (data_ != nullptr) (void)cudaFreeAsync(data_, stream_);
    }
    [[nodiscard]] T* data() const { return data_; }
    [[nodiscard]] index_t size() const { return size_; }
    void fill_bytes(int value) const {
        if (size_ > 0)
            check(cudaMemsetAsync(data_, value, static_cast<std::size_t>(size_) * sizeof(T), stream_));
    }
    void to_host(T* host) const {
        if (size_ == 0) return;
        check(cudaMemcpyAsync(host, data_, static_cast<std::size_t>(size_) * sizeof(T),
                              cudaMemcpyDeviceToHost, stream_));
        check(cudaStreamSynchronize(stream_));
    }

private:
    cudaStream_t stream_;
    index_t size_;
    T* data_ = nullptr;
};

/// Device time between its construction and stop().
class timer {
public:
    explicit timer(const context& c) : stream_(c.stream()) {
        check(cudaEventCreate(&begin_));
        check(cudaEventCreate(&end_));
        check(cudaEventRecord(begin_, stream_));
    }
    timer(const timer&) = delete;
    timer& operator=(const timer&) = delete;
    ~timer() {
        (void)cudaEventDestroy(begin_);
        (void)cudaEventDestroy(end_);
    }
    /// Waits for the work so far; seconds since construction.
    [[nodiscard]] double stop() {
        check(cudaEventRecord(end_, stream_));
        check(cudaEventSynchronize(end_));
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin_, end_));
        return 1e-3 * milliseconds;
    }

private:
    cudaStream_t stream_;
    cudaEvent_t begin_{};
    cudaEvent_t end_{};
};

}  // namespace wale::cuda
