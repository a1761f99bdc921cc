// mesh_tools_test - checks that find what is wrong, numberings, partitions, corners recovered.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <wale/error.hpp>
#include <wale/mesh_tools.hpp>

#include "base/vec.hpp"
#include "mesh/hilbert.hpp"
#include "thrown.hpp"

namespace wale {
namespace {

using base::length;
using base::load;
using base::vec;

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

mesh small_shell() {
    return generate_mesh({.size = 3000, .shuffled = true});
}

TEST(mesh_inspect, finds_what_was_spoilt) {
    const mesh good = small_shell();
    EXPECT_EQ(inspect(good).verdict, "");
    const auto spoilt = [&](const auto& change) {
        mesh m = good;
        change(m);
        return inspect(m);
    };
    mesh_report r = spoilt([](mesh& m) { m.volume[7] = 0; });
    EXPECT_EQ(r.verdict, "1 volumes that are not positive, such as cell 7");
    EXPECT_EQ(spoilt([](mesh& m) { m.volume[7] = NAN; }).first_not_positive, 7);
    r = spoilt([](mesh& m) { m.normal[12 * 9] *= 1.001; });
    EXPECT_GE(r.open_cells, 1);
    EXPECT_EQ(r.worst_open, 9);
    EXPECT_EQ(spoilt([](mesh& m) { m.normal[12 * 9] = NAN; }).worst_open, 9);
    const index_t inner =
        std::find_if(good.neighbour.begin(), good.neighbour.end(), [](auto n) { return n >= 0; }) -
        good.neighbour.begin();
    for (const std::int32_t wrong :
         {static_cast<std::int32_t>(good.cells()), std::int32_t{2147483647}, std::int32_t{0}}) {
        r = spoilt([&](mesh& m) { m.neighbour[at(inner)] = wrong; });
        EXPECT_EQ(r.not_mutual, 2) << "and the old neighbour";
        EXPECT_NE(r.verdict.find("neighbour does not have them"), std::string::npos);
    }
    EXPECT_EQ(spoilt([&](mesh& m) { m.opposite[at(inner)] ^= 1; }).not_mutual, 2);
    EXPECT_EQ(spoilt([&](mesh& m) { m.opposite[at(inner)] = 200; }).not_mutual, 2);
    EXPECT_EQ(spoilt([&](mesh& m) {
                  m.neighbour[at(inner)] = static_cast<std::int32_t>(inner / 4);
              }).self_neighbours,
              1);
    r = spoilt([](mesh& m) {
        for (double& n : m.normal) n *= 2;
    });
    EXPECT_EQ(r.verdict, "");
    EXPECT_NEAR(r.area_factor, 2, 1e-12);
}

TEST(mesh_inspect, sees_pieces_and_distances) {
    mesh m = generate_mesh({.kind = mesh_kind::tube, .size = 50, .shape = cell_shape::quadrilateral});
    mesh_report r = inspect(m);
    EXPECT_EQ(r.bandwidth, 1);
    EXPECT_EQ(r.mean_distance, 1);
    EXPECT_EQ(r.inner_faces, 49);
    EXPECT_EQ(r.parts, 1);
    for (std::int32_t& n : m.neighbour)
        if (n == 20 || n == 21) n = -1;  // cells 20 and 21 alone, their neighbours closed towards them
    for (const index_t c : {20, 21})
        for (index_t row = 4 * c; row < 4 * c + 4; ++row) m.neighbour[at(row)] = -1;
    r = inspect(m);
    EXPECT_EQ(r.parts, 4);
    EXPECT_EQ(r.verdict, "");
}

TEST(mesh_inspect, measures_angles_and_ratios) {
    mesh_elements e;
    e.dimensions = 2;
    e.points = {0, 0, 0, 1, 0, 0, 4, 0, 0, 0, 1, 0, 1, 1, 0, 4, 1, 0};  // squares of sides 1 and 3
    e.shapes = {cell_shape::quadrilateral, cell_shape::quadrilateral};
    e.corners = {0, 1, 4, 3, 1, 2, 5, 4};
    e.first_corner = {0, 4, 8};
    EXPECT_NEAR(inspect(build_mesh(e)).largest_angle, 0, 1e-5);
    EXPECT_DOUBLE_EQ(inspect(build_mesh(e)).volume_ratio, 3);
    e.points[3 * 4] = 2;  // the common face leans by 45 degrees
    const mesh m = build_mesh(e);
    const mesh_report r = inspect(m);
    const vec apart = load(m.centre.data(), 1) - load(m.centre.data(), 0);
    const double expected = 45 + std::atan2(apart.y, apart.x) * 180 / std::acos(-1.0);
    EXPECT_NEAR(r.largest_angle, expected, 1e-9);
    EXPECT_NEAR(r.mean_angle, expected, 1e-9);
    EXPECT_EQ(inspect({}).largest_angle, -1);
}

bool is_permutation(std::vector<std::int32_t> order, index_t cells) {
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i)
        if (order[i] != static_cast<std::int32_t>(i)) return false;
    return std::ssize(order) == cells;
}

TEST(mesh_order, every_order_is_a_permutation_and_repeatable) {
    const mesh m = small_shell();
    for (const cell_order o :
         {cell_order::natural, cell_order::random, cell_order::reverse_cuthill_mckee, cell_order::hilbert}) {
        SCOPED_TRACE(name_of(o));
        const std::vector<std::int32_t> order = order_cells(m, o, 5);
        EXPECT_TRUE(is_permutation(order, m.cells()));
        EXPECT_EQ(order, order_cells(m, o, 5));
        const mesh moved = renumbered(m, order);
        EXPECT_EQ(inspect(moved).verdict, "");
        EXPECT_EQ(inspect(moved).reciprocity, 0);
        for (index_t i = 0; i < m.cells(); ++i) {
            const index_t old = order[at(i)];
            EXPECT_EQ(moved.volume[at(i)], m.volume[at(old)]);
            for (index_t f = 0; f < 4; ++f) {
                EXPECT_EQ(moved.normal[at(3 * (4 * i + f))], m.normal[at(3 * (4 * old + f))])
                    << "rows keep their order";
                EXPECT_EQ(moved.corners[at(4 * i + f)], m.corners[at(4 * old + f)]);
            }
        }
    }
    EXPECT_NE(order_cells(m, cell_order::random, 5), order_cells(m, cell_order::random, 6));
}

TEST(mesh_order, good_orders_bring_neighbours_together) {
    const mesh m = small_shell();
    const auto distances = [&](cell_order o) { return inspect(renumbered(m, order_cells(m, o))); };
    EXPECT_LT(distances(cell_order::reverse_cuthill_mckee).bandwidth, m.cells() / 5);
    EXPECT_LT(distances(cell_order::hilbert).mean_distance, static_cast<double>(m.cells()) / 15);
    EXPECT_GT(inspect(m).mean_distance, static_cast<double>(m.cells()) / 4) << "shuffled";
    const mesh tube = generate_mesh(
        {.kind = mesh_kind::tube, .size = 500, .shape = cell_shape::quadrilateral, .shuffled = true});
    EXPECT_EQ(inspect(renumbered(tube, order_cells(tube, cell_order::reverse_cuthill_mckee))).bandwidth, 1);
}

TEST(mesh_order, mixed_shapes_and_nothing_are_renumbered_too) {
    mesh_elements e;
    e.dimensions = 2;
    e.points = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0};
    e.shapes = {cell_shape::quadrilateral, cell_shape::triangle};
    e.corners = {0, 1, 2, 3, 1, 4, 2};
    e.first_corner = {0, 4, 7};
    const mesh m = renumbered(build_mesh(e), std::vector<std::int32_t>{1, 0});
    EXPECT_EQ(m.first_face, (std::vector<index_t>{0, 3, 7}));
    EXPECT_EQ(m.corners, (std::vector<std::int32_t>{1, 4, 2, 0, 1, 2, 3}));
    EXPECT_EQ(inspect(m).verdict, "");
    const mesh none = renumbered({}, {});
    EXPECT_EQ(none.cells(), 0);
    for (const cell_order o : {cell_order::random, cell_order::reverse_cuthill_mckee})
        EXPECT_TRUE(order_cells(none, o).empty());
}

