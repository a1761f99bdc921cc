// time_step - the time of a flow kept on the device, so that an iteration whose step is the least of all
// cells' waits for nothing on the host.
#pragma once

#include <functional>

#include "cuda/device_array.cuh"
#include "solvers/euler/advance/session.hpp"

namespace wale::euler {

struct device_time {
    flow_time time;
    unsigned long long least;  // bits of the least step so far: those of positive numbers sort as integers
    double taken;              // the step of this iteration
    index_t done;              // iterations of this run
    bool stopped;              // the end was reached before this iteration: nothing may move
};

/// Global or fixed steps of states [cells][5]; nothing to do where steps are local.
template <class Real>
class time_stepper {
public:
    time_stepper(const cuda::context& on, const flow_system& system);
    [[nodiscard]] bool has_time() const { return has_time_; }
    /// Null where steps are local.
    [[nodiscard]] const device_time* time() const { return time_.data(); }
    /// [cells] in double, as steps of time are divided by them.
    [[nodiscard]] const double* volumes() const { return volumes_.data(); }

    void begin(const cuda::context& on, const flow_time& time) const;
    /// Queues: finds the step of the next iteration and takes it. `of_all`, where it is given, makes the
    /// least step of these cells that of all ranks' cells, on the host.
    void queue_step(const cuda::context& on, const plain_grid<Real>& grid, const constants<Real>& k,
                    const Real* states, const std::function<double(double)>& of_all = {}) const;
    /// Waits; the iterations done.
    index_t end(const cuda::context& on, flow_time& time) const;

private:
    bool has_time_;
    cuda::device_array<device_time> time_;
    cuda::device_array<double> volumes_;
};

}  // namespace wale::euler
