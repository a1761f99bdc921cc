// mesh_formats_test - SU2, Wale's cache and VTU.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <wale/error.hpp>

#include "unit/mesh_files.hpp"
#include "unit/thrown.hpp"

namespace {

using namespace wale;

// A square of two triangles beside one quadrilateral.
constexpr const char* square =
    "% made by hand\nNDIME= 2   % two\r\n\nNELEM=3\n5 0 1 4 0\n5\t0 4 3\n9 1 2 5 4 2\n"
    "NPOIN= 6 6\n0 0 0\n1 0 1\n2 0\n0 1\n1 1.0E0\n2 1D0 5\n"
    "FFD_NBOX= 1\n1 2 3 of a box\nNMARK= 3\nMARKER_TAG= low er\nMARKER_ELEMS= 2\n3 0 1\n3 1 2 7\n"
    "marker_tag = rest\nMARKER_ELEMS= 4\n3 2 5\n3 5 4\n3 4 3\n3 3 0\n"
    "MARKER_TAG= SEND_RECEIVE\nMARKER_ELEMS= 2\nSEND_TO= 1\n1 0 0\n1 1 0";

std::string without(const std::string& text, const std::string& from, const std::string& to = "") {
    std::string out = text;
    const std::size_t at = out.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return out.replace(at, from.size(), to);
}

TEST(Su2, SaysCellsPointsAndMarkers) {
    const mesh m = parse_mesh(square, "f");
    EXPECT_EQ(m.dimensions, 2);
    EXPECT_EQ(m.cells(), 3);
    EXPECT_EQ(m.rows(), 10);
    EXPECT_EQ(m.volume, (std::vector<double>{0.5, 0.5, 1}));
    EXPECT_EQ(m.patches, (std::vector<std::string>{"low er", "rest"}));
    EXPECT_EQ(m.points.size(), 18U);
    EXPECT_EQ(std::count(m.neighbour.begin(), m.neighbour.end(), -1), 2);
    EXPECT_EQ(std::count(m.neighbour.begin(), m.neighbour.end(), -2), 4);
    expect_same_mesh(parse_mesh(without(square, "NDIME", "NZONE= 1\nNDIME"), "f"), m);
}

TEST(Su2, PointsAreNumberedByTheirLines) {
    const auto triangle = [](const char* a, const char* b, const char* c) {
        return std::string("NDIME= 2\nNPOIN= 3\n0 0 ") + a + "\n1 0 " + b + "\n0 2 " + c +
               "\nNELEM= 1\n5 0 1 2 7\n";
    };
    const mesh expected = parse_mesh(triangle("0", "1", "2"), "f");
    EXPECT_EQ(expected.points, (std::vector<double>{0, 0, 0, 1, 0, 0, 0, 2, 0}));
    for (const std::string& text :
         {triangle("2", "0", "1"), triangle("1", "2", "3"), triangle("", "", ""), triangle("7", "7", "-7")})
        expect_same_mesh(parse_mesh(text, "f"), expected);
}

TEST(Su2, EveryDefectIsShownWithItsLine) {
    const std::pair<std::string, const char*> table[] = {
        {"NDIME= 2\n", "f:2: the file ends, expected NELEM="},
        {"NDIME= 4\n", "f:1: 4 dimensions, expected 2 or 3"},
        {"NDIME= \n", "f:1: the line ends, expected the dimensions"},
        {"NELEM= 1\n", "f:1: elements before NDIME="},
        {"NDIME= 2\n1 2 3\n", "f:2: '1', expected a keyword such as NELEM="},
        {"NDIME= 2\nNDIME= 2\n", "f:2: NDIME stands here again"},
        {"NDIME= 2\nNZONE= 2\n", "f:2: 2 zones, expected 1"},
        {"NDIME= 2\nNELEM= 99999999999\n5 0 1 2\n",
         "f:2: 99999999999, expected a number of elements within the"},
        {"NDIME= 2\nNPOIN= -1\n", "f:2: -1, expected a number of points"},
        {"NDIME= 2\nNELEM= 2\n5 0 1 2\n", "f:4: the file ends after 1 of 2 elements"},
        {"NDIME= 2\nNELEM= 2\n5 0 1 2\nNPOIN= 3\n", "f:4: 'NPOIN=', expected more after 1 of 2 elements"},
        {"NDIME= 2\nNELEM= 1\n10 0 1 2 3\n", "f:3: element of type 10, expected 5 or 9"},
        {"NDIME= 3\nNELEM= 1\n5 0 1 2\n", "f:3: element of type 5, expected 10, 12, 13 or 14"},
        {"NDIME= 2\nNELEM= 1\n5 0 1\n", "f:3: the line ends, expected a point's index"},
        {"NDIME= 2\nNELEM= 1\n5 0 1 x\n", "f:3: 'x', expected a point's index"},
        {"NDIME= 2\nNELEM= 1\n5 0 1 2 3 4\n", "f:3: '4', expected the end of the line"},
        {"NDIME= 2\nNELEM= 1\n5 0 1 -2\n", "f:3: point -2, expected 0 to"},
        {"NDIME= 2\nNPOIN= 1\n0 nan\n", "f:3: 'nan', expected a coordinate, a finite number"},
        {"NDIME= 2\nNPOIN= 1\n0 0 x\n", "f:3: 'x', expected the point's index"},
        {"MARKER_ELEMS= 1\n", "f:1: markers before NDIME="},
        {"NDIME= 2\nMARKER_ELEMS= 1\n", "f:2: MARKER_ELEMS=, expected MARKER_TAG="},
        {"NDIME= 2\nMARKER_TAG= a\nMARKER_TAG= b\n",
         "f:3: MARKER_TAG=, expected MARKER_ELEMS= of marker 'a'"},
        {"NDIME= 2\nMARKER_TAG= a\nMARKER_ELEMS= 1\n5 0 1 2\n",
         "f:4: marker's element of type 5, expected 3"},
        {without(square, "rest", "low er"), "f:22: marker 'low er' stands here again"},
        {without(square, "NMARK= 3", "NMARK= 4"), "f:32: the file ends after 3 markers, expected 4"},
        {without(square, "\n9 1 2 5 4", "\n9 1 2 5 44"), "f:7: "},
        {without(square, "\n3 1 2 7", "\n3 1 5 7"), "f:21: "},
    };
    for (const auto& [text, message] : table)
        EXPECT_EQ(mesh_message(text).substr(0, std::string(message).size()), message) << text;
}

TEST(Su2, EveryShapeSurvivesBeingWritten) {
    for (const mesh_kind kind : {mesh_kind::shell, mesh_kind::wedge, mesh_kind::bump, mesh_kind::tube})
        for (const cell_shape shape : {cell_shape::triangle, cell_shape::quadrilateral,
                                       cell_shape::tetrahedron, cell_shape::prism, cell_shape::hexahedron}) {
            if ((kind == mesh_kind::shell) != (shape == cell_shape::tetrahedron)) continue;
            const mesh m = generate_mesh({.kind = kind, .size = 200, .shape = shape, .distortion = 0.1});
            expect_same_mesh(parse_mesh(written(m, mesh_format::su2), "f"), m);
        }
}

/// Sections of some MB, which threads read in pieces: what one thread says of the file, all say.
TEST(Su2, ThreadsReadAndRefuseWhatOneThreadDoes) {
    const mesh shell = generate_mesh({.size = 60000});
    const std::string good = written(shell, mesh_format::su2);
    ASSERT_GT(good.size(), std::size_t{3} << 19);
    expect_same_mesh(parse_mesh(good, "f", {.threads = 3}), shell);
    const std::size_t points = good.find("NPOIN");
    const auto behind = [&](std::size_t at) { return good.find('\n', at) + 1; };
    for (const std::size_t at : {behind(0), behind(points / 2), behind(points - 20), behind(points),
                                 behind((points + good.size()) / 2), behind(good.find("NMARK"))})
        for (const char* more : {"% a comment\n\n \t\r\n", "x\n", "10 0 1 2\n", "10 0 1 2 3\n", "0 0 0\n",
                                 "\xef\xbb\xbf"
                                 "10 0 1 2 3\n",
                                 "FFD_NBOX= 1\n", "NPOIN= 1\n"}) {
            const std::string text = good.substr(0, at) + more + good.substr(at);
            const std::string one = mesh_message(text, {.threads = 1});
            EXPECT_EQ(mesh_message(text, {.threads = 3}), one) << more << " at " << at;
            if (one.empty()) expect_same_mesh(parse_mesh(text, "f", {.threads = 3}), shell);
        }
}

TEST(Su2, WhatItCannotSayIsRefused) {
    mesh m = parse_mesh(without(without(square, "low er", "low"), "rest", "two words"), "f");
    EXPECT_EQ(thrown<bad_argument>([&] { (void)written(m, mesh_format::su2); }),
              "mesh: has a patch 'two words', expected a name of one word");
    mesh box = generate_mesh({.kind = mesh_kind::box, .size = 36, .shape = cell_shape::quadrilateral});
    join_periodic(box, "left", "right");
    EXPECT_NE(thrown<bad_argument>([&] { (void)written(box, mesh_format::su2); }).find("joined by a period"),
              std::string::npos);
}

TEST(Cache, KeepsEveryBit) {
    mesh box = generate_mesh({.kind = mesh_kind::box, .size = 36, .shape = cell_shape::quadrilateral});
    join_periodic(box, "left", "right");
    for (const mesh& m : {parse_mesh(text_of(two_cells()), "f"), parse_mesh(square, "f"), box,
                          generate_mesh({.size = 30000}), mesh{}})
        for (const int threads : {1, 3})
            expect_same_mesh(parse_mesh(written(m, mesh_format::cache), "f", {.threads = threads}), m);
}

TEST(Cache, DamageIsSeen) {
    const std::string good = written(parse_mesh(square, "f"), mesh_format::cache);
    for (std::size_t size = 8; size < good.size(); ++size)
        ASSERT_NE(mesh_message(good.substr(0, size)), "") << size;
    EXPECT_NE(mesh_message(good + '\0'), "");
    // What pads an array to 8 bytes is no part of it.
    const mesh m = parse_mesh(square, "f");
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 0x10);
        if (mesh_message(bad).empty()) expect_same_mesh(parse_mesh(bad, "f"), m);
    }
    EXPECT_EQ(mesh_message(good, {.max_cells = 2}), "f: 3 cells, expected 0 to 2");
}

