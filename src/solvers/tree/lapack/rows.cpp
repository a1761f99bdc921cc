// rows - the host rows of LAPACK's form of factors, best first.
#include "solvers/tree/jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::tree {

extern const catalogue::row<chain_lu_job> lapack_cpu_thomas, lapack_reference_plain;

chain_lu_table& chain_lu_rows() {
    static chain_lu_table table{"tree", "tridiagonal_lu", {lapack_cpu_thomas, lapack_reference_plain}};
    return table;
}

[[maybe_unused]] static const bool enlisted = catalogue::enlist(chain_lu_rows);

}  // namespace wale::tree
