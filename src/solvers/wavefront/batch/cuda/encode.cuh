// encode - from symbols to bit planes in the order in which the warps read them.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/wavefront/batch/cuda/plan.cuh"

namespace wale::wavefront::batch {

struct encoding {
    pairs input;
    const std::uint32_t* order;
    const findings* found;
    const warp_task* tasks;
    index_t task_count;
    int shape;
    word* words;
};

/// What the plan says of each warp: its task (but for the offset), the words that it needs, and a key that
/// sorts the longest work to the front.
struct warp_plan {
    warp_task* tasks;
    index_t* words_of;
    std::uint32_t* keys;
    std::uint32_t* numbers;
};
void plan_warps(const cuda::context&, const encoding&, const class_table&, const warp_plan&);

/// Puts the running sums of words_of into the tasks.
void place_warps(const cuda::context&, index_t count, const index_t* sums, warp_task* tasks);

/// Writes the planes of all texts and patterns.
void encode(const cuda::context&, const encoding&);

}  // namespace wale::wavefront::batch
