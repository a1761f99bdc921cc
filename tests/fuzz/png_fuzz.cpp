// png_fuzz - the reader of PNG against arbitrary bytes. Built by clang with -DWALE_FUZZ=ON; tests/fuzz/run.sh
// SECONDS runs it.
#include "image_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    if (wale::io::is_png(input)) wale::fuzz::check(input, wale::image_format::png);
    return 0;
}
