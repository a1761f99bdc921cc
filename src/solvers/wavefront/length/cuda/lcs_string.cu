// lcs_string - cuda/strips: both passes in one launch, cuts, then all strips at once.
#include "solvers/wavefront/length/cuda/launch.cuh"
#include "solvers/wavefront/length/cuda/trace.cuh"
#include "solvers/wavefront/length/cuda/variants.hpp"

namespace wale::wavefront {
namespace {

/// Positions on the device, then on the host.
struct positions {
    positions(const cuda::context& c, index_t most)
        : in_rows(allocate<std::uint32_t>(c, "positions", most)),
          in_columns(allocate<std::uint32_t>(c, "positions", most)) {}
    cuda::scratch<std::uint32_t> in_rows, in_columns;
};

template <class P, class Masks, class Launch>
void trace(const cuda::context& context, const Launch& launch, const positions& out) {
    const strips_job& job = launch.job();
    const index_t steps = job.column_end + index_t{32} * job.strips;
    const auto vectors =
        allocate<std::uint32_t>(context, "the strips' bit vectors", steps * 32 * Masks::words);
    const cuda::scratch<cut> cuts(context, job.strips + 1);
    set_corners<<<1, 1, 0, context.stream()>>>(job, cuts.data());
    if (job.strips > 1) find_cuts<<<job.strips - 1, cut_threads, 0, context.stream()>>>(job, cuts.data());
    const trace_job work{job, cuts.data(), vectors.data(), out.in_rows.data(), out.in_columns.data()};
    const int shared = launch.table_bytes();
    const auto kernel = trace_kernel<P, Masks>;
    cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    const int blocks = static_cast<int>(base::ceil_div(job.strips, P::value.warps));
    kernel<<<blocks, 32 * P::value.warps, shared, context.stream()>>>(work);
    cuda::check_launch();
}

void widen(const cuda::context& c, const std::uint32_t* from, index_t size, std::vector<index_t>& to) {
    std::vector<std::uint32_t> narrow(static_cast<std::size_t>(size));
    if (size > 0)
        cuda::check(cudaMemcpyAsync(narrow.data(), from, narrow.size() * sizeof(std::uint32_t),
                                    cudaMemcpyDeviceToHost, c.stream()));
    c.synchronize();
    to.assign(narrow.begin(), narrow.end());
}

}  // namespace

void lcs_string_strips(lcs_string_job& job) {
    job.in_a->clear();
    job.in_b->clear();
    if (job.a.size == 0 || job.b.size == 0) return;
    const cuda::context context(job.where);
    cuda::timer timer(context);
    const bool tall = job.a.size >= job.b.size;
    const symbols& rows = tall ? job.a : job.b;
    const symbols& columns = tall ? job.b : job.a;
    const alphabet letters = find_alphabet(context, rows, columns);
    const positions out(context, columns.size);
    index_t length = 0;
    const std::size_t row =
        choose_strips("wavefront/length/string_strips", string_policies, context.sm(), rows.size);
    with_masks<string_policy>(context, letters, string_policies, row, [&]<class P, class Masks>() {
        using recurrence = lcs_rows<P::value.words, P::value.one_carry>;
        const strips_launch<P, recurrence, Masks, tagged_hand_over<1>> launch(
            {context, letters, rows, columns, true});
        launch.start();
        trace<P, Masks>(context, launch, out);
        const strips_state state = launch.finish();
        if (state.answer[0] != state.answer[1])
            throw device_error("lcs_string: the passes disagree on the length");
        length = static_cast<index_t>(state.answer[0]);
        job.run->policy = launch.policy();
        job.run->bytes = 16.0 * static_cast<double>(launch.job().pitch) * launch.job().strips;
    });
    job.run->iterations = 4;
    job.run->compute_seconds = timer.stop();
    cuda::timer transfer(context);
    widen(context, out.in_rows.data(), length, tall ? *job.in_a : *job.in_b);
    widen(context, out.in_columns.data(), length, tall ? *job.in_b : *job.in_a);
    job.run->transfer_seconds = transfer.stop();
}

}  // namespace wale::wavefront
