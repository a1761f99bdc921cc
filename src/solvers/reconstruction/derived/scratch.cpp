// scratch - host memory from wale::memory, device memory in stream order from the plugin.
#include "solvers/reconstruction/derived/scratch.hpp"

#include "base/aligned.hpp"
#include "cuda/device_api.hpp"

namespace wale::reconstruction {

scratch_picture::scratch_picture(const execution& where, const raster& like, pixel type) : where_(where) {
    raster r = like;
    r.type = type;
    r.row_stride = r.row_elements();
    const index_t line = static_cast<index_t>(base::cache_line) / bytes_of(type);  // rows start aligned
    r.row_stride = (r.row_stride + line - 1) / line * line;
    r.plane_stride = r.rows * r.row_stride;
    r.picture_stride = r.planes * r.plane_stride;
    const index_t bytes = checked_bytes(
        checked_bytes(checked_bytes(r.pictures, r.planes), r.rows) * r.row_stride, bytes_of(type));
    picture_ = {nullptr, r};
    if (bytes == 0) return;
    if (const auto* on = std::get_if<on_cuda>(&where)) {
        picture_.data = cuda::require().allocate_ordered(*on, bytes);
    } else {
        host_ = memory(bytes, memory_space::host);
        picture_.data = host_.data();
    }
}

scratch_picture::~scratch_picture() {
    const auto* on = std::get_if<on_cuda>(&where_);
    if (on != nullptr && picture_.data != nullptr) cuda::api()->release_ordered(*on, picture_.data);
}

}  // namespace wale::reconstruction
