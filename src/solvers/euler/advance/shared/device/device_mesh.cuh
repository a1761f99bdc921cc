// device_mesh - a case's mesh on a device, in arrays of Real: plain rows, as on the host.
#pragma once

#include <memory>
#include <vector>

#include "cuda/device_array.cuh"
#include "solvers/euler/advance/system.hpp"

namespace wale::euler {

template <class Real>
class device_mesh {
public:
    device_mesh(const cuda::context& on, const flow_system& system)
        : device_mesh(on, system, host_arrays<Real>(system)) {}

    /// Points to the device.
    [[nodiscard]] const plain_grid<Real>& grid() const { return grid_; }
    [[nodiscard]] const double* centres() const { return centres_.data(); }        // [cells][3], or null
    [[nodiscard]] const std::int32_t* numbers() const { return numbers_.data(); }  // the mesh's, or null

    /// Takes the free stream at each face of a vortex_far_field as a lift coefficient bends it.
    void bend_far_field(const cuda::context& on, const flow_system& system, double lift) {
        if (!bent_) return;
        bent_->bend_far_field(system, lift);
        cuda::check(cudaMemcpyAsync(said_.data(), bent_->said.data(), said_.bytes(), cudaMemcpyHostToDevice,
                                    on.stream()));
        on.synchronize();
    }

private:
    device_mesh(const cuda::context& on, const flow_system& system, const host_arrays<Real>& host)
        : first_(on, system.grid.first_face),
          neighbours_(on, host.neighbours.empty() ? system.grid.neighbour : host.neighbours),
          opposites_(on, system.grid.opposite),
          normals_(on, host.normals),
          volumes_(on, host.volumes),
          offsets_(on, host.offsets),
          kinds_(on, host.kinds),
          said_(on, host.said),
          centres_(on, system.grid.centre),
          numbers_(on, system.number) {
        if (!host.bent.empty()) bent_ = std::make_unique<host_arrays<Real>>(system);
        grid_ = host.grid;  // with whatever else it says
        grid_.first_face = first_.data();
        grid_.neighbours = neighbours_.data();
        grid_.opposites = opposites_.data();
        grid_.normals = normals_.data();
        grid_.volumes = volumes_.data();
        grid_.offsets = offsets_.data();
        grid_.kinds = kinds_.data();
        grid_.said = said_.data();
    }

    cuda::device_array<index_t> first_;
    cuda::device_array<std::int32_t> neighbours_;
    cuda::device_array<std::uint8_t> opposites_;
    cuda::device_array<Real> normals_, volumes_, offsets_;
    cuda::device_array<euler_boundary> kinds_;
    cuda::device_array<gas_point<Real>> said_;
    cuda::device_array<double> centres_;
    cuda::device_array<std::int32_t> numbers_;
    std::unique_ptr<host_arrays<Real>> bent_;  // where there is a vortex_far_field
    plain_grid<Real> grid_;
};

}  // namespace wale::euler