TEST(mesh_order, refuses_what_is_no_order) {
    const mesh m = generate_mesh({.kind = mesh_kind::tube, .size = 3, .shape = cell_shape::quadrilateral});
    const auto refusal = [&](const std::vector<std::int32_t>& order) {
        return thrown<bad_argument>([&] { (void)renumbered(m, order); });
    };
    EXPECT_EQ(refusal({0, 1}), "order: has 2 cells, expected 3");
    EXPECT_EQ(refusal({0, 1, 1}), "order: element 2 is 1, expected each of 0 to 2 once");
    EXPECT_EQ(refusal({0, 1, 3}), "order: element 2 is 3, expected each of 0 to 2 once");
    EXPECT_EQ(refusal({0, -1, 1}), "order: element 1 is -1, expected each of 0 to 2 once");
    mesh blind = m;
    blind.centre.clear();
    EXPECT_NE(thrown<bad_argument>([&] { (void)order_cells(blind, cell_order::hilbert); }).find("centres"),
              std::string::npos);
}

TEST(mesh_hilbert, cells_in_one_place_keep_their_order) {
    mesh m = generate_mesh({.kind = mesh_kind::box, .size = 60, .shape = cell_shape::quadrilateral});
    std::fill(m.centre.begin(), m.centre.end(), 1.0);
    const std::vector<std::int32_t> order = order_cells(m, cell_order::hilbert);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    EXPECT_GT(order.size(), 20u);
}

