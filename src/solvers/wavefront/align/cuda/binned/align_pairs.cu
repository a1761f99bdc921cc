// align_pairs - ends, starts and paths of a batch of pairs: the classes of binned.cu, and kernels that record
// the decisions of their cells and walk back through them. Pairs of one strip of rows are swept once, longer
// ones twice; batches are done in parts whose runs fit in memory.
#include <algorithm>
#include <string>

#include "base/clock.hpp"
#include "cuda/staged_copy.cuh"
#include "cuda/uploaded.cuh"
#include "solvers/wavefront/align/cuda/binned/call.cuh"
#include "solvers/wavefront/align/cuda/binned/traced_plan.cuh"
#include "solvers/wavefront/align/shared/codes.hpp"
#include "solvers/wavefront/align/shared/pairwise.hpp"
#include "wale/error.hpp"

namespace wale::wavefront {
namespace {

using namespace binned;

/// The answers of a part of the pairs on the device.
struct part_answers {
    part_answers(const cuda::context& c, index_t count, index_t symbols, alignment_task task)
        : columns(c, 5 * count),
          counts(c, task == alignment_task::path ? count : 0),
          runs(c, task == alignment_task::path ? symbols : 0, "the paths of a part of the batch") {}
    cuda::scratch<index_t> columns;  // score, ends of query and target, begins of both
    cuda::scratch<word> counts;      // of runs
    cuda::scratch<word> runs;
};

class path_call : batch_call {
public:
    path_call(const call_job& job, pair_alignments& out, index_t first)
        : batch_call(job), out_(out), first_pair_(first) {}

    void run() {
        cuda::timer whole(c_);
        const alignment_task task = options_.task;
        const index_t symbols = last_[0] - first_[0] + last_[1] - first_[1];
        const part_answers answers(c_, job_.count, symbols, task);
        set_trace(answers);
        prepare(&trace_);
        if (trace_.writes && sizes_.longest >= 1 << (32 - run_shift))
            throw bad_argument("query, target: a sequence of " + std::to_string(sizes_.longest) +
                               " symbols, expected fewer than 2^28 of a batch of paths");
        cuda::timer kernels(c_);
        launch();
        const double seconds = kernels.stop();
        index_t runs = 0;
        const cuda::scratch<index_t> first_run(c_, trace_.writes ? job_.count + 1 : 0);
        if (trace_.writes) runs = scan_runs(c_, answers.counts.data(), job_.count, first_run.data());
        const cuda::scratch<word> gathered(c_, runs);
        if (trace_.writes) gather_runs(c_, input_, trace_, first_run.data(), gathered.data());
        job_.run->compute_seconds += whole.stop();
        job_.run->work += cells();
        job_.run->policy =
            described(seconds) + " of_several_strips=" + std::to_string(sizes_.of_class[long_class]);
        cuda::timer transfer(c_);
        fetch(answers, first_run, gathered);
        job_.run->transfer_seconds += transfer.stop();
    }

private:
    void set_trace(const part_answers& answers) {
        trace_.bytes = job_.query.bytes;
        const bool coded = trace_.bytes == 1;  // offsets of wider symbols count from their first element
        trace_.query = static_cast<const char*>(job_.query.data) + (coded ? first_[0] : 0);
        trace_.target = static_cast<const char*>(job_.target.data) + (coded ? first_[1] : 0);
        trace_.first_run = coded ? 0 : first_[0] + first_[1];
        if (!options_.matrix.by_equality()) trace_.folds_case = letter_codes(options_.matrix).folds_case();
        trace_.walks = options_.task >= alignment_task::starts;
        trace_.writes = options_.task == alignment_task::path;
        for (int k = 0; k < 2; ++k) {
            trace_.ends[k] = answers.columns.data() + (1 + k) * job_.count;
            trace_.begins[k] = answers.columns.data() + (3 + k) * job_.count;
        }
        trace_.runs = answers.runs.data();
        trace_.run_counts = answers.counts.data();
        scores_ = answers.columns.data();
    }

