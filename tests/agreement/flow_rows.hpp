// flow_rows - the rows of flows as test parameters, what each may refuse, and the cases that several tests
// ask them for.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>
#include <wale/wale.hpp>

#include "agreement/flow_meshes.hpp"
#include "agreement/rows_here.hpp"
#include "solvers/euler/advance/shared/lanes/lanes.hpp"
#include "solvers/euler/advance/shocks.hpp"

namespace wale::agreement {

inline void PrintTo(const row_here& r, std::ostream* out) {
    *out << r.name;
}

[[nodiscard]] inline std::string name_of_row(const testing::TestParamInfo<row_here>& info) {
    return word_of(info.param.name);
}
/// Those that one process can be asked for: euler_ranks_test asks the others.
[[nodiscard]] inline std::vector<row_here> flow_rows() {
    std::vector<row_here> rows = rows_here("euler", "advance");
    std::erase_if(rows, [](const row_here& r) { return r.name.ends_with("/ranks"); });
    for (row_here& r : rows)
        if (r.name == "cuda/parts") r.where = on_cuda{.devices = {0, 0}};  // two parts of one device
    return rows;
}
[[nodiscard]] inline std::vector<row_here> device_flow_rows() {
    std::vector<row_here> rows = flow_rows();
    std::erase_if(rows, [](const row_here& r) { return !std::holds_alternative<on_cuda>(r.where); });
    return rows;
}

/// Whether a row may refuse a case. Written here once more, so that no row begins to refuse unnoticed.
[[nodiscard]] inline bool may_refuse(const std::string& row, const mesh& m, const euler_options& o) {
    using enum euler_boundary;
    const euler_scheme& s = o.scheme;
    const bool published =
        s.flux == euler_flux::rodinia && s.step == euler_step::rodinia && !(s.fixed_step > 0);
    const bool plain = s.smoothing == 0 && s.levels == 1;
    bool four_faces = true, up_to_four = true;
    for (std::size_t c = 0; c + 1 < m.first_face.size(); ++c) {
        four_faces = four_faces && m.first_face[c + 1] - m.first_face[c] == 4;
        up_to_four = up_to_four && m.first_face[c + 1] - m.first_face[c] <= 4;
    }
    const auto layout_is = [&](auto... l) { return ((o.layout == l) || ...); };
    const bool packed = layout_is(euler_layout::automatic, euler_layout::packed);
    const bool parameters =
        o.constants == euler_constants::automatic || o.constants == euler_constants::parameters;
    const bool compiled_for = o.constants != euler_constants::compiled ||
                              (o.stream.mach == 1.2 && o.stream.alpha == 0 && o.stream.beta == 0 &&
                               s.cfl == 0.5 && s.time == euler_time::rodinia);
    const bool has_ends =
        std::ranges::any_of(m.patches,
                            [](const std::string& p) { return p == "inflow" || p == "outflow"; }) ||
        std::ranges::any_of(o.patches, [](const euler_patch& p) {
            return p.kind != wall && p.kind != far_field && p.kind != symmetry;
        });
    const bool newton = s.time == euler_time::newton;
    if (row == "reference/plain") return false;
    if (row == "cpu/levels" || row == "cpu/colours") return !newton;
    if (row == "cuda/colours")
        return !newton || !layout_is(euler_layout::automatic, euler_layout::cell_major) || !parameters;
    if (newton) return true;
    if (row == "cpu/one_pass") return false;
    const bool takes_every_scheme =
        row == "cpu/five_passes" || row == "cuda/fused" || row == "cuda/graph" || row == "cuda/parts";
    if (s.limiter == euler_limiter::smooth && !takes_every_scheme) return true;
    if (row == "cpu/five_passes") return o.layout == euler_layout::packed;
    if (euler::blends_shocks(o) && !takes_every_scheme) return true;
    if (row == "cpu/vectors") return !packed || euler::lanes_of<float>() == 1;
    if (row == "cuda/one_pass" || row == "cuda/five_passes")
        return !published || !plain || !four_faces || o.layout == euler_layout::packed || !compiled_for ||
               (row == "cuda/five_passes" && !parameters);
    if (row == "cuda/fused" || row == "cuda/graph") {
        if (s.levels > 1) return true;
        if (parameters && layout_is(euler_layout::automatic, euler_layout::cell_major)) return false;
        return !published || !plain || !four_faces || (!parameters && !packed) || !compiled_for || has_ends;
    }
    if (row == "cuda/second_order")
        return s.order != 2 || !plain || m.cells() == 0 || !four_faces || m.dimensions != 3 ||
               !o.periodic.empty() || o.layout != euler_layout::automatic || !parameters;
    if (row == "cuda/parts") {
        if (!may_refuse("cuda/tiled", m, o) || !may_refuse("cuda/second_order", m, o)) return false;
        const bool tiles_only =
            four_faces && ((published && !has_ends && s.smoothing == 0) ||
                           (m.dimensions == 3 && s.order == 2 && o.precision == scalar::f64));
        return may_refuse("cuda/fused", m, o) || tiles_only;
    }
    if (row == "cuda/tiled")
        return !published || s.order != 1 || s.time == euler_time::ssp_rk3 || !plain || !four_faces ||
               !packed || !parameters || has_ends;
    if (row == "cuda/resident")
        return (s.flux != euler_flux::rodinia && s.flux != euler_flux::central) ||
               s.flux == euler_flux::central || s.order != 1 || s.step != euler_step::rodinia ||
               s.fixed_step > 0 || s.time == euler_time::ssp_rk3 || !plain || !packed || !parameters ||
               !up_to_four || has_ends || m.cells() > 90000;
    return false;
}

/// A test of one row.
class flow_row_test : public testing::TestWithParam<row_here> {
protected:
    /// Runs a case on the row; false where the row refuses the case, as it may.
    static bool advance(euler_case& c, index_t iterations) {
        return advance(c, GetParam().where, iterations);
    }
    static bool advance(euler_case& c, const execution& where, index_t iterations) {
        try {
            (void)c.run(where, iterations, GetParam().name);
            ran_ = true;
        } catch (const unsupported_variant& e) {
            EXPECT_TRUE(may_refuse(GetParam().name, c.grid(), c.options())) << e.what();
            return false;
        }
        return true;
    }
    void SetUp() override { ran_ = false; }
    void TearDown() override {
        if (!ran_ && !HasFailure()) GTEST_SKIP() << GetParam().name << " takes none of these cases";
    }

