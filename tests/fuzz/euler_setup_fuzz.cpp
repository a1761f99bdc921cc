// euler_setup_fuzz - cases of flows in TOML against arbitrary bytes: refused with one clean line, or in
// range.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <wale/error.hpp>
#include <wale/euler_file.hpp>

namespace {

void demand(bool holds, const char* what) {
    if (holds) return;
    std::cerr << "does not hold: " << what << '\n';
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto s = wale::parse_euler_setup({reinterpret_cast<const char*>(data), size}, "fuzz");
        demand(s.iterations >= 0 && s.checkpoint_every >= 0 && s.recipe.size >= 1, "counts are in range");
        demand(s.options.stream.mach >= 0 && s.options.stream.gamma > 1, "the stream is one");
        demand(s.options.scheme.cfl > 0 && s.options.scheme.levels >= 1, "the scheme is one");
    } catch (const wale::bad_input& e) {
        for (const char* c = e.what(); *c != '\0'; ++c)
            demand(static_cast<unsigned char>(*c) >= 0x20, "messages have no control bytes");
    }
    return 0;
}
