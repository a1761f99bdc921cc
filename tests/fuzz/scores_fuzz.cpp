// scores_fuzz - the parsers of substitution matrices and of profiles against arbitrary bytes.
#include <cstdint>
#include <wale/profile.hpp>

#include "fuzz/demand.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using wale::fuzz::demand;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    wale::substitution_matrix matrix;
    if (wale::fuzz::takes([&] { matrix = wale::substitution_matrix::parse(text, "fuzz"); }))
        demand(matrix.scores().size() == matrix.letters().size() * matrix.letters().size(),
               "a matrix is square");
    wale::score_profile profile("A", {});
    if (!wale::fuzz::takes([&] { profile = wale::score_profile::parse(text, "fuzz"); })) return 0;
    demand(profile.size() > 0, "a profile has positions");
    demand(profile.scores().size() == profile.consensus().size() * profile.letters().size(),
           "a position has a score for each letter");
    for (const std::int32_t s : profile.scores())
        demand(s >= -1'000'000 && s <= 1'000'000, "scores are in range");
    return 0;
}
