// binned - a batch of alignment scores: as many lanes for each pair as its query needs, and cells of 16 bits
// where a bound proves that they suffice. The host looks twice: at the symbols that occur, and at the
// classes.
#include "cuda/forked_streams.cuh"
#include "cuda/staged_copy.cuh"
#include "cuda/uploaded.cuh"
#include "solvers/wavefront/align/cuda/binned/call.cuh"
#include "solvers/wavefront/align/cuda/binned/shared_profile.cuh"
#include "solvers/wavefront/search_jobs.hpp"
#include "tuning/override.hpp"

namespace wale::wavefront {
namespace {

using namespace binned;

constexpr index_t most_carry_bytes = index_t{1} << 30;
constexpr std::size_t least_targets = 10'000;  // of which a query has a launch of its own (untuned)
constexpr std::size_t longest_query = 1536;    // of a launch, that is rows (untuned)

class score_call : batch_call {
public:
    using batch_call::batch_call;

    void run() {
        cuda::timer whole(c_);
        prepare(nullptr);
        cuda::timer kernels(c_);
        launch();
        const double seconds = kernels.stop();
        job_.run->compute_seconds += whole.stop();
        if (!job_.cross) job_.run->work = cells();
        job_.run->policy = described(seconds);
    }

private:
    void launch() {
        const word count = sizes_.of_class[wide_class] + sizes_.of_class[wide_class + 1];
        if (count > 0)
            launch_both(count);
        else if (packed_)
            launch_shapes();
    }
    /// Pairs of wide cells beside the others: few of them leave most of the device idle.
    void launch_both(word count) {
        const cuda::uploaded<std::int32_t> table(c_, letters_.table);
        const index_t of_block = 2 * index_t{sizes_.longest_wide};
        const unsigned blocks = blocks_for(count, 8 * of_block, most_carry_bytes);
        const cuda::scratch<std::int64_t> carries(c_, of_block * index_t{blocks});
        const cuda::forked_streams beside(c_, 1);
        try {
            std::uint32_t first = 0;
            for (int i = 0; i < wide_class; ++i) first += sizes_.of_class[i];
            for (const bool of_64_bits : {false, true}) {
                const word some = sizes_.of_class[wide_class + (of_64_bits ? 1 : 0)];
                if (some == 0) continue;
                wide_work work = wide_part(table.data(), first, some);
                work.carries = carries.data();
                work.ticket = tickets_->data() + most_shapes + (of_64_bits ? 1 : 0);
                launch_wide(work, of_64_bits, false, std::min<unsigned>(blocks, some), beside[0]);
                first += some;
            }
            if (packed_) launch_shapes();
        } catch (...) {
            beside.join();  // before the memory is released
            throw;
        }
        beside.join();
    }

