// option_fields - the fields of options that a user sets by name: the keywords of Python, and the words of
// the command line where it has lists of them.
#pragma once

#include <wale/alignment.hpp>
#include <wale/atlas.hpp>
#include <wale/cable.hpp>
#include <wale/euler_file.hpp>
#include <wale/fields.hpp>
#include <wale/infix.hpp>
#include <wale/lu.hpp>
#include <wale/lu_refined.hpp>
#include <wale/mesh_tools.hpp>
#include <wale/study.hpp>
#include <wale/tridiagonal.hpp>
#include <wale/warping.hpp>
#include <wale/wavefront.hpp>

namespace wale {

template <>
struct fields<wavefront_options> {
    static constexpr auto all =
        std::tuple{field{"variant", &wavefront_options::variant}, field{"kind", &wavefront_options::kind},
                   field{"cost", &wavefront_options::cost}};
};

template <>
struct fields<infix_options> {
    static constexpr auto all =
        std::tuple{field{"variant", &infix_options::variant}, field{"mode", &infix_options::mode},
                   field{"task", &infix_options::task}, field{"both_strands", &infix_options::both_strands},
                   field{"bound", &infix_options::bound}};
};

template <>
struct fields<warping_options> {
    static constexpr auto all =
        std::tuple{field{"variant", &warping_options::variant}, field{"cost", &warping_options::cost},
                   field{"window", &warping_options::window}, field{"gamma", &warping_options::gamma}};
};

template <>
struct fields<alignment_options> {
    static constexpr auto all =
        std::tuple{field{"variant", &alignment_options::variant}, field{"mode", &alignment_options::mode},
                   field{"task", &alignment_options::task},       field{"open", &alignment_options::open},
                   field{"extend", &alignment_options::extend},   field{"band", &alignment_options::band},
                   field{"x_drop", &alignment_options::x_drop}};
};

template <>
struct fields<free_ends> {
    static constexpr auto all = std::tuple{
        field{"query_begin", &free_ends::query_begin}, field{"query_end", &free_ends::query_end},
        field{"target_begin", &free_ends::target_begin}, field{"target_end", &free_ends::target_end}};
};

template <>
struct fields<lu_options> {
    static constexpr auto all =
        std::tuple{field{"variant", &lu_options::variant}, field{"pivoting", &lu_options::pivoting},
                   field{"perturbation", &lu_options::perturbation}, field{"growth", &lu_options::growth},
                   field{"condition", &lu_options::condition}};
};

template <>
struct fields<lu_refined_options> {
    static constexpr auto all = std::tuple{field{"variant", &lu_refined_options::variant},
                                           field{"precision", &lu_refined_options::precision},
                                           field{"max_iterations", &lu_refined_options::max_iterations}};
};

template <>
struct fields<tridiagonal_options> {
    static constexpr auto all = std::tuple{field{"variant", &tridiagonal_options::variant},
                                           field{"pivoting", &tridiagonal_options::pivoting},
                                           field{"periodic", &tridiagonal_options::periodic},
                                           field{"transposed", &tridiagonal_options::transposed}};
};

template <>
struct fields<cable_geometry> {
    static constexpr auto all = std::tuple{
        field{"ra", &cable_geometry::axial_resistivity}, field{"cm", &cable_geometry::capacitance},
        field{"max_length", &cable_geometry::max_length}, field{"d_lambda", &cable_geometry::d_lambda},
        field{"frequency", &cable_geometry::frequency}};
};

template <>
struct fields<cable_membrane> {
    static constexpr auto all =
        std::tuple{field{"cm", &cable_membrane::capacitance}, field{"g", &cable_membrane::g_leak},
                   field{"e", &cable_membrane::e_leak}, field{"gna", &cable_membrane::g_na},
                   field{"gk", &cable_membrane::g_k}};
};

template <>
struct fields<cable_clamp> {
    static constexpr auto all =
        std::tuple{field{"cell", &cable_clamp::cell}, field{"compartment", &cable_clamp::compartment},
                   field{"delay", &cable_clamp::delay}, field{"duration", &cable_clamp::duration},
                   field{"amplitude", &cable_clamp::amplitude}};
};

template <>
struct fields<cable_options> {
    static constexpr auto all = std::tuple{field{"cells", &cable_options::cells},
                                           field{"dt", &cable_options::dt},
                                           field{"v_init", &cable_options::initial},
                                           field{"celsius", &cable_options::celsius},
                                           field{"q10", &cable_options::q10},
                                           field{"e_na", &cable_options::e_na},
                                           field{"e_k", &cable_options::e_k},
                                           field{"method", &cable_options::method},
                                           field{"sample_every", &cable_options::sample_every},
                                           field{"threshold", &cable_options::threshold}};
};

template <>
struct fields<study_options> {
    static constexpr auto all = std::tuple{
        field{"operation", &study_options::operation}, field{"sizes", &study_options::sizes},
        field{"variant", &study_options::variant},     field{"repeats", &study_options::repeats},
        field{"threads", &study_options::threads},     field{"cpu", &study_options::cpu},
        field{"cuda", &study_options::cuda},           field{"seconds_each", &study_options::seconds_each}};
};

template <>
struct fields<atlas_options> {
    static constexpr auto all = std::tuple{field{"operation", &atlas_options::operation},
                                           field{"seed", &atlas_options::seed},
                                           field{"first", &atlas_options::first},
                                           field{"cells", &atlas_options::cells},
                                           field{"seconds", &atlas_options::seconds},
                                           field{"largest_seconds", &atlas_options::largest_seconds},
                                           field{"largest_bytes", &atlas_options::largest_bytes},
                                           field{"threads", &atlas_options::threads},
                                           field{"cpu", &atlas_options::cpu},
                                           field{"cuda", &atlas_options::cuda},
                                           field{"timed", &atlas_options::timed}};
};

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

}  // namespace wale
