// mesh_gmsh_fuzz - arbitrary bytes as a mesh. Built by clang with -DWALE_FUZZ=ON; tests/fuzz/run.sh SECONDS
// runs it.
#include "mesh_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    wale::fuzz::check({reinterpret_cast<const char*>(data), size}, wale::mesh_format::gmsh);
    return 0;
}
