// rows - the table operation: rows of the host, best first. The CUDA plugin appends its own (cuda/rows.cu).
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

extern const catalogue::row<fill_job> fill_cpu_simd, fill_cpu_hyperlane, fill_cpu_tiles, fill_cpu_rows,
    fill_reference_plain;

fill_table& fill_rows() {
    static fill_table table{
        "wavefront",
        "fill",
        {fill_cpu_simd, fill_cpu_hyperlane, fill_cpu_tiles, fill_cpu_rows, fill_reference_plain}};
    return table;
}

}  // namespace wale::wavefront
