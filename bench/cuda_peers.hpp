// cuda_peers - factor and solve as cuSOLVER and cuBLAS do, column-major, and tridiagonal systems as cuSPARSE
// does; on device memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#include <wale/matrix.hpp>
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

/// One peer for one shape; its workspace is allocated before the timing.
class lu_peer {
public:
    virtual ~lu_peer() = default;
    [[nodiscard]] virtual std::string name() const = 0;
    /// Queues the factorisation of `a` on the default stream.
    virtual void factor(void* a) = 0;
    /// Queues the solve with `sides` columns of each matrix in `b`, packed, by what factor() left in `a`, or
    /// by its transpose.
    virtual void solve(void* a, void* b, index_t sides, bool transposed) = 0;
    /// Queues the inverses of what factor() left in `a` into `to`, packed; `to` holds unit matrices before.
    virtual void invert(void* a, void* to) = 0;
};

/// cusolverDnXgetrf and Xgetrs for one matrix, cublas<T>getrfBatched and getrsBatched for many.
[[nodiscard]] std::unique_ptr<lu_peer> make_lu_peer(const matrix_shape& shape, bool pivoted);

/// Seconds of cuSOLVER's iterative refinement, the best of its lower precisions, and which; x is overwritten,
/// a may be. Negative where none converged.
struct refined_peer_result {
    double seconds = -1;
    std::string name;
};
[[nodiscard]] refined_peer_result refined_peer(const double* a, const double* b, double* x, index_t n);

/// |b - A x| / (|A| |x| + |b|) by cuBLAS, for column-major A of n rows on the device.
[[nodiscard]] double backward_error(const double* a, const double* b, const double* x, index_t n);

}  // namespace wale::bench
