// cgns_library - libwale_cgns: a zone of unstructured cells of a CGNS file, as CGNS's Standard Interface Data
// Structures describe it. Nothing else of Wale knows libcgns, which brings HDF5.
#include <cgnslib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <wale/error.hpp>
#include <wale/host_memory.hpp>

#include "io/cgns_api.hpp"
#include "io/escape.hpp"

namespace wale::io {
namespace {

struct element_type {
    ElementType_t number;
    int dimensions;
    std::size_t corners;
    cell_shape shape;  // of points and bars: not used
};
constexpr std::array<element_type, 8> element_types{{{NODE, 0, 1, cell_shape::triangle},
                                                     {BAR_2, 1, 2, cell_shape::triangle},
                                                     {TRI_3, 2, 3, cell_shape::triangle},
                                                     {QUAD_4, 2, 4, cell_shape::quadrilateral},
                                                     {TETRA_4, 3, 4, cell_shape::tetrahedron},
                                                     {PYRA_5, 3, 5, cell_shape::pyramid},
                                                     {PENTA_6, 3, 6, cell_shape::prism},
                                                     {HEXA_8, 3, 8, cell_shape::hexahedron}}};

constexpr std::size_t longest_name = 2048;  // CGNS's are 32 letters; of families with their path more

/// Of one dimension less than the cells.
struct boundary_element {
    std::vector<std::int32_t> corners;
    int patch = -1;
};

class cgns_reader {
public:
    cgns_reader(const std::string& path, const std::string& shown, index_t max_cells)
        : shown_(shown), max_cells_(max_cells) {
        e_.name = shown;
        check(cg_open(path.c_str(), CG_MODE_READ, &file_));
        open_ = true;
    }
    cgns_reader(const cgns_reader&) = delete;
    cgns_reader& operator=(const cgns_reader&) = delete;
    ~cgns_reader() {
        if (open_) cg_close(file_);
    }

    mesh_elements read() {
        read_zone();
        read_points();
        int sections = 0, conditions = 0;
        check(cg_nsections(file_, 1, 1, &sections));
        for (int s = 1; s <= sections; ++s) read_section(s);
        if (std::ssize(e_.shapes) != zone_cells_)
            refuse(std::to_string(e_.shapes.size()) + " cells of " + std::to_string(e_.dimensions) +
                   " dimensions, the zone says " + std::to_string(zone_cells_));
        check(cg_nbocos(file_, 1, 1, &conditions));
        for (int c = 1; c <= conditions; ++c) read_condition(c);
        assemble_patches();
        return std::move(e_);
    }

private:
    [[noreturn]] void refuse(const std::string& what) const { throw bad_input(shown_ + ": " + what); }
    void check(int code) const {
        if (code != CG_OK) refuse(std::string("CGNS: ") + escaped(cg_get_error()));
    }
    [[nodiscard]] std::string printable(const char* name) const {
        if (escaped(name) != name || *name == '\0')
            refuse("name '" + escaped(name) + "', expected printable text");
        return name;
    }

    void read_zone() {
        int bases = 0, zones = 0, space = 0, connections = 0;
        std::array<char, longest_name> name{};
        check(cg_nbases(file_, &bases));
        if (bases != 1) refuse(std::to_string(bases) + " bases, expected 1");
        check(cg_base_read(file_, 1, name.data(), &e_.dimensions, &space));
        if (e_.dimensions < 2 || e_.dimensions > 3 || space < e_.dimensions || space > 3)
            refuse("cells of " + std::to_string(e_.dimensions) + " dimensions in " + std::to_string(space) +
                   ", expected 2 or 3");
        space_ = space;
        check(cg_nzones(file_, 1, &zones));
        if (zones != 1) refuse(std::to_string(zones) + " zones, expected 1");
        ZoneType_t type{};
        check(cg_zone_type(file_, 1, 1, &type));
        if (type != Unstructured) refuse("the zone is structured, expected an unstructured one");
        std::array<cgsize_t, 9> size{};
        check(cg_zone_read(file_, 1, 1, name.data(), size.data()));
        points_ = static_cast<index_t>(size[0]);
        zone_cells_ = static_cast<index_t>(size[1]);
        if (points_ < 1 || points_ > std::numeric_limits<std::int32_t>::max())
            refuse(std::to_string(points_) + " points, expected 1 to 2147483647");
        if (zone_cells_ < 1 || zone_cells_ > max_cells_)
            refuse(std::to_string(zone_cells_) + " cells, expected 1 to " + std::to_string(max_cells_));
        check(cg_nconns(file_, 1, 1, &connections));
        if (connections > 0) refuse("the zone is connected with itself, expected no connections");
    }

