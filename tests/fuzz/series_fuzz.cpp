// series_fuzz - the parser of lines of numbers, text and NPY, against arbitrary bytes.
#include <cmath>
#include <cstdint>
#include <wale/series_file.hpp>

#include "fuzz/demand.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using wale::fuzz::demand;
    wale::number_lines lines;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (!wale::fuzz::takes([&] { lines = wale::parse_number_lines(text, "fuzz"); })) return 0;
    demand(lines.offsets.front() == 0 && lines.offsets.back() == std::ssize(lines.numbers),
           "lines are all numbers");
    for (std::size_t k = 1; k < lines.offsets.size(); ++k)
        demand(lines.offsets[k] >= lines.offsets[k - 1], "lines follow each other");
    for (const double v : lines.numbers) demand(std::isfinite(v), "numbers are finite");
    (void)lines.width();
    return 0;
}