TEST(mesh_hilbert, the_curve_steps_from_place_to_place) {
    for (const int dimensions : {2, 3}) {
        const index_t n = 8;
        std::vector<double> places;
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j)
                for (index_t k = 0; k < (dimensions == 3 ? n : 1); ++k)
                    places.insert(places.end(),
                                  {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
        const std::vector<std::uint64_t> keys = meshes::hilbert_keys(places, dimensions);
        std::vector<index_t> order(keys.size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(),
                  [&](index_t a, index_t b) { return keys[at(a)] < keys[at(b)]; });
        for (std::size_t i = 1; i < order.size(); ++i)
            EXPECT_EQ(length(load(places.data(), order[i]) - load(places.data(), order[i - 1])), 1);
    }
    EXPECT_EQ(meshes::hilbert_keys(std::vector<double>{0, 0, 0, NAN, 0, 0, 1, 1, 1}, 3)[1],
              ~std::uint64_t{0});
}

index_t faces_cut(const mesh& m, const std::vector<std::int32_t>& part) {
    index_t cut = 0;
    for (index_t c = 0; c < m.cells(); ++c)
        for (index_t r = m.first_face[at(c)]; r < m.first_face[at(c + 1)]; ++r)
            if (!is_patch(m.neighbour[at(r)])) cut += part[at(c)] != part[at(m.neighbour[at(r)])];
    return cut / 2;
}

TEST(mesh_partition, parts_are_balanced_and_few_faces_are_cut) {
    const mesh m = generate_mesh({.size = 20000, .shuffled = true});
    for (const partition_method method : {partition_method::automatic, partition_method::bisection})
        for (const int parts : {1, 2, 3, 4, 7, 16}) {
            SCOPED_TRACE(parts);
            const std::vector<std::int32_t> part = partition(m, parts, method);
            ASSERT_EQ(std::ssize(part), m.cells());
            EXPECT_EQ(part, partition(m, parts, method));
            std::vector<index_t> sizes(at(parts), 0);
            for (const std::int32_t p : part) {
                ASSERT_GE(p, 0);
                ASSERT_LT(p, parts);
                ++sizes[at(p)];
            }
            for (const index_t size : sizes)
                EXPECT_LE(static_cast<double>(size), 1.03 * static_cast<double>(m.cells()) / parts);
            EXPECT_LT(faces_cut(m, part), 1000 * (parts - 1) + 1);
        }
}

TEST(mesh_partition, pieces_and_little_meshes) {
    mesh m = generate_mesh({.kind = mesh_kind::tube, .size = 10, .shape = cell_shape::quadrilateral});
    for (const partition_method method : {partition_method::automatic, partition_method::bisection}) {
        EXPECT_EQ(faces_cut(m, partition(m, 2, method)), 1);
        std::vector<std::int32_t> part = partition(m, 10, method);
        std::sort(part.begin(), part.end());
        EXPECT_EQ(part, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
        EXPECT_EQ(std::ssize(partition(m, 30, method)), 10);
        EXPECT_TRUE(partition({}, 4, method).empty());
    }
    for (std::int32_t& n : m.neighbour) n = -1;  // ten pieces
    std::vector<std::int32_t> part = partition(m, 5, partition_method::bisection);
    std::sort(part.begin(), part.end());
    EXPECT_EQ(part, (std::vector<std::int32_t>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}));
    EXPECT_EQ(thrown<bad_argument>([&] { (void)partition(m, 0); }), "parts: is 0, expected 1 or more");
}

mesh without_points(const mesh& m) {
    mesh bare = m;
    bare.points.clear();
    bare.shapes.clear();
    bare.first_corner.clear();
    bare.corners.clear();
    bare.centre.clear();
    bare.face_offset.clear();
    return bare;
}

/// Largest distance between places of the same cells, in edges, once both are shifted to one middle.
double distance(const mesh& a, const mesh& b) {
    const auto middle = [](const mesh& m) {
        vec sum;
        for (index_t c = 0; c < m.cells(); ++c) sum = sum + load(m.centre.data(), c);
        return (1 / static_cast<double>(m.cells())) * sum;
    };
    const vec shift = middle(b) - middle(a);
    double worst = 0;
    for (index_t i = 0; i < std::ssize(a.corners); ++i) {
        const vec p = load(a.points.data(), a.corners[at(i)]), q = load(b.points.data(), b.corners[at(i)]);
        worst = std::max(worst, length(p + shift - q) / std::cbrt(a.volume[at(i / 4)]));
    }
    return worst;
}

TEST(mesh_recover, finds_the_corners_that_the_generator_knows) {
    for (const mesh_recipe& r : {mesh_recipe{.size = 24}, mesh_recipe{.size = 20000},
                                 mesh_recipe{.size = 20000, .distortion = 0.3, .shuffled = true},
                                 mesh_recipe{.kind = mesh_kind::bump, .size = 3000}}) {
        const mesh truth = generate_mesh(r);
        mesh m = without_points(truth);
        const recovery found = recover_points(m);
        EXPECT_EQ(found.pieces, 1);
        EXPECT_LE(found.mismatch, 1e-9);
        EXPECT_EQ(m.points.size(), truth.points.size());
        EXPECT_LE(distance(m, truth), 1e-9);
        EXPECT_EQ(m.neighbour, truth.neighbour) << "rows stay as they are where they run the right way round";
        const mesh_report report = inspect(m);
        EXPECT_EQ(report.verdict, "");
        EXPECT_LE(report.gauss, 1e-9);
    }
}

/// As fvcorr has it.
double of_seven_digits(double v) {
    if (v == 0) return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(v))) - 6);
    return std::round(v / unit) * unit;
}

