// large_allocations - operator new of this program: Linux promises more memory than it has and ends a process
// that uses it, so that a large request is compared with the memory available before it is granted.
#include <algorithm>
#include <cstdlib>
#include <new>
#include <wale/host_memory.hpp>

#include "failure.hpp"

namespace wale::cli {

namespace {

void* allocated(std::size_t bytes, std::size_t alignment) {
    try {
        demand_host_memory("host memory", static_cast<double>(bytes));
    } catch (const out_of_memory& e) {
        throw allocation_refused(e.what());
    }
    const std::size_t whole = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    void* const block = alignment == 1 ? std::malloc(whole) : std::aligned_alloc(alignment, whole);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

}  // namespace
}  // namespace wale::cli

void* operator new(std::size_t bytes) {
    return wale::cli::allocated(bytes, 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return wale::cli::allocated(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept {
    std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
    std::free(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
    std::free(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
    std::free(block);
}
