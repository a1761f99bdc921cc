// cpu - the table variants that run on the host; each has a file of its own.
#pragma once

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

void fill_reference(fill_job&);
void fill_rows(fill_job&);
void fill_tiles(fill_job&);
void fill_hyperlane(fill_job&);

/// Whether a table is worth more than cpu/rows.
[[nodiscard]] bool not_small(const fill_job&);
[[nodiscard]] std::string simd_refusal(const fill_job&);
void fill_simd(fill_job&);

}  // namespace wale::wavefront
