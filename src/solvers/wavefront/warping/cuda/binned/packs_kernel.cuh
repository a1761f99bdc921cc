// packs_kernel - a warp a task: as many pairs as have lanes in it.
#pragma once

#include "solvers/wavefront/warping/cuda/binned/packs.cuh"
#include "solvers/wavefront/warping/problem.hpp"

namespace wale::wavefront::warping {

/// What a sweep of one strip is asked (lanes.cuh): nothing is above it but the corner.
template <class Cell, int Rows, int Columns, bool One>
class pack {
    using T = typename Cell::number;

public:
    static constexpr int steps = 16;
    static constexpr bool enters = false, plain = false;
    int event = 0;  // the last tile

    __device__ __forceinline__ pack(const packs_job<Cell>& w, index_t number, bool asked)
        : w_(w),
          number_(asked ? number : -1),
          pair_(pair_of(w, places_of(w, number))),
          rows_(w.cell, pair_, pair_.rows + lane(), w.lanes, lane() * Rows) {
#pragma unroll
        for (int c = 0; c < Columns; ++c) corner_[c] = c == pair_.offset - 1 ? T{0} : infinity<T>();
    }
    __device__ __forceinline__ void run() {
        const int tiles = pair_.pitch / Columns;
        event = tiles - 1;
        fetch(-lane());
        const auto most = static_cast<int>(
            cuda::largest_of_warp(static_cast<unsigned>(tiles + (pair_.row_count - 1) / Rows)));
        (void)sweep<Rows, Columns, One>(pair_, rows_, *this, w_.lanes, 0, 0, most);
    }

    __device__ bool take() {
        return true;
    }
    __device__ __forceinline__ void above(int, T (&x)[Columns]) {
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            x[c] = corner_[c];
            corner_[c] = infinity<T>();
        }
    }
    /// The load of the next tile stays in flight: no branch round it, and no copy of its registers before
    /// they are used.
    __device__ __forceinline__ void points(int tile, T (&x)[Columns]) {
#pragma unroll
        for (int c = 0; c < Columns; ++c) x[c] = next_[c];
        fetch(tile + 1);
    }
    __device__ void put(int, const T (&)[Columns]) {}
    __device__ __forceinline__ void happen(int) {
        if (number_ < 0) return;
        const int last = pair_.row_count - 1 - lane() * Rows;
#pragma unroll
        for (int r = 0; r < Rows; ++r)
            if (r == last) write_cost(w_, number_, rows_.h[r]);
    }

private:
    [[nodiscard]] __device__ __forceinline__ static packed_pair<T> pair_of(const packs_job<Cell>& w,
                                                                           pair_places at) {
        packed_pair<T> p{};
        p.rows = w.rows.numbers + w.rows.begins[at.row];
        p.columns = w.columns.numbers + w.columns.begins[at.column];
        p.row_count = w.rows.size(at.row);
        p.column_count = w.columns.size(at.column);
        p.pitch = (p.column_count + Columns) / Columns * Columns;
        p.offset = p.pitch - p.column_count;
        set_band(p, w.window);
        return p;
    }

    __device__ __forceinline__ void fetch(int tile) {
        if constexpr (One) load_tile<Columns>(pair_.columns + tile * Columns, next_);
    }
    [[nodiscard]] __device__ int lane() const {
        return static_cast<int>(threadIdx.x) % w_.lanes;
    }
    const packs_job<Cell>& w_;
    const index_t number_;  // of the pair; below 0: none, this is here for the warp's other pairs
    const packed_pair<T> pair_;
    lane_rows<Cell, Rows, Columns, One> rows_;
    T corner_[Columns], next_[Columns];
};

template <bool One>
constexpr const sweep_policy& pack_of(int row) {
    if constexpr (One)
        return packs[row].policy;
    else
        return general_sweeps[row].policy;
}

/// No warp waits for another one.
template <class Cell, int Row, bool One>
__global__ void __launch_bounds__(pack_of<One>(Row).warps* warp_size,
                                  blocks_of<typename Cell::number>(pack_of<One>(Row)))
    packs_kernel(const __grid_constant__ packs_job<Cell> w) {
    constexpr sweep_policy policy = pack_of<One>(Row);
    sweep_pairs<pack<Cell, policy.rows, policy.columns, One>>(w);
}

template <class Cell, bool One>
void launch_packs(const cuda::context& c, const packs_job<Cell>& w, int shape) {
    const auto start = [&]<int Row>() {
        launch_sweep(c, w, packs_kernel<Cell, Row, One>, pack_of<One>(Row).warps * warp_size);
    };
    if constexpr (One)
        tuning::with_number<std::size(packs)>(static_cast<std::size_t>(shape), start);
    else
        tuning::with_number<std::size(general_sweeps)>(static_cast<std::size_t>(shape), start);
}

}  // namespace wale::wavefront::warping
