// cable - what the command line says of a cable, and what its run found out.
#pragma once

#include <string>
#include <vector>
#include <wale/cable.hpp>

#include "options.hpp"

namespace CLI {
class App;
}

namespace wale::cli {

struct cable_command : common_options {
    std::string file;  // SWC
    cable_geometry geometry;
    cable_options options;  // without what the words below say
    std::string method = "backward-euler";
    double stop = 100;                   // [ms]
    std::vector<std::string> membranes;  // "hh", "dendrite=passive,g=0.0002"
    std::vector<std::string> clamps;     // "delay,duration,amplitude", "5,20,0.1:0.8@17"
    std::vector<std::string> probes;     // "soma", "17"
    bool sections = false;               // --json tells of every section and compartment
    std::string backend = "auto";
    std::string variant = "automatic";
    int threads = 0;
};

struct grow_command : common_options {
    neuron_options options;
};

struct cable_report {
    std::string input, output;
    const cable_command* said = nullptr;
    const cable_model* model = nullptr;
    index_t points = 0, thickened = 0;     // thickened: those whose radius the file gives as 0
    std::vector<std::string> probe_names;  // of one cell
    cable_result result;
    double read_seconds = 0;
};

/// Membranes of all regions, from words such as "hh" and "dendrite=passive,g=0.0002,e=-65,cm=1". Throws
/// usage_error.
[[nodiscard]] cable_membranes membranes_of(const std::vector<std::string>& words);
/// Clamps of all cells; a current A:B goes from A in the first to B in the last.
[[nodiscard]] std::vector<cable_clamp> clamps_of(const cable_command& said, const swc_tree& form,
                                                 const cable_model& model);
/// The compartment that "soma" or the number of a point names. Throws usage_error, which names the option.
[[nodiscard]] index_t compartment_named(const std::string& option, const std::string& place,
                                        const swc_tree& form, const cable_model& model);

/// One line on standard error where points of the form have a radius that the file does not give.
void warn_of_thickened(const swc_tree& form);

/// Adds the subcommands `cable` and `grow` to `wale tree`.
void add_tree_cable(CLI::App& tree, cable_command& cable, grow_command& grow);
int tree_cable(const cable_command& said);
int tree_grow(const grow_command& said);

}  // namespace wale::cli
