// tables - the tables of this solver's operations, enlisted for `wale list` and wale::variants().
#include "solvers/lu/jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::lu {
namespace {

/// The table, only to be read.
template <class Table, Table& (*Rows)()>
const Table& listed() {
    return Rows();
}

[[maybe_unused]] const bool enlisted = [] {
    catalogue::enlist<factor_job>(listed<factor_table, factor_rows>);
    catalogue::enlist<solve_job>(listed<solve_table, solve_rows>);
    catalogue::enlist<inverse_job>(listed<inverse_table, inverse_rows>);
    catalogue::enlist<refined_job>(listed<refined_table, refined_rows>);
    catalogue::enlist<shared_factor_job>(listed<shared_factor_table, shared_factor_rows>);
    catalogue::enlist<shared_solve_job>(listed<shared_solve_table, shared_solve_rows>);
    return true;
}();

}  // namespace
}  // namespace wale::lu
