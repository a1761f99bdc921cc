// kept - what is asked of the driver once and kept: numbers of a device, limits of a kernel, pairs of events,
// and words through which kernels report to the host. A call then asks the driver for nothing but its work.
// Nothing of it is ever freed: the driver may be gone before static destructors run.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace wale::cuda {

class context;

struct device_facts {
    int multiprocessors = 0;
    int sm = 0;                         // 90 = compute capability 9.0
    int shared_per_block = 0;           // bytes, where a kernel asks for them
    int shared_per_multiprocessor = 0;  // bytes
    int clusters = 0, cooperative = 0;  // whether the device has them
    cudaMemPool_t scratch_pool = nullptr;
};
/// Of a device that is current.
[[nodiscard]] const device_facts& facts_of(int device);

/// Two events for a timer.
struct event_pair {
    cudaEvent_t begin = nullptr, end = nullptr;
};
[[nodiscard]] event_pair borrow_events(int device);
void give_back_events(int device, const event_pair&) noexcept;

/// What a kernel may be launched with. The driver is asked once for each kernel, device and configuration.
class launch_limits {
public:
    /// Permits `bytes` of dynamic shared memory a block. A permission is only ever widened: two threads may
    /// launch one kernel with different sizes.
    template <class Kernel>
    static void permit(const context& c, Kernel kernel, std::size_t bytes) {
        permit_shared(c, reinterpret_cast<const void*>(kernel), bytes);
    }
    /// Blocks that a multiprocessor holds at a time, with that much shared memory permitted.
    template <class Kernel>
    [[nodiscard]] static int blocks(const context& c, Kernel kernel, int threads, std::size_t bytes) {
        return resident_blocks(c, reinterpret_cast<const void*>(kernel), threads, bytes);
    }
    /// Clusters of `size` blocks that the device holds at a time, of any size that the device has.
    template <class Kernel>
    [[nodiscard]] static int clusters(const context& c, Kernel kernel, int size, int threads,
                                      std::size_t bytes) {
        return resident_clusters(c, reinterpret_cast<const void*>(kernel), size, threads, bytes);
    }

    /// The driver is to leave as much of a multiprocessor's memory to the kernel's blocks as there is.
    template <class Kernel>
    static void prefer_shared(const context& c, Kernel kernel) {
        prefer_shared_memory(c, reinterpret_cast<const void*>(kernel));
    }

private:
    static void prefer_shared_memory(const context&, const void* kernel);
    static void permit_shared(const context&, const void* kernel, std::size_t bytes);
    static int resident_blocks(const context&, const void* kernel, int threads, std::size_t bytes);
    static int resident_clusters(const context&, const void* kernel, int size, int threads,
                                 std::size_t bytes);
};

/// Some device memory and the pinned place on the host where it is read. Between calls the host knows
/// what the device's bytes are, so that they are set only where the last call left something else.
struct report_slot {
    static constexpr std::size_t size = 2048;  // bytes
    unsigned char* on_device = nullptr;
    unsigned char* on_host = nullptr;
    std::size_t known = 0;  // first bytes that are the same on both sides
};

class report_shelf {
public:
    /// A slot that begins with `size` bytes as at `first`: set in the order of the stream. 0: with anything.
    [[nodiscard]] static report_slot* borrow(int device, cudaStream_t, const void* first, std::size_t size);
    static void give_back(int device, report_slot*) noexcept;
};

/// Waits for the work of the stream and copies to the host; a few bytes by way of a slot, since the driver
/// takes twice as long for memory that is not pinned.
void read_back(int device, cudaStream_t stream, void* to, const void* from, std::size_t bytes);

/// What kernels report to the host in one call that waits: a T that starts as `first`. A call that does not
/// wait has no such place, and its kernels are given null.
template <class T>
class call_report {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= report_slot::size);

public:
    call_report(const context& c, const T& first, bool asynchronous);
    call_report(const call_report&) = delete;
    call_report& operator=(const call_report&) = delete;
    ~call_report();
    [[nodiscard]] T* data() const {
        return slot_ == nullptr ? nullptr : reinterpret_cast<T*>(slot_->on_device);
    }
    /// Queues the way to the host; timer::stop() does so before it waits.
    void fetch() const;
    void note_wait() const { waited_ = fetched_; }
    /// Waits, unless timer::stop() has. Not of an asynchronous call.
    [[nodiscard]] T read() const;

private:
    const context& context_;
    report_slot* slot_ = nullptr;
    mutable bool fetched_ = false, waited_ = false;
};

}  // namespace wale::cuda