    void launch() {
        std::uint32_t first = 0;
        if (packed_) first = launch_shapes();
        for (const bool of_64_bits : {false, true}) {
            const word count = sizes_.of_class[wide_class + (of_64_bits ? 1 : 0)];
            if (count > 0) launch_wide_pairs(first, count, of_64_bits);
            first += count;
        }
        if (const word count = sizes_.of_class[long_class]; count > 0) launch_long(first, count);
    }

    [[nodiscard]] traced_work traced_part(const word* table) const {
        traced_work work{};
        work.packed = packed_part(table);
        work.trace = trace_;
        work.carry_rows = 1;
        return work;
    }
    int launch_traced(const traced_work& work, int shape, bool of_long, unsigned blocks) const {
        return (price_.local        ? launch_traced_local
                : price_.target_end ? launch_traced_tailed
                                    : launch_traced_global)(work, shape, of_long, blocks, c_);
    }

    /// Returns how many pairs are done.
    std::uint32_t launch_shapes() {
        const cuda::uploaded<word> table(c_, packed_table());
        traced_work work = traced_part(table.data());
        std::uint32_t pairs = 0;
        for (int shape = 0; shape < most_shapes; ++shape) {
            pairs = take_shape(work.packed, shape, pairs);
            const word tasks = work.packed.first_task[widths];
            if (tasks == 0) continue;
            const index_t steps = trace_.walks ? sizes_.longest_of_shape[shape] + 2 * warp_size : 0;
            work.bits_pitch = steps * bits_of_step(shape);
            const unsigned blocks =
                blocks_for(tasks, 4 * work.bits_pitch, traced_bytes, launch_traced(work, shape, false, 0));
            const cuda::scratch<word> bits(c_, work.bits_pitch * blocks, "the decisions of cells");
            work.bits = bits.data();
            launch_traced(work, shape, false, blocks);
        }
        return pairs;
    }

    void launch_long(std::uint32_t first, word count) {
        const cuda::uploaded<word> table(c_, packed_table());
        traced_work work = traced_part(table.data());
        std::fill(work.packed.first_pair, work.packed.first_pair + widths + 1, first + count);
        std::fill(work.packed.first_task, work.packed.first_task + widths + 1, count);
        work.packed.first_pair[0] = first;
        work.packed.first_task[0] = 0;
        work.packed.ticket = tickets_->data() + long_class;
        work.packed.carry_pitch = sizes_.longest_long;
        const shape_policy& policy = traced_shapes[0].policy;
        const int shape = long_shapes[may_trace_with(policy.words[long_shapes[1]]) ? 1 : 0];
        const index_t rows_of_strip = index_t{2} * policy.words[shape] * warp_size;
        if (trace_.walks)
            work.carry_rows = static_cast<int>((sizes_.most_long_rows + rows_of_strip - 1) / rows_of_strip);
        work.bits_pitch = trace_.walks ? (recorded_columns + 2 * warp_size) * bits_of_step(shape) : 0;
        const index_t carries = work.packed.carry_pitch * work.carry_rows;
        const unsigned blocks = blocks_for(count, 4 * (work.bits_pitch + carries), traced_bytes,
                                           launch_traced(work, shape, true, 0));
        const cuda::scratch<word> kept(c_, carries * blocks, "the last rows of strips"),
            bits(c_, work.bits_pitch * blocks, "the decisions of cells");
        work.packed.carries = kept.data();
        work.bits = bits.data();
        launch_traced(work, shape, true, blocks);
    }

    void launch_wide_pairs(std::uint32_t first, word count, bool of_64_bits) {
        const cuda::uploaded<std::int32_t> table(c_, letters_.table);
        wide_work work = wide_part(table.data(), first, count);
        work.trace = trace_;
        constexpr index_t rows_of_strip = index_t{wide_depth} * warp_size;
        if (trace_.walks) work.carry_rows = (sizes_.most_wide_rows + rows_of_strip - 1) / rows_of_strip;
        work.bits_pitch = trace_.walks ? (recorded_columns + warp_size) * warp_size : 0;
        const index_t carries = 2 * work.carry_pitch * work.carry_rows;
        const unsigned blocks = blocks_for(count, 8 * carries + 4 * work.bits_pitch, traced_bytes);
        const cuda::scratch<std::int64_t> kept(c_, carries * blocks, "the last rows of strips");
        const cuda::scratch<word> bits(c_, work.bits_pitch * blocks, "the decisions of cells");
        work.carries = kept.data();
        work.bits = bits.data();
        work.ticket = tickets_->data() + most_shapes + (of_64_bits ? 1 : 0);
        launch_wide(work, of_64_bits, true, blocks, c_.stream());
    }

