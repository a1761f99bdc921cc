// lcs_length - the length of one pair; `HandOver` tells the two variants apart.
#pragma once

#include "solvers/wavefront/length/cuda/launch.cuh"

namespace wale::wavefront {

template <template <int> class HandOver>
void lcs_length_strips_with(lcs_length_job& job) {
    job.length = 0;
    if (job.a.size == 0 || job.b.size == 0) return;
    const cuda::context context(job.where);
    cuda::timer timer(context);
    const bool tall = job.a.size >= job.b.size;  // rows are done in parallel, columns one after the other
    const symbols& rows = tall ? job.a : job.b;
    const symbols& columns = tall ? job.b : job.a;
    const alphabet letters = find_alphabet(context, rows, columns);
    const std::size_t row =
        choose_strips("wavefront/length/lcs_strips", lcs_policies, context.sm(), rows.size);
    with_masks<lcs_policy>(context, letters, lcs_policies, row, [&]<class P, class Masks>() {
        using recurrence = lcs_rows<P::value.words, P::value.one_carry>;
        const strips_launch<P, recurrence, Masks, HandOver<1>> launch(
            {context, letters, rows, columns, false});
        launch.start();
        job.length = static_cast<index_t>(launch.finish().answer[0]);
        job.run->policy = launch.policy();
        job.run->bytes = 8.0 * static_cast<double>(launch.job().pitch) * launch.job().strips;
    });
    job.run->iterations = 1;
    job.run->compute_seconds = timer.stop();
}

}  // namespace wale::wavefront
