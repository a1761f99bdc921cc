// columns - solves with every unit vector, a block a strip of columns, and copies the solutions over the
// factors.
#include "solvers/lu/cuda/columns.cuh"

#include <optional>

namespace wale::lu {
namespace {

template <class T, bool Identity>
__global__ void columns_copy(const device_batch<T> a, const device_batch<T> x) {
    for (index_t i = blockIdx.x; i < a.count; i += gridDim.x) {
        const device_matrix<T> m = a[i], own = x[i];
        const index_t n = m.rows;
        for (index_t e = blockIdx.y * index_t{blockDim.x} + threadIdx.x; e < n * n;
             e += gridDim.y * index_t{blockDim.x}) {
            const index_t r = e % n, c = e / n;
            if constexpr (Identity)
                own.elements()(r, c) = T(r == c ? 1 : 0);
            else
                m.elements()(r, c) = own.elements()(r, c);
        }
    }
}

/// Column-major matrices of the shapes of `all`, one behind the other in `memory`.
template <class T>
std::vector<matrices> like(const batch& all, T* memory) {
    std::vector<matrices> list;
    for (index_t i = 0; i < all.count(); ++i) {
        matrix_shape s = all[i];
        s.order = storage_order::column_major;
        s.leading = s.rows;
        s.stride = s.rows * s.columns;
        list.emplace_back(memory, s);
        memory += s.stride;
    }
    return list;
}

template <class T>
void invert(const cuda::context& c, const inverse_job& job) {
    index_t size = 0;
    for (index_t i = 0; i < (job.a.listed() ? job.a.count() : 1); ++i) {
        const matrices m = job.a.listed() ? job.a[i] : job.a.uniform();
        size += m.rows * m.columns * m.count;
    }
    const cuda::scratch<T> memory(c, size);
    matrices uniform = job.a.uniform();
    std::vector<matrices> list;
    if (job.a.listed()) {
        list = like(job.a, memory.data());
    } else {
        uniform = like(batch(uniform[0]), memory.data())[0];
        uniform.count = job.a.count();
    }
    const batch there = job.a.listed() ? batch(std::span<const matrices>(list)) : batch(uniform);
    const batch_on_device<T> a(c, job.a), x(c, there);
    const batch_on_device<const T> factors(c, job.a);
    const dim3 blocks(static_cast<unsigned>(std::min(job.a.count(), columns::most_blocks)), 64);
    columns_copy<T, true><<<blocks, columns::threads, 0, c.stream()>>>(a.get(), x.get());
    cuda::check_launch();
    columns::queue_solve<T>(c, {factors.get(), x.get(), job.pivots}, job.a.largest_rows(),
                            job.a.largest_columns());
    columns_copy<T, false><<<blocks, columns::threads, 0, c.stream()>>>(a.get(), x.get());
    cuda::check_launch();
}

void inverse_columns(inverse_job& job) {
    if (job.a.count() == 0 || job.a.largest_rows() == 0) return;
    const cuda::context c(job.where);
    std::optional<cuda::timer> timer;
    if (!job.asynchronous) timer.emplace(c);
    cuda::with_device_type(job.a.type(), [&](auto zero) { invert<decltype(zero)>(c, job); });
    if (timer) job.result->run.compute_seconds = timer->stop();
    job.result->run.iterations = 3;
}

bool suits_columns(const inverse_job& job) {
    return job.is_complex();
}

}  // namespace

extern constinit const catalogue::row<inverse_job> inverse_cuda_columns{
    "cuda/columns",  "complex numbers too: solves with every unit vector, a block a strip of columns",
    inverse_columns, nullptr,
    suits_columns,   true};

}  // namespace wale::lu
