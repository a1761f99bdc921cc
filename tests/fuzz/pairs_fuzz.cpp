// pairs_fuzz - the parser of two columns against arbitrary bytes.
#include <cmath>
#include <cstdint>
#include <wale/euler_file.hpp>

#include "fuzz/demand.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::array<std::vector<double>, 2> out;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (!wale::fuzz::takes([&] { out = wale::parse_pairs(text, "fuzz"); })) return 0;
    wale::fuzz::demand(!out[0].empty() && out[0].size() == out[1].size(), "there are pairs");
    for (const auto& column : out)
        for (const double v : column) wale::fuzz::demand(std::isfinite(v), "numbers are finite");
    return 0;
}
