// Cases in TOML, checkpoints, slices: what the command line's tests cannot see from outside.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <wale/enumerators.hpp>
#include <wale/error.hpp>
#include <wale/euler_file.hpp>
#include <wale/flow_picture.hpp>
#include <wale/image_file.hpp>

#include "unit/thrown.hpp"

namespace wale {
namespace {

euler_setup parsed(const std::string& text) {
    return parse_euler_setup(text, "case");
}

/// Whether a case takes each word of an enumeration in the place of %.
template <class Enum, class Get>
void expect_all_words(std::string text, Get get) {
    const auto at = text.find('%');
    for (const std::string& word : words_of<Enum>()) {
        std::string filled = text;
        filled.replace(at, 1, "\"" + word + "\"");
        EXPECT_EQ(name_of(get(parsed(filled))), word) << filled;
    }
}

TEST(EulerSetup, EveryWordOfAnEnumerationIsTaken) {
    const std::string mesh = "[mesh]\nfile = \"m\"\n", scheme = mesh + "[scheme]\n";
    expect_all_words<euler_flux>(scheme + "flux = %", [](const auto& s) { return s.options.scheme.flux; });
    expect_all_words<euler_limiter>(scheme + "limiter = %",
                                    [](const auto& s) { return s.options.scheme.limiter; });
    expect_all_words<euler_shocks>(scheme + "shocks = %",
                                   [](const auto& s) { return s.options.scheme.shocks; });
    expect_all_words<euler_time>(scheme + "time = %", [](const auto& s) { return s.options.scheme.time; });
    expect_all_words<euler_step>(scheme + "step = %", [](const auto& s) { return s.options.scheme.step; });
    expect_all_words<euler_boundary>(mesh + "[boundary.b]\nkind = %",
                                     [](const auto& s) { return s.options.patches.at(0).kind; });
    expect_all_words<cell_order>(mesh + "order = %", [](const auto& s) { return s.options.order.value(); });
    expect_all_words<euler_start>(mesh + "[run]\nstart = %", [](const auto& s) { return s.start; });
    expect_all_words<euler_quantity>(mesh + "[output]\npicture_of = %",
                                     [](const auto& s) { return s.picture_of; });
    expect_all_words<euler_columns>(mesh + "[output]\nhistory_columns = %",
                                    [](const auto& s) { return s.history_columns; });
}

TEST(EulerSetup, EveryWordArrives) {
    const auto s = parsed(R"(
[mesh]
generate = "bump"
size = 300
shape = "quadrilateral"
order = "hilbert"
[stream]
mach = 0.5
alpha = 1
gamma = 1.3
[scheme]
flux = "roe"
order = 2
limiter = "barth_jespersen"
time = "ssp_rk3"
step = "global"
cfl = 0.7
[boundary]
periodic = [["left", "right"]]
[boundary."odd name"]
kind = "inflow"
density = 2
pressure = 3
velocity = [1, 0, 0]
[run]
precision = "f32"
iterations = 7
stop_decades = 4
[reference]
area = 2.5
moment_centre = [0.25, 0, 0]
[output]
history = "h.csv"
picture_of = "pressure"
)");
    EXPECT_EQ(s.recipe.kind, mesh_kind::bump);
    EXPECT_EQ(s.recipe.size, 300);
    EXPECT_EQ(s.recipe.shape, cell_shape::quadrilateral);
    EXPECT_EQ(s.options.order, cell_order::hilbert);
    EXPECT_EQ(s.options.stream.gamma, 1.3);
    EXPECT_EQ(s.options.stream.density, 1.3) << "so that the speed of sound is 1";
    EXPECT_EQ(s.options.scheme.flux, euler_flux::roe);
    EXPECT_EQ(s.options.scheme.time, euler_time::ssp_rk3);
    ASSERT_EQ(s.options.patches.size(), 1U);
    EXPECT_EQ(s.options.patches[0].name, "odd name");
    EXPECT_EQ((*s.options.patches[0].state)[1], 2);
    EXPECT_DOUBLE_EQ((*s.options.patches[0].state)[4], 3 / (1.3 - 1) + 1);
    EXPECT_EQ(s.options.periodic[0][1], "right");
    EXPECT_EQ(s.options.precision, scalar::f32);
    EXPECT_EQ(s.options.reference_area, 2.5);
    EXPECT_EQ(s.history, "h.csv");
    EXPECT_EQ(s.picture_of, euler_quantity::pressure);
}

TEST(EulerSetup, EndsOfSlowFlowArrive) {
    const auto s = parsed(
        "[mesh]\nfile = 'a'\n[boundary.in]\nkind = 'pressure_inlet'\ntotal_pressure = 1.5\ntotal_temperature "
        "= 2\n"
        "direction = [1, 0, 2]\n[boundary.out]\nkind = 'pressure_outlet'\npressure = 0.75\n");
    ASSERT_EQ(s.options.patches.size(), 2U);
    const euler_patch &in = s.options.patches[0], &out = s.options.patches[1];
    EXPECT_EQ(in.kind, euler_boundary::pressure_inlet);
    EXPECT_EQ(in.total_pressure, 1.5);
    EXPECT_EQ(in.total_temperature, 2);
    EXPECT_EQ(in.direction, (std::array<double, 3>{1, 0, 2}));
    EXPECT_FALSE(in.pressure);
    EXPECT_EQ(out.kind, euler_boundary::pressure_outlet);
    EXPECT_EQ(out.pressure, 0.75);
    const auto t = parsed(
        "[mesh]\nfile = 'a'\n[scheme]\nshocks = 'blended'\n[boundary.in]\nkind = 'mass_inlet'\n"
        "mass_flux = 0.5\ntotal_temperature = 2\n");
    EXPECT_EQ(t.options.scheme.shocks, euler_shocks::blended);
    EXPECT_EQ(t.options.patches[0].kind, euler_boundary::mass_inlet);
    EXPECT_EQ(t.options.patches[0].mass_flux, 0.5);
    EXPECT_EQ(t.options.patches[0].total_temperature, 2);
}

TEST(EulerSetup, LettersOfAnyKindInQuotesAndComments) {
    const auto s = parsed(
        "# fl\xc3\xbcgel\n[mesh]\nfile = \"fl\xc3\xbcgel\\\\.su2\" # \xe2\x9c\x93\n"
        "[boundary.\"gr\xc3\xbcn \\\"\xf0\x9f\x8c\x8a\"]\nkind = 'wall'\n");
    EXPECT_EQ(s.mesh_path, "fl\xc3\xbcgel\\.su2");
    EXPECT_EQ(s.options.patches[0].name, "gr\xc3\xbcn \"\xf0\x9f\x8c\x8a");
}

TEST(EulerSetup, APresetMayBeVaried) {
    const auto s = parsed("[mesh]\nfile = 'a'\n[scheme]\ncfl = 0.25\nname = 'rodinia'\n");
    EXPECT_EQ(s.options.scheme.flux, euler_flux::rodinia);
    EXPECT_EQ(s.options.scheme.step, euler_step::rodinia);
    EXPECT_EQ(s.options.scheme.cfl, 0.25);
}

/// What generate_mesh() makes of a recipe is what a case may ask for.
TEST(EulerSetup, RecipesBeyondTheirBoundsAreRefusedWithTheirLine) {
    const char* const words[] = {"size = 0",         "size = 200000001", "thickness = 0",
                                 "thickness = 1.01", "outer = 1",        "outer = 1000001",
                                 "angle = -0.01",    "angle = 40.01",    "height = -0.001",
                                 "height = 0.81",    "distortion = -1",  "distortion = 0.51"};
    for (const char* kind : {"wedge", "bump", "box", "tube", "shell", "o_grid"}) {
        const std::string head = std::string("[mesh]\ngenerate = '") + kind + "'\n";
        for (const std::string word : words) {
            const std::string expected = "case:3: mesh." + word.substr(0, word.find(' ')) + ": is ";
            EXPECT_EQ(thrown<bad_input>([&] { (void)parsed(head + word); }).substr(0, expected.size()),
                      expected);
        }
        for (const char* shape : {"pyramid", kind == std::string("shell") ? "hexahedron" : "pyramid"}) {
            const std::string text = head + "shape = '" + shape + "'";
            EXPECT_EQ(thrown<bad_input>([&] { (void)parsed(text); }).substr(0, 23),
                      "case:3: mesh.shape: is ");
        }
    }
    for (const char* word : {"around = 9", "around = -2", "around = 6", "outward = 1000001", "outer = 1.9",
                             "section = 12", "shape = 'prism'", "shape = 'tetrahedron'"}) {
        const std::string message =
            thrown<bad_input>([&] { (void)parsed(std::string("[mesh]\ngenerate = 'c_grid'\n") + word); });
        EXPECT_EQ(message.substr(0, 12), "case:3: mesh") << word;
    }
    for (const char* both : {"section = '99'", "around = 100000\noutward = 100000"})
        EXPECT_TRUE(thrown<bad_input>([&] {
                        (void)mesh_of(parsed(std::string("[mesh]\ngenerate = 'o_grid'\n") + both));
                    }).starts_with("case: mesh: recipe."))
            << both;
    for (const char* good : {"angle = 0", "angle = 40", "height = 0", "height = 0.8", "distortion = 0.5",
                             "thickness = 1", "outer = 1.001"})
        for (const char* kind : {"wedge", "bump", "shell"})
            EXPECT_GT(
                mesh_of(parsed(std::string("[mesh]\ngenerate = '") + kind + "'\nsize = 60\n" + good)).cells(),
                0);
}

struct fault {
    const char* text;
    const char* begin;
};

TEST(EulerSetup, MistakesAreRefusedWithTheirLine) {
    const fault faults[] = {
        {"", "case:1: no mesh"},
        {"[mesh", "case:1: "},
        {"mesh = 3", "case:1: mesh: is 3, expected a table"},
        {"[mesh]\nfile = 3", "case:2: mesh.file: is 3, expected a text"},
        {"[mesh]\ngenerate = 'shell'\nsize = 2.5", "case:3: mesh.size: is 2.5, expected a whole number"},
        {"[mesh]\ngenerate = 'shell'\nsize = 99999999999999999999", "case:3: "},
        {"[mesh]\nfile = 'a'\nsize = 5", "case:3: unknown word 'size'"},
        {"[mesh]\ngenerate = 'box'\nrecover = true", "case:1: mesh: recover and open_ends"},
        {"[mesh]\nfile = 'a'\nrecover = 1", "case:3: mesh.recover: is 1, expected true or false"},
        {"[mesh]\nfile = 'a'\n[stream]\nmach = inf", "case:4: stream.mach: is inf, expected a number"},
        {"[mesh]\nfile = 'a'\n[stream]\nmach = 1e-400",
         "case:4: '1e-400', expected a number that float64 holds"},
        {"[mesh]\nfile = 'a'\n[reference]\nmoment_centre = [0.0e0, 0.0,\n  -0.5e-999]",
         "case:5: '-0.5e-999', expected a number"},
        {"[mesh]\nfile = 'a'\n[reference]\nmoment_centre = [true, 0, 0]",
         "case:4: reference.moment_centre: is an array, expected three numbers"},
        {"[mesh]\nfile = 'a'\n[output]\nprobe_points = [[0, 1]]",
         "case:4: output.probe_points: is an array, expected a list of points"},
        {"[mesh]\nfile = 'a'\n[stream]\nmach = true", "case:4: stream.mach: is true, expected a number"},
        {"[mesh]\nfile = 'a'\n[scheme]\norder = 3",
         "case:4: scheme.order: is 3, expected a whole number from 1 to 2"},
        {"[mesh]\nfile = 'a'\n[scheme]\nname = 'x'", "case:4: scheme.name: is 'x', expected rodinia"},
        {"[mesh]\nfile = 'a'\n[boundary.b]\nkind = 'door'",
         "case:4: b.kind: is 'door', expected one of wall"},
        {"[mesh]\nfile = 'a'\n[boundary.\"a\\u001b[31m\"]\nkind = 'x'", "case:4: a\\x1b[31m.kind: "},
        {"[mesh]\nfile = 'a'\n[boundary.inflow]\nvelocity = [1, 0, 0]", "case:3: inflow: expected kind"},
        {"[mesh]\nfile = 'a'\n[boundary.b]\nkind = 'wall'\nvelocity = [1, 0, 0]",
         "case:5: b.velocity: is said of inflow only"},
        {"[mesh]\nfile = 'a'\n[boundary.b]\nkind = 'inflow'\npressure = 2",
         "case:5: b.pressure: expected velocity"},
        {"[mesh]\nfile = 'a'\n[boundary.b]\nkind = 'inflow'\ntotal_pressure = 2",
         "case:5: b.total_pressure: is said of pressure_inlet only"},
        {"[mesh]\nfile = 'a'\n[boundary.b]\nkind = 'pressure_inlet'\npressure = 2",
         "case:5: b.pressure: is said of inflow and pressure_outlet only"},
        {"[mesh]\nfile = 'a'\n[boundary.b]\nkind = 'pressure_outlet'\npressure = 0",
         "case:5: b.pressure: is 0, expected a number"},
        {"[mesh]\nfile = 'a'\n[boundary]\nperiodic = [['a']]", "case:4: boundary.periodic: expected pairs"},
        {"[mesh]\nfile = 'a'\n[run]\nprecision = 'f16'",
         "case:4: run.precision: is 'f16', expected float32 or float64"},
        {"[mesh]\nfile = 'a'\n[reference]\nmoment_centre = [0, 0]",
         "case:4: reference.moment_centre: is an array, expected three"},
        {"[mesh]\nfile = 'a'\n[runs]\n", "case:3: unknown word 'runs'"},
        {"\xef\xbb\xbf", "case:1: no mesh"},
        {"\xef\xbb\xbfmesh = {size1 = 0.0}", "case:1: mesh: expected either"},
        {"\xef\xbb\xbfmesh = {size = 1e-999}", "case:1: '1e-999', expected a number"},
        {"\xef\xbb\xbf\xef\xbb\xbf", "case:1: letters beyond ASCII"},
        {"[mesh]\nfile = 'a'\n\xc3\xbc = 1", "case:3: letters beyond ASCII belong in double quotes"},
        {"[mesh]\nfile = 'fl\xc3\xbcgel'", "case:2: letters beyond ASCII belong in double quotes"},
        {"[mesh]\nfile = \"\xc3(\"", "case:2: is not UTF-8"},
        {"[mesh]\nfile = \"\"\"a\"\"\"", "case:2: texts of several lines"},
    };
    for (const fault& f : faults) {
        SCOPED_TRACE(f.text);
        const std::string said = thrown<bad_input>([&] { (void)parsed(f.text); });
        EXPECT_TRUE(said.starts_with(f.begin)) << said;
    }
}

euler_checkpoint some() {
    euler_checkpoint c{42, 0.125, {{1, 2, 3, 4, 5}, {6, -0.0, 1e-310, 9, 10}}, {}};
    euler_sample s;
    s.iteration = 40;
    s.drag = 0.1;
    s.total[4] = std::numeric_limits<double>::infinity();
    c.history = {s, s};
    return c;
}

std::string bytes_of(const euler_checkpoint& c) {
    const std::string path = testing::TempDir() + "wale_checkpoint_test";
    output_file out(path);
    write_checkpoint(out, c);
    out.commit();
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(EulerCheckpoint, EveryBitComesBack) {
    const auto c = some();
    const auto again = parse_checkpoint(bytes_of(c), "c");
    EXPECT_EQ(again.iteration, 42);
    EXPECT_EQ(again.time, 0.125);
    ASSERT_EQ(again.state.size(), c.state.size());
    EXPECT_EQ(std::memcmp(again.state.data(), c.state.data(), sizeof(euler_state) * 2), 0);
    ASSERT_EQ(again.history.size(), 2U);
    EXPECT_EQ(again.history[1].iteration, 40);
    EXPECT_EQ(again.history[0].drag, 0.1);
    EXPECT_EQ(again.history[0].total[4], c.history[0].total[4]);
}

TEST(EulerCheckpoint, DamageIsRefused) {
    const std::string whole = bytes_of(some());
    for (std::size_t n = 0; n < whole.size(); n += 7)
        EXPECT_THROW((void)parse_checkpoint(whole.substr(0, n), "c"), bad_input);
    EXPECT_THROW((void)parse_checkpoint(whole + "x", "c"), bad_input);
    for (std::size_t i = 64; i < whole.size(); ++i) {
        std::string altered = whole;
        altered[i] = static_cast<char>(altered[i] ^ 4);
        EXPECT_THROW((void)parse_checkpoint(altered, "c"), bad_input) << i;
    }
}

TEST(EulerCheckpoint, IterationsThatCannotBeCountedOnAreRefused) {
    auto c = some();
    c.iteration = std::numeric_limits<index_t>::max();
    EXPECT_THROW((void)parse_checkpoint(bytes_of(c), "c"), bad_input);
}

TEST(FlowPicture, AFlatSquareFillsItsWindow) {
    mesh_elements e;
    e.name = "square";
    e.dimensions = 2;
    e.points = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    e.shapes = {cell_shape::triangle, cell_shape::triangle};
    e.first_corner = {0, 3, 6};
    e.corners = {0, 1, 2, 0, 2, 3};
    const mesh m = build_mesh(e);
    const double values[] = {1, 2};
    const slice s = cut(m, values, {.columns = 40, .rows = 40});
    index_t lower = 0, upper = 0;
    for (const float v : s.values) (v == 1 ? lower : upper) += v == v;
    EXPECT_NEAR(static_cast<double>(lower), 800, 45);
    EXPECT_EQ(lower + upper, 1600) << "no pixel is left out";
    EXPECT_EQ(s.values[39 * 40 + 39], 1) << "lower right";
    EXPECT_EQ(s.values[0], 2) << "upper left";
    const slice other = cut(m, values, {.axis = 0, .columns = 40, .rows = 40});
    EXPECT_EQ(other.values, s.values) << "a flat mesh has one plane";
}

TEST(FlowPicture, ABodyFarFromTheBoundaryIsSeenAlone) {
    const std::vector<std::string> walls{"wall"};
    const auto window = [&](mesh_recipe r) {
        r.shape = cell_shape::quadrilateral;
        return slice_round_walls(generate_mesh(r), walls).window;
    };
    const auto foil = window({.kind = mesh_kind::o_grid, .outer = 10, .around = 24, .outward = 8});
    EXPECT_NEAR(foil[0], -1, 0.1);
    EXPECT_NEAR(foil[1], 2, 0.1);
    EXPECT_NEAR(foil[2], -1, 0.1);
    const std::array<double, 4> whole{};
    EXPECT_EQ(window({.kind = mesh_kind::o_grid, .outer = 2, .around = 24, .outward = 8}), foil);
    EXPECT_EQ(window({.kind = mesh_kind::bump, .size = 200}), whole) << "a channel";
    const mesh channel = generate_mesh({.kind = mesh_kind::bump, .size = 200, .shape = cell_shape::triangle});
    EXPECT_EQ(slice_round_walls(channel, {}).window, whole) << "no walls";
}

TEST(FlowPicture, ABarOfColoursStandsBesideHighPictures) {
    for (const index_t rows : {100, 200}) {
        slice s{.columns = 50, .rows = rows, .values = {}};
        for (index_t i = 0; i < 50 * rows; ++i) s.values.push_back(static_cast<float>(i % 50));
        const std::string path = testing::TempDir() + "bar" + std::to_string(rows) + ".png";
        output_file out(path);
        write_coloured(out, s);
        out.commit();
        const auto red = read_image(path, {.colour = colour_rule::channel});
        std::filesystem::remove(path);
        ASSERT_EQ(red.shape.rows, rows);
        ASSERT_EQ(red.shape.columns, rows == 200 ? 50 + 180 : 50);
        if (rows < 200) continue;
        const auto at = [&](index_t column, index_t row) {
            return static_cast<const std::uint8_t*>(red.pixels.data())[row * 230 + column];
        };
        EXPECT_EQ(at(49, 0), 140) << "the greatest value";
        EXPECT_EQ(at(0, 0), 33) << "the least";
        EXPECT_EQ(at(50 + 12 + 5, 12), 140) << "head of the bar";
        EXPECT_EQ(at(50 + 12 + 5, 200 - 12 - 1), 33) << "its foot";
        EXPECT_EQ(at(50 + 5, 100), 255) << "margin";
        EXPECT_EQ(at(50 + 12 + 20 + 2, 12), 0) << "a tick";
        int ink = 0;
        for (index_t row = 0; row < 40; ++row)
            for (index_t column = 92; column < 230; ++column) ink += at(column, row) == 0;
        EXPECT_EQ(ink, (9 + 12) * 9) << "49, of nine and of twelve dots of 3 by 3 pixels";
    }
}

/// Dark pixels of a row (or a column) of a picture, each run of them once.
index_t marks(const image_file_data& picture, index_t row, index_t column, index_t length, bool downwards) {
    const auto* pixels = static_cast<const std::uint8_t*>(picture.pixels.data());
    index_t found = 0;
    for (bool before = false; length > 0; --length, downwards ? ++row : ++column) {
        const bool dark = pixels[row * picture.shape.columns + column] < 50;
        found += dark && !before;
        before = dark;
    }
    return found;
}

TEST(PlotPicture, AxesHaveRoundNumbers) {
    const std::string path = testing::TempDir() + "wale_plot.png";
    {
        output_file out(path);
        const plot_panel panel{
            .curves = {{.name = "a", .x = {0, 10}, .y = {0, 4}}}, .x_name = "x", .y_name = "y"};
        write_plot(out, {&panel, 1});
        out.commit();
    }
    const image_file_data picture = read_image(path, {.colour = colour_rule::luminance});
    // From -0.5 to 10.5 by 2, and from -0.2 to 4.2 by 1.
    EXPECT_EQ(marks(picture, 480 - 50 + 3, 100, 830, false), 6);
    EXPECT_EQ(marks(picture, 40, 110 - 3, 390, true), 5);
}

TEST(FlowPicture, APlaneThroughABoxSeesItsCells) {
    const mesh m = generate_mesh({.kind = mesh_kind::box, .size = 1000, .shape = cell_shape::tetrahedron});
    std::vector<double> x;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m.cells()); ++i) x.push_back(m.centre[3 * i]);
    const slice s = cut(m, x, {.axis = 1, .at = 0.3, .columns = 50, .rows = 50});
    for (std::size_t p = 0; p < s.values.size(); ++p) {
        ASSERT_FALSE(std::isnan(s.values[p])) << p;
        const double at = -5 + 10 * (static_cast<double>(p % 50) + 0.5) / 50;
        EXPECT_NEAR(s.values[p], at, 2.5) << p;
    }
    EXPECT_THROW((void)cut(m, std::vector<double>(3), {}), bad_argument);
}

}  // namespace
}  // namespace wale
