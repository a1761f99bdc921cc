// vtu - VTK's XML unstructured grid: a short head of text, then the arrays as they are in memory, each behind
// its length in 64 bits. Offsets count from the underscore that starts them. The last array of the head comes
// first: meshio replaces offsets of the head one by one, in the order of the data, and looks for the next one
// from the head's start; in this order the search finds no replaced offset before the one that it looks for.
#include <algorithm>
#include <bit>
#include <functional>
#include <set>
#include <utility>
#include <wale/error.hpp>
#include <wale/mesh_file.hpp>

#include "base/argument.hpp"
#include "io/escape.hpp"
#include "io/vtk_types.hpp"

namespace wale {
namespace {

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

/// What is drawn: cells, or faces with the cells behind them.
struct grid {
    std::vector<double> points;         // [points][3]
    std::vector<std::int64_t> corners;  // places in points
    std::vector<std::int64_t> ends;     // of each one's corners
    std::vector<std::uint8_t> types;    // VTK's
    std::vector<index_t> cell;          // whose values each one has
    std::vector<std::int32_t> patch;    // of faces
};

grid volume_grid(const mesh& m) {
    grid g;
    g.points = m.points;
    g.corners.assign(m.corners.begin(), m.corners.end());
    for (index_t c = 0; c < m.cells(); ++c) {
        // VTK's wedge stands on its head: its first triangle's normal points outward.
        if (std::int64_t* p = g.corners.data() + m.first_corner[at(c)]; m.shapes[at(c)] == cell_shape::prism)
            std::swap(p[1], p[2]), std::swap(p[4], p[5]);
        g.ends.push_back(m.first_corner[at(c + 1)]);
        g.types.push_back(static_cast<std::uint8_t>(io::vtk_type(m.shapes[at(c)])));
        g.cell.push_back(c);
    }
    return g;
}

/// Only the points that faces of patches touch, in the order in which the faces do.
grid surface_grid(const mesh& m) {
    grid g;
    std::vector<std::int64_t> number(m.points.size() / 3, -1);
    for (index_t c = 0; c < m.cells(); ++c)
        for (index_t r = m.first_face[at(c)]; r < m.first_face[at(c + 1)]; ++r) {
            if (!is_patch(m.neighbour[at(r)])) continue;
            const io::face_points face = io::points_of_face(m, c, r);
            for (int i = 0; i < face.count; ++i) {
                const index_t p = face.at[at(i)];
                if (number[at(p)] < 0) {
                    number[at(p)] = std::ssize(g.points) / 3;
                    g.points.insert(g.points.end(), m.points.begin() + 3 * p, m.points.begin() + 3 * p + 3);
                }
                g.corners.push_back(number[at(p)]);
            }
            g.ends.push_back(std::ssize(g.corners));
            g.types.push_back(static_cast<std::uint8_t>(io::vtk_face_type(face.count)));
            g.cell.push_back(c);
            g.patch.push_back(patch_of(m.neighbour[at(r)]));
        }
    return g;
}

std::string attribute(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

/// The arrays of a file: declared in its head, then written in the opposite order.
class vtu_writer {
public:
    vtu_writer(output_file& out, const grid& g) : out_(out), g_(g) {}

    void fields(std::span<const cell_field> fields, scalar type) {
        text("      <CellData>\n");
        for (const cell_field& f : fields) {
            const index_t values = std::ssize(g_.cell) * f.components;
            declare(
                {f.name, type == scalar::f32 ? "Float32" : "Float64", f.components}, values * bytes_of(type),
                [this, &f, type] { type == scalar::f32 ? write_field<float>(f) : write_field<double>(f); });
        }
        if (!g_.patch.empty()) array({"patch", "Int32", 1}, g_.patch);
        text("      </CellData>\n");
    }
    void shape() {
        text("      <Points>\n");
        array({"Points", "Float64", 3}, g_.points);
        text("      </Points>\n      <Cells>\n");
        array({"connectivity", "Int64", 1}, g_.corners);
        array({"offsets", "Int64", 1}, g_.ends);
        array({"types", "UInt8", 1}, g_.types);
        text("      </Cells>\n");
    }
    void write() {
        out_.write(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"");
        out_.write(std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian");
        out_.write("\" header_type=\"UInt64\">\n  <UnstructuredGrid>\n    <Piece NumberOfPoints=\"" +
                   std::to_string(g_.points.size() / 3) + "\" NumberOfCells=\"" +
                   std::to_string(g_.types.size()) + "\">\n");
        index_t offset = 0;
        for (auto a = arrays_.rbegin(); a != arrays_.rend(); ++a) {
            a->offset = offset;
            offset += index_t{sizeof(std::uint64_t)} + a->bytes;
        }
        for (const array_part& a : arrays_)
            out_.write(a.before + "\" format=\"appended\" offset=\"" + std::to_string(a.offset) + "\"/>\n");
        out_.write(text_);
        out_.write("    </Piece>\n  </UnstructuredGrid>\n  <AppendedData encoding=\"raw\">\n_");
        for (auto a = arrays_.rbegin(); a != arrays_.rend(); ++a) {
            raw(std::uint64_t(a->bytes));
            a->write();
        }
        out_.write("\n  </AppendedData>\n</VTKFile>\n");
    }

private:
    struct description {
        std::string name;
        const char* type;
        int components;
    };

    struct array_part {
        std::string before;  // of the head, up to what the array's offset is
        index_t bytes;
        std::function<void()> write;
        index_t offset = 0;
    };

    void text(const char* more) { text_ += more; }
    void declare(const description& d, index_t bytes, std::function<void()> write) {
        text_ += "        <DataArray type=\"" + std::string(d.type) + "\" Name=\"" + attribute(d.name) +
                 "\" NumberOfComponents=\"" + std::to_string(d.components);
        arrays_.push_back({std::exchange(text_, {}), bytes, std::move(write)});
    }
    template <class T>
    void array(const description& d, const std::vector<T>& values) {
        const index_t bytes = std::ssize(values) * index_t{sizeof(T)};
        declare(d, bytes, [this, &values, bytes] {
            out_.write({reinterpret_cast<const char*>(values.data()), at(bytes)});
        });
    }
    template <class T>
    void write_field(const cell_field& f) {
        for (const index_t c : g_.cell)
            for (index_t i = 0; i < f.components; ++i)
                raw(static_cast<T>(f.values[at(c * f.components + i)]));
    }
    template <class T>
    void raw(T value) {
        out_.write({reinterpret_cast<const char*>(&value), sizeof value});
    }

    output_file& out_;
    const grid& g_;
    std::vector<array_part> arrays_;  // in the order of the head
    std::string text_;                // of the head, behind the last array
};

void check(const mesh& m, std::span<const cell_field> fields, bool surface) {
    if (!m.has_points() && m.cells() > 0) base::refuse("mesh", "has no points", "corners of cells");
    std::set<std::string> names;
    for (const cell_field& f : fields) {
        const std::string shown = "fields: " + io::quoted(f.name);
        const bool control = std::any_of(f.name.begin(), f.name.end(),
                                         [](char c) { return static_cast<unsigned char>(c) < 0x20; });
        if (f.name.empty() || control) throw bad_argument(shown + ", expected a name of printable text");
        if ((surface && f.name == "patch") || !names.insert(f.name).second)
            throw bad_argument(shown + " is there twice");
        if (f.components < 1 || std::ssize(f.values) != m.cells() * f.components)
            throw bad_argument(shown + " has " + std::to_string(f.values.size()) + " values, expected " +
                               std::to_string(f.components) + " for each of " + std::to_string(m.cells()) +
                               " cells");
    }
}

}  // namespace

void write_vtu(output_file& out, const mesh& m, std::span<const cell_field> fields,
               const vtu_options& options) {
    if (is_complex(options.type))
        base::refuse("options.type", std::string("is ") + name_of(options.type), "float32 or float64");
    check(m, fields, options.surface);
    const grid g = options.surface ? surface_grid(m) : volume_grid(m);
    vtu_writer writer(out, g);
    writer.fields(fields, options.type);
    writer.shape();
    writer.write();
}

}  // namespace wale
