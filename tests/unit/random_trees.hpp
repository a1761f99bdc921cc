// random_trees - parents of trees of many kinds, and well-behaved numbers on them, the same on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace wale::trees {

/// A stream of numbers from a seed.
class stream {
public:
    explicit stream(std::uint64_t seed) : state_(seed) {}
    /// In [0, 1).
    double next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
    }
    /// In [0, n).
    std::int32_t below(std::int32_t n) { return static_cast<std::int32_t>(next() * n); }

private:
    std::uint64_t state_;
};

using parents = std::vector<std::int32_t>;

/// Depth first, as a morphology: long branches; each node starts another with chance `branching`.
inline parents neuron(std::int32_t n, double branching, std::uint64_t seed) {
    stream s(seed);
    parents p(static_cast<std::size_t>(n), -1);
    std::vector<std::int32_t> open;
    std::int32_t last = 0;
    for (std::int32_t i = 1; i < n; ++i) {
        p[static_cast<std::size_t>(i)] = last;
        last = i;
        const double chance = s.next();
        if (chance < branching) {
            open.push_back(i);
        } else if (chance < 2 * branching && !open.empty()) {
            last = open.back();
            open.pop_back();
        }
    }
    return p;
}
inline parents path(std::int32_t n) {
    parents p(static_cast<std::size_t>(n));
    std::iota(p.begin(), p.end(), -1);
    return p;
}
inline parents star(std::int32_t n) {
    parents p(static_cast<std::size_t>(n), 0);
    if (n > 0) p[0] = -1;
    return p;
}
/// A spine with a tooth at each of its nodes.
inline parents comb(std::int32_t n) {
    parents p(static_cast<std::size_t>(n), -1);
    for (std::int32_t i = 1; i < n; ++i) p[static_cast<std::size_t>(i)] = i % 2 == 1 ? i - 1 : i - 2;
    return p;
}
/// The same with all teeth behind the spine, the last node's first, which leaves half of the nodes open.
inline parents comb_backwards(std::int32_t n) {
    parents p(static_cast<std::size_t>(n), -1);
    for (std::int32_t i = 1; i < n; ++i)
        p[static_cast<std::size_t>(i)] = i < (n + 1) / 2 ? i - 1 : std::max(0, n - 1 - i);
    return p;
}
inline parents binary(std::int32_t n) {
    parents p(static_cast<std::size_t>(n), -1);
    for (std::int32_t i = 1; i < n; ++i) p[static_cast<std::size_t>(i)] = (i - 1) / 2;
    return p;
}
/// Every node under any of the `reach` before it.
inline parents any(std::int32_t n, std::uint64_t seed, std::int32_t reach = std::numeric_limits<int>::max()) {
    stream s(seed);
    parents p(static_cast<std::size_t>(n), -1);
    for (std::int32_t i = 1; i < n; ++i) p[static_cast<std::size_t>(i)] = i - 1 - s.below(std::min(i, reach));
    return p;
}
/// The same tree with its nodes renumbered at random.
inline parents shuffled(const parents& p, std::uint64_t seed) {
    stream s(seed);
    std::vector<std::int32_t> to(p.size());
    std::iota(to.begin(), to.end(), 0);
    for (std::size_t i = to.size(); i > 1; --i)
        std::swap(to[i - 1], to[static_cast<std::size_t>(s.below(static_cast<std::int32_t>(i)))]);
    parents q(p.size());
    for (std::size_t i = 0; i < p.size(); ++i)
        q[static_cast<std::size_t>(to[i])] = p[i] < 0 ? -1 : to[static_cast<std::size_t>(p[i])];
    return q;
}
/// Trees one after the other.
inline void append(parents& forest, const parents& tree) {
    const auto base = static_cast<std::int32_t>(forest.size());
    for (const std::int32_t q : tree) forest.push_back(q < 0 ? -1 : q + base);
}

struct named {
    std::string name;
    parents parent;
};
/// One of every kind.
inline std::vector<named> every_kind(std::int32_t n) {
    const auto seed = static_cast<std::uint64_t>(n);
    return {{"path", path(n)},
            {"star", star(n)},
            {"comb", comb(n)},
            {"comb, teeth last", comb_backwards(n)},
            {"binary", binary(n)},
            {"any", any(n, seed)},
            {"neuron", neuron(n, 0.08, seed)},
            {"shuffled neuron", shuffled(neuron(n, 0.08, seed), seed + 1)},
            {"shuffled path", shuffled(path(n), seed + 2)}};
}

/// One system: dominant diagonal, unsymmetric couplings of both signs. Couplings of roots are NaN.
struct system {
    std::vector<double> diagonal, upper, lower, rhs;
    system(const parents& p, std::uint64_t seed) : diagonal(p.size(), 0.5), upper(p.size()), lower(p.size()) {
        stream s(seed);
        for (std::size_t i = 0; i < p.size(); ++i) {
            rhs.push_back(2 * s.next() - 1);
            upper[i] = -1 + 1.8 * s.next();
            lower[i] = -1 + 1.7 * s.next();
            if (p[i] < 0) {
                upper[i] = lower[i] = std::numeric_limits<double>::quiet_NaN();
                continue;
            }
            const double most = std::max(std::abs(upper[i]), std::abs(lower[i]));
            diagonal[i] += most;
            diagonal[static_cast<std::size_t>(p[i])] += most;
        }
    }
};

/// Hines's two loops in long double.
inline std::vector<double> solution_of(const parents& p, const std::vector<std::int32_t>& order,
                                       const system& a) {
    std::vector<long double> d(a.diagonal.begin(), a.diagonal.end()), b(a.rhs.begin(), a.rhs.end());
    for (std::size_t k = order.size(); k-- > 0;) {
        const auto i = static_cast<std::size_t>(order[k]);
        if (p[i] < 0) continue;
        const auto q = static_cast<std::size_t>(p[i]);
        const long double factor = a.upper[i] / d[i];
        d[q] -= factor * a.lower[i];
        b[q] -= factor * b[i];
    }
    std::vector<double> x(p.size());
    for (const std::int32_t node : order) {
        const auto i = static_cast<std::size_t>(node);
        if (p[i] >= 0) b[i] -= a.lower[i] * b[static_cast<std::size_t>(p[i])];
        b[i] /= d[i];
        x[i] = static_cast<double>(b[i]);
    }
    return x;
}

}  // namespace wale::trees
