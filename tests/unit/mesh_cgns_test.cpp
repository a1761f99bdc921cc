// mesh_cgns_test - CGNS files that the library itself writes: every shape, conditions, families, mixed
// sections; what is refused.
#include <cgnslib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <wale/error.hpp>

#include "unit/mesh_files.hpp"

namespace wale {
namespace {

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

ElementType_t type_of(cell_shape s) {
    constexpr ElementType_t types[] = {TRI_3, QUAD_4, TETRA_4, PYRA_5, PENTA_6, HEXA_8};
    return types[static_cast<std::size_t>(s)];
}

/// How the boundary is said, and the cells.
struct cgns_form {
    enum class named_by : std::uint8_t { range, list, family, section } by = named_by::range;
    bool mixed = false;
    int file_type = CG_FILE_HDF5;
};

/// Writes one zone, and keeps the file open until the end of its own time for what tests add.
class cgns_writer {
public:
    cgns_writer(const std::string& path, const mesh& m, cgns_form form) : m_(m), form_(form) {
        check(cg_set_file_type(form.file_type));
        check(cg_open(path.c_str(), CG_MODE_WRITE, &file_));
        int base = 0, zone = 0;
        check(cg_base_write(file_, "Base", m.dimensions, m.dimensions, &base));
        const auto points = static_cast<cgsize_t>(m.points.size() / 3);
        const cgsize_t size[3] = {points, static_cast<cgsize_t>(m.cells()), 0};
        check(cg_zone_write(file_, 1, "Zone", size, Unstructured, &zone));
        for (std::size_t d = 0; d < at(m.dimensions); ++d) {
            std::vector<double> line;
            for (std::size_t i = d; i < m.points.size(); i += 3) line.push_back(m.points[i]);
            int c = 0;
            const std::string name = std::string("Coordinate") + "XYZ"[d];
            check(cg_coord_write(file_, 1, 1, RealDouble, name.c_str(), line.data(), &c));
        }
        write_cells();
        for (std::size_t p = 0; p < m.patches.size(); ++p) write_patch(static_cast<int>(p));
    }
    ~cgns_writer() { EXPECT_EQ(cg_close(file_), CG_OK) << cg_get_error(); }
    cgns_writer(const cgns_writer&) = delete;
    cgns_writer& operator=(const cgns_writer&) = delete;

    [[nodiscard]] int file() const { return file_; }
    static void check(int code) { ASSERT_EQ(code, CG_OK) << cg_get_error(); }

    void section(const std::string& name, ElementType_t type, const std::vector<cgsize_t>& corners,
                 cgsize_t count, const std::vector<cgsize_t>& begins = {}) {
        int s = 0;
        check(type == MIXED ? cg_poly_section_write(file_, 1, 1, name.c_str(), type, next_, next_ + count - 1,
                                                    0, corners.data(), begins.data(), &s)
                            : cg_section_write(file_, 1, 1, name.c_str(), type, next_, next_ + count - 1, 0,
                                               corners.data(), &s));
        next_ += count;
    }

private:
    void write_cells() {
        std::vector<cgsize_t> corners, begins{0};
        for (index_t c = 0; c < m_.cells(); ++c) {
            if (form_.mixed) corners.push_back(type_of(m_.shapes[at(c)]));
            for (index_t i = m_.first_corner[at(c)]; i < m_.first_corner[at(c) + 1]; ++i)
                corners.push_back(m_.corners[at(i)] + 1);
            begins.push_back(static_cast<cgsize_t>(corners.size()));
        }
        section("cells", form_.mixed ? MIXED : type_of(m_.shapes[0]), corners,
                static_cast<cgsize_t>(m_.cells()), begins);
    }

