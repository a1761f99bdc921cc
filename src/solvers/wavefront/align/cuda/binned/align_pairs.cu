// align_pairs - ends, starts and paths of a batch of pairs: the classes of binned.cu, and kernels that record
// the decisions of their cells and walk back through them. Pairs of one strip of rows are swept once, longer
// ones twice. Batches are done in parts whose runs fit in memory, and the paths of a part go to the host
// while the next part is computed.
#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <wale/pair_alignments.hpp>

#include "base/large_pages.hpp"
#include "base/pool.hpp"
#include "cuda/forked_streams.cuh"
#include "cuda/staged_copy.cuh"
#include "cuda/uploaded.cuh"
#include "solvers/wavefront/align/cuda/binned/call.cuh"
#include "solvers/wavefront/align/cuda/binned/traced_plan.cuh"
#include "solvers/wavefront/align/shared/codes.hpp"
#include "solvers/wavefront/align/shared/pairwise.hpp"
#include "tuning/override.hpp"
#include "wale/error.hpp"

namespace wale::wavefront {
namespace {

using namespace binned;

/// Pairs [first, first + count) and their answers on the device, until they are fetched.
struct part_answers {
    part_answers(const cuda::context& c, index_t first_pair, index_t pairs, bool with_paths)
        : first(first_pair), count(pairs), columns(c, 5 * pairs), first_run(c, with_paths ? pairs + 1 : 0) {}
    index_t first, count;
    cuda::scratch<index_t> columns;           // score, ends of query and target, begins of both
    cuda::scratch<index_t> first_run;         // count + 1
    std::optional<cuda::scratch<word>> runs;  // one after the other
};

/// Of all parts so far.
struct part_totals {
    double kernel_seconds = 0;
    word of_class[class_count] = {};  // pairs
};

class path_call : batch_call {
public:
    path_call(const call_job& job, part_answers& to, part_totals& totals)
        : batch_call(job), answers_(to), totals_(totals) {}

