// variants - the tables of this solver's operations, enlisted for `wale list` and wale::variants().
#include "solvers/reconstruction/jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::reconstruction {
namespace {

const reconstruct_table& reconstruct_rows() {
    return reconstruct_variants();
}

[[maybe_unused]] const bool enlisted = [] {
    catalogue::enlist<reconstruct_job>(reconstruct_rows);
    return true;
}();

}  // namespace
}  // namespace wale::reconstruction
