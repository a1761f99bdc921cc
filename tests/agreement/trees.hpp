// trees - parents of many forms for the tests of contraction, and one solve that knows its own error.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>
#include <wale/buffer.hpp>
#include <wale/hines.hpp>

#include "unit/random_trees.hpp"

namespace wale::agreement {

/// A path with a leaf at each node, all leaves behind the path, the last node's first, which leaves half of
/// the nodes open.
inline trees::parents comb_backwards(std::int32_t n) {
    trees::parents p(static_cast<std::size_t>(n));
    for (std::int32_t i = 0; i < n; ++i)
        p[static_cast<std::size_t>(i)] = i < (n + 1) / 2 ? i - 1 : std::max(0, n - 1 - i);
    p[0] = -1;
    return p;
}

/// A system whose columns are dominated by their diagonals, on the host.
template <class T>
struct tree_system {
    std::vector<T> upper, lower, diagonal, rhs;
    explicit tree_system(const trees::parents& p, unsigned seed = 1)
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
