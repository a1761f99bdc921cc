// edit_distance - cuda/strips: two bits a column between strips. The bound is not used: the answer is exact.
#include "solvers/wavefront/length/cuda/strips/one_strip.cuh"
#include "solvers/wavefront/length/shared/launch.cuh"

namespace wale::wavefront {
namespace {

void run(edit_distance_job& job) {
    const bool tall = job.a.size >= job.b.size;
    if (job.a.size > 0 && job.b.size > 0 && fits_one_strip(job)) {
        const symbols &shorter = tall ? job.b : job.a, &longer = tall ? job.a : job.b;
        job.distance = longer.size + one_strip<edit_column>(job, shorter, longer);
        return;
    }
    const symbols& rows = tall ? job.a : job.b;
    const symbols& columns = tall ? job.b : job.a;
    job.distance = rows.size;
    if (columns.size == 0) return;
    const cuda::context context(job.where);
    cuda::timer timer(context);
    const alphabet letters = find_alphabet(context, rows, columns);
    const std::size_t row =
        choose_strips("wavefront/length/edit_strips", edit_policies, context.sm(), rows.size);
    with_masks<edit_policy>(context, letters, edit_policies, row, [&]<class P, class Masks>() {
        const strips_launch<P, edit_rows<P::value.words>, Masks, tagged_hand_over<2>> launch(
            {context, letters, rows, columns, false});
        launch.start();
        // D(m, n) = D(0, n) + the vertical differences of the last column
        job.distance = columns.size + static_cast<index_t>(launch.finish().answer[0]);
        job.run->policy = launch.policy();
        job.run->bytes = 8.0 * static_cast<double>(launch.job().pitch) * launch.job().strips;
    });
    job.run->iterations = 1;
    job.run->compute_seconds = timer.stop();
}

}  // namespace

extern constinit const catalogue::row<edit_distance_job> edit_distance_cuda_strips{
    "cuda/strips", "rows in bits (Myers), a warp a strip, two bits a column between strips", run,
    needs_31_bit_sizes<edit_distance_job>};

}  // namespace wale::wavefront
