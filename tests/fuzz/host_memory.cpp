// host_memory - fuzz targets have no device: what wale::memory asks of the CUDA plugin.
#include <wale/error.hpp>

#include "cuda/device_api.hpp"

namespace wale::cuda {

const device_api* api() {
    return nullptr;
}
const device_api& require() {
    throw backend_unavailable("fuzz targets have no device");
}

}  // namespace wale::cuda
