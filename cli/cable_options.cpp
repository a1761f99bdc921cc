// cable_options - membranes, clamps and places as people write them.
#include <optional>
#include <wale/enumerators.hpp>
#include <wale/option_fields.hpp>

#include "failure.hpp"
#include "numbers.hpp"
#include "text.hpp"
#include "tree.hpp"

namespace wale::cli {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == at)
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

void set(cable_membrane& m, const std::string& item, const std::string& in) {
    const std::vector<std::string> pair = split(item, '=');
    bool is_known = false;
    for_each_field<cable_membrane>([&](const auto& field) {
        if (pair.size() != 2 || pair[0] != field.name) return;
        double& value = m.*field.member;
        value = number_of("--membrane '" + printable(in) + "' " + field.name, pair[1],
                          &value == &m.e_leak        ? range<double>{}
                          : &value == &m.capacitance ? positive
                                                     : not_negative);
        is_known = true;
    });
    if (!is_known)
        throw usage_error("--membrane '" + printable(in) + "': has '" + printable(item) +
                          "', expected cm=, g=, e=, gna= or gk=");
}

cable_membrane membrane_of(const std::vector<std::string>& items, const std::string& in) {
    if (items[0] != "passive" && items[0] != "hh")
        throw usage_error("--membrane '" + printable(in) + "': has '" + printable(items[0]) +
                          "', expected passive or hh");
    cable_membrane m = items[0] == "hh" ? cable_membrane::squid() : cable_membrane::passive();
    for (std::size_t k = 1; k < items.size(); ++k) set(m, items[k], in);
    return m;
}

}  // namespace

cable_membranes membranes_of(const std::vector<std::string>& words) {
    cable_membranes all;
    all.fill(cable_membrane::passive());
    for (const std::string& word : words) {
        std::vector<std::string> items = split(word, ',');
        const std::size_t equals = items[0].find('=');
        if (equals == std::string::npos) {
            all.fill(membrane_of(items, word));
            continue;
        }
        const std::string name = items[0].substr(0, equals);
        items[0] = items[0].substr(equals + 1);
        const std::optional<cable_region> region = find_named<cable_region>(name);
        if (!region)
            throw usage_error("--membrane '" + printable(word) + "': has '" + printable(name) +
                              "', expected soma, axon, dendrite or apical");
        all[static_cast<std::size_t>(*region)] = membrane_of(items, word);
    }
    return all;
}

index_t compartment_named(const std::string& option, const std::string& place, const swc_tree& form,
                          const cable_model& model) {
    if (place == "soma") return 0;
    const index_t wanted = number_of<index_t>(option, place, {.least = 0});
    for (std::size_t i = 0; i < form.points.size(); ++i)
        if (form.points[i].number == wanted) return model.compartment_of_point[i];
    throw usage_error(option + ": is '" + printable(place) +
                      "', expected soma or the number of a point of this tree");
}

std::vector<cable_clamp> clamps_of(const cable_command& command, const swc_tree& form,
                                   const cable_model& model) {
    std::vector<cable_clamp> all;
    for (const std::string& word : command.clamps) {
        const std::vector<std::string> sides = split(word, '@'), items = split(sides[0], ',');
        if (sides.size() > 2 || items.size() != 3)
            throw usage_error("--clamp: is '" + printable(word) +
                              "', expected DELAY,DURATION,CURRENT or with @POINT");
        const std::vector<std::string> ends = split(items[2], ':');
        if (ends.size() > 2)
            throw usage_error("--clamp: is '" + printable(word) + "', expected a current A or A:B");
        const std::string option = "--clamp '" + printable(word) + "'";
        const double first = number_of<double>(option + " current", ends.front()),
                     last = number_of<double>(option + " current", ends.back());
        cable_clamp c;
        c.compartment = sides.size() == 2 ? compartment_named(option + " place", sides[1], form, model) : 0;
        c.delay = number_of<double>(option + " delay", items[0]);
        c.duration = number_of(option + " duration", items[1], not_negative);
        const index_t cells = command.options.cells;
        for (index_t k = 0; k < cells; ++k) {
            c.cell = k;
            c.amplitude = first;
            if (cells > 1)
                c.amplitude += (last - first) * static_cast<double>(k) / static_cast<double>(cells - 1);
            all.push_back(c);
        }
    }
    return all;
}

}  // namespace wale::cli