    void write_patch(int patch) {
        std::vector<cgsize_t> corners, begins{0};
        cgsize_t count = 0;
        int sides = 0;
        for (index_t c = 0; c < m_.cells(); ++c)
            for (index_t r = m_.first_face[at(c)]; r < m_.first_face[at(c) + 1]; ++r) {
                if (m_.neighbour[at(r)] != -1 - patch) continue;
                const face_corners f =
                    corners_of_face(m_.shapes[at(c)], static_cast<int>(r - m_.first_face[at(c)]));
                sides = f.count;
                if (form_.mixed) corners.push_back(f.count == 2 ? BAR_2 : f.count == 3 ? TRI_3 : QUAD_4);
                for (std::size_t i = 0; i < at(f.count); ++i)
                    corners.push_back(m_.corners[at(m_.first_corner[at(c)] + f.at[i])] + 1);
                begins.push_back(static_cast<cgsize_t>(corners.size()));
                ++count;
            }
        const std::string& name = m_.patches[at(patch)];
        const cgsize_t first = next_;
        section(form_.by == section_name ? name : name + " faces",
                form_.mixed  ? MIXED
                : sides == 2 ? BAR_2
                : sides == 3 ? TRI_3
                             : QUAD_4,
                corners, count, begins);
        if (form_.by != section_name) write_condition(name, first);
    }

    void write_condition(const std::string& name, cgsize_t first) {
        std::vector<cgsize_t> faces{first, next_ - 1};
        const bool range = form_.by == cgns_form::named_by::range;
        if (!range) {
            faces.clear();
            for (cgsize_t f = first; f < next_; ++f) faces.push_back(f);
        }
        int c = 0;
        const bool family = form_.by == cgns_form::named_by::family;
        check(cg_boco_write(file_, 1, 1, family ? ("c" + std::to_string(first)).c_str() : name.c_str(),
                            family ? FamilySpecified : BCWall, range ? PointRange : PointList,
                            static_cast<cgsize_t>(faces.size()), faces.data(), &c));
        check(cg_boco_gridlocation_write(file_, 1, 1, c, m_.dimensions == 3 ? FaceCenter : EdgeCenter));
        if (!family) return;
        check(cg_goto(file_, 1, "Zone_t", 1, "ZoneBC_t", 1, "BC_t", c, "end"));
        check(cg_famname_write(name.c_str()));
    }

    const mesh& m_;
    cgns_form form_;
    int file_ = 0;
    cgsize_t next_ = 1;
    static constexpr auto section_name = cgns_form::named_by::section;
};

class mesh_cgns : public testing::Test {
protected:
    void SetUp() override {
        path_ = (std::filesystem::temp_directory_path() / ("wale_" + std::to_string(getpid()) + ".cgns"))
                    .string();
    }
    void TearDown() override { std::filesystem::remove(path_); }

    /// What is refused of a sound file after `change`.
    std::string refusal(const std::function<void(cgns_writer&)>& change,
                        const mesh_file_options& options = {}) {
        std::filesystem::remove(path_);
        {
            cgns_writer out(path_, small_, {});
            change(out);
        }
        try {
            (void)read_mesh(path_, options);
        } catch (const bad_input& e) {
            EXPECT_TRUE(std::string(e.what()).starts_with(path_ + ": ")) << e.what();
            return std::string(e.what()).substr(path_.size() + 2);
        }
        return "";
    }

