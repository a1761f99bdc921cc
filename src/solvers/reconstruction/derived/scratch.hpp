// scratch - an image that one call needs beside the caller's, in the memory of its backend. On CUDA in
// stream order: it outlives the work that is queued when it goes, so that an asynchronous call may use it.
#pragma once

#include <wale/image.hpp>

#include "cuda/call_memory.hpp"

namespace wale::reconstruction {

class scratch_image {
public:
    /// Of the shape of `like`; pixels are not set.
    scratch_image(const execution& where, const raster& like, pixel type);
    [[nodiscard]] image_view get() const noexcept { return {memory_.data(), shape_}; }

private:
    cuda::call_memory<char> memory_;
    raster shape_;
};

}  // namespace wale::reconstruction
