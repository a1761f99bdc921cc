// backend - names to executions.
#include "backend.hpp"

#include "failure.hpp"
#include "group.hpp"

#include <wale/variants.hpp>

namespace wale::cli {

chosen_backend choose_backend(const std::string& backend, const std::string& variant, int threads,
                              bool device_pays) {
    std::string name = backend;
    const std::size_t slash = variant.find('/');
    if (name == "auto" && slash != std::string::npos) name = variant.substr(0, slash);
    const bool automatic = name == "auto";
    if (automatic) name = device_pays && is_available(wale::backend::cuda) ? "cuda" : "cpu";
    if (name == "cuda") {
        if (const std::string why = why_unavailable(wale::backend::cuda); !why.empty())
            throw backend_unavailable("CUDA is not available: " + why);
        return {on_cuda{.time_on_device = true}, automatic};
    }
    if (name == "reference") return {on_reference{}, automatic};
    return {on_cpu{threads}, automatic};
}

chosen_backend choose_backend(const run_options& o, int threads, bool device_pays) {
    if (o.devices.empty()) return choose_backend(o.backend, o.variant, threads, device_pays);
    if (const int size = launched_processes(); size > 1)
        throw usage_error("--devices: are of one process, and mpirun started " + std::to_string(size),
                          "devices or ranks share the work");
    if (o.backend != "auto" && o.backend != "cuda")
        throw usage_error("--devices: are of CUDA, and --backend is " + o.backend + ", expected cuda");
    chosen_backend chosen = choose_backend("cuda", o.variant, threads, true);
    std::get<on_cuda>(chosen.where).devices.assign(o.devices.begin(), o.devices.end());
    return chosen;
}

void expect_no_devices(const run_options& o, const std::string& verb, const std::string& piece) {
    if (!o.devices.empty())
        throw usage_error(
            "--devices: " + verb + " computes " + piece + ", which is not split over devices",
            "align of lengths and distances, search, reconstruct, lu, tree solve of arrays and euler are");
}

bool has_variant(const std::string& solver, const std::string& operation, const std::string& wanted) {
    if (wanted == "automatic") return true;
    for (const variant_info& v : variants(solver))
        if (v.operation == operation && (v.name == wanted || v.name.ends_with("/" + wanted))) return true;
    return false;
}

}  // namespace wale::cli
