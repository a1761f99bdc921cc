// timing - what the programs that time Wale beside a peer share: a clock, the median, numbers to work on.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace wale::bench {

/// Seconds of a steady clock.
inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double median(std::vector<double> seconds) {
    std::nth_element(seconds.begin(), seconds.begin() + std::ssize(seconds) / 2, seconds.end());
    return seconds[seconds.size() / 2];
}

/// `size` numbers in [-1, 1), the same in every run: xorshift (Marsaglia 2003).
template <class T>
std::vector<T> random_numbers(std::int64_t size) {
    std::vector<T> a(static_cast<std::size_t>(size));
    std::uint64_t state = 88172645463325252u;
    for (T& x : a) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        x = static_cast<T>(static_cast<double>(state >> 11) * 0x1p-52 - 1);
    }
    return a;
}

}  // namespace wale::bench
