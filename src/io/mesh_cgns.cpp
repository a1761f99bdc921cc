// mesh_cgns - CGNS files by their first bytes; the library that reads them is opened when the first one
// comes.
#include <array>
#include <filesystem>
#include <fstream>
#include <wale/error.hpp>

#include "base/plugin.hpp"
#include "io/cgns_api.hpp"
#include "io/escape.hpp"
#include "io/mesh_format.hpp"

namespace wale::io {
namespace {

const base::plugin<cgns_api>& the_plugin() {
    static const auto p = base::open_plugin<cgns_api>("libwale_cgns", "CGNS", "wale_cgns_entry", RTLD_LOCAL);
    return p;
}

}  // namespace

bool is_cgns(const std::string& path) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) return false;
    std::array<char, 8> head{};
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), head.size());
    const std::string_view start(head.data(), head.size());
    return start == "\x89HDF\r\n\x1a\n" || start.substr(4) == "ADF ";
}

mesh read_cgns(const std::string& path, const mesh_file_options& options) {
    const std::string shown = escaped(path);
    if (options.format != mesh_format::automatic)
        throw bad_input(shown + ": is a CGNS file, expected " + name_of(options.format));
    const auto& p = the_plugin();
    if (p.api == nullptr) throw bad_input(shown + ": is a CGNS file, and " + p.reason);
    return build_mesh(p.api->read(path, shown, options.max_cells));
}

}  // namespace wale::io
