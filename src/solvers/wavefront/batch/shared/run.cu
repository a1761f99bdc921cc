// run - one batch from the survey to the answers. The host reads what the survey finds; where pairs are
// not alike, also at the classes and at how much memory the plan's bit planes need.
#include "solvers/wavefront/batch/shared/plan.cuh"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "solvers/wavefront/batch/shared/long_pairs.cuh"
#include "solvers/wavefront/batch/shared/sliced.cuh"
#include "solvers/wavefront/batch/shared/sorted.cuh"
#include "tuning/override.hpp"

namespace wale::wavefront::batch {
namespace {

/// The time of a call; of its stages too where the caller asks for device time. Marks are only recorded;
/// nothing waits before read().
class stopwatch {
public:
    explicit stopwatch(const cuda::context& c)
        : device_(c.device()), stream_(c.stream()), marked_(c.times_on_device()) {}
    stopwatch(const stopwatch&) = delete;
    stopwatch& operator=(const stopwatch&) = delete;
    ~stopwatch() {
        for (const cuda::event_pair& two : events_) cuda::give_back_events(device_, two);
    }

    /// Ends the stage before, if there is one, and begins the stage called `name`.
    void next(const char* name) {
        if (!marked_) return;
        const bool first_of_two = marks_.size() % 2 == 0;
        if (first_of_two) events_.push_back(cuda::borrow_events(device_));
        cudaEvent_t event = first_of_two ? events_.back().begin : events_.back().end;
        marks_.push_back({name, event});
        cuda::check(cudaEventRecord(event, stream_));
    }

    /// Waits for all stages, of which the last has ended. The text is " stage=1.2345ms ..." in order.
    struct reading {
        double seconds;
        std::string text;
    };
    [[nodiscard]] reading read() {
        cuda::check(cudaStreamSynchronize(stream_));
        if (!marked_) return {host_.seconds(), ""};
        reading r{};
        for (std::size_t i = 0; i + 1 < marks_.size(); ++i) {
            float milliseconds = 0;
            cuda::check(cudaEventElapsedTime(&milliseconds, marks_[i].event, marks_[i + 1].event));
            r.seconds += 1e-3 * milliseconds;
            char stage[64];
            (void)std::snprintf(stage, sizeof stage, " %s=%.4fms", marks_[i].name, milliseconds);
            r.text += stage;
        }
        return r;
    }

private:
    struct mark {
        const char* name;
        cudaEvent_t event;
    };
    int device_;
    cudaStream_t stream_;
    bool marked_;
    base::stopwatch host_;
    std::vector<mark> marks_;
    std::vector<cuda::event_pair> events_;
};

/// Lanes for each pair such that `warps` warps have work, if there are enough rows.
spread_limits limits_for(const cuda::context& c, const spread_policy& policy, index_t count, int forced) {
    if (forced >= 0) return {forced, true, policy.least_rows, policy.padded_log2};
    const index_t wanted = index_t{policy.warps} * c.multiprocessors() * warp_lanes / count;
    const int lanes = std::bit_width(static_cast<std::uint64_t>(wanted));
    return {std::min(lanes, most_log2_lanes), false, policy.least_rows, policy.padded_log2};
}

class_table table_of(const findings& found) {
    class_table t{};
    for (int i = 0; i < class_count; ++i) {
        const word capacity = warp_lanes >> log2_lanes_of(i);
        t.first_pair[i + 1] = t.first_pair[i] + found.class_size[i];
        t.first_warp[i + 1] = t.first_warp[i] + (found.class_size[i] + capacity - 1) / capacity;
    }
    return t;
}

}  // namespace

void refuse_offsets(const cuda::context& c, const pairs& all, unsigned long long where,
                    const char* const (&names)[2]) {
    const auto k = static_cast<index_t>(where / 2);
    index_t at[2];
    const index_t* offsets = (where % 2 ? all.b_offsets : all.a_offsets) + k;
    cuda::check(cudaMemcpyAsync(at, offsets, sizeof at, cudaMemcpyDefault, c.stream()));
    c.synchronize();
    throw bad_argument(std::string(names[where % 2]) + ": sequence " + std::to_string(k) + " is [" +
                       std::to_string(at[0]) + ", " + std::to_string(at[1]) +
                       "), expected ascending offsets and fewer than 2^31 symbols");
}

namespace {

/// A batch that is asked for, and what the host decides of it.
class batch_run {
public:
    /// looks: whether long pairs may be computed one by one.
    batch_run(const execution& where, const request& what, int log2_lanes, report& run, bool looks = false)
        : c_(where),
          where_(where),
          what_(what),
          run_(run),
          looks_(looks),
          spread_(spreads[tuning::choose("wavefront/batch/spread", spreads, c_.sm(), 0)].policy),
          alike_(alikes[tuning::choose("wavefront/batch/alike", alikes, c_.sm(), 0)].policy),
          limits_(limits_for(c_, spread_, what.input.count, log2_lanes)) {}

