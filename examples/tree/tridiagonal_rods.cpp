// tridiagonal_rods - heat in a thousand rods: one backward step in time, (1 + 2 r) x[i] - r (x[i-1] + x[i+1])
// = b[i], is a tridiagonal system for each rod. What flows in and out of nothing stays: the sum of a rod's
// heat.
#include <cmath>
#include <cstdio>
#include <vector>
#include <wale/wale.hpp>

int main() {
    constexpr wale::index_t rods = 1000, points = 64;
    constexpr double r = 0.3;
    std::vector<double> off(rods * points, -r), middle(rods * points, 1 + 2 * r), heat(rods * points, 0.0);
    for (std::size_t rod = 0; rod < rods; ++rod) {
        heat[rod * points + rod % points] = 1;                          // a hot spot, elsewhere in each rod
        middle[rod * points] = middle[(rod + 1) * points - 1] = 1 + r;  // insulated ends
    }
    const auto shape = wale::vector_shape::flat(wale::scalar::f64, points, rods);
    const wale::const_vectors a(off.data(), shape), d(middle.data(), shape);
    const auto result =
        wale::tridiagonal_solve(wale::on_cpu{}, a, d, a, wale::vectors(heat.data(), shape),
                                {.pivoting = wale::pivoting::none});  // the diagonal outweighs the rest
    double worst = 0;
    for (std::size_t rod = 0; rod < rods; ++rod) {
        double sum = 0;
        for (std::size_t i = 0; i < points; ++i) sum += heat[rod * points + i];
        worst = std::fmax(worst, std::fabs(sum - 1));
    }
    std::printf("%lld rods by %s: heat lost %.1e\n", static_cast<long long>(rods), result.run.variant.c_str(),
                worst);
    return worst < 1e-12 ? 0 : 1;
}
