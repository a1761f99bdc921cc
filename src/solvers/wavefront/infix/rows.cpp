// rows - parts of a text that are nearest to queries: rows of the host, best first.
#include "solvers/wavefront/search_jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::wavefront {

extern const catalogue::row<infix_job> infix_cpu_lanes, infix_reference_plain;

infix_table& infix_rows() {
    static infix_table table{"wavefront", "infix", {infix_cpu_lanes, infix_reference_plain}};
    return table;
}

namespace {

const infix_table& listed() {
    return infix_rows();
}
[[maybe_unused]] const bool enlisted = (catalogue::enlist<infix_job>(listed), true);

}  // namespace
}  // namespace wale::wavefront
