// norms - |b - A x| / (|A| |x| + |b|) of every system on the device, in double precision: two passes over
// the rows gather norms of a system with integer maxima of the bits of magnitudes (their order is that of
// the numbers, and NaN is above all): the largest elements, which give the scale, then sums of rows; a third
// kernel divides.
#include <algorithm>
#include <cstring>

#include "cuda/complex.cuh"
#include "solvers/tree/cuda/places.cuh"
#include "solvers/tree/inspect/residual.hpp"
#include "solvers/tree/jobs.hpp"
#include "solvers/tree/topology.hpp"

namespace wale::tree {
namespace {

constexpr int block = 256;

/// The bits of the largest elements of A, x and b, then of scaled sums of rows: |A| and |b - A x|.
struct system_norms {
    unsigned long long matrix, unknown, right, rows, difference;
    [[nodiscard]] static __device__ double value(unsigned long long bits) {
        return __longlong_as_double(static_cast<long long>(bits));
    }
    [[nodiscard]] __device__ residual_scale scale() const {
        return {value(matrix), value(unknown), value(right)};
    }
};
enum class pass { elements, rows };

__device__ void raise(unsigned long long* most, double magnitude) {
    const auto bits = static_cast<unsigned long long>(__double_as_longlong(fabs(magnitude)));
    if (bits > *most) atomicMax(most, bits);  // a stale value only costs an atomic
}

template <class T>
struct chain_arguments {
    device_chains<T> matrix;
    const T *rhs, *solution;
    places vectors;
    index_t each, rows;  // vectors a system, rows a vector at most
    system_norms* norms;
};

template <pass Pass, class T>
__global__ void chain_norms(chain_arguments<T> a) {
    using W = std::conditional_t<base::is_complex_type<T>, thrust::complex<double>, double>;
    using cuda::magnitude_of;
    const index_t all = a.vectors.count * a.rows;
    for (index_t k = index_t{blockIdx.x} * block + threadIdx.x; k < all; k += index_t{gridDim.x} * block) {
        const bool across = a.vectors.layout == vector_layout::interleaved;  // neighbours read neighbours
        const index_t v = across ? k % a.vectors.count : k / a.rows;
        const index_t i = across ? k / a.vectors.count : k % a.rows;
        const bands<T> m = a.matrix[v / a.each];
        if (i >= m.size) continue;
        const index_t at = a.vectors.begin_of(v), step = a.vectors.step();
        const line<const T> b{a.rhs + at, step}, x{a.solution + at, step};
        system_norms* n = a.norms + v;
        if constexpr (Pass == pass::elements) {
            for (const T e : {m.low(i), m.middle(i), m.up(i)}) raise(&n->matrix, magnitude_of(1, e));
            raise(&n->unknown, magnitude_of(1, x[i]));
            raise(&n->right, magnitude_of(1, b[i]));
        } else {
            const residual_scale s = n->scale();
            const W low = s.matrix(W(m.low(i))), middle = s.matrix(W(m.middle(i))), up = s.matrix(W(m.up(i)));
            const W before = low == W(0) ? W(0) : s.unknown(W(x[i == 0 ? m.size - 1 : i - 1]));
            const W after = up == W(0) ? W(0) : s.unknown(W(x[i == m.size - 1 ? 0 : i + 1]));
            const W sum = low * before + middle * s.unknown(W(x[i])) + up * after;
            raise(&n->rows, magnitude_of(1, low) + magnitude_of(1, middle) + magnitude_of(1, up));
            raise(&n->difference, magnitude_of(1, s.right(W(b[i])) - s.product(sum)));
        }
    }
}

template <class T>
struct hines_arguments {
    const T *diagonal, *upper, *lower, *rhs, *solution;
    const std::int32_t *parent, *children;
    const std::int64_t* child_start;
    places vectors;
    system_norms* norms;
};

template <pass Pass, class T>
__global__ void hines_norms(hines_arguments<T> a) {
    const index_t nodes = a.vectors.size, all = a.vectors.count * nodes;
    for (index_t k = index_t{blockIdx.x} * block + threadIdx.x; k < all; k += index_t{gridDim.x} * block) {
        const bool across = a.vectors.layout == vector_layout::interleaved;
        const index_t v = across ? k % a.vectors.count : k / nodes;
        const index_t i = across ? k / a.vectors.count : k % nodes;
        const index_t at = a.vectors.begin_of(v), step = a.vectors.step();
        const auto value = [&](const T* array, index_t node) { return double{array[at + node * step]}; };
        system_norms* n = a.norms + v;
        if constexpr (Pass == pass::elements) {
            raise(&n->matrix, value(a.diagonal, i));
            if (a.parent[i] >= 0) {
                raise(&n->matrix, value(a.lower, i));
                raise(&n->matrix, value(a.upper, i));
            }
            raise(&n->unknown, value(a.solution, i));
            raise(&n->right, value(a.rhs, i));
        } else {
            const residual_scale s = n->scale();
            double sum = 0, row = 0;
            const auto add = [&](double element, index_t node) {
                sum += s.matrix(element) * s.unknown(value(a.solution, node));
                row += fabs(s.matrix(element));
            };
            add(value(a.diagonal, i), i);
            if (a.parent[i] >= 0) add(value(a.lower, i), a.parent[i]);
            for (std::int64_t c = a.child_start[i]; c < a.child_start[i + 1]; ++c)
                add(value(a.upper, a.children[c]), a.children[c]);
            raise(&n->rows, row);
            raise(&n->difference, s.right(value(a.rhs, i)) - s.product(sum));
        }
    }
}

__global__ void largest_error(const system_norms* norms, index_t count, unsigned long long* most) {
    for (index_t v = index_t{blockIdx.x} * block + threadIdx.x; v < count; v += index_t{gridDim.x} * block) {
        const system_norms n = norms[v];
        const double difference = n.value(n.difference);
        if (difference == 0) continue;
        const residual_scale s = n.scale();
        raise(most, difference / (s.product(n.value(n.rows) * s.unknown(n.value(n.unknown))) +
                                  s.right(n.value(n.right))));
    }
}

unsigned grid(const cuda::context& here, index_t items) {
    return static_cast<unsigned>(
        std::clamp<index_t>((items + block - 1) / block, 1, index_t{16} * here.multiprocessors()));
}

double largest(const cuda::context& here, const cuda::scratch<system_norms>& norms) {
    const cuda::scratch<unsigned long long> most(here, 1);
    most.fill_bytes(0);
    largest_error<<<grid(here, norms.size()), block, 0, here.stream()>>>(norms.data(), norms.size(),
                                                                         most.data());
    cuda::check(cudaGetLastError());
    double found = 0;
    static_assert(sizeof found == sizeof(unsigned long long));
    unsigned long long bits = 0;
    most.to_host(&bits);
    std::memcpy(&found, &bits, sizeof found);
    return found;
}

void chain_residual(chain_residual_job& job) {
    const cuda::context here(job.where);
    if (job.rhs.count == 0) return;
    const sent_to_device<index_t> matrix_starts(here, job.a.shape().starts), starts(here, job.rhs.starts);
    const cuda::scratch<system_norms> norms(here, job.rhs.count);
    norms.fill_bytes(0);
    index_t rows = 0;
    for (index_t v = 0; v < (job.rhs.ragged() ? job.rhs.count : 1); ++v)
        rows = std::max(rows, job.rhs.size_of(v));
    cuda::with_device_type(job.rhs.type, [&](auto zero) {
        using T = decltype(zero);
        const chain_arguments<T> a{chains_on_device<T>(job.a, matrix_starts.data()),
                                   static_cast<const T*>(job.rhs.data),
                                   static_cast<const T*>(job.solution.data),
                                   places_of(job.rhs, starts.data()),
                                   job.rhs.count / job.a.systems(),
                                   rows,
                                   norms.data()};
        const unsigned blocks = grid(here, job.rhs.count * rows);
        chain_norms<pass::elements, T><<<blocks, block, 0, here.stream()>>>(a);
        chain_norms<pass::rows, T><<<blocks, block, 0, here.stream()>>>(a);
    });
    cuda::check(cudaGetLastError());
    job.residual = largest(here, norms);
}

void hines_residual_on_device(hines_residual_job& job) {
    const cuda::context here(job.where);
    if (job.rhs.count == 0) return;
    const sent_to_device<std::int32_t> parent(here, job.tree->parent), children(here, job.tree->children);
    const sent_to_device<std::int64_t> child_start(here, job.tree->child_start);
    const cuda::scratch<system_norms> norms(here, job.rhs.count);
    norms.fill_bytes(0);
    with_type(job.rhs.type, [&](auto zero) {
        using T = decltype(zero);
        const hines_arguments<T> a{static_cast<const T*>(job.diagonal.data),
                                   static_cast<const T*>(job.upper.data),
                                   static_cast<const T*>(job.lower.data),
                                   static_cast<const T*>(job.rhs.data),
                                   static_cast<const T*>(job.solution.data),
                                   parent.data(),
                                   children.data(),
                                   child_start.data(),
                                   places_of(job.rhs, nullptr),
                                   norms.data()};
        const unsigned blocks = grid(here, job.rhs.elements());
        hines_norms<pass::elements, T><<<blocks, block, 0, here.stream()>>>(a);
        hines_norms<pass::rows, T><<<blocks, block, 0, here.stream()>>>(a);
    });
    cuda::check(cudaGetLastError());
    job.residual = largest(here, norms);
}

}  // namespace

extern constinit const catalogue::row<chain_residual_job> chain_residual_cuda_norms{
    "cuda/norms", "row by row in double precision", chain_residual, nullptr, nullptr, true};

extern constinit const catalogue::row<hines_residual_job> hines_residual_cuda_norms{
    "cuda/norms", "row by row in double precision", hines_residual_on_device};

}  // namespace wale::tree
