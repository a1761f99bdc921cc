// swc_file_test - what is read, what is refused and in which words, and that what was written reads the same.
#include "unit/thrown.hpp"

#include <cmath>
#include <filesystem>
#include <wale/wale.hpp>

namespace wale {
namespace {

using std::string_literals::operator""s;

std::string refused(const std::string& text, const swc_options& o = {}) {
    return thrown<bad_input>([&] { (void)parse_swc(text, "f", o); });
}

TEST(swc_file, reads_points_comments_and_line_ends) {
    const swc_tree t = parse_swc(
        "\xef\xbb\xbf# a cell\r\n\r\n 1 1 0 0 0 5.5 -1 \r\n# more\n10 3 1e1 -2.5 +3 .25 1\n7 4 0 0 1 1 10"s,
        "f");
    ASSERT_EQ(t.points.size(), 3u);
    EXPECT_EQ(t.points[0].radius, 5.5);
    EXPECT_EQ(t.points[0].parent, -1);
    EXPECT_EQ(t.points[1].number, 10);
    EXPECT_EQ(t.points[1].y, -2.5);
    EXPECT_EQ(t.points[1].z, 3);
    EXPECT_EQ(t.points[1].parent, 0);
    EXPECT_EQ(t.points[1].line, 5);
    EXPECT_EQ(t.points[2].parent, 1);
    EXPECT_EQ(t.points[2].type, 4);
    EXPECT_EQ(t.place_of(2), "f:6");
}

TEST(swc_file, puts_parents_first) {
    const swc_tree t = parse_swc("5 3 0 0 0 1 2\n2 3 1 0 0 1 9\n4 3 2 0 0 1 9\n9 1 3 0 0 1 -1\n", "f");
    std::vector<std::int64_t> numbers;
    for (const swc_point& p : t.points) numbers.push_back(p.number);
    EXPECT_EQ(numbers, (std::vector<std::int64_t>{9, 2, 5, 4}));
    EXPECT_EQ(t.points[2].parent, 1);
    EXPECT_EQ(t.points[3].parent, 0);
}

TEST(swc_file, reads_the_habits_of_other_programs) {
    const swc_tree t = parse_swc(
        "1.0\t1.000\t0\t0\t0\t5\t-1.0  # soma\r\n"
        "2 12 5 0 0 1 1.0 0.5 name 7\n"
        "3 0 9 0 0 1 2#end\n"
        "\t4 3 9 1 0 1 2\t\n",
        "f");
    ASSERT_EQ(t.points.size(), 4u);
    EXPECT_EQ(t.points[0].type, swc_point::soma);
    EXPECT_EQ(t.points[1].type, 12);
    EXPECT_EQ(t.points[1].parent, 0);
    EXPECT_EQ(t.points[2].parent, 1);
    EXPECT_EQ(t.points[3].line, 4);
    EXPECT_EQ(t.thickened, 0);
    EXPECT_EQ(parse_swc("# old\r1 1 0 0 0 5 -1\r\r2 3 9 0 0 1 1 # tip\r", "f").points.size(), 2u);
    EXPECT_NE(refused("1 1 0 0 0 1 -1.5\n").find("'-1.5', expected the parent's number"), std::string::npos);
    EXPECT_NE(refused("1. 1 0 0 0 1 #\n").find("expected the parent's number"), std::string::npos);
}

TEST(swc_file, gives_points_of_radius_0_a_radius) {
    // 2 begins at the soma, 4 follows 3, 6 is an end under another name, 5 keeps its own.
    const swc_tree t = parse_swc(
        "1 1 0 0 0 8 -1\n2 3 9 0 0 0 1\n3 3 12 0 0 0.5 2\n4 3 15 0 0 0 3\n5 3 18 0 0 0.25 4\n"
        "6 6 21 0 0 0 5\n7 1 0 1 0 0 1\n",
        "f");
    std::vector<double> radii;
    for (const swc_point& p : t.points) radii.push_back(p.radius);
    EXPECT_EQ(radii, (std::vector<double>{8, 0.25, 0.5, 0.5, 0.25, 0.25, 8}));
    EXPECT_EQ(t.thickened, 4);
    EXPECT_EQ(t.first_thickened, 2);
    const swc_tree root = parse_swc("1 3 0 0 0 0 -1\n2 3 9 0 0 0.5 1\n", "f");
    EXPECT_EQ(root.points[0].radius, 0.5);
    EXPECT_EQ(cable_model(root).sections.size(), 1u);
}

TEST(swc_file, refuses_damage_with_its_line) {
    EXPECT_EQ(refused(""), "f: has no points, expected an SWC tree");
    EXPECT_EQ(refused("# nothing\n"), "f: has no points, expected an SWC tree");
    EXPECT_EQ(refused("1 1 0 0 0 1 -1\n1 3 1 0 0 1 1\n"), "f:2: point 1 stands here again, first in line 1");
    EXPECT_EQ(refused("1 1 0 0 0 1 -1\n\n2 3 1 0 0 1 7\n"), "f:3: parent 7 is no point of this file");
    EXPECT_EQ(refused("1 1 0 0 0 1 -1\n2 1 0 0 0 1 -1\n"),
              "f:2: a second root, the first is in line 1; expected one tree");
    EXPECT_EQ(refused("1 1 0 0 0 1 -1\n2 3 0 0 0 1 3\n3 3 0 0 0 1 2\n"),
              "f:2: point 2 is among its own ancestors (a cycle)");
    EXPECT_EQ(refused("1 1 0 0 0 1 1\n"), "f:1: point 1 is among its own ancestors (a cycle)");
    EXPECT_EQ(refused("1 1 0 0 0 0 -1\n"),
              "f:1: radius 0, expected at least one point of the file with a positive radius");
    EXPECT_EQ(refused("1 1 0 0 0 -2 -1\n"), "f:1: radius -2, expected 0 or more");
    EXPECT_NE(refused("1 1 0 0 0 1\n").find("f:1: the line ends"), std::string::npos);
    EXPECT_NE(refused("1 1 0 0 0 1").find("f:1: the file ends"), std::string::npos);
    EXPECT_NE(refused("1 1 0 nan 0 1 -1\n").find("f:1: 'nan', expected a finite number"), std::string::npos);
    EXPECT_NE(refused("1 1 0 1e99 0 1 -1\n").find("f:1: y is beyond"), std::string::npos);
    EXPECT_NE(refused("1 1.5 0 0 0 1 -1\n").find("f:1: '1.5', expected a point's type"), std::string::npos);
    EXPECT_NE(refused("1 1 0 0 0 1 -2\n").find("f:1: '-2', expected the parent's number"), std::string::npos);
    EXPECT_NE(refused("99999999999999999999 1 0 0 0 1 -1\n").find("f:1: '9999"), std::string::npos);
    EXPECT_EQ(refused("1 1 0 0 0 1 -1\n2 3 0 0 0 1 1\n", {.max_points = 1}),
              "f:2: more points than the limit of 1");
    EXPECT_NE(refused("\x1b[2J").find("'\\x1b[2J'"), std::string::npos);
}

TEST(swc_file, reads_what_it_writes) {
    const swc_tree grown = grow_neuron({.seed = 3, .levels = 3});
    const std::string path = (std::filesystem::path(testing::TempDir()) / "grown.swc").string();
    output_file out(path);
    write_swc(out, grown);
    out.commit();
    const swc_tree again = read_swc(path);
    ASSERT_EQ(again.points.size(), grown.points.size());
    for (std::size_t i = 0; i < grown.points.size(); ++i) {
        const swc_point &a = grown.points[i], &b = again.points[i];
        EXPECT_EQ(std::tuple(a.type, a.x, a.y, a.z, a.radius, a.parent),
                  std::tuple(b.type, b.x, b.y, b.z, b.radius, b.parent));
    }
    std::filesystem::remove(path);
    EXPECT_NE(thrown<cannot_open>([&] { (void)read_swc(path); }).find("No such file"), std::string::npos);
}

TEST(swc_growth, the_same_seed_gives_the_same_neuron) {
    const swc_tree a = grow_neuron({.seed = 5}), b = grow_neuron({.seed = 5}), c = grow_neuron({.seed = 6});
    ASSERT_EQ(a.points.size(), b.points.size());
    EXPECT_EQ(a.points.back().x, b.points.back().x);
    EXPECT_NE(a.points.back().x, c.points.back().x);
    EXPECT_NE(thrown<bad_argument>([] { (void)grow_neuron({.levels = -1}); }).find("levels"),
              std::string::npos);
    for (const neuron_options& o :
         {neuron_options{.stems = 1000, .levels = 20}, neuron_options{.step = 1e-300, .length = 1e5}})
        EXPECT_NE(thrown<bad_argument>([&] { (void)grow_neuron(o); }).find("2^31 points"), std::string::npos);
}

TEST(cable_contract, refuses_what_makes_no_sense) {
    const cable_model model(grow_neuron({.levels = 1}));
    const auto refusal = [&](auto&& change) {
        cable_options o;
        o.cells = 2;
        change(o);
        return thrown<bad_argument>([&] { cable c(model, o); });
    };
    EXPECT_NE(refusal([](auto& o) { o.cells = -1; }).find("options.cells: is -1"), std::string::npos);
    EXPECT_NE(refusal([](auto& o) { o.dt = 0; }).find("options.dt"), std::string::npos);
    EXPECT_NE(refusal([](auto& o) { o.dt = NAN; }).find("options.dt"), std::string::npos);
    EXPECT_NE(refusal([](auto& o) { o.sample_every = 0; }).find("options.sample_every"), std::string::npos);
    EXPECT_NE(refusal([](auto& o) {
                  o.probes = {{2, 0}};
              }).find("options.probes: cell: is 2"),
              std::string::npos);
    EXPECT_NE(refusal([](auto& o) {
                  o.clamps = {{0, -1, 0, 1, 1}};
              }).find("options.clamps: compartment"),
              std::string::npos);
    EXPECT_NE(refusal([](auto& o) { o.membranes.resize(3); }).find("options.membranes: has 3 sets"),
              std::string::npos);
    EXPECT_NE(refusal([](auto& o) { o.membranes[0][2].capacitance = 0; }).find("capacitance"),
              std::string::npos);
    EXPECT_NE(refusal([](auto& o) {
                  o.membranes.resize(2);
                  o.membranes[1][0].hodgkin_huxley = true;
              }).find("channels in all or in none"),
              std::string::npos);
    const auto refused_model = [](std::vector<cable_compartment> all) {
        return thrown<bad_argument>([&] { cable c(cable_model(std::move(all)), {}); });
    };
    EXPECT_NE(refused_model({}).find("no membrane"), std::string::npos);
    EXPECT_NE(refused_model({{-1, {}, 0, 0, 0, 0}}).find("no membrane"), std::string::npos);
    EXPECT_NE(refused_model({{-1, {}, 1, 0, 0, 0}, {1, {}, 1, 1, 0, 0}}).find("compartments[1].parent"),
              std::string::npos);
    EXPECT_NE(refused_model({{-1, {}, 1, 0, 0, 0}, {0, {}, 1, 0, 0, 0}}).find("compartments[1].axial"),
              std::string::npos);
    EXPECT_NE(thrown<bad_argument>([] { cable_model m(grow_neuron(), {.d_lambda = 0}); }).find("d_lambda"),
              std::string::npos);
    EXPECT_NE(
        thrown<bad_input>([] {
            cable_model m(parse_swc("1 1 0 0 0 1 -1\n2 3 5 0 0 1 1\n3 3 5 0 0 1 2\n4 3 9 0 0 1 2\n", "f"));
        }).find("f:3: a branch without length"),
        std::string::npos);
    cable c(model, {});
    EXPECT_NE(thrown<bad_argument>([&] { (void)c.run(on_cpu{}, -1); }).find("steps: is -1"),
              std::string::npos);
    EXPECT_NE(thrown<bad_argument>([&] { c.reset(std::vector<double>(3)); }).find("voltages: has 3"),
              std::string::npos);
    EXPECT_NE(thrown<unsupported_variant>([&] { (void)c.run(on_cpu{}, 1, "best"); }).find("cpu/lanes"),
              std::string::npos);
}

}  // namespace
}  // namespace wale
