// problem - what a device does with its lines of an image that several devices share: a marker as the whole
// image's rule makes it, then, after the lines are at rest by themselves, rounds in which neighbours' lines
// raise outermost pixels, and what follows from these. Internal, not in wale::variants().
#pragma once

#include <memory>

#include "solvers/reconstruction/jobs.hpp"

namespace wale::reconstruction {

/// Lines are rows of a flat image, planes of a volume. All images but `whole` are of the device, packed.
class device_part {
public:
    device_part() = default;
    device_part(const device_part&) = delete;
    device_part& operator=(const device_part&) = delete;
    virtual ~device_part() = default;
    /// Queues the marker that the job's rule makes of the mask, as pixels.
    virtual void start(const image_view& marker) = 0;
    /// Copies the first and the last line of J to page-locked memory of the host; waits.
    virtual void send(void* first, void* last) = 0;
    /// Raises the first line by the line above it, the last one by the line below, both in page-locked memory
    /// of the host; null: the image ends there. Waits; whether a pixel rose.
    [[nodiscard]] virtual bool raise(const void* above, const void* below) = 0;
    /// After raise(): what follows from the pixels that rose, in place. A volume is reconstructed again by
    /// the caller, from J as its marker, and this does nothing.
    virtual void follow() = 0;
    /// Queues the answer that the job's rule makes of J and the mask; `out` may be J.
    virtual void finish(const image_view& out) = 0;
};

struct part_job {
    execution where;
    const_image_view mask;
    image_view risen;  // J
    raster whole;      // the image, of which this is lines `first` ...
    index_t first = 0;
    reconstruction_method method = reconstruction_method::dilation;
    int reach = 2;
    start_rule start = start_rule::given;
    double height = 0;
    finish_rule finish = finish_rule::value;
    std::unique_ptr<device_part> part;  // out
};

using part_table = catalogue::table<part_job>;

[[nodiscard]] part_table& part_rows();

/// The job of one image or batch in host memory, with job.where.devices.
[[nodiscard]] reconstruction_result run_over_devices(const reconstruct_job& job, const std::string& variant);

}  // namespace wale::reconstruction
