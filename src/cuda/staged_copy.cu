// staged_copy - who does what: each thread takes the next chunk by ticket, has two pinned buffers of its own,
// and waits for nothing but the copy engine's event behind the last use of a buffer. No thread waits for
// another, so the threads may also run one after the other.
#include "cuda/staged_copy.cuh"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <vector>

#include "base/pool.hpp"

namespace wale::cuda {
namespace {

constexpr index_t chunk_bytes = index_t{1} << 20;
constexpr index_t least_bytes = index_t{3} << 20;  // below, starting the threads costs what they win
constexpr int most_workers = 8;
constexpr std::size_t most_kept = 32;  // pairs of buffers of a device: 64 MiB

struct pinned_chunk {
    void* memory = nullptr;
    cudaEvent_t done = nullptr;  // behind the last copy that used the memory
};
using chunk_pair = std::array<pinned_chunk, 2>;

/// Pairs of buffers that are free, and how many each device has. Nothing is ever freed: the driver may be
/// gone before static destructors run.
class chunk_shelf {
public:
    static chunk_shelf& only() {
        static auto* const shelf = new chunk_shelf;
        return *shelf;
    }
    /// Up to `wanted` pairs; none where pinned memory cannot be had.
    std::vector<chunk_pair> borrow(int device, std::size_t wanted) {
        const std::lock_guard hold(lock_);
        store& s = stores_[device];
        while (s.free.size() < wanted && s.made < most_kept) {
            chunk_pair made;
            if (!make(made)) break;
            ++s.made;
            s.free.push_back(made);
        }
        const std::size_t given = std::min(wanted, s.free.size());
        const auto first = s.free.end() - static_cast<std::ptrdiff_t>(given);
        std::vector<chunk_pair> pairs(first, s.free.end());
        s.free.erase(first, s.free.end());
        return pairs;
    }
    void give_back(int device, const std::vector<chunk_pair>& pairs) {
        const std::lock_guard hold(lock_);
        auto& free = stores_[device].free;
        free.insert(free.end(), pairs.begin(), pairs.end());
    }

private:
    struct store {
        std::vector<chunk_pair> free;
        std::size_t made = 0;
    };
    static bool make(chunk_pair& pair) {
        for (pinned_chunk& c : pair)
            if (cudaHostAlloc(&c.memory, chunk_bytes, cudaHostAllocPortable) != cudaSuccess ||
                cudaEventCreateWithFlags(&c.done, cudaEventDisableTiming) != cudaSuccess) {
                (void)cudaGetLastError();
                for (const pinned_chunk& half : pair) {
                    if (half.done != nullptr) (void)cudaEventDestroy(half.done);
                    if (half.memory != nullptr) (void)cudaFreeHost(half.memory);
                }
                return false;
            }
        return true;
    }

    std::mutex lock_;
    std::map<int, store> stores_;
};

class borrowed_chunks {
public:
    borrowed_chunks(int device, std::size_t wanted)
        : device_(device), pairs_(chunk_shelf::only().borrow(device, wanted)) {}
    borrowed_chunks(const borrowed_chunks&) = delete;
    borrowed_chunks& operator=(const borrowed_chunks&) = delete;
    ~borrowed_chunks() { chunk_shelf::only().give_back(device_, pairs_); }
    [[nodiscard]] int count() const { return static_cast<int>(pairs_.size()); }
    [[nodiscard]] const chunk_pair& operator[](int k) const { return pairs_[static_cast<std::size_t>(k)]; }

private:
    int device_;
    std::vector<chunk_pair> pairs_;
};

cudaMemoryType kind_of(const void* p) {
    cudaPointerAttributes a{};
    const cudaError_t code = cudaPointerGetAttributes(&a, p);
    (void)cudaGetLastError();
    return code == cudaSuccess ? a.type : cudaMemoryTypeHost;  // which the driver copies by itself
}

std::size_t size(index_t n) {
    return static_cast<std::size_t>(n);
}

/// The driver's copy of part.lines lines of part.width bytes.
void send(void* to, index_t to_pitch, const void* from, index_t from_pitch, const lines_copy& part,
          cudaStream_t stream) {
    if (part.lines == 1 || (to_pitch == part.width && from_pitch == part.width))
        return check(cudaMemcpyAsync(to, from, size(part.width * part.lines), cudaMemcpyDefault, stream));
    check(cudaMemcpy2DAsync(to, size(to_pitch), from, size(from_pitch), size(part.width), size(part.lines),
                            cudaMemcpyDefault, stream));
}

/// One copy, which its workers share.
class chunked {
public:
    /// Whole lines a chunk; of lines without gaps, any bytes of their joined line.
    explicit chunked(const lines_copy& c) : all_(c), last_width_(c.width) {
        if (c.to_pitch == c.width && c.from_pitch == c.width) {
            const index_t bytes = c.width * c.lines;
            all_.lines = (bytes + chunk_bytes - 1) / chunk_bytes;
            all_.width = all_.to_pitch = all_.from_pitch = chunk_bytes;
            last_width_ = bytes - (all_.lines - 1) * chunk_bytes;
            lines_of_chunk_ = 1;
        } else {
            lines_of_chunk_ = chunk_bytes / c.width;
        }
    }
    [[nodiscard]] index_t chunks() const {
        return lines_of_chunk_ == 0 ? 0 : (all_.lines + lines_of_chunk_ - 1) / lines_of_chunk_;
    }