TEST(Cache, HeadersThatLieAreRefused) {
    const std::string good = written(parse_mesh(square, "f"), mesh_format::cache);
    const auto with = [&](std::size_t at, auto value) {
        std::string text = good;
        std::memcpy(text.data() + at, &value, sizeof value);
        io::seal_cache(text);
        return mesh_message(text);
    };
    EXPECT_EQ(with(8, std::uint32_t{0x04030201}), "f: is a cache from a machine of another byte order");
    EXPECT_EQ(with(12, std::uint32_t{2}), "f: is a cache of version 2, expected 1");
    EXPECT_EQ(with(16, std::int64_t{-1}), "f: -1 cells, expected 0 to 2147483647");
    EXPECT_EQ(with(16, std::int64_t{1} << 30).substr(0, 13), "f: has " + std::to_string(good.size()) + " b");
    EXPECT_EQ(with(24, std::int64_t{1} << 60), "f: has a size of 1152921504606846976, expected 0 to 2^40");
    EXPECT_EQ(with(64, std::int32_t{4}), "f: 4 dimensions, expected 2 or 3");
    EXPECT_EQ(with(68, std::int32_t{2}), "f: has a flag of 2, expected 0 or 1");
    EXPECT_EQ(with(80, 0.0), "f: has a scale of its normals that is not positive");
    const std::size_t faces = 96, neighbours = faces + 4 * 8;
    EXPECT_EQ(with(faces + 8, std::int64_t{11}),
              "f: is a cache whose cells do not divide its faces or corners");
    const char* nowhere =
        "f: is a cache with a neighbour, opposite face, shape or corner that does not exist";
    for (const std::int32_t n : {3, -4, 1 << 30, -(1 << 30)}) EXPECT_EQ(with(neighbours, n), nowhere);
    for (std::size_t opposite = neighbours + 40; opposite < neighbours + 50; ++opposite) {
        const std::string answer = with(opposite, std::uint8_t{9});
        EXPECT_TRUE(answer == nowhere || answer.empty());  // boundary faces have no opposite face
    }
}

