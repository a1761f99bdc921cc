// tree_peers - tridiagonal systems as cuSPARSE solves them, on device memory.
#pragma once

#include <memory>
#include <string>
#include <vector>
#include <wale/vectors.hpp>

namespace wale::bench {

/// One peer for one shape; its workspace is allocated before the timing.
class chain_peer {
public:
    virtual ~chain_peer() = default;
    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual bool pivots() const = 0;
    /// Queues the solve on the default stream: x becomes the solution; the diagonals may be overwritten.
    virtual void solve(void* lower, void* diagonal, void* upper, void* x) = 0;
};

/// What cuSPARSE offers for the shape: gtsvInterleavedBatch with its three algorithms, gtsv2StridedBatch for
/// flat batches, gtsv2 and gtsv2_nopivot for one system.
[[nodiscard]] std::vector<std::unique_ptr<chain_peer>> make_chain_peers(const vector_shape& shape);

}  // namespace wale::bench
