// tree - the options of `wale tree`: chains, trees and cables, and what a run found out.
#pragma once

#include <string>
#include <vector>
#include <wale/cable.hpp>
#include <wale/fields.hpp>
#include <wale/hines.hpp>
#include <wale/tridiagonal.hpp>

#include "options.hpp"

namespace CLI {
class App;
}

namespace wale::cli {

struct tree_command : run_options {
    std::string file;                         // a case
    std::string lower, diagonal, upper, rhs;  // NPY or MatrixMarket
    std::string form;                         // whose parents hold for the arrays: a case or SWC
    std::string type;                         // float32 or float64; empty: that of the files
    std::string pivoting = "partial";
    bool periodic = false, transposed = false, interleaved = false, forest = false;
    bool unverified = false;
};

struct tree_report {
    std::string input, output;
    const char* kind = "chains";  // or "trees"
    vector_shape shape;           // of the right sides
    index_t branches = 0, depth = 0;
    report run;
    index_t first_bad_system = -1, first_bad_row = -1;
    bool finite = true;
    double backward_error = -1;  // |b - A x| / (|A| |x| + |b|); -1: not asked
    bool verified = false;
    std::string verdict;  // why the solution cannot be trusted; empty: it can
    double read_seconds = 0, to_device_seconds = 0, from_device_seconds = 0;
};

struct tree_summary {
    std::string input;
    index_t nodes = 0, trees = 0, branches = 0, tips = 0, depth = 0, longest_run = 0, most_children = 0;
    bool depth_first = false;
};

/// Adds the subcommands `solve` and `info` to `wale tree`.
void add_tree_solve(CLI::App& tree, tree_command& solve, tree_command& info);
int tree_solve(const tree_command& command);
int tree_info(const tree_command& command);

struct cable_command : run_options {
    std::string file;  // SWC
    cable_geometry geometry;
    cable_options options;  // without what the words below say
    std::string method = "backward_euler";
    double stop = 100;                   // [ms]
    std::vector<std::string> membranes;  // "hh", "dendrite=passive,g=0.0002"
    std::vector<std::string> clamps;     // "delay,duration,amplitude", "5,20,0.1:0.8@17"
    std::vector<std::string> probes;     // "soma", "17"
    bool sections = false;               // with --json: every section and compartment
};

struct grow_command : common_options {
    neuron_options options;
};

struct cable_report {
    std::string input, output;
    const cable_command* command = nullptr;
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
[[nodiscard]] std::vector<cable_clamp> clamps_of(const cable_command& command, const swc_tree& form,
                                                 const cable_model& model);
/// The compartment that "soma" or the number of a point names. Throws usage_error, which names the option.
[[nodiscard]] index_t compartment_named(const std::string& option, const std::string& place,
                                        const swc_tree& form, const cable_model& model);

/// One line on standard error where points of the form have a radius that the file does not give.
void warn_of_thickened(const swc_tree& form);

/// Adds the subcommands `cable` and `grow` to `wale tree`.
void add_tree_cable(CLI::App& tree, cable_command& cable, grow_command& grow);
int tree_cable(const cable_command& command);
int tree_grow(const grow_command& command);

}  // namespace wale::cli

namespace wale {

/// The texts are the names in `wale tree info`.
template <>
struct fields<cli::tree_summary> {
    using type = cli::tree_summary;
    static constexpr auto all =
        std::tuple{field{"input", &type::input},
                   field{"nodes", &type::nodes, "nodes"},
                   field{"trees", &type::trees, "trees"},
                   field{"branches", &type::branches, "branch points"},
                   field{"tips", &type::tips, "tips"},
                   field{"depth", &type::depth, "depth"},
                   field{"longest_run", &type::longest_run, "longest unbranched run"},
                   field{"most_children", &type::most_children, "most children of a node"},
                   field{"depth_first", &type::depth_first, "depth first"}};
};

}  // namespace wale
