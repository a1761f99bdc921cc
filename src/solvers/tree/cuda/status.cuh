// status - bad pivots found by kernels: the lowest row of each system, and the first of all. Integer atomics
// on the rare path only, and a minimum: the same result in any order.
#pragma once

#include <cstdint>

#include "cuda/stream.cuh"
#include "wale/layout.hpp"

namespace wale::tree {

/// (system, row) as one number; all ones: none.
struct bad_place : cuda::marked {
    unsigned long long number;
};

/// What a kernel is given, by value.
struct device_status {
    bad_place* first;          // of a call_report, or null
    unsigned long long* each;  // [systems] the lowest row, all ones (-1): none; or null

    static constexpr int row_bits = 33;  // rows below 2^33, systems below 2^31
    __device__ void note(index_t system, index_t row) const {
        if (first) {
            const auto place =
                static_cast<unsigned long long>(system) << row_bits | static_cast<unsigned long long>(row);
            if (atomicMin(&first->number, place) > place) cuda::mark_changed(first);
        }
        if (each) atomicMin(each + system, static_cast<unsigned long long>(row));
    }
};

/// The host's side of one call: cleared before the kernels, read after them. An asynchronous
/// call does not report the first of all, since the host reads nothing.
class status_of_call {
public:
    status_of_call(const cuda::context& here, std::int64_t* status, index_t systems, bool asynchronous)
        : first_(here, {{}, none}, asynchronous), each_(status) {
        if (each_ && systems > 0)
            cuda::check(cudaMemsetAsync(each_, 0xff, static_cast<std::size_t>(systems) * sizeof(std::int64_t),
                                        here.stream()));
    }
    [[nodiscard]] device_status on_device() const {
        return {first_.data(), reinterpret_cast<unsigned long long*>(each_)};
    }
    /// For the timer, which waits for them.
    [[nodiscard]] const auto& words() const { return first_; }
    template <class Result>
    void report(Result& result) const {
        const unsigned long long found = first_.read().number;
        if (found == none) return;
        result.first_bad_system = static_cast<index_t>(found >> device_status::row_bits);
        result.first_bad_row = static_cast<index_t>(found & ((1ull << device_status::row_bits) - 1));
    }

private:
    static constexpr unsigned long long none = ~0ull;
    cuda::call_report<bad_place> first_;
    std::int64_t* each_;
};

}  // namespace wale::tree
