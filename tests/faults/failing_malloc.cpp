// failing_malloc - a library for LD_PRELOAD whose allocations fail on request, so that tests reach the code
// that runs out of memory. It counts the calls of the malloc family after main() has started.
//   WALE_FAIL_MALLOC=k        the k-th call fails, from 1; `k+`: the k-th call and all later ones
//   WALE_FAIL_MALLOC_FROM=n   calls for fewer than n bytes neither count nor fail
//   WALE_COUNT_MALLOC=file    at exit the number of counted calls is written to this file
// The program must use glibc and no sanitizer: a sanitizer brings its own malloc.
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

struct request {
    long first = 0;  // call that fails; 0: none
    bool later = false;
    std::size_t least = 0;  // bytes
    const char* count_file = nullptr;
};

request wanted;
std::atomic<long> calls{0};
std::atomic<bool> counting{false};

void read_environment() {
    char* end = nullptr;
    if (const char* text = std::getenv("WALE_FAIL_MALLOC")) {
        wanted.first = std::strtol(text, &end, 10);
        wanted.later = *end == '+';
    }
    if (const char* text = std::getenv("WALE_FAIL_MALLOC_FROM"))
        wanted.least = std::strtoul(text, nullptr, 10);
    wanted.count_file = std::getenv("WALE_COUNT_MALLOC");
}

bool fails(std::size_t bytes) {
    if (!counting.load(std::memory_order_relaxed) || bytes < wanted.least) return false;
    const long call = calls.fetch_add(1) + 1;
    const bool chosen = wanted.first > 0 && (call == wanted.first || (wanted.later && call > wanted.first));
    if (chosen) errno = ENOMEM;
    return chosen;
}

using main_function = int (*)(int, char**, char**);
main_function real_main = nullptr;

int counted_main(int count, char** words, char** environment) {
    read_environment();
    counting = true;
    return real_main(count, words, environment);
}

/// A process that leaves by _exit() writes no count.
__attribute__((destructor)) void write_count() {
    counting = false;
    if (wanted.count_file == nullptr) return;
    if (std::FILE* out = std::fopen(wanted.count_file, "w")) {
        std::fprintf(out, "%ld\n", calls.load());
        std::fclose(out);
    }
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) {
    return fails(bytes) ? nullptr : __libc_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t size) {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) bytes = static_cast<std::size_t>(-1);
    return fails(bytes) ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* old, std::size_t bytes) {
    return bytes > 0 && fails(bytes) ? nullptr : __libc_realloc(old, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) {
    return fails(bytes) ? nullptr : __libc_memalign(alignment, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    return memalign(alignment, bytes);
}

int posix_memalign(void** out, std::size_t alignment, std::size_t bytes) {
    if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
    void* const block = memalign(alignment, bytes);
    if (block == nullptr) return ENOMEM;
    *out = block;
    return 0;
}

/// The C library's start of a program, with main() replaced by counted_main().
int __libc_start_main(main_function program, int count, char** words, void (*begin)(), void (*end)(),
                      void (*linker_end)(), void* stack_end) {
    using start_function = int (*)(main_function, int, char**, void (*)(), void (*)(), void (*)(), void*);
    real_main = program;
    const auto start = reinterpret_cast<start_function>(dlsym(RTLD_NEXT, "__libc_start_main"));
    return start(counted_main, count, words, begin, end, linker_end, stack_end);
}

}  // extern "C"
