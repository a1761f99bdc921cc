// four_faces - meshes of tetrahedra: four faces a cell, so that no row of pointers is needed. As the
// published benchmark keeps them: variable-major on the device, cell-major as on its CPU.
#pragma once

#include <string>
#include <vector>

#include "cuda/device_array.cuh"
#include "solvers/euler/system.hpp"

namespace wale::euler {

[[nodiscard]] inline bool all_have_four_faces(const flow_system& system) {
    const auto& first = system.grid.first_face;
    for (std::size_t i = 0; i < first.size(); ++i)
        if (first[i] != static_cast<index_t>(4 * i)) return false;
    return true;
}

/// One cell of such a mesh, as cell.hpp's templates see a grid: rows 0 to 3.
template <class Real, euler_layout Layout>
struct four_faces {
    index_t cells, stride;
    const std::int32_t* ids;  // [4][stride], or [cells][4]
    const Real* normals;      // [4][3][stride], or [cells][4][3]
    const Real* volumes;      // [cells]
    const euler_boundary* kinds;
    const gas_point<Real>* said;
    index_t cell = 0;

    [[nodiscard]] __device__ four_faces of(index_t which) const {
        four_faces one = *this;
        one.cell = which;
        return one;
    }
    [[nodiscard]] __device__ index_t begin(index_t) const { return 0; }
    [[nodiscard]] __device__ index_t end(index_t) const { return 4; }
    [[nodiscard]] __device__ index_t place(index_t row, index_t rows) const {
        return Layout == euler_layout::variable_major ? row * stride + cell : rows * cell + row;
    }
    [[nodiscard]] __device__ std::int32_t neighbour(index_t row) const { return ids[place(row, 4)]; }
    __device__ void normal(index_t row, Real* n) const {
        for (int d = 0; d < 3; ++d) n[d] = normals[place(3 * row + d, 12)];
    }
    [[nodiscard]] __device__ Real volume(index_t which) const { return volumes[which]; }
};

/// Its arrays on a device.
template <class Real, euler_layout Layout>
class four_faces_arrays {
public:
    four_faces_arrays(const cuda::context& on, const flow_system& system, const plain_grid<Real>& device,
                      index_t stride)
        : grid_{system.cells(), stride, nullptr, nullptr, device.volumes, device.kinds, device.said} {
        const host_arrays<Real> host(system);
        ids_ = cuda::device_array<std::int32_t>(on, turned(system.grid.neighbour, 4));
        normals_ = cuda::device_array<Real>(on, turned(host.normals, 12));
        grid_.ids = ids_.data();
        grid_.normals = normals_.data();
    }
    [[nodiscard]] const four_faces<Real, Layout>& grid() const { return grid_; }

private:
    template <class T>
    [[nodiscard]] std::vector<T> turned(const std::vector<T>& cell_major, index_t rows) const {
        if (Layout != euler_layout::variable_major) return cell_major;
        std::vector<T> out(static_cast<std::size_t>(rows * grid_.stride));
        for (index_t cell = 0; cell < grid_.cells; ++cell)
            for (index_t r = 0; r < rows; ++r)
                out[static_cast<std::size_t>(r * grid_.stride + cell)] =
                    cell_major[static_cast<std::size_t>(rows * cell + r)];
        return out;
    }
    four_faces<Real, Layout> grid_;
    cuda::device_array<std::int32_t> ids_;
    cuda::device_array<Real> normals_;
};

}  // namespace wale::euler
