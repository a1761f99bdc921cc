// subject - the experiments of this solver by name, and the claims judged from them.
#include <map>
#include <wale/error.hpp>

#include "solvers/wavefront/study/study.hpp"

namespace wale::wavefront {
namespace {

const std::map<std::string, recurrence>& fills() {
    static const std::map<std::string, recurrence> all{{"fill", recurrence::lcs},
                                                       {"fill_edit", recurrence::edit},
                                                       {"fill_global", recurrence::global},
                                                       {"fill_dtw", recurrence::dtw},
                                                       {"fill_summed_area", recurrence::summed_area}};
    return all;
}

std::string operation_of(const std::string& name) {
    if (name == "align_similar" || name == "align_local") return "align";
    return fills().contains(name) ? "fill" : name;
}

std::unique_ptr<experiment> make(const study_options& options, index_t size) {
    const std::string& name = options.operation;
    if (!options.input.empty()) throw bad_argument("input: this solver's studies make their own sequences");
    if (const auto fill = fills().find(name); fill != fills().end()) return make_fill(fill->second, size);
    if (name == "lcs_batch" || name == "edit_batch") return make_batch(name == "edit_batch", size);
    if (name.starts_with("align")) return make_alignment(name, size);
    if (name.starts_with("warping")) return make_warping(name == "warping_path", size);
    return make_pair(name, size);
}

std::vector<study_claim> claims(experiments::findings& f) {
    if (f.operation != "fill") return {};
    const auto timer = [&f](const std::string& variant, tile_shape tile) -> std::optional<double> {
        auto* table = dynamic_cast<tiled_experiment*>(f.last);
        const std::string what = variant + " with tiles of " + std::to_string(tile.rows);
        if (!table) return std::nullopt;
        try {
            f.say(what);
            (void)table->run_tiled(on_cuda{}, variant, tile);
            const double seconds =
                table->run_tiled(on_cuda{.time_on_device = true}, variant, tile).compute_seconds;
            const std::string flaw = table->flaw();
            if (flaw.empty()) return seconds;
            f.failed.push_back(what + ": " + flaw);
        } catch (const error&) {  // the tile is refused
        }
        return std::nullopt;
    };
    return judge_claims(f.rows, f.with_cuda, timer);
}

[[maybe_unused]] const bool enlisted = experiments::enlist(
    {.solver = "wavefront",
     .names = {"fill", "fill_edit", "fill_global", "fill_dtw", "fill_summed_area", "lcs_length",
               "edit_distance", "lcs_string", "lcs_batch", "edit_batch", "align", "align_similar",
               "align_local", "align_batch", "align_pairs", "warping", "warping_path"},
     .sizes = {1024, 4096},
     .unit = "cell",
     .operation_of = operation_of,
     .make = make,
     .claims = claims,
     .drawings = drawings()});

}  // namespace
}  // namespace wale::wavefront
