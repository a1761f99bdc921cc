// cgns_file - base, points and names.
#include "io/cgns_file.hpp"

#include <cmath>
#include <limits>
#include <wale/error.hpp>
#include <wale/host_memory.hpp>

#include "io/escape.hpp"

namespace wale::io {

cgns_file::cgns_file(const std::string& path, const std::string& shown, index_t max_cells)
    : shown_(shown), max_cells_(max_cells) {
    check(cg_open(path.c_str(), CG_MODE_READ, &file_));
    try {
        int bases = 0;
        cgns_name name{};
        check(cg_nbases(file_, &bases));
        if (bases != 1) refuse(std::to_string(bases) + " bases, expected 1");
        check(cg_base_read(file_, 1, name.data(), &dimensions_, &space_));
        if (dimensions_ < 2 || dimensions_ > 3 || space_ < dimensions_ || space_ > 3)
            refuse("cells of " + std::to_string(dimensions_) + " dimensions in " + std::to_string(space_) +
                   ", expected 2 or 3");
        check(cg_nzones(file_, 1, &zones_));
        if (zones_ < 1) refuse("no zones, expected some");
    } catch (...) {
        cg_close(file_);
        throw;
    }
}

cgns_file::~cgns_file() {
    cg_close(file_);
}

void cgns_file::refuse(const std::string& what) const {
    throw bad_input(shown_ + ": " + what);
}

void cgns_file::check(int code) const {
    if (code != CG_OK) refuse(std::string("CGNS: ") + escaped(cg_get_error()));
}

std::string cgns_file::printable(const char* name) const {
    if (escaped(name) != name || *name == '\0')
        refuse("name '" + escaped(name) + "', expected printable text");
    return name;
}

bool cgns_file::is_structured() const {
    int structured = 0;
    for (int z = 1; z <= zones_; ++z) {
        ZoneType_t type{};
        check(cg_zone_type(file_, 1, z, &type));
        if (type != Structured && type != Unstructured)
            refuse("zone " + std::to_string(z) + " is neither structured nor unstructured");
        structured += type == Structured;
    }
    if (structured > 0 && structured != zones_)
        refuse(std::to_string(zones_) + " zones of which " + std::to_string(structured) +
               " are structured, expected structured zones or one unstructured");
    return structured > 0;
}

void cgns_file::check_size(index_t points, index_t cells) const {
    if (points < 1 || points > std::numeric_limits<std::int32_t>::max())
        refuse(std::to_string(points) + " points, expected 1 to 2147483647");
    if (cells < 1 || cells > max_cells_)
        refuse(std::to_string(cells) + " cells, expected 1 to " + std::to_string(max_cells_));
}

double cgns_file::read_points(int zone, const std::array<cgsize_t, 3>& last,
                              std::vector<double>& points) const {
    const std::size_t first_number = points.size();
    const auto count = static_cast<std::size_t>(last[0] * last[1] * last[2]);
    demand_host_memory(shown_ + ": its points", 32.0 * static_cast<double>(count));
    points.resize(first_number + 3 * count, 0.0);
    std::vector<double> line(count);
    constexpr std::array<cgsize_t, 3> first{1, 1, 1};
    bool has_float = false;
    int coordinates = 0;
    check(cg_ncoords(file_, 1, zone, &coordinates));
    for (int c = 1; c <= coordinates; ++c) {
        DataType_t type{};
        cgns_name name{};
        check(cg_coord_info(file_, 1, zone, c, &type, name.data()));
        has_float = has_float || type == RealSingle;
    }
    for (std::size_t d = 0; d < static_cast<std::size_t>(space_); ++d) {
        const std::string name = std::string("Coordinate") + "XYZ"[d];
        check(
            cg_coord_read(file_, 1, zone, name.c_str(), RealDouble, first.data(), last.data(), line.data()));
        for (std::size_t i = 0; i < count; ++i) {
            if (!std::isfinite(line[i]))
                refuse(name + " of point " + std::to_string(i + 1) + " is no number");
            points[first_number + 3 * i + d] = line[i];
        }
    }
    return has_float ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}

void cgns_file::flatten(std::vector<double>& points) const {
    for (std::size_t i = 2; dimensions_ == 2 && i < points.size(); i += 3)
        if (points[i] != points[2]) refuse("points of several z without solid cells, expected one z");
    for (std::size_t i = 2; dimensions_ == 2 && i < points.size(); i += 3) points[i] = 0;
}

cgns_condition cgns_file::condition(int zone, int number) const {
    cgns_name name{};
    cgns_condition found{};
    DataType_t normals{};
    cgsize_t normal_size = 0;
    int normal_index[3], data_sets = 0;
    check(cg_boco_info(file_, 1, zone, number, name.data(), &found.type, &found.set, &found.count,
                       normal_index, &normal_size, &normals, &data_sets));
    check(cg_boco_gridlocation_read(file_, 1, zone, number, &found.location));
    found.name = printable(name.data());
    return found;
}

std::string cgns_file::patch_of(int zone, int condition, const std::string& own) const {
    cgns_name family{};
    check(cg_goto(file_, 1, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", condition, "end"));
    const bool has_family = cg_famname_read(family.data()) == CG_OK && family[0] != '\0';
    return has_family ? printable(family.data()) : own;
}

int patch_named(mesh_elements& e, const std::string& name) {
    for (std::size_t p = 0; p < e.patches.size(); ++p)
        if (e.patches[p].name == name) return static_cast<int>(p);
    e.patches.push_back({.name = name, .corners = {}});
    return static_cast<int>(e.patches.size()) - 1;
}

}  // namespace wale::io
