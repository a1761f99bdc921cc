// rows - the CUDA variants of the flow solver: what each does, and why it may refuse a job.
#pragma once

#include "solvers/euler/job.hpp"

namespace wale::euler {

/// cuda/ranks
[[nodiscard]] std::string why_not_ranks(const advance_job& job);
[[nodiscard]] bool suits_ranks_on_cuda(const advance_job& job);
void advance_ranks_on_cuda(advance_job& job);

/// cuda/fused, cuda/graph
[[nodiscard]] std::string why_not_fused(const advance_job& job);
void advance_fused(advance_job& job);
void advance_graph(advance_job& job);

/// cuda/one_pass, cuda/five_passes
[[nodiscard]] std::string why_not_one_pass(const advance_job& job);
void advance_one_pass_on_cuda(advance_job& job);
[[nodiscard]] std::string why_not_five_passes(const advance_job& job);
void advance_five_passes_on_cuda(advance_job& job);

/// cuda/resident
[[nodiscard]] std::string why_not_resident(const advance_job& job);
void advance_resident(advance_job& job);

/// cuda/tiled
[[nodiscard]] std::string why_not_tiled(const advance_job& job);
void advance_tiled(advance_job& job);

}  // namespace wale::euler
