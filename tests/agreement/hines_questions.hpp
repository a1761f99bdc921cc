// hines_questions - what the tests of hines_solve ask: trees and values, the answer of plain loops, the ratio
// that judges an answer, and what a row may refuse.
#pragma once

#include <numeric>

#include "agreement/stored_vectors.hpp"
#include "cuda/device_api.hpp"
#include "solvers/tree/hines/cpu/tuning.hpp"
#include "solvers/tree/hines/cuda/levels/tuning.hpp"
#include "solvers/tree/hines/cuda/register_partition/tuning.hpp"
#include "solvers/tree/hines/shared/partition.hpp"
#include "solvers/tree/hines/shared/thread_tuning.hpp"
#include "solvers/tree/jobs.hpp"
#include "solvers/tree/topology.hpp"
#include "thinned.hpp"
#include "unit/random_trees.hpp"

namespace wale::agreement {

inline constexpr scalar types[] = {scalar::f32, scalar::f64};
using trees::parents;

/// Mostly unbranched.
inline parents neuron(index_t n, std::uint64_t seed) {
    return trees::neuron(static_cast<std::int32_t>(n), 0.07, seed);
}

struct hines_question {
    std::string what;
    parents tree;
    vector_shape shape;
    unsigned seed = 1;
    bool symmetric = false, transposed = false, eliminated = false, in_place = true, asynchronous = false;
};

struct hines_answer {
    values diagonal, upper, lower, rhs, solution, eliminated;
    std::vector<std::byte> bits;
    std::vector<std::int64_t> status;
    bool inputs_untouched = false, gaps_untouched = false;
    hines_result result;
};

/// Dominant: the diagonal outweighs the node's own couplings and those of its children.
inline values heavy_diagonal(const hines_question& q, const values& upper, const values& lower) {
    values all;
    for (std::size_t v = 0; v < upper.size(); ++v) {
        std::vector<double> d = random_values(q.shape.size, q.seed * 31 + static_cast<unsigned>(v));
        for (double& e : d) e = 1 + std::fabs(e);
        for (std::size_t i = 0; i < d.size(); ++i) {
            if (q.tree[i] < 0) continue;
            d[i] += std::fabs(lower[v][i]);
            d[static_cast<std::size_t>(q.tree[i])] += std::fabs(upper[v][i]);
        }
        for (std::size_t i = 0; i < d.size(); ++i)
            if (i % 5 == 3) d[i] = -d[i];
        all.push_back(d);
    }
    return all;
}

inline values random_vectors(const vector_shape& s, unsigned seed) {
    values all;
    for (index_t v = 0; v < s.count; ++v)
        all.push_back(random_values(s.size, seed + 13 * static_cast<unsigned>(v)));
    return all;
}

inline std::optional<hines_answer> ask_hines(const execution& where, const std::string& variant,
                                             const hines_plan& plan, const hines_question& q,
                                             std::string* refusal) {
    values upper = random_vectors(q.shape, q.seed),
           lower = q.symmetric ? upper : random_vectors(q.shape, q.seed + 7);
    values used_upper = q.transposed ? lower : upper, used_lower = q.transposed ? upper : lower;
    const values diagonal = heavy_diagonal(q, used_upper, used_lower),
                 rhs = random_vectors(q.shape, q.seed + 3);
    for (std::size_t i = 0; i < q.tree.size(); ++i)
        for (auto* all : {&upper, &lower})
            for (auto& v : *all)
                if (q.tree[i] < 0) v[i] = std::nan("");  // no row may read these
    const stored_vectors d(where, q.shape, diagonal), u(where, q.shape, upper), l(where, q.shape, lower),
        b(where, q.shape, rhs), x(where, q.shape, rhs), e(where, q.shape, rhs);
    const std::vector<std::int64_t> none(static_cast<std::size_t>(q.shape.count), -7);
    buffer<std::int64_t> status = to_device(where, std::span<const std::int64_t>(none));
    hines_options o{.variant = variant,
                    .transposed = q.transposed,
                    .asynchronous = q.asynchronous,
                    .status = status.data()};
    if (q.eliminated) o.eliminated = e.view();
    const const_vectors below = q.symmetric ? u.const_view() : l.const_view();
    hines_answer a;
    try {
        a.result = q.in_place ? hines_solve(where, plan, d.const_view(), u.const_view(), below, x.view(), o)
                              : hines_solve(where, plan, d.const_view(), u.const_view(), below,
                                            b.const_view(), x.view(), o);
    } catch (const unsupported_variant& why) {
        *refusal = why.what();
        return std::nullopt;
    }
    a.diagonal = d.given();
    a.upper = q.transposed ? l.given() : u.given();
    a.lower = q.transposed ? u.given() : l.given();
    a.rhs = b.given();
    a.bits = x.bits();
    a.solution = x.now();
    if (q.eliminated) a.eliminated = e.now();
    a.status.resize(none.size());
    copy_bytes(where, a.status.data(), status.data(), q.shape.count * index_t{sizeof(std::int64_t)});
    a.inputs_untouched = d.untouched() && u.untouched() && l.untouched() && b.untouched();
    a.gaps_untouched = x.gaps_untouched() && e.gaps_untouched();
    return a;
}

/// |b - A x| / (eps (|A| |x| + |b|)) in the maximum norm, in long double, the largest of all vectors.
inline double hines_ratio(const hines_question& q, const hines_answer& a) {
    long double most = 0;
    const std::size_t n = q.tree.size();
    for (std::size_t v = 0; v < a.rhs.size(); ++v) {
        std::vector<long double> sum(n), row(n);
        for (std::size_t i = 0; i < n; ++i) {
            const auto add = [&](std::size_t to, double value, std::size_t unknown) {
                sum[to] += static_cast<long double>(value) * a.solution[v][unknown];
                row[to] += std::fabs(static_cast<long double>(value));
            };
            add(i, a.diagonal[v][i], i);
            if (q.tree[i] < 0) continue;
            add(i, a.lower[v][i], static_cast<std::size_t>(q.tree[i]));
            add(static_cast<std::size_t>(q.tree[i]), a.upper[v][i], i);
        }
        long double matrix = 0, unknown = 0, right = 0, difference = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (!std::isfinite(a.solution[v][i])) return std::numeric_limits<double>::infinity();
            matrix = std::max(matrix, row[i]);
            unknown = std::max(unknown, std::fabs(static_cast<long double>(a.solution[v][i])));
            right = std::max(right, std::fabs(static_cast<long double>(a.rhs[v][i])));
            difference = std::max(difference, std::fabs(a.rhs[v][i] - sum[i]));
        }
        if (difference > 0) most = std::max(most, difference / (matrix * unknown + right));
    }
    return static_cast<double>(most) / (q.shape.type == scalar::f32 ? 0x1p-24 : 0x1p-53);
}

