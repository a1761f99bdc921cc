// atlas - random meshes, schemes, precisions, layouts and orders of cells.
#include <algorithm>
#include <wale/enumerators.hpp>

#include "solvers/euler/study/flow_experiment.hpp"

namespace wale::euler {
namespace {

using experiments::cell_limits;
using experiments::dice;
using experiments::drawn_cell;
using experiments::traits;

constexpr double fast_rate = 3e6;       // cell iterations a second on one thread
constexpr double bytes_of_cell = 1000;  // of mesh and flow, in the caller's order and in the computed one

mesh_recipe draw_mesh(dice& d, const cell_limits& most, bool published, traits& t) {
    mesh_recipe m;
    m.kind = published ? mesh_kind::shell
                       : d.pick({mesh_kind::shell, mesh_kind::shell, mesh_kind::wedge, mesh_kind::bump});
    if (m.kind != mesh_kind::shell) m.shape = d.pick({cell_shape::triangle, cell_shape::quadrilateral});
    m.size =
        std::max<index_t>(64, d.size(std::fmin(most.seconds * fast_rate / 3, most.bytes / bytes_of_cell)));
    m.shuffled = d.one_in(4);
    t.add("mesh", name_of(m.kind)).add("size", m.size).add("shuffled", m.shuffled ? "yes" : "no");
    return m;
}

drawn_cell draw_flow(dice& d, const cell_limits& most) {
    euler_options o;
    traits t;
    const bool published = d.one_in(4);
    const mesh_recipe m = draw_mesh(d, most, published, t);
    o.check_every = 0;
    o.precision = d.pick({scalar::f32, scalar::f64});
    if (published) {
        o.scheme = euler_scheme::rodinia();
    } else {
        o.scheme.flux = d.pick({euler_flux::hllc, euler_flux::roe, euler_flux::rusanov, euler_flux::central});
        o.scheme.order = d.pick({1, 2});
        o.scheme.time = d.pick({euler_time::jameson, euler_time::ssp_rk3});
        o.scheme.step = d.pick({euler_step::local, euler_step::global});
        o.scheme.cfl = 0.4;
        // Limiters have kinks: near them float and double take different branches, and nothing could be
        // compared.
        o.scheme.limiter = euler_limiter::none;
    }
    t.add("type", name_of(o.precision)).add("flux", name_of(o.scheme.flux)).add("order", o.scheme.order);
    t.add("time", name_of(o.scheme.time)).add("step", name_of(o.scheme.step));
    return {t.text(), make_flow(generate_mesh(m), o, most.seconds * fast_rate)};
}

}  // namespace

std::vector<experiments::drawing> drawings() {
    return {{"advance", "advance", draw_flow}};
}

}  // namespace wale::euler
