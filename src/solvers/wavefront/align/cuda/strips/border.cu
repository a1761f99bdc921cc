// border - what enters the table from above and from the left, as warps hand it on.
#include "solvers/wavefront/align/cuda/strips/kernel.cuh"

namespace wale::wavefront::strips {
namespace {

constexpr int threads = binned::pass_threads;

__device__ index_t thread_number() {
    return index_t{blockIdx.x} * threads + threadIdx.x;
}

__global__ void fill_top(const __grid_constant__ sweep_job w, std::uint64_t* top) {
    const hand_shape& hand = w.hand;
    for (index_t i = thread_number(); i < w.panels * hand.pitch(); i += index_t{gridDim.x} * threads) {
        const index_t first = i / hand.pitch() * hand.panel;
        const int at = static_cast<int>(i % hand.pitch());
        if (at >= hand.panel) {
            const auto corner =
                static_cast<std::uint64_t>(w.price.top(first + (at - hand.panel) / 2 * hand.block));
            tagged_word::store(top + i, 0,
                               static_cast<std::uint32_t>(corner >> (32 * ((at - hand.panel) & 1))));
            continue;
        }
        const int of_block = at % hand.block + 1;
        const index_t j = first + at + 1;
        const auto h =
            static_cast<int>(w.price.top(j) - w.price.top(j - of_block) + index_t{w.price.extend} * of_block);
        tagged_word::store(top + i, 0, both(h, h - w.price.open));
    }
}

__global__ void fill_left(const __grid_constant__ sweep_job w, int words) {
    const index_t each = index_t{2} * words * warp_size;  // rows of a strip; words of its state
    for (index_t i = thread_number(); i < w.strips * each; i += index_t{gridDim.x} * threads) {
        const index_t strip = i / each, first = strip * each, r = i % each / warp_size;
        const index_t row = first + i % warp_size * 2 * words + r % words;
        const auto cell = [&](index_t at) {
            const auto h = static_cast<int>(w.price.left(at + 1) - w.price.left(first));
            return r < words ? h : h + w.price.opening();
        };
        w.state[i] = both(cell(row), cell(row + words));
        if (i % each == 0) w.state_corner[strip] = w.price.left(first);
    }
}

}  // namespace

void fill_border(const cuda::context& c, const sweep_job& w, std::uint64_t* top, int words) {
    const unsigned blocks = 8 * static_cast<unsigned>(c.multiprocessors());
    fill_top<<<blocks, threads, 0, c.stream()>>>(w, top);
    cuda::check_launch();
    fill_left<<<blocks, threads, 0, c.stream()>>>(w, words);
    cuda::check_launch();
}

}  // namespace wale::wavefront::strips