    /// Whether the pairs are few and short enough for one launch.
    bool run_systolic() {
        const systolic_policy few =
            systolics[tuning::choose("wavefront/batch/systolic", systolics, c_.sm(), 0)].policy;
        return what_.input.bytes == 1 && what_.input.count <= few.pairs &&
               batch::run_systolic(c_, what_, run_);
    }

    /// Alike pairs of up to four letters, as a sample of the letters shows, are encoded while the rest
    /// of the letters is looked at: that is a pass over the letters less.
    void run() {
        stopwatch watch(c_);
        watch.next("survey");
        const cuda::scratch<findings> on_device(c_, 1);
        if (may_sample(what_.input)) {
            survey(on_device, true);
            if (takes_long_pairs()) return;
            if (found_.planes <= 2 && are_alike() && has_room(what_.input, alike_tasks()) &&
                run_alike(on_device, watch, true))
                return;
        }
        survey(on_device, false);
        if (!may_sample(what_.input) && takes_long_pairs()) return;
        if (are_alike())
            run_alike(on_device, watch, false);
        else
            run_sorted(on_device, watch);
    }

    /// Each with each; false where the patterns are not alike, or where the planes take more than
    /// `most_words`.
    bool run_crossed(index_t most_words) {
        stopwatch watch(c_);
        watch.next("survey");
        const cuda::scratch<findings> on_device(c_, 1);
        survey(on_device, false);
        const pairs& in = what_.input;
        const auto letters = [&](bool of_b) { return static_cast<double>(found_.letters[of_b ? 1 : 0]); };
        crossed_cells_ =
            in.mirrored ? (letters(true) * letters(true) + cells()) / 2 : letters(false) * letters(true);
        const task_list tasks =
            in.mirrored ? crossed_tasks(false) : fewer(crossed_tasks(false), crossed_tasks(true));
        const double added = taken(tasks) - crossed_cells_;
        if (found_.most_rows == 0 || found_.most_columns == 0 || tasks.alike.strips > 1 ||
            tasks.cross.words() > most_words ||
            added > alike_.cells + alike_.cells_of_pair * static_cast<double>(in.count))
            return false;
        return compute(on_device, watch, tasks, nullptr, tasks.cross.words());
    }

private:
    [[nodiscard]] task_list crossed_tasks(bool patterns_are_a) const {
        const pairs& in = what_.input;
        const shape_policy& shape = shapes[found_.shape].policy;
        const std::int32_t rows = patterns_are_a ? found_.most_rows : found_.most_columns,
                           columns = patterns_are_a ? found_.most_columns : found_.most_rows;
        const int class_ = choose_class(rows, columns, shape, limits_);
        const std::uint32_t capacity = static_cast<word>(warp_lanes) >> log2_lanes_of(class_);
        task_list tasks;
        tasks.alike = task_of(class_, shape, capacity, columns, columns, rows);
        tasks.alike.crossed = true;
        crossing& c = tasks.cross;
        c.patterns_are_a = patterns_are_a;
        c.texts = patterns_are_a ? in.b_offsets : in.a_offsets;
        c.patterns = patterns_are_a ? in.a_offsets : in.b_offsets;
        c.text_count = in.sequences(patterns_are_a);
        c.pattern_count = in.sequences(!patterns_are_a);
        c.groups = (c.pattern_count + capacity - 1) / capacity;
        c.words_of_text = index_t{tasks.alike.chunks} * (shape.planes + 1);
        c.words_of_group = index_t{tasks.alike.rows} * (shape.planes + 1) * warp_size;
        tasks.pairs = in.count;
        tasks.count = c.text_count * c.groups;
        return tasks;
    }
    /// Cells that the tasks go through.
    [[nodiscard]] double taken(const task_list& tasks) const {
        const crossing& c = tasks.cross;
        const double all = static_cast<double>(c.groups) * warp_lanes * tasks.alike.rows *
                           static_cast<double>(found_.letters[c.patterns_are_a ? 1 : 0]);
        return what_.input.mirrored ? all / 2 : all;
    }
    [[nodiscard]] task_list fewer(const task_list& one, const task_list& other) const {
        const bool first = one.alike.strips == 1 && (other.alike.strips > 1 || taken(one) <= taken(other));
        return first ? one : other;
    }

