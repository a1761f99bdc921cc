// rows - the CUDA variants of solving trees: what each does, and why it may refuse a job.
#pragma once

#include "solvers/tree/jobs.hpp"

namespace wale::tree {

/// cuda/contraction
[[nodiscard]] std::string refuses_contraction_cuda(const hines_job& job);
[[nodiscard]] bool suits_contraction_cuda(const hines_job& job);
void solve_contraction_cuda(hines_job& job);

/// cuda/register_sweep, cuda/one_thread_per_tree
void solve_register_sweep(hines_job& job);
void solve_one_thread_per_tree(hines_job& job);

/// cuda/register_partition
[[nodiscard]] std::string refuses_register_partition(const hines_job& job);
void solve_register_partition(hines_job& job);

/// cuda/levels
[[nodiscard]] std::string refuses_levels(const hines_job& job);
[[nodiscard]] bool suits_levels(const hines_job& job);
void solve_levels(hines_job& job);

}  // namespace wale::tree