    static inline bool ran_ = false;
};

/// The free stream with waves in it, by centres: so that something happens everywhere.
[[nodiscard]] inline std::vector<euler_state> waves(const mesh& m, const euler_stream& stream) {
    std::vector<euler_state> out(static_cast<std::size_t>(m.cells()), stream.state());
    for (std::size_t i = 0; m.has_centres() && i < out.size(); ++i) {
        const double x = m.centre[3 * i], y = m.centre[3 * i + 1], z = m.centre[3 * i + 2];
        const double swell = 1 + 0.1 * std::sin(1.3 * x + 0.4) * std::cos(0.9 * y - 0.2 + 0.7 * z);
        for (double& v : out[i]) v *= swell;
    }
    return out;
}

[[nodiscard]] inline euler_case begun(const mesh& m, const euler_options& o) {
    euler_case c(m, o);
    c.set_state(waves(c.grid(), o.stream));
    return c;
}

/// Largest difference over the largest magnitude of each variable.
[[nodiscard]] inline double difference(const std::vector<euler_state>& a, const std::vector<euler_state>& b) {
    double worst = 0;
    for (std::size_t v = 0; v < 5; ++v) {
        double most = 0, apart = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            most = std::max(most, std::fabs(b[i][v]));
            apart = std::max(apart, std::fabs(a[i][v] - b[i][v]));
            if (std::isnan(a[i][v]) != std::isnan(b[i][v])) return HUGE_VAL;
        }
        // Momenta across the flow may vanish: beside the whole momentum they are nothing.
        if (v == 2 || v == 3)
            for (const euler_state& s : b) most = std::max(most, std::fabs(s[1]));
        if (apart > 0) worst = std::max(worst, apart / most);
    }
    return worst;
}
/// The most that rows may differ from the reference of the same precision.
[[nodiscard]] inline double tolerance(scalar precision) {
    return precision == scalar::f64 ? 2e-13 : 5e-5;
}

[[nodiscard]] inline euler_options published(scalar precision, double cfl = 0.5) {
    euler_options o;
    o.scheme = euler_scheme::rodinia();
    o.scheme.cfl = cfl;
    o.precision = precision;
    return o;
}

/// Both schemes of a case, for what must hold bit for bit.
[[nodiscard]] inline std::vector<euler_options> both_schemes() {
    euler_options second;
    second.scheme.cfl = 0.5;
    return {published(scalar::f64), published(scalar::f32), second};
}

[[nodiscard]] inline std::string label(const euler_options& o) {
    return std::string(name_of(o.scheme.flux)) + " order " + std::to_string(o.scheme.order) + " " +
           name_of(o.scheme.time) + " " + name_of(o.scheme.step) + " " + name_of(o.precision);
}

}  // namespace wale::agreement
