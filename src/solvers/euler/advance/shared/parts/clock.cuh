// clock - the time of a flow that several devices compute, once on each: all take the least step of all
// cells, so all times are the same.
#pragma once

#include "solvers/euler/advance/shared/device/time_step.cuh"

namespace wale::euler {

/// Of one device.
template <class Real>
class part_clock : public kept_time {
public:
    /// `place`: of this device among all.
    part_clock(const cuda::context& on, const flow_system& system, int place, int devices);
    /// Whether steps are asked of the cells, so that devices ask each other.
    [[nodiscard]] bool asks_cells() const { return least_.size() > 0; }

    /// Queues the least step of cells[0 .. count) of states [cells of all][5]; where there are no cells at
    /// all it is infinite.
    void queue_least(const cuda::context& on, const plain_grid<Real>& grid, const constants<Real>& k,
                     const Real* states, const std::int32_t* cells, index_t count) const;
    /// Queues a copy of that for another device's clock.
    void queue_copy(const cuda::context& on, const part_clock& to) const;
    /// Queues: takes the least of all devices' steps, or the fixed one.
    void queue_take(const cuda::context& on, double fixed_step) const;

private:
    [[nodiscard]] unsigned long long* own_least() const { return least_.data() + place_; }

    index_t place_;
    cuda::device_array<unsigned long long> least_;  // [devices] bits of each device's least step
    cuda::device_array<double> volumes_;            // [cells]
};

}  // namespace wale::euler
