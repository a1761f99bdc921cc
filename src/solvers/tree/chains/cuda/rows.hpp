// rows - the CUDA variants of solving chains: what each does, and why it may refuse a job.
#pragma once

#include "solvers/tree/jobs.hpp"

namespace wale::tree {

/// cuda/thomas_one_pass: interleaved vectors, chunks of rows in registers, no workspace.
std::string refuses_one_pass(const chain_job& job);
bool suits_one_pass(const chain_job& job);
void solve_one_pass(chain_job& job);

/// cuda/thomas: a thread a system. Never refuses.
void solve_thomas(chain_job& job);

/// cuda/spike: few chains that fit the shared memory of the whole device. Refuses larger ones, and ragged.
std::string refuses_spike(const chain_job& job);
bool suits_spike(const chain_job& job);
void solve_spike(chain_job& job);

/// cuda/recursive_partition: few large chains. Refuses ragged ones.
std::string refuses_recursive_partition(const chain_job& job);
bool suits_recursive_partition(const chain_job& job);
void solve_recursive_partition(chain_job& job);

/// cuda/pcr_thomas: some threads a system, its rows in their registers. Flat and unified layouts.
std::string refuses_pcr_thomas(const chain_job& job);
bool suits_pcr_thomas(const chain_job& job);
void solve_pcr_thomas(chain_job& job);

}  // namespace wale::tree
