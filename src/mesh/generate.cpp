// generate - meshes made up from a recipe, for demonstrations, tests and benchmarks.
#include "mesh/generate.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <wale/error.hpp>
#include <wale/host_memory.hpp>

#include "base/enumerator.hpp"
#include "cpu/poll.hpp"
#include "mesh/geometry.hpp"
#include "mesh/random.hpp"

namespace wale {
namespace meshes {
namespace {

class distortion {
public:
    distortion(mesh_elements& e, double part, std::uint64_t seed)
        : e_(e), planned_(e.points.size(), 0.0), before_(e.points) {
        const std::vector<double> reach = reaches();
        random_source random(seed);
        for (std::size_t i = 0; i < planned_.size(); ++i) {
            const double shift = part * reach[i / 3] * (2 * random.uniform() - 1);
            planned_[i] = e.dimensions == 2 && i % 3 == 2 ? 0 : shift;
        }
    }

    void apply() {
        std::vector<double> volume;
        for (index_t c = 0; c < std::ssize(e_.shapes); ++c) volume.push_back(volume_of(c));
        for (int round = 0; round < 30; ++round) {
            for (std::size_t i = 0; i < planned_.size(); ++i) e_.points[i] = before_[i] + planned_[i];
            std::vector<char> back(e_.points.size() / 3, 0);
            for (index_t c = 0; c < std::ssize(e_.shapes); ++c)
                if (!(volume_of(c) / volume[static_cast<std::size_t>(c)] > 0.5))
                    for (const std::int32_t p : corners(c)) back[static_cast<std::size_t>(p)] = 1;
            if (std::find(back.begin(), back.end(), 1) == back.end()) return;
            for (std::size_t i = 0; i < planned_.size(); ++i)
                if (back[i / 3]) planned_[i] *= 0.5;
        }
        e_.points = before_;
    }

private:
    [[nodiscard]] std::span<const std::int32_t> corners(index_t c) const {
        const auto cell = static_cast<std::size_t>(c);
        return {e_.corners.data() + e_.first_corner[cell], e_.corners.data() + e_.first_corner[cell + 1]};
    }
    [[nodiscard]] double volume_of(index_t c) const {
        return form_of(e_.shapes[static_cast<std::size_t>(c)], corners(c).data(), e_.points.data()).volume;
    }

    /// Of each point the shortest edge; 0 on the boundary.
    [[nodiscard]] std::vector<double> reaches() const {
        std::vector<double> reach(e_.points.size() / 3, HUGE_VAL);
        for (index_t c = 0; c < std::ssize(e_.shapes); ++c)
            for (const std::int32_t a : corners(c))
                for (const std::int32_t b : corners(c))
                    if (a != b)
                        reach[static_cast<std::size_t>(a)] =
                            std::min(reach[static_cast<std::size_t>(a)],
                                     length(load(e_.points.data(), a) - load(e_.points.data(), b)));
        for (const mesh_elements::patch& p : e_.patches)
            for (const std::int32_t corner : p.corners) reach[static_cast<std::size_t>(corner)] = 0;
        return reach;
    }

    mesh_elements& e_;
    std::vector<double> planned_;  // [points][3]
    std::vector<double> before_;
};

/// Moves inner points by up to `part` of the shortest edge of a cell at the point. Points of cells that lose
/// more than half of their volume go half of the way back, until none does.
void distort(mesh_elements& e, double part, std::uint64_t seed) {
    distortion(e, part, seed).apply();
}

constexpr double bytes_of_a_cell = 400;   // at the peak; by shape 409 to 619 were measured
constexpr index_t largest = 200'000'000;  // cells: points, and rows of patches, stay below 2^31

void check_size(const mesh_recipe& r) {
    if (r.size < 1 || r.size > largest) throw bad_argument("recipe.size: expected 1 to 200000000 cells");
}

void check(const mesh_recipe& r) {
    const auto demand = [](bool holds, const char* what) {
        if (!holds) throw bad_argument(what);
    };
    base::check_enumerator("recipe", "kind", r.kind, mesh_kind::c_grid);
    base::check_enumerator("recipe", "shape", r.shape, cell_shape::hexahedron);
    check_size(r);
    demand(r.shape != cell_shape::pyramid, "recipe.shape: nothing is made of pyramids alone");
    demand(r.kind != mesh_kind::shell || r.shape == cell_shape::tetrahedron,
           "recipe.shape: a shell is of tetrahedra");
    demand(r.thickness > 0 && r.thickness <= 1, "recipe.thickness: expected more than 0, up to 1");
    demand(r.outer > 1 && r.outer <= 1e6, "recipe.outer: expected more than 1, up to 1e6");
    demand(r.angle >= 0 && r.angle <= 40, "recipe.angle: expected 0 to 40 degrees");
    demand(r.height >= 0 && r.height <= 0.8, "recipe.height: expected 0 to 0.8");
    demand(r.distortion >= 0 && r.distortion <= 0.5, "recipe.distortion: expected 0 to 0.5");
}

/// The layers of points over a footprint, and the cells and patches between them.
class extrusion {
public:
    extrusion(const drawing& d, mesh_elements& out) : d_(d), out_(out) {
        for (const std::string& name : d.patches) out_.patches.push_back({.name = name, .corners = {}});
    }

