// jpeg_fuzz - the reader of JPEG against arbitrary bytes. Built by clang with -DWALE_FUZZ=ON;
// tests/fuzz/run.sh SECONDS runs it.
#include "image_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    if (wale::io::is_jpeg(input)) wale::fuzz::check(input, wale::image_format::jpeg);
    return 0;
}
