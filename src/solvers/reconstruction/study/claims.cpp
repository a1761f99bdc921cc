// claims - the optimisation log that this solver grew from (a Fermi GPU, 4096 x 4096 pixels, milliseconds),
// and what the same choices do here.
#include <algorithm>
#include <optional>
#include <sstream>
#include <wale/buffer.hpp>
#include <wale/error.hpp>

#include "base/clock.hpp"
#include "solvers/reconstruction/study/experiments.hpp"
#include "tuning/override.hpp"

namespace wale::reconstruction {
namespace {

using experiments::findings;

std::string number(double value) {
    std::ostringstream out;
    out.precision(3);
    out << value;
    return out.str();
}

std::string milliseconds(double seconds) {
    return number(1e3 * seconds) + " ms";
}

/// Times verified runs of an experiment for the claims; nothing where the variant refuses or is wrong.
class timer {
public:
    explicit timer(findings& f) : f_(f) {}
    std::optional<report> operator()(image_experiment& e, const std::string& variant, int connectivity) {
        const execution where =
            variant.starts_with("cuda/") ? execution(on_cuda{.time_on_device = true}) : execution(on_cpu{});
        try {
            f_.say(variant + ", for the claims");
            (void)e.run_connected(where, variant, connectivity);
            report best = e.run_connected(where, variant, connectivity);
            const std::string flaw = e.flaw();
            if (flaw.empty()) return best;
            f_.failed.push_back(variant + ", connectivity " + std::to_string(connectivity) + ": " + flaw);
        } catch (const error&) {  // refused
        }
        return std::nullopt;
    }

private:
    findings& f_;
};

const study_row* largest_row(const findings& f, const std::string& variant) {
    const study_row* found = nullptr;
    for (const study_row& r : f.rows)
        if (r.variant == variant && (!found || r.size > found->size)) found = &r;
    return found;
}

/// "cuda/sweep 0.9 and 1.1 ms (1.2 x)" for each variant that ran.
std::string connectivities(findings& f, image_experiment& e) {
    timer time(f);
    std::string text;
    for (const char* variant :
         {"cuda/sweep", "cuda/tiles", "cuda/basins", "cuda/elementary", "cpu/clamp_scan"}) {
        if (!largest_row(f, variant)) continue;
        const auto eight = time(e, variant, 8), four = time(e, variant, 4);
        if (!eight || !four) continue;
        text += (text.empty() ? "" : "; ") + std::string(variant) + " " +
                milliseconds(eight->compute_seconds) + " and " + milliseconds(four->compute_seconds) + " (" +
                number(four->compute_seconds / eight->compute_seconds) + " x)";
    }
    return text.empty() ? "not measured here: no variant of the list ran" : text;
}

struct sweep_choice {
    const char* what;
    int row;  // of the tuning table of cuda/sweep
};

/// "0.9 ms with padded square tiles, 1.7 ms with bank conflicts" for some rows of the table of cuda/sweep.
std::string sweeps(findings& f, image_experiment& e, std::initializer_list<sweep_choice> choices) {
    if (!largest_row(f, "cuda/sweep")) return "not measured here: cuda/sweep did not run";
    timer time(f);
    std::string text;
    for (const sweep_choice& c : choices) {
        const tuning::scoped_override row("reconstruction/reconstruct/sweep=" + std::to_string(c.row));
        const auto r = time(e, "cuda/sweep", 0);
        if (!r) continue;
        text += (text.empty() ? "" : ", ") + milliseconds(r->compute_seconds) + " (" +
                std::to_string(r->iterations) + " iterations) " + c.what;
    }
    return text;
}

/// Hole filling of the same image as grey bytes, bytes of 0 and 1, and bits; domes as int32.
std::string types(findings& f, index_t size) {
    timer time(f);
    std::string text;
    const std::string variants[] = {f.with_cuda ? "cuda/automatic" : "cpu/automatic"};
    for (const std::string& backend : variants)
        for (const char* name : {"h_domes", "h_domes_i32", "fill_holes", "binary", "bits"}) {
            const auto e = make_image(name, size, {});
            const execution where = backend.starts_with("cuda") ? execution(on_cuda{.time_on_device = true})
                                                                : execution(on_cpu{});
            f.say(std::string(name) + ", for the claims");
            try {
                (void)e->run(where, "automatic");
                const report r = e->run(where, "automatic");
                if (const std::string flaw = e->flaw(); !flaw.empty()) {
                    f.failed.push_back(std::string(name) + " by " + r.variant + ": " + flaw);
                    continue;
                }
                text += (text.empty() ? "" : "; ") + std::string(name) + " " +
                        milliseconds(r.compute_seconds) + " (" + r.variant + ")";
            } catch (const error&) {  // no variant takes this type
            }
        }
    return text;
}

/// Seconds to copy `bytes` to the device from this kind of host memory: the best of three.
double copy_seconds(memory_space space, index_t bytes) {
    const memory host(bytes, space), device(bytes, memory_space::device);
    double best = 1e9;
    for (int k = 0; k < 4; ++k) {
        const base::stopwatch watch;
        copy_bytes(on_cuda{}, device.data(), host.data(), bytes);
        if (k > 0) best = std::min(best, watch.seconds());  // the first touches the pages
    }
    return best;
}

std::string copies(const findings& f) {
    if (!f.with_cuda) return "not measured here: CUDA rows did not run";
    constexpr index_t bytes = index_t{4096} * 4096;
    const double pageable = copy_seconds(memory_space::host, bytes),
                 pinned = copy_seconds(memory_space::pinned, bytes);
    return "16 MiB to the device: pageable " + milliseconds(pageable) + " (" +
           number(1e-9 * bytes / pageable) + " GB/s), pinned " + milliseconds(pinned) + " (" +
           number(1e-9 * bytes / pinned) + " GB/s)";
}

std::string iterations(const findings& f) {
    std::string text;
    for (const study_row& r : f.rows) {
        const study_row* last = largest_row(f, r.variant);
        if (last != &r || r.iterations == 0) continue;
        text += (text.empty() ? "" : "; ") + r.variant + " " + std::to_string(r.iterations);
    }
    return text.empty() ? "no row counted any" : text;
}

}  // namespace

std::vector<study_claim> judge_claims(findings& f) {
    auto* e = dynamic_cast<image_experiment*>(f.last);
    if (!e || f.rows.empty() || f.operation != "h_domes") return {};
    index_t size = 0;
    for (const study_row& r : f.rows) size = std::max(size, r.size);
    return {
        {"4-connected reconstruction stays 3.6 x as slow as 8-connected (588 ms and 2.1 s): only the latter "
         "came "
         "onto the fast path",
         connectivities(f, *e)},
        {"binary images take a kernel of their own beside integers", types(f, size)},
        {"square tiles in shared memory and warp-wide blocks are the fastest shape; 16 rows of 32 took 2.4 x "
         "as long",
         sweeps(f, *e,
                {{"with square tiles of 32 and a warp a block", 0},
                 {"with two warps", 2},
                 {"with 16 rows", 3},
                 {"with whole rows and columns a warp", 4}})},
        {"a stride of 33 words keeps columns of a shared tile free of bank conflicts",
         sweeps(f, *e, {{"with 33", 0}, {"with 32", 1}})},
        {"page-locked host memory makes the copies faster", copies(f)},
        {"45 to 53 iterations of four sweeps until stability", iterations(f)},
    };
}

}  // namespace wale::reconstruction
