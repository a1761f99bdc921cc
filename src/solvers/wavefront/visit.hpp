// visit - from a typeless fill_job to the recurrence's type: f(recurrence) with recurrence::value_type.
#pragma once

#include "solvers/wavefront/jobs.hpp"
#include "solvers/wavefront/problem.hpp"

namespace wale::wavefront {

template <class T, class Symbol, class F>
void visit_symbols(const fill_job& job, F&& f) {
    const auto* a = static_cast<const Symbol*>(job.a.data);
    const auto* b = static_cast<const Symbol*>(job.b.data);
    if (job.kind == recurrence::lcs) return f(lcs_recurrence<T, Symbol>{a, b});
    if (job.kind == recurrence::edit) return f(edit_recurrence<T, Symbol>{a, b});
    f(global_recurrence<T, Symbol>{a, b, job.score});
}

template <class T, class F>
void visit_width(const fill_job& job, F&& f) {
    if (job.a.bytes == 1) return visit_symbols<T, std::uint8_t>(job, f);
    if (job.a.bytes == 2) return visit_symbols<T, std::uint16_t>(job, f);
    visit_symbols<T, std::uint32_t>(job, f);
}

/// Calls f with the recurrence that `job` asks for; job.table then holds its value_type.
template <class F>
void visit(const fill_job& job, F&& f) {
    if (job.kind == recurrence::summed_area) {
        if (job.type == element::i64)
            return f(summed_area_recurrence<std::int64_t>{job.image, job.image_pitch});
        return f(summed_area_recurrence<std::int32_t>{job.image, job.image_pitch});
    }
    if (job.kind == recurrence::dtw) {
        const auto* a = static_cast<const float*>(job.a.data);
        const auto* b = static_cast<const float*>(job.b.data);
        if (job.cost == dtw_cost::squared) return f(dtw_recurrence<true>{a, b});
        return f(dtw_recurrence<false>{a, b});
    }
    if (job.type == element::i16) return visit_width<std::int16_t>(job, f);
    visit_width<std::int32_t>(job, f);
}

}  // namespace wale::wavefront
