// mesh_foam_test - OpenFOAM's polyMesh as text and binary, usual cells and polyhedra, damage.
#include <filesystem>
#include <fstream>
#include <map>
#include <wale/euler.hpp>

#include "unit/mesh_files.hpp"

namespace wale {
namespace {

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

/// How the numbers of a polyMesh are written.
struct foam_form {
    bool binary;
    int label_bytes, scalar_bytes;
};
constexpr foam_form forms[] = {{false, 4, 8}, {true, 4, 8}, {true, 8, 8}, {true, 4, 4}};

/// The five files of a mesh with corners. Faces between cells i and merged(i) of one number are left out.
class foam_writer {
public:
    foam_writer(const mesh& m, foam_form f, const std::map<index_t, index_t>& merged = {}) : form_(f) {
        std::vector<std::vector<std::int32_t>> faces;
        std::vector<std::int64_t> owner, neighbour;
        const auto number = [&](index_t c) { return merged.contains(c) ? merged.at(c) : c; };
        const auto add = [&](index_t cell, index_t row) {
            const face_corners c =
                corners_of_face(m.shapes[at(cell)], static_cast<int>(row - m.first_face[at(cell)]));
            auto& face = faces.emplace_back();
            for (int i = 0; i < c.count; ++i)
                face.push_back(m.corners[at(m.first_corner[at(cell)] + c.at[static_cast<std::size_t>(i)])]);
            // Towards the outside of the cell: by the area vector.
            const auto p = [&](std::size_t i, std::size_t d) {
                return m.points[3 * static_cast<std::size_t>(face[i]) + d];
            };
            double along = 0;
            for (std::size_t d = 0; d < 3; ++d) {
                const std::size_t e = (d + 1) % 3, g = (d + 2) % 3;
                along += m.normal[3 * at(row) + d] * ((p(1, e) - p(0, e)) * (p(2, g) - p(0, g)) -
                                                      (p(1, g) - p(0, g)) * (p(2, e) - p(0, e)));
            }
            if (along < 0) std::reverse(face.begin(), face.end());
            owner.push_back(number(cell));
        };
        for (index_t c = 0; c < m.cells(); ++c)
            for (index_t r = m.first_face[at(c)]; r < m.first_face[at(c) + 1]; ++r)
                if (m.neighbour[at(r)] > c && number(m.neighbour[at(r)]) != number(c)) {
                    add(c, r);
                    neighbour.push_back(number(m.neighbour[at(r)]));
                }
        std::string boundary = std::to_string(m.patches.size()) + "\n(\n";
        for (std::size_t p = 0; p < m.patches.size(); ++p) {
            const std::size_t first = faces.size();
            for (index_t c = 0; c < m.cells(); ++c)
                for (index_t r = m.first_face[at(c)]; r < m.first_face[at(c) + 1]; ++r)
                    if (is_patch(m.neighbour[at(r)]) && patch_of(m.neighbour[at(r)]) == static_cast<int>(p))
                        add(c, r);
            boundary +=
                m.patches[p] + "\n{\n type patch; // a comment\n inGroups List<word> 1(all);\n nFaces " +
                std::to_string(faces.size() - first) + ";\n startFace " + std::to_string(first) + ";\n}\n";
        }
        head(0, "vectorField", m.points.size() / 3);
        for (const double v : m.points) scalar(v);
        end(0);
        write_faces(faces);
        head(2, "labelList", owner.size());
        for (const auto v : owner) label(v);
        end(2);
        head(3, "labelList", neighbour.size());
        for (const auto v : neighbour) label(v);
        end(3);
        files[4] = "FoamFile { version 2.0; format ascii; class polyBoundaryMesh; }\n" + boundary + ")\n";
    }
    [[nodiscard]] mesh read(int threads = 0) const {
        io::foam_texts texts{.folder = "f", .files = {}};
        std::copy(files.begin(), files.end(), texts.files.begin());
        return io::parse_foam(texts, {.threads = threads});
    }
    [[nodiscard]] std::string message(int threads = 0) const {
        try {
            (void)read(threads);
        } catch (const bad_input& e) {
            return e.what();
        }
        return "";
    }
    std::array<std::string, 5> files;

private:
    void head(std::size_t file, const char* kind, std::size_t count) {
        to_ = &files[file];
        *to_ = "/* a banner */\nFoamFile\n{\n version 2.0;\n format " +
               std::string(form_.binary ? "binary" : "ascii") +
               ";\n arch \"LSB;label=" + std::to_string(8 * form_.label_bytes) +
               ";scalar=" + std::to_string(8 * form_.scalar_bytes) + "\";\n class " + kind +
               ";\n}\n// * * * //\n";
        begin(count);
    }
    void begin(std::size_t count) {
        (*to_ += std::to_string(count)) += "\n(";
        triple_ = 0;
    }
    void end(std::size_t) { *to_ += ")\n"; }
    template <class T>
    void raw(T v) {
        to_->append(reinterpret_cast<const char*>(&v), sizeof v);
    }
    void label(std::int64_t v) {
        if (!form_.binary)
            (*to_ += std::to_string(v)) += '\n';
        else if (form_.label_bytes == 8)
            raw(v);
        else
            raw(static_cast<std::int32_t>(v));
    }
    void scalar(double v) {
        if (form_.binary) return form_.scalar_bytes == 8 ? raw(v) : raw(static_cast<float>(v));
        char text[40];
        (void)std::snprintf(text, sizeof text, "%s%.17g%s", triple_ == 0 ? "(" : " ", v,
                            triple_ == 2 ? ")\n" : "");
        *to_ += text;
        triple_ = (triple_ + 1) % 3;
    }
    void write_faces(const std::vector<std::vector<std::int32_t>>& faces) {
        if (!form_.binary) {
            head(1, "faceList", faces.size());
            for (const auto& f : faces) {
                (*to_ += std::to_string(f.size())) += '(';
                for (const auto c : f) (*to_ += ' ') += std::to_string(c);
                *to_ += ")\n";
            }
            return end(1);
        }
        head(1, "faceCompactList", faces.size() + 1);
        std::int64_t sum = 0;
        label(0);
        for (const auto& f : faces) label(sum += std::ssize(f));
        end(1);
        begin(static_cast<std::size_t>(sum));
        for (const auto& f : faces)
            for (const auto c : f) label(c);
        end(1);
    }

