#include "cpu/blas.hpp"

#include <cblas.h>
#include <dlfcn.h>

#include <algorithm>
#include <limits>
#include <mutex>

namespace wale::cpu::blas {
namespace {

constexpr index_t most = std::numeric_limits<blasint>::max();

/// The OpenMP that OpenBLAS itself was linked with, whichever that is.
struct openmp {
    using getter = int (*)();
    using setter = void (*)(int);
    getter threads = nullptr;
    setter set_threads = nullptr;

    static const openmp& of_openblas() {
        static const openmp found = [] {
            openmp o;
            if (openblas_get_parallel() != OPENBLAS_OPENMP) return o;
            o.threads = reinterpret_cast<getter>(dlsym(RTLD_DEFAULT, "omp_get_max_threads"));
            o.set_threads = reinterpret_cast<setter>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
            return o;
        }();
        return found;
    }
    [[nodiscard]] bool usable() const { return threads && set_threads; }
};

/// The number of threads of the whole process, while somebody wants 1.
class process_wide {
public:
    void take() {
        const std::scoped_lock lock(mutex_);
        if (users_++ > 0) return;
        before_ = openblas_get_num_threads();
        openblas_set_num_threads(1);
    }
    void give_back() {
        const std::scoped_lock lock(mutex_);
        if (--users_ == 0) openblas_set_num_threads(before_);
    }
    static process_wide& only() {
        static process_wide it;
        return it;
    }

private:
    std::mutex mutex_;
    int users_ = 0, before_ = 1;
};

/// A leading dimension that OpenBLAS does not object to: that of a single line may be anything.
blasint leading_of(index_t leading, index_t line) {
    return static_cast<blasint>(std::clamp<index_t>(leading, std::max<index_t>(1, line), most));
}

void gemm(CBLAS_ORDER order, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, const blasint* e, const double* a,
          blasint lda, const double* b, blasint ldb, double* c, blasint ldc) {
    cblas_dgemm(order, ta, tb, e[0], e[1], e[2], -1, a, lda, b, ldb, 1, c, ldc);
}
void gemm(CBLAS_ORDER order, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, const blasint* e, const float* a,
          blasint lda, const float* b, blasint ldb, float* c, blasint ldc) {
    cblas_sgemm(order, ta, tb, e[0], e[1], e[2], -1, a, lda, b, ldb, 1, c, ldc);
}
void gemv(CBLAS_ORDER order, const blasint* e, const double* a, blasint lda, const double* x, blasint dx,
          double* y, blasint dy) {
    cblas_dgemv(order, CblasNoTrans, e[0], e[1], -1, a, lda, x, dx, 1, y, dy);
}
void gemv(CBLAS_ORDER order, const blasint* e, const float* a, blasint lda, const float* x, blasint dx,
          float* y, blasint dy) {
    cblas_sgemv(order, CblasNoTrans, e[0], e[1], -1, a, lda, x, dx, 1, y, dy);
}

CBLAS_ORDER name_of(storage_order o) {
    return o == storage_order::row_major ? CblasRowMajor : CblasColMajor;
}
CBLAS_TRANSPOSE against(storage_order own, storage_order c) {
    return own == c ? CblasNoTrans : CblasTrans;
}

/// y -= A x, x and y single columns.
template <class T>
void subtract_product_of_column(block<T> y, block<const T> a, block<const T> x, const extents& e) {
    const blasint sizes[] = {static_cast<blasint>(e.rows), static_cast<blasint>(e.inner)};
    gemv(name_of(a.order), sizes, a.data, leading_of(a.leading, a.row_major() ? e.inner : e.rows), x.data,
         leading_of(x.row_step(), 1), y.data, leading_of(y.row_step(), 1));
}

}  // namespace

template <class T>
void subtract_product(block<T> c, block<const T> a, block<const T> b, const extents& e) {
    if (e.rows == 0 || e.columns == 0 || e.inner == 0) return;
    if (e.columns == 1) return subtract_product_of_column(c, a, b, e);
    if (e.rows == 1)
        return subtract_product_of_column(c.transposed(), b.transposed(), a.transposed(),
                                          {e.columns, 1, e.inner});
    const blasint sizes[] = {static_cast<blasint>(e.rows), static_cast<blasint>(e.columns),
                             static_cast<blasint>(e.inner)};
    gemm(name_of(c.order), against(a.order, c.order), against(b.order, c.order), sizes, a.data,
         leading_of(a.leading, a.row_major() ? e.inner : e.rows), b.data,
         leading_of(b.leading, b.row_major() ? e.columns : e.inner), c.data,
         leading_of(c.leading, c.row_major() ? e.columns : e.rows));
}
template void subtract_product(block<float>, block<const float>, block<const float>, const extents&);
template void subtract_product(block<double>, block<const double>, block<const double>, const extents&);

bool takes(const matrix_shape& m) {
    return m.rows <= most && m.columns <= most && (m.lines() <= 1 || m.leading <= most);
}

on_this_thread::on_this_thread() {
    if (openblas_get_parallel() == OPENBLAS_SEQUENTIAL) return;
    const openmp& omp = openmp::of_openblas();
    if (omp.usable()) {
        before_ = omp.threads();
        omp.set_threads(1);
    } else {
        process_wide::only().take();
    }
}

on_this_thread::~on_this_thread() {
    if (openblas_get_parallel() == OPENBLAS_SEQUENTIAL) return;
    const openmp& omp = openmp::of_openblas();
    if (omp.usable())
        omp.set_threads(before_);
    else
        process_wide::only().give_back();
}

}  // namespace wale::cpu::blas
