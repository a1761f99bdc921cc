// lines - what the files of cpu/lines share: threads for the lines of an image.
#pragma once

#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/reconstruction/prepare/cpu/lines/tuning.hpp"
#include "solvers/reconstruction/prepare/problem.hpp"

namespace wale::reconstruction {

/// Threads for so many pixels on the backend of `where`.
[[nodiscard]] inline int host_threads(const execution& where, index_t pixels) {
    return cpu::team_size(where, pixels / chosen_preparing().pixels_a_thread);
}

/// Calls f(i) for i in 0..count-1, consecutive ones on one thread.
template <class F>
void share(int threads, index_t count, const F& f) {
    cpu::run_team(threads, [&](int rank) {
        for (index_t i = count * rank / threads; i < count * (rank + 1) / threads; ++i, cpu::poll()) f(i);
    });
}

/// preparation::box
void prepare_box(prepare_job& job);

}  // namespace wale::reconstruction
