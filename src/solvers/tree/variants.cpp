// variants - the tables of this solver's operations, enlisted for `wale list` and wale::variants().
#include "solvers/tree/jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::tree {
namespace {

const chain_table& chain_rows() {
    return chain_variants();
}
const chain_factor_table& chain_factor_rows() {
    return chain_factor_variants();
}
const chain_lu_table& chain_lu_rows() {
    return chain_lu_variants();
}
const hines_table& hines_rows() {
    return hines_variants();
}

[[maybe_unused]] const bool enlisted = [] {
    catalogue::enlist<chain_job>(chain_rows);
    catalogue::enlist<chain_factor_job>(chain_factor_rows);
    catalogue::enlist<chain_lu_job>(chain_lu_rows);
    catalogue::enlist<hines_job>(hines_rows);
    return true;
}();

}  // namespace
}  // namespace wale::tree
