// euler_published_test - the scheme `rodinia` against a plain transcription of the published method, and
// where values of 1e-17 come from that one program prints and another shows as 0.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>
#include <wale/euler.hpp>
#include <wale/wale.hpp>

namespace wale {
namespace {

// The published method (Corrigan, Camelli, Loehner, Wallin 2011, as the Rodinia suite has it) written down
// once more in plain loops over plain arrays, to compare with. Normals point inward, as the published
// reader turns them; neighbour -1 is the wing, -2 the far field.
class rodinia_transcription {
public:
    static constexpr double gamma = 1.4;
    using five = std::array<double, 5>;

    rodinia_transcription(const mesh& m, double mach)
        : areas_(m.volume), neighbours_(areas_.size()), normals_(areas_.size()) {
        for (std::size_t i = 0; i < areas_.size(); ++i)
            for (std::size_t j = 0; j < 4; ++j) {
                const std::int32_t other = m.neighbour[4 * i + j];
                const bool wing =
                    is_patch(other) && m.patches[static_cast<std::size_t>(patch_of(other))] == "wall";
                neighbours_[i][j] = !is_patch(other) ? other : wing ? -1 : -2;
                for (std::size_t d = 0; d < 3; ++d)
                    normals_[i][j][d] = -m.normal_scale * m.normal[3 * (4 * i + j) + d];
            }
        const double density = 1.4, speed = mach * std::sqrt(gamma * 1.0 / density);
        far_ = {density, density * speed, 0, 0, density * (0.5 * speed * speed) + 1.0 / (gamma - 1)};
        variables.assign(areas_.size(), far_);
    }

    void run(int iterations) {
        for (int i = 0; i < iterations; ++i) {
            const std::vector<five> old = variables;
            const std::vector<double> factors = step_factors();
            for (int j = 0; j < 3; ++j) {
                const std::vector<five> f = fluxes();
                for (std::size_t c = 0; c < old.size(); ++c)
                    for (std::size_t v = 0; v < 5; ++v)
                        variables[c][v] = old[c][v] + factors[c] / (3 + 1 - j) * f[c][v];
            }
        }
    }

    std::vector<five> variables;  // [cells] density, momentum, density energy

private:
    struct velocity_of {
        double x, y, z, squared, pressure, sound;
        explicit velocity_of(const five& u)
            : x(u[1] / u[0]),
              y(u[2] / u[0]),
              z(u[3] / u[0]),
              squared(x * x + y * y + z * z),
              pressure((gamma - 1) * (u[4] - 0.5 * u[0] * squared)),
              sound(std::sqrt(gamma * pressure / u[0])) {}
        [[nodiscard]] double speed() const { return std::sqrt(squared); }
    };

    [[nodiscard]] std::vector<double> step_factors() const {
        std::vector<double> factors;
        for (std::size_t i = 0; i < areas_.size(); ++i) {
            const velocity_of v(variables[i]);
            factors.push_back(0.5 / (std::sqrt(areas_[i]) * (v.speed() + v.sound)));
        }
        return factors;
    }

    /// half of n . F(u), added
    static void add_half(five& sum, const std::array<double, 3>& n, const five& u) {
        const velocity_of v(u);
        const double m[3] = {u[1], u[2], u[3]}, w[3] = {v.x, v.y, v.z};
        for (std::size_t d = 0; d < 3; ++d) {
            sum[0] += 0.5 * n[d] * m[d];
            for (std::size_t e = 0; e < 3; ++e)
                sum[1 + e] += 0.5 * n[d] * (w[d] * m[e] + (d == e ? v.pressure : 0));
            sum[4] += 0.5 * n[d] * w[d] * (u[4] + v.pressure);
        }
    }

    [[nodiscard]] std::vector<five> fluxes() const {
        std::vector<five> all(areas_.size(), five{});
        for (std::size_t i = 0; i < areas_.size(); ++i)
            for (std::size_t j = 0; j < 4; ++j) {
                const auto& n = normals_[i][j];
                const int other = neighbours_[i][j];
                const velocity_of own(variables[i]);
                if (other >= 0) {
                    const five& there = variables[static_cast<std::size_t>(other)];
                    const velocity_of v(there);
                    const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
                    const double factor =
                        -length * 0.2 * 0.5 * (own.speed() + v.speed() + own.sound + v.sound);
                    for (std::size_t k = 0; k < 5; ++k) all[i][k] += factor * (variables[i][k] - there[k]);
                    add_half(all[i], n, there);
                    add_half(all[i], n, variables[i]);
                } else if (other == -1) {
                    for (std::size_t d = 0; d < 3; ++d) all[i][1 + d] += n[d] * own.pressure;
                } else {
                    add_half(all[i], n, far_);
                    add_half(all[i], n, variables[i]);
                }
            }
        return all;
    }

