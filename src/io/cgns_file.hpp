// cgns_file - an open CGNS file of one base: what zones of both kinds ask of it.
#pragma once

#include <cgnslib.h>

#include <array>
#include <string>
#include <vector>
#include <wale/mesh.hpp>

namespace wale::io {

/// CGNS's names have 32 letters, those of families with their path more.
using cgns_name = std::array<char, 2048>;

/// A boundary condition (BC_t) without its points.
struct cgns_condition {
    std::string name;
    BCType_t type;
    PointSetType_t set;
    GridLocation_t location;
    cgsize_t count;
};

/// Every refusal is bad_input, with the file's name.
class cgns_file {
public:
    cgns_file(const std::string& path, const std::string& shown, index_t max_cells);
    cgns_file(const cgns_file&) = delete;
    cgns_file& operator=(const cgns_file&) = delete;
    ~cgns_file();

    [[nodiscard]] int number() const { return file_; }
    [[nodiscard]] const std::string& shown() const { return shown_; }
    [[nodiscard]] int dimensions() const { return dimensions_; }
    [[nodiscard]] int zones() const { return zones_; }
    [[nodiscard]] index_t max_cells() const { return max_cells_; }
    /// Whether all zones are structured; a file with zones of both kinds is refused.
    [[nodiscard]] bool is_structured() const;

    [[noreturn]] void refuse(const std::string& what) const;
    void check(int code) const;
    [[nodiscard]] std::string printable(const char* name) const;
    void check_size(index_t points, index_t cells) const;
    /// Appends the points of a zone up to `last`. The greatest rounding of a coordinate, relative.
    double read_points(int zone, const std::array<cgsize_t, 3>& last, std::vector<double>& points) const;
    /// Points of a 2-D mesh have one z in the file, and 0 then.
    void flatten(std::vector<double>& points) const;
    [[nodiscard]] cgns_condition condition(int zone, int number) const;
    /// The patch of a condition has the name of the condition's family, else of the condition.
    [[nodiscard]] std::string patch_of(int zone, int condition, const std::string& own) const;

private:
    std::string shown_;
    index_t max_cells_;
    int file_ = 0, dimensions_ = 0, space_ = 0, zones_ = 0;
};

/// The number of the patch with this name, which is added where there is none.
[[nodiscard]] int patch_named(mesh_elements& e, const std::string& name);

/// All structured zones of a file, joined.
[[nodiscard]] mesh_elements read_structured_zones(const cgns_file& file);

}  // namespace wale::io
