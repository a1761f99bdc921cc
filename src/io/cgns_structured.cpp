// cgns_structured - the structured zones of a CGNS file as blocks: sizes, points, connections one to one,
// conditions on ranges.
#include <algorithm>
#include <cmath>
#include <wale/error.hpp>
#include <wale/host_memory.hpp>

#include "io/cgns_blocks.hpp"
#include "io/cgns_file.hpp"

namespace wale::io {
namespace {

/// Both ends belong to it, and `last` may be the lower one.
struct index_range {
    block_index first{}, last{};

    [[nodiscard]] bool is_one(std::size_t axis) const { return first[axis] == last[axis]; }
};

class structured_reader {
public:
    explicit structured_reader(const cgns_file& file)
        : in_(file), file_(file.number()), axes_(static_cast<std::size_t>(file.dimensions())) {
        e_.name = file.shown();
        e_.dimensions = file.dimensions();
    }

    mesh_elements read() {
        for (int z = 1; z <= in_.zones(); ++z) read_size(z);
        // Corners and shapes, the points with what is known of each, and the points' line of a zone.
        demand_host_memory(in_.shown() + ": its blocks",
                           50.0 * static_cast<double>(cells_) + 48.0 * static_cast<double>(points_));
        e_.points.reserve(3 * static_cast<std::size_t>(points_));
        for (int z = 1; z <= in_.zones(); ++z) {
            std::array<cgsize_t, 3> last{};
            for (std::size_t a = 0; a < 3; ++a) last[a] = static_cast<cgsize_t>(block(z).points[a]);
            epsilon_ = std::max(epsilon_, in_.read_points(z, last, e_.points));
        }
        in_.flatten(e_.points);
        base::disjoint_sets same(points_);
        join_poles(blocks_, e_, epsilon_, same);
        for (int z = 1; z <= in_.zones(); ++z) {
            read_connections(z, same);
            int conditions = 0;
            check(cg_nbocos(file_, 1, z, &conditions));
            for (int c = 1; c <= conditions; ++c) read_condition(z, c);
        }
        assemble_blocks(blocks_, same, e_, [this](const std::string& what) { in_.refuse(what); });
        return std::move(e_);
    }

private:
    void check(int code) const { in_.check(code); }
    structured_block& block(int zone) { return blocks_[static_cast<std::size_t>(zone - 1)]; }

    void read_size(int zone) {
        cgns_name name{};
        std::array<cgsize_t, 9> size{};
        check(cg_zone_read(file_, 1, zone, name.data(), size.data()));
        structured_block b;
        b.name = in_.printable(name.data());
        index_t points = 1;
        for (std::size_t a = 0; a < axes_; ++a) {
            b.points[a] = static_cast<index_t>(size[a]);
            if (b.points[a] < 2 || b.points[a] > most_points / points)
                in_.refuse("zone '" + b.name + "' has " + std::to_string(b.points[a]) +
                           " points along axis " + std::to_string(a + 1) +
                           ", expected 2 or more, and at most " + std::to_string(most_points) + " in all");
            points *= b.points[a];
        }
        b.first_point = points_;
        points_ += points;
        cells_ += b.cells();
        in_.check_size(points_, cells_);
        for (std::size_t side = 0; side < 2 * axes_; ++side)
            b.patch[side].assign(static_cast<std::size_t>(b.faces_of_side(side)), -1);
        blocks_.push_back(std::move(b));
    }

    void read_connections(int zone, base::disjoint_sets& same) {
        int others = 0, connections = 0;
        check(cg_nconns(file_, 1, zone, &others));
        if (others > 0)
            in_.refuse("zone '" + block(zone).name +
                       "' has a connection of points or cells, expected GridConnectivity1to1_t alone");
        check(cg_n1to1(file_, 1, zone, &connections));
        for (int c = 1; c <= connections; ++c) read_connection(zone, c, same);
    }

    void read_connection(int zone, int c, base::disjoint_sets& same) {
        cgns_name name{}, donor_name{};
        std::array<cgsize_t, 6> range{}, donor_range{};
        std::array<int, 3> transform{};
        check(cg_1to1_read(file_, 1, zone, c, name.data(), donor_name.data(), range.data(),
                           donor_range.data(), transform.data()));
        const std::string own_name = in_.printable(name.data());
        const std::string what = "connection '" + own_name + "' of zone '" + block(zone).name + "'";
        const index_range own = checked_range(range, block(zone), what);
        std::array<float, 3> centre{}, angle{}, translation{};
        const int periodic =
            cg_1to1_periodic_read(file_, 1, zone, c, centre.data(), angle.data(), translation.data());
        if (periodic == CG_OK) {  // the points lie apart: the case says which patches a period joins
            claim(zone, own, patch_named(e_, own_name), what);
            return;
        }
        if (periodic != CG_NODE_NOT_FOUND) check(periodic);
        const structured_block& donor = block_named(donor_name.data(), what);
        const index_range theirs = checked_range(donor_range, donor, what);
        check_transform(transform, own, theirs, what);
        join(block(zone), own, donor, theirs, transform, what, same);
    }

