// euler_physics_test - flows whose solutions are known: an advected vortex, Sod's tube, a wedge at Mach 2,
// smooth flow over a bump.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>
#include <wale/wale.hpp>

namespace wale {
namespace {

constexpr double gamma_of_air = 1.4;

euler_state state_of(double rho, double u, double v, double p) {
    return {rho, rho * u, rho * v, 0, p / (gamma_of_air - 1) + 0.5 * rho * (u * u + v * v)};
}
double centre(const mesh& m, index_t cell, int d) {
    return m.centre[static_cast<std::size_t>(3 * cell + d)];
}
/// Mean over the mesh of |what(cell)|.
double mean(const mesh& m, const std::function<double(index_t)>& what) {
    double sum = 0, volume = 0;
    for (index_t i = 0; i < m.cells(); ++i) {
        const double v = m.volume[static_cast<std::size_t>(i)];
        sum += v * std::fabs(what(i));
        volume += v;
    }
    return sum / volume;
}

/// Shu 1997: an isentropic vortex of strength 5 on a flow of (1, 1), in a periodic box of 10 by 10.
euler_state vortex(double x, double y, double time) {
    const auto wrapped = [](double v) { return v - 10 * std::round(v / 10); };
    constexpr double pi = std::numbers::pi, strength = 5;
    x = wrapped(x - time);
    y = wrapped(y - time);
    const double swirl = strength / (2 * pi) * std::exp((1 - x * x - y * y) / 2);
    const double rho =
        std::pow(1 - (gamma_of_air - 1) / (2 * gamma_of_air) * swirl * swirl, 1 / (gamma_of_air - 1));
    return state_of(rho, 1 - swirl * y, 1 + swirl * x, std::pow(rho, gamma_of_air));
}

double vortex_error(const mesh& m, const euler_scheme& scheme) {
    euler_options o;
    o.stream.density = o.stream.pressure = 1;
    o.periodic = {{"left", "right"}, {"bottom", "top"}};
    o.scheme = scheme;
    o.scheme.step = euler_step::global;
    o.end_time = 0.5;
    euler_case c(m, o);
    std::vector<euler_state> states;
    for (index_t i = 0; i < m.cells(); ++i) states.push_back(vortex(centre(m, i, 0), centre(m, i, 1), 0));
    c.set_state(states);
    const euler_result r = c.run(on_cpu{.threads = 2}, 100000);
    EXPECT_EQ(r.end, euler_end::time);
    EXPECT_EQ(c.time(), 0.5);
    return mean(m, [&](index_t i) {
        return c.state()[static_cast<std::size_t>(i)][0] -
               vortex(centre(m, i, 0), centre(m, i, 1), c.time())[0];
    });
}

TEST(euler_physics, a_vortex_is_carried_to_second_order) {
    for (const cell_shape shape : {cell_shape::triangle, cell_shape::quadrilateral})
        for (const auto& [flux, limiter] : {std::pair{euler_flux::hllc, euler_limiter::venkatakrishnan},
                                            std::pair{euler_flux::roe, euler_limiter::none}}) {
            euler_scheme s;
            s.flux = flux;
            s.limiter = limiter;
            const auto error = [&](index_t size) {
                return vortex_error(
                    generate_mesh({.kind = mesh_kind::box, .size = size, .shape = shape, .distortion = 0.2}),
                    s);
            };
            const index_t cells = shape == cell_shape::triangle ? 1250 : 900;
            EXPECT_GE(std::log2(error(cells) / error(4 * cells)), 1.9)
                << name_of(shape) << ' ' << name_of(flux);
        }
}

TEST(euler_physics, a_vortex_is_carried_to_first_order_by_first_order) {
    euler_scheme s;
    s.order = 1;
    const auto error = [&](index_t size) {
        return vortex_error(
            generate_mesh({.kind = mesh_kind::box, .size = size, .shape = cell_shape::triangle}), s);
    };
    const double order = std::log2(error(2048) / error(8192));
    EXPECT_GT(order, 0.75);
    EXPECT_LT(order, 1.2);
}

/// The exact solution of Sod's tube: between a fan and a shock, pressure and speed are one.
class sod {
public:
    sod() {
        double low = right_p, high = left_p;
        for (int i = 0; i < 200; ++i) {
            star_p_ = 0.5 * (low + high);
            (behind_fan() > behind_shock() ? low : high) = star_p_;
        }
        star_u_ = behind_fan();
    }
    [[nodiscard]] double shock_speed() const {
        const double r = star_p_ / right_p;
        return right_c() * std::sqrt((gamma_of_air + 1) / (2 * gamma_of_air) * r +
                                     (gamma_of_air - 1) / (2 * gamma_of_air));
    }
    [[nodiscard]] double behind_shock_density() const {
        const double r = star_p_ / right_p, q = (gamma_of_air - 1) / (gamma_of_air + 1);
        return right_rho * (r + q) / (q * r + 1);
    }
    /// At x / t.
    [[nodiscard]] double density(double s) const {
        const double c = left_c(),
                     star_c = c * std::pow(star_p_ / left_p, (gamma_of_air - 1) / (2 * gamma_of_air));
        if (s < -c) return left_rho;
        if (s < star_u_ - star_c) {
            const double local = (2 * c - (gamma_of_air - 1) * s) / (gamma_of_air + 1);
            return left_rho * std::pow(local / c, 2 / (gamma_of_air - 1));
        }
        if (s < star_u_) return left_rho * std::pow(star_p_ / left_p, 1 / gamma_of_air);
        return s < shock_speed() ? behind_shock_density() : right_rho;
    }
    static constexpr double left_rho = 1, left_p = 1, right_rho = 0.125, right_p = 0.1;

private:
    static double left_c() { return std::sqrt(gamma_of_air * left_p / left_rho); }
    static double right_c() { return std::sqrt(gamma_of_air * right_p / right_rho); }
    [[nodiscard]] double behind_fan() const {
        return 2 * left_c() / (gamma_of_air - 1) *
               (1 - std::pow(star_p_ / left_p, (gamma_of_air - 1) / (2 * gamma_of_air)));
    }
    [[nodiscard]] double behind_shock() const {
        return (star_p_ - right_p) *
               std::sqrt(2 / right_rho / ((gamma_of_air + 1) * star_p_ + (gamma_of_air - 1) * right_p));
    }
    double star_p_ = 0, star_u_ = 0;
};

struct tube_outcome {
    double error, shock;
};
tube_outcome tube_of(const sod& truth, index_t size, const euler_scheme& scheme) {
    const mesh m = generate_mesh({.kind = mesh_kind::tube, .size = size, .shape = cell_shape::quadrilateral});
    euler_options o;
    o.scheme = scheme;
    o.scheme.step = euler_step::global;
    o.scheme.time = euler_time::ssp_rk3;
    o.patches = {{.name = "left", .kind = euler_boundary::pressure_outlet, .pressure = sod::left_p},
                 {.name = "right", .kind = euler_boundary::pressure_outlet, .pressure = sod::right_p}};
    o.end_time = 0.2;
    euler_case c(m, o);
    std::vector<euler_state> states;
    for (index_t i = 0; i < m.cells(); ++i)
        states.push_back(centre(m, i, 0) < 0.5 ? state_of(sod::left_rho, 0, 0, sod::left_p)
                                               : state_of(sod::right_rho, 0, 0, sod::right_p));
    c.set_state(states);
    EXPECT_EQ(c.run(on_cpu{.threads = 1}, 100000).end, euler_end::time);
    const auto& s = c.state();
    tube_outcome out{mean(m,
                          [&](index_t i) {
                              return s[static_cast<std::size_t>(i)][0] -
                                     truth.density((centre(m, i, 0) - 0.5) / 0.2);
                          }),
                     0};
    const double middle = 0.5 * (truth.behind_shock_density() + sod::right_rho);
    for (index_t i = 0; i < m.cells(); ++i)
        if (s[static_cast<std::size_t>(i)][0] > middle) out.shock = std::max(out.shock, centre(m, i, 0));
    return out;
}

TEST(euler_physics, sods_tube_has_its_waves_in_place) {
    const sod truth;
    EXPECT_NEAR(truth.shock_speed(), 1.75216, 1e-5);
    EXPECT_NEAR(truth.behind_shock_density(), 0.26557, 1e-5);
    constexpr index_t size = 200;
    for (const euler_flux flux : {euler_flux::rusanov, euler_flux::hllc, euler_flux::roe}) {
        euler_scheme first, second;
        first.flux = second.flux = flux;
        first.order = 1;
        second.limiter = euler_limiter::barth_jespersen;
        const tube_outcome a = tube_of(truth, size, first), b = tube_of(truth, size, second);
        EXPECT_LT(a.error, 0.02) << name_of(flux);
        EXPECT_LT(b.error, 0.005) << name_of(flux);
        EXPECT_LT(tube_of(truth, 2 * size, second).error, 0.65 * b.error) << name_of(flux);
        EXPECT_NEAR(a.shock, 0.5 + 0.2 * truth.shock_speed(), 2.0 / size) << name_of(flux);
        EXPECT_NEAR(b.shock, 0.5 + 0.2 * truth.shock_speed(), 1.5 / size) << name_of(flux);
    }
}

/// Where the pressure passes `level` between neighbours, at x in the given range.
std::vector<std::array<double, 2>> crossings(const mesh& m, const std::vector<double>& p, double level,
                                             double from, double to) {
    std::vector<std::array<double, 2>> places;
    for (index_t i = 0; i < m.cells(); ++i)
        for (index_t r = m.first_face[static_cast<std::size_t>(i)];
             r < m.first_face[static_cast<std::size_t>(i) + 1]; ++r) {
            const std::int32_t j = m.neighbour[static_cast<std::size_t>(r)];
            if (is_patch(j)) continue;
            const double a = p[static_cast<std::size_t>(i)], b = p[static_cast<std::size_t>(j)];
            if (!(a > level && b <= level)) continue;
            const double part = (a - level) / (a - b);
            const double x = centre(m, i, 0) + part * (centre(m, j, 0) - centre(m, i, 0));
            const double y = centre(m, i, 1) + part * (centre(m, j, 1) - centre(m, i, 1));
            if (x > from && x < to) places.push_back({x, y});
        }
    return places;
}
/// The slope of the line through places, by least squares, in degrees.
double angle_of(const std::vector<std::array<double, 2>>& places) {
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto n = static_cast<double>(places.size());
    for (const auto& p : places) {
        x += p[0] / n;
        y += p[1] / n;
    }
    for (const auto& p : places) {
        xx += (p[0] - x) * (p[0] - x);
        xy += (p[0] - x) * (p[1] - y);
    }
    return std::atan(xy / xx) * 180 / std::numbers::pi;
}

TEST(euler_physics, a_wedge_at_mach_2_has_its_shock) {
    for (const auto& [shape, flux] : {std::pair{cell_shape::triangle, euler_flux::hllc},
                                      std::pair{cell_shape::quadrilateral, euler_flux::roe}}) {
        const mesh m = generate_mesh({.kind = mesh_kind::wedge, .size = 1200, .shape = shape, .angle = 10});
        euler_options o;
        o.stream.mach = 2;
        o.scheme.flux = flux;
        o.scheme.cfl = 1.2;
        o.stop_decades = 4;
        euler_case c(m, o);
        EXPECT_EQ(c.run(on_cpu{.threads = 2}, 2000).end, euler_end::residual);
        const std::vector<double> p = quantity(euler_quantity::pressure, c.state(), o.stream);
        EXPECT_NEAR(angle_of(crossings(m, p, 0.5 * (1 + 1.7066), 0.15, 0.85)), 39.31, 0.5) << name_of(shape);
        double sum = 0, cells = 0;  // behind the shock, away from it, its foot and the ends
        for (index_t i = 0; i < m.cells(); ++i) {
            const double x = centre(m, i, 0), y = centre(m, i, 1);
            if (x < 0.4 || x > 0.9 || y > x * std::tan(30 * std::numbers::pi / 180)) continue;
            sum += p[static_cast<std::size_t>(i)];
            ++cells;
        }
        EXPECT_NEAR(sum / cells, 1.7066, 0.01 * 1.7066) << name_of(shape) << ' ' << name_of(flux);
    }
}

/// A steady flow over a bump, its outer boundary as named.
euler_case over_a_bump(index_t size, double height, double mach, euler_boundary open) {
    euler_options o;
    o.stream.mach = mach;
    o.scheme.cfl = 1.2;
    o.stop_decades = 4;
    if (open == euler_boundary::far_field)
        for (const char* name : {"inflow", "outflow", "top"}) o.patches.push_back({name, open});
    euler_case c(
        generate_mesh(
            {.kind = mesh_kind::bump, .size = size, .shape = cell_shape::quadrilateral, .height = height}),
        o);
    EXPECT_EQ(c.run(on_cpu{.threads = 2}, 3000).end, euler_end::residual);
    return c;
}

TEST(euler_physics, smooth_flow_makes_neither_entropy_nor_drag_but_by_its_error) {
    const auto solved = [](index_t size) {
        euler_case c = over_a_bump(size, 0.1, 0.5, euler_boundary::far_field);
        const auto s = quantity(euler_quantity::entropy, c.state(), c.options().stream);
        return std::pair{mean(c.grid(), [&](index_t i) { return s[static_cast<std::size_t>(i)]; }),
                         std::fabs(c.measure().drag)};
    };
    const auto coarse = solved(300), fine = solved(1200);
    EXPECT_LT(fine.first, 3e-4);
    EXPECT_LT(fine.first, 0.35 * coarse.first);
    EXPECT_LT(fine.second, 0.4 * coarse.second);  // d'Alembert: none
}

TEST(euler_physics, total_enthalpy_is_the_inflows_everywhere) {
    euler_case c = over_a_bump(1200, 0.01, 2, euler_boundary::inflow);
    const auto h = quantity(euler_quantity::total_enthalpy, c.state(), c.options().stream);
    const double far = 1 / (gamma_of_air - 1) + 0.5 * 4;  // of c^2 = 1
    for (const double v : h) EXPECT_NEAR(v, far, 2e-3 * far);
    EXPECT_LT(mean(c.grid(), [&](index_t i) { return h[static_cast<std::size_t>(i)] / far - 1; }), 5e-5);
}

}  // namespace
}  // namespace wale
