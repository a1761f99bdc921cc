// euler_schemes - cpu/vectors beside the plain loops of cpu/one_pass, for every flux, order and precision on
// tetrahedra, and for every shape of cells and limiter, in turn on one thread: one CSV line a scheme. Both go
// on with their own flow; their states are compared at the end.
//   euler_schemes OUT.csv [FILTER]      FILTER: only cases whose name contains it
#include <cmath>
#include <cstdio>
#include <string>
#include <wale/wale.hpp>

#include "cases.hpp"
#include "csv.hpp"
#include "timing.hpp"

namespace wale::bench {
namespace {

struct scheme_case {
    std::string name;
    index_t size = 0;
    int order = 2;
    euler_flux flux = euler_flux::hllc;
    scalar precision = scalar::f64;
    mesh_kind kind = mesh_kind::shell;
    cell_shape shape = cell_shape::tetrahedron;
    euler_limiter limiter = euler_limiter::automatic;
};

std::vector<scheme_case> cases() {
    std::vector<scheme_case> all;
    for (const index_t size : {2'000, 97'200})
        for (const scalar precision : {scalar::f64, scalar::f32})
            for (const int order : {2, 1})
                for (const euler_flux flux :
                     {euler_flux::hllc, euler_flux::roe, euler_flux::rusanov, euler_flux::central})
                    all.push_back({std::to_string(size) + "-" + name_of(flux) + "-" + std::to_string(order) +
                                       "-" + name_of(precision),
                                   size, order, flux, precision});
    using enum euler_limiter;
    for (const auto& [word, shape] :
         {std::pair{"triangles", cell_shape::triangle},
          std::pair{"quadrilaterals", cell_shape::quadrilateral}, std::pair{"prisms", cell_shape::prism},
          std::pair{"hexahedra", cell_shape::hexahedron}})
        for (const index_t size : {20'000, 100'000})
            for (const euler_limiter limiter : {none, barth_jespersen, venkatakrishnan})
                all.push_back({std::to_string(size) + "-" + word + "-" + name_of(limiter), size, 2,
                               euler_flux::hllc, scalar::f64, mesh_kind::box, shape, limiter});
    return all;
}

double furthest(const std::vector<euler_state>& a, const std::vector<euler_state>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t v = 0; v < 5; ++v) {
            const double apart = std::fabs(a[i][v] - b[i][v]);
            most = apart <= most ? most : apart;  // NaN is the furthest
        }
    return most;
}

class scheme_table {
public:
    explicit scheme_table(const std::string& path)
        : file_(
              path,
              "case,cells,flux,order,precision,policy,iterations,difference,us_a_cell,plain_us_a_cell,ratio,"
              "clock_us_a_cell") {}
    /// Times are of all iterations of a turn.
    void add(const scheme_case& c, index_t cells, index_t iterations, const report& run, double off,
             const taken (&each)[2]) const {
        const double unit = 1e6 / static_cast<double>(cells * iterations);
        file_.add(c.name, cells, name_of(c.flux), c.order, name_of(c.precision), run.policy, iterations, off,
                  unit * each[0].processor, unit * each[1].processor, each[1].processor / each[0].processor,
                  unit * each[0].seconds);
    }

private:
    csv_lines file_;
};

bool run(const scheme_case& c, const scheme_table& out) {
    const mesh m = generate_mesh({.kind = c.kind, .size = c.size, .shape = c.shape});
    euler_options o;
    if (c.kind == mesh_kind::box)
        for (const std::string& side : m.patches) o.patches.push_back({side, euler_boundary::far_field});
    o.scheme.limiter = c.limiter;
    o.scheme.flux = c.flux;
    o.scheme.order = c.order;
    o.precision = c.precision;
    o.check_every = 0;
    const index_t iterations = std::max<index_t>(10, 200'000 / m.cells());
    euler_case lanes(m, o), plain(m, o);
    if (c.kind == mesh_kind::box)
        for (euler_case* flow : {&lanes, &plain})
            flow->set_state(starting_state(m, o.stream, euler_start::vortex));
    report how;
    const std::vector<taken> each =
        in_turn({[&] { how = lanes.run(on_cpu{1}, iterations, "cpu/vectors").run; },
                 [&] { (void)plain.run(on_cpu{1}, iterations, "cpu/one_pass"); }},
                0.5);
    const double off = furthest(lanes.state(), plain.state());
    if (!(off <= (c.precision == scalar::f32 ? 2e-4 : 1e-11))) {
        std::fprintf(stderr, "%s is off by %g\n", c.name.c_str(), off);
        return false;
    }
    out.add(c, m.cells(), iterations, how, off, {each[0], each[1]});
    return true;
}

}  // namespace
}  // namespace wale::bench

int main(int argc, char** argv) {
    using namespace wale::bench;
    return run_cases<scheme_table>(argc, argv, cases(), run);
}
