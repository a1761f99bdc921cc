// apply - the answer: min(mask, level of the pixel's basin). Reads the image a second time.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/basins/graph.cuh"
#include "solvers/reconstruction/reconstruct/cuda/basins/levels.cuh"

namespace wale::reconstruction::basins {

template <class T, class Link, int Row>
class apply_work {
public:
    using shape = shape_of<Link, Row>;
    using level = typename levels<T>::level;
    using wide = typename levels<T>::wide;

    __device__ apply_work(const tiling<T>& job, level* table, index_t tile)
        : job_(job), table_(table), tile_(tile), at_(corner_of<T, shape>(job, tile)) {}

    __device__ void run(const wide* levels_of_nodes) {
        fill_table(levels_of_nodes);
        __syncthreads();
        const bool whole = at_.row + shape::rows <= job_.mask_at.rows &&
                           at_.column + shape::columns <= job_.mask_at.columns &&
                           at_.plane + shape::planes <= job_.mask_at.planes;
        if (whole && job_.mask_in_vectors && job_.out_in_vectors) return write_vectors();
        for (int pixel = static_cast<int>(threadIdx.x); pixel < shape::pixels; pixel += shape::threads) {
            const std::uint16_t label = job_.labels[tile_ * shape::pixels + pixel];
            if (label != no_label) write(pixel, table_[label]);
        }
    }

private:
    __device__ void fill_table(const wide* levels_of_nodes) {
        const tile_head head = job_.heads[tile_];
        for (int i = static_cast<int>(threadIdx.x); i < head.nodes; i += shape::threads)
            table_[i] = static_cast<level>(levels_of_nodes[head.first + static_cast<std::uint32_t>(i)]);
        for (int i = static_cast<int>(threadIdx.x); i < head.attached; i += shape::threads) {
            const index_t from = tile_ * shape::basins + i;
            const std::uint16_t on = job_.parents[from];
            level l = job_.parent_levels[from];
            if (on != to_source) l = smaller(l, static_cast<level>(levels_of_nodes[head.first + on]));
            table_[head.nodes + i] = l;
        }
    }

    __device__ void write_vectors() {
        using unit = vector_of<T>;
        constexpr int labels_at_once = unit::size < 8 ? unit::size : 8;
        for (int i = static_cast<int>(threadIdx.x); i < shape::pixels / unit::size; i += shape::threads) {
            const place p = place_of(i * unit::size);
            unit keys = unit::load(job_.mask + p.mask).keys(job_.rule);
            const auto* labels =
                reinterpret_cast<const label_group<labels_at_once>*>(job_.labels + tile_ * shape::pixels) +
                i * (unit::size / labels_at_once);
#pragma unroll
            for (int q = 0; q < unit::size / labels_at_once; ++q) {
                const label_group<labels_at_once> group = labels[q];
#pragma unroll
                for (int k = 0; k < labels_at_once; ++k) {
                    T& key = keys.at[q * labels_at_once + k];
                    key = job_.rule.finished(smaller(key, levels<T>::key(table_[group.at[k]])), key);
                }
            }
            keys.store(static_cast<T*>(job_.out) + p.out);
        }
    }
    template <int Size>
    struct alignas(2 * Size) label_group {
        std::uint16_t at[Size];
    };

    struct place {
        index_t mask, out;
    };
    __device__ place place_of(int pixel) const {
        const index_t column = at_.column + pixel % shape::columns;
        const index_t row = at_.row + pixel / shape::columns % shape::rows;
        const index_t plane = at_.plane + pixel / (shape::columns * shape::rows);
        return {job_.mask_at.offset(at_.image, plane, row) + column,
                job_.out_at.offset(at_.image, plane, row) + column};
    }

    __device__ void write(int pixel, level of_basin) {
        const place p = place_of(pixel);
        const T mask = job_.rule.key(job_.mask[p.mask]);
        const T rebuilt = smaller(mask, levels<T>::key(of_basin));
        if (job_.rule.finish == finish_rule::flag)
            static_cast<std::uint8_t*>(job_.out)[p.out] = rebuilt < mask ? 1 : 0;
        else
            static_cast<T*>(job_.out)[p.out] = job_.rule.finished(rebuilt, mask);
    }

    const tiling<T>& job_;
    level* table_;
    index_t tile_;
    corner at_;
};

template <class T, class Link, int Row>
__global__ void __launch_bounds__(shape_of<Link, Row>::threads)
    apply_levels(const __grid_constant__ tiling<T> job, const typename levels<T>::wide* levels_of_nodes) {
    __shared__ typename levels<T>::level table[shape_of<Link, Row>::basins];
    for (index_t tile = blockIdx.x; tile < job.tiles; tile += gridDim.x) {
        apply_work<T, Link, Row>(job, table, tile).run(levels_of_nodes);
        __syncthreads();
    }
}

}  // namespace wale::reconstruction::basins
