// cgns_api - what libwale_cgns offers: it alone needs libcgns, and with that HDF5.
#pragma once

#include <string>
#include <wale/mesh.hpp>

namespace wale::io {

struct cgns_api {
    const char* version;
    /// `shown` stands in messages. Throws bad_input.
    mesh_elements (*read)(const std::string& path, const std::string& shown, index_t max_cells);
};

}  // namespace wale::io
