// batched - a thread a matrix of up to 4 rows, else a block a matrix: the inverse is the solution for the
// columns of P, strip by strip. One strip goes straight back; more wait in the block's scratch, as the
// factors are needed to the end. Matrices of like size go through one launch.
#include <optional>

#include "cuda/brief_timer.cuh"
#include "solvers/lu/cuda/staged_launch.cuh"
#include "solvers/lu/inverse/cuda/tiny.cuh"

namespace wale::lu {
namespace {

using namespace batched;

/// Passed to kernels by value.
template <class T>
struct inverse_work {
    device_batch<T> all;
    const std::int32_t* pivots = nullptr;
    const std::int32_t* order = nullptr;  // numbers of the matrices to take; null: all
    index_t count = 0;
    T* scratch = nullptr;  // [blocks][rows * rows]; null: one strip is all
    int rows = 0;          // of the largest matrix
    int columns = 0;       // of a strip
};

template <class T>
__device__ void begin_strip(const strip_workspace<T>& workspace, int n, int first, int columns) {
    const int padded = (n + edge - 1) / edge * edge;
    for (int c = 0; c < columns; ++c)
        for (int i = static_cast<int>(threadIdx.x); i < padded; i += static_cast<int>(blockDim.x))
            workspace.x[c * workspace.pitch + i] =
                i < n && workspace.permutation[i] == first + c ? T(1) : T(0);
    __syncthreads();
}

/// Neighbouring threads along the lines of `to`.
template <class T>
__device__ void end_strip(const strip_workspace<T>& workspace, const device_matrix<T>& to, int first,
                          int columns) {
    const int n = static_cast<int>(to.rows), thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    for (int e = thread; e < n * columns; e += threads) {
        const int i = to.row_step == 1 ? e % n : e / columns;
        const int c = to.row_step == 1 ? e / n : e % columns;
        to.data[i * to.row_step + (first + c) * to.column_step] = workspace.x[c * workspace.pitch + i];
    }
    __syncthreads();
}

template <class T>
__device__ void copy_back(const device_matrix<T>& from, const device_matrix<T>& to) {
    const int n = static_cast<int>(to.rows);
    const index_t from_line = to.row_step == 1 ? from.column_step : from.row_step;
    const index_t to_line = to.row_step == 1 ? to.column_step : to.row_step;
    for (int line = 0; line < n; ++line)
        for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
            to.data[line * to_line + i] = from.data[line * from_line + i];
    __syncthreads();
}

template <class T>
__global__ void __launch_bounds__(256) invert(const __grid_constant__ inverse_work<T> work) {
    extern __shared__ __align__(16) unsigned char memory[];
    const strip_workspace<T> workspace(
        memory, strip_memory<T>(work.rows, work.columns, static_cast<int>(blockDim.x) / 32));
    for (index_t i = blockIdx.x; i < work.count; i += gridDim.x) {
        const device_matrix<T> m = work.all[work.order ? work.order[i] : i];
        const device_matrix<const T> factors{m.data,    m.row_step,    m.column_step, m.rows,
                                             m.columns, m.pivot_start, m.row_start};
        const int n = static_cast<int>(m.rows);
        follow_exchanges(work.pivots ? work.pivots + m.pivot_start : nullptr, n, workspace.permutation,
                         workspace.pivots);
        device_matrix<T> to = m;
        if (n > work.columns) {
            to.data = work.scratch + blockIdx.x * (static_cast<index_t>(work.rows) * work.rows);
            (m.row_step == 1 ? to.column_step : to.row_step) = n;
        }
        for (int first = 0; first < n; first += work.columns) {
            const int columns = min(work.columns, n - first);
            begin_strip(workspace, n, first, columns);
            solve_strip(factors, workspace, columns, false);
            end_strip(workspace, to, first, columns);
        }
        if (n > work.columns) copy_back(to, m);
    }
}

constexpr index_t most_scratch = index_t{1} << 30;  // bytes

/// In shared memory, a thread a column.
template <class T>
void launch_small(const cuda::context& c, const inverse_work<T>& work, const size_class& s,
                  const staged_policy& p) {
    solve_work<T> staged{};
    staged.b = work.all;
    staged.pivots = work.pivots;
    staged.order = work.order;
    staged.count = work.count;
    const device_matrix<T>& m = work.all.first;
    staged.factors = {{m.data, m.row_step, m.column_step, m.rows, m.columns, m.pivot_start, m.row_start},
                      work.all.stride,
                      work.all.count,
                      reinterpret_cast<const device_matrix<const T>*>(work.all.list)};
    launch_staged<true>(c, staged, s, p);
}

template <class T>
void launch(const cuda::context& c, inverse_work<T> work, const size_class& s) {
    if (const staged_policy& p = staged_policy_for<T>(c); s.rows <= p.most_inverse)
        return launch_small(c, work, s, p);
    work.rows = s.rows;
    work.columns = s.columns();
    const auto bytes = strip_memory<T>(s.rows, work.columns, s.warps()).bytes();
    const auto kernel = invert<T>;
    const int resident = cuda::launch_limits::blocks(c, kernel, 32 * s.warps(), bytes);
    index_t blocks =
        std::min<index_t>(work.count, static_cast<index_t>(std::max(resident, 1)) * c.multiprocessors());
    const index_t elements = static_cast<index_t>(s.rows) * s.rows;
    const bool one_strip = s.rows <= work.columns;
    if (!one_strip) blocks = std::clamp<index_t>(most_scratch / (elements * index_t{sizeof(T)}), 1, blocks);
    const cuda::scratch<T> scratch(c, one_strip ? 0 : blocks * elements);
    work.scratch = scratch.data();
    kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(32 * s.warps()), bytes, c.stream()>>>(work);
    cuda::check_launch();
}

template <class T>
void invert_all(const cuda::context& c, const inverse_job& job, const std::vector<size_class>& classes) {
    const batch_on_device<T> all(c, job.a);
    order_on_device order(c, classes);
    for (const size_class& s : classes) {
        const inverse_work<T> work{all.get(), job.pivots, order.take(s), s.count(job.a.count())};
        if (s.rows == 0) continue;
        if (s.rows <= tiny_rows) {
            launch_tiny<T>(c, {work.all, work.pivots, work.order, work.count});
            continue;
        }
        if constexpr (is_complex_type<T>)
            launch_small(c, work, s, complex_staged_policy);
        else
            launch(c, work, s);
    }
}

std::string refuses_inverse_batched(const inverse_job& job) {
    if (job.is_complex() && job.a.largest_rows() > complex_staged_policy.most_inverse)
        return "more than 32 rows of complex numbers";
    return job.a.largest_rows() > batched::most_inverted_rows ? "more than 1024 rows" : "";
}

bool suits_inverse_batched(const inverse_job& job) {
    return batched::suits_batch(job.a.largest_rows(), job.a.count());
}

void inverse_batched(inverse_job& job) {
    const cuda::context c(job.where);
    const auto classes = batched::size_classes(job.a, [&](index_t i) { return job.a[i].rows; });
    std::optional<cuda::brief_timer> timer;
    if (!job.asynchronous) timer.emplace(c);
    cuda::with_device_type(job.a.type(), [&](auto zero) { invert_all<decltype(zero)>(c, job, classes); });
    if (timer) job.result->run.compute_seconds = timer->stop();
    job.result->run.iterations = std::ssize(classes);
    if (!classes.empty()) job.result->run.policy = classes.back().text();
}

}  // namespace

extern constinit const catalogue::row<inverse_job> inverse_cuda_batched{
    "cuda/batched",        "many matrices: a block one, solved for the columns of P, strip by strip",
    inverse_batched,       refuses_inverse_batched,
    suits_inverse_batched, true};

}  // namespace wale::lu
