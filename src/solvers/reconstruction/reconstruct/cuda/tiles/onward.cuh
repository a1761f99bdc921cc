// onward - going on with an image at rest after pixels have risen from outside, in place: the tiles of these
// pixels are woken, and the worklist of cuda/tiles does the rest.
#pragma once

#include "cuda/device_array.cuh"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/reconstruct/shared/worklist.cuh"

namespace wale::reconstruction::tiles {

/// Where the tiles of a flat image are woken.
struct wake_list {
    worklist work;
    int across;         // tiles
    int rows, columns;  // pixels of a tile

    __device__ void wake(index_t row, index_t column) const {
        work.wake(static_cast<std::uint32_t>(row / rows * across + column / columns));
    }
};

/// One flat image, which stays where it is.
template <class T>
class onward {
public:
    /// Queues what needs all pixels once: the rims by which tiles see each other.
    onward(const cuda::context& on, const reconstruct_job& job);
    /// Queues an empty list. Then kernels may raise pixels and wake their tiles.
    [[nodiscard]] wake_list queue_start(const cuda::context& on) const;
    /// Queues what follows.
    void queue(const cuda::context& on) const;
    /// Waits; throws where a wait on the device ran out.
    void finish(const cuda::context& on) const;

private:
    reconstruct_job job_;  // from J to J
    std::size_t row_;      // of the tuning table
    index_t across_, tiles_, workers_ = 0;
    unsigned blocks_ = 0;
    cuda::device_array<unsigned char> memory_;
};

}  // namespace wale::reconstruction::tiles
