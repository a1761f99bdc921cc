// measure - two passes over the cells: the largest terms, then the sum of integers that stand for the terms
// (base/order_free_sum.hpp), so that neither the order of blocks nor that of cells changes a bit.
#include "solvers/euler/advance/shared/measure.hpp"

#include <cstring>

#include "cuda/warp.cuh"
#include "solvers/euler/advance/shared/device/launch.cuh"
#include "solvers/euler/advance/shared/device/measure.cuh"
#include "solvers/euler/advance/shared/device/stage.cuh"

namespace wale::euler {
namespace {

constexpr int sums = cell_measure::sums;
using word = unsigned long long;

struct device_sums {
    word largest[sums];          // bits of doubles: those of magnitudes sort as integers, NaN above all
    word low[sums], high[sums];  // of 128-bit integers
    word bad;                    // the least number of a cell that is no gas
};

template <class Real>
struct measure_task {
    plain_grid<Real> grid;
    constants<Real> k;
    const Real* states;                  // [cells][5]
    const flux_of<Real>* residuals;      // [cells]
    const gradient_of<Real>* gradients;  // [cells], or null
    const double* centres;               // [cells][3], or null
    const std::int32_t* numbers;         // [cells], or null
    double moment_centre[3];
    device_sums* out;

    __device__ cell_measure of(index_t cell, const gas_point<Real>& own) const {
        cell_measure m = measure_cell(grid, own, residuals[cell], cell);
        double centre[3]{};
        for (int d = 0; centres != nullptr && d < 3; ++d)
            centre[d] = centres[3 * cell + d] - moment_centre[d];
        measure_walls(grid, own, cell, k.far.p, centres != nullptr ? centre : nullptr, m,
                      gradients != nullptr ? gradients + cell : nullptr);
        return m;
    }
    __device__ gas_point<Real> own(index_t cell) const {
        return cell_major_states<Real>{states}.point(cell, k);
    }
};

template <class Real>
__global__ void find_largest(const __grid_constant__ measure_task<Real> t) {
    word largest[sums]{};
    word bad = ~word{0};
    for (index_t cell = cell_of_thread(); cell < t.grid.cells;
         cell += static_cast<index_t>(gridDim.x) * blockDim.x) {
        const gas_point<Real> own = t.own(cell);
        const cell_measure m = t.of(cell, own);
        for (int s = 0; s < sums; ++s)
            largest[s] = max(largest[s], static_cast<word>(__double_as_longlong(fabs(m.at[s]))));
        if (is_bad(own)) bad = min(bad, static_cast<word>(t.numbers != nullptr ? t.numbers[cell] : cell));
    }
    for (int lane = 16; lane > 0; lane /= 2) {
        for (int s = 0; s < sums; ++s)
            largest[s] = max(largest[s], __shfl_xor_sync(cuda::whole_warp, largest[s], lane));
        bad = min(bad, __shfl_xor_sync(cuda::whole_warp, bad, lane));
    }
    if (threadIdx.x % 32 != 0) return;
    for (int s = 0; s < sums; ++s) atomicMax(&t.out->largest[s], largest[s]);
    atomicMin(&t.out->bad, bad);
}

/// low and high are one integer of 128 bits; carries go up in any order of arrival.
__device__ void add_wide(word* low, word* high, base::wide_integer part) {
    const word lower = static_cast<word>(part), upper = static_cast<word>(part >> 64);
    const word before = atomicAdd(low, lower);
    const word carry = before + lower < before ? 1 : 0;
    if (upper + carry != 0) atomicAdd(high, upper + carry);
}

__device__ base::wide_integer from_lane(base::wide_integer x, int lane) {
    const word lower = __shfl_xor_sync(cuda::whole_warp, static_cast<word>(x), lane);
    const word upper = __shfl_xor_sync(cuda::whole_warp, static_cast<word>(x >> 64), lane);
    return static_cast<base::wide_integer>(upper) << 64 | lower;
}

template <class Real>
__global__ void add_terms(const __grid_constant__ measure_task<Real> t) {
    base::wide_integer total[sums]{};
    for (index_t cell = cell_of_thread(); cell < t.grid.cells;
         cell += static_cast<index_t>(gridDim.x) * blockDim.x) {
        const cell_measure m = t.of(cell, t.own(cell));
        for (int s = 0; s < sums; ++s)
            total[s] += base::order_free_sum(__longlong_as_double(static_cast<long long>(t.out->largest[s])))
                            .digits(m.at[s]);
    }
    for (int lane = 16; lane > 0; lane /= 2)
        for (int s = 0; s < sums; ++s) total[s] += from_lane(total[s], lane);
    if (threadIdx.x % 32 != 0) return;
    for (int s = 0; s < sums; ++s) add_wide(&t.out->low[s], &t.out->high[s], total[s]);
}

double double_of(word bits) {
    double value;
    static_assert(sizeof value == sizeof bits);
    std::memcpy(&value, &bits, sizeof bits);
    return value;
}

/// Makes the largest terms those of all ranks.
void combine_largest(const cuda::context& on, const cuda::scratch<device_sums>& found,
                     const rank_collectives& others) {
    device_sums host{};
    found.to_host(&host);
    std::array<double, sums> largest{};
    std::memcpy(largest.data(), host.largest, sizeof host.largest);
    others.combine_largest(largest);
    cuda::check(cudaMemcpyAsync(found.data()->largest, largest.data(), sizeof host.largest,
                                cudaMemcpyHostToDevice, on.stream()));
    on.synchronize();
}

}  // namespace

template <class Real>
measured measured_on_device(const cuda::context& on, const flow_system& system, const device_mesh<Real>& mesh,
                            const Real* states, const rank_scope* scope) {
    const index_t cells = scope != nullptr ? scope->others.count(system) : system.cells();
    const index_t near = scope != nullptr ? scope->near : cells;
    const euler_scheme& scheme = system.options.scheme;
    const cuda::scratch<gradient_of<Real>> gradients(on, scheme.order == 2 ? near : 0);
    const cuda::scratch<flux_of<Real>> residuals(on, cells);
    const cuda::scratch<Real> shocks(on, blends_shocks(system.options) ? cells : 0);
    const cuda::scratch<device_sums> found(on, 1);
    stage_task<Real> stage{};
    stage.grid = mesh.grid();
    stage.k = constants_of<Real>(system);
    stage.now = states;
    stage.gradients = gradients.data();
    stage.shocks = blends_shocks(system.options) ? shocks.data() : nullptr;
    stage.grid.cells = near;
    if (scheme.order == 2) queue_gradients(on, stage, gradients.data());
    stage.grid.cells = cells;
    queue_residuals(on, scheme, stage, residuals.data());
    measure_task<Real> t{stage.grid,     stage.k,        states, residuals.data(), gradients.data(),
                         mesh.centres(), mesh.numbers(), {},     found.data()};
    for (std::size_t d = 0; d < 3; ++d) t.moment_centre[d] = system.options.moment_centre[d];
    found.fill_bytes(0);
    cuda::check(cudaMemsetAsync(&found.data()->bad, 0xff, sizeof(word), on.stream()));
    const unsigned blocks = std::min(
        blocks_of(cells), static_cast<unsigned>(sum_kernels[0].policy.blocks * on.multiprocessors()));
    find_largest<<<blocks, threads_of_block, 0, on.stream()>>>(t);
    cuda::check_launch();
    if (scope != nullptr) combine_largest(on, found, scope->others);
    add_terms<<<blocks, threads_of_block, 0, on.stream()>>>(t);
    cuda::check_launch();
    device_sums host{};
    found.to_host(&host);

    measured m;
    std::array<base::wide_integer, sums> totals{};
    for (std::size_t s = 0; s < sums; ++s)
        totals[s] = static_cast<base::wide_integer>(host.high[s]) << 64 | host.low[s];
    m.bad_cell = host.bad == ~word{0} ? -1 : static_cast<index_t>(host.bad);
    if (scope != nullptr) {
        scope->others.combine_sums(totals);
        m.bad_cell = scope->others.combine_bad(m.bad_cell);
    }
    std::array<double, sums> values{};
    for (std::size_t s = 0; s < sums; ++s) {
        base::order_free_sum sum(double_of(host.largest[s]));
        sum.add_part(totals[s]);
        values[s] = sum.value();
    }
    m.sample = sample_of(system, values);
    return m;
}

template measured measured_on_device(const cuda::context&, const flow_system&, const device_mesh<float>&,
                                     const float*, const rank_scope*);
template measured measured_on_device(const cuda::context&, const flow_system&, const device_mesh<double>&,
                                     const double*, const rank_scope*);

}  // namespace wale::euler
