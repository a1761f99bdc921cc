#include "tuning/override.hpp"
#include "base/argument.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <wale/error.hpp>

namespace wale::tuning {
namespace {

/// Of this thread; its entries outdo the environment's. A pointer: glibc ends a process that finds no memory
/// for the destructor of a thread's object.
thread_local const scoped_override* innermost = nullptr;

/// The entries, separated by commas or line ends. Read anew on every call: it costs nothing beside a launch.
std::string entries_of_environment() {
    const char* text = std::getenv("WALE_TUNING");
    if (text == nullptr) return {};
    if (text[0] != '@') return text;
    std::ifstream file(text + 1);
    std::string all;
    if (file) std::getline(file, all, '\0');
    if (file.bad() || !file.is_open())
        throw cannot_open(std::string("WALE_TUNING: ") + (text + 1) + " cannot be opened or read");
    return all;
}

}  // namespace

std::size_t overridden(std::string_view name, std::size_t count, std::size_t otherwise) {
    std::string all = entries_of_environment();
    if (innermost != nullptr) all += innermost->entries();
    std::size_t chosen = otherwise;
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t end = std::min(all.find_first_of(",\n", at), all.size());
        const std::string_view entry = std::string_view(all).substr(at, end - at);
        at = end + 1;
        const std::size_t equals = entry.find('=');
        if (entry.substr(0, equals) != name) continue;
        const std::string_view number = equals == std::string_view::npos ? "" : entry.substr(equals + 1);
        const auto [stop, code] = std::from_chars(number.data(), number.data() + number.size(), chosen);
        if (code != std::errc() || stop != number.data() + number.size() || chosen >= count)
            base::refuse("WALE_TUNING", std::string("'").append(entry) + "'",
                         std::string(name) + "=0.." + std::to_string(count - 1));
    }
    return chosen;
}

void refuse_row(std::size_t i) {
    base::refuse("WALE_TUNING",
                 "row " + std::to_string(i) + " is not compiled for these elements and this processor",
                 "a row that `automatic` takes, or a build with -DWALE_TUNING_ROWS=ON");
}

scoped_override::scoped_override(const std::string& entry)
    : outer_(innermost), entries_((outer_ ? outer_->entries_ : "") + "," + entry) {
    innermost = this;
}

scoped_override::~scoped_override() {
    innermost = outer_;
}

}  // namespace wale::tuning
