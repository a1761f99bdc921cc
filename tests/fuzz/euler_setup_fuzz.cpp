// euler_setup_fuzz - cases of flows in TOML against arbitrary bytes: refused with one clean line, or in
// range.
#include <cstdint>
#include <wale/euler_file.hpp>

#include "fuzz/demand.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    (void)wale::fuzz::takes([&] {
        const auto s = wale::parse_euler_setup({reinterpret_cast<const char*>(data), size}, "fuzz");
        wale::fuzz::demand(s.iterations >= 0 && s.checkpoint_every >= 0 && s.recipe.size >= 1,
                           "counts are in range");
        wale::fuzz::demand(s.options.stream.mach >= 0 && s.options.stream.gamma > 1, "the stream is one");
        wale::fuzz::demand(s.options.scheme.cfl > 0 && s.options.scheme.levels >= 1, "the scheme is one");
    });
    return 0;
}
