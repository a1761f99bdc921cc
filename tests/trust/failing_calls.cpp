// failing_calls - a library for LD_PRELOAD that lets one call of the C library fail on request. Counted are
// the calls after main() has started, or since failing_calls_begin(); writes to standard error are not
// counted.
//   WALE_FAIL=kind:k     the k-th call of this kind fails, from 1; `kind:k+`: the k-th call and all later
//   ones WALE_COUNT=file      at exit the file gets a line `kind count` for each kind
// The program must use glibc and no sanitizer, which brings a malloc of its own.
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

enum kind {
    by_malloc,
    by_team_malloc,  // of threads but the first
    by_thread,
    by_open,
    by_read,
    by_write,
    by_fsync,
    by_rename,
    by_fork,
    by_device_memory,
    by_device_call,
    kinds
};
constexpr const char* names[kinds] = {"malloc", "team_malloc",   "thread",     "open",
                                      "read",   "write",         "fsync",      "rename",
                                      "fork",   "device_memory", "device_call"};
constexpr int codes[kinds] = {ENOMEM, ENOMEM, EAGAIN, EACCES, EIO, ENOSPC, EIO, EIO, EAGAIN, ENOMEM, EIO};

std::atomic<long> calls[kinds];
std::atomic<bool> counting{false};
kind failing = kinds;
long first = 0;
bool later = false;
std::size_t least = 0;  // bytes: smaller allocations neither count nor fail

/// Whether this call fails; errno then says why.
bool fails(kind k) {
    if (!counting.load(std::memory_order_relaxed)) return false;
    const long call = calls[k].fetch_add(1) + 1;
    if (k != failing || call < first || (call > first && !later)) return false;
    errno = codes[k];
    return true;
}

bool fails_to_give(std::size_t bytes) {
    if (bytes < least) return false;
    return fails(by_malloc) || (gettid() != getpid() && fails(by_team_malloc));
}

using symbol_function = void* (*)(void*, const char*);
symbol_function real_dlsym() {
    static void* const found = [] {
        void* const newest = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
        return newest ? newest : dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    }();
    return reinterpret_cast<symbol_function>(found);
}

/// The C library's function of this name, looked up once.
template <class Function>
Function* real(Function*, const char* name) {
    return reinterpret_cast<Function*>(real_dlsym()(RTLD_NEXT, name));
}
#define REAL(name) static const auto system = real(&name, #name)

void choose(const char* text) {
    const char* const colon = std::strchr(text, ':');
    if (colon == nullptr) return;
    for (int k = 0; k < kinds; ++k)
        if (std::strlen(names[k]) == static_cast<std::size_t>(colon - text) &&
            std::strncmp(names[k], text, static_cast<std::size_t>(colon - text)) == 0)
            failing = static_cast<kind>(k);
    char* end = nullptr;
    first = std::strtol(colon + 1, &end, 10);
    later = *end == '+';
}

using main_function = int (*)(int, char**, char**);
main_function real_main = nullptr;

int counted_main(int count, char** words, char** environment) {
    if (const char* const text = std::getenv("WALE_FAIL")) choose(text);
    counting = std::getenv("WALE_FAIL") != nullptr || std::getenv("WALE_COUNT") != nullptr;
    return real_main(count, words, environment);
}

/// A process that leaves by _exit() writes no count.
__attribute__((destructor)) void write_count() {
    counting = false;
    const char* const path = std::getenv("WALE_COUNT");
    if (path == nullptr) return;
    if (std::FILE* out = std::fopen(path, "w")) {
        for (int k = 0; k < kinds; ++k) std::fprintf(out, "%s %ld\n", names[k], calls[k].load());
        std::fclose(out);
    }
}

/// Functions of the driver that may fail: one for each name and kind of default stream.
constexpr int device_slots = 16, stream_create = 15;
void* of_driver[device_slots][2];

template <int Slot, int PerThread, class... Arguments>
int device_function(Arguments... arguments) {
    const kind k = Slot < 4 ? by_device_memory : by_device_call;
    // cuBLAS destroys a stream that it asked for and did not get: the driver then ends the program.
    Dl_info caller{};
    const bool spared = Slot == stream_create && dladdr(__builtin_return_address(0), &caller) != 0 &&
                        std::strstr(caller.dli_fname, "cublas") != nullptr;
    if (!spared && fails(k)) return k == by_device_memory ? 2 : 719;  // out of memory; launch failed
    return reinterpret_cast<int (*)(Arguments...)>(of_driver[Slot][PerThread])(arguments...);
}