TEST(mesh_recover, seven_digits_give_five) {
    const mesh truth = generate_mesh({.size = 50000, .distortion = 0.2});
    mesh m = without_points(truth);
    for (double& n : m.normal) n = of_seven_digits(n);
    for (double& v : m.volume) v = of_seven_digits(v);
    const recovery found = recover_points(m);
    EXPECT_LE(found.mismatch, 1e-5);
    EXPECT_LE(distance(m, truth), 1e-5);
    EXPECT_EQ(m.points.size(), truth.points.size());
}

TEST(mesh_recover, faces_may_run_either_way_round) {
    const mesh truth = small_shell();
    mesh m = without_points(truth);
    for (index_t c = 0; c < m.cells();
         c += 2) {  // as in genuine files: faces 0 and 3 of every other cell change places
        for (index_t k = 0; k < 3; ++k) std::swap(m.normal[at(12 * c + k)], m.normal[at(12 * c + 9 + k)]);
        std::swap(m.neighbour[at(4 * c)], m.neighbour[at(4 * c + 3)]);
        std::swap(m.opposite[at(4 * c)], m.opposite[at(4 * c + 3)]);
    }
    for (std::size_t row = 0; row < m.opposite.size(); ++row)
        if (!is_patch(m.neighbour[row]) && m.neighbour[row] % 2 == 0 &&
            (m.opposite[row] == 0 || m.opposite[row] == 3))
            m.opposite[row] = static_cast<std::uint8_t>(3 - m.opposite[row]);
    ASSERT_EQ(inspect(m).verdict, "");
    EXPECT_LE(recover_points(m).mismatch, 1e-9);
    EXPECT_EQ(inspect(m).verdict, "");
    mesh_elements e;  // VTK's order: no cell has to be turned
    e.points = m.points;
    e.shapes = m.shapes;
    e.first_corner = m.first_corner;
    e.corners = m.corners;
    const mesh rebuilt = build_mesh(e);
    EXPECT_EQ(rebuilt.corners, m.corners);
    for (std::size_t i = 0; i < m.normal.size(); ++i) EXPECT_NEAR(rebuilt.normal[i], m.normal[i], 1e-8);
}

