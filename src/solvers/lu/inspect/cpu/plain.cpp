// plain - determinants on the host as the reference has them: they take no time beside the factors.
#include "solvers/lu/inspect/shared/measures.hpp"

namespace wale::lu {

extern constinit const catalogue::row<determinant_job> determinant_cpu_plain{
    "cpu/plain", "down the diagonal", determinants_on_host, nullptr, nullptr, true};

}  // namespace wale::lu
