// reconstruction_bench - the experiments of this solver. WALE_PICTURE names a real image (a file that
// read_image takes) whose mirrored tiles stand for tissue; without it blots are made.
#include <cstdlib>

#include "registration.hpp"

namespace wale::bench {

void register_reconstruction() {
    const char* named = std::getenv("WALE_PICTURE");
    const std::string image = named != nullptr ? named : "";
    constexpr const char* solver = "reconstruction";
    constexpr const char* peer = "cuda/elementary";
    for (const char* real : {"h_domes", "h_domes_4", "h_domes_u16", "h_domes_f32", "fill_holes",
                             "fill_holes_u16", "binary", "bits"})
        register_experiment({solver, real, "reconstruct", real, {4096}, {4096}, peer, image});
    for (const char* made : {"fill_holes_field", "fill_holes_field_u16", "serpentine", "percolation",
                             "serpentine_bits", "percolation_bits"})
        register_experiment({solver, made, "reconstruct", made, {4096}, {4096}, peer});
    register_experiment({solver, "volume_domes", "reconstruct", "volume_domes", {128}, {256}, peer});
    register_experiment({solver, "batch_domes", "reconstruct", "batch_domes", {64}, {1024}, peer, image});
    register_experiment({solver, "h_domes", "reconstruct", "h_domes_large", {}, {32768}, peer, image});
}

}  // namespace wale::bench
