// plan - tiles with three layers round each; a ghost is placed by the cell that it belongs to.
#include "solvers/euler/advance/cuda/second_order/plan.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "cpu/team.hpp"
#include "mesh/tiles.hpp"
#include "solvers/euler/advance/cuda/second_order/bank_numbers.hpp"

namespace wale::euler::second_order {
namespace {

[[nodiscard]] std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

using vector3 = std::array<double, 3>;
using numbers = std::vector<std::int32_t>;

/// work(item, rank) for all items, a free thread takes the next.
template <class F>
void share_out(index_t items, F&& work) {
    std::atomic<index_t> next{0};
    cpu::run_team(cpu::team_size(0, std::max<index_t>(items, 1)), [&](int rank) {
        for (index_t i = next++; i < items; i = next++) work(i, rank);
    });
}

/// Unit of the integers that floats' centroids are rounded to, a power of two: two that are linked lie less
/// than 2^31 apart. 1 for doubles.
template <class Real>
[[nodiscard]] double unit_of(const mesh& m) {
    if constexpr (sizeof(Real) == 8) return 1;
    double most =
        0;  // square of the way to a face; a neighbour lies within two such ways, a link within four
    for (std::size_t row = 0; row + 2 < m.face_offset.size(); row += 3) {
        const double* const x = &m.face_offset[row];
        most = std::max(most, x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    }
    return most > 0 ? std::ldexp(1.0, std::ilogb(4 * std::sqrt(most)) - 29) : 1;
}

/// Whether a cell's faces' centres sum to its own, as a tetrahedron's do.
[[nodiscard]] bool is_balanced(const mesh& m, index_t cell) {
    vector3 sum{};
    double most = 0;
    for (index_t i = 0; i < 3 * faces_of_cell; ++i) {
        const double x = m.face_offset[at(3 * faces_of_cell * cell + i)];
        sum[at(i % 3)] += x;
        most = std::max(most, std::fabs(x));
    }
    return std::ranges::all_of(sum, [&](double s) { return std::fabs(s) <= 1e-10 * most; });
}

using cell_slots = std::array<std::uint16_t, faces_of_cell>;

template <class Real>
class planner {
public:
    planner(const flow_system& system, index_t own, index_t at_once, index_t bytes)
        : mesh_(system.grid), host_(system), k_(constants_of<Real>(system)), unit_(unit_of<Real>(mesh_)) {
        find_ghosts(system);
        for (;; own = own * 3 / 4) {
            cut_tiles(own, at_once);
            if (fits(bytes) || own < 8) return;
        }
    }
    [[nodiscard]] plan<Real> take() {
        number_records();
        std::vector<numbers> places(at(cpu::team_size(0, std::ssize(out_.tiles))),
                                    numbers(out_.records.size()));
        share_out(std::ssize(out_.tiles), [&](index_t i, int rank) { fill(i, places[at(rank)]); });
        return std::move(out_);
    }

private:
    [[nodiscard]] index_t cells() const { return mesh_.cells(); }
    [[nodiscard]] std::int32_t neighbour(index_t row) const { return mesh_.neighbour[at(row)]; }
    [[nodiscard]] static index_t row_of(std::int32_t cell, int face) {
        return index_t{faces_of_cell} * cell + face;
    }

    /// A record behind each face that a gradient sees: ghost_[row], counted from the cells on.
    void find_ghosts(const flow_system& system) {
        const constants<double> k = constants_of<double>(system);
        ghost_.assign(at(mesh_.rows()), -1);
        for (index_t row = 0; row < mesh_.rows(); ++row) {
            if (!is_patch(neighbour(row))) continue;
            const euler_boundary kind = host_.kinds[at(patch_of(neighbour(row)))];
            if (!is_seen(kind)) continue;
            // A ghost's place does not depend on the gas.
            const ghost<double> g =
                ghost_of(kind, k.far, k.far, &mesh_.normal[at(3 * row)], &mesh_.face_offset[at(3 * row)], k);
            ghost_[at(row)] = static_cast<std::int32_t>(cells() + std::ssize(ghost_places_));
            const index_t cell = row / faces_of_cell;
            out_.ghosts.push_back(static_cast<std::int32_t>(cell));
            vector3 place;
            for (index_t d = 0; d < 3; ++d) place[at(d)] = mesh_.centre[at(3 * cell + d)] + g.at[d];
            ghost_places_.push_back(place);
        }
    }

    void cut_tiles(index_t own, index_t at_once) {
        // All multiprocessors get the same number of tiles.
        const index_t rounds = (cells() + own * at_once - 1) / (own * at_once);
        const index_t parts = std::min(rounds * at_once, cells() / least_own + 1);
        cut_ = meshes::tile_cells(mesh_.neighbour, {parts, 1 << 14, 1 << 14});
    }
    /// Counts what each tile has; whether the largest is small enough.
    [[nodiscard]] bool fits(index_t bytes) {
        out_.tiles.clear();
        out_.most_places = out_.most_near = out_.most_faces = 0;
        out_.rows = 0;
        index_t halo = 0, areas = 0, all_patches = 0;
        for (const meshes::deep_tile& from : cut_.tiles) {
            tile t;
            t.first = from.first;
            t.own = from.own;
            t.one = from.one;
            t.rows = out_.rows;
            out_.rows += t.one;
            index_t ghosts = 0, outer = 0, patches = 0;
            for (index_t p = 0; p < from.two; ++p)
                for (int f = 0; f < faces_of_cell; ++f) {
                    const std::uint16_t next = place_of(from, p, f);
                    const index_t row = row_of(cell_of(from, p), f);
                    if (next == meshes::no_place && ghost_[at(row)] >= 0) ++ghosts;
                    if (p < from.own && next == meshes::no_place) ++patches;
                    if (p < from.own && next != meshes::no_place && next >= from.own) ++outer;
                }
            t.inner = static_cast<std::int32_t>((index_t{faces_of_cell} * t.own - patches + outer) / 2);
            t.faces = static_cast<std::int32_t>(t.inner + patches);
            t.all = static_cast<std::int32_t>(from.all + ghosts);
            t.halo = halo;
            t.areas = areas;
            t.patches = all_patches;
            halo += t.all - t.own;
            areas += t.faces;
            all_patches += patches;
            t.near = static_cast<std::int32_t>(from.two + ghosts);
            out_.most_near = std::max(out_.most_near, t.near);
            out_.most_places = std::max(out_.most_places, t.all);
            out_.most_faces = std::max(out_.most_faces, t.faces);
            out_.tiles.push_back(t);
        }
        out_.halo.resize(at(halo + 1));  // a tile that borrows nothing reads there
        out_.areas.resize(at(areas));
        out_.patches.resize(at(all_patches));
        return bytes_of<Real>(out_.most_places, out_.most_faces) <= bytes &&
               piece_of_place<Real>(static_cast<unsigned>(out_.most_places)) <= no_slot &&
               2 * word_of_face(out_.most_faces) < no_slot;
    }

    [[nodiscard]] std::uint16_t place_of(const meshes::deep_tile& t, index_t p, int f) const {
        return cut_.places[at(meshes::tile_faces * (t.rows + p) + f)];
    }
    [[nodiscard]] std::int32_t number_at(const meshes::deep_tile& t, index_t p) const {
        return p < t.own ? static_cast<std::int32_t>(t.first + p) : cut_.halo[at(t.halo + p - t.own)];
    }
    /// The system's number.
    [[nodiscard]] std::int32_t cell_of(const meshes::deep_tile& t, index_t p) const {
        return cut_.order[at(number_at(t, p))];
    }

    void number_records() {
        out_.order = cut_.order;
        number_.resize(at(cells()));
        for (index_t i = 0; i < cells(); ++i) number_[at(out_.order[at(i)])] = static_cast<std::int32_t>(i);
        const auto ghosts = std::ssize(ghost_places_);
        for (std::int32_t& cell : out_.ghosts) cell = number_[at(cell)];
        out_.records.assign(at(cells() + ghosts), {});
        out_.volumes.resize(at(cells()));
        for (index_t i = 0; i < cells(); ++i) {
            const index_t cell = out_.order[at(i)];
            out_.volumes[at(i)] = mesh_.volume[at(cell)];
            set_place(out_.records[at(i)], &mesh_.centre[at(3 * cell)]);
        }
        for (index_t g = 0; g < ghosts; ++g)
            set_place(out_.records[at(cells() + g)], ghost_places_[at(g)].data());
        out_.links.resize(at(2 * out_.rows));
        out_.geometry.resize(at(geometry_chunks<Real>::count * out_.rows));
    }
    void set_place(record<Real>& r, const double* place) const {
        for (int d = 0; d < 3; ++d)
            if constexpr (sizeof(Real) == 4)
                r.place[d] = static_cast<std::int32_t>(
                    static_cast<std::uint32_t>(static_cast<std::uint64_t>(std::llround(place[d] / unit_))));
            else
                r.place[d] = place[d];
    }

    /// Records of the sixteen links, in the system's numbers; the cell's own where there is none.
    [[nodiscard]] std::array<std::int32_t, links_of_cell> links_of(std::int32_t cell) const {
        std::array<std::int32_t, links_of_cell> links;
        links.fill(cell);
        for (int f = 0; f < near_links; ++f) {
            const index_t row = row_of(cell, f);
            const std::int32_t near = neighbour(row);
            if (is_patch(near)) {
                if (ghost_[at(row)] >= 0) links[at(f)] = ghost_[at(row)];
                continue;
            }
            links[at(f)] = near;
            int place = near_links + 3 * f;
            for (int e = 0; e < faces_of_cell; ++e) {
                if (e == mesh_.opposite[at(row)]) continue;
                const index_t beyond = row_of(near, e);
                const std::int32_t next = neighbour(beyond);
                if (!is_patch(next))
                    links[at(place)] = next;
                else if (ghost_[at(beyond)] >= 0)
                    links[at(place)] = ghost_[at(beyond)];
                ++place;
            }
        }
        return links;
    }
    [[nodiscard]] const record<Real>& record_of(std::int32_t cell_or_ghost) const {
        return out_.records[at(cell_or_ghost < cells() ? number_[at(cell_or_ghost)] : cell_or_ghost)];
    }

    /// With the very places that the stage will read, so that gradients of linear states stay exact.
    [[nodiscard]] gradient_geometry<Real> geometry_of(std::int32_t cell) const {
        const primitives<Real> none{};
        normal_equations<Real> equations;
        const record<Real>& own = record_of(cell);
        for (const std::int32_t link : links_of(cell)) {
            if (link == cell) continue;
            Real d[3];
            for (int i = 0; i < 3; ++i) d[i] = difference(record_of(link).place[i], own.place[i]);
            equations.add(d, none, none);
        }
        equations.x[0] = equations.y[1] = equations.z[2] = 1;
        const gradient_of<Real> inverse = equations.solved();
        gradient_geometry<Real> out{};
        out.floor = limiter_floor(host_.volumes[at(cell)], k_);
        for (int f = 0; f < faces_of_cell - 1; ++f)
            for (int d = 0; d < 3; ++d) {
                double sum = 0;
                for (int e = 0; e < 3; ++e)
                    sum += mesh_.face_offset[at(3 * row_of(cell, f) + e)] / unit_ *
                           static_cast<double>(inverse.at[e][d]);
                out.to_faces[f][d] = static_cast<Real>(sum);
            }
        return out;
    }

    /// `place` of a record is where it lies in this tile; of others it says nothing.
    void fill(index_t number, numbers& place) {
        const tile& t = out_.tiles[at(number)];
        const meshes::deep_tile& from = cut_.tiles[at(number)];
        numbers cell(at(from.all));
        for (std::int32_t p = 0; p < from.all; ++p) {
            cell[at(p)] = cell_of(from, p);
            const std::int32_t behind = p < from.two ? p : p + t.near - from.two;  // ghosts are between
            place[at(cell[at(p)])] = behind;
            if (p >= from.own) out_.halo[at(t.halo + behind - t.own)] = number_at(from, p);
        }
        std::int32_t next = from.two;
        for (index_t p = 0; p < from.two; ++p)
            for (int f = 0; f < faces_of_cell; ++f)
                if (const std::int32_t g = ghost_[at(row_of(cell[at(p)], f))]; g >= 0) {
                    place[at(g)] = next;
                    out_.halo[at(t.halo + next++ - t.own)] = g;
                }
        const std::vector<cell_slots> slots = fill_faces(t, cell, place);
        for (index_t p = 0; p < t.one; ++p) fill_cell(t.rows + p, cell[at(p)], place, slots[at(p)]);
    }
    /// Threads take places side by side, so pieces of the same number lie side by side.
    void fill_cell(index_t row, std::int32_t cell, const numbers& place, const cell_slots& slots) {
        const auto links = links_of(cell);
        chunk pieces[2]{};
        for (index_t i = 0; i < links_of_cell; ++i)
            pieces[i / 8].words[i / 2 % 4] |=
                piece_of_place<Real>(static_cast<std::uint32_t>(place[at(links[at(i)])])) << (i % 2 * 16);
        for (index_t i = 0; i < 2; ++i) out_.links[at(i * out_.rows + row)] = pieces[i];
        geometry_chunks<Real> g;
        g.whole = geometry_of(cell);
        for (std::size_t f = 0; f < slots.size(); ++f) g.whole.slots.two[f / 2] |= slots[f] << (f % 2 * 16);
        for (index_t i = 0; i < g.count; ++i) out_.geometry[at(i * out_.rows + row)] = g.pieces[i];
    }

    /// Whether a face's area vector points to its right as its row has it: by its coordinates, so that
    /// neither tiles nor numberings turn it.
    [[nodiscard]] bool is_left(index_t row, index_t opposite) const {
        for (index_t d = 0; d < 3; ++d) {
            const Real a = host_.normals[at(3 * row + d)], b = host_.normals[at(3 * opposite + d)];
            if (a != b) return a > b;
        }
        return row < opposite;
    }
    [[nodiscard]] face_area<Real> area_of(index_t row) const {
        const facing<double> face =
            facing_of(std::array<double, 3>{normal(row, 0), normal(row, 1), normal(row, 2)}.data());
        return {{static_cast<Real>(face.at[0]), static_cast<Real>(face.at[1]), static_cast<Real>(face.at[2]),
                 static_cast<Real>(face.area)}};
    }
    [[nodiscard]] double normal(index_t row, index_t d) const {
        return static_cast<double>(host_.normals[at(3 * row + d)]);
    }
    /// Of the cells up to t.one.
    std::vector<cell_slots> fill_faces(const tile& t, const numbers& cell, const numbers& place) {
        std::vector<cell_slots> slots(at(t.one), {no_slot, no_slot, no_slot, no_slot});
        bank_numbers<Real> next(t.one, t.inner);
        for (index_t p = 0; p < t.own; ++p)
            for (int f = 0; f < faces_of_cell; ++f) {
                const index_t row = row_of(cell[at(p)], f);
                if (is_patch(neighbour(row))) continue;
                const index_t there = place[at(neighbour(row))];
                if (there < p) continue;  // was met from there
                const int g = mesh_.opposite[at(row)];
                const index_t opposite = row_of(neighbour(row), g);
                const bool left = is_left(row, opposite);
                const int face = next.take({p, f}, {there, g});
                out_.areas[at(t.areas + face)] = area_of(left ? row : opposite);
                slots[at(p)][at(f)] = slot_of(face, left);
                slots[at(there)][at(g)] = slot_of(face, !left);
            }
        int face = t.inner;
        for (index_t p = 0; p < t.own; ++p)
            for (int f = 0; f < faces_of_cell; ++f) {
                const index_t row = row_of(cell[at(p)], f);
                if (!is_patch(neighbour(row))) continue;
                out_.areas[at(t.areas + face)] = area_of(row);
                out_.patches[at(t.patches + face - t.inner)] = {patch_of(neighbour(row)), ghost_[at(row)],
                                                                static_cast<std::int32_t>(t.first + p)};
                slots[at(p)][at(f)] = slot_of(face++, true);
            }
        return slots;
    }
    [[nodiscard]] static std::uint16_t slot_of(int face, bool left) {
        return static_cast<std::uint16_t>(2 * word_of_face(face) + (left ? 0 : 1));
    }

    static constexpr index_t least_own = 32;  // the layers cost more below

    const mesh& mesh_;
    const host_arrays<Real> host_;
    const constants<Real> k_;
    const double unit_;
    meshes::deep_tiling cut_;
    plan<Real> out_;
    numbers ghost_, number_;
    std::vector<vector3> ghost_places_;
};

}  // namespace

template <class Real>
plan<Real> plan_of(const flow_system& system, index_t own, index_t parts_at_once, index_t bytes) {
    if (system.cells() == 0) return {};
    return planner<Real>(system, own, parts_at_once, bytes).take();
}
template plan<float> plan_of<float>(const flow_system&, index_t, index_t, index_t);
template plan<double> plan_of<double>(const flow_system&, index_t, index_t, index_t);

std::string why_no_plan(const flow_system& system) {
    const mesh& m = system.grid;
    if (!m.has_centres()) return "needs coordinates";
    // Of the unit: rounding moves a neighbour by less than 2^-12 of its way.
    constexpr double least = 1 << 12;
    const double unit = system.options.precision == scalar::f32 ? unit_of<float>(m) : 0;
    for (const double x : m.centre)
        if (!(std::fabs(x) <= unit * 0x1p62) && unit > 0) return "needs cells of some size beside the mesh";
    for (index_t cell = 0; cell < m.cells(); ++cell)
        if (!is_balanced(m, cell)) return "needs tetrahedra";
    for (index_t row = 0; row < m.rows(); ++row) {
        if (is_patch(m.neighbour[at(row)])) continue;
        const index_t cell = row / faces_of_cell, other = m.neighbour[at(row)];
        const index_t opposite = faces_of_cell * other + m.opposite[at(row)];
        double apart = 0, square = 0;
        for (index_t d = 0; d < 3; ++d) {
            const double way = m.face_offset[at(3 * row + d)] - m.face_offset[at(3 * opposite + d)];
            const double places = m.centre[at(3 * other + d)] - m.centre[at(3 * cell + d)];
            apart = std::max(apart, std::fabs(way - places));
            square += way * way;
        }
        if (!(apart * apart <= 1e-20 * square)) return "has no periodic patches";
        if (!(square >= least * least * unit * unit)) return "needs cells of some size beside the largest";
    }
    return "";
}

}  // namespace wale::euler::second_order
