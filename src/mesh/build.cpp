// build - from lists of corners to cells with faces: neighbours by hashing faces, then areas and volumes.
#include <algorithm>
#include <limits>
#include <wale/error.hpp>
#include <wale/mesh.hpp>

#include "mesh/elements.hpp"
#include "mesh/face_table.hpp"

namespace wale {
namespace meshes {
namespace {

constexpr std::int32_t unclaimed = std::numeric_limits<std::int32_t>::min();

class builder {
public:
    explicit builder(const mesh_elements& elements) : e_(elements) {
        check_elements(e_);
        for (std::size_t i = 2; e_.dimensions == 2 && i < e_.points.size(); i += 3) e_.points[i] = 0;
    }

    mesh build() {
        m_.dimensions = e_.dimensions;
        count_rows();
        measure_cells();
        find_neighbours();
        m_.points = std::move(e_.points);
        m_.shapes = std::move(e_.shapes);
        m_.first_corner = std::move(e_.first_corner);
        m_.corners = std::move(e_.corners);
        return std::move(m_);
    }

private:
    static std::size_t at(index_t i) noexcept { return static_cast<std::size_t>(i); }
    [[nodiscard]] index_t row_of(face_id f) const { return m_.first_face[at(f.cell())] + f.face(); }
    [[nodiscard]] std::int32_t* corners(index_t cell) {
        return e_.corners.data() + e_.first_corner[at(cell)];
    }

    void count_rows() {
        for (const cell_shape s : e_.shapes) m_.first_face.push_back(m_.first_face.back() + faces_of(s));
        const std::size_t rows = at(m_.first_face.back());
        m_.neighbour.assign(rows, unclaimed);
        m_.opposite.assign(rows, 0);
        m_.normal.resize(3 * rows);
        m_.face_offset.resize(3 * rows);
        m_.volume.resize(e_.shapes.size());
        m_.centre.resize(3 * e_.shapes.size());
    }

    /// Lists the corners of a cell the other way round.
    void turn(index_t cell) {
        std::int32_t* c = corners(cell);
        switch (e_.shapes[at(cell)]) {
            case cell_shape::quadrilateral:
            case cell_shape::pyramid:
                std::swap(c[1], c[3]);
                break;
            case cell_shape::hexahedron:
                std::swap(c[5], c[7]), std::swap(c[1], c[3]);
                break;
            case cell_shape::prism:
                std::swap(c[4], c[5]), std::swap(c[1], c[2]);
                break;
            case cell_shape::triangle:
            case cell_shape::tetrahedron:
                std::swap(c[1], c[2]);
                break;
        }
    }

    void measure_cells() {
        for (index_t c = 0; c < m_.cells(); ++c) {
            const cell_shape s = e_.shapes[at(c)];
            cell_form form = form_of(s, corners(c), e_.points.data());
            if (form.volume < 0) {
                turn(c);
                form = form_of(s, corners(c), e_.points.data());
            }
            if (!(form.volume > 0))
                throw bad_input(place_of_cell(e_, c) + ": volume " + std::to_string(form.volume) +
                                ", expected more than 0");
            m_.volume[at(c)] = form.volume;
            store(m_.centre.data(), c, form.centre);
            for (int f = 0; f < faces_of(s); ++f) {
                const face_form face = form_of(key_of(s, f, corners(c)), e_.points.data());
                store(m_.normal.data(), m_.first_face[at(c)] + f, face.normal);
                store(m_.face_offset.data(), m_.first_face[at(c)] + f, face.centre - form.centre);
            }
        }
    }

    void find_neighbours() {
        face_table faces(e_, m_.rows());
        for (index_t c = 0; c < m_.cells(); ++c)
            for (int f = 0; f < faces_of(e_.shapes[at(c)]); ++f) {
                const face_id own = face_id::of(c, f);
                const face_id other = faces.find_or_add(faces.key_of(own), own);
                if (!other.none()) join(own, other, faces);
            }
        for (const mesh_elements::patch& p : e_.patches) claim(p, faces);
        if (std::find(m_.neighbour.begin(), m_.neighbour.end(), unclaimed) == m_.neighbour.end()) return;
        m_.patches.emplace_back("unnamed");
        std::replace(m_.neighbour.begin(), m_.neighbour.end(), unclaimed,
                     -static_cast<std::int32_t>(m_.patches.size()));
    }

    void join(face_id own, face_id other, const face_table& faces) {
        const auto refuse = [&](const char* what) {
            throw bad_input(place_of_cell(e_, own.cell()) + ": face " + std::to_string(own.face()) + what +
                            std::to_string(other.cell()));
        };
        if (m_.neighbour[at(row_of(other))] != unclaimed) refuse(" is a third cell's, the first is cell ");
        if (faces.key_of(own).reversed == faces.key_of(other).reversed)
            refuse(" has the cell on the same side as cell ");  // they overlap
        for (const auto& [a, b] : {std::pair(own, other), std::pair(other, own)}) {
            m_.neighbour[at(row_of(a))] = static_cast<std::int32_t>(b.cell());
            m_.opposite[at(row_of(a))] = static_cast<std::uint8_t>(b.face());
        }
    }

    void claim(const mesh_elements::patch& p, face_table& faces) {
        m_.patches.push_back(p.name);
        for (index_t i = 0; i + 1 < std::ssize(p.first_corner); ++i) {
            const index_t first = p.first_corner[at(i)];
            const auto count = static_cast<int>(p.first_corner[at(i + 1)] - first);
            const face_id face = faces.find_or_add(key_of(p.corners.data() + first, count));
            const auto refuse = [&](const std::string& what) {
                throw bad_input(place_of_element(e_, p, i) + ": " + what);
            };
            if (face.none()) refuse("is no face of a cell");
            std::int32_t& neighbour = m_.neighbour[at(row_of(face))];
            if (neighbour >= 0)
                refuse("lies between cells " + std::to_string(face.cell()) + " and " +
                       std::to_string(neighbour));
            if (neighbour != unclaimed) refuse("is claimed twice");
            neighbour = -static_cast<std::int32_t>(m_.patches.size());
        }
    }

    mesh_elements e_;
    mesh m_;
};

}  // namespace
}  // namespace meshes

mesh build_mesh(const mesh_elements& elements) {
    return meshes::builder(elements).build();
}

}  // namespace wale
