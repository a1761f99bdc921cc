// engines - what fused.cu chooses from; each is compiled in a file of its own.
#pragma once

#include "solvers/euler/job.hpp"

namespace wale::euler {

[[nodiscard]] std::unique_ptr<engine> make_tetrahedra_f32(const advance_job& job, bool recorded);
[[nodiscard]] std::unique_ptr<engine> make_tetrahedra_f64(const advance_job& job, bool recorded);
[[nodiscard]] std::unique_ptr<engine> make_any_cells(const advance_job& job, bool recorded);

}  // namespace wale::euler
