// clock - see clock.cuh. Bits of positive numbers sort as integers, so that a minimum of integers finds the
// least step in any order.
#include "solvers/euler/advance/shared/parts/clock.cuh"

#include "cuda/warp.cuh"
#include "solvers/euler/advance/shared/device/launch.cuh"

namespace wale::euler {
namespace {

constexpr unsigned long long bits_of_infinity = 0x7ff0000000000000ull;

__global__ void forget_least(unsigned long long* least) {
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
        const index_t cell = cells[i];
        const auto own = cell_major_states<Real>{states}.point(cell, k);
        const Real step = step_over_volume(euler_step::global, grid, own, cell, k);
        least =
            static_cast<unsigned long long>(__double_as_longlong(static_cast<double>(step) * volumes[cell]));
    }
    for (int lane = 16; lane > 0; lane /= 2)
        least = min(least, __shfl_xor_sync(cuda::whole_warp, least, lane));
    if (threadIdx.x % 32 == 0) atomicMin(found, least);
}

__global__ void take_step(device_time* time, const unsigned long long* least, index_t devices, double fixed) {
    device_time& c = *time;
    c.stopped = c.time.at_end();
    if (c.stopped) return;
    unsigned long long bits = bits_of_infinity;
    for (index_t d = 0; d < devices; ++d) bits = min(bits, least[d]);
    c.taken = c.time.take(fixed > 0 ? fixed : __longlong_as_double(static_cast<long long>(bits)));
    ++c.done;
}

}  // namespace

template <class Real>
part_clock<Real>::part_clock(const cuda::context& on, const flow_system& system, int place, int devices)
    : place_(place) {
    const euler_scheme& s = system.options.scheme;
    if (s.step != euler_step::global && !(s.fixed_step > 0)) return;
    time_ = {1, on.device()};
    if (s.fixed_step > 0) return;
    least_ = {devices, on.device()};
    volumes_ = {on, system.grid.volume};
}

template <class Real>
void part_clock<Real>::begin(const cuda::context& on, const flow_time& time) const {
    if (!has_time()) return;
    const device_time c{time, bits_of_infinity, 0, 0, false};
    cuda::check(cudaMemcpyAsync(time_.data(), &c, sizeof c, cudaMemcpyHostToDevice, on.stream()));
    on.synchronize();
}

template <class Real>
void part_clock<Real>::queue_least(const cuda::context& on, const plain_grid<Real>& grid,
                                   const constants<Real>& k, const Real* states, const std::int32_t* cells,
                                   index_t count) const {
    forget_least<<<1, 1, 0, on.stream()>>>(own_least());
    find_least<<<blocks_of(count), threads_of_block, 0, on.stream()>>>(grid, k, states, volumes_.data(),
                                                                       cells, count, own_least());
    cuda::check_launch();
}

template <class Real>
void part_clock<Real>::queue_copy(const cuda::context& on, const part_clock& to) const {
    cuda::check(cudaMemcpyAsync(to.least_.data() + place_, own_least(), sizeof(unsigned long long),
                                cudaMemcpyDefault, on.stream()));
}

template <class Real>
void part_clock<Real>::queue_take(const cuda::context& on, double fixed_step) const {
    take_step<<<1, 1, 0, on.stream()>>>(time_.data(), least_.data(), least_.size(), fixed_step);
    cuda::check_launch();
}

template <class Real>
index_t part_clock<Real>::end(const cuda::context& on, flow_time& time) const {
    device_time c{};
    cuda::check(cudaMemcpyAsync(&c, time_.data(), sizeof c, cudaMemcpyDeviceToHost, on.stream()));
    on.synchronize();
    time = c.time;
    return c.done;
}

template class part_clock<float>;
template class part_clock<double>;

}  // namespace wale::euler