    /// The name may follow that of the base, and a stroke.
    const structured_block& block_named(const std::string& name, const std::string& what) const {
        const std::string last = name.substr(name.rfind('/') + 1);
        const auto found = std::find_if(blocks_.begin(), blocks_.end(),
                                        [&](const structured_block& b) { return b.name == last; });
        if (found == blocks_.end())
            in_.refuse(what + " leads to zone '" + in_.printable(name.c_str()) +
                       "', expected one of the file");
        return *found;
    }

    index_range checked_range(const std::array<cgsize_t, 6>& read, const structured_block& b,
                              const std::string& what) const {
        index_range r;
        for (std::size_t a = 0; a < axes_; ++a) {
            for (const std::size_t end : {a, axes_ + a})
                if (read[end] < 1 || static_cast<index_t>(read[end]) > b.points[a])
                    in_.refuse(what + " has point " + std::to_string(read[end]) + " along axis " +
                               std::to_string(a + 1) + " of zone '" + b.name + "', expected 1 to " +
                               std::to_string(b.points[a]));
            r.first[a] = static_cast<index_t>(read[a]) - 1;
            r.last[a] = static_cast<index_t>(read[axes_ + a]) - 1;
        }
        return r;
    }

    /// Where the axes of the own range lead in the other zone, from the first point to the last.
    void check_transform(const std::array<int, 3>& transform, const index_range& own,
                         const index_range& theirs, const std::string& what) const {
        std::array<bool, 3> taken{};
        bool is_flat = false;
        for (std::size_t a = 0; a < axes_; ++a) {
            const auto to = static_cast<std::size_t>(std::abs(transform[a]));
            if (to < 1 || to > axes_ || taken[to - 1])
                in_.refuse(what + " has axis " + std::to_string(transform[a]) +
                           " in its transformation, expected each axis once");
            taken[to - 1] = true;
            is_flat = is_flat || own.is_one(a);
            const index_t steps = (own.last[a] - own.first[a]) * (transform[a] < 0 ? -1 : 1);
            if (theirs.last[to - 1] - theirs.first[to - 1] != steps)
                in_.refuse(what + " goes " + std::to_string(steps) + " points along axis " +
                           std::to_string(to) + " of the other zone, whose range says " +
                           std::to_string(theirs.last[to - 1] - theirs.first[to - 1]));
        }
        if (!is_flat) in_.refuse(what + " joins cells, expected the points of one side");
    }

    /// Joined points may differ by what rounding in the generator leaves: far less than a cell.
    void join(const structured_block& b, const index_range& own, const structured_block& other,
              const index_range& theirs, const std::array<int, 3>& transform, const std::string& what,
              base::disjoint_sets& same) const {
        double farthest = 0, largest = 0, extent = 0;
        std::array<double, 3> least{}, most{};
        least.fill(HUGE_VAL);
        most.fill(-HUGE_VAL);
        for_points(own, [&](const block_index& at) {
            block_index there = theirs.first;
            for (std::size_t a = 0; a < axes_; ++a)
                there[static_cast<std::size_t>(std::abs(transform[a])) - 1] +=
                    (at[a] - own.first[a]) * (transform[a] < 0 ? -1 : 1);
            const index_t here = b.point(at), partner = other.point(there);
            for (std::size_t d = 0; d < 3; ++d) {
                const double x = coordinate(here, d);
                farthest = std::max(farthest, std::fabs(x - coordinate(partner, d)));
                largest = std::max(largest, std::fabs(x));
                least[d] = std::min(least[d], x);
                most[d] = std::max(most[d], x);
                extent = std::max(extent, most[d] - least[d]);
            }
            same.join(here, partner);
        });
        const double bound = 1e-5 * extent + 4 * epsilon_ * largest;
        if (!(farthest <= bound))
            in_.refuse(what + " joins points that are " + std::to_string(farthest) +
                       " apart, expected at most " + std::to_string(bound));
    }
    [[nodiscard]] double coordinate(index_t point, std::size_t d) const {
        return e_.points[3 * static_cast<std::size_t>(point) + d];
    }
    template <class Use>
    static void for_points(const index_range& r, const Use& use) {
        const auto from = [&](std::size_t a) { return std::min(r.first[a], r.last[a]); };
        const auto to = [&](std::size_t a) { return std::max(r.first[a], r.last[a]); };
        for (index_t k = from(2); k <= to(2); ++k)
            for (index_t j = from(1); j <= to(1); ++j)
                for (index_t i = from(0); i <= to(0); ++i) use(block_index{i, j, k});
    }

