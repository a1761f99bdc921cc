// euler_summary - a run in words: how far it is, how it ended, why its verdict is bad.
#include <array>

#include "euler.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

std::string residual_and_forces(const euler_sample& s) {
    return "residual " + short_text(s.residual[0]) + ", drag " + short_text(s.drag) + ", lift " +
           short_text(s.lift);
}

std::string cell_text(index_t cell, const std::array<double, 3>& at) {
    return "cell " + std::to_string(cell) + " at (" + short_text(at[0]) + ", " + short_text(at[1]) + ", " +
           short_text(at[2]) + ")";
}

std::string why_not_converged(const euler_report& r) {
    const euler_options& o = r.setup->options;
    std::string text = ": not converged after iteration " + std::to_string(r.iteration) +
                       ": the residual of density fell by " + short_text(r.result.decades) + " decades";
    if (o.stop_decades > 0) text += ", expected " + short_text(o.stop_decades);
    if (o.stop_force > 0)
        text += "; drag did not rest within " + short_text(o.stop_force) + " over ten measurements";
    // Both have branches where a flow would rest.
    const euler_limiter limiter = o.scheme.limiter;
    if (o.scheme.order == 2 &&
        (limiter == euler_limiter::barth_jespersen || limiter == euler_limiter::venkatakrishnan))
        text +=
            std::string("; limiter ") + name_of(limiter) + " may keep a flow from resting, smooth does not";
    if (r.worst.cell < 0) return text;
    return text + "; the residual is largest in " + cell_text(r.worst.cell, r.worst.at);
}

std::string why_diverged(const euler_report& r) {
    return ": " + cell_text(r.result.bad_cell, r.result.bad_place) +
           " has a nonphysical state after iteration " + std::to_string(r.result.bad_iteration) +
           "; the flow is kept as it was at iteration " + std::to_string(r.iteration);
}

}  // namespace

std::string progress_text(const euler_sample& s, index_t first, index_t goal, double seconds) {
    std::string text = "iteration " + std::to_string(s.iteration) + ", " + residual_and_forces(s);
    const double done = static_cast<double>(s.iteration - first);
    if (done > 0)
        text += ", " + time_text(seconds * static_cast<double>(goal - s.iteration) / done) + " left at most";
    return text;
}

std::string why_bad(const euler_report& r) {
    const std::string file = printable(r.command->file);
    if (!r.verdict.flaw.empty()) return "verification: " + file + ": " + r.verdict.flaw;
    if (r.result.end == euler_end::diverged) return file + why_diverged(r);
    if (r.result.end == euler_end::not_converged) return file + why_not_converged(r);
    std::string values;
    for (const euler_polar_point& p : r.polar)
        if (p.end == euler_end::diverged || p.end == euler_end::not_converged)
            values += (values.empty() ? "" : ", ") + short_text(p.value);
    if (values.empty()) return "";
    return file + ": not converged at " + name_of(r.setup->swept) + " " + values;
}

std::string line_of(const euler_report& r) {
    const report& run = r.result.run;
    std::string text = "euler, " + std::to_string(r.cells) + " cells, iteration " +
                       std::to_string(r.iteration) + ": ended by " + name_of(r.result.end);
    if (r.time > 0) text += " at time " + short_text(r.time);
    if (!r.history.empty()) text += "; " + residual_and_forces(r.history.back());
    text += "; " + time_text(run.compute_seconds);
    if (run.compute_seconds > 0) text += ", " + rate_text(run.work / run.compute_seconds, "cell iteration");
    return text + ran_text(run) + ")";
}

}  // namespace wale::cli
