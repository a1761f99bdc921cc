// tree_cpu_peers - see cpu_peers.hpp. Compiled for this machine's processor.
#include "cpu_peers.hpp"

#include <algorithm>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

// OpenBLAS contains LAPACK; its header does not declare it.
extern "C" {
void sgtsv_(const int* n, const int* nrhs, float* dl, float* d, float* du, float* b, const int* ldb,
            int* info);
void dgtsv_(const int* n, const int* nrhs, double* dl, double* d, double* du, double* b, const int* ldb,
            int* info);
}

namespace wale::bench {
namespace {

int gtsv(int n, float* l, float* d, float* u, float* x) {
    const int one = 1;
    int info = 0;
    sgtsv_(&n, &one, l, d, u, x, &n, &info);
    return info;
}
int gtsv(int n, double* l, double* d, double* u, double* x) {
    const int one = 1;
    int info = 0;
    dgtsv_(&n, &one, l, d, u, x, &n, &info);
    return info;
}

#ifdef __SSE2__
void store_past(float* to, const float* from) {
    _mm_stream_ps(to, _mm_loadu_ps(from));
}
void store_past(double* to, const double* from) {
    _mm_stream_pd(to, _mm_loadu_pd(from));
}
#endif

}  // namespace

template <class T>
int gtsv_in_place(const flat_chains<T>& a, int threads) {
    int info = 0;
    const auto n = static_cast<int>(a.size);
#pragma omp parallel for num_threads(threads) schedule(static) reduction(max : info)
    for (std::int64_t s = 0; s < a.count; ++s) {
        const std::int64_t at = s * a.size;
        info = std::max(info, gtsv(n, a.lower + at + 1, a.diagonal + at, a.upper + at, a.x + at));
    }
    return info;
}

template <class T>
int gtsv_preserving(const flat_chains<T>& a, const T* rhs, int threads) {
    int info = 0;
    const auto n = static_cast<int>(a.size);
#pragma omp parallel num_threads(threads) reduction(max : info)
    {
        std::vector<T> l(static_cast<std::size_t>(n)), d(l), u(l);
#pragma omp for schedule(static)
        for (std::int64_t s = 0; s < a.count; ++s) {
            const std::int64_t at = s * a.size;
            std::copy_n(a.lower + at, n, l.data());
            std::copy_n(a.diagonal + at, n, d.data());
            std::copy_n(a.upper + at, n, u.data());
            std::copy_n(rhs + at, n, a.x + at);
            info = std::max(info, gtsv(n, l.data() + 1, d.data(), u.data(), a.x + at));
        }
    }
    return info;
}

template <class T>
void stream_of_five(const flat_chains<T>& a, const T* b, int threads) {
    const std::int64_t all = a.size * a.count;
    constexpr std::int64_t block = 64 / sizeof(T);  // a cache line
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t i = 0; i < all / block * block; i += block) {
        alignas(64) T sum[block];
        for (std::int64_t k = 0; k < block; ++k)
            sum[k] = (a.lower[i + k] + a.diagonal[i + k]) + (a.upper[i + k] + b[i + k]);
#ifdef __SSE2__
        for (std::int64_t k = 0; k < block; k += 16 / std::int64_t{sizeof(T)})
            store_past(a.x + i + k, sum + k);
#else
        std::copy_n(sum, block, a.x + i);
#endif
    }
}

template int gtsv_in_place(const flat_chains<float>&, int);
template int gtsv_in_place(const flat_chains<double>&, int);
template int gtsv_preserving(const flat_chains<float>&, const float*, int);
template int gtsv_preserving(const flat_chains<double>&, const double*, int);
template void stream_of_five(const flat_chains<float>&, const float*, int);
template void stream_of_five(const flat_chains<double>&, const double*, int);

}  // namespace wale::bench