    std::vector<double> areas_;  // what the published code calls so: volumes
    std::vector<std::array<int, 4>> neighbours_;
    std::vector<std::array<std::array<double, 3>, 4>> normals_;
    five far_{};
};

mesh shell(index_t size, double normal_scale) {
    // Small cells: the published step grows with the root of the volume, and is too long for large ones.
    mesh m = generate_mesh({.kind = mesh_kind::shell, .size = size, .outer = 2.5});
    m.normal_scale = normal_scale;
    return m;
}
euler_options published(scalar precision = scalar::f64) {
    euler_options o;
    o.scheme = euler_scheme::rodinia();
    o.precision = precision;
    return o;
}
/// The largest difference in any variable.
double difference(const std::vector<euler_state>& a, const std::vector<euler_state>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t v = 0; v < 5; ++v) {
            const double d = std::fabs(a[i][v] - b[i][v]);
            if (!(d <= most)) most = d;
        }
    return most;
}
const execution everywhere[] = {on_reference{}, on_cpu{.threads = 2}};

TEST(euler_published, agrees_with_the_transcription_in_double) {
    for (const double scale : {1.0, 2.0}) {
        const mesh m = shell(1500, scale);
        rodinia_transcription truth(m, 1.2);
        truth.run(200);
        for (const execution& where : everywhere) {
            euler_case c(m, published());
            (void)c.run(where, 200);
            EXPECT_GT(difference(c.state(), euler_case(m, published()).state()), 0.1);  // something flows
            EXPECT_LT(difference(c.state(), truth.variables), 1e-12) << name_of(backend_of(where));
        }
    }
}

TEST(euler_published, agrees_with_the_transcription_in_float_after_2000_iterations) {
    const mesh m = shell(500, 2);
    rodinia_transcription truth(m, 1.2);
    truth.run(2000);
    for (const execution& where : everywhere) {
        euler_case c(m, published(scalar::f32));
        const euler_result r = c.run(where, 2000);
        EXPECT_EQ(r.end, euler_end::iterations);
        EXPECT_LT(difference(c.state(), truth.variables), 5e-5) << name_of(backend_of(where));
    }
}

TEST(euler_published, free_stream_has_momentum_across_of_rounding_alone) {
    // Nothing flows along y and z, yet sums of area vectors that cancel leave some units of rounding there:
    // other ones in another order of operations, and exact zeros in a third. Each is right to rounding, in
    // any units: what is small is small beside density times speed, not beside 1.
    mesh m = shell(1500, 1);
    m.patches = {"far_field", "farfield"};
    rodinia_transcription other(m, 1.2);
    other.run(100);
    const auto across = [](const std::vector<euler_state>& states) {
        double most = 0;
        for (const euler_state& s : states) most = std::max({most, std::fabs(s[2]), std::fabs(s[3])});
        return most;
    };
    constexpr int density = -40, speed = -13;  // powers of two: momenta become as small as 1e-16 themselves
    euler_options small = published();
    small.stream.density = std::ldexp(1.4, density);
    small.stream.pressure = std::ldexp(1.0, density + 2 * speed);
    euler_case c(m, published()), tiny(m, small);
    (void)c.run(on_reference{}, 100);
    (void)tiny.run(on_reference{}, 100);
    constexpr double rounding = 1000 * std::numeric_limits<double>::epsilon();
    EXPECT_GT(across(c.state()), 0);
    EXPECT_LT(across(c.state()), rounding * 1.4);
    EXPECT_LT(across(other.variables), rounding * 1.4);
    EXPECT_GT(difference(c.state(), other.variables), 0);
    for (std::size_t i = 0; i < c.state().size(); ++i)
        for (std::size_t d = 1; d < 4; ++d)
            ASSERT_EQ(std::ldexp(c.state()[i][d], density + speed), tiny.state()[i][d]) << i;
}

}  // namespace
}  // namespace wale
