// random - numbers that are the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace wale::meshes {

class random_source {
public:
    explicit random_source(std::uint64_t seed) : engine_(seed) {}

    /// In [0, 1).
    double uniform() { return std::ldexp(static_cast<double>(engine_() >> 11), -53); }

    /// In [0, n), n < 2^32: each equally likely but for n / 2^32.
    std::uint64_t below(std::uint64_t n) { return ((engine_() >> 32) * n) >> 32; }

    template <class T>
    void shuffle(std::vector<T>& all) {
        for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[below(i)]);
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace wale::meshes