/// The arrays of a VTU file by name, as its own offsets say.
struct vtu_file {
    explicit vtu_file(const std::string& bytes) {
        const std::size_t start = bytes.find("<AppendedData encoding=\"raw\">") + 29;
        const std::size_t data = bytes.find('_', start) + 1;
        const auto value = [](const std::string& line, const std::string& key) {
            const std::size_t from = line.find(" " + key + "=\"") + key.size() + 3;
            return line.substr(from, line.find('"', from) - from);
        };
        std::istringstream head(bytes.substr(0, start));
        for (std::string line; std::getline(head, line);) {
            if (line.find("<Piece") != std::string::npos) {
                points = std::stol(value(line, "NumberOfPoints"));
                cells = std::stol(value(line, "NumberOfCells"));
            }
            if (line.find("<DataArray") == std::string::npos) continue;
            const std::size_t at = data + std::stoul(value(line, "offset"));
            std::uint64_t size = 0;
            std::memcpy(&size, bytes.data() + at, sizeof size);
            array[value(line, "Name")] = bytes.substr(at + 8, size);
            type[value(line, "Name")] = value(line, "type") + "x" + value(line, "NumberOfComponents");
            end = std::max<std::size_t>(end, at + 8 + size);
        }
        tail = bytes.substr(end);
    }
    template <class T>
    [[nodiscard]] std::vector<T> values(const std::string& name) const {
        std::vector<T> out(array.at(name).size() / sizeof(T));
        std::memcpy(out.data(), array.at(name).data(), array.at(name).size());
        return out;
    }
    long points = 0, cells = 0;
    std::map<std::string, std::string> array, type;
    std::size_t end = 0;
    std::string tail;
};

