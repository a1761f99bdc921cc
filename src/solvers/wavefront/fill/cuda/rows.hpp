// rows - the CUDA rows of the table operation; each has a file of its own.
#pragma once

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

void fill_rect_global(fill_job&);
void fill_rect_shared(fill_job&);
[[nodiscard]] std::string rect_shared_refusal(const fill_job&);
void fill_hyperlane(fill_job&);
void fill_hyperlane_flags(fill_job&);
void fill_hyperlane_streams(fill_job&);
[[nodiscard]] std::string hyperlane_refusal(const fill_job&);
void fill_strips(fill_job&);
void fill_strips_bits(fill_job&);
[[nodiscard]] std::string strips_bits_refusal(const fill_job&);

}  // namespace wale::wavefront
