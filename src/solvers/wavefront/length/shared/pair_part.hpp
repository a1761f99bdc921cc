// pair_part - the rows of a pair that one device computes: whole strips, but for the last part, with the
// words that cross from the part above and to the part below. Internal, not in wale::variants().
#pragma once

#include <memory>
#include <string>

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

/// Rows of a part but the last: a multiple of the rows of any strip (strip_shape<P>::rows).
inline constexpr index_t rows_of_strips = 8192;

/// Words of `columns` columns that cross, with those that are loaded ahead.
[[nodiscard]] constexpr index_t crossing_words(index_t columns, int lines) {
    return lines * ((columns + 31) / 32 + 64);
}

/// Work that has been queued on a device.
class running_part {
public:
    running_part() = default;
    running_part(const running_part&) = delete;
    running_part& operator=(const running_part&) = delete;
    virtual ~running_part() = default;
    /// Waits; what the rows of the part add to the answer.
    [[nodiscard]] virtual index_t finish() = 0;
};

/// Memory that all devices of the call reach: `above` is written while the part runs, its words are all ones
/// before.
struct pair_part_job {
    execution where;
    symbols rows, columns;                 // neither is empty
    const std::uint64_t* above = nullptr;  // null: the first part
    std::uint64_t* below = nullptr;        // null: the last part
    std::string policy;                    // out
    double bytes = 0;                      // out: as report::bytes
    std::unique_ptr<running_part> running;
};

using pair_part_table = catalogue::table<pair_part_job>;
[[nodiscard]] pair_part_table& lcs_part_rows();
[[nodiscard]] pair_part_table& edit_part_rows();

/// A pair in host memory over where.devices: the length of the LCS, or the edit distance.
[[nodiscard]] index_t length_over_devices(const on_cuda& where, const symbols& a, const symbols& b,
                                          report& run);
[[nodiscard]] index_t distance_over_devices(const on_cuda& where, const symbols& a, const symbols& b,
                                            report& run);

}  // namespace wale::wavefront
