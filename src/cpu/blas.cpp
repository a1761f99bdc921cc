#include "cpu/blas.hpp"

#include <cblas.h>
#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <wale/error.hpp>
#include <wale/execution.hpp>

namespace wale::cpu::blas {
namespace {

constexpr index_t most = std::numeric_limits<blasint>::max();

// What OpenBLAS maps: its code and a buffer when it is loaded, then a buffer for each thread that calls it;
// such a thread may take a heap of its own, too.
constexpr std::size_t code_bytes = std::size_t{64} << 20, buffer_bytes = std::size_t{128} << 20,
                      heap_bytes = std::size_t{64} << 20;

constexpr std::size_t memory_of(int threads) {
    return buffer_bytes + static_cast<std::size_t>(threads) * (buffer_bytes + heap_bytes);
}

/// Throws where a limit leaves no so much free address space: OpenBLAS would try again without end.
void require_memory(std::size_t bytes) {
    void* const reserved =
        mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED)
        throw out_of_memory(
            "OpenBLAS: needs " + std::to_string(bytes >> 20) +
                " MiB of address space, more than the limit of this process leaves; fewer threads need less",
            false);
    munmap(reserved, bytes);
}

/// Threads that may be in OpenBLAS at once; it keeps the buffers of the most there ever were.
class callers {
public:
    void enter() {
        const std::scoped_lock lock(mutex_);
        if (now_ == most_) {
            // As if no thread had taken its part yet: which of them has, OpenBLAS does not say.
            if (most_ > 0) require_memory(memory_of(now_ + 1));
            ++most_;
        }
        ++now_;
    }
    void leave() {
        const std::scoped_lock lock(mutex_);
        --now_;
    }
    static callers& all() {
        static callers them;
        return them;
    }

private:
    std::mutex mutex_;
    int now_ = 0, most_ = 0;
};

/// Where OpenBLAS is looked for: in the Python package scipy-openblas32, which lies beside the package wale
/// and is newer than that of most systems, then where the loader finds the one that was there at build time.
constexpr const char* places[] = {"$ORIGIN/../scipy_openblas32/lib/libscipy_openblas.so", WALE_OPENBLAS};

constexpr const char* chosen_kernels = "OPENBLAS_CORETYPE";  // read by OpenBLAS when it is loaded

/// OpenBLAS knows processors by their model; a model newer than OpenBLAS gets kernels without AVX (a quarter
/// of the rate of 0.3.21 on a Xeon of 2023). The kernels that the processor can run, or null where `taken`
/// are as good or the user has chosen.
const char* better_kernels(std::string_view taken) {
#if defined(__x86_64__)
    constexpr std::string_view without_avx2[] = {
        "Prescott", "Core2",        "Penryn",    "Dunnington", "Nehalem",    "Athlon",
        "Opteron",  "Opteron_SSE3", "Barcelona", "Atom",       "Nano",       "Bobcat",
        "Katmai",   "Coppermine",   "Northwood", "Banias",     "Sandybridge"};
    if (std::getenv(chosen_kernels) != nullptr ||
        std::ranges::find(without_avx2, taken) == std::end(without_avx2))
        return nullptr;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
    (void)taken;
    return nullptr;
}

/// OpenBLAS, loaded at the first product: a program that needs none is spared the time and the memory.
class library {
public:
    decltype(&cblas_sgemm) sgemm;
    decltype(&cblas_dgemm) dgemm;
    decltype(&cblas_sgemv) sgemv;
    decltype(&cblas_dgemv) dgemv;
    decltype(&cblas_cgemm) cgemm;
    decltype(&cblas_zgemm) zgemm;
    decltype(&cblas_cgemv) cgemv;
    decltype(&cblas_zgemv) zgemv;
    decltype(&openblas_get_num_threads) threads;
    decltype(&openblas_set_num_threads) set_threads;
    bool sequential = false;
    std::string name;  // of the kernels that OpenBLAS runs
    // The OpenMP that OpenBLAS itself was linked with, whichever that is; null in other flavours.
    int (*omp_threads)() = nullptr;
    void (*omp_set_threads)(int) = nullptr;

    static const library& loaded() {
        static const library it;
        return it;
    }

private:
    library() {
        require_memory(code_bytes + memory_of(1));
        open();
        decltype(&openblas_get_corename) kernels;
        find(kernels, "openblas_get_corename");
        if (const char* better = better_kernels(kernels())) {
            dlclose(handle_);
            setenv(chosen_kernels, better, 1);
            open();
            unsetenv(chosen_kernels);
            find(kernels, "openblas_get_corename");
        }
        name = kernels();
        find(sgemm, "cblas_sgemm");
        find(dgemm, "cblas_dgemm");
        find(sgemv, "cblas_sgemv");
        find(dgemv, "cblas_dgemv");
        find(cgemm, "cblas_cgemm");
        find(zgemm, "cblas_zgemm");
        find(cgemv, "cblas_cgemv");
        find(zgemv, "cblas_zgemv");
        find(threads, "openblas_get_num_threads");
        find(set_threads, "openblas_set_num_threads");
        decltype(&openblas_get_parallel) parallel;
        find(parallel, "openblas_get_parallel");
        sequential = parallel() == OPENBLAS_SEQUENTIAL;
        if (parallel() != OPENBLAS_OPENMP) return;
        find(omp_threads, "omp_get_max_threads");
        find(omp_set_threads, "omp_set_num_threads");
    }

