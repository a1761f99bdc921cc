// timing - what the programs that time Wale beside a peer share: clocks, the median, turns,
// numbers to work on.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
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

/// Seconds of the process on all its processors.
inline double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct taken {
    double seconds, processor;
};
/// Median seconds and least processor seconds of each of `ways`, which take turns after a round that warms
/// up.
inline std::vector<taken> in_turn(const std::vector<std::function<void()>>& ways, double seconds = 2) {
    std::vector<std::vector<double>> wall(ways.size()), processor(ways.size());
    double spent = 0;
    for (int round = 0; round < 40 && (round < 6 || spent < seconds); ++round)
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const double start = now(), processor_start = processor_seconds();
            ways[i]();
            const double took = now() - start;
            spent += took;
            if (round == 0) continue;
            wall[i].push_back(took);
            processor[i].push_back(processor_seconds() - processor_start);
        }
    std::vector<taken> medians;
    for (std::size_t i = 0; i < ways.size(); ++i)
        medians.push_back({median(wall[i]), *std::ranges::min_element(processor[i])});
    return medians;
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
