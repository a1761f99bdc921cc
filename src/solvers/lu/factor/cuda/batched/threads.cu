// threads - matrices of at most 4 rows and columns: a thread a matrix, all of it in registers. Whatever
// number of lanes shared one would mostly be idle.
#include <algorithm>

#include "cuda/complex.cuh"
#include "solvers/lu/factor/cuda/batched/tuning.hpp"
#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {
namespace {

constexpr int threads = 128;

template <class T>
__device__ void swap_registers(T& x, T& y) {
    const T kept = x;
    x = y;
    y = kept;
}

/// One matrix, its rows and columns up to Size; what lies beyond is 0 and takes no part.
template <class T, int Size>
struct tiny_matrix {
    T a[Size][Size];
    int source[Size];  // the row of A that stands in row i

    __device__ explicit tiny_matrix(const device_matrix<T>& m) {
        const strided<T> from = m.elements();
#pragma unroll
        for (int i = 0; i < Size; ++i) {
            source[i] = i;
#pragma unroll
            for (int j = 0; j < Size; ++j) a[i][j] = i < m.rows && j < m.columns ? from(i, j) : T(0);
        }
    }
    __device__ void store(const device_matrix<T>& m) const {
        const strided<T> to = m.elements();
#pragma unroll
        for (int i = 0; i < Size; ++i)
#pragma unroll
            for (int j = 0; j < Size; ++j)
                if (i < m.rows && j < m.columns) to(i, j) = a[i][j];
    }
    /// The row of the largest magnitude in column k, of equals the first; k where that element is NaN.
    template <int K>
    [[nodiscard]] __device__ int largest(int rows) const {
        int best = K;
        real_of<T> most = pivot_size(a[K][K]);
#pragma unroll
        for (int i = K + 1; i < Size; ++i)
            if (i < rows && pivot_size(a[i][K]) > most) {
                most = pivot_size(a[i][K]);
                best = i;
            }
        return best;
    }
    /// Registers have no index at run time: each row that might be meant is exchanged or not.
    template <int K>
    __device__ void exchange(int pivot) {
#pragma unroll
        for (int i = K + 1; i < Size; ++i)
            if (i == pivot) {
                swap_registers(source[K], source[i]);
#pragma unroll
                for (int j = 0; j < Size; ++j) swap_registers(a[K][j], a[i][j]);
            }
    }
    template <int K>
    __device__ void eliminate() {
        const T pivot = a[K][K];
        const bool multiplies = pivot != T(0) && has_reciprocal(pivot);
        const T over = multiplies ? base::reciprocal(pivot) : T(0);
#pragma unroll
        for (int i = K + 1; i < Size; ++i) {
            a[i][K] = multiplies ? base::product(a[i][K], over) : multiplier(a[i][K], pivot);
#pragma unroll
            for (int j = K + 1; j < Size; ++j) a[i][j] = cuda::less_product(a[i][j], a[i][K], a[K][j]);
        }
    }
};

/// Step K and those behind it. Plain: factors and pivots are all that is asked for; a kernel with the code
/// for the rest takes longer to fetch than a matrix takes.
template <bool Plain, int K, class T, int Size>
__device__ void factor_from(tiny_matrix<T, Size>& h, const factor_work<T>& work, index_t number,
                            const device_matrix<T>& m, verdict& v, double& log_magnitude) {
    if (K >= m.diagonal()) return;
    const int pivot = work.pivoting ? h.template largest<K>(static_cast<int>(m.rows)) : K;
    if (pivot != K) {
        h.template exchange<K>(pivot);
        v.exchanged = !v.exchanged;
    }
    T& u = h.a[K][K];
    if constexpr (!Plain) {
        if (work.smallest_pivot != nullptr) {
            const T moved = perturbed_pivot(u, static_cast<T>(work.smallest_pivot[number]));
            v.perturbed += moved != u && moved == moved;
            u = moved;
        }
        if (work.out.log_magnitude) log_magnitude += log(fabs(static_cast<double>(u)));
    }
    if constexpr (is_complex_type<T>) {
        if (u == T(0) && v.first_zero < 0) v.first_zero = K;
        v.finite = v.finite && isfinite(u.real()) && isfinite(u.imag());
    } else {
        v.add(u, K);
    }
    if (work.out.pivots) work.out.pivots[m.pivot_start + K] = pivot;
    h.template eliminate<K>();
    if constexpr (K + 1 < Size) factor_from<Plain, K + 1>(h, work, number, m, v, log_magnitude);
}

/// One matrix, by one thread.
template <class T, int Size, bool Plain>
__device__ void factor_one(const factor_work<T>& work, index_t number, const device_matrix<T>& m) {
    tiny_matrix<T, Size> h(m);
    verdict v;
    double log_magnitude = 0;
    factor_from<Plain, 0>(h, work, number, m, v, log_magnitude);
    h.store(m);
    if (!Plain && work.out.permutation)
#pragma unroll
        for (int r = 0; r < Size; ++r)
            if (r < m.rows) work.out.permutation[m.row_start + r] = h.source[r];
    if constexpr (Plain) {
        note(work.to, number, v.first_zero, v.finite);
        note_sign(work.to, number, v.exchanged ? -1 : 1);
    } else {
        write_verdict(work.to, work.out, number, v, log_magnitude);
    }
}

template <class T, int Size, bool Plain>
__global__ void __launch_bounds__(threads) factor_tiny(const __grid_constant__ factor_work<T> work) {
    const index_t stride = index_t{gridDim.x} * threads;
    for (index_t i = index_t{blockIdx.x} * threads + threadIdx.x; i < work.count; i += stride) {
        const index_t number = work.number(i);
        factor_one<T, Size, Plain>(work, number, work.all[number]);
    }
}

/// The same of matrices without gaps: a block brings those of its threads to shared memory and back, so that
/// neighbouring threads have neighbours in memory.
template <class T, int Size>
__global__ void __launch_bounds__(threads) factor_packed(const __grid_constant__ factor_work<T> work) {
    constexpr int area = Size * Size, pitch = area | 1;  // odd: no bank conflicts
    __shared__ T memory[threads * pitch];
    const int thread = static_cast<int>(threadIdx.x);
    const index_t stride = index_t{gridDim.x} * threads;
    for (index_t first = index_t{blockIdx.x} * threads; first < work.count; first += stride) {
        const int count = static_cast<int>(min(index_t{threads}, work.count - first));
        T* const there = work.all.first.data + first * area;
#pragma unroll
        for (int k = 0; k < area; ++k) {
            const int e = thread + k * threads;
            if (e < count * area) memory[e / area * pitch + e % area] = there[e];
        }
        __syncthreads();
        if (thread < count) {
            device_matrix<T> m = work.all[first + thread];
            m.data = memory + thread * pitch;
            factor_one<T, Size, true>(work, first + thread, m);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < area; ++k) {
            const int e = thread + k * threads;
            if (e < count * area) there[e] = memory[e / area * pitch + e % area];
        }
        __syncthreads();  // before the next matrices take the memory
    }
}

template <class T>
bool is_packed(const factor_work<T>& work, int size) {
    const device_matrix<T>& m = work.all.first;
    return work.all.list == nullptr && m.rows == size && m.columns == size &&
           m.row_step * m.column_step == size && work.all.stride == index_t{size} * size;
}

template <int Size, class T>
void launch(const cuda::context& c, const factor_work<T>& work, int size) {
    if constexpr (Size < most_by_thread)
        if (size > Size) return launch<Size + 1>(c, work, size);
    const index_t blocks = std::min<index_t>((work.count + threads - 1) / threads, INT_MAX);
    const lu_outputs& out = work.out;
    const bool plain =
        !work.smallest_pivot && !out.permutation && !out.first_zero && !out.sign && !out.log_magnitude;
    auto kernel = factor_tiny<T, Size, true>;
    if constexpr (!is_complex_type<T>)
        if (!plain) kernel = factor_tiny<T, Size, false>;
    if constexpr (Size > 1)
        if (plain && is_packed(work, Size)) kernel = factor_packed<T, Size>;
    kernel<<<static_cast<unsigned>(blocks), threads, 0, c.stream()>>>(work);
    cuda::check_launch();
}

}  // namespace

template <class T>
void launch_threads(const cuda::context& c, const factor_work<T>& work, int size) {
    launch<1>(c, work, size);
}

template void launch_threads(const cuda::context&, const factor_work<float>&, int);
template void launch_threads(const cuda::context&, const factor_work<double>&, int);
// Of complex numbers factors and pivots alone.
template void launch_threads(const cuda::context&, const factor_work<thrust::complex<float>>&, int);
template void launch_threads(const cuda::context&, const factor_work<thrust::complex<double>>&, int);

}  // namespace wale::lu::batched
