// queue - one call of the kernels: what pcr_thomas.cu asks of the files that contain them.
#pragma once

#include "solvers/tree/chains/cuda/pcr_thomas/geometry.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale::cuda {
class context;
}

namespace wale::tree {
struct device_status;
}

namespace wale::tree::pcr_thomas {

/// The words of unified rows: where lower, diagonal, upper and right side stand from the first of them on.
struct row_words {
    const void* first = nullptr;
    int place[4] = {0, 0, 0, 0};
    bool together = false;  // each has a word of its own in one row
};
[[nodiscard]] row_words words_of(const chain_job& job);

inline constexpr index_t rows_of_any_plan = 32;  // one for each lane of a warp

struct plan {
    policy chosen;
    std::size_t row;  // of the table
    bool few;         // chosen.rows are its few_rows
    index_t most;     // rows that fit
    geometry dealt;   // where they do
};

void queue_unpivoted_f32(const cuda::context& here, const chain_job& job, const plan& p,
                         const device_status& to);
void queue_unpivoted_f64(const cuda::context& here, const chain_job& job, const plan& p,
                         const device_status& to);
void queue_pivoted_f32(const cuda::context& here, const chain_job& job, const plan& p,
                       const device_status& to);
void queue_pivoted_f64(const cuda::context& here, const chain_job& job, const plan& p,
                       const device_status& to);

}  // namespace wale::tree::pcr_thomas