std::string vtu_of(const mesh& m, std::span<const cell_field> fields, const vtu_options& options) {
    const auto path =
        std::filesystem::temp_directory_path() / ("mesh_formats_test." + std::to_string(getpid()));
    output_file out(path.string());
    write_vtu(out, m, fields, options);
    out.commit();
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    std::filesystem::remove(path);
    return bytes.str();
}

TEST(Vtu, HasCellsAndTheirValues) {
    const mesh m = parse_mesh(square, "f");
    const std::vector<double> density{1, 2, 3.25}, velocity{1, 2, 3, 4, 5, 6, 7, 8, 9};
    const std::vector<cell_field> fields{{"density", 1, density}, {"a<b>\"&", 3, velocity}};
    for (const scalar type : {scalar::f32, scalar::f64}) {
        const vtu_file file(vtu_of(m, fields, {.type = type}));
        EXPECT_EQ(file.points, 6);
        EXPECT_EQ(file.cells, 3);
        EXPECT_EQ(file.values<double>("Points"), m.points);
        EXPECT_EQ(file.values<std::int64_t>("connectivity"),
                  (std::vector<std::int64_t>(m.corners.begin(), m.corners.end())));
        EXPECT_EQ(file.values<std::int64_t>("offsets"), (std::vector<std::int64_t>{3, 6, 10}));
        EXPECT_EQ(file.values<std::uint8_t>("types"), (std::vector<std::uint8_t>{5, 5, 9}));
        EXPECT_EQ(file.type.at("a&lt;b&gt;&quot;&amp;"), type == scalar::f32 ? "Float32x3" : "Float64x3");
        if (type == scalar::f64) {
            EXPECT_EQ(file.values<double>("a&lt;b&gt;&quot;&amp;"), velocity);
        } else {
            EXPECT_EQ(file.values<float>("density"), (std::vector<float>{1, 2, 3.25}));
        }
        EXPECT_EQ(file.tail, "\n  </AppendedData>\n</VTKFile>\n");
    }
}

