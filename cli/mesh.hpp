// mesh - what the command line says of meshes, and what was found out about one.
#pragma once

#include <optional>
#include <string>
#include <wale/mesh_tools.hpp>

#include "options.hpp"

namespace CLI {
class App;
}

namespace wale::cli {

struct mesh_command : common_options {
    std::string verb;        // check, convert, generate, renumber, partition
    std::string input;       // a mesh file
    std::string to;          // the output's format; empty: its name says so
    bool open_ends = false;  // a prefix of a larger fvcorr mesh
    bool recover = false;
    int threads = 0;
    std::string kind = "shell", shape;  // generate; shape empty: tetrahedra of a shell, else quadrilaterals
    mesh_recipe recipe;
    std::string order = "hilbert";  // renumber
    std::uint64_t seed = 1;
    std::string order_file;  // renumber: the permutation; empty: none
    int parts = 2;           // partition
    std::string method = "automatic";
    std::string picture;  // partition: VTU; empty: none
};

/// Of what was read, or made.
struct mesh_summary {
    std::string operation, input, output;
    double normal_scale = 1;
    index_t points = 0;
    mesh_report report;
    std::vector<std::string> patches;
    std::optional<recovery> recovered;
    std::optional<mesh_report> renumbered;
    std::vector<index_t> part_sizes;
    index_t faces_cut = 0;
    double read_seconds = 0;     // or to make it
    double compute_seconds = 0;  // recovering, numbering, cutting
    double write_seconds = 0;
};

/// A line for standard error; the report of `check`, a line for each fact.
[[nodiscard]] std::string line_of(const mesh_summary& f);
[[nodiscard]] std::string report_of(const mesh_summary& f);

void add_mesh(CLI::App& app, mesh_command& o);
int mesh_verb(const mesh_command& command);

}  // namespace wale::cli
