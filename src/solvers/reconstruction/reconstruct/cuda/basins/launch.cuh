// launch - the launch of the join, in one object file for all pixel types; and of one type in each.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/reconstruction/reconstruct/cuda/basins/graph.cuh"

namespace wale::reconstruction::basins {

void join(const cuda::context& c, const graph<std::uint32_t>& g, const label_map& where);
void join(const cuda::context& c, const graph<std::uint64_t>& g, const label_map& where);

/// basins_u8.cu and its like.
template <class T>
void run_type(const cuda::context& c, reconstruct_job& job);

}  // namespace wale::reconstruction::basins