    foam_form form_;
    std::string* to_ = nullptr;
    int triple_ = 0;
};

TEST(mesh_foam, usual_cells_keep_their_corners) {
    for (const foam_form f : forms)
        for (const cell_shape shape : {cell_shape::tetrahedron, cell_shape::prism, cell_shape::hexahedron}) {
            const mesh m =
                generate_mesh({.kind = mesh_kind::bump, .size = 200, .shape = shape, .distortion = 0.1});
            const mesh read = foam_writer(m, f).read();
            ASSERT_EQ(read.cells(), m.cells());
            EXPECT_EQ(read.patches, m.patches);
            EXPECT_EQ(inspect(read).verdict, "");
            EXPECT_TRUE(read.has_points());
            const double room = f.scalar_bytes == 8 ? 1e-12 : 1e-4;
            for (index_t c = 0; c < m.cells(); ++c) {
                EXPECT_EQ(read.shapes[at(c)], shape);
                EXPECT_NEAR(read.volume[at(c)], m.volume[at(c)], room * m.volume[at(c)]);
            }
            EXPECT_EQ(inspect(read).patch_faces, inspect(m).patch_faces);
        }
}

/// Two hexahedra without the face between them are a cell of ten faces. The free stream rests on it, and
/// first and second order compute.
TEST(mesh_foam, polyhedra_are_cells_of_many_faces) {
    const mesh box = generate_mesh({.kind = mesh_kind::box, .size = 64, .shape = cell_shape::hexahedron});
    std::map<index_t, index_t> merged;
    index_t other = -1;
    for (index_t r = box.first_face[0]; r < box.first_face[1]; ++r)
        if (!is_patch(box.neighbour[at(r)])) other = box.neighbour[at(r)];
    ASSERT_GT(other, 0);
    merged[other] = 0;
    for (index_t c = other + 1; c < box.cells(); ++c) merged[c] = c - 1;
    for (const foam_form f : forms) {
        const mesh m = foam_writer(box, f, merged).read();
        ASSERT_EQ(m.cells(), box.cells() - 1);
        EXPECT_EQ(m.first_face[1], 10);
        EXPECT_FALSE(m.has_points());
        EXPECT_TRUE(m.has_centres());
        EXPECT_EQ(inspect(m).verdict, "");
        const double room = f.scalar_bytes == 8 ? 1e-12 : 1e-5;
        EXPECT_NEAR(m.volume[0], box.volume[0] + box.volume[at(other)], room * m.volume[0]);
        for (std::size_t d = 0; d < 3; ++d)
            EXPECT_NEAR(m.centre[d], 0.5 * (box.centre[d] + box.centre[3 * at(other) + d]), 10 * room);
        for (const int order : {1, 2}) {
            euler_options o;
            o.scheme.order = order;
            for (const std::string& p : m.patches) o.patches.push_back({p, euler_boundary::far_field});
            euler_case flow(m, o);
            (void)flow.run(on_cpu{1}, 5);
            for (const euler_state& s : flow.state()) EXPECT_NEAR(s[0], 1.4, 1e-12);
        }
    }
}

/// Lists of some MB, which threads read in pieces: what one thread says of the files, all say.
TEST(mesh_foam, threads_read_and_refuse_what_one_thread_does) {
    const mesh box = generate_mesh({.kind = mesh_kind::box, .size = 24000, .shape = cell_shape::hexahedron});
    const foam_writer good(box, forms[0]);
    ASSERT_GT(good.files[1].size(), std::size_t{3} << 19);
    const mesh one = good.read(1);
    expect_same_mesh(good.read(3), one);
    for (const std::size_t file : {0U, 1U})
        for (const double part : {0.3, 0.9})
            for (const char* more : {"// a comment\n", "/* a\nb */\n", "/* open", "x\n", "(0 nan 0)\n",
                                     "4(0 1 2 -3)\n", "4\n(0 1\n2 3)\n"}) {
                foam_writer f = good;
                std::string& text = f.files[file];
                text.insert(
                    text.find('\n', static_cast<std::size_t>(part * static_cast<double>(text.size()))) + 1,
                    more);
                SCOPED_TRACE(std::string(more) + " in file " + std::to_string(file));
                const std::string why = f.message(1);
                EXPECT_EQ(f.message(3), why);
                EXPECT_EQ(why.empty(), std::string_view(more).ends_with("*/\n") || more[1] == '/');
                if (why.empty()) expect_same_mesh(f.read(3), one);
            }
}

TEST(mesh_foam, folders_are_read_and_damage_is_refused) {
    const mesh m = generate_mesh({.kind = mesh_kind::box, .size = 40, .shape = cell_shape::tetrahedron});
    const foam_writer good(m, forms[0]);
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "wale_foam_case";
    std::filesystem::create_directories(folder / "constant/polyMesh");
    const char* names[] = {"points", "faces", "owner", "neighbour", "boundary"};
    for (std::size_t i = 0; i < 5; ++i)
        std::ofstream(folder / "constant/polyMesh" / names[i]) << good.files[i];
    EXPECT_EQ(read_mesh(folder.string()).cells(), m.cells());
    EXPECT_EQ(read_mesh((folder / "constant/polyMesh").string()).cells(), m.cells());
    EXPECT_THROW((void)read_mesh(folder.string(), {.format = mesh_format::su2}), bad_input);
    std::filesystem::remove(folder / "constant/polyMesh/owner");
    EXPECT_THROW((void)read_mesh(folder.string()), cannot_open);
    std::filesystem::remove_all(folder);

    for (const foam_form f : forms) {
        const foam_writer whole(m, f);
        for (std::size_t file = 0; file < 5; ++file)
            for (std::size_t cut = 0; cut < whole.files[file].size() - 2;
                 cut += 1 + whole.files[file].size() / 97) {
                foam_writer broken = whole;
                broken.files[file].resize(cut);
                EXPECT_THROW((void)broken.read(), bad_input) << file << ' ' << cut;
            }
    }
    const auto message = [&](std::size_t file, const std::string& from, const std::string& to) {
        foam_writer w = good;
        w.files[file].replace(w.files[file].find(from), from.size(), to);
        return w.message();
    };
    EXPECT_NE(message(4, "type patch", "type processor").find("cut in parts"), std::string::npos);
    EXPECT_NE(message(4, "startFace ", "startFace 1").find("does not begin at face"), std::string::npos);
    EXPECT_NE(message(1, "3( ", "3( 99999").find("f/faces:"), std::string::npos);
    EXPECT_NE(message(0, "FoamFile", "Foam").find("is no file of OpenFOAM"), std::string::npos);
}

}  // namespace
}  // namespace wale
