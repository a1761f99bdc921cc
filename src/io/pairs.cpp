// pairs - two columns of numbers, such as measured pressure coefficients.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <wale/error.hpp>
#include <wale/euler_file.hpp>

#include "io/byte_source.hpp"

namespace wale {

std::array<std::vector<double>, 2> parse_pairs(std::string_view text, const std::string& name) {
    std::array<std::vector<double>, 2> out;
    for (index_t line = 1; !text.empty(); ++line) {
        std::string_view rest = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), rest.size() + 1));
        rest = rest.substr(0, rest.find('#'));
        double pair[2] = {};
        int found = 0;
        for (; found < 2; ++found) {
            rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(" \t\r,;")));
            const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r,;"));
            const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), pair[found]);
            if (code != std::errc() || end != word.data() + word.size() || !std::isfinite(pair[found])) break;
            rest.remove_prefix(word.size());
        }
        if (found == 2)
            for (std::size_t d = 0; d < 2; ++d) out[d].push_back(pair[d]);
        else if (found == 1 || (line > 1 && rest.find_first_not_of(" \t\r") != std::string_view::npos))
            throw bad_input(name + ":" + std::to_string(line) + ": " + io::quoted(rest) +
                            ", expected two numbers, x and the pressure coefficient");
    }
    if (out[0].empty())
        throw bad_input(name + ":1: no pairs of numbers, expected x and the pressure coefficient");
    return out;
}

std::array<std::vector<double>, 2> read_pairs(const std::string& path) {
    constexpr index_t most_bytes = 1 << 26;
    return io::parse_source(path, most_bytes, io::not_zero,
                            [](const io::byte_source& bytes, const std::string& name) {
                                return parse_pairs(io::all_bytes(bytes, name, most_bytes), name);
                            });
}

}  // namespace wale
