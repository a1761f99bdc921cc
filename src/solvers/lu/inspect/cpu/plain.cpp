// plain - determinants on the host as the reference has them: they take no time beside the factors.
#include "solvers/lu/inspect/shared/measures.hpp"

namespace wale::lu {

extern const catalogue::row<determinant_job> determinant_cpu_plain;
constinit const catalogue::row<determinant_job> determinant_cpu_plain{
    "cpu/plain",          backend::cpu, "down the diagonal", catalogue::never_refuses, nullptr,
    determinants_on_host, true};

}  // namespace wale::lu
