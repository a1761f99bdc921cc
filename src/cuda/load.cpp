// load - opens libwale_cuda once, on the first question about CUDA.
#include <atomic>
#include <wale/error.hpp>

#include "base/plugin.hpp"
#include "cuda/device_api.hpp"

namespace wale::cuda {
namespace {

const base::plugin<device_api>& the_plugin() {
    static const auto& p = *new const base::plugin<device_api>(  // for calls of static destructors, too
        base::open_plugin<device_api>("libwale_cuda", "CUDA backend", entry_symbol, RTLD_LOCAL));
    return p;
}

}  // namespace

const device_api* api() {
    return the_plugin().api;
}

std::string why_unavailable() {
    const base::plugin<device_api>& p = the_plugin();
    return p.api != nullptr ? p.api->why_unavailable() : p.reason;
}

/// The driver is asked until the answer is yes: every pointer of every call comes this way.
const device_api& require() {
    static std::atomic<bool> usable = false;
    if (usable.load(std::memory_order_acquire)) return *api();
    const std::string reason = why_unavailable();
    if (!reason.empty()) throw backend_unavailable("CUDA is not available: " + reason);
    usable.store(true, std::memory_order_release);
    return *api();
}

}  // namespace wale::cuda
