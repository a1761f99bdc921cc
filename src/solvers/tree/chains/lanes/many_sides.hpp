// many_sides - cpu/lanes where each system has several right sides.
#pragma once

#include "solvers/tree/jobs.hpp"

namespace wale::tree {

void solve_many_sides(chain_job& job);

}  // namespace wale::tree
