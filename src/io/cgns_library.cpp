// cgns_library - libwale_cgns: a zone of unstructured cells of a CGNS file, as CGNS's Standard Interface Data
// Structures describe it. Nothing of Wale but the files cgns_* knows libcgns, which brings HDF5.
#include <algorithm>
#include <array>
#include <mutex>
#include <unordered_map>
#include <wale/error.hpp>
#include <wale/host_memory.hpp>

#include "io/cgns_api.hpp"
#include "io/cgns_file.hpp"

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

/// Of one dimension less than the cells.
struct boundary_element {
    std::vector<std::int32_t> corners;
    int patch = -1;
};

class zone_reader {
public:
    explicit zone_reader(const cgns_file& file) : in_(file), file_(file.number()) {
        e_.name = file.shown();
        e_.dimensions = file.dimensions();
    }

    mesh_elements read() {
        read_zone();
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
    [[noreturn]] void refuse(const std::string& what) const { in_.refuse(what); }
    void check(int code) const { in_.check(code); }

    void read_zone() {
        if (in_.zones() != 1)
            refuse(std::to_string(in_.zones()) + " zones of unstructured cells, expected 1");
        cgns_name name{};
        std::array<cgsize_t, 9> size{};
        int connections = 0;
        check(cg_zone_read(file_, 1, 1, name.data(), size.data()));
        points_ = static_cast<index_t>(size[0]);
        zone_cells_ = static_cast<index_t>(size[1]);
        in_.check_size(points_, zone_cells_);
        check(cg_nconns(file_, 1, 1, &connections));
        if (connections > 0) refuse("the zone is connected with itself, expected no connections");
        in_.read_points(1, {size[0], 1, 1}, e_.points);
        in_.flatten(e_.points);
    }

    void read_section(int s) {
        cgns_name name{};
        ElementType_t type{};
        cgsize_t first = 0, last = 0, size = 0;
        int edges = 0, has_parents = 0;
        check(cg_section_read(file_, 1, 1, s, name.data(), &type, &first, &last, &edges, &has_parents));
        section_ = in_.printable(name.data());
        if (first < 1 || last < first) in_section("has no elements, expected some");
        if (type != MIXED) (void)type_of(type);
        check(cg_ElementDataSize(file_, 1, 1, s, &size));
        const auto count = static_cast<std::size_t>(last - first) + 1;
        if (size < 0 || count > static_cast<std::size_t>(size)) in_section("is cut short");
        demand_host_memory(
            in_.shown() + ": its elements",
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
            if (std::ssize(e_.shapes) == in_.max_cells())
                refuse("more than " + std::to_string(in_.max_cells()) + " cells");
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
        const cgns_condition asked = in_.condition(1, c);
        const GridLocation_t faces = e_.dimensions == 3 ? FaceCenter : EdgeCenter;
        if (asked.location != faces && asked.location != FaceCenter)
            refuse("condition '" + asked.name + "' is of " + GridLocationName[asked.location] +
                   ", expected " + GridLocationName[faces]);
        const bool range = asked.set == PointRange || asked.set == ElementRange;
        if (asked.count < 1 || (range && asked.count != 2))
            refuse("condition '" + asked.name + "' has no faces, expected some");
        std::vector<cgsize_t> faces_of(static_cast<std::size_t>(asked.count));
        check(cg_boco_read(file_, 1, 1, c, faces_of.data(), nullptr));
        const int patch = patch_named(e_, in_.patch_of(1, c, asked.name));
        const auto claim = [&](index_t number) {
            const auto place = places_.find(number);
            if (place == places_.end())
                refuse("condition '" + asked.name + "': element " + std::to_string(number) +
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

    /// Elements of no condition make a patch of their section's name.
    void assemble_patches() {
        for (std::size_t b = 0; b < boundary_.size(); ++b) {
            const int patch = boundary_[b].patch < 0 ? patch_named(e_, sections_[b]) : boundary_[b].patch;
            mesh_elements::patch& p = e_.patches[static_cast<std::size_t>(patch)];
            p.corners.insert(p.corners.end(), boundary_[b].corners.begin(), boundary_[b].corners.end());
            p.first_corner.push_back(std::ssize(p.corners));
        }
    }

    const cgns_file& in_;
    int file_;
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
    const cgns_file file(path, shown, max_cells);
    return file.is_structured() ? read_structured_zones(file) : zone_reader(file).read();
}

}  // namespace
}  // namespace wale::io

extern "C" __attribute__((visibility("default"))) const wale::io::cgns_api* wale_cgns_entry() {
    static const wale::io::cgns_api api{WALE_VERSION, wale::io::read};
    return &api;
}
