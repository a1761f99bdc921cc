// host_session - what the host's sessions share.
#pragma once

#include <cmath>
#include <span>
#include <string>

#include "solvers/tree/cable/job.hpp"

namespace wale::tree {

/// The probes and clamps of some cells, with where they are in those cells' memory.
struct attached {
    index_t number;     // of the probe or clamp
    index_t at;         // in the voltages, or where a current is to be added
    double before = 0;  // of a probe: the voltage before this step
};

/// Numbers in a vector of this machine; 1: no vectors here. cpu/lanes/step.cpp has it.
[[nodiscard]] index_t lane_count();

[[nodiscard]] inline std::string refuses_scalars(const cable_job&) {
    return lane_count() > 1 ? "" : "this processor, or this build of Highway, has no vectors of float64";
}

[[nodiscard]] inline bool all_finite(std::span<const double> values) {
    double sum = 0;  // x - x is 0 or NaN
    for (const double v : values) sum += v - v;
    return sum == 0;
}

}  // namespace wale::tree
