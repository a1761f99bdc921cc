// variants - what exists on the host, best first. The CUDA plugin appends its own rows (cuda/variants.cu).
#include "solvers/wavefront/fill/cpu.hpp"
#include "solvers/wavefront/length/cpu.hpp"
#include "variants/catalogue.hpp"

namespace wale::wavefront {

using catalogue::never_refuses;

fill_table& fill_variants() {
    static fill_table table{
        "wavefront",
        "fill",
        {
            {"reference/plain", backend::reference, "row by row, cell by cell: the truth",
             never_refuses<fill_job>, nullptr, fill_reference},
        }};
    return table;
}

lcs_length_table& lcs_length_variants() {
    static lcs_length_table table{
        "wavefront",
        "lcs_length",
        {
            {"reference/plain", backend::reference, "one row of the plain table",
             never_refuses<lcs_length_job>, nullptr, lcs_length_reference},
        }};
    return table;
}

edit_distance_table& edit_distance_variants() {
    static edit_distance_table table{
        "wavefront",
        "edit_distance",
        {
            {"reference/plain", backend::reference, "one row of the plain table",
             never_refuses<edit_distance_job>, nullptr, edit_distance_reference},
        }};
    return table;
}

lcs_string_table& lcs_string_variants() {
    static lcs_string_table table{
        "wavefront",
        "lcs_string",
        {
            {"reference/plain", backend::reference, "the whole plain table and a walk back through it",
             never_refuses<lcs_string_job>, nullptr, lcs_string_reference},
        }};
    return table;
}

batch_table& lcs_batch_variants() {
    static batch_table table{
        "wavefront",
        "lcs_batch",
        {
            {"reference/plain", backend::reference, "pair by pair, one row of the plain table",
             never_refuses<batch_job>, nullptr, lcs_batch_reference},
        }};
    return table;
}

batch_table& edit_batch_variants() {
    static batch_table table{
        "wavefront",
        "edit_batch",
        {
            {"reference/plain", backend::reference, "pair by pair, one row of the plain table",
             never_refuses<batch_job>, nullptr, edit_batch_reference},
        }};
    return table;
}

namespace {

template <class Table, Table& (*Get)()>
const Table& constant() {
    return Get();
}

[[maybe_unused]] const bool enlisted = [] {
    catalogue::enlist<fill_job>(constant<fill_table, fill_variants>);
    catalogue::enlist<lcs_length_job>(constant<lcs_length_table, lcs_length_variants>);
    catalogue::enlist<edit_distance_job>(constant<edit_distance_table, edit_distance_variants>);
    catalogue::enlist<lcs_string_job>(constant<lcs_string_table, lcs_string_variants>);
    catalogue::enlist<batch_job>(constant<batch_table, lcs_batch_variants>);
    catalogue::enlist<batch_job>(constant<batch_table, edit_batch_variants>);
    return true;
}();

}  // namespace
}  // namespace wale::wavefront
