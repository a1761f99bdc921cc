// tree_rings_test - every row and every factorisation that pivots, on periodic matrices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/tridiagonal.hpp>

#include "agreement/chain_kinds.hpp"
#include "agreement/chains.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale::agreement {
namespace {

/// Rings that a chain cut open does not stand for: the chain, or one of the leading parts of it, is singular
/// or nearly so, or its solutions grow from end to end.
std::vector<kind> ring_kinds() {
    std::vector<kind> all = kinds();
    all.push_back(toeplitz("ring 1 0 1", 1, 0, 1));  // singular where n is a multiple of 4
    all.push_back(rows_kind("ring 1 0 1, tiny first", [](index_t i, double& l, double& d, double& u) {
        l = u = 1;
        d = i == 0 ? 1e-8 : 0;
    }));
    all.push_back(rows_kind("ring 1 0 1, tiny last", [](index_t i, double& l, double& d, double& u) {
        l = u = 1;
        d = i == 0 ? 0 : std::ldexp(1.0, -20 - static_cast<int>(i % 30));
    }));
    all.push_back(toeplitz("ring 1 1e-300 2", 1, 1e-300, 2));
    all.push_back(toeplitz("ring 1 2.5 1", 1, 2.5, 1));
    all.push_back(toeplitz("ring 1 1 1", 1, 1, 1));
    all.push_back(rows_kind("graded ring", [](index_t i, double& l, double& d, double& u) {
        const double s = std::pow(10.0, -static_cast<double>(i % 25));
        l *= s;
        u *= s;
        d *= s * s;
    }));
    all.push_back(rows_kind("shooting ring", [](index_t i, double& l, double& d, double& u) {
        l = -1.0 / 6;  // x[i + 1] = x[i] / 6 + ... and 6 x[i - 1]: solutions grow both ways
        d = i % 2 == 0 ? 1 : 1e-3;
        u = -1.0 / 6;
    }));
    return all;
}

/// Systems of one kind and size, and what is expected of their solutions.
struct ring_batch {
    index_t size, count = 5;
    bands_of_test rows;
    std::vector<double> right;
    ring_batch(const kind& k, index_t n) : size(n) {
        for (index_t s = 0; s < count; ++s) {
            bands_of_test m = k.make(n);
            const std::vector<double> corners = random_values(2, 11 + static_cast<unsigned>(s));
            m.lower.front() = n > 1 && std::isfinite(m.lower[1]) ? m.lower[1] : corners[0];
            m.upper.back() = n > 1 && std::isfinite(m.upper[0]) ? m.upper[0] : corners[1];
            if (s > 0) m.lower.front() *= std::ldexp(corners[0], static_cast<int>(s));
            rows.lower.insert(rows.lower.end(), m.lower.begin(), m.lower.end());
            rows.diagonal.insert(rows.diagonal.end(), m.diagonal.begin(), m.diagonal.end());
            rows.upper.insert(rows.upper.end(), m.upper.begin(), m.upper.end());
            const std::vector<double> b = random_values(n, 31 + static_cast<unsigned>(s));
            right.insert(right.end(), b.begin(), b.end());
        }
    }
    /// By dense elimination in long double: no pivot is below 100 eps of the largest element. A ring that is
    /// not may have a pivot of 0.
    template <class T>
    [[nodiscard]] bool regular(index_t s) const {
        const auto n = static_cast<std::size_t>(size), first = static_cast<std::size_t>(s) * n;
        std::vector<std::vector<long double>> a(n, std::vector<long double>(n, 0));
        long double most = 0;
        for (std::size_t i = 0; i < n; ++i) {
            a[i][i] += static_cast<T>(rows.diagonal[first + i]);
            a[i][(i + n - 1) % n] += static_cast<T>(rows.lower[first + i]);
            a[i][(i + 1) % n] += static_cast<T>(rows.upper[first + i]);
        }
        for (const auto& row : a)
            for (const long double e : row) most = std::max(most, std::fabs(e));
        for (std::size_t k = 0; k < n; ++k) {
            std::size_t r = k;
            for (std::size_t i = k + 1; i < n; ++i)
                if (std::fabs(a[i][k]) > std::fabs(a[r][k])) r = i;
            std::swap(a[k], a[r]);
            if (!(std::fabs(a[k][k]) > 100 * std::numeric_limits<T>::epsilon() * most)) return false;
            for (std::size_t i = k + 1; i < n; ++i) {
                if (a[i][k] == 0) continue;
                const long double m = a[i][k] / a[k][k];
                for (std::size_t j = k; j < n; ++j) a[i][j] -= m * a[k][j];
            }
        }
        return true;
    }
};

/// Folded, an element of A meets at most 4 pivots. Each time a product and a difference are rounded that are
/// at most 7 times the largest element of A (Bohte 1975), and solving rounds as often: 2 x 4 x 2 x 7 = 112
/// roundings are the worst for an element of dA. Rows that are larger than others by powers of ten do not
/// reach that, nor do parallel forms, which choose a pivot of three or four rows too. Far below the verdict's
/// 1000.
constexpr double good_ring_ratio = 112;

/// A row of tridiagonal_solve, or of tridiagonal_factors.
struct ring_row : named_row {
    bool factors = false;
};
std::ostream& operator<<(std::ostream& out, const ring_row& r) {
    return out << (r.factors ? "factors by " : "") << r.name;
}

template <class T>
void expect_stable_rings(const ring_row& solver, const kind& k, const ring_batch& all,
                         const vector_shape& shape, bool transposed) {
    const auto stored = [&](const std::vector<double>& from) {
        std::vector<T> to(static_cast<std::size_t>(shape.span_elements()));
        for (index_t s = 0; s < all.count; ++s)
            for (index_t i = 0; i < all.size; ++i)
                to[static_cast<std::size_t>(shape.at(s, i))] =
                    static_cast<T>(from[static_cast<std::size_t>(s * all.size + i)]);
        return to;
    };
    const std::vector<T> lower = stored(all.rows.lower), diagonal = stored(all.rows.diagonal),
                         upper = stored(all.rows.upper), right = stored(all.right);
    const auto check = [&](const std::vector<T>& x, const std::string& row) {
        const tridiagonal_options periodic{.periodic = true, .transposed = transposed};
        for (index_t s = 0; s < all.count; ++s) {
            const auto one = vector_shape::flat(shape.type, all.size);
            const auto member = [&](const std::vector<T>& v) {
                std::vector<T> of(static_cast<std::size_t>(all.size));
                for (index_t i = 0; i < all.size; ++i)
                    of[static_cast<std::size_t>(i)] = v[static_cast<std::size_t>(shape.at(s, i))];
                return of;
            };
            const std::vector<T> l = member(lower), d = member(diagonal), u = member(upper),
                                 b = member(right), y = member(x);
            const bool finite = std::all_of(y.begin(), y.end(), [](T v) { return std::isfinite(v); });
            if (!finite && !all.regular<T>(s)) continue;
            const double error =
                tridiagonal_residual(on_reference{}, {l.data(), one}, {d.data(), one}, {u.data(), one},
                                     {b.data(), one}, {y.data(), one}, periodic);
            EXPECT_LE(error / (sizeof(T) == 4 ? 0x1p-24 : 0x1p-53), good_ring_ratio)
                << row << ", " << k.name << ", n " << all.size << ", system " << s
                << (transposed ? ", transposed" : "");
        }
    };
    const auto on = [](const execution& where, const std::vector<T>& v) {
        return to_device(where, std::span<const T>(v));
    };
    const auto fetched = [&](const execution& where, const buffer<T>& from) {
        std::vector<T> x(right.size());
        copy_bytes(where, x.data(), from.data(), from.size() * index_t{sizeof(T)});
        return x;
    };
    const execution where = execution_of(solver, 2);
    const buffer<T> l = on(where, lower), d = on(where, diagonal), u = on(where, upper), x = on(where, right);
    const const_vectors low{l.data(), shape}, middle{d.data(), shape}, up{u.data(), shape};
    const tridiagonal_options o{.variant = solver.name, .periodic = true, .transposed = transposed};
    try {
        if (solver.factors)
            (void)tridiagonal_factors(where, low, middle, up, o).solve(vectors{x.data(), shape}, o);
        else
            (void)tridiagonal_solve(where, low, middle, up, vectors{x.data(), shape}, o);
        check(fetched(where, x), solver.name);
    } catch (const unsupported_variant& e) {
        EXPECT_TRUE(!solver.factors && may_refuse(solver.name, {.matrix = shape, .rhs = shape, .options = o}))
            << e.what();
    }
}

std::vector<ring_row> every_row() {
    std::vector<ring_row> all;
    for (const named_row& row : rows_of(tree::chain_rows)) all.push_back({row, false});
    for (const named_row& row : rows_of(tree::chain_factor_rows)) all.push_back({row, true});
    return all;
}

class TreeRings : public row_test_of<ring_row> {};

TEST_P(TreeRings, EveryRing) {
    for (const kind& k : ring_kinds())
        for (const index_t n : {1, 2, 3, 4, 6, 17, 64, 100, 257}) {
            const ring_batch all(k, n);
            const vector_shape flat = vector_shape::flat(scalar::f64, n, all.count);
            for (const bool transposed : {false, true}) {
                expect_stable_rings<float>(GetParam(), k, all, vector_shape::flat(scalar::f32, n, all.count),
                                           transposed);
                expect_stable_rings<double>(GetParam(), k, all, flat, transposed);
                expect_stable_rings<double>(GetParam(), k, all,
                                            vector_shape::interleaved(scalar::f64, n, all.count), transposed);
            }
        }
}

TEST_P(TreeRings, LargeRings) {
    for (const kind& k : ring_kinds()) {
        const ring_batch all(k, 1000);
        expect_stable_rings<double>(GetParam(), k, all, vector_shape::flat(scalar::f64, 1000, all.count),
                                    false);
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, TreeRings, testing::ValuesIn(every_row()), test_name);

}  // namespace
}  // namespace wale::agreement