    void launch_shapes() {
        const cuda::uploaded<word> table(c_, packed_table());
        packed_work work = packed_part(table.data());
        work.carry_pitch = sizes_.longest_carried;
        const cuda::scratch<word> carries(c_, carry_words());
        work.carries = carries.data();
        std::uint32_t pairs = 0;
        for (int shape = 0; shape < most_shapes; ++shape) {
            pairs = take_shape(work, shape, pairs);
            const word tasks = work.first_task[widths];
            if (tasks == 0) continue;
            if (shares_profile(shape)) {
                for (int k = 0; k < widths; ++k) {
                    const word of_task = word{sharing_warps} << k,
                               count = work.first_pair[k + 1] - work.first_pair[k];
                    work.first_task[k + 1] = work.first_task[k] + (count + of_task - 1) / of_task;
                }
                launch_local_sharing(work, shape, c_);
                continue;
            }
            const auto run = price_.local ? launch_local : price_.target_end ? launch_tailed : launch_global;
            run(work, shape, blocks_for(tasks, 4 * work.carry_pitch, most_carry_bytes), c_.stream());
        }
    }
    /// Whether all pairs of a shape have one query, in one strip of rows.
    [[nodiscard]] bool shares_profile(int shape) const {
        const index_t most_rows = index_t{2} * warp_size * shapes[0].policy.words[shape];
        return price_.local && job_.cross && job_.queries == 1 && last_[0] - first_[0] <= most_rows;
    }
    [[nodiscard]] index_t carry_words() const {
        const index_t pitch = sizes_.longest_carried;
        index_t pairs = 0;
        for (int i = 0; i < wide_class; ++i) pairs += sizes_.of_class[i];
        return pitch == 0 ? 0 : pitch * blocks_for(pairs, 4 * pitch, most_carry_bytes);
    }
};

void run(alignment_batch_job& job) {
    if (job.count == 0) return;
    const call_job call{job, job.count, job.count, false};
    score_call(call).run();
}

/// Sequences of the host on the device.
struct side_on_device {
    side_on_device(const cuda::context& c, const batch_side& from, index_t count)
        : letters(c, from.offsets[count] - from.offsets[0]), offsets(c, count + 1) {
        const auto* bytes = static_cast<const std::uint8_t*>(from.data);
        std::vector<index_t> from_zero(from.offsets, from.offsets + count + 1);
        for (index_t& offset : from_zero) offset -= from.offsets[0];
        cuda::queue_bytes(c, offsets.data(), from_zero.data(), offsets.size() * index_t{sizeof(index_t)});
        cuda::queue_bytes(c, letters.data(), bytes + from.offsets[0], letters.size());
        c.synchronize();
    }
    [[nodiscard]] batch_side side() const { return {letters.data(), offsets.data(), 1}; }
    cuda::scratch<std::uint8_t> letters;
    cuda::scratch<index_t> offsets;
};

void run_cross(align_cross_job& job) {
    if (job.query_count == 0 || job.target_count == 0) return;
    const cuda::context c(job.where);
    const side_on_device queries(c, job.queries, job.query_count), targets(c, job.targets, job.target_count);
    const index_t count = job.query_count * job.target_count;
    const cuda::scratch<std::int64_t> scores(c, count, "the scores of a block");
    // Local alignments query by query, whose profile the warps of a block share.
    const std::size_t least =
        tuning::overridden("wavefront/align/one_query", std::size_t{1} << 30, least_targets);
    const bool one_by_one =
        job.options->mode == alignment_mode::local && job.target_count >= static_cast<index_t>(least);
    const auto longest = static_cast<index_t>(
        tuning::overridden("wavefront/align/longest_query", std::size_t{1} << 30, longest_query));
    const index_t at_once = one_by_one ? 1 : job.query_count;
    for (index_t q = 0; q < job.query_count; q += at_once) {
        batch_side some = queries.side(), others = targets.side();
        some.offsets += q;
        // A long query would be several strips of rows: its targets are the rows then.
        const bool swapped = one_by_one && job.queries.offsets[q + 1] - job.queries.offsets[q] > longest;
        if (swapped) std::swap(some, others);
        const alignment_batch_job pairs{job.where,   some,
                                        others,      at_once * job.target_count,
                                        job.options, scores.data() + q * job.target_count,
                                        job.run};
        call_job call{pairs, at_once, job.target_count, true, swapped};
        if (swapped) std::swap(call.queries, call.targets);
        score_call(call).run();
    }
    constexpr index_t item = sizeof(std::int64_t);
    const index_t row = job.target_count * item;
    cuda::queue_lines(c, {job.scores, job.pitch * item, scores.data(), row, row, job.query_count});
    c.synchronize();
}

}  // namespace

extern constinit const catalogue::row<alignment_batch_job> align_batch_cuda_binned{
    "cuda/binned", "two cells of 16 bits in a word where they suffice, lanes by the length of the query",
    run};

extern constinit const catalogue::row<align_cross_job> align_cross_cuda_binned{
    "cuda/binned", "the same of each query with each target, which are copied from the host", run_cross};

}  // namespace wale::wavefront
