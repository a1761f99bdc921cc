// euler_published_test - the scheme `rodinia` against a plain transcription of the published method, and
// where values of 1e-17 come from that one program prints and another shows as 0.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <wale/wale.hpp>

#include "agreement/rodinia_transcription.hpp"

namespace wale {
namespace {

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
