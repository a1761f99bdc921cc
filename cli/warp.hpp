// warp - the verb that warps series of numbers onto each other.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "options.hpp"

#include <wale/report.hpp>

namespace wale::cli {

/// What was found, for JSON.
struct warp_summary {
    std::vector<std::string> files;
    std::vector<index_t> series;               // of each file; one unless --all
    index_t dimensions = 1;                    // of a point
    std::vector<std::vector<double>> costs;    // [series of the first file][of the second]
    std::vector<std::array<index_t, 2>> path;  // of --path
    report run;
};

void add_warp(CLI::App& app, warp_command& o);
int warp(const warp_command& o);

}  // namespace wale::cli