TEST(mesh_recover, pieces_are_glued_by_themselves) {
    mesh m = generate_mesh({.size = 24});
    for (std::int32_t& n : m.neighbour)
        if (!is_patch(n)) n = -1;
    EXPECT_EQ(recover_points(m).pieces, 24);
    EXPECT_EQ(m.points.size(), 3u * 96);
    mesh none = without_points(m);
    none = mesh{};
    EXPECT_EQ(recover_points(none).pieces, 0);
}

TEST(mesh_recover, refuses_what_it_cannot_glue) {
    const auto refusal = [](mesh m) { return thrown<bad_argument>([&] { (void)recover_points(m); }); };
    EXPECT_NE(refusal(generate_mesh({.kind = mesh_kind::box, .size = 8, .shape = cell_shape::hexahedron}))
                  .find("4 faces"),
              std::string::npos);
    EXPECT_NE(refusal(generate_mesh({.kind = mesh_kind::box, .size = 8, .shape = cell_shape::triangle}))
                  .find("2 dimensions"),
              std::string::npos);
    mesh open = generate_mesh({.size = 24});
    open.normal[0] *= 1.01;
    EXPECT_EQ(refusal(open), "mesh: cell 0 has faces that do not close");
    mesh flat = generate_mesh({.size = 24});
    for (std::size_t i = 0; i < 12; ++i) flat.normal[i] = i % 3 == 0 ? (i < 6 ? 1 : -1) : 0;
    EXPECT_EQ(refusal(flat), "mesh: cell 0 is flat");
    mesh dangling = generate_mesh({.size = 24});
    dangling.neighbour[5] = 24;
    EXPECT_EQ(refusal(dangling), "mesh: cell 1 has a neighbour that does not exist");
}

TEST(mesh_places, are_found_by_points_and_by_centroids) {
    for (const cell_shape shape : {cell_shape::triangle, cell_shape::tetrahedron, cell_shape::hexahedron}) {
        const mesh m =
            generate_mesh({.kind = mesh_kind::box, .size = 500, .shape = shape, .distortion = 0.2});
        std::vector<std::array<double, 3>> points;
        for (index_t c = 0; c < m.cells(); ++c)
            points.push_back({m.centre[at(3 * c)], m.centre[at(3 * c + 1)], m.centre[at(3 * c + 2)]});
        std::vector<index_t> all(at(m.cells()));
        std::iota(all.begin(), all.end(), 0);
        EXPECT_EQ(cells_at(m, points), all);
        EXPECT_EQ(nearest_cells(m, m), all);
        points = {{5.1, 0, 0}, {0, -7, 0}};
        EXPECT_EQ(cells_at(m, points), (std::vector<index_t>{-1, -1}));
    }
    const mesh coarse =
        generate_mesh({.kind = mesh_kind::box, .size = 200, .shape = cell_shape::quadrilateral});
    const mesh fine = generate_mesh({.kind = mesh_kind::box, .size = 900, .shape = cell_shape::triangle});
    const std::vector<index_t> found = nearest_cells(coarse, fine);
    for (index_t f = 0; f < fine.cells(); ++f) {
        const auto away = [&](index_t c) {
            return std::hypot(coarse.centre[at(3 * c)] - fine.centre[at(3 * f)],
                              coarse.centre[at(3 * c + 1)] - fine.centre[at(3 * f + 1)]);
        };
        for (index_t c = 0; c < coarse.cells(); ++c) ASSERT_LE(away(found[at(f)]), away(c));
    }
    mesh bare = coarse;
    bare.centre.clear();
    EXPECT_THROW((void)nearest_cells(bare, fine), bad_argument);
}

}  // namespace
}  // namespace wale
