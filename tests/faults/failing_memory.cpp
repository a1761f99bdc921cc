// failing_memory - an operator new that fails once on a thread of a team. Loaded before a program with
// WALE_FAIL_ALLOCATION=k in its environment: of the allocations that threads other than the first make, k
// fails.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

void fail_or_count() {
    static const char* const asked = std::getenv("WALE_FAIL_ALLOCATION");
    static const long fails = asked ? std::atol(asked) : 0;
    static std::atomic<long> made = 0;
    if (syscall(SYS_gettid) != getpid() && ++made == fails) throw std::bad_alloc();
}

void* checked(void* p) {
    if (p == nullptr) throw std::bad_alloc();
    return p;
}

}  // namespace

void* operator new(std::size_t bytes) {
    fail_or_count();
    return checked(std::malloc(bytes > 0 ? bytes : 1));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    fail_or_count();
    const auto unit = static_cast<std::size_t>(alignment);
    return checked(std::aligned_alloc(unit, (bytes / unit + 1) * unit));
}
void operator delete(void* p) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
    std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
    std::free(p);
}
