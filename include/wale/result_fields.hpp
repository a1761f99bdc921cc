// result_fields - the fields of everything that Wale answers with.
#pragma once

#include <wale/alignment.hpp>
#include <wale/atlas.hpp>
#include <wale/cable.hpp>
#include <wale/euler_file.hpp>
#include <wale/fields.hpp>
#include <wale/hines.hpp>
#include <wale/lu.hpp>
#include <wale/lu_refined.hpp>
#include <wale/mesh_tools.hpp>
#include <wale/reconstruction.hpp>
#include <wale/report.hpp>
#include <wale/study.hpp>
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
struct fields<variant_info> {
    static constexpr auto all =
        std::tuple{field{"solver", &variant_info::solver}, field{"operation", &variant_info::operation},
                   field{"name", &variant_info::name}, field{"backend", &variant_info::where},
                   field{"summary", &variant_info::summary}};
};

template <>
struct fields<study_row> {
    static constexpr auto all = std::tuple{
        field{"variant", &study_row::variant},
        field{"size", &study_row::size, "Symbols or pixels a side, or pairs of a batch."},
        field{"seconds", &study_row::seconds, "Median."},
        field{"rate", &study_row::rate, "Cells or pixels a second."},
        field{"ceiling", &study_row::ceiling, "The rate that the binding resource allows; 0: unknown."},
        field{"binds", &study_row::binds, "That resource."},
        field{"of_ceiling", &study_row::of_ceiling},
        field{"over_slowest", &study_row::over_slowest},
        field{"of_fastest", &study_row::of_fastest},
        field{"iterations", &study_row::iterations},
        field{"verified", &study_row::verified},
        field{"policy", &study_row::policy},
        field{"device", &study_row::device}};
};

template <>
struct fields<study_claim> {
    static constexpr auto all =
        std::tuple{field{"claim", &study_claim::claim}, field{"measured", &study_claim::measured}};
};

template <>
struct fields<study_result> {
    static constexpr auto all =
        std::tuple{field{"unit", &study_result::unit, "Of the work: cell, pixel, operation."},
                   field{"rows", &study_result::rows}, field{"skipped", &study_result::skipped},
                   field{"failed", &study_result::failed}, field{"claims", &study_result::claims}};
};

template <>
struct fields<atlas_time> {
    static constexpr auto all = std::tuple{
        field{"variant", &atlas_time::variant},
        field{"seconds", &atlas_time::seconds, "Lower quartile of the plain calls."},
        field{"compute_seconds", &atlas_time::compute_seconds, "The same of what the report says."},
        field{"verified", &atlas_time::verified, "By certificate, reference or agreement of two variants."}};
};

template <>
struct fields<atlas_cell> {
    static constexpr auto all = std::tuple{
        field{"number", &atlas_cell::number},
        field{"operation", &atlas_cell::operation},
        field{"traits", &atlas_cell::traits, "What was drawn: name=value, blanks between."},
        field{"backend", &atlas_cell::backend},
        field{"threads", &atlas_cell::threads},
        field{"work", &atlas_cell::work, "Cells, pixels, operations, unknowns, cell iterations."},
        field{"chosen", &atlas_cell::chosen, "The variant that automatic ran."},
        field{"automatic_seconds", &atlas_cell::automatic_seconds},
        field{"best", &atlas_cell::best, "The fastest variant by name."},
        field{"best_seconds", &atlas_cell::best_seconds},
        field{"regret", &atlas_cell::regret, "Time of the chosen variant over best_seconds."},
        field{"times", &atlas_cell::times, "Of automatic and of each variant that does not refuse."}};
};

template <>
struct fields<atlas_result> {
    static constexpr auto all =
        std::tuple{field{"solver", &atlas_result::solver}, field{"seed", &atlas_result::seed},
                   field{"cells", &atlas_result::cells}, field{"failed", &atlas_result::failed},
                   field{"skipped", &atlas_result::skipped}};
};

template <>
struct fields<atlas_map> {
    static constexpr auto all = std::tuple{
        field{"rows", &atlas_map::rows, "An operation and a backend each."},
        field{"columns", &atlas_map::columns},
        field{"first_power", &atlas_map::first_power, "Column c holds work from 10^((first_power + c) / 2)."},
        field{"regret", &atlas_map::regret, "The worst of each row and column; NaN: no cells."}};
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
