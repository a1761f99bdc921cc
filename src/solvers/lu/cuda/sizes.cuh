// sizes - which matrices of a batch go through one launch, and with how many warps and right-hand sides a
// block.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "cuda/stream.cuh"
#include "solvers/lu/jobs.hpp"
#include "tuning/override.hpp"

namespace wale::lu::batched {

struct substitute_policy {
    int largest;  // rows
    int warps;    // of a block, at most: one for each 32 rows is enough
    int columns;  // right-hand sides in shared memory at a time, at most
};
/// The first row that holds the matrix.
inline constexpr tuning::row<substitute_policy> substitute_policies[] = {
    {0, 0, {32, 1, 32}, "untuned"},  {0, 0, {64, 2, 32}, "untuned"},  {0, 0, {128, 4, 32}, "untuned"},
    {0, 0, {256, 8, 32}, "untuned"}, {0, 0, {512, 8, 16}, "untuned"}, {0, 0, {1024, 8, 16}, "untuned"},
    {0, 0, {4096, 8, 8}, "untuned"},
};

/// From how many matrices on `automatic` takes a batch of them.
struct substitute_batch_policy {
    int largest;
    int least_count;
};
inline constexpr tuning::row<substitute_batch_policy> substitute_batch_policies[] = {
    {0, 0, {32, 1}, "untuned"},   {0, 0, {256, 2}, "untuned"},  {0, 0, {1024, 16}, "untuned"},
    {0, 0, {2048, 4}, "untuned"}, {0, 0, {4096, 8}, "untuned"},
};

inline constexpr index_t most_inverted_rows = 1024;
inline constexpr index_t most_solved_rows = 4096;

struct size_class {
    substitute_policy policy{};
    int rows = 0;                       // of the largest
    index_t right_sides = 0;            // the most
    std::vector<std::int32_t> numbers;  // of a list; empty: all of a uniform batch
    [[nodiscard]] int columns() const {
        return static_cast<int>(std::clamp<index_t>(right_sides, 1, policy.columns));
    }
    [[nodiscard]] int warps() const { return std::clamp((rows + 31) / 32, 1, policy.warps); }
    [[nodiscard]] index_t count(index_t of_batch) const {
        return numbers.empty() ? of_batch : std::ssize(numbers);
    }
    [[nodiscard]] std::string text() const {
        return "warps=" + std::to_string(warps()) + ",columns=" + std::to_string(columns());
    }
};

[[nodiscard]] inline int substitute_policy_for(index_t rows) {
    int i = 0;
    while (i + 1 < std::ssize(substitute_policies) && rows > substitute_policies[i].policy.largest) ++i;
    return i;
}

/// right_sides(i): of matrix i.
template <class M, class F>
[[nodiscard]] std::vector<size_class> size_classes(const batch_of<M>& all, F&& right_sides) {
    if (all.count() == 0) return {};
    const auto add = [&](size_class& to, index_t i, int policy) {
        to.policy = substitute_policies[policy].policy;
        to.rows = std::max(to.rows, static_cast<int>(all[i].rows));
        to.right_sides = std::max<index_t>(to.right_sides, right_sides(i));
    };
    if (!all.listed()) {
        size_class one;
        add(one, 0, substitute_policy_for(all.uniform().rows));
        return {one};
    }
    std::map<int, size_class> sorted;
    for (index_t i = 0; i < all.count(); ++i) {
        const int policy = substitute_policy_for(all[i].rows);
        add(sorted[policy], i, policy);
        sorted[policy].numbers.push_back(static_cast<std::int32_t>(i));
    }
    std::vector<size_class> out;
    for (auto& entry : sorted) out.push_back(std::move(entry.second));
    return out;
}

/// The numbers of all classes, one class after the other, on the device.
class order_on_device {
public:
    order_on_device(const cuda::context& c, const std::vector<size_class>& all) : memory_(c, total(all)) {
        std::vector<std::int32_t> numbers;
        for (const size_class& s : all) numbers.insert(numbers.end(), s.numbers.begin(), s.numbers.end());
        if (!numbers.empty())  // from pageable memory: the copy has left `numbers` when the call returns
            cuda::check(cudaMemcpyAsync(memory_.data(), numbers.data(), numbers.size() * sizeof(numbers[0]),
                                        cudaMemcpyHostToDevice, c.stream()));
        next_ = memory_.data();
    }
    /// Where the next class begins; null for all of a uniform batch.
    [[nodiscard]] const std::int32_t* take(const size_class& s) {
        const std::int32_t* const at = next_;
        if (s.numbers.empty()) return nullptr;
        next_ += s.numbers.size();
        return at;
    }

private:
    static index_t total(const std::vector<size_class>& all) {
        index_t sum = 0;
        for (const size_class& s : all) sum += std::ssize(s.numbers);
        return sum;
    }
    cuda::scratch<std::int32_t> memory_;
    const std::int32_t* next_ = nullptr;
};

[[nodiscard]] inline bool suits_batch(index_t rows, index_t count) {
    for (const auto& row : substitute_batch_policies)
        if (rows <= row.policy.largest) return count >= row.policy.least_count;
    return false;
}

}  // namespace wale::lu::batched