constexpr double good_ratio = 30;

inline vector_shape shape_of(int k, scalar type, index_t nodes, index_t count) {
    vector_shape s;
    switch (k) {
        case 0:
            return vector_shape::flat(type, nodes, count);
        case 1:
            return vector_shape::interleaved(type, nodes, count);
        case 2:
            return vector_shape::block_interleaved(type, nodes, count, 32);
        case 3:
            return vector_shape::unified(type, nodes, count);
        case 4:
            s = vector_shape::flat(type, nodes, count);
            s.stride += 3;
            return s;
        case 5:
            s = vector_shape::interleaved(type, nodes, count);
            s.stride += 2;
            return s;
        default:
            return vector_shape::block_interleaved(type, nodes, count, 6);
    }
}

/// Whether the row declares that it cannot do this: every other refusal is a failure.
inline bool may_refuse(const std::string& row, const hines_question& q) {
    if (row == "cpu/contraction" || row == "cuda/contraction") return q.eliminated;
    if (row != "cuda/register_partition") return false;
    using tree::register_partition::policies;
    const std::size_t forced =
        tuning::overridden("tree/hines/register_partition", std::size(policies), std::size(policies));
    const tree::forms forms{tree::topology(q.tree, true)};
    const bool fits = std::ranges::all_of(forms.all, [&](const tree::form& f) {
        for (std::size_t k = 0; k < std::size(policies); ++k) {
            const auto& p = policies[k].policy;
            if ((forced == std::size(policies) || forced == k) && f.size() <= p.pitch - p.spare &&
                tree::partition::fits(f, {p.lanes, p.rows}))
                return true;
        }
        return false;
    });
    return q.shape.layout != vector_layout::flat || q.eliminated || !fits ||
           cuda::require().describe(0).sm < 90;
}

