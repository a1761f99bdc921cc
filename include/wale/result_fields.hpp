// result_fields - the fields of what the solvers answer with, and by other headers of everything else.
#pragma once

#include <wale/alignment.hpp>
#include <wale/cable.hpp>
#include <wale/fields.hpp>
#include <wale/flow_fields.hpp>
#include <wale/hines.hpp>
#include <wale/lu.hpp>
#include <wale/lu_refined.hpp>
#include <wale/reconstruction.hpp>
#include <wale/report.hpp>
#include <wale/study_fields.hpp>
#include <wale/tridiagonal.hpp>
#include <wale/variants.hpp>

namespace wale {

template <>
struct fields<alignment_result> {
    static constexpr auto all = std::tuple{field{"score", &alignment_result::score},
                                           field{"query_begin", &alignment_result::query_begin},
                                           field{"query_end", &alignment_result::query_end},
                                           field{"target_begin", &alignment_result::target_begin},
                                           field{"target_end", &alignment_result::target_end},
                                           field{"heuristic", &alignment_result::heuristic}};
};

template <>
struct fields<report> {
    static constexpr auto all = std::tuple{
        field{"variant", &report::variant, "Name of the row that ran: \"cpu/rows\"."},
        field{"device", &report::device, "The GPU, or the instruction set of the CPU."},
        field{"threads", &report::threads, "CPU threads that took part."},
        field{"policy", &report::policy, "Tile and other tuned numbers: \"tile=256x128\"."},
        field{"compute_seconds", &report::compute_seconds,
              "By the host's clock; of the command line's CUDA runs by events of the device."},
        field{"transfer_seconds", &report::transfer_seconds, "Copies between host and device in the call."},
        field{"work", &report::work, "What the problem asks for: cells."},
        field{"bytes", &report::bytes, "Bytes that must move through main memory."},
        field{"iterations", &report::iterations, "Launches, sweeps or doublings."}};
};

template <>
struct fields<variant_info> {
    static constexpr auto all =
        std::tuple{field{"solver", &variant_info::solver}, field{"operation", &variant_info::operation},
                   field{"name", &variant_info::name}, field{"backend", &variant_info::where},
                   field{"summary", &variant_info::summary}};
};

template <>
struct fields<reconstruction_result> {
    static constexpr auto all = std::tuple{
        field{"run", &reconstruction_result::run, "Report of what ran."},
        field{"tile_visits", &reconstruction_result::tile_visits, "Of variants that work in tiles."},
        field{"guarded", &reconstruction_result::guarded, "A method with a bound finished the image."}};
};

template <>
struct fields<lu_result> {
    static constexpr auto all = std::tuple{
        field{"run", &lu_result::run, "Report of what ran."},
        field{"singular", &lu_result::singular, "Matrices with a pivot that is exactly 0."},
        field{"first_singular", &lu_result::first_singular, "The first such matrix; -1: none.", true},
        field{"first_zero", &lu_result::first_zero, "Its first k with U[k, k] == 0; -1: none.", true},
        field{"not_finite", &lu_result::not_finite, "Matrices with an infinite or NaN pivot."},
        field{"perturbed", &lu_result::perturbed, "Pivots that were moved."},
        field{"growth", &lu_result::growth, "max|U| / max|A|, the largest of all; -1: not measured.", true},
        field{"reciprocal_condition", &lu_result::reciprocal_condition,
              "In the 1-norm, the smallest of all; -1: not asked.", true},
        field{"diverged", &lu_result::diverged, "Unpivoted, and half of the digits or more are gone."}};
};

template <>
struct fields<lu_refined_result> {
    static constexpr auto all = std::tuple{
        field{"run", &lu_refined_result::run, "Report of what ran."},
        field{"factored", &lu_refined_result::factored,
              "The precision of the factors that the answer came from."},
        field{"fell_back", &lu_refined_result::fell_back, "The lower precision did not converge."},
        field{"outcome", &lu_refined_result::outcome, "In words."},
        field{"iterations", &lu_refined_result::iterations, "Of refinement."},
        field{"backward_error", &lu_refined_result::backward_error, "max |b - A x| / (|A| |x| + |b|)."},
        field{"first_zero", &lu_refined_result::first_zero, "Of the float64 factors; -1: none.", true}};
};

template <>
struct fields<tridiagonal_result> {
    static constexpr auto all =
        std::tuple{field{"run", &tridiagonal_result::run, "Report of what ran."},
                   field{"first_bad_system", &tridiagonal_result::first_bad_system,
                         "The first system with a pivot that was 0 or not finite; -1: none.", true},
                   field{"first_bad_row", &tridiagonal_result::first_bad_row,
                         "The lowest such row of that system.", true}};
};

template <>
struct fields<hines_result> {
    static constexpr auto all = std::tuple{
        field{"run", &hines_result::run, "Report of what ran."},
        field{"first_bad_system", &hines_result::first_bad_system,
              "The first system with a pivot that was 0 or not finite; -1: none.", true},
        field{"first_bad_row", &hines_result::first_bad_row, "The lowest such node of that system.", true}};
};

template <>
struct fields<cable_result> {
    static constexpr auto all = std::tuple{
        field{"run", &cable_result::run, "Report of what ran."},
        field{"steps", &cable_result::steps, "Steps that were taken."},
        field{"samples", &cable_result::samples, "Samples of each probe."},
        field{"diverged", &cable_result::diverged, "The first cell that is not finite; -1: none.", true}};
};

template <>
struct fields<cable_section> {
    static constexpr auto all =
        std::tuple{field{"parent", &cable_section::parent},    field{"region", &cable_section::region},
                   field{"length_um", &cable_section::length}, field{"first", &cable_section::first},
                   field{"count", &cable_section::count},      field{"points", &cable_section::points}};
};

template <>
struct fields<cable_compartment> {
    static constexpr auto all =
        std::tuple{field{"parent", &cable_compartment::parent}, field{"section", &cable_compartment::section},
                   field{"at", &cable_compartment::at}, field{"area_um2", &cable_compartment::area},
                   field{"axial_uS", &cable_compartment::axial}};
};

}  // namespace wale
