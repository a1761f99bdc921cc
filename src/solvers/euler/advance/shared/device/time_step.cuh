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

/// The time of global or fixed steps; nothing where steps are local.
class kept_time {
public:
    [[nodiscard]] bool has_time() const { return time_.size() > 0; }
    /// Null where steps are local.
    [[nodiscard]] const device_time* time() const { return time_.data(); }

    void begin(const cuda::context& on, const flow_time& time) const;
    /// Waits; the iterations done.
    index_t end(const cuda::context& on, flow_time& time) const;

protected:
    kept_time(const cuda::context& on, const euler_scheme& scheme);
    static void queue_infinity(const cuda::context& on, unsigned long long* least);
    /// Queues the least step of cells[0 .. count) of states [cells of all][5] into `least`, which is infinite
    /// before; of all cells of the grid where `cells` is null. `volumes` [cells] in double, as steps of time
    /// are divided by them.
    template <class Real>
    static void queue_least(const cuda::context& on, const plain_grid<Real>& grid, const constants<Real>& k,
                            const Real* states, const double* volumes, const std::int32_t* cells,
                            index_t count, unsigned long long* least);
    /// Queues: takes the fixed step where it is above 0, or the least of `count`, and sets time's own least
    /// step to infinity.
    void queue_take(const cuda::context& on, const unsigned long long* least, index_t count,
                    double fixed_step) const;

    cuda::device_array<device_time> time_;
};

/// Steps of states [cells][5].
template <class Real>
class time_stepper : public kept_time {
public:
    time_stepper(const cuda::context& on, const flow_system& system);
    [[nodiscard]] const double* volumes() const { return volumes_.data(); }

    /// Queues: finds the step of the next iteration and takes it. `of_all`, where it is given, makes the
    /// least step of these cells that of all ranks' cells, on the host.
    void queue_step(const cuda::context& on, const plain_grid<Real>& grid, const constants<Real>& k,
                    const Real* states, const std::function<double(double)>& of_all = {}) const;

private:
    cuda::device_array<double> volumes_;
};

}  // namespace wale::euler
