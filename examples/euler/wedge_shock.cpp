// wedge_shock - air at Mach 2 over a wedge of 10 degrees: the pressure behind the oblique shock is 1.7066
// times the one before (theory of oblique shocks).
#include <cmath>
#include <cstdio>
#include <wale/wale.hpp>

int main() {
    wale::mesh_recipe recipe;
    recipe.kind = wale::mesh_kind::wedge;
    recipe.shape = wale::cell_shape::quadrilateral;
    recipe.size = 1200;
    recipe.angle = 10;
    const wale::mesh mesh = wale::generate_mesh(recipe);
    wale::euler_options options;
    options.stream.mach = 2;
    options.scheme.order = 1;
    options.stop_decades = 4;
    wale::euler_case flow(mesh, options);
    const wale::euler_result result = flow.run(wale::on_cpu{}, 3000);
    double sum = 0, behind = 0;  // over cells behind the shock; the free stream has pressure 1
    for (const wale::euler_state& u : flow.state()) {
        const double momentum2 = u[1] * u[1] + u[2] * u[2] + u[3] * u[3];
        const double pressure = 0.4 * (u[4] - momentum2 / (2 * u[0]));
        if (pressure > 1.6) sum += pressure, ++behind;
    }
    const double ratio = sum / behind;
    std::printf("%lld cells, %lld iterations: pressure ratio %.4f, theory 1.7066\n",
                static_cast<long long>(mesh.cells()), static_cast<long long>(result.iterations), ratio);
    return std::fabs(ratio - 1.7066) < 0.02 ? 0 : 1;
}
