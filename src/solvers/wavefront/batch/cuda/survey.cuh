// survey - the first passes over a batch: are the offsets good, which symbols occur, which class has each
// pair.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/wavefront/batch/cuda/plan.cuh"

namespace wale::wavefront::batch {

/// What the caller asked for, as far as the stages need it.
struct request {
    pairs input;
    std::int32_t* answers = nullptr;
    index_t bound = -1;
    bool edit = false;
};

/// How pairs may be spread over lanes.
struct spread_limits {
    int least_log2_lanes;  // a batch of few pairs uses more lanes for each
    bool exactly;          // all pairs take least_log2_lanes where their rows fit
    int least_rows;
    int padded_log2;
};

/// Enqueues the survey. After it `found` is complete, and keys[k] sorts pair k by class, longest text first.
void survey(const cuda::context&, const request&, const spread_limits&, findings* found, std::uint32_t* keys,
            std::uint32_t* order);

inline constexpr int key_bits = 24;  // class: 8, text: 16

}  // namespace wale::wavefront::batch