    void read_condition(int zone, int c) {
        const auto [own, type, set, location, count] = in_.condition(zone, c);
        const std::string what = "condition '" + own + "' of zone '" + block(zone).name + "'";
        if (set != PointRange || count != 2) in_.refuse(what + " is no PointRange, which is expected");
        if (type == BCDegenerateLine || type == BCDegeneratePoint) return;  // says nothing about faces
        std::array<cgsize_t, 6> read{};
        check(cg_boco_read(file_, 1, zone, c, read.data(), nullptr));
        index_range range = checked_range(read, block(zone), what);
        if (location != Vertex) range = points_of_faces(range, location, block(zone), what);
        claim(zone, range, patch_named(e_, in_.patch_of(zone, c, own)), what);
    }

    /// From the numbers of faces to those of their points: along a side the last face has one point more.
    index_range points_of_faces(const index_range& faces, GridLocation_t location, const structured_block& b,
                                const std::string& what) const {
        std::vector<std::size_t> axes;
        for (std::size_t a = 0; a < axes_; ++a) {
            const GridLocation_t own = a == 0 ? IFaceCenter : a == 1 ? JFaceCenter : KFaceCenter;
            const bool any = location == FaceCenter || (location == EdgeCenter && axes_ == 2);
            const bool end = faces.first[a] == 0 || faces.first[a] == b.points[a] - 1;
            if (location == own || (any && faces.is_one(a) && end)) axes.push_back(a);
        }
        // A side that is one face wide also has one number along that side.
        if (axes.size() > 1)
            std::erase_if(axes, [&](std::size_t a) { return b.points[a] == 2 && faces.first[a] == 0; });
        if (axes.size() != 1)
            in_.refuse(what + " is of " + GridLocationName[location] +
                       " on no certain side, expected Vertex, IFaceCenter, JFaceCenter or KFaceCenter");
        index_range points = faces;
        for (std::size_t a = 0; a < axes_; ++a)
            if (a != axes[0])
                points.last[a] = std::min(std::max(faces.first[a], faces.last[a]) + 1, b.points[a] - 1),
                points.first[a] = std::min(faces.first[a], faces.last[a]);
        return points;
    }

    /// Of two conditions that have a face the first one counts.
    void claim(int zone, const index_range& points, int patch, const std::string& what) {
        structured_block& b = block(zone);
        std::vector<std::size_t> fixed;
        for (std::size_t a = 0; a < axes_; ++a)
            if (points.is_one(a)) fixed.push_back(a);
        if (fixed.size() != 1)
            in_.refuse(what + (fixed.empty() ? " covers cells" : " has no faces") +
                       ", expected the points of one side");
        const std::size_t axis = fixed[0];
        const bool low = points.first[axis] == 0;
        if (!low && points.first[axis] != b.points[axis] - 1)
            in_.refuse(what + " lies inside the zone, expected point 1 or " + std::to_string(b.points[axis]) +
                       " along axis " + std::to_string(axis + 1));
        const std::size_t side = 2 * axis + (low ? 0 : 1);
        const auto [first, second] = structured_block::along(side);
        index_range faces = points;
        faces.first[axis] = faces.last[axis] = 0;
        for (const std::size_t a : {first, second}) {
            faces.first[a] = std::min(points.first[a], points.last[a]);
            faces.last[a] = std::max(std::max(points.first[a], points.last[a]) - 1, faces.first[a]);
        }
        for_points(faces, [&](const block_index& at) {
            int& claimed =
                b.patch[side][static_cast<std::size_t>(at[first] + b.cells_along(first) * at[second])];
            if (claimed < 0) claimed = patch;
        });
    }

    static constexpr index_t most_points = 2147483647;
    const cgns_file& in_;
    int file_;
    std::size_t axes_;
    std::vector<structured_block> blocks_;
    index_t points_ = 0, cells_ = 0;
    double epsilon_ = 0;  // of the coarsest coordinates
    mesh_elements e_;
};

}  // namespace

mesh_elements read_structured_zones(const cgns_file& file) {
    return structured_reader(file).read();
}

}  // namespace wale::io
