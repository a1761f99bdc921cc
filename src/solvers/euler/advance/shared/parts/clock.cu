// clock - see clock.cuh. Bits of positive numbers sort as integers, so that a minimum of integers finds the
// least step in any order.
#include "solvers/euler/advance/shared/parts/clock.cuh"

namespace wale::euler {

template <class Real>
part_clock<Real>::part_clock(const cuda::context& on, const flow_system& system, int place, int devices)
    : kept_time(on, system.options.scheme), place_(place) {
    if (!has_time() || system.options.scheme.fixed_step > 0) return;
    least_ = {devices, on.device()};
    volumes_ = {on, system.grid.volume};
}

template <class Real>
void part_clock<Real>::queue_least(const cuda::context& on, const plain_grid<Real>& grid,
                                   const constants<Real>& k, const Real* states, const std::int32_t* cells,
                                   index_t count) const {
    queue_infinity(on, own_least());
    kept_time::queue_least(on, grid, k, states, volumes_.data(), cells, count, own_least());
}

template <class Real>
void part_clock<Real>::queue_copy(const cuda::context& on, const part_clock& to) const {
    cuda::check(cudaMemcpyAsync(to.least_.data() + place_, own_least(), sizeof(unsigned long long),
                                cudaMemcpyDefault, on.stream()));
}

template <class Real>
void part_clock<Real>::queue_take(const cuda::context& on, double fixed_step) const {
    kept_time::queue_take(on, least_.data(), least_.size(), fixed_step);
}

template class part_clock<float>;
template class part_clock<double>;

}  // namespace wale::euler
