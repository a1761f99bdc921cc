// coarse_levels - coarser grids as cycles take them: in Real, and with members in the computed numbering.
#include "solvers/euler/advance/shared/multigrid/coarse_levels.hpp"

namespace wale::euler {
namespace {

template <class Real>
std::vector<Real> cast(const std::vector<double>& from, double scale = 1) {
    std::vector<Real> to;
    to.reserve(from.size());
    for (const double v : from) to.push_back(static_cast<Real>(v * scale));
    return to;
}

/// The finest grid may be computed in another numbering than that in which its groups were made.
template <class Real>
void renumber_members(const flow_system& system, coarse_level<Real>& level) {
    if (system.number.empty()) return;
    std::vector<std::int32_t> computed(system.number.size()), parent(system.number.size());
    std::vector<Real> part(system.number.size());
    for (std::size_t i = 0; i < computed.size(); ++i) {
        const auto own = static_cast<std::size_t>(system.number[i]);
        computed[own] = static_cast<std::int32_t>(i);
        parent[i] = level.parent[own];
        part[i] = level.part[own];
    }
    for (std::int32_t& m : level.members) m = computed[static_cast<std::size_t>(m)];
    level.parent = std::move(parent);
    level.part = std::move(part);
}

template <class Real>
void make_room(const flow_system& system, coarse_level<Real>& level) {
    const std::size_t cells = level.volumes.size();
    for (auto* states : {&level.start, &level.now, &level.old}) states->resize(variables * cells);
    level.forcing.resize(cells);
    level.residual.resize(cells);
    if (system.options.scheme.smoothing > 0) level.smooth = level.smoother = level.residual;
    level.points.resize(cells);
    level.step.resize(cells);
}

}  // namespace

template <class Real>
std::vector<coarse_level<Real>> coarse_levels_of(const flow_system& system,
                                                 const std::vector<gas_point<Real>>& said) {
    std::vector<coarse_grid> grids = agglomerated_levels(system.own_grid(), system.options.scheme.levels);
    std::vector<coarse_level<Real>> levels(grids.size());
    const std::vector<double>* volume = &system.own_grid().volume;  // of the finer grid
    for (std::size_t l = 0; l < grids.size(); ++l) {
        coarse_grid& from = grids[l];
        coarse_level<Real>& to = levels[l];
        for (std::size_t i = 0; i < volume->size(); ++i)
            to.part.push_back(
                static_cast<Real>((*volume)[i] / from.grid.volume[static_cast<std::size_t>(from.parent[i])]));
        volume = &from.grid.volume;
        to.first_member = std::move(from.first_member);
        to.members = std::move(from.members);
        to.parent = std::move(from.parent);
        if (l == 0) renumber_members(system, to);
        to.first_face = std::move(from.grid.first_face);
        to.neighbour = std::move(from.grid.neighbour);
        to.normals = cast<Real>(from.grid.normal, system.normal_scale);
        to.volumes = cast<Real>(from.grid.volume);
        to.surface = cast<Real>(from.surface, system.normal_scale);
        make_room(system, to);
        to.grid = {.cells = std::ssize(to.volumes),
                   .first_face = to.first_face.data(),
                   .neighbours = to.neighbour.data(),
                   .normals = to.normals.data(),
                   .volumes = to.volumes.data(),
                   .kinds = system.kinds.data(),
                   .said = said.data()};
    }
    return levels;
}
template std::vector<coarse_level<float>> coarse_levels_of(const flow_system&,
                                                           const std::vector<gas_point<float>>&);
template std::vector<coarse_level<double>> coarse_levels_of(const flow_system&,
                                                            const std::vector<gas_point<double>>&);

}  // namespace wale::euler
