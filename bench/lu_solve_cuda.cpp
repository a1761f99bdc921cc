// lu_solve_cuda - solves and inverses of one large matrix on the device beside cuSOLVER's getrs: a CSV line a
// case. Answers of both are verified after the timing, on the data that was timed.
//   lu_solve_cuda OUT.csv N...
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>
#include <wale/wale.hpp>

#include "csv.hpp"
#include "device_timing.hpp"
#include "packed.hpp"
#include "timing.hpp"

namespace {

using namespace wale;

void check(bool good, const char* what) {
    if (!good) throw std::runtime_error(std::string(what) + " failed");
}

/// Of |b - A x| / (n |x|), where numbers are up to 1: the measured ones are below 1e-13 and 1e-4.
template <class T>
constexpr double good_error = sizeof(T) == 4 ? 1e-3 : 1e-11;

/// Median device milliseconds of 5, `prepare` left out.
double milliseconds(const std::function<void()>& prepare, const std::function<void()>& queue) {
    std::vector<double> all;
    for (int k = 0; k < 6; ++k) {
        const double seconds = bench::device_seconds(prepare, queue);
        if (k > 0) all.push_back(seconds);  // the first warms up
    }
    return 1e3 * bench::median(all);
}

template <class T>
class solving {
public:
    solving(const bench::csv_lines& out, index_t n)
        : out_(out),
          n_(n),
          a_(n * n, memory_space::device),
          f_(n * n, memory_space::device),
          pivots_(n, memory_space::device),
          wide_(n, memory_space::device),
          info_(1, memory_space::device) {
        const std::vector<T> a = bench::random_numbers<T>(n * n);
        copy_bytes(on_cuda{}, a_.data(), a.data(), n * n * index_t{sizeof(T)});
        copy_bytes(on_cuda{}, f_.data(), a.data(), n * n * index_t{sizeof(T)});
        (void)lu_factor(on_cuda{}, matrices(f_.data(), shape(n)), pivots_.data());
        std::vector<std::int32_t> narrow(static_cast<std::size_t>(n));
        copy_bytes(on_cuda{}, narrow.data(), pivots_.data(), n * 4);
        std::vector<std::int64_t> wide(narrow.begin(), narrow.end());
        for (auto& p : wide) ++p;
        copy_bytes(on_cuda{}, wide_.data(), wide.data(), n * 8);
        check(cusolverDnCreate(&solver_) == CUSOLVER_STATUS_SUCCESS, "cusolverDnCreate");
        check(cublasCreate(&blas_) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    }
    solving(const solving&) = delete;
    solving& operator=(const solving&) = delete;
    ~solving() {
        (void)cusolverDnDestroy(solver_);
        (void)cublasDestroy(blas_);
    }

    void compare(index_t sides, bool transposed) {
        const buffer<T> b(n_ * sides, memory_space::device), x(n_ * sides, memory_space::device);
        const std::vector<T> host = bench::random_numbers<T>(n_ * sides);
        copy_bytes(on_cuda{}, b.data(), host.data(), n_ * sides * index_t{sizeof(T)});
        const auto restore = [&] {
            (void)cudaMemcpyAsync(x.data(), b.data(), host.size() * sizeof(T), cudaMemcpyDeviceToDevice);
        };
        const auto type = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
        const double theirs = milliseconds(restore, [&] {
            check(cusolverDnXgetrs(solver_, nullptr, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, n_, sides, type,
                                   f_.data(), n_, wide_.data(), type, x.data(), n_,
                                   info_.data()) == CUSOLVER_STATUS_SUCCESS,
                  "cusolverDnXgetrs");
        });
        const matrices right(x.data(), shape(sides));
        const double their_error = error(x, host, sides, transposed);
        report run;
        const double ours = milliseconds(restore, [&] {
            run = lu_solve(on_cuda{}, {f_.data(), shape(n_)}, pivots_.data(), right,
                           {.variant = "cuda/blocked", .transposed = transposed, .asynchronous = true})
                      .run;
        });
        check(their_error < good_error<T>, "the answer of cusolverDnXgetrs");
        add(transposed ? "solve_transposed" : "solve", sides, ours, theirs, run,
            error(x, host, sides, transposed));
    }
    void invert() {
        const buffer<T> x(n_ * n_, memory_space::device);
        const auto bytes = static_cast<std::size_t>(n_ * n_) * sizeof(T);
        report run;
        const double ours =
            milliseconds([&] { (void)cudaMemcpyAsync(x.data(), f_.data(), bytes, cudaMemcpyDeviceToDevice); },
                         [&] {
                             run = lu_inverse(on_cuda{}, matrices(x.data(), shape(n_)), pivots_.data(),
                                              {.variant = "cuda/blocked", .asynchronous = true})
                                       .run;
                         });
        std::vector<T> unit(static_cast<std::size_t>(n_ * n_));
        for (index_t i = 0; i < n_; ++i) unit[static_cast<std::size_t>(i * n_ + i)] = 1;
        add("inverse", n_, ours, 0, run, error(x, unit, n_, false));
    }

private:
    /// Throws where the answer is wrong.
    void add(const char* operation, index_t sides, double ours, double theirs, const report& run,
             double error) const {
        check(error < good_error<T>, operation);
        out_.add(operation, sizeof(T) == 4 ? "f32" : "f64", n_, sides, run.variant, run.policy, ours,
                 theirs > 0 ? "cusolverDnXgetrs" : "", theirs, theirs / ours, error);
    }
    [[nodiscard]] matrix_shape shape(index_t columns) const {
        return bench::packed_columns(scalar_of<T>::value, n_, columns);
    }
    /// max |b - A x| / max |x|, by cuBLAS; b on the host.
    double error(const buffer<T>& x, std::vector<T> b, index_t sides, bool transposed) const {
        const buffer<T> r(n_ * sides, memory_space::device);
        copy_bytes(on_cuda{}, r.data(), b.data(), n_ * sides * index_t{sizeof(T)});
        const T minus = -1, one = 1;
        const auto op = transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
        const int n = static_cast<int>(n_), m = static_cast<int>(sides);
        if constexpr (sizeof(T) == 4)
            (void)cublasSgemm(blas_, op, CUBLAS_OP_N, n, m, n, &minus, a_.data(), n, x.data(), n, &one,
                              r.data(), n);
        else
            (void)cublasDgemm(blas_, op, CUBLAS_OP_N, n, m, n, &minus, a_.data(), n, x.data(), n, &one,
                              r.data(), n);
        const auto largest = [&](const buffer<T>& v) {
            copy_bytes(on_cuda{}, b.data(), v.data(), n_ * sides * index_t{sizeof(T)});
            double most = 0;
            for (const T e : b) most = std::max(most, std::abs(static_cast<double>(e)));
            return most;
        };
        const double residual = largest(r);
        return residual / largest(x) / static_cast<double>(n_);
    }

    const bench::csv_lines& out_;
    index_t n_;
    buffer<T> a_, f_;
    buffer<std::int32_t> pivots_;
    buffer<std::int64_t> wide_;
    buffer<int> info_;
    cusolverDnHandle_t solver_{};
    cublasHandle_t blas_{};
};

template <class T>
void run(const bench::csv_lines& out, index_t n) {
    solving<T> s(out, n);
    for (const index_t sides : {1, 8, 64, 1024})
        for (const bool transposed : {false, true})
            if (sides < 1024 || !transposed) s.compare(sides, transposed);
    s.invert();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: lu_solve_cuda OUT.csv N...\n");
        return 2;
    }
    try {
        const bench::csv_lines out(argv[1],
                                   "operation,type,size,right_sides,variant,policy,median_ms,peer,"
                                   "peer_median_ms,ratio,error");
        for (int i = 2; i < argc; ++i) {
            run<double>(out, std::atoll(argv[i]));
            run<float>(out, std::atoll(argv[i]));
        }
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "lu_solve_cuda: %s\n", e.what());
        return 1;
    }
}
