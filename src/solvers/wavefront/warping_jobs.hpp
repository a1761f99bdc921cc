// warping_jobs - calls that warp series of numbers, typeless, as their variants see them; and the tables of
// those variants. warping_api.cpp has checked everything before.
#pragma once

#include <wale/warping.hpp>

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

/// How costs are measured. `type` is f32 or f64.
struct warping_measure {
    element type = element::f64;
    index_t dimensions = 1;
    dtw_cost cost = dtw_cost::absolute;
    index_t window = -1;
    double gamma = 0;
};

struct series_side {
    const void* data = nullptr;
    const index_t* offsets = nullptr;  // count + 1, in points
};

/// answers[q * pitch + t] of query q and target t. No series is empty.
struct warping_job {
    execution where;
    warping_measure measure;
    series_side queries, targets;
    index_t query_count = 0, target_count = 0;
    bool symmetric = false;  // both sides are the same series
    void* answers = nullptr;
    index_t pitch = 0;
    report* run = nullptr;
};

/// The path of one pair, or where `gradient` is set the gradient by a instead.
struct warping_path_job {
    execution where;
    warping_measure measure;
    symbols a, b;     // sizes in points
    double cost = 0;  // out; holds a float exactly
    std::vector<std::array<index_t, 2>>* path = nullptr;
    void* gradient = nullptr;
    report* run = nullptr;
};

using warping_table = catalogue::table<warping_job>;
using warping_path_table = catalogue::table<warping_path_job>;

[[nodiscard]] warping_table& warping_rows();
[[nodiscard]] warping_path_table& warping_path_rows();

}  // namespace wale::wavefront