/// expect_right: false if the row refuses, which is a failure unless it may.
class hines_expectations {
public:
    explicit hines_expectations(const named_row& row) : row_(row) {}
    bool expect_right(const hines_question& q, bool forest = false) const {
        if (!asked_here()) return true;
        std::optional<std::vector<std::byte>> bits;
        const hines_plan plan{std::span<const std::int32_t>(q.tree), {.forest = forest}};
        for (const int threads : {1, 3}) {
            if (threads > 1 && row_.where != backend::cpu) break;
            std::string why;
            const auto found = ask_hines(execution_of(row_, threads), variant_of(row_), plan, q, &why);
            if (!found) {
                EXPECT_TRUE(may_refuse(row_.name, q)) << row_.name << ", " << q.what << ": " << why;
                EXPECT_TRUE(why.starts_with(row_.name + ": ")) << why;
                return false;
            }
            const std::string what = q.what + " " + name_of(q.shape.type) + " layout " +
                                     std::to_string(static_cast<int>(q.shape.layout)) + " n " +
                                     std::to_string(q.shape.size) + " x " + std::to_string(q.shape.count) +
                                     ", " + std::to_string(threads) + " threads" +
                                     (q.symmetric ? " symmetric" : "") + (q.transposed ? " transposed" : "");
            EXPECT_TRUE(found->inputs_untouched) << what;
            EXPECT_TRUE(found->gaps_untouched) << what;
            EXPECT_LT(hines_ratio(q, *found), good_ratio) << what;
            EXPECT_EQ(found->result.first_bad_system, -1) << what;
            for (const std::int64_t s : found->status) EXPECT_EQ(s, -1) << what;
            // `automatic` may take another row for more threads.
            if (!bits || row_.name.ends_with("/automatic")) bits = found->bits;
            EXPECT_TRUE(*bits == found->bits) << "other bits: " << what;
            if (q.eliminated) expect_eliminated(q, *found, what);
        }
        return true;
    }

private:
    static void expect_eliminated(const hines_question& q, const hines_answer& a, const std::string& what) {
        const double eps = q.shape.type == scalar::f32 ? 0x1p-24 : 0x1p-53;
        for (std::size_t v = 0; v < a.rhs.size(); ++v) {
            std::vector<long double> d(a.diagonal[v].begin(), a.diagonal[v].end());
            const wale::hines_plan plan{std::span<const std::int32_t>(q.tree), {.forest = true}};
            // Leaves first: by distance from the root.
            std::vector<std::size_t> order(d.size());
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::vector<index_t> level(d.size(), 0);
            for (std::size_t i = 0; i < d.size(); ++i)
                for (std::int32_t p = q.tree[i]; p >= 0; p = q.tree[static_cast<std::size_t>(p)]) ++level[i];
            std::sort(order.begin(), order.end(),
                      [&](std::size_t i, std::size_t j) { return level[i] > level[j]; });
            for (const std::size_t i : order)
                if (q.tree[i] >= 0)
                    d[static_cast<std::size_t>(q.tree[i])] -=
                        static_cast<long double>(a.upper[v][i]) * a.lower[v][i] / d[i];
            for (std::size_t i = 0; i < d.size(); ++i)
                EXPECT_NEAR(a.eliminated[v][i], static_cast<double>(d[i]),
                            static_cast<double>(std::fabs(d[i])) * eps * 64)
                    << what << ", node " << i;
        }
    }
    named_row row_;
};

}  // namespace wale::agreement
