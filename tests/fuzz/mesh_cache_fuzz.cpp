// mesh_cache_fuzz - arbitrary bytes as a cached mesh, also with the checksum that they should have.
#include "mesh_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    wale::fuzz::check(bytes, wale::mesh_format::cache);
    wale::io::seal_cache(bytes);
    wale::fuzz::check(bytes, wale::mesh_format::cache);
    return 0;
}
