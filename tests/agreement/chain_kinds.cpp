// chain_kinds - the matrices.
#include "agreement/chain_kinds.hpp"

namespace wale::agreement {
namespace {

/// Dorr 1971: a singularly perturbed boundary layer; row dominant, very ill-conditioned.
bands_of_test dorr(index_t n) {
    bands_of_test m{random_values(n, 1), random_values(n, 2), random_values(n, 3)};
    const double h = 1 / static_cast<double>(n + 1), term = 1e-4 / (h * h);
    for (index_t i = 1; i <= n; ++i) {
        const auto k = static_cast<std::size_t>(i - 1);
        const double slope = (0.5 - static_cast<double>(i) * h) / h;
        const bool before = i <= (n + 1) / 2;
        m.lower[k] = before ? -term : -term + slope;
        m.upper[k] = before ? -term - slope : -term;
        m.diagonal[k] = -(m.lower[k] + m.upper[k]);
    }
    m.lower.front() = m.upper.back() = std::nan("");
    return m;
}

}  // namespace

kind rows_kind(const char* name, const each_row& set) {
    return {name, [set](index_t n) {
                const auto size = static_cast<std::size_t>(n);
                bands_of_test m{random_values(n, 1), random_values(n, 2), random_values(n, 3)};
                for (std::size_t i = 0; i < size; ++i)
                    set(static_cast<index_t>(i), m.lower[i], m.diagonal[i], m.upper[i]);
                m.lower.front() = m.upper.back() = std::nan("");
                return m;
            }};
}
kind toeplitz(const char* name, double lower, double diagonal, double upper) {
    return rows_kind(name, [=](index_t, double& l, double& d, double& u) {
        l = lower;
        d = diagonal;
        u = upper;
    });
}
std::vector<kind> kinds() {
    return {
        rows_kind("random", [](index_t, double&, double&, double&) {}),
        rows_kind("heavy diagonal", [](index_t, double&, double& d, double&) { d = 1e8; }),
        rows_kind("light diagonal", [](index_t, double&, double& d, double&) { d *= 1e-8; }),
        rows_kind("zero diagonal",
                  [](index_t, double& l, double& d, double& u) {
                      d = 0;
                      l = l < 0 ? -1 : 1;
                      u = u < 0 ? -1 : 1;
                  }),
        rows_kind("half of the diagonal zero",
                  [](index_t i, double& l, double& d, double& u) {
                      if (i % 2 == 0) d = 0;
                      l += l < 0 ? -1 : 1;
                      u += u < 0 ? -1 : 1;
                  }),
        rows_kind("heavy below", [](index_t, double& l, double&, double&) { l *= 100; }),
        rows_kind("rows of every size",
                  [](index_t i, double& l, double& d, double& u) {
                      const double s = std::ldexp(1.0, static_cast<int>(i * 37 % 41) - 20);
                      l *= s;
                      d *= s;
                      u *= s;
                  }),
        rows_kind("cut in two", [](index_t i, double& l, double&, double&) { l = i % 64 == 0 ? 1e-200 : l; }),
        rows_kind("Lesp",
                  [](index_t i, double& l, double& d, double& u) {
                      const auto k = static_cast<double>(i);
                      l = 1 / (k + 1);
                      d = -(2 * k + 5);
                      u = k + 2;
                  }),
        {"Dorr", dorr},
        toeplitz("Toeplitz 1 4 1", 1, 4, 1),
        toeplitz("Toeplitz -1 2 -1", -1, 2, -1),
        toeplitz("Toeplitz 1 1e-8 1", 1, 1e-8, 1),
        toeplitz("Toeplitz nearly singular", 1, 1 + 1e-9, 1),
        toeplitz("Toeplitz -1 0.2 1", -1, 0.2, 1),
    };
}

std::vector<kind> singular_kinds() {
    return {rows_kind("0 everywhere", [](index_t, double& l, double& d, double& u) { l = d = u = 0; }),
            toeplitz("1 0 1", 1, 0, 1),  // where n is odd
            rows_kind("a column of 0",
                      [](index_t i, double& l, double& d, double& u) {
                          l = i == 4 ? 0 : 1;
                          d = i == 3 ? 0 : 4;
                          u = i == 2 ? 0 : i == 1 ? 4 : 0;
                      }),
            rows_kind("a row of 0",
                      [](index_t i, double& l, double& d, double& u) {
                          d = i == 2 ? 0 : 2;
                          l = u = i == 2 ? 0 : i < 2 ? 0 : 2;
                          if (i > 2) u = 0;
                      }),
            rows_kind("two equal rows",
                      [](index_t i, double& l, double& d, double& u) {
                          l = i == 3 ? 1 : 0;
                          d = 1;
                          u = i == 2 ? 1 : 0;
                      }),
            rows_kind("not a number", [](index_t i, double& l, double& d, double& u) {
                l = u = -1;
                d = i == 3 ? std::nan("") : 4;
            })};
}

}  // namespace wale::agreement
