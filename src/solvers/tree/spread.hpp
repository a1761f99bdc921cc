// spread - batches of chains and trees in host memory over several devices.
#pragma once

#include "cuda/spread.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale::tree {

/// Systems are split; of one system with many right sides the right sides.
[[nodiscard]] tridiagonal_result spread_chains(const on_cuda& devices, const chain_job& job,
                                               const tridiagonal_options& options);
[[nodiscard]] hines_result spread_hines(const on_cuda& devices, const hines_plan& plan, const hines_job& job,
                                        const hines_options& options);

}  // namespace wale::tree