    void read_points() {
        demand_host_memory(shown_ + ": its points", 32.0 * static_cast<double>(points_));
        e_.points.assign(static_cast<std::size_t>(3 * points_), 0.0);
        std::vector<double> line(static_cast<std::size_t>(points_));
        const cgsize_t first = 1, last = static_cast<cgsize_t>(points_);
        for (std::size_t d = 0; d < static_cast<std::size_t>(space_); ++d) {
            const std::string name = std::string("Coordinate") + "XYZ"[d];
            check(cg_coord_read(file_, 1, 1, name.c_str(), RealDouble, &first, &last, line.data()));
            for (std::size_t i = 0; i < line.size(); ++i) {
                if (!std::isfinite(line[i]))
                    refuse(name + " of point " + std::to_string(i + 1) + " is no number");
                e_.points[3 * i + d] = line[i];
            }
        }
        if (e_.dimensions == 3 || space_ < 3) return;
        const auto [least, most] = std::minmax_element(line.begin(), line.end());
        if (*least != *most) refuse("points of several z without solid cells, expected one z");
        for (std::size_t i = 0; i < line.size(); ++i) e_.points[3 * i + 2] = 0;
    }

    void read_section(int s) {
        std::array<char, longest_name> name{};
        ElementType_t type{};
        cgsize_t first = 0, last = 0, size = 0;
        int edges = 0, has_parents = 0;
        check(cg_section_read(file_, 1, 1, s, name.data(), &type, &first, &last, &edges, &has_parents));
        section_ = printable(name.data());
        if (first < 1 || last < first) in_section("has no elements, expected some");
        if (type != MIXED) (void)type_of(type);
        check(cg_ElementDataSize(file_, 1, 1, s, &size));
        const auto count = static_cast<std::size_t>(last - first) + 1;
        if (size < 0 || count > static_cast<std::size_t>(size)) in_section("is cut short");
        demand_host_memory(
            shown_ + ": its elements",
            static_cast<double>(sizeof(cgsize_t)) * (static_cast<double>(size) + static_cast<double>(count)));
        std::vector<cgsize_t> data(static_cast<std::size_t>(size)), begins(type == MIXED ? count + 1 : 0);
        check(type == MIXED ? cg_poly_elements_read(file_, 1, 1, s, data.data(), begins.data(), nullptr)
                            : cg_elements_read(file_, 1, 1, s, data.data(), nullptr));
        std::size_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (type == MIXED && at >= data.size()) in_section("is cut short");
            const element_type& t = type_of(type == MIXED ? static_cast<ElementType_t>(data[at++]) : type);
            if (t.corners > data.size() - at) in_section("is cut short");
            add_element(static_cast<index_t>(first) + static_cast<index_t>(i), t, &data[at]);
            at += t.corners;
        }
        if (at != data.size()) in_section("has more corners than its elements take");
    }
    [[noreturn]] void in_section(const std::string& what) const {
        refuse("section '" + section_ + "' " + what);
    }
    [[nodiscard]] const element_type& type_of(ElementType_t number) const {
        const auto* found = std::find_if(element_types.begin(), element_types.end(),
                                         [&](const element_type& t) { return t.number == number; });
        if (found != element_types.end()) return *found;
        const char* name = number >= 0 && number < NofValidElementTypes ? ElementTypeName[number] : "unknown";
        in_section(std::string("has elements of type ") + name +
                   ", expected NODE, BAR_2, TRI_3, QUAD_4, TETRA_4, PYRA_5, PENTA_6, HEXA_8 or MIXED");
    }

    void add_element(index_t number, const element_type& t, const cgsize_t* corners) {
        for (std::size_t i = 0; i < t.corners; ++i)
            if (corners[i] < 1 || static_cast<index_t>(corners[i]) > points_)
                in_section("has point " + std::to_string(corners[i]) + " in element " +
                           std::to_string(number) + ", expected 1 to " + std::to_string(points_));
        const auto append = [&](std::vector<std::int32_t>& to) {
            for (std::size_t i = 0; i < t.corners; ++i)
                to.push_back(static_cast<std::int32_t>(corners[i] - 1));
        };
        if (t.dimensions == e_.dimensions) {
            if (std::ssize(e_.shapes) == max_cells_)
                refuse("more than " + std::to_string(max_cells_) + " cells");
            e_.shapes.push_back(t.shape);
            append(e_.corners);
            e_.first_corner.push_back(std::ssize(e_.corners));
        } else if (t.dimensions > e_.dimensions) {
            in_section("has solid elements, the base says 2 dimensions");
        } else if (t.dimensions == e_.dimensions - 1) {
            if (!places_.try_emplace(number, boundary_.size()).second)
                in_section("has element " + std::to_string(number) + " again");
            append(boundary_.emplace_back().corners);
            sections_.push_back(section_);
        }
    }

