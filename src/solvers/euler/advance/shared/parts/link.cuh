// link - records on their way from one device to another: written straight into the other's memory where
// devices reach each other's, else packed, copied and unpacked, which the driver takes through the host where
// it must.
#pragma once

#include <array>
#include <vector>

#include "cuda/device_array.cuh"
#include "solvers/euler/advance/shared/parts/flow_part.cuh"

namespace wale::euler {

/// Lets kernels of one device store into memory of another, as far as the machine can; whether they may.
[[nodiscard]] bool reach(int from, int to);

/// Some records, with a number on either device.
class record_link {
public:
    struct numbers {
        const std::vector<std::int32_t>&from, &to;
    };
    /// `bytes`: of a record, the most. `stores`: straight, where reach() says so.
    record_link(const on_cuda& from, const on_cuda& to, const numbers& records, index_t bytes, bool stores);

    /// Queues on `from`. `turn` is 0 and 1 in turn: what was sent two turns ago was received.
    void queue_send(const cuda::context& from, const written_records& records, const written_records& there,
                    int turn) const;
    /// Queues on `to`, behind the send.
    void queue_receive(const cuda::context& to, const written_records& records, int turn) const;

private:
    bool stores_;
    int to_device_;
    cuda::device_array<std::int32_t> from_, to_;  // `to_` on the device that uses it
    std::array<cuda::device_array<char>, 2> packed_, arrived_;
};

}  // namespace wale::euler
