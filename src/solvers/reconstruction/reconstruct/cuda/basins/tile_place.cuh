// tile_place - where a tile and its pixels lie, and what a pixel sees round itself, for one thread of its
// block.
#pragma once

#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/reconstruct/cuda/basins/contract.cuh"

namespace wale::reconstruction::basins {

template <class T, class Link, int Row>
class tile_place {
protected:
    using memory = tile_memory<T, Link, Row>;
    using shape = typename memory::shape;
    using level = typename memory::level;

    __device__ tile_place(const tiling<T>& job, memory& in, index_t tile)
        : job_(job), m_(in), tile_(tile), at_(corner_of<T, shape>(job, tile)) {
        const raster& r = job.mask_at;
        touches_end_ = at_.row == 0 || at_.row + shape::rows >= r.rows || at_.column == 0 ||
                       at_.column + shape::columns >= r.columns ||
                       (Link::rank == 3 && (at_.plane == 0 || at_.plane + shape::planes >= r.planes));
        in_vectors_ = job.mask_in_vectors && at_.row + shape::rows <= r.rows &&
                      at_.column + shape::columns <= r.columns;
        x_ = thread() % shape::columns;
        y_ = thread() / shape::columns * (Link::rank == 2 ? shape::steps : 1);
    }

    static constexpr int farthest =
        1 + shape::columns * (1 + shape::rows * shape::depth);  // neighbour: ring, cube
    static_assert(2 * farthest < 1024);
    __device__ static int thread() { return static_cast<int>(threadIdx.x); }
    __device__ int y_of(int k) const { return Link::rank == 2 ? y_ + k : y_; }
    __device__ static int z_of(int k) { return Link::rank == 2 ? 0 : k; }
    __device__ int pixel_of_step(int k) const {
        return Link::rank == 2 ? (y_ + k) * shape::columns + x_ : k * shape::threads + thread();
    }
    __device__ static int neighbour_of(int pixel, int k) {
        return pixel + Link::dx(k) + shape::columns * (Link::dy(k) + shape::rows * Link::dz(k));
    }
    __device__ bool in_image(int x, int y, int z) const {
        const raster& r = job_.mask_at;
        const index_t column = at_.column + x, row = at_.row + y, plane = at_.plane + z;
        return column >= 0 && column < r.columns && row >= 0 && row < r.rows && plane >= 0 &&
               plane < r.planes;
    }
    __device__ T stored(const T* data, const raster& r, int x, int y, int z) const {
        return data[r.offset(at_.image, at_.plane + z, at_.row + y) + at_.column + x];
    }
    __device__ T marker_at(level own, int y, int z) const {
        const T given =
            job_.rule.start == start_rule::given ? stored(job_.marker, job_.marker_at, x_, y, z) : T{};
        return job_.rule.marker(levels<T>::key(own), given,
                                at_border(job_.mask_at, at_.plane + z, at_.row + y, at_.column + x_));
    }
    /// The neighbours of a pixel that lie between two ends on each axis.
    struct ends {
        bool first_x, last_x, first_y, last_y, first_z, last_z;
    };
    __device__ static std::uint32_t without(const ends& e) {
        std::uint32_t m = ~0u;
        if (e.first_x) m &= ~side<Link>(0, -1);
        if (e.last_x) m &= ~side<Link>(0, 1);
        if (e.first_y) m &= ~side<Link>(1, -1);
        if (e.last_y) m &= ~side<Link>(1, 1);
        if (e.first_z) m &= ~side<Link>(2, -1);
        if (e.last_z) m &= ~side<Link>(2, 1);
        return m;
    }
    __device__ static std::uint32_t inside_tile(int x, int y, int z) {
        return without({x == 0, x == shape::columns - 1, y == 0, y == shape::rows - 1,
                        Link::rank == 3 && z == 0, Link::rank == 3 && z == shape::planes - 1});
    }
    __device__ std::uint32_t inside_image(int x, int y, int z) const {
        const raster& r = job_.mask_at;
        const index_t column = at_.column + x, row = at_.row + y, plane = at_.plane + z;
        return without({column == 0, column == r.columns - 1, row == 0, row == r.rows - 1,
                        Link::rank == 3 && plane == 0, Link::rank == 3 && plane == r.planes - 1});
    }
    __device__ bool leaves_tile(int y, int z) const {
        const std::uint32_t outside = ~inside_tile(x_, y, z) & Link::near;
        return (touches_end_ ? outside & inside_image(x_, y, z) : outside) != 0;
    }

    /// up: neighbours above the pixel. best: the highest near one, which is in `up` unless that has no near
    /// one.
    __device__ static void look_up(const level* window, std::uint32_t& up, std::uint32_t& best,
                                   int& distance) {
        const level own = window[Link::centre];
#pragma unroll
        for (int k = 0; k < Link::bits; ++k) {
            if (Link::in_window(k) == Link::centre) continue;
            const level v = window[Link::in_window(k)];
            up |= ((Link::earlier >> k & 1u) != 0 ? v >= own : v > own) ? 1u << k : 0u;
        }
        if constexpr (sizeof(level) <= 2) {
            std::uint32_t top =
                0;  // level, earlier, neighbour and its distance in one word: two instructions each
#pragma unroll
            for (int k = 0; k < Link::bits; ++k) {
                if ((Link::near >> k & 1u) == 0) continue;
                const auto rank = static_cast<std::uint32_t>((Link::earlier >> k & 1u) << 15 | k << 10 |
                                                             (neighbour_of(farthest, k)));
                top = __viaddmax_u32(static_cast<std::uint32_t>(window[Link::in_window(k)]) << 16, rank, top);
            }
            best = 1u << (top >> 10 & 31u);
            distance = static_cast<int>(top & 1023u) - farthest;
        } else {
            level top = own;
#pragma unroll
            for (int earlier = 1; earlier >= 0; --earlier)
#pragma unroll
                for (int k = 0; k < Link::bits; ++k) {
                    if ((Link::near >> k & 1u) == 0 || static_cast<int>(Link::earlier >> k & 1u) != earlier)
                        continue;
                    const level v = window[Link::in_window(k)];
                    const bool higher = earlier ? v >= top : v > top;
                    top = higher ? v : top;
                    best = higher ? 1u << k : best;
                    distance = higher ? neighbour_of(0, k) : distance;
                }
        }
    }

    const tiling<T>& job_;
    memory& m_;
    index_t tile_;
    corner at_;
    bool touches_end_;  // the tile has pixels at the image's border, or places outside it
    bool in_vectors_;   // all of the tile lies in the image, and its rows begin at 16 bytes
    int x_, y_;
};

}  // namespace wale::reconstruction::basins
