// environment - what fuzz targets have instead of the library's: no device, one thread where no option gives
// a number, and a version that no plugin has.
#include <wale/error.hpp>
#include <wale/execution.hpp>
#include <wale/variants.hpp>

#include "cuda/device_api.hpp"

namespace wale {

int available_threads() {
    return 1;
}

const char* version() noexcept {
    return "fuzz";
}

const cuda::device_api* cuda::api() {
    return nullptr;
}

const cuda::device_api& cuda::require() {
    throw backend_unavailable("fuzz targets have no device");
}

}  // namespace wale
