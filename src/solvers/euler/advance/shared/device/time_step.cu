// time_step - the least step of all cells by an integer minimum, which no order of blocks changes; then one
// thread moves the time.
#include "solvers/euler/advance/shared/device/time_step.cuh"

#include "cuda/warp.cuh"
#include "solvers/euler/advance/shared/device/launch.cuh"

namespace wale::euler {
namespace {

constexpr unsigned long long bits_of_infinity = 0x7ff0000000000000ull;

/// NaN has larger bits than infinity and so does not count, as on the host.
template <class Real>
__global__ void find_least(const __grid_constant__ plain_grid<Real> grid,
                           const __grid_constant__ constants<Real> k, const Real* states,
                           const double* volumes, device_time* time) {
    const index_t cell = cell_of_thread();
    unsigned long long least = bits_of_infinity;
    if (cell < grid.cells) {
        const auto own = cell_major_states<Real>{states}.point(cell, k);
        const Real step = step_over_volume(euler_step::global, grid, own, cell, k);
        least =
            static_cast<unsigned long long>(__double_as_longlong(static_cast<double>(step) * volumes[cell]));
    }
    for (int lane = 16; lane > 0; lane /= 2)
        least = min(least, __shfl_xor_sync(cuda::whole_warp, least, lane));
    if (threadIdx.x % 32 == 0) atomicMin(&time->least, least);
}

__global__ void take_step(device_time* time, double fixed) {
    device_time& c = *time;
    c.stopped = c.time.at_end();
    if (c.stopped) return;
    c.taken = c.time.take(fixed > 0 ? fixed : __longlong_as_double(static_cast<long long>(c.least)));
    c.least = bits_of_infinity;
    ++c.done;
}

/// Waits for it.
void replace_least(const cuda::context& on, device_time* time, const std::function<double(double)>& by) {
    double least = 0;
    cuda::check(cudaMemcpyAsync(&least, &time->least, sizeof least, cudaMemcpyDeviceToHost, on.stream()));
    on.synchronize();
    least = by(least);
    cuda::check(cudaMemcpyAsync(&time->least, &least, sizeof least, cudaMemcpyHostToDevice, on.stream()));
    on.synchronize();
}

}  // namespace

template <class Real>
time_stepper<Real>::time_stepper(const cuda::context& on, const flow_system& system)
    : has_time_(system.options.scheme.step == euler_step::global || system.options.scheme.fixed_step > 0) {
    if (!has_time_) return;
    time_ = cuda::device_array<device_time>(1, on.device());
    volumes_ = cuda::device_array<double>(on, system.grid.volume);
}

template <class Real>
void time_stepper<Real>::begin(const cuda::context& on, const flow_time& time) const {
    if (!has_time_) return;
    const device_time c{time, bits_of_infinity, 0, 0, false};
    cuda::check(cudaMemcpyAsync(time_.data(), &c, sizeof c, cudaMemcpyHostToDevice, on.stream()));
    on.synchronize();
}

template <class Real>
void time_stepper<Real>::queue_step(const cuda::context& on, const plain_grid<Real>& grid,
                                    const constants<Real>& k, const Real* states,
                                    const std::function<double(double)>& of_all) const {
    if (!has_time_) return;
    if (!(k.fixed_step > 0)) {
        find_least<<<blocks_of(grid.cells), threads_of_block, 0, on.stream()>>>(
            grid, k, states, volumes_.data(), time_.data());
        cuda::check_launch();
        if (of_all) replace_least(on, time_.data(), of_all);
    }
    take_step<<<1, 1, 0, on.stream()>>>(time_.data(), static_cast<double>(k.fixed_step));
    cuda::check_launch();
}

template <class Real>
index_t time_stepper<Real>::end(const cuda::context& on, flow_time& time) const {
    device_time c{};
    cuda::check(cudaMemcpyAsync(&c, time_.data(), sizeof c, cudaMemcpyDeviceToHost, on.stream()));
    on.synchronize();
    time = c.time;
    return c.done;
}

template class time_stepper<float>;
template class time_stepper<double>;

}  // namespace wale::euler
