// periodic - faces of two patches become one, where a translation carries them into each other.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <wale/error.hpp>
#include <wale/mesh.hpp>

#include "base/argument.hpp"
#include "base/vec.hpp"

namespace wale {
namespace meshes {

using base::load, base::vec;
namespace {

constexpr double tolerance = 1e-4;  // of a face's size: how far partners may be from each other's place

struct patch_face {
    index_t cell = 0, row = 0;
    vec place;
    double size = 0;  // a length
};

std::vector<patch_face> faces_of_patch(const mesh& m, int patch) {
    std::vector<patch_face> all;
    for (index_t c = 0; c < m.cells(); ++c)
        for (index_t r = m.first_face[static_cast<std::size_t>(c)];
             r < m.first_face[static_cast<std::size_t>(c) + 1]; ++r) {
            if (m.neighbour[static_cast<std::size_t>(r)] != -1 - patch) continue;
            const double area = length(load(m.normal.data(), r));
            all.push_back({c, r, load(m.centre.data(), c) + load(m.face_offset.data(), r),
                           m.dimensions == 2 ? area : std::sqrt(area)});
        }
    return all;
}

vec middle(const std::vector<patch_face>& faces) {
    vec sum;
    for (const patch_face& f : faces) sum = sum + f.place;
    return (1 / static_cast<double>(faces.size())) * sum;
}

/// Faces by place: a hash of boxes that are wider than any two partners are apart.
class finder {
public:
    finder(const std::vector<patch_face>& faces, double width) : faces_(faces), width_(width) {
        for (std::size_t i = 0; i < faces.size(); ++i) boxes_[hash(box(faces[i].place))].push_back(i);
    }

    /// The nearest face within `reach` <= width; -1: none.
    [[nodiscard]] index_t nearest(vec place, double reach) const {
        index_t best = -1;
        const auto [x, y, z] = box(place);
        for (index_t dx = -1; dx <= 1; ++dx)
            for (index_t dy = -1; dy <= 1; ++dy)
                for (index_t dz = -1; dz <= 1; ++dz) {
                    const auto found = boxes_.find(hash({x + dx, y + dy, z + dz}));
                    if (found == boxes_.end()) continue;
                    for (const std::size_t i : found->second) {
                        const double distance = length(faces_[i].place - place);
                        if (!(distance <= reach)) continue;
                        reach = distance;
                        best = static_cast<index_t>(i);
                    }
                }
        return best;
    }

private:
    using box_number = std::array<index_t, 3>;
    [[nodiscard]] box_number box(vec p) const {
        const auto part = [this](double v) {
            return static_cast<index_t>(std::clamp(std::floor(v / width_), -1e18, 1e18));
        };
        return {part(p.x), part(p.y), part(p.z)};
    }
    static std::uint64_t hash(const box_number& b) {
        std::uint64_t h = 0;
        for (const index_t v : b) {
            h = (h ^ static_cast<std::uint64_t>(v)) * 0x9e3779b97f4a7c15u;
            h ^= h >> 32;
        }
        return h;
    }

    const std::vector<patch_face>& faces_;
    double width_;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> boxes_;
};

int patch_named(const mesh& m, const std::string& name) {
    const int p = m.patch(name);
    if (p < 0) throw bad_argument("patch: there is no '" + name + "' in this mesh");
    return p;
}

void join(mesh& m, const patch_face& a, const patch_face& b) {
    const auto point_to = [&m](const patch_face& from, const patch_face& to) {
        const auto row = static_cast<std::size_t>(from.row);
        m.neighbour[row] = static_cast<std::int32_t>(to.cell);
        m.opposite[row] = static_cast<std::uint8_t>(to.row - m.first_face[static_cast<std::size_t>(to.cell)]);
    };
    point_to(a, b);
    point_to(b, a);
}

}  // namespace
}  // namespace meshes

void join_periodic(mesh& m, const std::string& patch, const std::string& other) {
    using namespace meshes;
    if (!m.has_centres()) throw bad_argument("mesh: has no coordinates, which joining patches needs");
    if (patch == other) base::refuse("other", "is '" + other + "' too", "another patch");
    const std::vector<patch_face> from = faces_of_patch(m, patch_named(m, patch));
    const std::vector<patch_face> to = faces_of_patch(m, patch_named(m, other));
    const auto refuse = [&](const std::string& what) {
        throw bad_input("patches '" + patch + "' and '" + other + "': " + what);
    };
    if (from.size() != to.size())
        refuse(std::to_string(from.size()) + " and " + std::to_string(to.size()) +
               " faces, expected as many");
    if (from.empty()) return;
    const vec shift = middle(to) - middle(from);
    double width = 0;
    for (const patch_face& f : from) width = std::max(width, tolerance * f.size);
    const finder faces(to, width);
    std::vector<char> taken(to.size(), 0);
    std::vector<const patch_face*> partners;
    for (const patch_face& f : from) {
        const index_t partner = faces.nearest(f.place + shift, tolerance * f.size);
        const std::string of_cell = "the face of cell " + std::to_string(f.cell);
        if (partner < 0 || taken[static_cast<std::size_t>(partner)]++ != 0)
            refuse(of_cell + " has no partner");
        const patch_face& g = to[static_cast<std::size_t>(partner)];
        const vec normal = load(m.normal.data(), f.row);
        if (!(length(normal + load(m.normal.data(), g.row)) <= tolerance * length(normal)))
            refuse(of_cell + " is not parallel to its partner, or of another size");
        if (f.cell == g.cell) refuse("cell " + std::to_string(f.cell) + " would be its own neighbour");
        partners.push_back(&g);
    }
    for (std::size_t i = 0; i < from.size(); ++i) join(m, from[i], *partners[i]);
}

}  // namespace wale
