// pcr - parallel cyclic reduction: a block a system, a thread a row. After step k a row knows the unknowns
// 2^k before and behind (Hockney and Jesshope 1981; Zhang, Cohen and Owens 2010). Of systems whose rows are
// dominant, which need no exchanges; others are eliminated by one thread.
#include <optional>

#include "solvers/tree/cuda/places.cuh"
#include "solvers/tree/cuda/status.cuh"
#include "solvers/tree/elimination/cuda/eliminate.cuh"
#include "solvers/tree/jobs.hpp"

namespace wale::tree {
namespace pcr {
namespace {

constexpr int most_rows = 1024;  // threads of a block
/// By so much a diagonal element exceeds the others of its row: as cuda/pcr_thomas asks for.
constexpr double margin = 1 - 1.0 / 64;

/// Passed to kernels by value.
template <class T>
struct systems {
    device_chains<T> all;
    device_sides<T> sides;
    device_status bad;
    bool pivoted;
};

/// Four numbers of each row, in shared memory.
template <class T>
struct rows_memory {
    T *low, *middle, *up, *side;
};

/// By one thread, in the memory of the rows: row i of U and its right side take the place of row i.
template <bool Pivoted, class T>
__device__ void eliminate_alone(const rows_memory<T>& m, int n, index_t system, const device_status& bad) {
    thomas::open_row<T> row{m.middle[0], m.up[0]};
    T y = m.side[0];
    for (int i = 0; i + 1 < n; ++i) {
        const auto s = row.template eliminate<Pivoted>(m.low[i + 1], m.middle[i + 1], m.up[i + 1]);
        if (is_bad(s.pivot)) bad.note(system, i);
        const T left = follow(s, y, m.side[i + 1]);
        m.up[i] = s.right * s.inverse;
        m.middle[i] = s.beyond * s.inverse;
        m.side[i] = y * s.inverse;
        y = left;
    }
    if (is_bad(row.pivot)) bad.note(system, n - 1);
    T after = y / row.pivot, second = T(0);  // x[i + 1], x[i + 2]
    m.side[n - 1] = after;
    for (int i = n - 2; i >= 0; --i) {
        T own = cuda::less_product(m.side[i], m.up[i], after);
        if (Pivoted) own = cuda::less_product(own, m.middle[i], second);
        second = after;
        m.side[i] = after = own;
    }
}

/// A row divided by its diagonal element: left x[i - s] + x[i] + right x[i + s] = side.
template <class T>
struct reduced_row {
    T left = T(0), right = T(0), side = T(0);
};

template <class T>
__device__ reduced_row<T> reduce(const reduced_row<T>& own, const reduced_row<T>& before,
                                 const reduced_row<T>& behind) {
    const T pivot =
        cuda::less_product(cuda::less_product(T(1), own.left, before.right), own.right, behind.left);
    const T over = base::reciprocal(pivot);
    const T side =
        cuda::less_product(cuda::less_product(own.side, own.left, before.side), own.right, behind.side);
    return {cuda::less_product(T(0), own.left, before.left) * over,
            cuda::less_product(T(0), own.right, behind.right) * over, side * over};
}

extern __shared__ __align__(16) unsigned char pcr_memory[];

template <class T>
__global__ void __launch_bounds__(most_rows) pcr_systems(const __grid_constant__ systems<T> of) {
    const int n = static_cast<int>(of.all.at.size), i = static_cast<int>(threadIdx.x);
    T* const first = reinterpret_cast<T*>(pcr_memory);
    const rows_memory<T> memory{first, first + n, first + 2 * n, first + 3 * n};
    for (index_t system = blockIdx.x; system < of.all.at.count; system += gridDim.x) {
        T low = T(0), middle = T(1), up = T(0), side = T(0);
        bool dominant = true;
        if (i < n) {
            const bands<T> m = of.all[system];
            if (i > 0) low = m.low(i);
            if (i + 1 < n) up = m.up(i);
            middle = m.middle(i);
            side = of.sides.right_side(system)[i];
            const double size = cuda::magnitude_of(1.0, middle);
            dominant = size > 0 && isfinite(size) &&
                       margin * size >= cuda::magnitude_of(1.0, low) + cuda::magnitude_of(1.0, up);
        }
        const auto put = [&](T* to, T value) {
            if (i < n) to[i] = value;
        };
        if (__syncthreads_or(!dominant) != 0) {
            put(memory.low, low);
            put(memory.middle, middle);
            put(memory.up, up);
            put(memory.side, side);
            __syncthreads();
            if (i == 0)
                of.pivoted ? eliminate_alone<true>(memory, n, system, of.bad)
                           : eliminate_alone<false>(memory, n, system, of.bad);
            __syncthreads();
            if (i < n) of.sides.answer(system)[i] = memory.side[i];
            __syncthreads();  // before the next system takes the memory
            continue;
        }
        const T over = base::reciprocal(middle);
        reduced_row<T> own{low * over, up * over, side * over};
        const auto row = [&](int r) {
            return r >= 0 && r < n ? reduced_row<T>{memory.low[r], memory.up[r], memory.side[r]}
                                   : reduced_row<T>{};
        };
        for (int s = 1; s < n; s *= 2) {
            put(memory.low, own.left);
            put(memory.up, own.right);
            put(memory.side, own.side);
            __syncthreads();
            if (i < n) own = reduce(own, row(i - s), row(i + s));
            __syncthreads();
        }
        if (i < n) of.sides.answer(system)[i] = own.side;
    }
}

template <class T>
void queue(const cuda::context& here, const chain_job& job, const device_status& bad) {
    constexpr index_t most_blocks = 1 << 20;
    const systems<T> of{chains_on_device<T>(job.a, nullptr),
                        {static_cast<const T*>(job.rhs.data), static_cast<T*>(job.solution.data),
                         places_of(job.rhs, nullptr), 1},
                        bad,
                        job.pivoting == pivoting::partial};
    const auto n = static_cast<std::size_t>(job.a.shape().size);
    const std::size_t bytes = 4 * n * sizeof(T);
    const auto kernel = pcr_systems<T>;
    cuda::launch_limits::permit(here, kernel, bytes);
    const auto blocks = static_cast<unsigned>(std::min(job.a.systems(), most_blocks));
    kernel<<<blocks, static_cast<unsigned>((n + 31) / 32 * 32), bytes, here.stream()>>>(of);
    cuda::check_launch();
}

void solve(chain_job& job) {
    if (job.workspace) {
        *job.workspace = 0;
        return;
    }
    const cuda::context here(job.where);
    const status_of_call status(here, job.status, job.a.systems(), job.asynchronous);
    if (job.rhs.elements() == 0) return;
    std::optional<cuda::timer> timer;
    if (!job.asynchronous) timer.emplace(here);
    cuda::with_device_type(job.a.type(),
                           [&](auto zero) { queue<decltype(zero)>(here, job, status.on_device()); });
    job.result->run.iterations = 1;
    if (!timer) return;
    job.result->run.compute_seconds = timer->stop(status.words());
    status.report(*job.result);
}

std::string refuses(const chain_job& job) {
    if (job.a.periodic) return "does not solve periodic systems";
    if (job.a.shape().ragged() || job.rhs.ragged()) return "takes systems of one size";
    if (job.right_sides() != 1) return "takes one right side for each system";
    return job.a.shape().size > most_rows ? "a block has a thread for each of 1024 rows" : "";
}

/// Complex systems whose rows are neighbours in memory, without pivots. A caller who asks for pivots may have
/// rows that do not dominate; one thread eliminates such a system alone, which is slow.
bool suits(const chain_job& job) {
    return job.is_complex() && job.pivoting == pivoting::none && job.a.shape().size > 8 &&
           job.a.shape().step() <= vector_shape::unified_step;
}

}  // namespace
}  // namespace pcr

extern constinit const catalogue::row<chain_job> chains_cuda_pcr{
    "cuda/pcr", "up to 1024 rows: parallel cyclic reduction, a block a system, a thread a row",
    pcr::solve, pcr::refuses,
    pcr::suits, true};

}  // namespace wale::tree
