// prepare - from the system's arrays to those of the tiles, and states there and back.
#pragma once

#include "solvers/euler/advance/cell.hpp"
#include "solvers/euler/advance/cuda/tiled/kernel.cuh"
#include "solvers/euler/advance/shared/device/launch.cuh"

namespace wale::euler::tiled {

struct preparation {
    const meshes::deep_tile* tiles;
    const std::int32_t* halo;
    const std::int32_t* order;    // [cells] the system's number
    const std::uint16_t* places;  // [rows][tile_faces]
};

/// A block a tile.
template <class Real, bool Closed>
__global__ void write_geometry(const plain_grid<Real> grid, const preparation p, chunk<Real>* out,
                               index_t rows) {
    const meshes::deep_tile tile = p.tiles[blockIdx.x];
    for (int place = static_cast<int>(threadIdx.x); place < tile.two; place += static_cast<int>(blockDim.x)) {
        const std::int32_t number =
            place < tile.own ? tile.first + place : p.halo[tile.halo + place - tile.own];
        const index_t first = grid.begin(p.order[number]);
        geometry<Real, Closed> g;
        for (int i = 0; i < g.reals; ++i) g.real[i] = 0;
        unsigned code[meshes::tile_faces];
        for (int f = 0; f < meshes::tile_faces; ++f) {
            Real n[3];
            grid.normal(first + f, n);
            for (int d = 0; d < 3 && f < g.normals; ++d) g.real[3 * f + d] = Real(-0.5) * n[d];
            const std::int32_t other = grid.neighbour(first + f);
            if (!is_patch(other))
                code[f] = face_code::of_place(p.places[meshes::tile_faces * (tile.rows + place) + f]);
            else if (grid.kinds[patch_of(other)] == euler_boundary::far_field)
                code[f] = face_code::edge;
            else
                code[f] = face_code::of_place(place) | face_code::edge | face_code::mirrored;
        }
        g.codes[4 * g.chunks - 2] = code[0] | code[1] << 16;
        g.codes[4 * g.chunks - 1] = code[2] | code[3] << 16;
        for (int c = 0; c < g.chunks; ++c) out[c * rows + tile.rows + place] = g.pieces[c];
    }
}

/// states is [cells][5] in the system's numbering.
template <class Real>
__global__ void pack(const plain_grid<Real> grid, const std::int32_t* order, const Real* states,
                     scheme_numbers<Real> k, packed_state<Real>* out) {
    const index_t cell = cell_of_thread();
    if (cell >= grid.cells) return;
    const index_t there = order[cell];
    const Real* s = states + variables * there;
    gas<Real> g{s[0], s[1], s[2], s[3]};
    complete(g, s[4], k);
    out[cell] = {s[0], s[1],    s[2], s[3],
                 g.p,  g.waves, s[4], k.cfl * near_inverse(near_root(grid.volume(there)))};
}

template <class Real>
__global__ void unpack(index_t cells, const std::int32_t* order, const packed_state<Real>* in, Real* states) {
    const index_t cell = cell_of_thread();
    if (cell >= cells) return;
    const packed_state<Real> p = in[cell];
    Real* s = states + variables * index_t{order[cell]};
    s[0] = p.rho;
    s[1] = p.x;
    s[2] = p.y;
    s[3] = p.z;
    s[4] = p.energy;
}

}  // namespace wale::euler::tiled
