// trees - parents of many forms for the tests of contraction, and one solve that knows its own error.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>
#include <wale/buffer.hpp>
#include <wale/hines.hpp>

namespace wale::agreement {

using parents_of = std::vector<std::int32_t>;

inline parents_of path_of(std::int32_t n) {
    parents_of p(static_cast<std::size_t>(n));
    std::iota(p.begin(), p.end(), -1);
    return p;
}
inline parents_of star_of(std::int32_t n) {
    parents_of p(static_cast<std::size_t>(n), 0);
    p[0] = -1;
    return p;
}
inline parents_of binary_of(std::int32_t n) {
    parents_of p(static_cast<std::size_t>(n));
    for (std::int32_t i = 0; i < n; ++i) p[static_cast<std::size_t>(i)] = (i + 1) / 2 - 1;
    return p;
}
/// A path with a leaf at each node: each leaf beside its node, or all behind the path, the last node's first,
/// which leaves half of the nodes open.
inline parents_of comb_of(std::int32_t n, bool leaves_last) {
    parents_of p(static_cast<std::size_t>(n));
    for (std::int32_t i = 0; i < n; ++i) {
        const std::int32_t spine = (n + 1) / 2;
        std::int32_t& mine = p[static_cast<std::size_t>(i)];
        mine = leaves_last ? (i < spine ? i - 1 : std::max(0, n - 1 - i)) : i % 2 != 0 ? i - 1 : i - 2;
    }
    p[0] = -1;
    return p;
}
/// Depth first, a fork every `between` nodes on average.
inline parents_of neuron_of(std::int32_t n, unsigned between, unsigned seed) {
    std::mt19937 engine(seed);
    parents_of p(static_cast<std::size_t>(n), -1);
    std::vector<std::int32_t> open;
    for (std::int32_t i = 1; i < n; ++i) {
        const bool ends = engine() % between == 0 && !open.empty();
        p[static_cast<std::size_t>(i)] = ends ? open.back() : i - 1;
        if (ends) open.pop_back();
        if (engine() % between == 0) open.push_back(i);
    }
    return p;
}
/// The parent of every node is any of the `reach` nodes before it.
inline parents_of random_of(std::int32_t n, std::int32_t reach, unsigned seed) {
    std::mt19937 engine(seed);
    parents_of p(static_cast<std::size_t>(n), -1);
    for (std::int32_t i = 1; i < n; ++i)
        p[static_cast<std::size_t>(i)] =
            i - 1 - static_cast<std::int32_t>(engine() % static_cast<unsigned>(std::min(i, reach)));
    return p;
}
inline parents_of shuffled_of(const parents_of& from, unsigned seed) {
    parents_of place(from.size()), to(from.size());
    std::iota(place.begin(), place.end(), 0);
    std::shuffle(place.begin(), place.end(), std::mt19937(seed));
    for (std::size_t i = 0; i < from.size(); ++i)
        to[static_cast<std::size_t>(place[i])] = from[i] < 0 ? -1 : place[static_cast<std::size_t>(from[i])];
    return to;
}

/// A system whose columns are dominated by their diagonals, on the host.
template <class T>
struct tree_system {
    std::vector<T> upper, lower, diagonal, rhs;
    explicit tree_system(const parents_of& p, unsigned seed = 1)
        : upper(p.size()), lower(p.size()), diagonal(p.size()), rhs(p.size()) {
        std::mt19937 engine(seed);
        const auto uniform = [&] { return static_cast<T>(engine() % 20001u) / T(10000) - T(1); };
        for (std::size_t i = 0; i < p.size(); ++i) {
            upper[i] = uniform();
            lower[i] = uniform();
            rhs[i] = uniform();
            diagonal[i] = T(1.5) + std::fabs(lower[i]) + uniform() / 4;
        }
        for (std::size_t i = 0; i < p.size(); ++i) {
            if (p[i] >= 0) {
                diagonal[static_cast<std::size_t>(p[i])] += std::fabs(upper[i]);
            } else {
                upper[i] = lower[i] = std::numeric_limits<T>::quiet_NaN();  // no variant uses them
            }
        }
        for (std::size_t i = 0; i < p.size(); i += 3) diagonal[i] = -diagonal[i];
    }
    [[nodiscard]] vector_shape shape() const {
        return vector_shape::flat(sizeof(T) == 4 ? scalar::f32 : scalar::f64,
                                  static_cast<index_t>(upper.size()));
    }
};

template <class T>
struct tree_answer {
    std::vector<T> solution;
    double residual = 0;
    hines_result result;
};

/// Solves on `where`; the residual is asked of plain loops on the host.
template <class T>
tree_answer<T> solve_on(const execution& where, const std::string& variant, const hines_plan& plan,
                        const tree_system<T>& s) {
    const auto there = [&](const std::vector<T>& v) { return to_device(where, std::span<const T>(v)); };
    const auto u = there(s.upper), l = there(s.lower), d = there(s.diagonal), b = there(s.rhs);
    const vector_shape shape = s.shape();
    tree_answer<T> a;
    a.result = hines_solve(where, plan, {d.data(), shape}, {u.data(), shape}, {l.data(), shape},
                           vectors(b.data(), shape), {.variant = variant});
    a.solution.resize(s.rhs.size());
    copy_bytes(where, a.solution.data(), b.data(), static_cast<index_t>(s.rhs.size() * sizeof(T)));
    a.residual = hines_residual(on_cpu{}, plan, {s.diagonal.data(), shape}, {s.upper.data(), shape},
                                {s.lower.data(), shape}, {s.rhs.data(), shape}, {a.solution.data(), shape});
    return a;
}

}  // namespace wale::agreement
