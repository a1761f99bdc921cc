// variants - the tables of this solver's operations, enlisted for `wale list` and wale::variants().
#include "solvers/wavefront/jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::wavefront {
namespace {

template <class Table, Table& (*Get)()>
const Table& constant() {
    return Get();
}

[[maybe_unused]] const bool enlisted = [] {
    catalogue::enlist<fill_job>(constant<fill_table, fill_rows>);
    catalogue::enlist<lcs_length_job>(constant<lcs_length_table, lcs_length_rows>);
    catalogue::enlist<edit_distance_job>(constant<edit_distance_table, edit_distance_rows>);
    catalogue::enlist<lcs_string_job>(constant<lcs_string_table, lcs_string_rows>);
    catalogue::enlist<batch_job>(constant<batch_table, lcs_batch_rows>);
    catalogue::enlist<batch_job>(constant<batch_table, edit_batch_rows>);
    catalogue::enlist<alignment_job>(constant<alignment_table, align_rows>);
    catalogue::enlist<alignment_batch_job>(constant<alignment_batch_table, align_batch_rows>);
    return true;
}();

}  // namespace
}  // namespace wale::wavefront
