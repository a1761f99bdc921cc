// mesh_cache_fuzz - arbitrary bytes as a cached mesh, also with the checksum that they should have.
#include "mesh_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    wale::fuzz::check(input, wale::mesh_format::cache);
    const std::string_view file = wale::fuzz::option_bytes(input).file();
    std::string sealed(file);
    wale::io::seal_cache(sealed);
    sealed += input.substr(file.size());
    wale::fuzz::check(sealed, wale::mesh_format::cache);
    return 0;
}
