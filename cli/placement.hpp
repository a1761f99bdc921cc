// placement - pictures where a backend reads them, and as the library takes them.
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

/// A picture where a backend reads it: on the device as a copy, else as it is.
class placed_picture {
public:
    /// Adds the time of the copy to `seconds`.
    placed_picture(const execution& where, const const_picture& host, double& seconds);
    [[nodiscard]] const const_picture& view() const { return view_; }

private:
    memory device_;
    const_picture view_;
};

/// 1 where a value is not 0.
[[nodiscard]] owned_picture flags_of(const const_picture& p);
/// Whole numbers as i32; throws bad_input for others.
[[nodiscard]] owned_picture labels_of(const const_picture& p, const std::string& file);
/// The pixels of `source` where `flags` are set, 0 elsewhere.
[[nodiscard]] owned_picture selected_of(const const_picture& source, const const_picture& flags);
/// Labels in another type that holds them all.
[[nodiscard]] owned_picture labels_as(const const_picture& labels, pixel type);

}  // namespace wale::cli
