// euler - the options of `wale euler`, and what its run found out.
#pragma once

#include <string>
#include <wale/euler_file.hpp>
#include <wale/verification.hpp>

#include "options.hpp"

namespace CLI {
class App;
}

namespace wale::cli {

struct euler_command : run_options {
    std::string file;          // TOML
    index_t iterations = -1;   // -1: the case's
    std::string restart;       // a checkpoint; empty: the case's start
    std::string restart_mesh;  // that the checkpoint is of; empty: the case's
    bool samples = false;      // with --json: every measurement
    bool verify = false;
};

struct euler_report {
    const euler_command* command = nullptr;
    const euler_setup* setup = nullptr;
    index_t cells = 0, rows = 0;
    index_t iteration = 0;  // reached
    double time = 0;
    euler_result result;
    std::vector<euler_sample> history;
    std::vector<euler_polar_point> polar;  // of a sweep
    euler_place worst;                     // where a flow that did not converge changes most
    std::vector<euler_force> forces;       // of each wall
    std::vector<std::string> warnings;     // patches that do not suit the flow
    bool verified = false;                 // then
    euler_verdict verdict;
    double mesh_seconds = 0, run_seconds = 0;
};

void add_euler(CLI::App& app, euler_command& o);
int euler(const euler_command& command);

std::string progress_text(const euler_sample& s, index_t first, index_t goal, double seconds);
std::string line_of(const euler_report& r);
std::string why_bad(const euler_report& r);  // "" where the verdict is good

}  // namespace wale::cli
