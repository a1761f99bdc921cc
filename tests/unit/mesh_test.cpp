// mesh_test - cells from corners: faces, neighbours, areas and volumes; defects with their line.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <wale/error.hpp>
#include <wale/mesh_tools.hpp>

#include "base/vec.hpp"
#include "sound_mesh.hpp"
#include "thrown.hpp"

namespace wale {
namespace {

using base::dot;
using base::length;
using base::load;
using base::vec;

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

/// Corners of one cell of each shape, volume known.
struct sample {
    cell_shape shape;
    std::vector<double> points;
    double volume;
};
const std::vector<sample>& samples() {
    static const std::vector<sample> all{
        {cell_shape::triangle, {0, 0, 0, 2, 0, 0, 0, 1, 0}, 1},
        {cell_shape::quadrilateral, {0, 0, 0, 2, 0, 0, 3, 1, 0, 0, 1, 0}, 2.5},
        {cell_shape::tetrahedron, {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3}, 1},
        {cell_shape::pyramid, {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.3, 0.4, 3}, 1},
        {cell_shape::prism, {0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 4, 2, 0, 4, 0, 1, 4}, 4},
        {cell_shape::hexahedron, {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 2, 1, 0, 2, 1, 1, 2, 0, 1, 2}, 2},
    };
    return all;
}

mesh_elements single(const sample& s, double turn = 0) {
    mesh_elements e;
    e.name = "f.su2";
    e.dimensions = dimensions_of(s.shape);
    e.points = s.points;
    for (std::size_t i = 0; i < e.points.size(); i += 3) {  // no plane parallel to an axis
        const double x = e.points[i], y = e.points[i + 1];
        e.points[i] = std::cos(turn) * x - std::sin(turn) * y + 7;
        e.points[i + 1] = std::sin(turn) * x + std::cos(turn) * y - 3;
    }
    e.shapes = {s.shape};
    for (int k = 0; k < corners_of(s.shape); ++k) e.corners.push_back(k);
    e.first_corner.push_back(corners_of(s.shape));
    return e;
}

TEST(mesh_shapes, faces_close_and_volumes_are_known) {
    for (const sample& s : samples()) {
        SCOPED_TRACE(name_of(s.shape));
        const mesh m = build_mesh(single(s, 0.3));
        ASSERT_EQ(m.rows(), faces_of(s.shape));
        EXPECT_NEAR(m.volume[0], s.volume, 1e-14);
        EXPECT_EQ(m.patches, std::vector<std::string>{"unnamed"});
        expect_sound(m);
        for (index_t r = 0; r < m.rows(); ++r) {
            EXPECT_EQ(m.neighbour[at(r)], -1);
            EXPECT_GT(dot(load(m.normal.data(), r), load(m.face_offset.data(), r)), 0) << "outward";
        }
    }
}

TEST(mesh_shapes, a_simplex_face_is_opposite_its_corner) {
    for (const cell_shape s : {cell_shape::triangle, cell_shape::tetrahedron})
        for (int f = 0; f < faces_of(s); ++f) {
            const face_corners face = corners_of_face(s, f);
            EXPECT_EQ(face.count, corners_of(s) - 1);
            for (int k = 0; k < face.count; ++k) EXPECT_NE(face.at[at(k)], f);
        }
}

TEST(mesh_shapes, every_edge_belongs_to_two_faces_that_run_against_each_other) {
    for (const sample& s : samples()) {
        if (dimensions_of(s.shape) == 2) continue;
        std::map<std::pair<int, int>, int> edges;
        for (int f = 0; f < faces_of(s.shape); ++f) {
            const face_corners face = corners_of_face(s.shape, f);
            for (int k = 0; k < face.count; ++k) ++edges[{face.at[at(k)], face.at[at((k + 1) % face.count)]}];
        }
        for (const auto& [edge, count] : edges) {
            EXPECT_EQ(count, 1) << name_of(s.shape);
            EXPECT_TRUE(edges.count({edge.second, edge.first})) << name_of(s.shape);
        }
    }
}

TEST(mesh_build, corners_the_wrong_way_round_are_turned) {
    for (const sample& s : samples()) {
        SCOPED_TRACE(name_of(s.shape));
        mesh_elements e = single(s);
        for (std::size_t i = 0; i < e.points.size(); i += 3) e.points[i] = -e.points[i];  // a mirror
        const mesh m = build_mesh(e);
        EXPECT_NEAR(m.volume[0], s.volume, 1e-14);
        EXPECT_NE(m.corners, e.corners);
        expect_sound(m);
        EXPECT_EQ(build_mesh(single(s)).corners, single(s).corners);
    }
}

TEST(mesh_build, centroids) {
    const mesh tetrahedron = build_mesh(single(samples()[2]));
    EXPECT_NEAR(tetrahedron.centre[0], 7.25, 1e-14);
    EXPECT_NEAR(tetrahedron.centre[1], -2.5, 1e-14);
    EXPECT_NEAR(tetrahedron.centre[2], 0.75, 1e-14);
    const mesh pyramid = build_mesh(single(samples()[3]));
    EXPECT_NEAR(pyramid.centre[2], 0.75, 1e-14) << "a quarter of the height";
    const mesh quadrilateral = build_mesh(single(samples()[1]));
    EXPECT_NEAR(quadrilateral.centre[0], 7 + 19.0 / 15, 1e-14);
}

/// A cube of two prisms, a hexahedron on one side and a pyramid on another.
mesh_elements mixed() {
    mesh_elements e;
    e.name = "f.su2";
    e.points = {0,   0,  0,  1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1,  // a cube
                2,   0,  0,  2, 1, 0, 2, 0, 1, 2, 1, 1,  // another one beside it
                0.5, -1, 0.5};                           // an apex
    e.shapes = {cell_shape::prism, cell_shape::prism, cell_shape::hexahedron, cell_shape::pyramid};
    e.corners = {0, 1, 2, 4, 5, 6, 0, 2, 3, 4, 6, 7, 1, 8, 9, 2, 5, 10, 11, 6, 0, 1, 5, 4, 12};
    e.first_corner = {0, 6, 12, 20, 25};
    e.patches = {{.name = "far", .first_corner = {0, 4}, .corners = {8, 9, 11, 10}, .line = {31}},
                 {.name = "tip", .first_corner = {0, 3}, .corners = {12, 5, 4}, .line = {41}}};
    e.line = {11, 12, 13, 14};
    return e;
}

TEST(mesh_build, shapes_meet) {
    const mesh m = build_mesh(mixed());
    expect_sound(m);
    EXPECT_NEAR(total(m.volume), 2 + 1.0 / 3, 1e-14);
    EXPECT_EQ(m.patches, (std::vector<std::string>{"far", "tip", "unnamed"}));
    EXPECT_EQ(m.patch("tip"), 1);
    EXPECT_EQ(m.patch("top"), -1);
    const mesh_report r = inspect(m);
    EXPECT_EQ(r.inner_faces, 3);
    EXPECT_EQ(r.patch_faces, (std::vector<index_t>{1, 1, 5 + 5 + 6 + 5 - 6 - 2}));
    EXPECT_NEAR(r.patch_area[0], 1, 1e-15);
    for (index_t c = 0; c < m.cells(); ++c)
        for (index_t row = m.first_face[at(c)]; row < m.first_face[at(c + 1)]; ++row)
            if (!is_patch(m.neighbour[at(row)])) {
                const index_t back = m.first_face[at(m.neighbour[at(row)])] + m.opposite[at(row)];
                EXPECT_EQ(m.neighbour[at(back)], c);
                EXPECT_EQ(m.first_face[at(c)] + m.opposite[at(back)], row);
            }
}

TEST(mesh_build, no_cells_are_a_mesh) {
    const mesh m = build_mesh({});
    EXPECT_EQ(m.cells(), 0);
    EXPECT_EQ(m.rows(), 0);
    EXPECT_TRUE(m.patches.empty());
    EXPECT_EQ(inspect(m).verdict, "");
}

template <class Change>
std::string refused(Change change) {
    mesh_elements e = mixed();
    change(e);
    return thrown<bad_input>([&] { (void)build_mesh(e); });
}

TEST(mesh_build, defects_are_refused_with_their_line) {
    EXPECT_EQ(refused([](auto& e) { e.corners[24] = 13; }),
              "f.su2:14: cell 3: corner 13, expected a point from 0 to 12");
    EXPECT_EQ(refused([](auto& e) { e.corners[24] = -1; }),
              "f.su2:14: cell 3: corner -1, expected a point from 0 to 12");
    EXPECT_EQ(refused([](auto& e) { e.corners[24] = 0; }), "f.su2:14: cell 3: point 0 is a corner twice");
    EXPECT_NE(refused([](auto& e) { e.points[37] = 0; }).find("f.su2:14: cell 3: volume 0"),
              std::string::npos);
    EXPECT_NE(refused([](auto& e) { e.points[37] = NAN; }).find("point 12: a coordinate is not finite"),
              std::string::npos);
    EXPECT_EQ(refused([](auto& e) { e.shapes[0] = cell_shape::pyramid; }),
              "f.su2:11: cell 0: a pyramid with 6 corners in 3 dimensions");
    EXPECT_EQ(refused([](auto& e) { e.dimensions = 2; }),
              "f.su2:11: cell 0: a prism with 6 corners in 2 dimensions");
    EXPECT_NE(refused([](auto& e) { e.first_corner[1] = 7; }).find("f.su2:11: cell 0: a prism with 7"),
              std::string::npos);
    EXPECT_NE(refused([](auto& e) { e.first_corner.pop_back(); }).find("first_corner"), std::string::npos);
    EXPECT_EQ(refused([](auto& e) {
                  e.patches[0].corners = {0, 1, 5, 4};
              }),
              "f.su2:31: element 0 of a patch: lies between cells 0 and 3");
    EXPECT_EQ(refused([](auto& e) {
                  e.patches[0].corners = {0, 1, 2, 12};
              }),
              "f.su2:31: element 0 of a patch: is no face of a cell");
    EXPECT_EQ(refused([](auto& e) {
                  e.patches[0].corners = {8, 9, 10, 11};
              }),
              "f.su2:31: element 0 of a patch: is no face of a cell")
        << "the same corners, but not round the face";
    EXPECT_EQ(refused([](auto& e) {
                  e.patches[0].corners = {4, 5, 12};
                  e.patches[0].first_corner = {0, 3};
              }),
              "f.su2:41: element 0 of a patch: is claimed twice");
}

TEST(mesh_build, a_face_of_three_cells_and_cells_that_overlap_are_refused) {
    mesh_elements e;
    e.name = "f";
    e.points = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0.1, 0.1, 2};
    e.shapes.assign(3, cell_shape::tetrahedron);
    e.corners = {0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 2, 5};
    e.first_corner = {0, 4, 8, 12};
    e.line = {5, 6, 7};
    EXPECT_EQ(thrown<bad_input>([&] { (void)build_mesh(e); }),
              "f:7: cell 2: face 3 is a third cell's, the first is cell 0");
    e.shapes.pop_back();
    e.corners = {0, 1, 2, 3, 0, 1, 2, 5};
    e.first_corner.pop_back();
    e.line.pop_back();
    EXPECT_EQ(thrown<bad_input>([&] { (void)build_mesh(e); }),
              "f:6: cell 1: face 3 has the cell on the same side as cell 0");
}

/// Threads share cells and points; the defect that is shown is the first all the same.
TEST(mesh_build, of_many_defects_the_first_is_shown) {
    const mesh m = generate_mesh({.kind = mesh_kind::bump, .size = 60000, .shape = cell_shape::triangle});
    mesh_elements good;
    good.name = "f";
    good.dimensions = 2;
    good.points = m.points;
    good.shapes = m.shapes;
    good.first_corner = m.first_corner;
    good.corners = m.corners;
    const mesh again = build_mesh(good);
    EXPECT_EQ(again.opposite, m.opposite);
    EXPECT_TRUE(std::ranges::equal(again.neighbour, m.neighbour, [](std::int32_t a, std::int32_t b) {
        return is_patch(a) ? is_patch(b) : a == b;
    }));
    const auto refused = [](const mesh_elements& e) {
        return thrown<bad_input>([&] { (void)build_mesh(e); });
    };
    mesh_elements e = good;
    for (const std::size_t cell : {59000U, 31000U, 31001U}) e.corners[3 * cell] = -1;
    EXPECT_EQ(refused(e), "f: cell 31000: corner -1, expected a point from 0 to " +
                              std::to_string(m.points.size() / 3 - 1));
    e = good;
    for (const std::size_t cell : {59000U, 30000U, 7U})
        for (std::size_t i = 0; i < 3; ++i)
            e.points[3 * static_cast<std::size_t>(e.corners[3 * cell + i]) + 1] = 0.5;
    EXPECT_EQ(refused(e).find("f: cell 7: volume 0"), 0U);
    e = good;
    for (const std::size_t cell : {50000U, 100U}) {  // both stand there twice
        e.shapes.push_back(cell_shape::triangle);
        for (std::size_t i = 0; i < 3; ++i) e.corners.push_back(m.corners[3 * cell + i]);
        e.first_corner.push_back(std::ssize(e.corners));
    }
    const std::int32_t beside = m.neighbour[3 * 50000];
    ASSERT_GE(beside, 0);
    EXPECT_EQ(refused(e), "f: cell " + std::to_string(m.cells()) +
                              ": face 0 is a third cell's, the first is cell " +
                              std::to_string(std::min(beside, 50000)));
}

TEST(mesh_periodic, a_box_closes_on_itself) {
    for (const cell_shape s : {cell_shape::triangle, cell_shape::quadrilateral, cell_shape::tetrahedron,
                               cell_shape::prism, cell_shape::hexahedron}) {
        SCOPED_TRACE(name_of(s));
        mesh m = generate_mesh({.kind = mesh_kind::box, .size = 700, .shape = s, .distortion = 0.2});
        join_periodic(m, "left", "right");
        EXPECT_LE(inspect(m).gauss, 1e-12) << "joined on one side only";
        join_periodic(m, "top", "bottom");
        if (m.dimensions == 3) join_periodic(m, "front", "back");
        const mesh_report r = inspect(m);
        EXPECT_EQ(r.verdict, "");
        EXPECT_LE(r.reciprocity, 1e-13);
        EXPECT_LE(r.gauss, 1e-12);
        EXPECT_EQ(2 * r.inner_faces, r.rows);
        EXPECT_EQ(r.patch_faces, std::vector<index_t>(m.patches.size(), 0));
        // A neighbour's centre is the own face's, less the neighbour's offset to it: across the seam too.
        for (index_t row = 0; row < m.rows(); ++row) {
            const index_t back = m.first_face[at(m.neighbour[at(row)])] + m.opposite[at(row)];
            const vec step = load(m.face_offset.data(), row) - load(m.face_offset.data(), back);
            EXPECT_GT(dot(step, load(m.normal.data(), row)), 0);
            EXPECT_LT(length(step), 4);
        }
    }
}

TEST(mesh_periodic, refuses_patches_that_do_not_fit) {
    const mesh box = generate_mesh({.kind = mesh_kind::box, .size = 100, .shape = cell_shape::quadrilateral});
    const auto refusal = [](mesh m, const char* a, const char* b) {
        return thrown<bad_input>([&] { join_periodic(m, a, b); });
    };
    EXPECT_NE(refusal(box, "left", "top").find("no partner"), std::string::npos);
    const mesh ramp =
        generate_mesh({.kind = mesh_kind::wedge, .size = 600, .shape = cell_shape::quadrilateral});
    EXPECT_NE(refusal(ramp, "wall", "symmetry").find("faces, expected as many"), std::string::npos);
    const mesh slab = generate_mesh({.kind = mesh_kind::box, .size = 1, .shape = cell_shape::quadrilateral});
    EXPECT_NE(refusal(slab, "left", "right").find("its own neighbour"), std::string::npos);
    mesh m = box;
    EXPECT_NE(thrown<bad_argument>([&] { join_periodic(m, "left", "nowhere"); }).find("'nowhere'"),
              std::string::npos);
    EXPECT_NE(thrown<bad_argument>([&] { join_periodic(m, "left", "left"); }).find("another patch"),
              std::string::npos);
    m.centre.clear();
    EXPECT_NE(thrown<bad_argument>([&] { join_periodic(m, "left", "right"); }).find("no coordinates"),
              std::string::npos);
}

}  // namespace
}  // namespace wale
