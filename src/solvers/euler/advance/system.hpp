// system - a case made ready: its mesh in the numbering that is computed in, and the scheme in numbers.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>
#include <wale/euler.hpp>

#include "solvers/euler/advance/cell.hpp"

namespace wale::euler {

/// What all sessions of a case share. Not moved once made.
class flow_system {
public:
    flow_system(mesh m, const euler_options& options);
    flow_system(const flow_system&) = delete;
    flow_system& operator=(const flow_system&) = delete;

    [[nodiscard]] index_t cells() const noexcept { return grid.cells(); }
    /// The mesh in its own numbering.
    [[nodiscard]] const mesh& own_grid() const noexcept { return number.empty() ? grid : own_; }
    /// From the mesh's order to that computed in, and back.
    [[nodiscard]] std::vector<euler_state> to_computed(std::span<const euler_state> in_mesh_order) const;
    [[nodiscard]] std::vector<euler_state> to_mesh_order(std::span<const euler_state> computed) const;
    [[nodiscard]] std::vector<euler_state> free_stream() const;
    /// The mesh's number of a computed cell.
    [[nodiscard]] index_t number_of(index_t cell) const noexcept {
        return number.empty() ? cell : number[static_cast<std::size_t>(cell)];
    }
    /// Of the mesh's cell; 0 without coordinates.
    [[nodiscard]] std::array<double, 3> centre_of(index_t cell) const {
        const mesh& m = own_grid();
        std::array<double, 3> at{};
        if (m.has_centres()) std::copy_n(&m.centre[static_cast<std::size_t>(3 * cell)], 3, at.begin());
        return at;
    }

    /// As tetrahedra have: no row of pointers is needed.
    [[nodiscard]] bool all_have_four_faces() const;
    /// Whether a face is of a patch of one of these kinds.
    [[nodiscard]] bool has(std::initializer_list<euler_boundary> some) const;

    /// What `automatic` means in the scheme: Newton's method, where the options suit it and it `is_there`,
    /// and the limiter that goes with it; else explicit stages.
    void choose_scheme(bool newton_is_there);

    euler_options options;              // without `automatic` in the scheme
    mesh grid;                          // in the numbering that is computed in, periodic patches joined
    std::vector<std::int32_t> number;   // [cells] the mesh's number of each computed cell; empty: the same
    std::vector<euler_boundary> kinds;  // [patches]
    /// [patches] of an inflow its state; of a pressure_inlet the gas at rest, moving at its speed of sound in
    /// the direction said; of a mass_inlet the same with a density that makes the mass flux said; of a
    /// pressure_outlet a gas at rest of the pressure said; elsewhere the free stream.
    std::vector<euler_state> said;
    bool published = false;   // the scheme `rodinia`: with the file's normals
    double normal_scale = 1;  // of the normals that fluxes take to areas
    double total_volume = 0;
    std::array<std::array<double, 3>, 3> axes{};  // of drag, lift, side
    double force_unit = 1;                        // dynamic pressure times reference area
    double lift = 0;  // coefficient of the last measurement, which bends patches vortex_far_field

    /// The free stream at a place in 2-D, bent by a vortex at moment_centre that carries the lift.
    [[nodiscard]] euler_state bent_stream(const std::array<double, 2>& at, double lift_coefficient) const;

private:
    euler_scheme asked_;
    mesh own_;  // where it is computed in another numbering
};

[[nodiscard]] bool is_published(const euler_scheme& s) noexcept;
/// Why a row of explicit stages cannot compute the scheme; empty if it can.
[[nodiscard]] std::string why_not_stages(const euler_scheme& s);
/// The same of a row whose faces of a patch have one far field.
[[nodiscard]] std::string why_not_unbent(const euler_options& o);
/// The same of one that has neither the host's limiter nor blends strong shocks.
[[nodiscard]] std::string why_not_shared(const euler_options& o);

template <class Real>
[[nodiscard]] constants<Real> constants_of(const flow_system& system);

/// The system's mesh in arrays of Real on the host, and a grid that points to them.
template <class Real>
struct host_arrays {
    explicit host_arrays(const flow_system& system);
    host_arrays(const host_arrays&) = delete;
    host_arrays& operator=(const host_arrays&) = delete;
    /// Takes the free stream at each face of a vortex_far_field as a lift coefficient bends it.
    void bend_far_field(const flow_system& system, double lift);
    std::vector<Real> normals, volumes, offsets;
    std::vector<gas_point<Real>> said;        // [patches], then of each face of a vortex_far_field
    std::vector<euler_boundary> kinds;        // the same
    std::vector<std::int32_t> neighbours;     // [rows] where there are such faces: each is a patch of its own
    std::vector<std::array<double, 2>> bent;  // where these faces are
    plain_grid<Real> grid;
};

}  // namespace wale::euler
