// ceiling - the rate that the resource which binds a variant allows.
#pragma once

#include <string>
#include <wale/execution.hpp>
#include <wale/report.hpp>

namespace wale::experiments {

struct ceiling {
    double rate = 0;    // cells a second; 0: unknown
    std::string binds;  // the resource
};

/// Bytes a second that `threads` threads write into this host memory, as fast as memset goes.
[[nodiscard]] double host_write_rate(void* memory, index_t bytes, int threads);

/// Bytes a second, read and written, of a large copy within the device; 0 where memory for it is lacking.
[[nodiscard]] double device_copy_rate(const on_cuda& where);

/// A length by bit vectors on the device: integer instructions that a word of 32 cells needs. Host: unknown.
[[nodiscard]] ceiling integer_ceiling(const execution& where, const report& run, bool edit);

}  // namespace wale::experiments
