// long_pairs - the host reads the offsets where the longest pair may be worth that, and weighs seconds.
#include "solvers/wavefront/batch/shared/long_pairs.cuh"

#include <algorithm>
#include <string>
#include <vector>

#include "cuda/staged_copy.cuh"

namespace wale::wavefront::batch {
namespace {

/// What a pair takes in a call of its own, and in a batch.
struct long_policy {
    double call, column;       // seconds: of a call, and more for each column of the longer side
    double of_pair;            // cells a second of a call for one pair
    double batch;              // seconds of a batch beside its pairs
    double of_warp, of_batch;  // cells a second of a warp that has one pair, of all warps
};

inline constexpr tuning::row<long_policy> lengths[] = {
    {0, 0, {2e-4, 13e-9, 150e12, 5e-4, 0.137e12, 90e12}, "untuned"},
};
inline constexpr tuning::row<long_policy> distances[] = {
    {0, 0, {2e-4, 30e-9, 45e12, 5e-4, 0.078e12, 50e12}, "untuned"},
};

struct pair_size {
    index_t k;
    double rows, columns;  // rows <= columns
    [[nodiscard]] double cells() const { return rows * columns; }
};

double seconds_alone(const long_policy& by, const pair_size& p) {
    return by.call + by.column * p.columns + p.cells() / by.of_pair;
}
/// Whether a pair may be worth a call of its own, and the reading of so many pairs' offsets.
bool may_be_long(const long_policy& by, const pair_size& p, index_t read) {
    constexpr double of_offsets = 8e-9;  // seconds a pair
    return p.cells() / by.of_warp > 2 * (seconds_alone(by, p) + of_offsets * static_cast<double>(read));
}

/// The numbers, ascending, of the candidates that are computed one by one, of a batch of `count` pairs and so
/// many cells.
std::vector<index_t> choose(const long_policy& by, std::vector<pair_size> candidates, double cells,
                            index_t count) {
    std::sort(candidates.begin(), candidates.end(),
              [](const pair_size& a, const pair_size& b) { return a.cells() > b.cells(); });
    double alone = 0;
    // Each batch between long pairs may have one of the longest that are left.
    const auto seconds = [&](std::size_t taken) {
        const double longest = taken < candidates.size() ? candidates[taken].cells() / by.of_warp : 0;
        const auto batches = static_cast<double>(
            std::min(static_cast<index_t>(taken) + 1, count - static_cast<index_t>(taken)));
        return alone + cells / by.of_batch + batches * (by.batch + longest);
    };
    double least = 0.8 * seconds(0);
    std::size_t best = 0;
    for (std::size_t taken = 0; taken < candidates.size();) {
        alone += seconds_alone(by, candidates[taken]);
        cells -= candidates[taken].cells();
        ++taken;
        if (seconds(taken) >= least) continue;
        least = seconds(taken);
        best = taken;
    }
    std::vector<index_t> numbers;
    for (std::size_t i = 0; i < best; ++i) numbers.push_back(candidates[i].k);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

/// A side of the batch, whose offsets the host has.
class side {
public:
    side(const cuda::context& c, const pairs& in, bool of_b)
        : data_(static_cast<const char*>(of_b ? in.b : in.a)),
          bytes_(in.bytes),
          offsets_(static_cast<std::size_t>(in.sequences(of_b) + 1)) {
        cuda::queue_bytes(c, offsets_.data(), of_b ? in.b_offsets : in.a_offsets,
                          std::ssize(offsets_) * index_t{sizeof(index_t)});
        c.synchronize();
    }
    [[nodiscard]] symbols operator[](index_t k) const {
        const index_t* at = offsets_.data() + k;
        return {data_ + at[0] * bytes_, at[1] - at[0], bytes_};
    }

private:
    const char* data_;
    int bytes_;
    std::vector<index_t> offsets_;
};

index_t answer_alone(const execution& where, bool edit, const symbols& a, const symbols& b, report& all) {
    report mine;
    index_t found = 0;
    if (edit) {
        edit_distance_job job{where, a, b, -1, 0, &mine};
        catalogue::select(edit_distance_rows(), backend::cuda, "cuda/strips", job).run(job);
        found = job.distance;
    } else {
        lcs_length_job job{where, a, b, 0, &mine};
        catalogue::select(lcs_length_rows(), backend::cuda, "cuda/strips", job).run(job);
        found = job.length;
    }
    all.work += static_cast<double>(a.size) * static_cast<double>(b.size);
    all.compute_seconds += mine.compute_seconds;
    all.bytes += mine.bytes;
    return found;
}

void put(const cuda::context& c, const request& what, const pair_numbers& at, index_t found) {
    const bool beyond = what.bound >= 0 && found > what.bound;
    const auto answer = static_cast<std::int32_t>(beyond ? what.bound + 1 : found);
    const auto store = [&](index_t place) {
        cuda::check(
            cudaMemcpyAsync(what.answers + place, &answer, sizeof answer, cudaMemcpyDefault, c.stream()));
    };
    store(what.input.queries == 0 ? at.a : at.a * what.pitch + at.b);
    if (what.input.mirrored) store(at.b * what.pitch + at.a);
    c.synchronize();  // before `answer` is gone
}

request part_of(request what, index_t begin, index_t end) {
    what.input.count = end - begin;
    if (what.input.queries > 0) {
        what.input.first += begin;
    } else {
        what.input.a_offsets += begin;
        what.input.b_offsets += begin;
        what.answers += begin;
    }
    return what;
}

}  // namespace

bool run_long_pairs(const cuda::context& c, const execution& where, const request& what,
                    const findings& found, report& run, const std::function<void(const request&)>& rest) {
    const pairs& in = what.input;
    const long_policy& by = (what.edit ? distances : lengths)[0].policy;
    const auto size = [](index_t k, const index_t m, const index_t n) {
        return pair_size{k, static_cast<double>(std::min(m, n)), static_cast<double>(std::max(m, n))};
    };
    if (!may_be_long(by, size(0, found.most_rows, found.most_columns), in.count)) return false;
    const side a(c, in, false), b(c, in, true);
    std::vector<pair_size> candidates;
    for (index_t k = 0; k < in.count; ++k) {
        const pair_numbers at = numbers_of(in, k);
        const pair_size p = size(k, a[at.a].size, b[at.b].size);
        if (may_be_long(by, p, 0)) candidates.push_back(p);
    }
    const double cells =
        0x1p32 * static_cast<double>(found.cells_high) + static_cast<double>(found.cells_low);
    const std::vector<index_t> alone = choose(by, std::move(candidates), cells, in.count);
    index_t begin = 0;
    for (const index_t k : alone) {
        if (k > begin) rest(part_of(what, begin, k));
        const pair_numbers at = numbers_of(in, k);
        put(c, what, at, answer_alone(where, what.edit, a[at.a], b[at.b], run));
        begin = k + 1;
    }
    if (alone.empty()) return false;
    if (begin < in.count) rest(part_of(what, begin, in.count));
    run.policy += (run.policy.empty() ? "" : " ") + ("long_pairs=" + std::to_string(alone.size()));
    return true;
}

}  // namespace wale::wavefront::batch
