// mesh_foam_fuzz - arbitrary bytes as the five files of a polyMesh, one behind the other, a byte 255 between
// two.
#include <cstdint>

#include "fuzz/mesh_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    wale::io::foam_texts texts{.folder = "fuzz", .files = {}};
    for (std::string_view& file : texts.files) {
        file = rest.substr(0, rest.find('\xff'));
        rest.remove_prefix(std::min(rest.size(), file.size() + 1));
    }
    wale::mesh m;
    if (!wale::fuzz::takes([&] { m = wale::io::parse_foam(texts, {.max_cells = wale::fuzz::most_cells}); }))
        return 0;
    wale::fuzz::check_faces(m, true, false);
    for (const double v : m.volume) wale::fuzz::demand(v > 0, "volumes are positive");
    return 0;
}
