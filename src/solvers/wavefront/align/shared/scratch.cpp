// scratch - a list of free blocks a thread.
#include "solvers/wavefront/align/shared/scratch.hpp"

#include <array>
#include <bit>

#include "base/aligned.hpp"
#include "base/of_thread.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t most_bytes_kept = 10 << 20;  // of a thread
constexpr std::size_t most_blocks = 256;

struct block {
    index_t bytes = 0;
    void* data = nullptr;
};

void release(const block& b) {
    base::aligned_allocator<std::byte>().deallocate(static_cast<std::byte*>(b.data),
                                                    static_cast<std::size_t>(b.bytes));
}

struct free_blocks {
    std::array<block, most_blocks> blocks{};
    std::size_t count = 0;
    index_t bytes = 0;
    free_blocks() = default;
    free_blocks(const free_blocks&) = delete;
    free_blocks& operator=(const free_blocks&) = delete;
    ~free_blocks() {
        while (count > 0) release(blocks[--count]);
    }
};

}  // namespace

scratch::scratch(index_t bytes)
    : bytes_(static_cast<index_t>(std::bit_ceil(static_cast<std::size_t>(bytes)))) {
    free_blocks& all = base::of_thread<free_blocks>();
    for (std::size_t k = 0; k < all.count; ++k)
        if (all.blocks[k].bytes == bytes_) {
            data_ = all.blocks[k].data;
            all.blocks[k] = all.blocks[--all.count];
            all.bytes -= bytes_;
            return;
        }
    data_ = base::aligned_allocator<std::byte>().allocate(static_cast<std::size_t>(bytes_));
}

scratch::~scratch() {
    if (data_ == nullptr) return;
    free_blocks& all = base::of_thread<free_blocks>();
    if (all.count == most_blocks || all.bytes + bytes_ > most_bytes_kept) {
        release({bytes_, data_});
    } else {
        all.blocks[all.count++] = {bytes_, data_};
        all.bytes += bytes_;
    }
}

}  // namespace wale::wavefront
