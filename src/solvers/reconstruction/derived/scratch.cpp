// scratch - rows of a scratch image start at cache lines.
#include "solvers/reconstruction/derived/scratch.hpp"

#include "base/aligned.hpp"

namespace wale::reconstruction {
namespace {

raster aligned(raster r, pixel type) {
    r.type = type;
    r.row_stride = r.row_elements();
    const index_t line = static_cast<index_t>(base::cache_line) / bytes_of(type);  // rows start aligned
    r.row_stride = (r.row_stride + line - 1) / line * line;
    r.plane_stride = r.rows * r.row_stride;
    r.image_stride = r.planes * r.plane_stride;
    return r;
}

index_t bytes_needed(const raster& r) {
    return checked_bytes(checked_bytes(checked_bytes(r.images, r.planes), r.rows) * r.row_stride,
                         bytes_of(r.type));
}

}  // namespace

scratch_image::scratch_image(const execution& where, const raster& like, pixel type)
    : memory_(where, bytes_needed(aligned(like, type))), shape_(aligned(like, type)) {}

}  // namespace wale::reconstruction
