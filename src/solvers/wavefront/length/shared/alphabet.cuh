// alphabet - how the symbols of two sequences become small codes, decided from the data: one or two short
// passes on the device, and a read-back of at most 72 bytes.
#pragma once

#include <cstdint>

#include "cuda/stream.cuh"
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

/// Symbol s -> its varying bits, packed -> if they are at most eight, through `number`: 0 for symbols that
/// only one sequence has, 1.. for common ones. Passed by value to kernels.
struct alphabet {
    std::uint32_t varying = 0;  // bits in which symbols differ
    int bits = 0;               // their count
    int common = 0;             // symbols in both sequences; only if bits <= 8
    std::uint8_t number[256] = {};

    /// A byte for every common symbol, multiplied by `scale`, and 0 for none?
    [[nodiscard]] bool fits_table(int scale) const { return bits <= 8 && common * scale <= 255; }
};

[[nodiscard]] alphabet find_alphabet(const cuda::context&, const symbols& a, const symbols& b);

/// Where a sequence lies in its coded form: [0, begin) padding, the symbols, padding up to `size`. Padding is
/// 0.
struct coded_place {
    index_t begin = 0, size = 0;  // codes
    bool reversed = false;
};

/// Bytes: number * scale. Words: the packed varying bits.
void encode(const cuda::context&, const alphabet&, const symbols&, coded_place, int scale, std::uint8_t* out);
void encode(const cuda::context&, const alphabet&, const symbols&, coded_place, std::uint32_t* out);

}  // namespace wale::wavefront
