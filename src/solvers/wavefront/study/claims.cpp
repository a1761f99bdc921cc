// claims - ratios of rows, in words.
#include "solvers/wavefront/study/study.hpp"

#include <array>
#include <sstream>

namespace wale::wavefront {
namespace {

struct evidence {
    const std::vector<study_row>& rows;
    bool with_cuda;

    /// The row of the largest size at which both variants ran; nullptr where there is none.
    [[nodiscard]] const study_row* largest(const std::string& variant, const std::string& other) const {
        const study_row* found = nullptr;
        for (const study_row& r : rows)
            if (r.variant == variant && (!found || r.size > found->size) && row(other, r.size)) found = &r;
        return found;
    }
    [[nodiscard]] const study_row* row(const std::string& variant, index_t size) const {
        for (const study_row& r : rows)
            if (r.variant == variant && r.size == size) return &r;
        return nullptr;
    }
    [[nodiscard]] std::string missing(const std::string& variant, const std::string& rival) const {
        if (variant.starts_with("cuda/") && !with_cuda) return "not measured here: CUDA rows did not run";
        return "not measured here: no size at which both " + variant + " and " + rival + " ran";
    }
};

std::string times(double ratio) {
    std::ostringstream out;
    out.precision(ratio < 10 ? 3 : 4);
    out << ratio << " x";
    return out.str();
}

/// "cuda/hyperlane is 4.9 x as fast as cuda/rect_global at 4096"
std::string compared(const evidence& e, const std::string& variant, const std::string& rival) {
    const study_row* a = e.largest(variant, rival);
    if (a == nullptr) return e.missing(variant, rival);
    const study_row* b = e.row(rival, a->size);
    return variant + " is " + times(b->seconds / a->seconds) + " as fast as " + rival + " at " +
           std::to_string(a->size);
}

constexpr std::array<index_t, 5> tile_sides{64, 128, 192, 256, 512};

/// The best rectangular tile in shared memory against the global tiles that shared memory cannot hold.
std::string outgrown(const evidence& e, const tile_timer& timer) {
    if (!e.largest("cuda/rect_shared", "cuda/rect_global"))
        return e.missing("cuda/rect_shared", "cuda/rect_global");
    double shared = 0, global = 0;
    index_t held = 0, beyond = 0;
    for (const index_t side : tile_sides) {
        const auto in_shared = timer("cuda/rect_shared", {side, side});
        if (in_shared && (held == 0 || *in_shared < shared)) shared = *in_shared, held = side;
        if (in_shared) continue;
        const auto in_global = timer("cuda/rect_global", {side, side});
        if (in_global && (beyond == 0 || *in_global < global)) global = *in_global, beyond = side;
    }
    if (held == 0 || beyond == 0) return "not measured here: no tile that shared memory cannot hold";
    return "cuda/rect_global with tiles of " + std::to_string(beyond) +
           ", more than shared memory holds, is " + times(shared / global) +
           " as fast as cuda/rect_shared with its best tile, " + std::to_string(held);
}

}  // namespace

std::vector<study_claim> judge_claims(const std::vector<study_row>& rows, bool with_cuda,
                                      const tile_timer& timer) {
    const evidence e{rows, with_cuda};
    return {
        {"shared memory wins over global memory when concurrency is equal",
         compared(e, "cuda/rect_shared", "cuda/rect_global")},
        {"global memory wins when the tile outgrows shared memory", outgrown(e, timer)},
        {"skewed tiles are up to 6 x as fast as rectangular tiles over antidiagonals",
         compared(e, "cuda/hyperlane", "cuda/rect_global")},
        {"and over rectangular tiles in shared memory", compared(e, "cuda/hyperlane", "cuda/rect_shared")},
        {"one counter a row of tiles serves as well as a flag a tile",
         compared(e, "cuda/hyperlane", "cuda/hyperlane_flags")},
        {"on a CPU too, tiles over antidiagonals beat whole rows", compared(e, "cpu/tiles", "cpu/rows")},
    };
}

}  // namespace wale::wavefront
