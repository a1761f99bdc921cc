// thomas - cpu/thomas: factors of one system after the other.
#include "solvers/tree/factor/shared/kept_on_host.hpp"

namespace wale::tree {
namespace {

void factor_thomas(chain_factor_job& job) {
    factor_beside(job, 1);
}

}  // namespace

extern constinit const catalogue::row<chain_factor_job> factor_cpu_thomas{
    "cpu/thomas",  "a system after the other, its right sides in the lanes of vectors",
    factor_thomas, nullptr,
    nullptr,       true};

}  // namespace wale::tree