    void survey(const cuda::scratch<findings>& on_device, bool sampled) {
        look(c_, what_.input, on_device.data(), sampled);
        on_device.to_host(&found_);
        if (found_.first_bad != ~0ull) refuse_offsets(c_, what_.input, found_.first_bad, {"a", "b"});
    }

    bool takes_long_pairs() {
        return looks_ && run_long_pairs(c_, where_, what_, found_, run_, [&](const request& between) {
                   batch_run part(where_, between, lanes_by_length, run_);
                   if (!part.run_systolic()) part.run();
               });
    }
    [[nodiscard]] double cells() const {
        return 0x1p32 * static_cast<double>(found_.cells_high) + static_cast<double>(found_.cells_low);
    }
    /// Whether it costs less to take each pair for as large as the largest than to sort the pairs.
    [[nodiscard]] bool are_alike() const {
        if (found_.least_rows == 0) return false;
        const auto count = static_cast<double>(what_.input.count);
        const double taken = count * found_.most_rows * found_.most_columns;
        return taken - cells() <= alike_.cells + alike_.cells_of_pair * count;
    }

    [[nodiscard]] task_list alike_tasks() const {
        const shape_policy& shape = shapes[found_.shape].policy;
        const int class_ = choose_class(found_.most_rows, found_.most_columns, shape, limits_);
        const std::uint32_t capacity = static_cast<word>(warp_lanes) >> log2_lanes_of(class_);
        task_list tasks;
        tasks.alike =
            task_of(class_, shape, capacity, found_.most_columns, found_.least_columns, found_.most_rows);
        tasks.pairs = what_.input.count;
        tasks.count = (what_.input.count + capacity - 1) / capacity;
        tasks.words = words_of(tasks.alike, shape.planes);
        return tasks;
    }

    /// Whether a sample had all letters.
    bool run_alike(const cuda::scratch<findings>& on_device, stopwatch& watch, bool sampled) {
        const task_list tasks = alike_tasks();
        return compute(on_device, watch, tasks, nullptr, tasks.count * tasks.words, sampled);
    }

    void run_sorted(const cuda::scratch<findings>& on_device, stopwatch& watch) {
        watch.next("sort");
        const cuda::scratch<std::uint32_t> keys(c_, what_.input.count), numbers(c_, what_.input.count);
        classify(c_, what_, limits_, on_device.data(), keys.data(), numbers.data());
        cuda::read_back(c_, found_.class_size, on_device.data()->class_size, sizeof found_.class_size);
        const sorted order(c_, key_bits, keys, numbers);
        watch.next("plan");
        const class_table table = table_of(found_);
        const index_t warps = table.first_warp[class_count];
        const cuda::scratch<warp_task> tasks(c_, warps);
        const cuda::scratch<index_t> words_of(c_, warps), sum(c_, 1);
        const cuda::scratch<std::uint32_t> task_keys(c_, warps), task_order(c_, warps);
        const task_list list{tasks.data(), order.data(), warps, what_.input.count, {}, 0, {}};
        index_t total = 0;
        if (warps > 0) {
            plan_warps(c_, {what_.input, list, on_device.data(), found_.shape, nullptr}, table,
                       {tasks.data(), words_of.data(), task_keys.data(), task_order.data(), sum.data()});
            sum.to_host(&total);
        }
        compute(on_device, watch, list, task_order.data(), total);
    }

