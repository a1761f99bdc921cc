// kept - what is asked of the driver once and kept: numbers of a device, limits of a kernel, pairs of events,
// and words through which kernels report to the host. A call then asks the driver for nothing but its work.
// Nothing of it is ever freed: the driver may be gone before static destructors run.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
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

/// What kernels write straight into the host's memory: words that few threads store and none polls, since
/// each store crosses the bus. The host sets both before the launch.
struct host_words {
    std::uint32_t changed;  // not 0: the slot's device memory is no longer what the host knows
    std::int32_t number;    // what the kernels of the call report in any case
};

/// Some device memory, pinned host memory of the same layout that kernels can write, and host_words. Between
/// calls the host knows what the device's bytes are, so that they are set only where a call has left
/// something else, and read only where a kernel has marked them as changed: a copy of some bytes takes 1.5 us
/// of a call whose launch and wait take 8.6 (H200).
struct report_slot {
    static constexpr std::size_t size = 2048;  // bytes
    unsigned char* on_device = nullptr;
    unsigned char* on_host = nullptr;
    host_words* words = nullptr;
    host_words* words_on_device = nullptr;  // the same words, as the device sees them
    std::size_t known = 0;                  // first bytes that are the same on both sides
};

/// Of call_report::data(): what the slot keeps for kernels before its bytes.
struct report_header {
    static constexpr std::size_t size = 64;  // bytes from it to call_report::data()
    host_words* words;
};
template <class T>
__device__ host_words* host_words_of(T* data) {
    return reinterpret_cast<report_header*>(reinterpret_cast<unsigned char*>(data) - report_header::size)
        ->words;
}
/// Base of what kernels change seldom: a kernel that changes such a value calls mark_changed(), else the host
/// keeps the value from before the call.
struct marked {};

/// After a kernel has changed what call_report::data() points to.
template <class T>
__device__ void mark_changed(T* data) {
    static_assert(std::is_base_of_v<marked, T>);
    host_words_of(data)->changed = 1;
}

class report_shelf {
public:
    /// A slot that begins with `size` bytes as at `first`: set in the order of the stream. 0: with anything.
    [[nodiscard]] static report_slot* borrow(int device, cudaStream_t, const void* first, std::size_t size);
    static void give_back(int device, report_slot*) noexcept;
};

/// Queues the copy of a few bytes to slot.on_host: 1.5 us, where a kernel that writes them there takes 3 us
/// (H200).
[[nodiscard]] cudaError_t queue_copy(cudaStream_t, const report_slot&, const void* from, std::size_t bytes);

/// Waits for the work of the stream and copies to the host; a few bytes by way of a slot.
void read_back(int device, cudaStream_t stream, void* to, const void* from, std::size_t bytes);

/// What kernels report to the host in one call that waits: a T in device memory that starts as `first`, and a
/// number. The T is copied to the host behind the work, or where it is `marked`, only if it was changed. A
/// call that does not wait has no such place, and its kernels are given null.
template <class T = marked>
class call_report {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= report_slot::size);
    static constexpr std::size_t bytes = std::is_empty_v<T> ? 0 : sizeof(T);
    static constexpr bool is_marked = std::is_base_of_v<marked, T>;

public:
    call_report(const context& c, const T& first, bool asynchronous, std::int32_t first_number = 0);
    call_report(const call_report&) = delete;
    call_report& operator=(const call_report&) = delete;
    ~call_report();
    [[nodiscard]] T* data() const {
        return slot_ == nullptr ? nullptr : reinterpret_cast<T*>(slot_->on_device);
    }
    /// For the few kernels that report the number without data().
    [[nodiscard]] std::int32_t* number_data() const {
        return slot_ == nullptr ? nullptr : &slot_->words_on_device->number;
    }
    /// As timer::stop() calls them: behind the work, and after the wait.
    void fetch() const requires(!is_marked);
    void note_wait() const { waited_ = is_marked || fetched_; }
    /// Wait, unless timer::stop() has. Not of an asynchronous call.
    [[nodiscard]] T read() const;
    [[nodiscard]] std::int32_t number() const;

private:
    void wait() const;
    [[nodiscard]] bool changed() const;

    const context& context_;
    report_slot* slot_ = nullptr;
    mutable bool fetched_ = false, waited_ = false;
};

}  // namespace wale::cuda
