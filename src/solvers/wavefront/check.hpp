// check - sequences as the rows of tables take them.
#pragma once

#include <limits>
#include <string>
#include <wale/execution.hpp>
#include <wale/sequence.hpp>

#include "base/argument.hpp"
#include "cuda/reachable.hpp"
#include "cuda/spread.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

inline void check_width(const char* name, int bytes) {
    if (bytes != 1 && bytes != 2 && bytes != 4)
        base::refuse(name, "symbols of " + std::to_string(bytes) + " bytes", "1, 2 or 4");
}

/// Symbols of a sequence whose answers have 32 bits.
constexpr index_t longest_of_answers = std::numeric_limits<std::int32_t>::max();

[[nodiscard]] inline symbols checked(const execution& where, const char* name, sequence_view s) {
    cuda::check_reachable(where, name, s.data(), s.size());
    check_width(name, s.symbol_bytes());
    return {s.data(), s.size(), s.symbol_bytes()};
}

/// A batch as rows take it: without sequences it may come without offsets. Refuses offsets and symbols that
/// `where` cannot reach, and offsets that do not ascend or lie more than `longest` symbols apart. A row on a
/// device checks offsets there.
[[nodiscard]] inline sequence_batch checked_batch(const execution& where, const char* name,
                                                  sequence_batch batch, index_t longest) {
    static constexpr index_t no_offsets[] = {0};
    check_width(name, batch.symbol_bytes);
    if (batch.count < 0) base::refuse(name, base::text(batch.count) + " sequences", "0 or more");
    const bool on_device = backend_of(where) == backend::cuda && cuda::several(where) == nullptr;
    if (batch.count == 0 && !on_device) batch.offsets = no_offsets;
    cuda::check_reachable(where, name, batch.offsets, batch.count + 1);
    if (on_device) {
        cuda::check_reachable(where, name, batch.data, batch.data == nullptr ? 0 : 1);
        return batch;
    }
    for (index_t k = 0; k < batch.count; ++k) {
        const index_t begin = batch.offsets[k], end = batch.offsets[k + 1];
        if (begin < 0 || end < begin || end - begin > longest)
            base::refuse(
                name,
                "sequence " + base::text(k) + " is [" + base::text(begin) + ", " + base::text(end) + ")",
                longest == longest_of_answers ? "ascending offsets and fewer than 2^31 symbols"
                                              : "ascending offsets");
    }
    cuda::check_reachable(where, name, batch.data, batch.offsets[batch.count] - batch.offsets[0]);
    return batch;
}

[[nodiscard]] inline batch_side side_of(const sequence_batch& batch) {
    return {batch.data, batch.offsets, batch.symbol_bytes};
}

inline void check_same_width(const char* names, int a, int b) {
    if (a != b)
        base::refuse(names, "symbols of " + std::to_string(a) + " and " + std::to_string(b) + " bytes",
                     "the same");
}

}  // namespace wale::wavefront