    void upload(const chunk_pair& mine, cudaStream_t stream) {
        int turn = 0;
        for (lines_copy part{}; take(part); turn ^= 1) {
            const pinned_chunk& c = mine[static_cast<std::size_t>(turn)];
            check(cudaEventSynchronize(c.done));
            copy_lines(c.memory, part.width, part.from, part.from_pitch, part);
            send(part.to, part.to_pitch, c.memory, part.width, part, stream);
            check(cudaEventRecord(c.done, stream));
        }
    }
    void download(const chunk_pair& mine, cudaStream_t stream) {
        int turn = 0;
        lines_copy part{}, before{};
        const auto unpack = [&](int which) {
            const pinned_chunk& c = mine[static_cast<std::size_t>(which)];
            check(cudaEventSynchronize(c.done));
            copy_lines(before.to, before.to_pitch, c.memory, before.width, before);
        };
        bool pending = false;
        for (; take(part); turn ^= 1) {
            const pinned_chunk& c = mine[static_cast<std::size_t>(turn)];
            check(cudaEventSynchronize(c.done));
            send(c.memory, part.width, part.from, part.from_pitch, part, stream);
            check(cudaEventRecord(c.done, stream));
            if (pending) unpack(turn ^ 1);
            before = part;
            pending = true;
        }
        if (pending) unpack(turn ^ 1);
    }

private:
    static void copy_lines(void* to, index_t to_pitch, const void* from, index_t from_pitch,
                           const lines_copy& part) {
        for (index_t i = 0; i < part.lines; ++i)
            std::memcpy(static_cast<char*>(to) + i * to_pitch,
                        static_cast<const char*>(from) + i * from_pitch, size(part.width));
    }
    bool take(lines_copy& part) {
        const index_t k = next_.fetch_add(1, std::memory_order_relaxed);
        if (k >= chunks()) return false;
        const index_t first = k * lines_of_chunk_;
        part = all_;
        part.to = static_cast<char*>(all_.to) + first * all_.to_pitch;
        part.from = static_cast<const char*>(all_.from) + first * all_.from_pitch;
        part.lines = std::min(lines_of_chunk_, all_.lines - first);
        if (first + part.lines == all_.lines) part.width = last_width_;
        return true;
    }

    lines_copy all_;
    index_t last_width_, lines_of_chunk_ = 0;
    std::atomic<index_t> next_{0};
};

struct workers {
    chunked& copy;
    const borrowed_chunks& chunks;
    const context& where;
    bool to_device;
    std::vector<std::exception_ptr> errors;

    void run(int k) noexcept {
        try {
            const context here(on_cuda{where.device(), where.stream()});
            to_device ? copy.upload(chunks[k], here.stream()) : copy.download(chunks[k], here.stream());
        } catch (...) {
            errors[static_cast<std::size_t>(k)] = std::current_exception();
            (void)cudaStreamSynchronize(where.stream());  // no copy uses the buffers when they are given back
        }
    }
};

/// False, with nothing queued, where the driver's own copy is as good.
bool staged(const context& c, const lines_copy& what) {
    if (what.width * what.lines < least_bytes) return false;
    const cudaMemoryType from = kind_of(what.from), to = kind_of(what.to);
    const bool up = from == cudaMemoryTypeUnregistered && to == cudaMemoryTypeDevice;
    if (!up && !(from == cudaMemoryTypeDevice && to == cudaMemoryTypeUnregistered)) return false;
    chunked copy(what);
    const auto wanted = std::min<index_t>({most_workers, available_threads(), copy.chunks()});
    const borrowed_chunks chunks(c.device(), static_cast<std::size_t>(wanted));
    if (chunks.count() == 0) return false;
    workers all{copy, chunks, c, up,
                std::vector<std::exception_ptr>(static_cast<std::size_t>(chunks.count()))};
    try {
        base::run_on_pool(
            chunks.count(), [](void* w, int k) { static_cast<workers*>(w)->run(k); }, &all);
    } catch (const out_of_memory&) {  // the system refuses threads
        all.run(0);
    }
    for (const std::exception_ptr& e : all.errors)
        if (e) std::rethrow_exception(e);
    return true;
}

}  // namespace

void queue_lines(const context& c, const lines_copy& what) {
    if (!staged(c, what)) send(what.to, what.to_pitch, what.from, what.from_pitch, what, c.stream());
}

}  // namespace wale::cuda
