// tree - what the command line says of chains and trees, and what a run found out.
#pragma once

#include <string>
#include <wale/hines.hpp>
#include <wale/tridiagonal.hpp>

#include "options.hpp"

namespace CLI {
class App;
}

namespace wale::cli {

struct tree_command : common_options {
    std::string file;                         // a case
    std::string lower, diagonal, upper, rhs;  // NPY or MatrixMarket
    std::string form;                         // whose parents hold for the arrays: a case or SWC
    std::string type;                         // f32 or f64; empty: that of the files
    std::string pivoting = "partial";
    bool periodic = false, transposed = false, interleaved = false, forest = false;
    bool unverified = false;
    std::string backend = "auto";
    std::string variant = "automatic";
    int threads = 0;
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
    double read_seconds = 0, to_device_seconds = 0, from_device_seconds = 0;
};

struct tree_facts {
    std::string input;
    index_t nodes = 0, trees = 0, branches = 0, tips = 0, depth = 0, longest_run = 0, most_children = 0;
    bool depth_first = false;
};

/// Adds the subcommands `solve` and `info` to `wale tree`.
void add_tree_solve(CLI::App& tree, tree_command& solve, tree_command& info);
int tree_solve(const tree_command& said);
int tree_info(const tree_command& said);

}  // namespace wale::cli
