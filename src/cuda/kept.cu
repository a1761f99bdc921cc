// kept - see kept.cuh.
#include "cuda/kept.cuh"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <tuple>
#include <vector>

#include "cuda/stream.cuh"

namespace wale::cuda {
namespace {

/// Everything that is kept, behind one lock that is held for a look-up.
struct store {
    std::mutex lock;
    std::map<int, device_facts> devices;
    std::map<int, std::vector<event_pair>> events;
    std::map<int, std::vector<report_slot*>> reports;
    std::map<std::pair<int, const void*>, std::size_t> permitted;  // bytes
    std::set<std::pair<int, const void*>> preferring;
    std::map<std::tuple<int, const void*, int, int, std::size_t>, int> resident;  // blocks, clusters of size
};
store& all() {
    static auto* const kept = new store;
    return *kept;
}

device_facts ask(int device) {
    const auto number = [&](cudaDeviceAttr which) {
        int value = 0;
        check(cudaDeviceGetAttribute(&value, which, device));
        return value;
    };
    device_facts f;
    f.multiprocessors = number(cudaDevAttrMultiProcessorCount);
    f.sm = 10 * number(cudaDevAttrComputeCapabilityMajor) + number(cudaDevAttrComputeCapabilityMinor);
    f.shared_per_block = number(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    f.shared_per_multiprocessor = number(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    f.clusters = number(cudaDevAttrClusterLaunch);
    f.cooperative = number(cudaDevAttrCooperativeLaunch);
    if (number(cudaDevAttrMemoryPoolsSupported) == 0) return f;
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, device};
    check(cudaMemPoolCreate(&f.scratch_pool, &properties));
    // Of large images more: while the driver maps memory again for one device, calls of others wait.
    constexpr std::size_t share = 4;
    std::size_t free_bytes = 0, total = 0;
    check(cudaMemGetInfo(&free_bytes, &total));
    std::uint64_t kept = std::max(kept_scratch, std::uint64_t{total / share});
    check(cudaMemPoolSetAttribute(f.scratch_pool, cudaMemPoolAttrReleaseThreshold, &kept));
    return f;
}

/// Some slots more, set in the order of the stream, which is waited for: other streams may use them next.
std::vector<report_slot*> make_slots(cudaStream_t stream) {
    constexpr std::size_t count = 16, each = report_slot::size + 2 * report_header::size,
                          bytes = count * each;
    unsigned char *on_device = nullptr, *on_host = nullptr, *written = nullptr;
    check(cudaHostAlloc(reinterpret_cast<void**>(&on_host), bytes,
                        cudaHostAllocMapped | cudaHostAllocPortable));
    check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&written), on_host, 0));
    check_allocation(cudaMalloc(&on_device, bytes), bytes);
    std::memset(on_host, 0, bytes);
    std::vector<report_slot*> made;
    for (std::size_t at = 0; at < bytes; at += each) {  // the words, the header, the bytes
        constexpr std::size_t header = report_header::size, begin = 2 * header;
        auto* const words_on_device = reinterpret_cast<host_words*>(written + at);
        new (on_host + at + header) report_header{words_on_device};
        made.push_back(new report_slot{on_device + at + begin, on_host + at + begin,
                                       new (on_host + at) host_words{}, words_on_device, report_slot::size});
    }
    check(cudaMemcpyAsync(on_device, on_host, bytes, cudaMemcpyHostToDevice, stream));
    check(cudaStreamSynchronize(stream));
    return made;
}

/// A caller that needs a cleared slot takes a slot that is cleared already.
bool is_set(const report_slot& slot, const void* first, std::size_t size) {
    if (size == 0) return slot.known == 0;
    return size <= slot.known && std::memcmp(slot.on_host, first, size) == 0;
}

}  // namespace

const device_facts& facts_of(int device) {
    store& s = all();
    const std::lock_guard hold(s.lock);
    const auto found = s.devices.find(device);
    return found != s.devices.end() ? found->second : s.devices.emplace(device, ask(device)).first->second;
}

event_pair borrow_events(int device) {
    store& s = all();
    {
        const std::lock_guard hold(s.lock);
        auto& free = s.events[device];
        if (!free.empty()) {
            const event_pair pair = free.back();
            free.pop_back();
            return pair;
        }
    }
    event_pair made;
    check(cudaEventCreate(&made.begin));
    check(cudaEventCreate(&made.end));
    return made;
}

