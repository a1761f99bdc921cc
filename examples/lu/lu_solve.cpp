// lu_solve - a system of linear equations: factor once, solve, and ask what the solution is worth.
#include <cmath>
#include <cstdio>
#include <vector>
#include <wale/wale.hpp>

int main() {
    // A chain of springs between two walls, pulled down at every node: a hanging curve. Row by row, as C has
    // it.
    constexpr wale::index_t n = 200;
    std::vector<double> stiffness(n * n), displacement(n, -1.0);  // the forces, then what they cause
    const wale::matrix_view<double> a(stiffness.data(), {n, n});
    for (wale::index_t i = 0; i < n; ++i) {
        a(i, i) = 2;
        if (i > 0) a(i, i - 1) = a(i - 1, i) = -1;
    }
    std::vector<std::int32_t> pivots(n);
    const wale::execution where = wale::on_cpu{};

    const wale::lu_result factored = wale::lu_factor(where, a, pivots.data(), {.condition = true});
    if (factored.singular > 0) return 1;
    const wale::matrix_view<double> x(displacement.data(), {n, 1});
    wale::lu_solve(where, wale::matrices(a), pivots.data(), x);

    // In closed form: x(i) = -(i + 1) (n - i) / 2.
    double error = 0;
    for (wale::index_t i = 0; i < n; ++i)
        error = std::fmax(error, std::fabs(x(i, 0) + 0.5 * static_cast<double>((i + 1) * (n - i))));
    std::printf("deepest node: %.6f, largest error %.1e\n", x(n / 2, 0), error);
    std::printf("reciprocal condition %.1e, factored by %s\n", factored.reciprocal_condition,
                factored.run.variant.c_str());

    // det A = n + 1.
    const wale::lu_determinant_result d = wale::lu_determinant(where, wale::matrices(a), pivots.data());
    std::printf("determinant: %.6f\n", d.sign * std::exp(d.log_magnitude));
    return error < 1e-7 && std::fabs(d.sign * std::exp(d.log_magnitude) - (n + 1)) < 1e-7 ? 0 : 1;
}
