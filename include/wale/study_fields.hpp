// study_fields - the fields of studies and atlases: of their options and of what they answer.
#pragma once

#include <wale/atlas.hpp>
#include <wale/fields.hpp>
#include <wale/study.hpp>

namespace wale {

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

}  // namespace wale
