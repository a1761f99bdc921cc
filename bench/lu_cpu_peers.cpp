// lu_cpu_peers - see cpu_peers.hpp. Compiled for this machine's processor, as its users compile Eigen.
#include "cpu_peers.hpp"

#include <cblas.h>

#ifdef WALE_WITH_EIGEN
#include <Eigen/Dense>
#endif

// OpenBLAS contains LAPACK; its header does not declare it.
extern "C" {
void sgetrf_(const int* m, const int* n, float* a, const int* lda, int* ipiv, int* info);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* ipiv, int* info);
}

namespace wale::bench {
namespace {

void getrf(int n, float* a, int* pivots, int* info) {
    sgetrf_(&n, &n, a, &n, pivots, info);
}
void getrf(int n, double* a, int* pivots, int* info) {
    dgetrf_(&n, &n, a, &n, pivots, info);
}

template <class T>
void by_openblas(T* a, int n, int threads) {
    static thread_local std::vector<int> pivots;
    if (std::ssize(pivots) < n) pivots.resize(static_cast<std::size_t>(n));
    if (openblas_get_num_threads() != threads) openblas_set_num_threads(threads);
    int info = 0;
    getrf(n, a, pivots.data(), &info);
}

#ifdef WALE_WITH_EIGEN
template <class T>
void by_eigen(T* a, int n, int) {
    using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
    Eigen::Map<matrix> in_place(a, n, n);
    Eigen::Ref<matrix> whole(in_place);  // of a Ref, PartialPivLU works in place
    const Eigen::PartialPivLU<Eigen::Ref<matrix>> lu(whole);
    (void)lu;
}
#endif

}  // namespace

template <class T>
std::vector<lu_cpu_peer<T>> lu_cpu_peers() {
    std::vector<lu_cpu_peer<T>> all{{"openblas", by_openblas<T>}};
#ifdef WALE_WITH_EIGEN
    all.push_back({"eigen", by_eigen<T>});
#endif
    return all;
}

template std::vector<lu_cpu_peer<float>> lu_cpu_peers();
template std::vector<lu_cpu_peer<double>> lu_cpu_peers();

}  // namespace wale::bench
