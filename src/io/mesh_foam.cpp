// mesh_foam - OpenFOAM's polyMesh: a folder with points, faces, the cells on both sides of each face, and the
// boundary's parts; text or binary.
#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <span>
#include <wale/error.hpp>
#include <wale/mesh_faces.hpp>

#include "io/foam_file.hpp"
#include "io/mesh_format.hpp"

namespace wale::io {
namespace {

void read_faces(foam_file& in, mesh_faces& m) {
    if (in.is_compact()) {
        m.first_corner = in.labels();
        m.corners = in.labels();
        if (m.first_corner.empty() || m.first_corner.front() != 0 ||
            !std::ranges::is_sorted(m.first_corner) ||
            static_cast<std::size_t>(m.first_corner.back()) != m.corners.size())
            in.refuse("the faces' offsets do not fit their points");
    } else {
        struct some_faces {
            std::vector<std::int32_t> corners, counts;
        };
        in.take_list<some_faces>(
            in.count(1),
            [](foam_file& from, some_faces& to) {
                const std::size_t corners = from.count(1);
                from.expect('(');
                for (std::size_t c = 0; c < corners; ++c) to.corners.push_back(from.number<std::int32_t>());
                from.expect(')');
                to.counts.push_back(static_cast<std::int32_t>(corners));
            },
            [&](const some_faces& some) {
                m.corners.insert(m.corners.end(), some.corners.begin(), some.corners.end());
                if (m.corners.size() > std::size_t{std::numeric_limits<std::int32_t>::max()})
                    in.refuse("more than 2^31 - 1 corners of faces");
                for (const std::int32_t n : some.counts) m.first_corner.push_back(m.first_corner.back() + n);
            });
    }
    const auto points = static_cast<std::int32_t>(m.points.size() / 3);
    for (std::size_t f = 0; f + 1 < m.first_corner.size(); ++f) {
        const std::span face(m.corners.data() + m.first_corner[f], m.corners.data() + m.first_corner[f + 1]);
        if (face.size() < 3) in.refuse("face " + std::to_string(f) + " has fewer than 3 points");
        for (const std::int32_t c : face)
            if (c < 0 || c >= points)
                in.refuse("face " + std::to_string(f) + ": point " + std::to_string(c) + ", expected 0 to " +
                          std::to_string(points - 1));
    }
}

void read_boundary(foam_file& in, mesh_faces& m) {
    const std::size_t count = in.count(1);
    in.expect('(');
    std::size_t next = m.neighbour.size();
    for (std::size_t p = 0; p < count; ++p) {
        mesh_faces::patch patch;
        patch.name = std::string(in.word());
        in.expect('{');
        std::string_view type;
        for (std::string_view key = in.word(); key != "}"; key = in.word()) {
            if (key == "nFaces")
                patch.faces = in.number<std::uint32_t>();
            else if (key == "startFace")
                patch.first = in.number<std::uint32_t>();
            else if (key == "type")
                type = in.word();
            for (int depth = 0;;) {  // to the end of the entry
                const std::string_view one = in.word();
                depth += one == "(" || one == "{" ? 1 : one == ")" || one == "}" ? -1 : 0;
                if (one == ";" && depth <= 0) break;
            }
        }
        if (type.starts_with("processor"))
            in.refuse("patch " + io::quoted(patch.name) +
                      " is of a mesh cut in parts, expected it whole (reconstructParMesh)");
        if (patch.first != next || patch.faces > m.owner.size() - next)
            in.refuse("patch " + io::quoted(patch.name) + ": does not begin at face " + std::to_string(next) +
                      ", or has more faces than there are");
        next += patch.faces;
        m.patches.push_back(std::move(patch));
    }
    if (next != m.owner.size())
        in.refuse("the patches end at face " + std::to_string(next) + ", expected " +
                  std::to_string(m.owner.size()));
}

mesh_faces read_lists(const foam_texts& texts, const mesh_file_options& options) {
    static constexpr const char* names[] = {"points", "faces", "owner", "neighbour", "boundary"};
    const auto file = [&](std::size_t i) {
        return foam_file(texts.files[i], texts.folder + "/" + names[i], options.threads);
    };
    mesh_faces m;
    m.name = texts.folder;
    m.points = file(0).vectors();
    foam_file faces = file(1);
    read_faces(faces, m);
    foam_file owner = file(2), neighbour = file(3), boundary = file(4);
    m.owner = owner.labels();
    m.neighbour = neighbour.labels();
    if (m.owner.size() + 1 != m.first_corner.size())
        owner.refuse(std::to_string(m.owner.size()) + " faces, expected " +
                     std::to_string(m.first_corner.size() - 1));
    if (m.neighbour.size() > m.owner.size()) neighbour.refuse("has more faces than owner");
    std::size_t cells = 0;
    for (const std::int32_t c : m.owner) cells = std::max(cells, static_cast<std::size_t>(c) + 1);
    for (std::size_t f = 0; f < m.neighbour.size(); ++f) {
        const auto other = static_cast<std::size_t>(m.neighbour[f]);
        if (other >= cells && other >= m.owner.size())
            neighbour.refuse("cell " + std::to_string(other) + ", expected fewer cells than faces");
        if (m.neighbour[f] == m.owner[f])
            neighbour.refuse("face " + std::to_string(f) + " has cell " + std::to_string(other) +
                             " on both sides");
        cells = std::max(cells, other + 1);
    }
    if (static_cast<index_t>(cells) > options.max_cells || cells > m.owner.size())
        owner.refuse(std::to_string(cells) + " cells, more than faces or than are allowed");
    read_boundary(boundary, m);
    return m;
}

}  // namespace

mesh parse_foam(const foam_texts& texts, const mesh_file_options& options) {
    return build_mesh_of_faces(read_lists(texts, options));
}

namespace {

/// The folder of the five files: `folder`, or in a case's folder that of its mesh; empty if there is none.
std::filesystem::path folder_of_lists(const std::string& folder) {
    for (const char* inner : {"constant/polyMesh", "polyMesh", "."}) {
        std::filesystem::path at = std::filesystem::path(folder) / inner;
        if (std::error_code none; std::filesystem::exists(at / "points", none)) return at.lexically_normal();
    }
    return {};
}

}  // namespace

bool is_foam(const std::string& folder) {
    return !folder_of_lists(folder).empty();
}

mesh read_foam(const std::string& folder, const mesh_file_options& options) {
    if (options.format != mesh_format::automatic)
        throw bad_input(escaped(folder) + ": is a folder, expected a file of " + name_of(options.format));
    const std::filesystem::path at = folder_of_lists(folder);
    std::array<std::string, 5> texts;
    foam_texts views{.folder = escaped(at.string()), .files = {}};
    std::size_t i = 0;
    for (const char* name : {"points", "faces", "owner", "neighbour", "boundary"}) {
        constexpr index_t most_bytes = index_t{1} << 40;
        texts[i] = parse_source((at / name).string(), most_bytes, not_zero,
                                [](const byte_source& bytes, const std::string& shown) {
                                    return all_bytes(bytes, shown, most_bytes);
                                });
        views.files[i] = texts[i];
        ++i;
    }
    return parse_foam(views, options);
}

}  // namespace wale::io
