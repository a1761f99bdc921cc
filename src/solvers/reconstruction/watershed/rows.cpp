// rows - what floods, best first. There is no CUDA row: the order of a queue is the result.
#include "solvers/reconstruction/jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::reconstruction {

extern const catalogue::row<watershed_job> watershed_cpu_buckets, watershed_cpu_heap,
    watershed_reference_heap;

watershed_table& watershed_rows() {
    static watershed_table table{
        "reconstruction", "watershed", {watershed_cpu_buckets, watershed_cpu_heap, watershed_reference_heap}};
    return table;
}

[[maybe_unused]] static const bool enlisted = catalogue::enlist(watershed_rows);

}  // namespace wale::reconstruction
