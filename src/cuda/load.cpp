// load - opens libwale_cuda once, on the first question about CUDA.
#include <wale/error.hpp>

#include "base/plugin.hpp"
#include "cuda/device_api.hpp"

namespace wale::cuda {
namespace {

const base::plugin<device_api>& the_plugin() {
    static const auto p =
        base::open_plugin<device_api>("libwale_cuda", "CUDA backend", entry_symbol, RTLD_LOCAL);
    return p;
}

}  // namespace

const device_api* api() noexcept {
    return the_plugin().api;
}

std::string why_unavailable() {
    const base::plugin<device_api>& p = the_plugin();
    return p.api != nullptr ? p.api->why_unavailable() : p.reason;
}

const device_api& require() {
    const std::string reason = why_unavailable();
    if (!reason.empty()) throw backend_unavailable("CUDA is not available: " + reason);
    return *api();
}

}  // namespace wale::cuda
