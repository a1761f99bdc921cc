// batched - a block some right-hand sides of one matrix; of small matrices a thread one right-hand side.
// Matrices of like size go through one launch.
#include <optional>

#include "cuda/brief_timer.cuh"
#include "solvers/lu/cuda/sizes.cuh"
#include "solvers/lu/cuda/staged_launch.cuh"

namespace wale::lu {
namespace {

using namespace batched;

/// Between B's strip and shared memory. by_permutation: row i of the strip is row permutation[i] of B.
template <class T, bool In>
__device__ void carry_strip(const device_matrix<T>& b, const strip_workspace<T>& workspace, index_t first,
                            int columns, bool by_permutation) {
    const int n = static_cast<int>(b.rows), thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const int padded = In ? (n + edge - 1) / edge * edge : n;
    const auto one = [&](int i, int c) {
        T& here = workspace.x[c * workspace.pitch + i];
        if (i >= n) {
            here = T(0);
            return;
        }
        const int row = by_permutation ? workspace.permutation[i] : i;
        T& far = b.data[row * b.row_step + (first + c) * b.column_step];
        if constexpr (In)
            here = far;
        else
            far = here;
    };
    if (b.row_step == 1) {
        for (int c = 0; c < columns; ++c)
            for (int i = thread; i < padded; i += threads) one(i, c);
    } else {
        for (int e = thread; e < padded * columns; e += threads) one(e / columns, e % columns);
    }
    __syncthreads();
}

/// Blocks: x over the matrices, y over the strips.
template <class T>
__global__ void __launch_bounds__(256) solve_strips(const __grid_constant__ solve_work<T> work) {
    extern __shared__ __align__(16) unsigned char memory[];
    const strip_workspace<T> workspace(
        memory, strip_memory<T>(work.rows, work.columns, static_cast<int>(blockDim.x) / 32));
    for (index_t i = blockIdx.x; i < work.count; i += gridDim.x) {
        const index_t number = work.order ? work.order[i] : i;
        const device_matrix<const T> factors = work.factors[number];
        const device_matrix<T> b = work.b[number];
        const index_t step = static_cast<index_t>(gridDim.y) * work.columns;
        index_t first = static_cast<index_t>(blockIdx.y) * work.columns;
        if (first >= b.columns || b.rows == 0) continue;
        follow_exchanges(work.pivots ? work.pivots + factors.pivot_start : nullptr,
                         static_cast<int>(factors.rows), workspace.permutation, workspace.pivots);
        for (; first < b.columns; first += step) {
            const int columns = static_cast<int>(min(b.columns - first, static_cast<index_t>(work.columns)));
            carry_strip<T, true>(b, workspace, first, columns, !work.transposed);
            solve_strip(factors, workspace, columns, work.transposed);
            carry_strip<T, false>(b, workspace, first, columns, work.transposed);
        }
    }
}

/// One right-hand side in registers; elements from n on are 0. Registers have no index at run time: each row
/// that an exchange might mean is exchanged or not.
template <class T, int Size>
struct tiny_side {
    T x[Size];