    /// A condition's patch has the name of its family, else its own.
    void read_condition(int c) {
        std::array<char, longest_name> name{};
        BCType_t type{};
        PointSetType_t set{};
        GridLocation_t location{};
        DataType_t normals{};
        cgsize_t count = 0, normal_size = 0;
        int normal_index[3], data_sets = 0;
        check(cg_boco_info(file_, 1, 1, c, name.data(), &type, &set, &count, normal_index, &normal_size,
                           &normals, &data_sets));
        check(cg_boco_gridlocation_read(file_, 1, 1, c, &location));
        const std::string own = printable(name.data());
        const GridLocation_t faces = e_.dimensions == 3 ? FaceCenter : EdgeCenter;
        if (location != faces && location != FaceCenter)
            refuse("condition '" + own + "' is of " + GridLocationName[location] + ", expected " +
                   GridLocationName[faces]);
        const bool range = set == PointRange || set == ElementRange;
        if (count < 1 || (range && count != 2)) refuse("condition '" + own + "' has no faces, expected some");
        std::vector<cgsize_t> faces_of(static_cast<std::size_t>(count));
        check(cg_boco_read(file_, 1, 1, c, faces_of.data(), nullptr));
        std::array<char, longest_name> family{};
        check(cg_goto(file_, 1, "Zone_t", 1, "ZoneBC_t", 1, "BC_t", c, "end"));
        const bool has_family = cg_famname_read(family.data()) == CG_OK && family[0] != '\0';
        const int patch = patch_named(has_family ? printable(family.data()) : own);
        const auto claim = [&](index_t number) {
            const auto place = places_.find(number);
            if (place == places_.end())
                refuse("condition '" + own + "': element " + std::to_string(number) +
                       " is no element of the boundary");
            int& claimed = boundary_[place->second].patch;
            if (claimed < 0) claimed = patch;
        };
        if (!range)
            for (const cgsize_t number : faces_of) claim(number);
        else
            for (auto number = static_cast<index_t>(faces_of[0]); number <= static_cast<index_t>(faces_of[1]);
                 ++number)
                claim(number);
    }

    [[nodiscard]] int patch_named(const std::string& name) {
        for (std::size_t p = 0; p < e_.patches.size(); ++p)
            if (e_.patches[p].name == name) return static_cast<int>(p);
        e_.patches.push_back({.name = name, .corners = {}});
        return static_cast<int>(e_.patches.size()) - 1;
    }

    /// Elements of no condition make a patch of their section's name.
    void assemble_patches() {
        for (std::size_t b = 0; b < boundary_.size(); ++b) {
            const int patch = boundary_[b].patch < 0 ? patch_named(sections_[b]) : boundary_[b].patch;
            mesh_elements::patch& p = e_.patches[static_cast<std::size_t>(patch)];
            p.corners.insert(p.corners.end(), boundary_[b].corners.begin(), boundary_[b].corners.end());
            p.first_corner.push_back(std::ssize(p.corners));
        }
    }

    std::string shown_;
    index_t max_cells_;
    int file_ = 0;
    bool open_ = false;
    int space_ = 3;  // dimensions of the coordinates
    index_t points_ = 0, zone_cells_ = 0;
    mesh_elements e_;
    std::vector<boundary_element> boundary_;
    std::vector<std::string> sections_;                // of each of them
    std::unordered_map<index_t, std::size_t> places_;  // of the elements' numbers in boundary_
    std::string section_;                              // that is being read
};

/// libcgns has state of its own: one file at a time.
mesh_elements read(const std::string& path, const std::string& shown, index_t max_cells) {
    static std::mutex turn;
    const std::lock_guard own_turn(turn);
    return cgns_reader(path, shown, max_cells).read();
}

}  // namespace
}  // namespace wale::io

extern "C" __attribute__((visibility("default"))) const wale::io::cgns_api* wale_cgns_entry() {
    static const wale::io::cgns_api api{WALE_VERSION, wale::io::read};
    return &api;
}
