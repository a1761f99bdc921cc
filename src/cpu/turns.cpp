#include "cpu/turns.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>

namespace wale::cpu {
namespace {

using clock = std::chrono::steady_clock;

/// Of this thread: when it looks how many threads run, and when it had no work last.
thread_local clock::time_point looks, ended;

long processors() {
    static const long all = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
    return all;
}

/// Less than what Linux lets a thread run beside another one: 0.7 ms, twice that with 2 processors, three
/// times with 4, four times with 8 and more.
std::chrono::microseconds turn() {
    static const auto doublings = std::bit_width(static_cast<unsigned>(std::min(processors(), 8L)));
    return std::chrono::microseconds{500} * doublings;
}

/// Threads of the machine that run or could, beyond its processors; 0 where the system does not say. Takes
/// some microseconds.
int too_many() {
    const int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[128] = {};
    const auto size = read(file, text, sizeof text - 1);
    close(file);
    int running = 0;
    if (size <= 0 || std::sscanf(text, "%*f %*f %*f %d", &running) != 1) return 0;
    return static_cast<int>(std::max(0L, running - processors()));
}

}  // namespace

/// A thread that had work until now has used up that much of its time.
void turns::begin(int rank) const {
    if (size_ == 1) return;
    const auto now = clock::now();
    if (rank == 0 || now - ended > turn()) looks = now + turn();
}

void turns::end() const {
    if (size_ > 1) ended = clock::now();
}

bool turns::ends(int rank) {
    const auto now = clock::now();
    if (now < looks) return false;
    if (rank == 0) {
        if (now < looks + turn() * 3 / 2 || resting_.load(std::memory_order_relaxed) == 0) return false;
        over_.store(true, std::memory_order_relaxed);
        return true;
    }
    looks = now + turn();
    if (size_ - rank > too_many()) return false;
    resting_.fetch_add(1, std::memory_order_relaxed);
    return true;
}

}  // namespace wale::cpu
