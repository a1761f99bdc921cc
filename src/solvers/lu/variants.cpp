// variants - the tables of this solver's operations, enlisted for `wale list` and wale::variants().
#include "solvers/lu/jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::lu {
namespace {

const factor_table& factor_rows() {
    return factor_variants();
}
const solve_table& solve_rows() {
    return solve_variants();
}
const inverse_table& inverse_rows() {
    return inverse_variants();
}
const refined_table& refined_rows() {
    return refined_variants();
}

[[maybe_unused]] const bool enlisted = [] {
    catalogue::enlist<factor_job>(factor_rows);
    catalogue::enlist<solve_job>(solve_rows);
    catalogue::enlist<inverse_job>(inverse_rows);
    catalogue::enlist<refined_job>(refined_rows);
    return true;
}();

}  // namespace
}  // namespace wale::lu
