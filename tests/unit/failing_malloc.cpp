// failing_malloc - replaces the allocator of the C library for the whole process. glibc only.
#include "unit/failing_malloc.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
}

namespace {

std::atomic<long> left{0};  // allocations until one fails; 0: none fails
std::atomic<bool> failed{false}, all_later{false};

bool fails() {
    if (!(all_later && failed) && (left.load() == 0 || left.fetch_sub(1) != 1)) return false;
    failed = true;
    errno = ENOMEM;
    return true;
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) {
    return fails() ? nullptr : __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
    return fails() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
    return fails() ? nullptr : __libc_realloc(old, size);
}
}

namespace wale::testing_memory {

failing_allocation::failing_allocation(long after, failing how) {
    failed = false;
    all_later = how == failing::from_there_on;
    left = after + 1;
}

bool failing_allocation::disarm() {
    left = 0;
    all_later = false;
    return failed;
}

}  // namespace wale::testing_memory
