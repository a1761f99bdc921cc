// mesh_generate_test - generators: sizes, extents, patches; sections where NACA has them; what is refused.
#include <cmath>
#include <numbers>
#include <set>
#include <wale/error.hpp>

#include "sound_mesh.hpp"
#include "thrown.hpp"

namespace wale {
namespace {

TEST(mesh_generate, shells_have_the_sizes_of_the_figures) {
    const mesh m = generate_mesh({.size = 97200});
    EXPECT_EQ(m.cells(), 97200);
    expect_sound(m);
    const double exact = 4 * std::numbers::pi / 3 * (1000 - 0.12);
    EXPECT_NEAR(total(m.volume) / exact, 1, 0.01);
    EXPECT_EQ(m.patches, (std::vector<std::string>{"wall", "farfield"}));
    const mesh_report r = inspect(m);
    EXPECT_EQ(r.patch_faces, (std::vector<index_t>{8 * 15 * 15, 8 * 15 * 15}));
    EXPECT_NEAR(r.area_factor, 1, 1e-12);
}

struct extent {
    mesh_kind kind;
    double area, volume;  // of the plane and the space form
    std::set<std::string> flat_patches, patches;
};

TEST(mesh_generate, every_kind_of_every_shape) {
    const double ramp = 0.5 * std::tan(10 * std::numbers::pi / 180);
    const double hill = 0.1 * 128 / 315;  // of (1 - 4 x^2)^4, from -1/2 to 1/2
    const std::vector<extent> extents{
        {mesh_kind::box,
         100,
         1000,
         {"left", "right", "bottom", "top"},
         {"left", "right", "bottom", "top", "front", "back"}},
        {mesh_kind::wedge,
         1.5 - ramp,
         0.25 * (1.5 - ramp),
         {"inflow", "outflow", "symmetry", "wall"},
         {"inflow", "outflow", "symmetry", "wall"}},
        {mesh_kind::bump,
         3 - hill,
         0.25 * (3 - hill),
         {"inflow", "outflow", "wall", "top"},
         {"inflow", "outflow", "wall", "top", "sides"}},
        {mesh_kind::tube, 1e-3, 1e-6, {"left", "right", "sides"}, {"left", "right", "sides"}}};
    for (const extent& x : extents)
        for (const cell_shape s : {cell_shape::triangle, cell_shape::quadrilateral, cell_shape::tetrahedron,
                                   cell_shape::prism, cell_shape::hexahedron}) {
            SCOPED_TRACE(std::string(name_of(x.kind)) + " of " + name_of(s));
            const bool flat = dimensions_of(s) == 2;
            const mesh m = generate_mesh({.kind = x.kind, .size = 1000, .shape = s});
            expect_sound(m);
            EXPECT_EQ(m.dimensions, flat ? 2 : 3);
            EXPECT_NEAR(total(m.volume) / (flat ? x.area : x.volume), 1,
                        x.kind == mesh_kind::bump ? 1e-2 : 1e-12);
            EXPECT_EQ(std::set(m.patches.begin(), m.patches.end()), flat ? x.flat_patches : x.patches);
            for (const index_t faces : inspect(m).patch_faces) EXPECT_GT(faces, 0);
            EXPECT_NEAR(static_cast<double>(m.cells()), 1000, x.kind == mesh_kind::tube ? 5000 : 350);
        }
}

TEST(mesh_generate, distorted_meshes_are_sound_and_repeatable) {
    for (const mesh_recipe& r :
         {mesh_recipe{.size = 5000, .distortion = 0.3},
          mesh_recipe{.size = 5000, .distortion = 0.5, .shuffled = true},
          mesh_recipe{
              .kind = mesh_kind::box, .size = 900, .shape = cell_shape::quadrilateral, .distortion = 0.5},
          mesh_recipe{
              .kind = mesh_kind::box, .size = 1000, .shape = cell_shape::hexahedron, .distortion = 0.4},
          mesh_recipe{.kind = mesh_kind::box, .size = 1000, .shape = cell_shape::prism, .distortion = 0.4}}) {
        const mesh m = generate_mesh(r), again = generate_mesh(r);
        expect_sound(m);
        EXPECT_EQ(m.points, again.points);
        EXPECT_EQ(m.neighbour, again.neighbour);
        mesh_recipe smooth = r, other = r;
        smooth.distortion = 0;
        other.seed = 2;
        EXPECT_NE(m.points, generate_mesh(smooth).points);
        EXPECT_NE(m.points, generate_mesh(other).points);
        EXPECT_NEAR(total(m.volume) / total(generate_mesh(smooth).volume), 1, 1e-12) << "the boundary stays";
    }
}

/// The area of a closed section of thickness 1 between y = 0 and the upper side, of chord 1.
constexpr double half_section = 5 * (0.2969 * 2 / 3 - 0.1260 / 2 - 0.3516 / 3 + 0.2843 / 4 - 0.1036 / 5);

TEST(mesh_generate, grids_round_sections) {
    for (const mesh_kind kind : {mesh_kind::o_grid, mesh_kind::c_grid})
        for (const char* section : {"0012", "0001", "2412", "0040", "9840", "6115", "9220"})
            for (const cell_shape s : {cell_shape::triangle, cell_shape::quadrilateral}) {
                SCOPED_TRACE(std::string(name_of(kind)) + " " + section + " of " + name_of(s));
                const mesh m = generate_mesh(
                    {.kind = kind, .shape = s, .outer = 20, .section = section, .around = 80, .outward = 30});
                expect_sound(m);
                const bool c_grid = kind == mesh_kind::c_grid;
                EXPECT_EQ(m.cells(), (c_grid ? 140 : 80) * 30 * (s == cell_shape::triangle ? 2 : 1));
                EXPECT_EQ(m.patches, (std::vector<std::string>{"wall", "farfield"}));
                const mesh_report r = inspect(m);
                EXPECT_EQ(r.verdict, "");
                EXPECT_EQ(r.parts, 1);
                EXPECT_EQ(r.patch_faces, (std::vector<index_t>{80, c_grid ? 200 : 80}));
                EXPECT_LT(r.gauss, 1e-10);
                // A circle with 80 corners nearly; two parabolas with the focus in the nose.
                const double whole = c_grid ? 16.0 / 3 * 20 * 20 : std::numbers::pi * 20 * 20;
                EXPECT_NEAR(r.volume / whole, 1, 0.05);
            }
}

TEST(mesh_generate, sections_are_where_naca_has_them) {
    const mesh m = generate_mesh({.kind = mesh_kind::o_grid,
                                  .shape = cell_shape::quadrilateral,
                                  .section = "2412",
                                  .around = 400,
                                  .outward = 4});
    double area = 0;
    std::vector<double> sides;  // at 30% of the chord
    for (std::size_t i = 0; i < 400; ++i) {
        const double* a = &m.points[3 * i];
        const double* b = &m.points[3 * ((i + 1) % 400)];
        area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
        if ((a[0] < 0.3) != (b[0] < 0.3))
            sides.push_back(a[1] + (b[1] - a[1]) * (0.3 - a[0]) / (b[0] - a[0]));
    }
    EXPECT_NEAR(area, 2 * 0.12 * half_section, 1e-4);
    ASSERT_EQ(sides.size(), 2u);
    EXPECT_NEAR(sides[0], 0.0788, 1e-4) << "Abbott, von Doenhoff 1959: 7.88% and -4.12%";
    EXPECT_NEAR(sides[1], -0.0412, 1e-4);
    const auto same = [](const char* section, double mirrored) {
        const mesh up = generate_mesh({.kind = mesh_kind::c_grid,
                                       .shape = cell_shape::quadrilateral,
                                       .section = section,
                                       .around = 20,
                                       .outward = 6});
        double difference = 0;
        for (index_t i = 0; i < 20; ++i) {  // of the wall, from one trailing edge to the other
            const auto p = static_cast<std::size_t>(6 + i), q = static_cast<std::size_t>(6 + (20 - i) % 20);
            difference =
                std::max(difference, std::abs(up.points[3 * p + 1] - mirrored * up.points[3 * q + 1]));
        }
        return difference;
    };
    EXPECT_EQ(same("0012", -1), 0) << "mirrored to the last bit";
    EXPECT_GT(same("2412", -1), 0.01);
}

TEST(mesh_generate, grids_round_sections_are_smooth) {
    for (const mesh_kind kind : {mesh_kind::o_grid, mesh_kind::c_grid}) {
        const mesh_report r =
            inspect(generate_mesh({.kind = kind, .size = 8000, .shape = cell_shape::quadrilateral}));
        EXPECT_NEAR(static_cast<double>(r.cells), 8000, 200);
        EXPECT_LT(r.largest_angle, 10) << name_of(kind);
        EXPECT_LT(r.mean_angle, 3) << name_of(kind);
        EXPECT_LT(r.volume_ratio, kind == mesh_kind::o_grid ? 6 : 1.5) << name_of(kind);
        EXPECT_GE(r.worst_angle, 0);
    }
}

TEST(mesh_generate, refuses_what_makes_no_sense) {
    const auto refusal = [](const mesh_recipe& r) {
        return thrown<bad_argument>([&] { (void)generate_mesh(r); });
    };
    EXPECT_NE(refusal({.size = 0}).find("recipe.size"), std::string::npos);
    EXPECT_NE(refusal({.size = 300'000'000}).find("recipe.size"), std::string::npos);
    EXPECT_NE(refusal({.shape = cell_shape::prism}).find("recipe.shape"), std::string::npos);
    EXPECT_NE(refusal({.kind = mesh_kind::box, .shape = cell_shape::pyramid}).find("pyramids"),
              std::string::npos);
    EXPECT_NE(refusal({.thickness = 0}).find("thickness"), std::string::npos);
    EXPECT_NE(refusal({.outer = NAN}).find("outer"), std::string::npos);
    EXPECT_NE(refusal({.angle = 50}).find("angle"), std::string::npos);
    EXPECT_NE(refusal({.height = 1}).find("height"), std::string::npos);
    EXPECT_NE(refusal({.distortion = -0.1}).find("distortion"), std::string::npos);
    constexpr mesh_kind ring = mesh_kind::o_grid;
    constexpr cell_shape flat = cell_shape::triangle;
    for (const char* section : {"", "001", "00120", "001x", "0000", "0041", "2012", "0412", "-112"})
        EXPECT_NE(refusal({.kind = ring, .shape = flat, .section = section}).find("recipe.section"),
                  std::string::npos)
            << section;
    for (const index_t around : {-2, 7, 9, 6, 1'000'002})
        EXPECT_NE(refusal({.kind = ring, .shape = flat, .around = around}).find("recipe.around"),
                  std::string::npos);
    EXPECT_NE(refusal({.kind = ring, .shape = flat, .outward = -1}).find("recipe.outward"),
              std::string::npos);
    EXPECT_NE(refusal({.kind = ring, .shape = flat, .around = 100'000, .outward = 100'000}).find("size"),
              std::string::npos);
    EXPECT_NE(refusal({.kind = ring, .shape = flat, .outer = 1.5}).find("recipe.outer"), std::string::npos);
    EXPECT_NE(refusal({.kind = ring, .shape = cell_shape::prism}).find("recipe.shape"), std::string::npos);
}

}  // namespace
}  // namespace wale