    /// Appends to the columns of the host.
    void fetch(const part_answers& answers, const cuda::scratch<index_t>& first_run,
               const cuda::scratch<word>& gathered) {
        const auto copied = [&](void* to, const void* from, std::size_t bytes) {
            cuda::queue_bytes(c_, to, from, static_cast<index_t>(bytes));
        };
        std::vector<index_t>* const columns[5] = {&out_.score, &out_.query_end, &out_.target_end,
                                                  &out_.query_begin, &out_.target_begin};
        const auto of_column = static_cast<std::size_t>(job_.count) * sizeof(index_t);
        for (int k = 0; k < (trace_.walks ? 5 : 3); ++k)
            if (!columns[k]->empty())
                copied(columns[k]->data() + first_pair_, answers.columns.data() + k * job_.count, of_column);
        if (!trace_.writes) return;
        const index_t before = out_.first_run[static_cast<std::size_t>(first_pair_)];
        out_.runs.resize(static_cast<std::size_t>(before + gathered.size()));
        copied(out_.runs.data() + before, gathered.data(),
               static_cast<std::size_t>(gathered.size()) * sizeof(word));
        index_t* const offsets = out_.first_run.data() + first_pair_ + 1;
        copied(offsets, first_run.data() + 1, of_column);
        c_.synchronize();
        for (index_t k = 0; k < job_.count; ++k) offsets[k] += before;
    }

    pair_alignments& out_;
    const index_t first_pair_;
    trace_work trace_{};
};

/// Where parts of a batch begin and end whose runs fit in memory whatever they are: a path has at most a run
/// a symbol. Offsets that do not ascend are in one part, which refuses them.
std::vector<index_t> parts_of(const align_pairs_job& job) {
    constexpr index_t most_symbols = index_t{1} << 28;  // of both sides
    const cuda::context c(job.where);
    std::vector<index_t> offsets[2];
    for (const std::size_t side : {0u, 1u}) {
        offsets[side].resize(static_cast<std::size_t>(job.count + 1));
        cuda::read_back(c, offsets[side].data(), (side == 0 ? job.query : job.target).offsets,
                        offsets[side].size() * sizeof(index_t));
    }
    const auto symbols_before = [&](index_t k) {
        return offsets[0][static_cast<std::size_t>(k)] + offsets[1][static_cast<std::size_t>(k)];
    };
    std::vector<index_t> parts{0};
    const bool ascend = std::is_sorted(offsets[0].begin(), offsets[0].end()) &&
                        std::is_sorted(offsets[1].begin(), offsets[1].end());
    for (index_t k = 1; ascend && k < job.count; ++k)
        if (symbols_before(k + 1) - symbols_before(parts.back()) > most_symbols) parts.push_back(k);
    parts.push_back(job.count);
    return parts;
}

void run(align_pairs_job& job) {
    if (job.count == 0) return;
    const base::stopwatch copied;
    const std::vector<index_t> parts = parts_of(job);
    job.run->transfer_seconds = copied.seconds();
    for (std::size_t p = 0; p + 1 < parts.size(); ++p) {
        const index_t first = parts[p], count = parts[p + 1] - first;
        batch_side query = job.query, target = job.target;
        query.offsets += first;
        target.offsets += first;
        const alignment_batch_job pairs{job.where, query, target, count, job.options, nullptr, job.run};
        const call_job call{pairs, count, count, false};
        path_call(call, *job.result, first).run();
    }
}

}  // namespace

extern constinit const catalogue::row<align_pairs_job> align_pairs_cuda_binned{
    "cuda/binned",
    "as align_batch, with four bits a cell of which the path is walked back, or rows of strips kept first",
    run};

}  // namespace wale::wavefront
