// placement - images where a backend reads them, and as the library takes them.
#pragma once

#include <chrono>
#include <string>

#include "pixels.hpp"

namespace wale::cli {

class stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// An image where a backend reads it: on the device as a copy, else as it is.
class placed_image {
public:
    /// Adds the time of the copy to `seconds`.
    placed_image(const execution& where, const const_image_view& host, double& seconds);
    [[nodiscard]] const const_image_view& view() const { return view_; }

private:
    memory device_;
    const_image_view view_;
};

/// 1 where a value is not 0.
[[nodiscard]] owned_image flags_of(const const_image_view& p);
/// Whole numbers as i32; throws bad_input for others.
[[nodiscard]] owned_image labels_of(const const_image_view& p, const std::string& file);
/// The pixels of `source` where `flags` are set, 0 elsewhere.
[[nodiscard]] owned_image selected_of(const const_image_view& source, const const_image_view& flags);
/// Labels in another type that holds them all.
[[nodiscard]] owned_image labels_as(const const_image_view& labels, pixel type);

}  // namespace wale::cli
