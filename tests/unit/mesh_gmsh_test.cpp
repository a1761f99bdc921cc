// mesh_gmsh_test - Gmsh's formats 2.2 and 4.1 as text and as binary files of either byte order.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "unit/mesh_files.hpp"

namespace {

using namespace wale;

enum class form { text, binary, swapped };
constexpr std::array forms{form::text, form::binary, form::swapped};

/// Numbers as a Gmsh file has them.
class gmsh_text {
public:
    gmsh_text(form f, const char* version) : form_(f) {
        text(std::string("$MeshFormat\n") + version + (f == form::text ? " 0 8\n" : " 1 8\n"));
        if (f != form::text) whole(1);
        if (f != form::text) text("\n");
        text("$EndMeshFormat\n");
    }
    void text(const std::string& t) { bytes += t; }
    void whole(std::int32_t v) { put(v); }
    void size(std::int64_t v) { put(v); }
    void real(double v) { put(v); }
    void wholes(const std::vector<std::int32_t>& v) {
        std::for_each(v.begin(), v.end(), [&](auto x) { put(x); });
    }
    void sizes(const std::vector<std::int64_t>& v) {
        std::for_each(v.begin(), v.end(), [&](auto x) { put(x); });
    }
    void end_record() { text(form_ == form::text ? "\n" : ""); }
    void end_section(const char* name) {
        text(std::string(form_ == form::text ? "" : "\n") + "$End" + name + "\n");
    }
    std::string bytes;

private:
    template <class T>
    void put(T v) {
        if (form_ == form::text) {
            text(std::to_string(v) + " ");
            return;
        }
        std::array<char, sizeof v> raw;
        std::memcpy(raw.data(), &v, sizeof v);
        if (form_ == form::swapped) std::reverse(raw.begin(), raw.end());
        bytes.append(raw.data(), raw.size());
    }
    form form_;
};

struct element {
    int type, dimension, group;
    std::vector<std::int64_t> nodes;  // places in the list of points
};
struct sample {
    std::vector<std::array<double, 3>> points;
    std::vector<std::int64_t> node;  // the number of each point
    std::vector<element> elements;
    std::string names, su2;
};

/// Two triangles beside a quadrilateral at z = 0.5; numbers of nodes in no order and far apart, which is the
/// order of the points of SU2.
sample square() {
    return {{{0, 0, .5}, {1, 0, .5}, {2, 0, .5}, {0, 1, .5}, {1, 1, .5}, {2, 1, .5}},
            {7, 12, 2000000000, 3, 1, 40},
            {{15, 0, 0, {0}},
             {1, 1, 3, {0, 1}},
             {1, 1, 3, {1, 2}},
             {1, 1, -9, {2, 5}},
             {1, 1, -9, {5, 4}},
             {1, 1, 0, {4, 3}},
             {2, 2, 1, {0, 1, 4}},
             {2, 2, 0, {0, 4, 3}},
             {3, 2, 1, {1, 2, 5, 4}}},
            "3\n1 3 \"low er\"\n2 9 \"gas\"\n0 3 \"corner\"\n",
            "NDIME= 2\nNELEM= 3\n5 2 3 0\n5 2 0 1\n9 3 5 4 0\nNPOIN= 6\n1 1\n0 1\n0 0\n1 0\n2 1\n2 0\n"
            "NMARK= 2\nMARKER_TAG= low er\nMARKER_ELEMS= 2\n3 2 3\n3 3 5\nMARKER_TAG= 9\nMARKER_ELEMS= 2\n"
            "3 5 4\n3 4 0\n"};
}

/// A hexahedron, a pyramid upon it, a tetrahedron upon that and a prism at a side.
sample solids() {
    return {{{0, 0, 0},
             {1, 0, 0},
             {1, 1, 0},
             {0, 1, 0},
             {0, 0, 1},
             {1, 0, 1},
             {1, 1, 1},
             {0, 1, 1},
             {.5, .5, 2},
             {2, .5, 2},
             {2, 0, 0},
             {2, 0, 1}},
            {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
            {{2, 2, 4, {4, 5, 8}},
             {3, 2, 4, {0, 1, 2, 3}},
             {5, 3, 1, {0, 1, 2, 3, 4, 5, 6, 7}},
             {7, 3, 1, {4, 5, 6, 7, 8}},
             {4, 3, 1, {5, 6, 8, 9}},
             {6, 3, 1, {1, 10, 2, 5, 11, 6}}},
            "1\n2 4 \"wall\"\n",
            "NDIME= 3\nNELEM= 4\n12 0 1 2 3 4 5 6 7\n14 4 5 6 7 8\n10 5 6 8 9\n13 1 10 2 5 11 6\nNPOIN= 12\n"
            "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n.5 .5 2\n2 .5 2\n2 0 0\n2 0 1\n"
            "NMARK= 1\nMARKER_TAG= wall\nMARKER_ELEMS= 2\n5 4 5 8\n9 0 1 2 3\n"};
}

std::string version_2(const sample& s, form f) {
    gmsh_text out(f, "2.2");
    out.text("$PhysicalNames\n" + s.names + "$EndPhysicalNames\n$Nodes\n" + std::to_string(s.points.size()) +
             "\n");
    for (std::size_t i = 0; i < s.points.size(); ++i) {
        out.whole(static_cast<std::int32_t>(s.node[i]));
        for (const double x : s.points[i]) out.real(x);
        out.end_record();
    }
    out.end_section("Nodes");
    out.text("$Elements\n" + std::to_string(s.elements.size()) + "\n");
    std::int32_t number = 0;
    for (const element& e : s.elements) {
        ++number;
        if (f == form::text)
            out.wholes({number, e.type, 3, e.group, 5, 6});
        else
            out.wholes({e.type, 1, 3, number, e.group, 5, 6});
        for (const std::int64_t n : e.nodes)
            out.whole(static_cast<std::int32_t>(s.node[static_cast<std::size_t>(n)]));
        out.end_record();
    }
    out.end_section("Elements");
    return out.bytes;
}

/// An entity for each dimension and group, whose number is the group's and 100 more.
void write_entities(gmsh_text& out, const sample& s) {
    std::vector<std::pair<int, int>> known;
    for (const element& e : s.elements)
        if (e.group != 0 &&
            std::find(known.begin(), known.end(), std::pair(e.dimension, e.group)) == known.end())
            known.emplace_back(e.dimension, e.group);
    out.text("$Entities\n");
    for (int d = 0; d < 4; ++d)
        out.size(std::count_if(known.begin(), known.end(), [&](const auto& k) { return k.first == d; }));
    out.end_record();
    for (int d = 0; d < 4; ++d)
        for (const auto& [dimension, group] : known) {
            if (dimension != d) continue;
            out.whole(group + 100);
            for (int i = 0; i < 6; ++i) out.real(0.25);
            out.size(2);
            out.wholes({group, 77});
            out.size(1);
            out.whole(-5);
            out.end_record();
        }
    out.end_section("Entities");
}

std::string version_4(const sample& s, form f) {
    gmsh_text out(f, "4.1");
    out.text("$Unknown\n1 $EndNodes\n$EndUnknowns\n$EndUnknown\n$PhysicalNames\n" + s.names +
             "$EndPhysicalNames\n");
    write_entities(out, s);
    const auto points = static_cast<std::int64_t>(s.points.size());
    out.text("$Nodes\n");
    out.sizes({2, points, 1, 2000000000});
    out.end_record();
    for (const auto& [first, last] : {std::pair<std::size_t, std::size_t>(0, 2), {2, s.points.size()}}) {
        out.wholes({2, 1, first == 0});  // the first block has parameters
        out.size(static_cast<std::int64_t>(last - first));
        out.end_record();
        for (std::size_t i = first; i < last; ++i) out.size(s.node[i]), out.end_record();
        for (std::size_t i = first; i < last; ++i) {
            for (const double x : s.points[i]) out.real(x);
            if (first == 0) out.real(0.1), out.real(0.2);
            out.end_record();
        }
    }
    out.end_section("Nodes");
    out.text("$Elements\n");
    const auto elements = static_cast<std::int64_t>(s.elements.size());
    out.sizes({elements, elements, 1, elements});
    out.end_record();
    for (const element& e : s.elements) {
        out.wholes({e.dimension, e.group + 100, e.type});
        out.size(1);
        out.end_record();
        out.size(1);
        for (const std::int64_t n : e.nodes) out.size(s.node[static_cast<std::size_t>(n)]);
        out.end_record();
    }
    out.end_section("Elements");
    return out.bytes;
}

TEST(Gmsh, EveryFormIsTheSameMesh) {
    for (const sample& s : {square(), solids()}) {
        const mesh expected = parse_mesh(s.su2, "f");
        for (const form f : forms) {
            SCOPED_TRACE(static_cast<int>(f));
            expect_same_mesh(parse_mesh(version_2(s, f), "f"), expected);
            expect_same_mesh(parse_mesh(version_4(s, f), "f"), expected);
        }
    }
    EXPECT_EQ(parse_mesh(version_2(square(), form::text), "f").patches,
              (std::vector<std::string>{"low er", "9", "unnamed"}));
}

/// Sections of some MB, which threads read in pieces: what one thread says of the file, all say.
TEST(Gmsh, ThreadsReadAndRefuseWhatOneThreadDoes) {
    const mesh shell = generate_mesh({.size = 70000});
    const std::string points = std::to_string(shell.points.size() / 3), cells = std::to_string(shell.cells());
    std::string nodes, places, elements;
    for (std::size_t i = 0; i < shell.points.size(); i += 3) {
        nodes += std::to_string(i / 3 + 1) + "\n";
        for (std::size_t d = 0; d < 3; ++d)
            places += std::to_string(shell.points[i + d]) + (d < 2 ? " " : "\n");
    }
    for (std::size_t i = 0; i < shell.corners.size(); i += 4) {
        elements += std::to_string(i / 4 + 1);
        for (std::size_t c = 0; c < 4; ++c) elements += " " + std::to_string(shell.corners[i + c] + 1);
        elements += "\n";
    }
    const std::string good = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 " + points + " 1 " + points +
                             "\n3 1 0 " + points + "\n" + nodes + places + "$EndNodes\n$Elements\n1 " +
                             cells + " 1 " + cells + "\n3 1 4 " + cells + "\n" + elements + "$EndElements\n";
    ASSERT_GT(elements.size(), std::size_t{3} << 19);
    const mesh one = parse_mesh(good, "f", {.threads = 1});
    EXPECT_EQ(one.opposite, shell.opposite);
    expect_same_mesh(parse_mesh(good, "f", {.threads = 3}), one);
    const auto within = [&](const std::string& section, double part) {
        const std::size_t first = good.find(section);
        return good.find('\n', first + static_cast<std::size_t>(part * static_cast<double>(section.size()))) +
               1;
    };
    for (const std::size_t at :
         {within(nodes, 0.5), within(places, 0.4), within(elements, 0.2), within(elements, 0.9)})
        for (const char* more : {"\n \n", "x\n", "1 2 3 4 5\n", "0\n", "0.5 0.5 0.5\n", "$EndElements\n"}) {
            const std::string text = good.substr(0, at) + more + good.substr(at);
            const std::string why = mesh_message(text, {.threads = 1});
            EXPECT_EQ(mesh_message(text, {.threads = 3}), why) << more << " at " << at;
            if (why.empty()) expect_same_mesh(parse_mesh(text, "f", {.threads = 3}), one);
        }
}

TEST(Gmsh, GroupsOfOneNameAreOnePatch) {
    sample s = square();
    s.names = "2\n1 3 \"edge\"\n1 9 \"edge\"\n";
    for (const form f : forms)
        EXPECT_EQ(parse_mesh(version_4(s, f), "f").patches, (std::vector<std::string>{"edge", "unnamed"}));
}

TEST(Gmsh, FirstGroupOfAnElementCounts) {
    sample s = square();
    const mesh expected = parse_mesh(s.su2, "f");
    for (std::size_t i : {1, 8, 10}) {  // an edge, a triangle and, behind the two new ones, the quadrilateral
        s.elements.insert(s.elements.begin() + static_cast<std::ptrdiff_t>(i) + 1, s.elements[i]);
        s.elements[i + 1].group = 5;
    }
    for (const form f : forms) expect_same_mesh(parse_mesh(version_2(s, f), "f"), expected);
}

TEST(Gmsh, NoPartOfAFileIsAMesh) {
    for (const form f : forms)
        for (const std::string& whole : {version_2(solids(), f), version_4(solids(), f)})
            for (std::size_t n = 1; n + 1 < whole.size(); ++n)
                EXPECT_NE(mesh_message(whole.substr(0, n)), "") << n << " of " << whole.size();
}

TEST(Gmsh, TooManyCellsAreRefused) {
    EXPECT_EQ(mesh_message(version_2(square(), form::text), {.max_cells = 2}), "f: 3 cells, expected 0 to 2");
}

const std::string old_head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n",
                  new_head = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
const std::string old_nodes = old_head + "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n";
const std::string new_nodes =
    new_head + "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n$Elements\n";

TEST(Gmsh, EveryDefectIsShownWithItsLine) {
    const std::pair<std::string, const char*> table[] = {
        {"$MeshFormat\n4 0 8\n", "f:2: 4, expected version 2.2 or 4.1"},
        {"$NOD\n3\n", "f:1: $NOD, expected $MeshFormat of version 2.2 or 4.1"},
        {"$MeshFormat\n4.1 2 8\n", "f:2: 2, expected 0 (text) or 1 (binary)"},
        {"$MeshFormat\n4.1 1 4\n", "f:2: 4, expected numbers of 8 bytes"},
        {std::string("$MeshFormat\n4.1 1 8\n\0\0\0\2", 24),
         "f: byte 24: 33554432, expected 1 in either byte order"},
        {"$MeshFormat\n4.1 0 8\n$EndNodes\n", "f:3: '$EndNodes', expected $EndMeshFormat"},
        {"$Nodes\n1\n", "f:1: $Nodes before $MeshFormat, expected $MeshFormat first"},
        {old_head + "x\n", "f:4: 'x', expected a section such as $Nodes"},
        {old_head, "f:4: the file ends without cells, expected surface or solid"},
        {old_head + "$Elements\n0\n", "f:4: $Elements before $Nodes, expected $Nodes first"},
        {old_head + "$Comments\nab\n", "f:5: section $Comments does not end, expected $EndComments"},
        {old_head + "$Nodes\n99999999\n1 0 0 0\n",
         "f:6: 99999999, expected a number of nodes within the 8 bytes that follow"},
        {old_head + "$Nodes\n-1\n", "f:6: -1, expected a number of nodes within"},
        {old_head + "$Nodes\n9999999999\n", "f:6: 9999999999 nodes, expected at most 2^31 - 1"},
        {old_head + "$Nodes\n1\n0 0 0 0\n", "f:6: node 0, expected a number above 0"},
        {old_head + "$Nodes\n1\n1 0 nan 0\n", "f:6: 'nan', expected a coordinate, a finite number"},
        {old_head + "$Nodes\n1\n1 0 0 0 0\n", "f:6: '0', expected the end of the line"},
        {old_head + "$Nodes\n2\n1 0 0 0\n1 0 0 0\n$EndNodes\n", "f:8: node 1 is there twice, expected once"},
        {old_head + "$ParametricNodes\n0\n", "f:4: $ParametricNodes, expected $Nodes"},
        {old_head + "$PhysicalNames\n1\n1 2 wall\n", "f:6: 'wall', expected a name in quotation marks"},
        {old_head + "$PhysicalNames\n1\n1 2 \"\x1b[\"\n", "f:6: '\\x1b[', expected a name of printable text"},
        {old_nodes + "1\n1 9 0 1 2 3\n", "f:12: element of type 9, expected first order: 1 to 7, or 15"},
        {old_nodes + "1\n1 2 0 1 2 4\n", "f:12: node 4, expected one of $Nodes"},
        {old_nodes + "1\n1 2 0 1 2 x\n", "f:12: 'x', expected a node"},
        {old_nodes + "1\n1 2 99 1 2 3\n", "f:12: 99, expected a number of tags within the 7 bytes"},
        {old_nodes + "1\n1 2 1 3000000000 1 2 3\n", "f:12: 3000000000, expected a physical group of 32 bits"},
        {old_nodes + "1\n1 2 0 1 2 3\n$EndElements\n$Nodes\n", "f:14: $Nodes stands here again"},
        {old_nodes + "2\n1 1 1 5 1 3\n2 2 0 1 2 2\n$EndElements\n", "f:13: "},
        {old_nodes + "2\n1 1 1 5 1 1\n2 2 0 1 2 3\n$EndElements\n", "f:12: "},
        {new_head + "$PartitionedEntities\n",
         "f:4: $PartitionedEntities, expected a mesh that is not partitioned"},
        {new_head + "$Nodes\n1 9 1 9\n2 1 0 9\n", "f:5: 9, expected a number of nodes within the 13 bytes"},
        {new_head + "$Nodes\n1 1 1 1\n2 1 0 2\n1\n0 0 0\n",
         "f:6: 2, expected a number of nodes of at most the 1 left"},
        {new_head + "$Nodes\n1 1 1 1\n4 1 0 1\n1\n0 0 0\n", "f:6: dimension 4, expected 0 to 3"},
        {new_head + "$Nodes\n1 2 1 1\n2 1 0 1\n1\n0 0 0\n", "f:9: 1 nodes, expected 2"},
        {new_head + "$Entities\n0 0 5 0\n", "f:5: 5, expected a number of entities within the 3 bytes"},
        {new_nodes + "1 1 1 1\n3 1 2 1\n1 1 2 3\n",
         "f:16: element of type 2 in an entity of dimension 3, expected dimension 2"},
        {new_nodes + "1 1 1 1\n2 1 9 1\n1 1 2 3 1 2 3\n", "f:16: element of type 9, expected first order"},
        {new_nodes + "1 2 1 1\n2 1 2 1\n1 1 2 3\n$EndElements\n", "f:18: 1 elements, expected 2"},
        {new_head + "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 2\n$EndNodes\n$Elements\n1 1 1 "
                    "1\n2 1 2 1\n"
                    "1 1 2 3\n$EndElements\n",
         "f:17: z = 2 without solid cells, expected 0"},
    };
    for (const auto& [text, message] : table)
        EXPECT_EQ(mesh_message(text).substr(0, std::string(message).size()), message) << text;
}

}  // namespace
