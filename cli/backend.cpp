// backend - names to executions.
#include "backend.hpp"

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

bool has_variant(const std::string& solver, const std::string& operation, const std::string& wanted) {
    if (wanted == "automatic") return true;
    for (const variant_info& v : variants(solver))
        if (v.operation == operation && (v.name == wanted || v.name.ends_with("/" + wanted))) return true;
    return false;
}

}  // namespace wale::cli