    void flat() {
        cpu::rare_poll poll(1 << 14);
        for (std::size_t at = 0; at < d_.base.corners.size(); at += sides(), poll())
            add_cell({&d_.base.corners[at], sides()});
        for (const footprint::edge& e : d_.base.edges) add_face(e.patch, {{e.from, e.to}});
    }

    void layered() {
        cpu::rare_poll poll(1 << 8);
        for (std::size_t at = 0; at < d_.base.corners.size(); at += sides(), poll()) {
            const std::span corners(&d_.base.corners[at], sides());
            for (int l = 0; l < d_.layers; ++l) draw_up(corners, l);
            add_face(d_.bottom, lifted(corners, 0));
            add_face(d_.top, lifted(corners, d_.layers));
        }
        for (const footprint::edge& e : d_.base.edges)
            for (int l = 0; l < d_.layers; ++l) draw_side(e, l);
    }

private:
    using list = std::vector<std::int32_t>;
    [[nodiscard]] std::size_t sides() const { return static_cast<std::size_t>(d_.base.sides()); }
    [[nodiscard]] std::int32_t point(std::int32_t base, int layer) const {
        return base * (d_.layers + 1) + layer;
    }
    [[nodiscard]] list lifted(std::span<const std::int32_t> corners, int layer) const {
        list all;
        for (const std::int32_t c : corners) all.push_back(point(c, layer));
        return all;
    }

    void add_cell(std::span<const std::int32_t> corners) {
        out_.shapes.push_back(d_.shape);
        out_.corners.insert(out_.corners.end(), corners.begin(), corners.end());
        out_.first_corner.push_back(std::ssize(out_.corners));
    }
    void add_face(int patch, const list& corners) {
        mesh_elements::patch& p = out_.patches[static_cast<std::size_t>(patch)];
        p.corners.insert(p.corners.end(), corners.begin(), corners.end());
        p.first_corner.push_back(std::ssize(p.corners));
    }

    /// Three tetrahedra along the way up from the smallest corner below to the largest one above. Whether
    /// their corners run the right way round depends on the order of the three; build_mesh() turns them.
    void draw_up(std::span<const std::int32_t> corners, int layer) {
        if (d_.shape != cell_shape::tetrahedron) {
            list cell = lifted(corners, layer);
            const list above = lifted(corners, layer + 1);
            cell.insert(cell.end(), above.begin(), above.end());
            return add_cell(cell);
        }
        list sorted(corners.begin(), corners.end());
        std::sort(sorted.begin(), sorted.end());
        const list low = lifted(sorted, layer), high = lifted(sorted, layer + 1);
        for (const list& cell :
             {list{low[0], low[1], low[2], high[2]}, list{low[0], low[1], high[1], high[2]},
              list{low[0], high[0], high[1], high[2]}})
            add_cell(cell);
    }

    void draw_side(const footprint::edge& e, int layer) {
        const auto [a, b] = std::minmax(e.from, e.to);
        const std::int32_t a0 = point(a, layer), b0 = point(b, layer);
        const std::int32_t a1 = point(a, layer + 1), b1 = point(b, layer + 1);
        if (d_.shape != cell_shape::tetrahedron) return add_face(e.patch, {a0, b0, b1, a1});
        add_face(e.patch, {a0, b0, b1});
        add_face(e.patch, {a0, b1, a1});
    }

    const drawing& d_;
    mesh_elements& out_;
};

}  // namespace

double portable_sine(double x) noexcept {
    double sum = 0, term = x;
    for (int n = 1; n < 30; n += 2) {
        sum += term;
        term *= -x * x / ((n + 1) * (n + 2));
    }
    return sum;
}

mesh_elements elements_of(drawing&& d) {
    mesh_elements e;
    e.name = "generated mesh";
    e.dimensions = dimensions_of(d.shape);
    e.points = std::move(d.points);
    extrusion out(d, e);
    d.layers == 0 ? out.flat() : out.layered();
    return e;
}

}  // namespace meshes

const char* name_of(mesh_kind k) noexcept {
    switch (k) {
        case mesh_kind::shell:
            return "shell";
        case mesh_kind::wedge:
            return "wedge";
        case mesh_kind::bump:
            return "bump";
        case mesh_kind::box:
            return "box";
        case mesh_kind::tube:
            return "tube";
        case mesh_kind::o_grid:
            return "o_grid";
        case mesh_kind::c_grid:
            return "c_grid";
    }
    return "";
}

mesh generate_mesh(const mesh_recipe& asked) {
    if (asked.around == 0) meshes::check_size(asked);  // else nothing is made by it
    const mesh_recipe recipe = meshes::counted(asked);
    meshes::check(recipe);
    demand_host_memory("mesh: " + std::to_string(recipe.size) + " cells",
                       meshes::bytes_of_a_cell * static_cast<double>(recipe.size));
    mesh_elements e = meshes::elements_of(recipe.kind == mesh_kind::shell   ? meshes::draw_shell(recipe)
                                          : meshes::is_section(recipe.kind) ? meshes::draw_section(recipe)
                                                                            : meshes::draw_channel(recipe));
    if (recipe.distortion > 0) meshes::distort(e, recipe.distortion, recipe.seed);
    mesh m = build_mesh(e);
    if (!recipe.shuffled) return m;
    return renumbered(m, order_cells(m, cell_order::random, recipe.seed));
}

}  // namespace wale