    __device__ void exchange(int k, int with) {
#pragma unroll
        for (int i = 0; i < Size; ++i)
#pragma unroll
            for (int j = i + 1; j < Size; ++j)
                if (i == k && j == with) {
                    const T kept = x[i];
                    x[i] = x[j];
                    x[j] = kept;
                }
    }
    __device__ void exchange_all(const std::int32_t* pivots, int n, bool backwards) {
        if (pivots == nullptr) return;
        for (int step = 0; step < n; ++step) {
            const int k = backwards ? n - 1 - step : step;
            exchange(k, pivots[k]);
        }
    }
    template <bool Lower, bool Unit>
    __device__ void substitute(const strided<const T>& a, int n) {
#pragma unroll
        for (int step = 0; step < Size; ++step) {
            const int k = Lower ? step : Size - 1 - step;
            if (k >= n) continue;
            if (!Unit) x[k] /= a(k, k);
#pragma unroll
            for (int i = 0; i < Size; ++i)
                if ((Lower ? i > k : i < k) && i < n) x[i] = fma(-a(i, k), x[k], x[i]);
        }
    }
};

constexpr int most_by_thread = 8;  // rows of a system whose right-hand sides take a thread each
constexpr int tiny_threads = 128;

/// Threads: neighbours have neighbouring right-hand sides of a system, then the next system.
template <class T, int Size>
__global__ void __launch_bounds__(tiny_threads)
    solve_tiny(const __grid_constant__ solve_work<T> work, index_t sides) {
    const index_t stride = index_t{gridDim.x} * tiny_threads;
    for (index_t e = index_t{blockIdx.x} * tiny_threads + threadIdx.x; e < work.count * sides; e += stride) {
        const index_t number = work.order ? work.order[e / sides] : e / sides, side = e % sides;
        const device_matrix<const T> factors = work.factors[number];
        const device_matrix<T> b = work.b[number];
        if (side >= b.columns) continue;
        const int n = static_cast<int>(b.rows);
        const strided<T> right = b.elements();
        const strided<const T> a = factors.elements();
        const std::int32_t* pivots = work.pivots ? work.pivots + factors.pivot_start : nullptr;
        tiny_side<T, Size> s;
#pragma unroll
        for (int i = 0; i < Size; ++i) s.x[i] = i < n ? right(i, side) : T(0);
        if (work.transposed) {
            s.template substitute<true, false>(a.transposed(), n);
            s.template substitute<false, true>(a.transposed(), n);
            s.exchange_all(pivots, n, true);
        } else {
            s.exchange_all(pivots, n, false);
            s.template substitute<true, true>(a, n);
            s.template substitute<false, false>(a, n);
        }
#pragma unroll
        for (int i = 0; i < Size; ++i)
            if (i < n) right(i, side) = s.x[i];
    }
}

template <int Size, class T>
void launch_tiny(const cuda::context& c, const solve_work<T>& work, const size_class& s) {
    if constexpr (2 * Size <= most_by_thread)
        if (s.rows > Size) return launch_tiny<2 * Size>(c, work, s);
    const index_t blocks = (work.count * s.right_sides + tiny_threads - 1) / tiny_threads;
    solve_tiny<T, Size>
        <<<static_cast<unsigned>(std::min<index_t>(blocks, INT_MAX)), tiny_threads, 0, c.stream()>>>(
            work, s.right_sides);
    cuda::check_launch();
}

template <class T>
void launch(const cuda::context& c, solve_work<T> work, const size_class& s) {
    if (const staged_policy& p = staged_policy_for<T>(c);
        s.rows >= p.least &&
        (s.right_sides >= p.many ? s.rows <= p.most : s.rows <= p.most_few && work.count >= p.crowd))
        return launch_staged<false>(c, work, s, p);
    if (s.rows <= most_by_thread) return launch_tiny<1>(c, work, s);
    constexpr index_t most_blocks_y = 65535;
    work.rows = s.rows;
    work.columns = s.columns();
    auto bytes = strip_memory<T>(s.rows, work.columns, s.warps()).bytes();
    while (work.columns > 1 && bytes > static_cast<std::size_t>(c.facts().shared_per_block))
        bytes = strip_memory<T>(s.rows, work.columns /= 2, s.warps()).bytes();
    const auto kernel = solve_strips<T>;
    cuda::launch_limits::permit(c, kernel, bytes);
    const index_t strips = std::min((s.right_sides + work.columns - 1) / work.columns, most_blocks_y);
    const dim3 blocks(static_cast<unsigned>(std::min<index_t>(work.count, INT_MAX)),
                      static_cast<unsigned>(strips));
    kernel<<<blocks, static_cast<unsigned>(32 * s.warps()), bytes, c.stream()>>>(work);
    cuda::check_launch();
}

template <class T>
void solve_all(const cuda::context& c, const solve_job& job, const std::vector<size_class>& classes) {
    const batch_on_device<const T> factors(c, job.factors);
    const batch_on_device<T> b(c, job.b);
    order_on_device order(c, classes);
    for (const size_class& s : classes) {
        solve_work<T> work{factors.get(), b.get(), job.pivots, order.take(s), s.count(job.factors.count())};
        work.transposed = job.transposed;
        work.conjugated = job.conjugated;
        if (s.rows == 0 || s.right_sides == 0) continue;
        if constexpr (is_complex_type<T>)
            launch_staged<false>(c, work, s, complex_staged_policy);
        else
            launch(c, work, s);
    }
}

std::string refuses_solve_batched(const solve_job& job) {
    if (job.is_complex() && job.factors.largest_rows() > complex_staged_policy.most)
        return "more than 32 rows of complex numbers";
    return job.factors.largest_rows() > batched::most_solved_rows ? "more than 4096 rows" : "";
}

/// Up to these rows a block for each system is faster than cuBLAS's triangles, however few systems there are.
bool suits_solve_batched(const solve_job& job) {
    const index_t rows = job.factors.largest_rows(), right_sides = job.b.largest_columns();
    const bool f32 = job.factors.type() == scalar::f32;
    if (const staged_policy& p = complex_staged_policy; job.is_complex())
        return rows <= (right_sides >= p.many ? p.most : p.most_few);
    constexpr index_t few =
        32;  // right-hand sides: of more, each strip of a large matrix reads all of it again
    if (rows > batched::most_inverted_rows)
        return right_sides <= few && batched::suits_batch(rows, job.factors.count());
    if (rows <= (right_sides <= 1 ? 1024 : f32 && right_sides <= 16 ? 768 : f32 ? 512 : 256)) return true;
    return batched::suits_batch(job.factors.largest_rows(), job.factors.count());
}

void solve_batched(solve_job& job) {
    const cuda::context c(job.where);
    const auto classes = batched::size_classes(job.factors, [&](index_t i) { return job.b[i].columns; });
    std::optional<cuda::brief_timer> timer;
    if (!job.asynchronous) timer.emplace(c);
    cuda::with_device_type(job.factors.type(),
                           [&](auto zero) { solve_all<decltype(zero)>(c, job, classes); });
    if (timer) job.result->run.compute_seconds = timer->stop();
    job.result->run.iterations = std::ssize(classes);
    if (!classes.empty()) job.result->run.policy = classes.back().text();
}

}  // namespace

extern constinit const catalogue::row<solve_job> solve_cuda_batched{
    "cuda/batched",
    "many systems: a block some right-hand sides of one, tiles of the triangles in registers",
    solve_batched,
    refuses_solve_batched,
    suits_solve_batched,
    true};

}  // namespace wale::lu
