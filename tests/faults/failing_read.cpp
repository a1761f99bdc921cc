// failing_read - stands before the C library (LD_PRELOAD) and lets reads of one file fail, as a disk does:
// WALE_FAULT_FILE names the file, WALE_FAULT_AFTER how many of its bytes are still read.
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace {

std::atomic<ssize_t> given = 0;  // bytes of the file, in all

bool is_chosen(int descriptor) {
    const char* const path = std::getenv("WALE_FAULT_FILE");
    struct stat chosen {
    }, found{};
    return path != nullptr && stat(path, &chosen) == 0 && fstat(descriptor, &found) == 0 &&
           chosen.st_dev == found.st_dev && chosen.st_ino == found.st_ino;
}

/// Calls read(count) with as many bytes as may still be given.
template <class Read>
ssize_t limited(int descriptor, std::size_t count, const Read& read) {
    if (!is_chosen(descriptor)) return read(count);
    const char* const after = std::getenv("WALE_FAULT_AFTER");
    const ssize_t left = (after != nullptr ? std::stol(after) : 0) - given;
    if (left <= 0) {
        errno = EIO;
        return -1;
    }
    const ssize_t got = read(std::min(count, static_cast<std::size_t>(left)));
    given += std::max<ssize_t>(got, 0);
    return got;
}

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" ssize_t read(int descriptor, void* to, std::size_t count) {
    static const auto system = next<ssize_t(int, void*, std::size_t)>("read");
    return limited(descriptor, count, [&](std::size_t n) { return system(descriptor, to, n); });
}

extern "C" ssize_t pread(int descriptor, void* to, std::size_t count, off_t at) {
    static const auto system = next<ssize_t(int, void*, std::size_t, off_t)>("pread");
    return limited(descriptor, count, [&](std::size_t n) { return system(descriptor, to, n, at); });
}

extern "C" ssize_t pread64(int descriptor, void* to, std::size_t count, off_t at) {
    return pread(descriptor, to, count, at);
}
