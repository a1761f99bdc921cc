// inputs - widening and padding of the sequences, one pass over both.
#include "solvers/wavefront/fill/cuda/tuning.hpp"
#include "solvers/wavefront/fill/shared/inputs.cuh"

namespace wale::wavefront {
namespace {

template <class Symbol, class Word>
__global__ void widen(const Symbol* from, index_t size, Word* to, index_t padding) {
    const index_t step = static_cast<index_t>(gridDim.x) * blockDim.x;
    for (index_t k = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < size + 2 * padding;
         k += step) {
        const index_t at = k - padding;
        to[k] = at >= 0 && at < size ? static_cast<Word>(from[at]) : 0;
    }
}

void widen(const cuda::context& on, const symbols& s, std::uint32_t* to, index_t padding) {
    const int threads = elementwise_threads;
    const index_t blocks = std::min<index_t>((s.size + 2 * padding + threads - 1) / threads, 4096);
    const auto launch = [&](const auto* from, auto* to) {
        widen<<<static_cast<unsigned>(blocks), threads, 0, on.stream()>>>(from, s.size, to, padding);
    };
    if (s.bytes == 1) launch(static_cast<const std::uint8_t*>(s.data), to);
    if (s.bytes == 2) launch(static_cast<const std::uint16_t*>(s.data), to);
    if (s.bytes == 4) launch(static_cast<const std::uint32_t*>(s.data), to);
    if (s.bytes == 8) launch(static_cast<const std::uint64_t*>(s.data), reinterpret_cast<std::uint64_t*>(to));
    cuda::check_launch();
}

}  // namespace

void wide_inputs::copy(const cuda::context& on, const fill_job& job) const {
    if (job.kind == recurrence::summed_area) return;
    // b's front padding is a's back padding: b is written second and leaves zeros there, as a did.
    widen(on, job.a, words_.data(), padding);
    widen(on, job.b, words_.data() + (padding + rows_) * bytes_ / 4, padding);
}

}  // namespace wale::wavefront