TEST(Vtu, WedgesStandOnTheirHeads) {
    const mesh m = generate_mesh({.kind = mesh_kind::box, .size = 16, .shape = cell_shape::prism});
    const vtu_file file(vtu_of(m, {}, {}));
    const auto corners = file.values<std::int64_t>("connectivity");
    const std::array<std::size_t, 6> order{0, 2, 1, 3, 5, 4};
    ASSERT_EQ(corners.size(), m.corners.size());
    for (std::size_t i = 0; i < corners.size(); ++i)
        EXPECT_EQ(corners[i], m.corners[i / 6 * 6 + order[i % 6]]);
}

TEST(Vtu, SurfaceHasFacesOfPatches) {
    const mesh m = parse_mesh(square, "f");
    const std::vector<double> density{1, 2, 3};
    const std::vector<cell_field> fields{{"density", 1, density}};
    const vtu_file file(vtu_of(m, fields, {.surface = true}));
    EXPECT_EQ(file.cells, 6);
    EXPECT_EQ(file.points, 6);
    EXPECT_EQ(file.values<std::uint8_t>("types"), (std::vector<std::uint8_t>(6, 3)));
    const auto patch = file.values<std::int32_t>("patch");
    EXPECT_EQ(std::count(patch.begin(), patch.end(), 0), 2);
    const auto points = file.values<double>("Points");
    const auto corners = file.values<std::int64_t>("connectivity");
    const auto values = file.values<double>("density");
    for (std::size_t i = 0; i < 6; ++i) {
        const double x = points[3 * static_cast<std::size_t>(corners[2 * i])] +
                         points[3 * static_cast<std::size_t>(corners[2 * i + 1])];
        const double y = points[3 * static_cast<std::size_t>(corners[2 * i]) + 1] +
                         points[3 * static_cast<std::size_t>(corners[2 * i + 1]) + 1];
        EXPECT_EQ(patch[i] == 0, y == 0);
        EXPECT_EQ(values[i] == 3, x > 2);  // the quadrilateral lies right of x = 1
    }
    for (const cell_shape shape : {cell_shape::hexahedron, cell_shape::prism}) {
        const mesh box = generate_mesh({.kind = mesh_kind::box, .size = 64, .shape = shape});
        const vtu_file faces(vtu_of(box, {}, {.surface = true}));
        const auto types = faces.values<std::uint8_t>("types");
        EXPECT_EQ(faces.values<std::int64_t>("offsets").back(),
                  std::ssize(faces.values<std::int64_t>("connectivity")));
        EXPECT_EQ(std::count(types.begin(), types.end(), 5) > 0, shape == cell_shape::prism);
    }
}

TEST(Vtu, WhatCannotBeDrawnIsRefused) {
    const mesh m = parse_mesh(square, "f");
    const std::vector<double> two{1, 2}, three{1, 2, 3};
    const auto message = [&](const std::vector<cell_field>& fields, bool surface = false) {
        return thrown<bad_argument>([&] { (void)vtu_of(m, fields, {.surface = surface}); });
    };
    EXPECT_EQ(message({{"rho", 1, two}}), "fields: 'rho' has 2 values, expected 1 for each of 3 cells");
    EXPECT_EQ(message({{"rho", 1, three}, {"rho", 1, three}}), "fields: 'rho' is there twice");
    EXPECT_EQ(message({{"patch", 1, three}}, true), "fields: 'patch' is there twice");
    EXPECT_EQ(message({{"\n", 1, three}}), "fields: '\\x0a', expected a name of printable text");
    EXPECT_NE(thrown<bad_argument>([&] { (void)vtu_of(parse_mesh(text_of(two_cells()), "f"), {}, {}); }), "");
    EXPECT_EQ(vtu_file(vtu_of(mesh{}, {}, {})).cells, 0);
}

}  // namespace
