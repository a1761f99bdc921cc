// matrix_market_fuzz - the reader of MatrixMarket against arbitrary bytes. Built by clang with
// -DWALE_FUZZ=ON; tests/fuzz/run.sh SECONDS runs it.
#include "matrix_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    if (wale::io::is_matrix_market(input)) wale::fuzz::check(input, wale::matrix_format::matrix_market);
    return 0;
}
