// entry - what libwale_cuda hands to libwale: memory, copies, properties of devices, and each solver's rows.
#include <cuda.h>
#include <cuda_runtime.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>
#include <wale/host_memory.hpp>

#include "cuda/check.cuh"
#include "cuda/device_api.hpp"
#include "cuda/staged_copy.cuh"
#include "cuda/stream.cuh"
#include "variants/plugin_rows.hpp"

namespace wale::cuda {
namespace {

int device_count() {
    int n = 0;
    return cudaGetDeviceCount(&n) == cudaSuccess ? n : ((void)cudaGetLastError(), 0);
}

/// Whether this build holds code that device 0 runs. A probe costs one query, no launch.
__global__ void probe() {}

std::string reason() {
    int n = 0;
    const cudaError_t code = cudaGetDeviceCount(&n);
    int driver = 0;
    int runtime = 0;
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    (void)cudaGetLastError();
    const auto dotted = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
    if (driver == 0) return "no NVIDIA driver on this machine";
    const std::string versions = " (driver for CUDA " + dotted(driver) + ", runtime " + dotted(runtime) + ")";
    if (code != cudaSuccess) return cudaGetErrorString(code) + versions;
    if (n == 0) return "no CUDA device" + versions;
    cudaFuncAttributes attributes{};
    const cudaError_t image = cudaFuncGetAttributes(&attributes, probe);
    (void)cudaGetLastError();
    if (image != cudaSuccess)
        return std::string(cudaGetErrorString(image)) + versions + ", built for sm " WALE_CUDA_BUILT_FOR;
    return {};
}

device_info describe(int device) {
    cudaDeviceProp p{};
    check(cudaGetDeviceProperties(&p, device));
    const context here(on_cuda{device, nullptr});
    std::size_t free_bytes = 0, total = 0;
    check(cudaMemGetInfo(&free_bytes, &total));
    return {p.name, 10 * p.major + p.minor, p.multiProcessorCount, static_cast<index_t>(p.totalGlobalMem),
            static_cast<index_t>(free_bytes)};
}

/// The stream of the current device in whose order arrays that outlive a call come from the pool; no work of
/// a caller is on it.
cudaStream_t order_of_allocations(int device) {
    static std::mutex lock;
    static auto* const streams =
        new std::map<int, cudaStream_t>;  // the driver may be gone before destructors
    const std::lock_guard hold(lock);
    cudaStream_t& stream = (*streams)[device];
    if (stream == nullptr) check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
}

/// What allocate() gave and release() has not taken back. The driver takes half a microsecond to say of a
/// pointer where it leads, and each array of a call is asked about.
class own_memory {
public:
    void add(const void* p, index_t bytes) {
        const std::lock_guard hold(lock_);
        ends_[static_cast<const char*>(p)] = static_cast<const char*>(p) + bytes;
    }
    void remove(const void* p) {
        const std::lock_guard hold(lock_);
        ends_.erase(static_cast<const char*>(p));
    }
    [[nodiscard]] bool holds(const void* p) {
        const std::lock_guard hold(lock_);
        const auto behind = ends_.upper_bound(static_cast<const char*>(p));
        return behind != ends_.begin() && p < std::prev(behind)->second;
    }

private:
    std::mutex lock_;
    std::map<const char*, const char*> ends_;  // by the first byte
};
own_memory& own() {
    static auto* const kept = new own_memory;
    return *kept;
}

void* allocate(index_t bytes, memory_space space, int device) {
    const context here(on_cuda{device, nullptr});
    void* p = nullptr;
    const auto n = static_cast<std::size_t>(bytes);
    if (space != memory_space::pinned) {  // from the pool: cudaMalloc and cudaFree take 40 us each (H200)
        const cudaStream_t order = order_of_allocations(device);
        check_allocation(cudaMallocFromPoolAsync(&p, n, here.facts().scratch_pool, order), bytes);
        check(cudaStreamSynchronize(order));
        own().add(p, bytes);
        return p;
    }
    const cudaError_t code = cudaMallocHost(&p, n);
    if (code == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        throw out_of_memory("pinned memory", bytes, available_host_memory());
    }
    check(code);
    return p;
}

/// The current device of a scope that must not throw.
class device_scope {
public:
    explicit device_scope(int device) noexcept {
        (void)cudaGetDevice(&previous_);
        (void)cudaSetDevice(device);
    }
    device_scope(const device_scope&) = delete;
    device_scope& operator=(const device_scope&) = delete;
    ~device_scope() { (void)cudaSetDevice(previous_); }

private:
    int previous_ = 0;
};

void release(void* p, memory_space space, int device) noexcept {
    if (space == memory_space::pinned) return (void)cudaFreeHost(p);
    own().remove(p);
    const device_scope here(device);
    (void)cudaDeviceSynchronize();  // any stream may have work that uses the memory
    (void)cudaFreeAsync(p, nullptr);
}

/// Whether the driver says so by one attribute. The runtime asks for six, and each array of a call is asked
/// about.
bool is_device_memory(const void* p) {
    using question = CUresult (*)(void*, CUpointer_attribute, CUdeviceptr);
    static const auto ask = [] {
        constexpr unsigned since = 4000;  // CUDA 4.0
        void* found = nullptr;
        cudaDriverEntryPointQueryResult answer{};
        const cudaError_t code = cudaGetDriverEntryPointByVersion("cuPointerGetAttribute", &found, since,
                                                                  cudaEnableDefault, &answer);
        (void)cudaGetLastError();
        return code == cudaSuccess ? reinterpret_cast<question>(found) : nullptr;
    }();
    CUmemorytype type{};
    return ask != nullptr &&
           ask(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(p)) == CUDA_SUCCESS &&
           type == CU_MEMORYTYPE_DEVICE;
}

pointer_kind kind(const void* p) {
    if (own().holds(p) || is_device_memory(p)) return pointer_kind::device;
    cudaPointerAttributes a{};
    const cudaError_t code = cudaPointerGetAttributes(&a, p);
    (void)cudaGetLastError();
    // Of the memory of a pool on another device devicePointer is null here.
    const bool reached = a.type == cudaMemoryTypeDevice || a.devicePointer != nullptr;
    return code == cudaSuccess && reached ? pointer_kind::device : pointer_kind::host;
}

void* allocate_ordered(const on_cuda& on, index_t bytes) {
    const context here(on);
    void* p = nullptr;
    check_allocation(cudaMallocFromPoolAsync(&p, static_cast<std::size_t>(bytes), here.facts().scratch_pool,
                                             here.stream()),
                     bytes);
    return p;
}

void release_ordered(const on_cuda& on, void* p) noexcept {
    const device_scope here(on.device);  // the default stream is the current device's
    (void)cudaFreeAsync(p, static_cast<cudaStream_t>(on.stream));
}

/// Streams that are not on loan: to make one and to end it takes longer than a small call, and parts of
/// several devices do so at once. Never freed: the driver may be gone before static destructors run.
struct stream_shelf {
    static constexpr std::size_t most = 16;  // of a device
    std::mutex lock;
    std::map<int, std::vector<cudaStream_t>> of_device;
    static stream_shelf& only() {
        static auto* const shelf = new stream_shelf;
        return *shelf;
    }
};

void* open_stream(int device) {
    stream_shelf& shelf = stream_shelf::only();
    {
        const std::lock_guard hold(shelf.lock);
        auto& free = shelf.of_device[device];
        free.reserve(stream_shelf::most);
        if (!free.empty()) {
            const cudaStream_t stream = free.back();
            free.pop_back();
            return stream;
        }
    }
    const context here(on_cuda{device, nullptr});
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
}

/// Work that is still queued precedes that of the next call which gets the stream.
void close_stream(int device, void* stream) noexcept {
    stream_shelf& shelf = stream_shelf::only();
    const std::lock_guard hold(shelf.lock);
    auto& free = shelf.of_device[device];
    if (free.size() < stream_shelf::most) return free.push_back(static_cast<cudaStream_t>(stream));
    const device_scope here(device);
    (void)cudaStreamDestroy(static_cast<cudaStream_t>(stream));
}

void copy_lines(const on_cuda& on, void* to, index_t to_pitch, const void* from, index_t from_pitch,
                index_t width, index_t lines) {
    queue_lines(context(on), {to, to_pitch, from, from_pitch, width, lines});
}

void finish_stream(const on_cuda& on) {
    context(on).synchronize();
}

bool reaches(int from, int to) {
    if (from == to) return true;
    int possible = 0;
    check(cudaDeviceCanAccessPeer(&possible, from, to));
    if (possible == 0) return false;
    const context there(on_cuda{to, nullptr});
    cudaMemAccessDesc access{};
    access.location = {cudaMemLocationTypeDevice, from};
    access.flags = cudaMemAccessFlagsProtReadWrite;
    const cudaError_t code = cudaMemPoolSetAccess(there.facts().scratch_pool, &access, 1);
    (void)cudaGetLastError();
    return code == cudaSuccess;
}

void copy(const on_cuda& on, void* to, const void* from, index_t bytes) {
    copy_lines(on, to, bytes, from, bytes, bytes, 1);
    finish_stream(on);
}

}  // namespace
}  // namespace wale::cuda

extern "C" __attribute__((visibility("default"))) const wale::cuda::device_api* wale_cuda_entry() {
    using namespace wale::cuda;
    static const device_api api{WALE_VERSION,
                                WALE_CUDA_BUILT_FOR,
                                reason,
                                device_count,
                                describe,
                                allocate,
                                release,
                                copy,
                                kind,
                                allocate_ordered,
                                release_ordered,
                                open_stream,
                                close_stream,
                                copy_lines,
                                finish_stream,
                                reaches};
    wale::catalogue::plugin_list::append_all();
    return &api;
}
