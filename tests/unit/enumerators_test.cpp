// enumerators_test - a number that a cast has made an enumerator is refused before a table is indexed with
// it.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>
#include <wale/enumerators.hpp>
#include <wale/wale.hpp>

#include "thrown.hpp"

namespace wale {
namespace {

/// Calls with the numbers before the first and behind the last enumerator; both are refused.
template <class Enum, class F>
void expect_refused(const std::string& name, Enum last, const F& call) {
    for (const int number : {-1, static_cast<int>(last) + 1}) {
        const auto odd = static_cast<Enum>(number);  // of an unsigned type, -1 is the largest number
        expect_thrown<bad_argument>(name + ": is enumerator " + std::to_string(static_cast<int>(odd)) + ",",
                                    [&] { call(odd); });
    }
}

TEST(Enumerators, Wavefront) {
    std::array<std::int32_t, 4> cells{};
    const matrix_view<std::int32_t> table(cells.data(), extents<2>{{2, 2}});
    expect_refused("options.kind", recurrence::summed_area,
                   [&](recurrence k) { (void)wavefront_fill(on_cpu{}, "ab", "cd", table, {.kind = k}); });
    expect_refused("options.cost", dtw_cost::squared,
                   [&](dtw_cost c) { (void)wavefront_fill(on_cpu{}, "ab", "cd", table, {.cost = c}); });
    expect_refused("options.mode", alignment_mode::local,
                   [](alignment_mode m) { (void)align(on_cpu{}, "ab", "cd", {.mode = m}); });
    expect_refused("options.task", alignment_task::path,
                   [](alignment_task t) { (void)align(on_cpu{}, "ab", "cd", {.task = t}); });
    expect_refused("options.mode", infix_mode::prefix,
                   [](infix_mode m) { (void)infix_align(on_cpu{}, "ab", "cd", {.mode = m}); });
    expect_refused("options.task", infix_task::path,
                   [](infix_task t) { (void)infix_align(on_cpu{}, "ab", "cd", {.task = t}); });
    const std::vector<double> x{1, 2};
    expect_refused("options.cost", dtw_cost::squared,
                   [&](dtw_cost c) { (void)warping_path<double>(on_cpu{}, x, x, 1, {.cost = c}); });
}

TEST(Enumerators, Images) {
    std::array<std::uint8_t, 4> pixels{}, answer{};
    const auto call = [&](const reconstruction_options& o, pixel type) {
        const_image_view image(view<const std::uint8_t, 2>(pixels.data(), {2, 2}));
        image_view out(view<std::uint8_t, 2>(answer.data(), {2, 2}));
        image.type = out.type = type;
        (void)reconstruct(on_cpu{}, image, image, out, o);
    };
    expect_refused("options.method", reconstruction_method::erosion,
                   [&](reconstruction_method m) { call({.method = m}, pixel::u8); });
    expect_refused("options.beyond", marker_beyond::clamp,
                   [&](marker_beyond b) { call({.beyond = b}, pixel::u8); });
    expect_refused("marker.type", pixel::f64, [&](pixel p) { call({}, p); });
    expect_refused("options.stack", stack_rule::images,
                   [](stack_rule r) { (void)parse_image("", "image", {.stack = r}); });
}

TEST(Enumerators, Matrices) {
    std::array<double, 4> a{1, 0, 0, 1}, b{1, 0, 0, 1}, x{};
    std::array<std::int32_t, 2> pivots{};
    const matrices m(view<double, 2>(a.data(), {2, 2}));
    expect_refused("options.pivoting", pivoting::tournament, [&](pivoting p) {
        (void)lu_factor(on_cpu{}, m, {.pivots = pivots.data()}, {.pivoting = p});
    });
    const auto factor = [&](const matrices& odd) {
        (void)lu_factor(on_cpu{}, odd, {.pivots = pivots.data()});
    };
    expect_refused("a.type", scalar::c128, [&](scalar s) {
        matrices odd = m;
        odd.type = s;
        factor(odd);
    });
    expect_refused("a.order", storage_order::column_major, [&](storage_order o) {
        matrices odd = m;
        odd.order = o;
        factor(odd);
    });
    expect_refused("options.precision", factor_precision::f64, [&](factor_precision p) {
        (void)lu_solve_refined(on_cpu{}, m, matrices(view<double, 2>(b.data(), {2, 2})),
                               matrices(view<double, 2>(x.data(), {2, 2})), {.precision = p});
    });
}

TEST(Enumerators, Systems) {
    std::array<double, 2> numbers{1, 1}, answer{};
    const auto solve = [&](const tridiagonal_options& o, scalar type, vector_layout layout) {
        vector_shape shape = vector_shape::flat(scalar::f64, 2);
        shape.type = type;
        shape.layout = layout;
        const const_vectors v(numbers.data(), shape);
        const vectors x(answer.data(), shape);
        (void)tridiagonal_solve(on_cpu{}, v, v, v, v, x, o);
    };
    expect_refused("options.pivoting", pivoting::tournament,
                   [&](pivoting p) { solve({.pivoting = p}, scalar::f64, vector_layout::flat); });
    expect_refused("lower.type", scalar::c128, [&](scalar s) { solve({}, s, vector_layout::flat); });
    expect_refused("lower.layout", vector_layout::unified,
                   [&](vector_layout l) { solve({}, scalar::f64, l); });
    expect_refused("options.method", cable_method::sdirk2, [](cable_method m) {
        cable_model model;
        model.compartments = {{.parent = -1, .area = 100}};
        cable_options o;
        o.method = m;
        (void)cable(model, o);
    });
}

TEST(Enumerators, Flows) {
    expect_refused("recipe.kind", mesh_kind::c_grid, [](mesh_kind k) { (void)generate_mesh({.kind = k}); });
    expect_refused("recipe.shape", cell_shape::hexahedron,
                   [](cell_shape s) { (void)generate_mesh({.kind = mesh_kind::box, .shape = s}); });
    const mesh box = generate_mesh({.kind = mesh_kind::box, .size = 30});
    expect_refused("order_cells.o", cell_order::hilbert, [&](cell_order o) { (void)order_cells(box, o); });
    expect_refused("partition.method", partition_method::bisection,
                   [&](partition_method m) { (void)partition(box, 2, m); });
    const auto with = [&](const auto& set) {
        euler_options o;
        set(o);
        (void)euler_case(box, o);
    };
    expect_refused("scheme.flux", euler_flux::roe,
                   [&](euler_flux f) { with([&](euler_options& o) { o.scheme.flux = f; }); });
    expect_refused("scheme.limiter", euler_limiter::automatic,
                   [&](euler_limiter l) { with([&](euler_options& o) { o.scheme.limiter = l; }); });
    expect_refused("scheme.time", euler_time::automatic,
                   [&](euler_time t) { with([&](euler_options& o) { o.scheme.time = t; }); });
    expect_refused("scheme.step", euler_step::rodinia,
                   [&](euler_step s) { with([&](euler_options& o) { o.scheme.step = s; }); });
    expect_refused("patches.kind", euler_boundary::vortex_far_field, [&](euler_boundary b) {
        with([&](euler_options& o) { o.patches = {{.name = "wall", .kind = b}}; });
    });
}

TEST(Enumerators, Memory) {
    expect_refused("memory.space", memory_space::device, [](memory_space s) { const memory m(8, s); });
}

}  // namespace
}  // namespace wale
