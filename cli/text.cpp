// text - the one place that knows fmt.
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <wale/output_file.hpp>
#include <wale/wavefront.hpp>

namespace wale::cli {
namespace {

struct unit_step {
    double factor;
    const char* name;
};

template <std::size_t N>
std::string scaled(double value, const std::array<unit_step, N>& units) {
    for (const unit_step& u : units)
        if (std::abs(value) >= u.factor) return fmt::format("{:.3g} {}", value / u.factor, u.name);
    return fmt::format("{:.3g} {}", value / units.back().factor, units.back().name);
}

}  // namespace

std::string time_text(double seconds) {
    if (seconds >= 1000) return fmt::format("{:.0f} s", seconds);
    return scaled(seconds, std::array<unit_step, 4>{{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}});
}

std::string rate_text(double work, const std::string& unit) {
    if (unit == "cell")  // cell updates a second, as the field writes it
        return scaled(work, std::array<unit_step, 3>{{{1e12, "TCUPS"}, {1e9, "GCUPS"}, {1e6, "MCUPS"}}});
    return scaled(work, std::array<unit_step, 3>{{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}}}) + unit + "/s";
}

std::string percent_text(double fraction) {
    return fmt::format("{:.0f} %", 100 * fraction);
}
std::string short_text(double value) {
    return fmt::format("{:.3g}", value);
}
std::string fraction_text(double value) {
    return fmt::format("{:.6f}", value);
}

std::string number_text(double value) {
    return std::abs(value) < 1e15 && value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                                : fmt::format("{:.6g}", value);
}

std::string ran_text(const report& run) {
    std::string text = " (" + run.variant;
    if (!run.device.empty()) text += ", " + run.device;
    text += ", " + std::to_string(run.threads) + (run.threads == 1 ? " thread" : " threads");
    if (!run.policy.empty()) text += ", " + run.policy;
    return text;
}

std::string transfers_text(double to_device, double from_device, double inside) {
    if (!(to_device + from_device + inside > 0)) return {};
    return ", transfers " + time_text(to_device) + " to the device and " + time_text(from_device) + " back";
}

void write_standard_output(const std::string& text) {
    output_file out("-");
    out.write(text);
    out.commit();
}

namespace {

/// ", expected align, lu or tree; did you mean align?"
std::string expected_text(const std::string& word, const std::vector<std::string>& known) {
    constexpr index_t near = 2;  // letters
    const auto view = [](const std::string& s) { return sequence_view{s.data(), std::ssize(s), 1}; };
    index_t least = std::min(near, std::ssize(word) - 2) + 1;  // a word of two letters is near to any other
    std::string all, nearest;
    for (std::size_t i = 0; i < known.size(); ++i) {
        all += (i == 0 ? "" : i + 1 < known.size() ? ", " : " or ") + known[i];
        const index_t distance = edit_distance(on_reference{}, view(word), view(known[i])).distance;
        if (distance < least) nearest = known[i];
        least = std::min(least, distance);
    }
    const auto longer = std::ranges::find_if(known, [&](const auto& k) { return k.starts_with(word); });
    if (nearest.empty() && word.size() > 2 && longer != known.end()) nearest = *longer;
    return ", expected " + all + (nearest.empty() ? "" : "; did you mean " + nearest + "?");
}

}  // namespace

std::string unknown_text(const std::string& word, const char* what, const std::vector<std::string>& known) {
    const std::string expected = expected_text(word, known);
    return word.empty() ? fmt::format("no {}{}", what, expected)
                        : fmt::format("'{}' is no {}{}", printable(word), what, expected);
}

std::string reworded(const std::string& what) {
    constexpr std::string_view between = " not in {";
    const std::size_t colon = what.find(": "), list = what.rfind(between);
    if (colon == std::string::npos || list == std::string::npos || list < colon || !what.ends_with('}'))
        return what;
    const std::string word = what.substr(colon + 2, list - colon - 2);
    std::vector<std::string> known{""};
    for (const char c : what.substr(list + between.size(), what.size() - list - between.size() - 1))
        c == ',' ? known.emplace_back() : known.back() += c;
    return what.substr(0, colon) + ": is '" + printable(word) + "'" + expected_text(word, known);
}

std::string printable(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        out += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
    }
    return out;
}

std::string table_text(const std::vector<std::vector<std::string>>& rows, std::size_t left) {
    std::vector<std::size_t> width(rows.front().size());
    for (const auto& row : rows)
        for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
    std::string out;
    for (const auto& row : rows) {
        for (std::size_t c = 0; c + 1 < row.size(); ++c)
            out += c < left ? fmt::format("{:<{}}  ", row[c], width[c])
                            : fmt::format("{:>{}}  ", row[c], width[c]);
        out += row.back() + "\n";
        if (&row != &rows.front()) continue;
        std::size_t total = 0;
        for (const std::size_t w : width) total += w + 2;
        out += std::string(total - 2, '-') + "\n";
    }
    return out;
}

}  // namespace wale::cli
