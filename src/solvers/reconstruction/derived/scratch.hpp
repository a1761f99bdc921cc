// scratch - a picture that one call needs beside the caller's, in the memory of its backend. On CUDA in
// stream order: it outlives the work that is queued when it goes, so that an asynchronous call may use it.
#pragma once

#include <wale/buffer.hpp>
#include <wale/picture.hpp>

namespace wale::reconstruction {

class scratch_picture {
public:
    /// Of the shape of `like`; pixels are not set.
    scratch_picture(const execution& where, const raster& like, pixel type);
    scratch_picture(const scratch_picture&) = delete;
    scratch_picture& operator=(const scratch_picture&) = delete;
    ~scratch_picture();

    [[nodiscard]] const picture& get() const noexcept { return picture_; }

private:
    execution where_;
    memory host_;
    picture picture_;
};

}  // namespace wale::reconstruction
