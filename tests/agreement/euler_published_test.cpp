// euler_published_test - the scheme `rodinia` against the published method in plain loops, and
// where values of 1e-17 come from that one program prints and another shows as 0.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>
#include <wale/euler.hpp>
#include <wale/wale.hpp>

#include "../bench/published_flow.hpp"

namespace wale {
namespace {

using bench::published_flow;

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
const execution everywhere[] = {on_reference{}, on_cpu{.threads = 2}};

TEST(euler_published, agrees_with_the_transcription_in_double) {
    for (const double scale : {1.0, 2.0}) {
        const mesh m = shell(1500, scale);
        published_flow<double> truth(m, published().stream, 1);
        truth.run(200);
        EXPECT_GT(truth.difference(euler_case(m, published()).state()), 0.1);  // something flows
        for (const execution& where : everywhere) {
            euler_case c(m, published());
            (void)c.run(where, 200);
            EXPECT_LT(truth.difference(c.state()), 1e-12) << name_of(backend_of(where));
        }
    }
}

TEST(euler_published, agrees_with_the_transcription_in_float_after_2000_iterations) {
    const mesh m = shell(500, 2);
    published_flow<double> truth(m, published().stream, 1);
    truth.run(2000);
    for (const execution& where : everywhere) {
        euler_case c(m, published(scalar::f32));
        const euler_result r = c.run(where, 2000);
        EXPECT_EQ(r.end, euler_end::iterations);
        EXPECT_LT(truth.difference(c.state()), 5e-5) << name_of(backend_of(where));
    }
}

TEST(euler_published, free_stream_has_momentum_across_of_rounding_alone) {
    // Nothing flows along y and z, yet sums of area vectors that cancel leave some units of rounding there:
    // other ones in another order of operations, and exact zeros in a third. Each is right to rounding, in
    // any units: what is small is small beside density times speed, not beside 1.
    mesh m = shell(1500, 1);
    m.patches = {"far_field", "farfield"};
    published_flow<double> other(m, published().stream, 1);
    other.run(100);
    const auto across = [](const std::vector<euler_state>& states) {
        double most = 0;
        for (const euler_state& s : states) most = std::max({most, std::fabs(s[2]), std::fabs(s[3])});
        return most;
    };
    std::vector<euler_state> others;
    for (std::size_t i = 0; i < other.state.size(); i += 5)
        others.push_back(
            {other.state[i], other.state[i + 1], other.state[i + 2], other.state[i + 3], other.state[i + 4]});
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
    EXPECT_LT(across(others), rounding * 1.4);
    EXPECT_GT(other.difference(c.state()), 0);
    for (std::size_t i = 0; i < c.state().size(); ++i)
        for (std::size_t d = 1; d < 4; ++d)
            ASSERT_EQ(std::ldexp(c.state()[i][d], density + speed), tiny.state()[i][d]) << i;
}

}  // namespace
}  // namespace wale
