// refusals - what CUDA rows of chains refuse, where another row suits the systems that they refuse.
#pragma once

#include <string>

#include "solvers/tree/jobs.hpp"

namespace wale::tree {

[[nodiscard]] std::string refuses_pcr_thomas(const chain_job& job);
/// Whether it takes a job that it does not refuse: there is work for the multiprocessors.
[[nodiscard]] bool suits_pcr_thomas(const chain_job& job);
[[nodiscard]] std::string refuses_one_pass(const chain_job& job);

}  // namespace wale::tree