void give_back_events(int device, const event_pair& pair) noexcept {
    store& s = all();
    const std::lock_guard hold(s.lock);
    s.events[device].push_back(pair);
}

void launch_limits::permit_shared(const context& c, const void* kernel, std::size_t bytes) {
    store& s = all();
    const std::lock_guard hold(s.lock);
    std::size_t& permitted = s.permitted[{c.device(), kernel}];
    if (bytes <= permitted) return;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    permitted = bytes;
}

void launch_limits::prefer_shared_memory(const context& c, const void* kernel) {
    store& s = all();
    const std::lock_guard hold(s.lock);
    if (s.preferring.contains({c.device(), kernel})) return;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                               cudaSharedmemCarveoutMaxShared));
    s.preferring.insert({c.device(), kernel});
}

int launch_limits::resident_blocks(const context& c, const void* kernel, int threads, std::size_t bytes) {
    permit_shared(c, kernel, bytes);
    store& s = all();
    const std::lock_guard hold(s.lock);
    const auto [at, added] = s.resident.try_emplace({c.device(), kernel, 0, threads, bytes}, -1);
    if (at->second < 0)
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at->second, kernel, threads, bytes));
    return at->second;
}

int launch_limits::resident_clusters(const context& c, const void* kernel, int size, int threads,
                                     std::size_t bytes) {
    constexpr int portable = 8;  // blocks of a cluster that every device has
    permit_shared(c, kernel, bytes);
    store& s = all();
    const std::lock_guard hold(s.lock);
    const auto [at, added] = s.resident.try_emplace({c.device(), kernel, size, threads, bytes}, -1);
    if (at->second >= 0) return at->second;
    if (size > portable)
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(size), 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(size));
    config.blockDim = dim3(static_cast<unsigned>(threads));
    config.dynamicSmemBytes = bytes;
    config.attrs = &cluster;
    config.numAttrs = 1;
    check(cudaOccupancyMaxActiveClusters(&at->second, kernel, &config));
    return at->second;
}

report_slot* report_shelf::borrow(int device, cudaStream_t stream, const void* first, std::size_t size) {
    store& s = all();
    report_slot* slot = nullptr;
    const auto take = [&] {
        const std::lock_guard hold(s.lock);
        auto& free = s.reports[device];
        if (free.empty()) return;
        std::size_t at = free.size() - 1;  // the last one given back is most likely of the same kind
        for (std::size_t i = free.size(); i-- > 0;)
            if (is_set(*free[i], first, size)) {
                at = i;
                break;
            }
        slot = free[at];
        free.erase(free.begin() + static_cast<std::ptrdiff_t>(at));
    };
    for (take(); slot == nullptr; take()) {
        const std::vector<report_slot*> more = make_slots(stream);
        const std::lock_guard hold(s.lock);
        s.reports[device].insert(s.reports[device].end(), more.begin(), more.end());
    }
    *slot->words = {};
    if (size == 0 || is_set(*slot, first, size)) return slot;
    std::memcpy(slot->on_host, first, size);
    const cudaError_t code =
        cudaMemcpyAsync(slot->on_device, slot->on_host, size, cudaMemcpyHostToDevice, stream);
    if (code != cudaSuccess) {
        slot->known = 0;
        give_back(device, slot);
        check(code);
    }
    slot->known = std::max(slot->known, size);
    return slot;
}

void report_shelf::give_back(int device, report_slot* slot) noexcept {
    store& s = all();
    const std::lock_guard hold(s.lock);
    s.reports[device].push_back(slot);
}

cudaError_t queue_copy(cudaStream_t stream, const report_slot& slot, const void* from, std::size_t bytes) {
    return cudaMemcpyAsync(slot.on_host, from, bytes, cudaMemcpyDeviceToHost, stream);
}

void read_back(int device, cudaStream_t stream, void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    report_slot* const slot =
        bytes <= report_slot::size ? report_shelf::borrow(device, stream, nullptr, 0) : nullptr;
    cudaError_t code = slot != nullptr ? queue_copy(stream, *slot, from, bytes)
                                       : cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream);
    if (code == cudaSuccess) code = cudaStreamSynchronize(stream);
    if (slot != nullptr) {
        if (code == cudaSuccess) std::memcpy(to, slot->on_host, bytes);
        slot->known = 0;  // the device's side was not written
        report_shelf::give_back(device, slot);
    }
    check(code);
}

}  // namespace wale::cuda