struct device_entry {
    const char* name;
    void* stand_in[2];
};
template <int Slot, class... Arguments>
device_entry entry(const char* name) {
    return {name,
            {reinterpret_cast<void*>(&device_function<Slot, 0, Arguments...>),
             reinterpret_cast<void*>(&device_function<Slot, 1, Arguments...>)}};
}
using number = unsigned long long;
const device_entry device_entries[] = {
    entry<0, void*, std::size_t>("cuMemAlloc"),
    entry<1, void*, std::size_t, void*>("cuMemAllocAsync"),
    entry<2, void*, std::size_t, void*, void*>("cuMemAllocFromPoolAsync"),
    entry<3, void**, std::size_t, unsigned>("cuMemHostAlloc"),
    entry<4, void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
          void**>("cuLaunchKernel"),
    entry<5, const void*, void*, void**, void**>("cuLaunchKernelEx"),
    entry<6, number, const void*, std::size_t, void*>("cuMemcpyHtoDAsync"),
    entry<7, void*, number, std::size_t, void*>("cuMemcpyDtoHAsync"),
    entry<8, number, const void*, std::size_t>("cuMemcpyHtoD"),
    entry<9, void*, number, std::size_t>("cuMemcpyDtoH"),
    entry<10, number, number, std::size_t, void*>("cuMemcpyAsync"),
    entry<11, number, unsigned char, std::size_t, void*>("cuMemsetD8Async"),
    entry<12, void*>("cuStreamSynchronize"),
    entry<13, void*, void*>("cuGraphLaunch"),
    entry<14, void*, void*>("cuEventRecord"),
    entry<stream_create, void**, unsigned>("cuStreamCreate"),
};

using find_function = int (*)(const char*, void**, int, number, void*);
find_function real_find = nullptr;
int find_device_function(const char* name, void** function, int version, number flags, void* status) {
    const int code = real_find(name, function, version, flags, status);
    if (code == 0 && *function != nullptr && std::strcmp(name, "cuGetProcAddress") == 0) {
        // CUDA's runtime finds the other functions by this one.
        real_find = reinterpret_cast<find_function>(*function);
        *function = reinterpret_cast<void*>(&find_device_function);
    }
    const int per_thread = (flags & 2) != 0 ? 1 : 0;
    for (int slot = 0; code == 0 && *function != nullptr && slot < device_slots; ++slot)
        if (std::strcmp(name, device_entries[slot].name) == 0) {
            of_driver[slot][per_thread] = *function;
            *function = device_entries[slot].stand_in[per_thread];
        }
    return code;
}

}  // namespace

extern "C" {

void* dlsym(void* library, const char* name) noexcept {
    void* const found = real_dlsym()(library, name);
    if (found == nullptr || std::strcmp(name, "cuGetProcAddress_v2") != 0) return found;
    real_find = reinterpret_cast<find_function>(found);
    return reinterpret_cast<void*>(&find_device_function);
}

/// From now on the call `kind:k` fails; an empty text: none. Of allocations those of `bytes` and more count.
void failing_calls_begin(const char* text, std::size_t bytes) {
    counting = false;
    least = bytes;
    failing = kinds;
    for (auto& count : calls) count = 0;
    choose(text);
    counting = true;
}

/// Ends the counting and returns how many calls of this kind there were.
long failing_calls_end(const char* name) {
    counting = false;
    for (int k = 0; k < kinds; ++k)
        if (std::strcmp(names[k], name) == 0) return calls[k];
    return 0;
}

/// Bytes that the program holds of malloc.
std::size_t failing_calls_held() {
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

void* malloc(std::size_t bytes) {
    return fails_to_give(bytes) ? nullptr : __libc_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t size) {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) bytes = static_cast<std::size_t>(-1);
    return fails_to_give(bytes) ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* old, std::size_t bytes) {
    return bytes > 0 && fails_to_give(bytes) ? nullptr : __libc_realloc(old, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) {
    return fails_to_give(bytes) ? nullptr : __libc_memalign(alignment, bytes);
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

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) noexcept {
    REAL(pthread_create);
    return fails(by_thread) ? EAGAIN : system(thread, attributes, run, argument);
}

ssize_t write(int descriptor, const void* from, std::size_t count) {
    REAL(write);
    return descriptor != STDERR_FILENO && fails(by_write) ? -1 : system(descriptor, from, count);
}

ssize_t read(int descriptor, void* to, std::size_t count) {
    REAL(read);
    return fails(by_read) ? -1 : system(descriptor, to, count);
}

ssize_t pread(int descriptor, void* to, std::size_t count, off_t at) {
    REAL(pread);
    return fails(by_read) ? -1 : system(descriptor, to, count, at);
}

ssize_t pread64(int descriptor, void* to, std::size_t count, off_t at) {
    return pread(descriptor, to, count, at);
}

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
    const unsigned mode = creates ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    REAL(open);
    return fails(by_open) ? -1 : system(path, flags, mode);
}

int fsync(int descriptor) {
    REAL(fsync);
    return fails(by_fsync) ? -1 : system(descriptor);
}

int rename(const char* from, const char* to) noexcept {
    REAL(rename);
    return fails(by_rename) ? -1 : system(from, to);
}

pid_t fork() noexcept {
    REAL(fork);
    return fails(by_fork) ? -1 : system();
}

/// The C library's start of a program, with main() replaced by counted_main().
int __libc_start_main(main_function program, int count, char** words, void (*begin)(), void (*end)(),
                      void (*linker_end)(), void* stack_end) {
    using start_function = int (*)(main_function, int, char**, void (*)(), void (*)(), void (*)(), void*);
    real_main = program;
    const auto start = reinterpret_cast<start_function>(real_dlsym()(RTLD_NEXT, "__libc_start_main"));
    return start(counted_main, count, words, begin, end, linker_end, stack_end);
}

}  // extern "C"
