// fused - the sessions of cuda/fused and cuda/graph: the kernel for tetrahedra by the published flux, or
// those that take every case.
#pragma once

#include "solvers/euler/advance/session.hpp"

namespace wale::euler {

[[nodiscard]] std::string why_not_fused(const advance_job& job);
/// `recorded`: the launches of many iterations are recorded in a graph.
[[nodiscard]] std::unique_ptr<flow_session> create_fused(const advance_job& job, bool recorded);

/// float and double are compiled in a file each.
template <class Real>
[[nodiscard]] std::unique_ptr<flow_session> create_on_tetrahedra(const advance_job& job, bool recorded);
template <>
std::unique_ptr<flow_session> create_on_tetrahedra<float>(const advance_job& job, bool recorded);
template <>
std::unique_ptr<flow_session> create_on_tetrahedra<double>(const advance_job& job, bool recorded);

}  // namespace wale::euler
