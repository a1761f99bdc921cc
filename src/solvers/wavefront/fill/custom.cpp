// custom - the schedules lent to a recurrence of the caller's own.
#include <string>

#include "base/argument.hpp"
#include "base/clock.hpp"
#include "solvers/wavefront/fill/shared/tiling.hpp"
#include "variants/table.hpp"

namespace wale {
namespace {

using namespace wavefront;

/// Row by row, each row one tile; on the calling thread.
void schedule_rows(const tiling& t, const tile_function& fill) {
    if (t.shape[1] == 0) return;
    for (index_t i = 0; i < t.shape[0]; ++i) fill({i, i + 1, 0, t.shape[1]});
}

struct named_schedule {
    const char* name;
    void (*run)(const tiling&, const tile_function&);
};

// Best first.
constexpr named_schedule schedules[] = {
    {"cpu/hyperlane", schedule_hyperlane},
    {"cpu/tiles", schedule_tiles},
    {"cpu/rows", schedule_rows},
};

const named_schedule& chosen(const std::string& wanted) {
    if (wanted == "automatic") return schedules[0];
    std::string list;
    for (const named_schedule& s : schedules) {
        if (catalogue::names(s.name, wanted)) return s;
        list += (list.empty() ? "" : ", ") + std::string(s.name);
    }
    throw unsupported_variant("schedule: no variant '" + wanted + "' on cpu; there are: " + list);
}

void check(const execution& where, extents<2> shape, const tile_function& fill, const wavefront_options& o) {
    if (!fill) base::refuse("fill", "is empty", "a function");
    if (backend_of(where) == backend::cuda)
        throw unsupported_variant(
            "schedule: a recurrence of your own runs on the host only (on_cpu or on_reference), since its "
            "function is host code");
    if (shape[0] < 0 || shape[1] < 0)
        base::refuse("shape", "is " + std::to_string(shape[0]) + " x " + std::to_string(shape[1]),
                     "0 or more");
    if (o.tile.rows < 0 || o.tile.columns < 0)
        base::refuse("options.tile",
                     "is " + std::to_string(o.tile.rows) + " x " + std::to_string(o.tile.columns),
                     "0 (tuned) or more");
}

}  // namespace

wavefront_result wavefront_schedule(const execution& where, extents<2> shape,
                                    const std::function<void(tile_range)>& fill,
                                    const wavefront_options& options) {
    check(where, shape, fill, options);
    wavefront_result result;
    report& run = result.run;
    run.work = static_cast<double>(shape[0]) * static_cast<double>(shape[1]);
    const base::stopwatch watch;
    if (const on_cpu* cpu = std::get_if<on_cpu>(&where)) {
        const named_schedule& s = chosen(options.variant);
        tiling t = cpu_tiling(shape, options.tile, cpu->threads);
        if (s.run == schedule_rows) t.threads = 1;
        if (s.run == schedule_rows) t.tile = {1, shape[1]};
        run.variant = s.name;
        run.threads = t.threads;
        run.policy = policy_text(t.tile);
        s.run(t, fill);
    } else {
        if (options.variant != "automatic" && !catalogue::names("reference/plain", options.variant))
            throw unsupported_variant("schedule: no variant '" + options.variant +
                                      "' on reference; there are: reference/plain");
        run.variant = "reference/plain";
        if (shape.count() > 0) fill({0, shape[0], 0, shape[1]});  // one tile: rows in order
    }
    run.compute_seconds = watch.seconds();
    return result;
}

}  // namespace wale
