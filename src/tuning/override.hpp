// override - a person's or bench/tune.py's word against the tuning tables: the environment variable
// WALE_TUNING, "wavefront/fill/strips=2,..." or "@file" with one such entry a line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tuning/table.hpp"

namespace wale::tuning {

/// The row asked for, or `otherwise`. Throws bad_argument when it is not a row number below `count`.
[[nodiscard]] std::size_t overridden(std::string_view name, std::size_t count, std::size_t otherwise);

/// The same for this thread, until the destructor: "wavefront/fill/strips=2". For a study that compares rows
/// of a table.
class scoped_override {
public:
    explicit scoped_override(const std::string& entry);
    ~scoped_override();
    scoped_override(const scoped_override&) = delete;
    scoped_override& operator=(const scoped_override&) = delete;
    [[nodiscard]] const std::string& entries() const noexcept {
        return entries_;
    }  // those around this one first

private:
    const scoped_override* outer_;
    std::string entries_;
};

/// pick(), unless WALE_TUNING names another row of the table called `name`.
template <class Policy, std::size_t N>
[[nodiscard]] std::size_t choose(std::string_view name, const row<Policy> (&rows)[N], int sm,
                                 int element_size) {
    return overridden(name, N, pick(rows, sm, element_size));
}

}  // namespace wale::tuning
