// rows - parts of a text that are nearest to queries: rows of the host, best first.
#include "solvers/wavefront/search_jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::wavefront {

extern const catalogue::row<infix_job> infix_cpu_words, infix_cpu_strips, infix_cpu_lanes,
    infix_reference_plain;

infix_table& infix_rows() {
    static infix_table table{
        "wavefront", "infix", {infix_cpu_words, infix_cpu_strips, infix_cpu_lanes, infix_reference_plain}};
    return table;
}

[[maybe_unused]] static const bool enlisted = catalogue::enlist(infix_rows);

}  // namespace wale::wavefront
