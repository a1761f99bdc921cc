// time_step - the least step of cells by an integer minimum, which no order of blocks changes; then one
// thread moves the time.
#include "solvers/euler/advance/shared/device/time_step.cuh"

#include "cuda/warp.cuh"
#include "solvers/euler/advance/shared/device/launch.cuh"

namespace wale::euler {
namespace {

constexpr unsigned long long bits_of_infinity = 0x7ff0000000000000ull;

__global__ void set_to_infinity(unsigned long long* least) {
    *least = bits_of_infinity;
}

/// NaN has larger bits than infinity and so does not count, as on the host.
template <class Real>
__global__ void find_least(const __grid_constant__ plain_grid<Real> grid,
                           const __grid_constant__ constants<Real> k, const Real* states,
                           const double* volumes, const std::int32_t* cells, index_t count,
                           unsigned long long* found) {
    const index_t i = cell_of_thread();
    unsigned long long least = bits_of_infinity;
    if (i < count) {
        const index_t cell = cells == nullptr ? i : cells[i];
        const auto own = cell_major_states<Real>{states}.point(cell, k);
        const Real step = step_over_volume(euler_step::global, grid, own, cell, k);
        least =
            static_cast<unsigned long long>(__double_as_longlong(static_cast<double>(step) * volumes[cell]));
    }
    for (int lane = 16; lane > 0; lane /= 2)
        least = min(least, __shfl_xor_sync(cuda::whole_warp, least, lane));
    if (threadIdx.x % 32 == 0) atomicMin(found, least);
}

__global__ void take_step(device_time* time, const unsigned long long* least, index_t count, double fixed) {
    device_time& c = *time;
    c.stopped = c.time.at_end();
    if (c.stopped) return;
    unsigned long long bits = bits_of_infinity;
    for (index_t k = 0; k < count; ++k) bits = min(bits, least[k]);
    c.taken = c.time.take(fixed > 0 ? fixed : __longlong_as_double(static_cast<long long>(bits)));
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

kept_time::kept_time(const cuda::context& on, const euler_scheme& scheme) {
    if (scheme.step == euler_step::global || scheme.fixed_step > 0) time_ = {1, on.device()};
}

void kept_time::begin(const cuda::context& on, const flow_time& time) const {
    if (!has_time()) return;
    const device_time c{time, bits_of_infinity, 0, 0, false};
    cuda::check(cudaMemcpyAsync(time_.data(), &c, sizeof c, cudaMemcpyHostToDevice, on.stream()));
    on.synchronize();
}

index_t kept_time::end(const cuda::context& on, flow_time& time) const {
    device_time c{};
    cuda::check(cudaMemcpyAsync(&c, time_.data(), sizeof c, cudaMemcpyDeviceToHost, on.stream()));
    on.synchronize();
    time = c.time;
    return c.done;
}

void kept_time::queue_infinity(const cuda::context& on, unsigned long long* least) {
    set_to_infinity<<<1, 1, 0, on.stream()>>>(least);
    cuda::check_launch();
}

template <class Real>
void kept_time::queue_least(const cuda::context& on, const plain_grid<Real>& grid, const constants<Real>& k,
                            const Real* states, const double* volumes, const std::int32_t* cells,
                            index_t count, unsigned long long* least) {
    find_least<<<blocks_of(count), threads_of_block, 0, on.stream()>>>(grid, k, states, volumes, cells, count,
                                                                       least);
    cuda::check_launch();
}
template void kept_time::queue_least(const cuda::context&, const plain_grid<float>&, const constants<float>&,
                                     const float*, const double*, const std::int32_t*, index_t,
                                     unsigned long long*);
template void kept_time::queue_least(const cuda::context&, const plain_grid<double>&,
                                     const constants<double>&, const double*, const double*,
                                     const std::int32_t*, index_t, unsigned long long*);

void kept_time::queue_take(const cuda::context& on, const unsigned long long* least, index_t count,
                           double fixed_step) const {
    take_step<<<1, 1, 0, on.stream()>>>(time_.data(), least, count, fixed_step);
    cuda::check_launch();
}

template <class Real>
time_stepper<Real>::time_stepper(const cuda::context& on, const flow_system& system)
    : kept_time(on, system.options.scheme) {
    if (has_time()) volumes_ = cuda::device_array<double>(on, system.grid.volume);
}

template <class Real>
void time_stepper<Real>::queue_step(const cuda::context& on, const plain_grid<Real>& grid,
                                    const constants<Real>& k, const Real* states,
                                    const std::function<double(double)>& of_all) const {
    if (!has_time()) return;
    if (!(k.fixed_step > 0)) {
        queue_least(on, grid, k, states, volumes_.data(), nullptr, grid.cells, &time_.data()->least);
        if (of_all) replace_least(on, time_.data(), of_all);
    }
    queue_take(on, &time_.data()->least, 1, static_cast<double>(k.fixed_step));
}

template class time_stepper<float>;
template class time_stepper<double>;

}  // namespace wale::euler
