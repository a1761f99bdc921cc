// flow_fields - the fields of flows and meshes: of their options and of what they answer.
#pragma once

#include <wale/euler_file.hpp>
#include <wale/fields.hpp>
#include <wale/mesh_tools.hpp>

namespace wale {

template <>
struct fields<mesh_recipe> {
    static constexpr auto all =
        std::tuple{field{"kind", &mesh_recipe::kind},         field{"size", &mesh_recipe::size},
                   field{"shape", &mesh_recipe::shape},       field{"thickness", &mesh_recipe::thickness},
                   field{"outer", &mesh_recipe::outer},       field{"angle", &mesh_recipe::angle},
                   field{"height", &mesh_recipe::height},     field{"distortion", &mesh_recipe::distortion},
                   field{"shuffled", &mesh_recipe::shuffled}, field{"seed", &mesh_recipe::seed},
                   field{"section", &mesh_recipe::section},   field{"around", &mesh_recipe::around},
                   field{"outward", &mesh_recipe::outward}};
};

template <>
struct fields<euler_stream> {
    static constexpr auto all =
        std::tuple{field{"mach", &euler_stream::mach},       field{"alpha", &euler_stream::alpha},
                   field{"beta", &euler_stream::beta},       field{"gamma", &euler_stream::gamma},
                   field{"density", &euler_stream::density}, field{"pressure", &euler_stream::pressure}};
};

template <>
struct fields<euler_scheme> {
    static constexpr auto all = std::tuple{field{"flux", &euler_scheme::flux},
                                           field{"order", &euler_scheme::order},
                                           field{"limiter", &euler_scheme::limiter},
                                           field{"limiter_k", &euler_scheme::limiter_k},
                                           field{"shocks", &euler_scheme::shocks},
                                           field{"time", &euler_scheme::time},
                                           field{"step", &euler_scheme::step},
                                           field{"cfl", &euler_scheme::cfl},
                                           field{"fixed_step", &euler_scheme::fixed_step},
                                           field{"dissipation", &euler_scheme::dissipation},
                                           field{"smoothing", &euler_scheme::smoothing},
                                           field{"smoothing_factor", &euler_scheme::smoothing_factor},
                                           field{"levels", &euler_scheme::levels}};
};

template <>
struct fields<euler_options> {
    static constexpr auto all = std::tuple{field{"check_every", &euler_options::check_every},
                                           field{"stop_decades", &euler_options::stop_decades},
                                           field{"stop_force", &euler_options::stop_force},
                                           field{"end_time", &euler_options::end_time},
                                           field{"precision", &euler_options::precision},
                                           field{"periodic", &euler_options::periodic},
                                           field{"area", &euler_options::reference_area},
                                           field{"length", &euler_options::reference_length},
                                           field{"moment_centre", &euler_options::moment_centre}};
};

template <>
struct fields<euler_patch> {
    static constexpr auto all = std::tuple{field{"name", &euler_patch::name},
                                           field{"kind", &euler_patch::kind},
                                           field{"state", &euler_patch::state},
                                           field{"total_pressure", &euler_patch::total_pressure},
                                           field{"total_temperature", &euler_patch::total_temperature},
                                           field{"direction", &euler_patch::direction},
                                           field{"mass_flux", &euler_patch::mass_flux},
                                           field{"pressure", &euler_patch::pressure}};
};

template <>
struct fields<euler_polar_point> {
    using type = euler_polar_point;
    static constexpr auto all =
        std::tuple{field{"value", &type::value},     field{"lift", &type::lift},
                   field{"drag", &type::drag},       field{"side", &type::side},
                   field{"moment", &type::moment},   field{"iterations", &type::iterations},
                   field{"decades", &type::decades}, field{"end", &type::end}};
};

template <>
struct fields<euler_force> {
    static constexpr auto all =
        std::tuple{field{"patch", &euler_force::patch}, field{"lift", &euler_force::lift},
                   field{"drag", &euler_force::drag}, field{"side", &euler_force::side},
                   field{"moment", &euler_force::moment}};
};

template <>
struct fields<mesh_report> {
    static constexpr auto all = std::tuple{
        field{"cells", &mesh_report::cells},
        field{"rows", &mesh_report::rows, "Faces, those between two cells counted twice."},
        field{"inner_faces", &mesh_report::inner_faces, "Faces between two cells."},
        field{"parts", &mesh_report::parts, "Connected parts."},
        field{"volume", &mesh_report::volume, "Of all cells."},
        field{"least_volume", &mesh_report::least_volume},
        field{"greatest_volume", &mesh_report::greatest_volume},
        field{"not_positive", &mesh_report::not_positive, "Cells whose volume is not positive."},
        field{"first_not_positive", &mesh_report::first_not_positive, "The first of them; -1: none.", true},
        field{"open_cells", &mesh_report::open_cells, "Cells whose area vectors do not sum to zero."},
        field{"worst_open", &mesh_report::worst_open, "The worst of them; -1: none.", true},
        field{"closure", &mesh_report::closure, "The largest |sum n| / sum |n| of a cell."},
        field{"not_mutual", &mesh_report::not_mutual, "Faces that the neighbour has not, or otherwise."},
        field{"first_not_mutual", &mesh_report::first_not_mutual, "The first such cell; -1: none.", true},
        field{"reciprocity", &mesh_report::reciprocity, "The largest |n_ij + n_ji| / |n_ij|."},
        field{"self_neighbours", &mesh_report::self_neighbours},
        field{"area_factor", &mesh_report::area_factor, "Areas over those of true area vectors, the median."},
        field{"gauss", &mesh_report::gauss, "Error of the volume by Gauss; -1: no coordinates.", true},
        field{"largest_angle", &mesh_report::largest_angle,
              "The largest angle of a normal and its cells' centres [degrees]; -1: no coordinates.", true},
        field{"mean_angle", &mesh_report::mean_angle, "The mean of these; -1: no coordinates.", true},
        field{"worst_angle", &mesh_report::worst_angle, "A cell with the largest; -1: none.", true},
        field{"volume_ratio", &mesh_report::volume_ratio, "The largest ratio of two neighbours' volumes."},
        field{"bandwidth", &mesh_report::bandwidth, "The largest distance of neighbours' numbers."},
        field{"mean_distance", &mesh_report::mean_distance, "The mean distance of neighbours' numbers."},
        field{"verdict", &mesh_report::verdict, "Empty if a flow can be computed on the mesh."}};
};

template <>
struct fields<recovery> {
    static constexpr auto all =
        std::tuple{field{"mismatch", &recovery::mismatch}, field{"pieces", &recovery::pieces}};
};

template <>
struct fields<euler_sample> {
    static constexpr auto all =
        std::tuple{field{"iteration", &euler_sample::iteration}, field{"time", &euler_sample::time},
                   field{"residual", &euler_sample::residual},   field{"drag", &euler_sample::drag},
                   field{"lift", &euler_sample::lift},           field{"side", &euler_sample::side},
                   field{"moment", &euler_sample::moment},       field{"total", &euler_sample::total}};
};

template <>
struct fields<euler_result> {
    static constexpr auto all = std::tuple{
        field{"run", &euler_result::run, "Report of what ran."},
        field{"iterations", &euler_result::iterations, "Iterations that were taken."},
        field{"end", &euler_result::end, "Why the run ended."},
        field{"decades", &euler_result::decades, "Powers of ten by which the residual of density fell."},
        field{"bad_cell", &euler_result::bad_cell, "The first cell that is no gas; -1: none.", true},
        field{"bad_iteration", &euler_result::bad_iteration, "The iteration that made it so; -1: none.",
              true}};
};

}  // namespace wale
