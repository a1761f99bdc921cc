// wavefront_bench - the experiments of this solver.
#include "registration.hpp"

namespace wale::bench {

void register_wavefront() {
    const experiment all[] = {
        {"wavefront",
         "fill",
         "fill",
         "lcs/i32",
         {1024, 4096, 16384},
         {4096, 16384, 65536},
         "cuda/rect_global"},
        {"wavefront", "fill_edit", "fill", "edit/i32", {4096}, {16384}, "cuda/rect_global"},
        {"wavefront", "fill_global", "fill", "global/i32", {4096}, {16384}, "cuda/rect_global"},
        {"wavefront", "fill_dtw", "fill", "dtw/f32", {4096}, {16384}, "cuda/rect_global"},
        {"wavefront", "fill_summed_area", "fill", "summed_area/i32", {2048}, {2048}, "cuda/rect_global"},
        {"wavefront", "lcs_length", "lcs_length", "dna", {10000, 100000}, {100000, 1000000, 4000000}},
        {"wavefront", "edit_distance", "edit_distance", "dna", {10000, 100000}, {100000, 1000000}},
        {"wavefront", "lcs_string", "lcs_string", "dna", {10000}, {100000, 1000000}},
        {"wavefront", "lcs_batch", "lcs_batch", "reads", {10000}, {100000, 1000000}},
        {"wavefront", "edit_batch", "edit_batch", "reads", {10000}, {100000, 1000000}},
    };
    for (const experiment& e : all) register_experiment(e);
}

}  // namespace wale::bench
