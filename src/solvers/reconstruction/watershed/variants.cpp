// variants - what floods, best first. There is no CUDA row: the order of a queue is the result.
#include "solvers/reconstruction/watershed/watershed.hpp"
#include "variants/catalogue.hpp"

namespace wale::reconstruction {
namespace {

std::string needs_few_values(const watershed_job& job) {
    return bytes_of(job.image.type) > 2 ? "needs 8- or 16-bit pixels" : "";
}

const watershed_table& watershed_rows() {
    return watershed_variants();
}

[[maybe_unused]] const bool enlisted = [] {
    catalogue::enlist<watershed_job>(watershed_rows);
    return true;
}();

}  // namespace

watershed_table& watershed_variants() {
    static watershed_table table{
        "reconstruction",
        "watershed",
        {{"cpu/buckets", backend::cpu, "a list for each value; 8- and 16-bit pixels", needs_few_values,
          nullptr, watershed_buckets},
         {"cpu/heap", backend::cpu, "a binary heap, any pixels", catalogue::never_refuses<watershed_job>,
          nullptr, watershed_heap},
         {"reference/heap", backend::reference, "a priority queue and the rule word for word: the truth",
          catalogue::never_refuses<watershed_job>, nullptr, watershed_reference}}};
    return table;
}

}  // namespace wale::reconstruction
