// variants - the CUDA rows, best first.
#include "solvers/wavefront/length/cuda/variants.hpp"

#include "solvers/wavefront/cuda/variants.hpp"

namespace wale::wavefront {
namespace {

/// Row and column numbers of a strip kernel, and of its words, are 32-bit.
template <class Job>
std::string needs_31_bit_sizes(const Job& job) {
    constexpr index_t most = (index_t{1} << 31) - 1;
    return job.a.size > most || job.b.size > most ? "needs sequences of fewer than 2^31 symbols" : "";
}

}  // namespace

void append_length_variants() {
    auto& lengths = lcs_length_variants().rows;
    lengths.push_back({"cuda/strips", backend::cuda,
                       "rows in bits, a warp a strip, strips by ticket, tagged words between them",
                       needs_31_bit_sizes<lcs_length_job>, nullptr, lcs_length_strips});
    lengths.push_back({"cuda/strips_counter", backend::cuda,
                       "as cuda/strips, but one monotone counter a strip, released and acquired",
                       needs_31_bit_sizes<lcs_length_job>, nullptr, lcs_length_strips_counter});
    edit_distance_variants().rows.push_back(
        {"cuda/strips", backend::cuda,
         "rows in bits (Myers), a warp a strip, two bits a column between strips",
         needs_31_bit_sizes<edit_distance_job>, nullptr, edit_distance_strips});
    lcs_string_variants().rows.push_back({"cuda/strips", backend::cuda,
                                          "lengths forwards and backwards in one launch, cut at every strip "
                                          "edge, strips walked back in parallel",
                                          needs_31_bit_sizes<lcs_string_job>, nullptr, lcs_string_strips});
}

}  // namespace wale::wavefront
