// stream - what a CUDA variant starts with: the caller's device made current, its stream, scratch memory in
// stream order, and timing. The destructor restores the caller's device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/clock.hpp"
#include "cuda/check.cuh"
#include "cuda/kept.cuh"
#include "wale/execution.hpp"
#include "wale/layout.hpp"
#include "wale/report.hpp"

namespace wale::cuda {

class context {
public:
    explicit context(const execution& where) : on_(std::get<on_cuda>(where)) {
        if (!on_.devices.empty())
            throw unsupported_variant("where.devices: this call is not split over devices, expected one");
        check(cudaGetDevice(&previous_));
        if (previous_ != on_.device) check(cudaSetDevice(on_.device));
        facts_ = &facts_of(on_.device);
    }
    context(const context&) = delete;
    context& operator=(const context&) = delete;
    ~context() {
        if (previous_ != on_.device) (void)cudaSetDevice(previous_);
    }

    [[nodiscard]] cudaStream_t stream() const { return static_cast<cudaStream_t>(on_.stream); }
    [[nodiscard]] int device() const { return on_.device; }
    [[nodiscard]] int multiprocessors() const { return facts_->multiprocessors; }
    [[nodiscard]] int sm() const { return facts_->sm; }
    [[nodiscard]] const device_facts& facts() const { return *facts_; }
    [[nodiscard]] bool times_on_device() const { return on_.time_on_device; }
    void synchronize() const { check(cudaStreamSynchronize(stream())); }

private:
    on_cuda on_;
    int previous_ = 0;
    const device_facts* facts_ = nullptr;
};

/// What Wale's own pool of scratch memory on a device (device_facts::scratch_pool) keeps between calls: to
/// give all back at each synchronisation, as the default pool does, cost 12% of a batch of alignments. The
/// default pool is the caller's and stays as it is.
inline constexpr std::uint64_t kept_scratch = std::uint64_t{1} << 30;  // bytes

/// Device scratch of one call, from the pool in stream order: cheap after the first call. `what` stands in
/// the message where there is too little memory.
template <class T>
class scratch {
public:
    scratch(const context& c, index_t size, const char* what = "device memory")
        : device_(c.device()), stream_(c.stream()), size_(size) {
        if (size > 0)
            check_allocation(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&data_),
                                                     static_cast<std::size_t>(size) * sizeof(T),
                                                     c.facts().scratch_pool, stream_),
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
    /// Waits.
    void to_host(T* host) const {
        read_back(device_, stream_, host, data_, static_cast<std::size_t>(size_) * sizeof(T));
    }

private:
    int device_;
    cudaStream_t stream_;
    index_t size_;
    T* data_ = nullptr;
};

/// Hands out pieces of one allocation, 128 bytes apart; without one, counts what they need. A call that needs
/// many arrays allocates once.
class pieces {
public:
    explicit pieces(unsigned char* from) : from_(from) {}
    template <class T>
    void next(T*& piece, index_t count) {
        constexpr index_t apart = 128;
        piece = from_ == nullptr ? nullptr : reinterpret_cast<T*>(from_ + used_);
        used_ += (count * index_t{sizeof(T)} + apart - 1) / apart * apart;
    }
    [[nodiscard]] index_t used() const { return used_; }

private:
    unsigned char* from_;
    index_t used_ = 0;
};

/// Seconds between its construction and stop(): of the host, whose clock costs a call nothing, or of the
/// device by events where the caller asks for them (on_cuda::time_on_device).
class timer {
public:
    explicit timer(const context& c) : context_(c) {
        if (!c.times_on_device()) return;
        events_ = borrow_events(c.device());
        const cudaError_t code = cudaEventRecord(events_.begin, c.stream());
        if (code != cudaSuccess) give_back_events(c.device(), events_);
        check(code);
    }
    timer(const timer&) = delete;
    timer& operator=(const timer&) = delete;
    ~timer() {
        if (context_.times_on_device()) give_back_events(context_.device(), events_);
    }
    /// Waits for the work so far, and for what its kernels report; seconds since construction.
    template <class... Reports>
    [[nodiscard]] double stop(const Reports&... reports) {
        if (context_.times_on_device()) check(cudaEventRecord(events_.end, context_.stream()));
        (fetch(reports), ...);
        context_.synchronize();
        (reports.note_wait(), ...);
        if (!context_.times_on_device()) return watch_.seconds();
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, events_.begin, events_.end));
        return 1e-3 * milliseconds;
    }

private:
    template <class Report>
    static void fetch(const Report& report) {
        if constexpr (requires { report.fetch(); }) report.fetch();
    }

    const context& context_;
    event_pair events_;
    base::stopwatch watch_;
};

/// Waits for the work of the context's stream and copies to the host.
inline void read_back(const context& c, void* to, const void* from, std::size_t bytes) {
    read_back(c.device(), c.stream(), to, from, bytes);
}

template <class T>
call_report<T>::call_report(const context& c, const T& first, bool asynchronous, std::int32_t first_number)
    : context_(c) {
    if (asynchronous) return;
    slot_ = report_shelf::borrow(c.device(), c.stream(), &first, bytes);
    slot_->words->number = first_number;
}
template <class T>
call_report<T>::~call_report() {
    if (slot_ == nullptr) return;
    if (!waited_) (void)cudaStreamSynchronize(context_.stream());  // kernels may still write to the slot
    if (is_marked ? changed() : !waited_) slot_->known = 0;
    report_shelf::give_back(context_.device(), slot_);
}
template <class T>
bool call_report<T>::changed() const {
    return slot_->words->changed != 0;
}
template <class T>
void call_report<T>::fetch() const requires(!is_marked) {
    if (slot_ == nullptr || fetched_) return;
    check(queue_copy(context_.stream(), *slot_, slot_->on_device, bytes));
    fetched_ = true;
}
template <class T>
void call_report<T>::wait() const {
    if constexpr (!is_marked) fetch();
    if (!waited_) context_.synchronize();
    waited_ = true;
}
template <class T>
T call_report<T>::read() const {
    wait();
    if (is_marked && changed()) {
        check(cudaMemcpyAsync(slot_->on_host, slot_->on_device, bytes, cudaMemcpyDeviceToHost,
                              context_.stream()));
        context_.synchronize();
    }
    T found;
    std::memcpy(&found, slot_->on_host, bytes);
    return found;
}
template <class T>
std::int32_t call_report<T>::number() const {
    wait();
    return slot_->words->number;
}

}  // namespace wale::cuda
