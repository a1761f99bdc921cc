// atlas_cells - what the cells of atlas_cuda have in common: numbers at random, a line of the CSV, times of
// calls in turn, the comparison of two answers on the device.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>
#include <wale/wale.hpp>

#include "timing.hpp"

namespace wale::bench {

struct dice {
    std::mt19937_64 random;
    double number() { return std::uniform_real_distribution<>(0, 1)(random); }
    bool coin() { return random() % 2 == 0; }
    /// Each power of two as likely as the next.
    index_t size(index_t least, index_t most) {
        const auto low = static_cast<double>(least), high = static_cast<double>(std::max(least, most));
        return std::min(most, static_cast<index_t>(low * std::pow((high + 1) / low, number())));
    }
};

struct line {
    std::string operation, type, shape, variant, peer;
    double seconds, theirs;
    bool right;
    [[nodiscard]] double ratio() const { return theirs / seconds; }
};

inline void wait() {
    if (cudaDeviceSynchronize() != cudaSuccess) throw error(cudaGetErrorString(cudaGetLastError()));
}

/// The lower quartile of each call's times, in turn, `prepare` left out; the first round warms up. The first
/// call is ours, which returns when its work is done; the peers' calls are waited for.
inline std::vector<double> in_turn(const std::function<void()>& prepare,
                                   const std::vector<std::function<void()>>& calls) {
    constexpr int rounds = 9;
    std::vector<std::vector<double>> times(calls.size());
    for (int round = 0; round <= rounds; ++round)
        for (std::size_t i = 0; i < calls.size(); ++i) {
            prepare();
            wait();
            const double start = now();
            calls[i]();
            if (i > 0) wait();
            if (round > 0) times[i].push_back(now() - start);
        }
    std::vector<double> out;
    for (std::vector<double>& t : times) {
        std::sort(t.begin(), t.end());
        out.push_back(t[t.size() / 4]);
    }
    return out;
}

template <class T>
using real_of = decltype(std::abs(T{}));

template <class T>
buffer<T> numbers(dice& draw, index_t count) {
    using R = real_of<T>;
    constexpr std::size_t parts = sizeof(T) / sizeof(R);
    std::vector<T> out(static_cast<std::size_t>(count));
    auto* const part = reinterpret_cast<R*>(out.data());
    for (std::size_t i = 0; i < parts * out.size(); ++i)
        part[i] = static_cast<R>(static_cast<double>(draw.random() >> 11) * 0x1p-52 - 1);
    return to_device<T>(on_cuda{}, out);
}
template <class T>
void copy(const buffer<T>& from, const buffer<T>& to) {
    (void)cudaMemcpyAsync(to.data(), from.data(), static_cast<std::size_t>(from.size()) * sizeof(T),
                          cudaMemcpyDeviceToDevice);
}
/// Of well-conditioned systems: the largest difference over the largest number.
template <class T>
bool agree(const buffer<T>& x, const buffer<T>& y) {
    std::vector<T> a(static_cast<std::size_t>(x.size())), b(a.size());
    copy_bytes(on_cuda{}, a.data(), x.data(), x.size() * index_t{sizeof(T)});
    copy_bytes(on_cuda{}, b.data(), y.data(), y.size() * index_t{sizeof(T)});
    double difference = 0, largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!std::isfinite(std::abs(a[i]))) return false;
        difference = std::max(difference, static_cast<double>(std::abs(a[i] - b[i])));
        largest = std::max(largest, static_cast<double>(std::abs(b[i])));
    }
    return difference <= (sizeof(real_of<T>) == 4 ? 1e-3 : 1e-10) * largest;
}

/// Makes matrices well-conditioned, and their factors without pivoting small.

}  // namespace wale::bench