    void open() {
        for (const char* file : places)
            if ((handle_ = dlopen(file, RTLD_NOW | RTLD_LOCAL)) != nullptr) return;
        throw backend_unavailable(std::string("OpenBLAS: ") + dlerror());
    }

    template <class F>
    void find(F& function, const char* symbol) const {
        for (const char* prefix : {"", "scipy_"}) {
            function = reinterpret_cast<F>(dlsym(handle_, (prefix + std::string(symbol)).c_str()));
            if (function != nullptr) return;
        }
        throw backend_unavailable(std::string("OpenBLAS has no function ") + symbol);
    }

    void* handle_ = nullptr;  // never closed: threads of OpenBLAS may wait in its code
};

/// The number of threads of the whole process, while somebody wants 1.
class process_wide {
public:
    void take() {
        const std::scoped_lock lock(mutex_);
        if (users_++ > 0) return;
        before_ = library::loaded().threads();
        library::loaded().set_threads(1);
    }
    void give_back() {
        const std::scoped_lock lock(mutex_);
        if (--users_ == 0) library::loaded().set_threads(before_);
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
    library::loaded().dgemm(order, ta, tb, e[0], e[1], e[2], -1, a, lda, b, ldb, 1, c, ldc);
}
void gemm(CBLAS_ORDER order, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, const blasint* e, const float* a,
          blasint lda, const float* b, blasint ldb, float* c, blasint ldc) {
    library::loaded().sgemm(order, ta, tb, e[0], e[1], e[2], -1, a, lda, b, ldb, 1, c, ldc);
}
void gemv(CBLAS_ORDER order, const blasint* e, const double* a, blasint lda, const double* x, blasint dx,
          double* y, blasint dy) {
    library::loaded().dgemv(order, CblasNoTrans, e[0], e[1], -1, a, lda, x, dx, 1, y, dy);
}
void gemv(CBLAS_ORDER order, const blasint* e, const float* a, blasint lda, const float* x, blasint dx,
          float* y, blasint dy) {
    library::loaded().sgemv(order, CblasNoTrans, e[0], e[1], -1, a, lda, x, dx, 1, y, dy);
}

template <class T>
constexpr std::complex<T> complex_one[] = {-1, 1};  // factors that cblas takes by their address
void gemm(CBLAS_ORDER order, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, const blasint* e,
          const std::complex<double>* a, blasint lda, const std::complex<double>* b, blasint ldb,
          std::complex<double>* c, blasint ldc) {
    const auto* const f = complex_one<double>;
    library::loaded().zgemm(order, ta, tb, e[0], e[1], e[2], f, a, lda, b, ldb, f + 1, c, ldc);
}
void gemm(CBLAS_ORDER order, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, const blasint* e,
          const std::complex<float>* a, blasint lda, const std::complex<float>* b, blasint ldb,
          std::complex<float>* c, blasint ldc) {
    const auto* const f = complex_one<float>;
    library::loaded().cgemm(order, ta, tb, e[0], e[1], e[2], f, a, lda, b, ldb, f + 1, c, ldc);
}
void gemv(CBLAS_ORDER order, const blasint* e, const std::complex<double>* a, blasint lda,
          const std::complex<double>* x, blasint dx, std::complex<double>* y, blasint dy) {
    const auto* const f = complex_one<double>;
    library::loaded().zgemv(order, CblasNoTrans, e[0], e[1], f, a, lda, x, dx, f + 1, y, dy);
}
void gemv(CBLAS_ORDER order, const blasint* e, const std::complex<float>* a, blasint lda,
          const std::complex<float>* x, blasint dx, std::complex<float>* y, blasint dy) {
    const auto* const f = complex_one<float>;
    library::loaded().cgemv(order, CblasNoTrans, e[0], e[1], f, a, lda, x, dx, f + 1, y, dy);
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
template void subtract_product(block<std::complex<float>>, block<const std::complex<float>>,
                               block<const std::complex<float>>, const extents&);
template void subtract_product(block<std::complex<double>>, block<const std::complex<double>>,
                               block<const std::complex<double>>, const extents&);

std::string kernels() {
    return library::loaded().name;
}

bool takes(const matrix_shape& m) {
    return m.rows <= most && m.columns <= most && (m.lines() <= 1 || m.leading <= most);
}

on_this_thread::on_this_thread() {
    const library& blas = library::loaded();
    callers::all().enter();
    if (blas.sequential) return;
    if (blas.omp_set_threads) {
        before_ = blas.omp_threads();
        blas.omp_set_threads(1);
    } else {
        process_wide::only().take();
    }
}

on_this_thread::~on_this_thread() {
    const library& blas = library::loaded();
    callers::all().leave();
    if (blas.sequential) return;
    if (blas.omp_set_threads)
        blas.omp_set_threads(before_);
    else
        process_wide::only().give_back();
}

}  // namespace wale::cpu::blas
