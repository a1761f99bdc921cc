// part_launch - strips of a part, queued: words cross to and from other devices.
#pragma once

#include "solvers/wavefront/length/shared/launch.cuh"
#include "solvers/wavefront/length/shared/pair_part.hpp"

namespace wale::wavefront {

/// Launch: a strips_launch.
template <class Launch>
class running_strips final : public running_part {
public:
    /// `context` is of this call only, so that parts of several devices leave the caller's device as it was.
    running_strips(const cuda::context& context, const alphabet& letters, const pair_part_job& job)
        : where_(job.where), launch_({context, letters, job.rows, job.columns, false, job.above, job.below}) {
        launch_.start();
    }
    [[nodiscard]] index_t finish() override {
        const cuda::context context(where_);
        return static_cast<index_t>(launch_.finish().answer[0]);
    }
    [[nodiscard]] const Launch& launch() const { return launch_; }

private:
    execution where_;
    Launch launch_;
};

/// RowsOf<Policy>: the recurrence.
template <template <int> class PolicyOf, template <class> class RowsOf, int Lines, std::size_t N>
void queue_part(pair_part_job& job, const char* tuned, const tuning::row<strips_policy> (&policies)[N]) {
    const cuda::context context(job.where);
    const alphabet letters = find_alphabet(context, job.rows, job.columns);
    const std::size_t row = choose_strips(tuned, policies, context.sm(), job.rows.size);
    with_masks<PolicyOf>(context, letters, policies, row, [&]<class P, class Masks>() {
        using launch_type = strips_launch<P, RowsOf<P>, Masks, crossing_hand_over<Lines>>;
        auto running = std::make_unique<running_strips<launch_type>>(context, letters, job);
        const launch_type& launch = running->launch();
        job.policy = launch.policy();
        job.bytes = 8.0 * static_cast<double>(launch.job().pitch) * launch.job().strips;
        job.running = std::move(running);
    });
}

}  // namespace wale::wavefront