    std::string path_;
    mesh small_ = generate_mesh({.kind = mesh_kind::box, .size = 8, .shape = cell_shape::hexahedron});
};

TEST_F(mesh_cgns, every_shape_and_way_to_name_patches) {
    using enum cgns_form::named_by;
    for (const cell_shape s : {cell_shape::triangle, cell_shape::quadrilateral, cell_shape::tetrahedron,
                               cell_shape::prism, cell_shape::hexahedron})
        for (const auto by : {range, list, family, section})
            for (const bool mixed : {false, true}) {
                if (s == cell_shape::prism && !mixed) continue;  // a patch of triangles and one of squares
                const mesh m =
                    generate_mesh({.kind = mesh_kind::bump, .size = 150, .shape = s, .distortion = 0.2});
                std::filesystem::remove(path_);
                { const cgns_writer out(path_, m, {by, mixed}); }
                SCOPED_TRACE(std::string(name_of(s)) + ", by " + std::to_string(static_cast<int>(by)));
                expect_same_mesh(read_mesh(path_), m);
            }
}

TEST_F(mesh_cgns, other_files_and_shapes) {
    const cgns_form adf{.file_type = CG_FILE_ADF};
    { const cgns_writer out(path_, small_, adf); }
    expect_same_mesh(read_mesh(path_), small_);
    EXPECT_EQ(cg_set_file_type(CG_FILE_HDF5), CG_OK);
    mesh_elements e;  // a hexahedron, a pyramid on it and a tetrahedron beside
    e.points = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0,   1,   0, 0, 0,   1,
                1, 0, 1, 1, 1, 1, 0, 1, 1, 0.5, 0.5, 2, 2, 0.5, 2};
    e.shapes = {cell_shape::hexahedron, cell_shape::pyramid, cell_shape::tetrahedron};
    e.corners = {0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8, 5, 6, 8, 9};
    e.first_corner = {0, 8, 13, 17};
    const mesh mixed = build_mesh(e);
    std::filesystem::remove(path_);
    { const cgns_writer out(path_, mixed, {.mixed = true}); }
    expect_same_mesh(read_mesh(path_), mixed);
}

TEST_F(mesh_cgns, refuses_in_a_line) {
    EXPECT_EQ(refusal([](cgns_writer&) {}), "");
    EXPECT_EQ(refusal([](cgns_writer&) {}, {.max_cells = 7}), "8 cells, expected 1 to 7");
    EXPECT_EQ(refusal([](cgns_writer&) {}, {.format = mesh_format::su2}), "is a CGNS file, expected su2");
    const auto section = [this](const char* name, ElementType_t type, std::vector<cgsize_t> corners) {
        return refusal([&](cgns_writer& w) { w.section(name, type, corners, 1); });
    };
    EXPECT_EQ(section("more", HEXA_8, {1, 2, 3, 4, 5, 6, 7, 8}), "9 cells of 3 dimensions, the zone says 8");
    EXPECT_EQ(section("far", TRI_3, {1, 2, 99}),
              "section 'far' has point 99 in element 33, expected 1 to 27");
    EXPECT_EQ(
        section("curved", TRI_6, {1, 2, 3, 4, 5, 6}),
        "section 'curved' has elements of type TRI_6, expected NODE, BAR_2, TRI_3, QUAD_4, TETRA_4, PYRA_5, "
        "PENTA_6, HEXA_8 or MIXED");
    const auto condition = [this](std::vector<cgsize_t> faces, GridLocation_t location) {
        return refusal([&](cgns_writer& w) {
            int c = 0;
            cgns_writer::check(cg_boco_write(w.file(), 1, 1, "odd", BCWall, PointList,
                                             static_cast<cgsize_t>(faces.size()), faces.data(), &c));
            cgns_writer::check(cg_boco_gridlocation_write(w.file(), 1, 1, c, location));
        });
    };
    EXPECT_EQ(condition({1}, FaceCenter), "condition 'odd': element 1 is no element of the boundary");
    EXPECT_EQ(condition({1}, Vertex), "condition 'odd' is of Vertex, expected FaceCenter");
    EXPECT_EQ(refusal([](cgns_writer& w) {
                  const cgsize_t size[3] = {1, 1, 0};
                  int zone = 0;
                  cgns_writer::check(cg_zone_write(w.file(), 1, "second", size, Unstructured, &zone));
              }),
              "2 zones of unstructured cells, expected 1");
    EXPECT_EQ(refusal([](cgns_writer& w) {
                  int base = 0;
                  cgns_writer::check(cg_base_write(w.file(), "second", 3, 3, &base));
              }),
              "2 bases, expected 1");
}

TEST_F(mesh_cgns, refuses_what_is_cut_short_or_something_else) {
    { const cgns_writer out(path_, small_, {}); }
    std::ifstream in(path_, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    for (const double part : {0.999, 0.5, 0.1, 0.001}) {
        std::ofstream(path_, std::ios::binary)
            << whole.substr(0, static_cast<std::size_t>(part * static_cast<double>(whole.size())));
        EXPECT_THROW((void)read_mesh(path_), bad_input) << part;
    }
}

}  // namespace
}  // namespace wale
