// option_fields - the fields of options that a user sets by name: the keywords of Python, and the words of
// the command line where it has lists of them.
#pragma once

#include <wale/alignment.hpp>
#include <wale/cable.hpp>
#include <wale/fields.hpp>
#include <wale/flow_fields.hpp>
#include <wale/infix.hpp>
#include <wale/lu.hpp>
#include <wale/lu_refined.hpp>
#include <wale/study_fields.hpp>
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

}  // namespace wale
