// spread - batches of matrices in host memory over several devices: parts of about equal work, each by `one`,
// the call for a job on one device.
#pragma once

#include <functional>

#include "cuda/spread.hpp"
#include "solvers/lu/jobs.hpp"

namespace wale::lu {

using operations = double (*)(const matrix_shape&);  // of one matrix

[[nodiscard]] lu_result spread_factor(const on_cuda& devices, const factor_job& job, bool asynchronous,
                                      operations work, const std::function<lu_result(factor_job&)>& one);
[[nodiscard]] lu_solve_result spread_solve(const on_cuda& devices, const solve_job& job, bool asynchronous,
                                           const std::function<lu_solve_result(solve_job&)>& one);
[[nodiscard]] lu_solve_result spread_inverse(const on_cuda& devices, const inverse_job& job,
                                             bool asynchronous, operations work,
                                             const std::function<lu_solve_result(inverse_job&)>& one);

}  // namespace wale::lu
