// rows - the host's rows of each operation, best first. The plugin appends those of cuda/rows.cu.
// Tables are not destroyed: static destructors, and threads that outlive main(), may call.
#include "solvers/reconstruction/jobs.hpp"
#include "solvers/reconstruction/parts/problem.hpp"
#include "solvers/reconstruction/prepare/problem.hpp"
#include "variants/catalogue.hpp"

namespace wale::reconstruction {

extern const catalogue::row<reconstruct_job> reconstruct_cpu_bits, reconstruct_cpu_clamp_scan,
    reconstruct_cpu_hybrid, reconstruct_cpu_downhill, reconstruct_cpu_fifo, reconstruct_cpu_raster,
    reconstruct_reference_plain;

reconstruct_table& reconstruct_rows() {
    static reconstruct_table& table = *new reconstruct_table{
        "reconstruction",
        "reconstruct",
        {reconstruct_cpu_bits, reconstruct_cpu_clamp_scan, reconstruct_cpu_hybrid, reconstruct_cpu_downhill,
         reconstruct_cpu_fifo, reconstruct_cpu_raster, reconstruct_reference_plain}};
    return table;
}

// There is no CUDA row: the order of a queue is the result.
extern const catalogue::row<watershed_job> watershed_cpu_buckets, watershed_cpu_heap,
    watershed_reference_heap;

watershed_table& watershed_rows() {
    static watershed_table& table = *new watershed_table{
        "reconstruction", "watershed", {watershed_cpu_buckets, watershed_cpu_heap, watershed_reference_heap}};
    return table;
}

// Internal tables: what looks for NaN and for markers beyond their mask, the steps before and after a
// reconstruction, and what a device does with its lines of a shared image.
extern const catalogue::row<inspect_job> inspect_cpu_lines;

inspect_table& inspect_rows() {
    static inspect_table& table = *new inspect_table{"reconstruction", "inspect", {inspect_cpu_lines}};
    return table;
}

extern const catalogue::row<prepare_job> prepare_cpu_lines;

prepare_table& prepare_rows() {
    static prepare_table& table = *new prepare_table{"reconstruction", "prepare", {prepare_cpu_lines}};
    return table;
}

part_table& part_rows() {
    static part_table& table = *new part_table{"reconstruction", "part", {}};
    return table;
}

[[maybe_unused]] static const bool enlisted = catalogue::enlist(reconstruct_rows, watershed_rows);

}  // namespace wale::reconstruction