    void run() {
        cuda::timer whole(c_);
        const bool paths = options_.task == alignment_task::path;
        const index_t symbols = last_[0] - first_[0] + last_[1] - first_[1];
        const cuda::scratch<word> counts(c_, paths ? job_.count : 0),
            runs(c_, paths ? symbols : 0, "the paths of a part of the batch");
        set_trace(counts.data(), runs.data());
        prepare(&trace_);
        if (trace_.writes && sizes_.longest >= 1 << (32 - run_shift))
            throw bad_argument("query, target: a sequence of " + std::to_string(sizes_.longest) +
                               " symbols, expected fewer than 2^28 of a batch of paths");
        cuda::timer kernels(c_);
        launch();
        totals_.kernel_seconds += kernels.stop();
        if (trace_.writes) {
            answers_.runs.emplace(c_, scan_runs(c_, counts.data(), job_.count, answers_.first_run.data()));
            gather_runs(c_, input_, trace_, answers_.first_run.data(), answers_.runs->data());
        }
        job_.run->compute_seconds += whole.stop();
        job_.run->work += cells();
        for (int k = 0; k < class_count; ++k) sizes_.of_class[k] = totals_.of_class[k] += sizes_.of_class[k];
        job_.run->policy = described(totals_.kernel_seconds) +
                           " of_several_strips=" + std::to_string(sizes_.of_class[long_class]);
    }

private:
    void set_trace(word* counts, word* runs) {
        trace_.bytes = job_.query.bytes;
        const bool coded = trace_.bytes == 1;  // offsets of wider symbols count from their first element
        trace_.query = static_cast<const char*>(job_.query.data) + (coded ? first_[0] : 0);
        trace_.target = static_cast<const char*>(job_.target.data) + (coded ? first_[1] : 0);
        trace_.first_run = coded ? 0 : first_[0] + first_[1];
        if (!options_.matrix.by_equality()) trace_.folds_case = letter_codes(options_.matrix).folds_case();
        trace_.walks = options_.task >= alignment_task::starts;
        trace_.writes = options_.task == alignment_task::path;
        for (int k = 0; k < 2; ++k) {
            trace_.ends[k] = answers_.columns.data() + (1 + k) * job_.count;
            trace_.begins[k] = answers_.columns.data() + (3 + k) * job_.count;
        }
        trace_.runs = runs;
        trace_.run_counts = counts;
        scores_ = answers_.columns.data();
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

    part_answers& answers_;
    part_totals& totals_;
    trace_work trace_{};
};

/// first_of[p], 1 <= p < parts: the first pair before which are p * share symbols of both sides or more.
/// first_of[0] becomes 1 where offsets do not ascend, and is 0 before.
__global__ void __launch_bounds__(pass_threads)
    find_parts(const index_t* query, const index_t* target, index_t count, index_t share, index_t parts,
               index_t* first_of) {
    const index_t first = index_t{blockIdx.x} * blockDim.x + threadIdx.x,
                  step = index_t{gridDim.x} * blockDim.x;
    for (index_t k = first; k < count; k += step)
        if (query[k] > query[k + 1] || target[k] > target[k + 1]) first_of[0] = 1;  // all write the same
    for (index_t p = 1 + first; p < parts; p += step) {
        index_t low = 0, high = count;
        while (low < high) {
            const index_t middle = low + (high - low) / 2;
            const bool before = query[middle] - query[0] + target[middle] - target[0] < p * share;
            (before ? low : high) = before ? middle + 1 : middle;
        }
        first_of[p] = low;
    }
}

/// Where parts of a batch begin and end whose runs fit in memory whatever they are: a path has at most a run
/// a symbol. Paths are in a few parts more, so that those of most parts are copied beside the computation of
/// others. Offsets that do not ascend are in one part, which refuses them.
std::vector<index_t> parts_of(const cuda::context& c, const align_pairs_job& job) {
    constexpr index_t most_symbols = index_t{1} << 28, overlapped = 6;  // of both sides; parts
    // Fewer pairs end unevenly (untuned).
    const auto least_pairs = static_cast<index_t>(
        std::max<std::size_t>(tuning::overridden("wavefront/align/part", std::size_t{1} << 30, 50'000), 1));
    index_t ends[4];
    for (const auto& [to, from] : {std::pair{ends, job.query.offsets}, {ends + 2, job.target.offsets}})
        for (const index_t last : {index_t{0}, index_t{1}})
            cuda::check(cudaMemcpyAsync(to + last, from + last * job.count, sizeof *to, cudaMemcpyDefault,
                                        c.stream()));
    c.synchronize();
    const index_t symbols = ends[1] - ends[0] + ends[3] - ends[2];
    const index_t wanted =
        job.options->task == alignment_task::path ? std::min(overlapped, job.count / least_pairs) : 1;
    const index_t parts = std::clamp<index_t>(std::max(wanted, symbols / most_symbols + 1), 1, job.count);
    const cuda::scratch<index_t> found(c, parts);
    found.fill_bytes(0);
    if (parts > 1) {
        const index_t blocks = std::min<index_t>(c.multiprocessors(), job.count / pass_threads + 1);
        find_parts<<<static_cast<unsigned>(blocks), pass_threads, 0, c.stream()>>>(
            job.query.offsets, job.target.offsets, job.count, symbols / parts + 1, parts, found.data());
        cuda::check_launch();
    }
    std::vector<index_t> first(static_cast<std::size_t>(parts));
    found.to_host(first.data());
    if (first[0] != 0) first = {0};
    first.push_back(job.count);
    return first;
}

/// Parts in turn: while one is computed by the caller's thread on the caller's stream, the answers of the one
/// before go to the host on streams of their own, the paths by one thread and the other columns by another.
class part_line {
public:
    explicit part_line(align_pairs_job& job) : job_(job), c_(job.where) {}

    void run() {
        const std::vector<index_t> first = parts_of(c_, job_);
        std::optional<cuda::forked_streams> beside;
        if (first.size() > 2) beside.emplace(c_, 2);
        for (std::size_t p = 0; p + 1 < first.size(); ++p) {
            if (first[p] == first[p + 1]) continue;
            next_ = std::make_unique<part_answers>(c_, first[p], first[p + 1] - first[p], writes());
            done_ ? compute_and_fetch(*beside) : compute();
            done_ = std::move(next_);
        }
        if (beside) {
            compute_and_fetch(*beside);
        } else {
            const base::stopwatch watch;
            fetch_columns(c_);
            fetch_paths(c_);
            job_.run->transfer_seconds += watch.seconds();
        }
        job_.run->policy += " parts=" + std::to_string(first.size() - 1);
    }

private:
    [[nodiscard]] bool writes() const { return job_.options->task == alignment_task::path; }

    void compute() {
        batch_side query = job_.query, target = job_.target;
        query.offsets += next_->first;
        target.offsets += next_->first;
        const alignment_batch_job pairs{job_.where,   query,   target,  next_->count,
                                        job_.options, nullptr, job_.run};
        const call_job call{pairs, next_->count, next_->count, false};
        path_call(call, *next_, totals_).run();
    }

    /// Computes next_, if there is one, and fetches done_.
    void compute_and_fetch(const cuda::forked_streams& beside) {
        struct three_works {
            part_line& line;
            const cuda::forked_streams& streams;
            std::exception_ptr errors[3];
            double seconds[3];
            void run(int k) noexcept {
                const base::stopwatch watch;
                try {
                    if (k == 0) {
                        if (line.next_) line.compute();
                    } else {
                        const cuda::context here(
                            on_cuda{.device = line.c_.device(), .stream = streams[k - 1]});
                        k == 1 ? line.fetch_paths(here) : line.fetch_columns(here);
                    }
                } catch (...) {
                    errors[k] = std::current_exception();
                }
                seconds[k] = watch.seconds();
            }
        } all{*this, beside, {}, {}};
        try {
            base::run_on_pool(
                3, [](void* w, int k) { static_cast<three_works*>(w)->run(k); }, &all);
        } catch (const out_of_memory&) {  // the system refuses a thread
            for (const int k : {0, 1, 2}) all.run(k);
        }
        for (const std::exception_ptr& e : all.errors)
            if (e) std::rethrow_exception(e);
        job_.run->transfer_seconds += std::max(all.seconds[1], all.seconds[2]);
    }

    template <class T>
    static void copy(const cuda::context& c, T* to, const T* from, index_t count) {
        cuda::queue_bytes(c, to, from, count * index_t{sizeof(T)});
    }
    /// What each pair of done_ has one of.
    void fetch_columns(const cuda::context& c) {
        const part_answers& part = *done_;
        pair_alignments& out = *job_.result;
        column<index_t>* const columns[5] = {&out.score, &out.query_end, &out.target_end, &out.query_begin,
                                             &out.target_begin};
        for (int k = 0; k < 5; ++k)
            if (!columns[k]->empty())
                copy<index_t>(c, columns[k]->data() + part.first, part.columns.data() + k * part.count,
                              part.count);
        c.synchronize();
    }
    /// Appends the paths of done_.
    void fetch_paths(const cuda::context& c) {
        if (!writes()) return;
        const part_answers& part = *done_;
        pair_alignments& out = *job_.result;
        index_t* const offsets = out.first_run.data() + part.first + 1;
        copy<index_t>(c, offsets, part.first_run.data() + 1, part.count);
        const index_t before = offsets[-1];
        make_room(before + part.runs->size());
        copy<word>(c, out.runs.data() + before, part.runs->data(), part.runs->size());
        c.synchronize();
        for (index_t k = 0; k < part.count; ++k) offsets[k] += before;
    }
    /// For so many runs; at first for as many as all pairs have by those that are done, since a longer column
    /// moves.
    void make_room(index_t wanted) {
        column<word>& runs = job_.result->runs;
        const auto size = static_cast<std::size_t>(wanted);
        if (runs.capacity() < size) {
            const double done = static_cast<double>(done_->first + done_->count),
                         all = static_cast<double>(job_.count);
            runs.reserve(
                std::max(size, static_cast<std::size_t>(1.05 * all / done * static_cast<double>(wanted))));
            base::wish_large_pages(runs.data(), runs.capacity() * sizeof(word));
        }
        runs.resize(size);
    }

    align_pairs_job& job_;
    const cuda::context c_;
    part_totals totals_;
    std::unique_ptr<part_answers> next_, done_;  // computed, fetched
};

void run(align_pairs_job& job) {
    if (job.count > 0) part_line(job).run();
}

}  // namespace

extern constinit const catalogue::row<align_pairs_job> align_pairs_cuda_binned{
    "cuda/binned",
    "as align_batch, with four bits a cell of which the path is walked back, or rows of strips kept first",
    run};

}  // namespace wale::wavefront