    /// Whether the planes that `sampled` chose distinguish all letters.
    bool compute(const cuda::scratch<findings>& on_device, stopwatch& watch, const task_list& tasks,
                 const std::uint32_t* task_order, index_t total, bool sampled = false) {
        const cuda::scratch<word> words(c_, total);
        watch.next("encode");
        if (tasks.count > 0)
            encode(c_, {what_.input, tasks, on_device.data(), found_.shape, words.data(), sampled});
        watch.next("pairs");
        const word* wrong = &on_device.data()->wrong;
        const sliced_work work{what_, tasks, task_order, sampled ? wrong : nullptr, words.data()};
        if (tasks.count > 0) (what_.edit ? launch_edit : launch_lcs)(c_, found_.shape, spread_.threads, work);
        watch.next("survey");  // of a second try, if there is one
        if (sampled) {
            cuda::read_back(c_, &found_.wrong, wrong, sizeof found_.wrong);
            if (found_.wrong != 0) return false;
        }
        const stopwatch::reading time = watch.read();
        run_.compute_seconds += time.seconds;
        run_.work += crossed_cells_ > 0 ? crossed_cells_ : cells();
        run_.bytes += static_cast<double>(total) * 8;  // written once, read once
        run_.policy = "planes=" + std::to_string(found_.planes) +
                      " threads=" + std::to_string(spread_.threads) +
                      " warps=" + std::to_string(spread_.warps) + time.text;
        return true;
    }

    const cuda::context c_;
    const execution where_;
    const request what_;
    report& run_;
    const bool looks_;
    const spread_policy spread_;
    const alike_policy alike_;
    const spread_limits limits_;
    findings found_{};
    double crossed_cells_ = 0;  // of each with each in one run
};

/// Symbols, or words of planes, of each with each at a time. For tests, through WALE_TUNING:
/// "wavefront/cross/symbols=1000".
index_t most_symbols_crossed() {
    return static_cast<index_t>(
        tuning::overridden("wavefront/cross/symbols", std::size_t{1} << 31, std::size_t{1} << 28));
}

/// Pairs of one part of each with each.
index_t most_pairs(const cross_job& job) {
    constexpr index_t most = index_t{1} << 24;
    const index_t most_symbols = 4 * most_symbols_crossed();
    const cuda::context c(job.where);
    const auto mean = [&](const batch_side& side, index_t count) {
        index_t ends[2] = {};
        cuda::read_back(c, &ends[0], side.offsets, sizeof ends[0]);
        cuda::read_back(c, &ends[1], side.offsets + count, sizeof ends[1]);
        return count > 0 && ends[1] > ends[0] ? (ends[1] - ends[0]) / count : 0;
    };
    const index_t symbols = mean(job.queries, job.query_count) + mean(job.targets, job.target_count) + 1;
    return std::clamp<index_t>(most_symbols / symbols, 1, most);
}

}  // namespace

void run(batch_job& job, bool edit, int log2_lanes) {
    if (job.count == 0) return;
    if (job.count > std::numeric_limits<std::uint32_t>::max() / 2 + index_t{1})
        throw bad_argument("a, b: " + std::to_string(job.count) + " pairs, expected at most 2^31");
    const pairs input{job.a.data, job.b.data, job.a.offsets, job.b.offsets, job.count, job.a.bytes};
    const request what{input, job.answers, edit ? job.bound : -1, edit};
    const bool by_length = log2_lanes == lanes_by_length;
    batch_run one(job.where, what, log2_lanes, *job.run, by_length);
    if (by_length && one.run_systolic()) return;
    one.run();
}

void run(cross_job& job, bool edit) {
    pairs input{job.queries.data, job.targets.data, job.queries.offsets, job.targets.offsets, 0,
                job.queries.bytes};
    input.queries = job.query_count;
    input.targets = job.target_count;
    input.mirrored = job.symmetric;
    const index_t all =
        job.symmetric ? job.query_count * (job.query_count + 1) / 2 : job.query_count * job.target_count;
    if (all == 0) return;
    job.run->work = 0;
    input.count = all;
    input.by_sides = true;
    const request whole{input, job.answers, edit ? job.cutoff : -1, edit, job.pitch};
    batch_run crossed(job.where, whole, lanes_by_length, *job.run);
    if (crossed.run_systolic() || crossed.run_crossed(most_symbols_crossed())) return;
    input.by_sides = false;
    const index_t part = most_pairs(job);
    for (input.first = 0; input.first < all; input.first += part) {
        input.count = std::min(part, all - input.first);
        const request what{input, job.answers, edit ? job.cutoff : -1, edit, job.pitch};
        batch_run(job.where, what, lanes_by_length, *job.run, true).run();
    }
}

}  // namespace wale::wavefront::batch
