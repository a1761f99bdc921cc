// stack_axes - the three numbers of a description, found by their words: no XML is parsed.
#include "io/stack_axes.hpp"

#include <algorithm>
#include <charconv>

namespace wale::io {
namespace {

/// The number behind the first `word` of a text; 1 where there is none.
index_t number_after(std::string_view text, std::string_view word) {
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos) return 1;
    index_t value = 1;
    const std::string_view rest = text.substr(at + word.size());
    (void)std::from_chars(rest.data(), rest.data() + rest.size(), value);
    return std::max(value, index_t{1});
}

std::string counted(index_t count, const char* what) {
    return count > 1 ? std::to_string(count) + " " + what : "";
}

}  // namespace

std::string other_axes(std::string_view description, index_t pages) {
    const bool ome = description.find("<OME") != std::string_view::npos ||
                     description.find(":OME ") != std::string_view::npos;
    if (!ome && !description.starts_with("ImageJ=")) return {};
    const index_t planes = number_after(description, ome ? "SizeZ=\"" : "slices="),
                  channels = number_after(description, ome ? "SizeC=\"" : "channels="),
                  times = number_after(description, ome ? "SizeT=\"" : "frames=");
    if (planes == pages || (channels == 1 && times == 1)) return {};
    const std::string c = counted(channels, "channels"), t = counted(times, "times");
    return c + (c.empty() || t.empty() ? "" : " and ") + t + (ome ? " by OME" : " by ImageJ");
}

}  // namespace wale::io
