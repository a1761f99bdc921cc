// run - one batch from the survey to the answers. The host looks twice: after the survey, at the classes;
// after the plan, at how much memory the bit planes need.
#include "solvers/wavefront/batch/shared/plan.cuh"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "solvers/wavefront/batch/shared/sliced.cuh"
#include "solvers/wavefront/batch/shared/sorted.cuh"
#include "tuning/override.hpp"

namespace wale::wavefront::batch {
namespace {

/// The device time of the stages of a call. Marks are only recorded; nothing waits before read().
class stopwatch {
public:
    explicit stopwatch(const cuda::context& c) : device_(c.device()), stream_(c.stream()) {}
    stopwatch(const stopwatch&) = delete;
    stopwatch& operator=(const stopwatch&) = delete;
    ~stopwatch() {
        for (const cuda::event_pair& two : events_) cuda::give_back_events(device_, two);
    }

    /// Ends the stage before, if there is one, and begins the stage called `name`.
    void next(const char* name) {
        const bool first_of_two = marks_.size() % 2 == 0;
        if (first_of_two) events_.push_back(cuda::borrow_events(device_));
        cudaEvent_t event = first_of_two ? events_.back().begin : events_.back().end;
        marks_.push_back({name, event});
        cuda::check(cudaEventRecord(event, stream_));
    }

    /// Waits for all stages. The text is " stage=1.2345ms ..." in order.
    struct reading {
        double seconds;
        std::string text;
    };
    [[nodiscard]] reading read() {
        next("");
        cuda::check(cudaEventSynchronize(marks_.back().event));
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

void run(batch_job& job, bool edit, int log2_lanes) {
    if (job.count == 0) return;
    if (job.count > std::numeric_limits<std::uint32_t>::max() / 2 + index_t{1})
        throw bad_argument("a, b: " + std::to_string(job.count) + " pairs, expected at most 2^31");
    const cuda::context c(job.where);
    stopwatch watch(c);
    request what;
    what.input = {job.a.data, job.b.data, job.a.offsets, job.b.offsets, job.count, job.a.bytes};
    what.answers = job.answers;
    what.bound = edit ? job.bound : -1;
    what.edit = edit;
    const spread_policy policy = spreads[tuning::choose("wavefront/batch/spread", spreads, c.sm(), 0)].policy;

    watch.next("survey");
    const cuda::scratch<findings> on_device(c, 1);
    const cuda::scratch<std::uint32_t> keys(c, job.count), numbers(c, job.count);
    survey(c, what, limits_for(c, policy, job.count, log2_lanes), on_device.data(), keys.data(),
           numbers.data());
    findings found;
    on_device.to_host(&found);
    if (found.first_bad != ~0ull) refuse_offsets(c, what.input, found.first_bad, {"a", "b"});

    watch.next("sort");
    const sorted order(c, key_bits, keys, numbers);

    watch.next("plan");
    const class_table table = table_of(found);
    const index_t warps = table.first_warp[class_count];
    const cuda::scratch<warp_task> tasks(c, warps);
    const cuda::scratch<index_t> words_of(c, warps), sum(c, 1);
    const cuda::scratch<std::uint32_t> task_keys(c, warps), task_order(c, warps);
    encoding e{what.input, order.data(), on_device.data(), tasks.data(), warps, found.shape, nullptr};
    index_t total = 0;
    if (warps > 0) {
        plan_warps(c, e, table,
                   {tasks.data(), words_of.data(), task_keys.data(), task_order.data(), sum.data()});
        sum.to_host(&total);
    }

    const cuda::scratch<word> words(c, total);
    e.words = words.data();
    watch.next("encode");
    if (warps > 0) encode(c, e);

    watch.next("pairs");
    const sliced_work work{what, order.data(), tasks.data(), task_order.data(), warps, words.data()};
    if (warps > 0) (edit ? launch_edit : launch_lcs)(c, found.shape, policy.threads, work);
    const stopwatch::reading time = watch.read();
    job.run->compute_seconds = time.seconds;
    job.run->work = 0x1p32 * static_cast<double>(found.cells_high) + static_cast<double>(found.cells_low);
    job.run->bytes = static_cast<double>(total) * 8;  // written once, read once
    job.run->policy = "planes=" + std::to_string(found.planes) +
                      " threads=" + std::to_string(policy.threads) +
                      " warps=" + std::to_string(policy.warps) + time.text;
}

}  // namespace wale::wavefront::batch
