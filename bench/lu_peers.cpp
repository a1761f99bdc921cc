// lu_peers - see cuda_peers.hpp.
#include "cuda_peers.hpp"

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <stdexcept>
#include <type_traits>
#include <vector>
#include <wale/wale.hpp>

#include "timing.hpp"

namespace wale::bench {
namespace {

void check(bool good, const char* what) {
    if (!good) throw std::runtime_error(std::string(what) + " failed");
}

template <class T>
buffer<T> on_device(index_t size) {
    return buffer<T>(size, memory_space::device);
}

class single_peer final : public lu_peer {
public:
    single_peer(const matrix_shape& s, bool pivoted) : shape_(s), pivots_(on_device<std::int64_t>(s.rows)) {
        type_ = s.type == scalar::f32   ? CUDA_R_32F
                : s.type == scalar::f64 ? CUDA_R_64F
                : s.type == scalar::c64 ? CUDA_C_32F
                                        : CUDA_C_64F;
        check(cusolverDnCreate(&handle_) == CUSOLVER_STATUS_SUCCESS, "cusolverDnCreate");
        check(cusolverDnCreateParams(&parameters_) == CUSOLVER_STATUS_SUCCESS, "cusolverDnCreateParams");
        if (!pivoted) pivots_ = {};
        std::size_t device = 0, host = 0;
        check(cusolverDnXgetrf_bufferSize(handle_, parameters_, s.rows, s.columns, type_, nullptr, s.leading,
                                          type_, &device, &host) == CUSOLVER_STATUS_SUCCESS,
              "cusolverDnXgetrf_bufferSize");
        device_ = on_device<unsigned char>(static_cast<index_t>(device) + 256);
        host_.resize(host + 1);
        info_ = on_device<int>(1);
    }
    ~single_peer() override {
        (void)cusolverDnDestroyParams(parameters_);
        (void)cusolverDnDestroy(handle_);
    }
    std::string name() const override { return "cusolverDnXgetrf"; }
    void factor(void* a) override {
        check(
            cusolverDnXgetrf(handle_, parameters_, shape_.rows, shape_.columns, type_, a, shape_.leading,
                             pivots_.data(), type_, device_.data(), static_cast<std::size_t>(device_.size()),
                             host_.data(), host_.size(), info_.data()) == CUSOLVER_STATUS_SUCCESS,
            "cusolverDnXgetrf");
    }
    void solve(void* a, void* b, index_t sides, bool transposed) override {
        check(cusolverDnXgetrs(handle_, parameters_, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, shape_.rows,
                               sides, type_, a, shape_.leading, pivots_.data(), type_, b, shape_.rows,
                               info_.data()) == CUSOLVER_STATUS_SUCCESS,
              "cusolverDnXgetrs");
    }
    /// cuSOLVER has no getri: the unit matrix is the right side.
    void invert(void* a, void* to) override { solve(a, to, shape_.rows, false); }

private:
    matrix_shape shape_;
    cudaDataType type_{};
    cusolverDnHandle_t handle_{};
    cusolverDnParams_t parameters_{};
    buffer<std::int64_t> pivots_;
    buffer<unsigned char> device_;
    std::vector<unsigned char> host_;
    buffer<int> info_;
};

template <class T>
class batched_peer final : public lu_peer {
public:
    batched_peer(const matrix_shape& s, bool pivoted)
        : shape_(s),
          pointers_(on_device<T*>(s.count)),
          sides_(on_device<T*>(s.count)),
          pivots_(on_device<int>(pivoted ? s.count * s.rows : 0)),
          info_(on_device<int>(s.count)) {
        check(cublasCreate(&handle_) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    }
    ~batched_peer() override { (void)cublasDestroy(handle_); }
    std::string name() const override { return "cublasGetrfBatched"; }
    void factor(void* a) override {
        point(a, shape_.stride, of_, pointers_);
        const int n = static_cast<int>(shape_.rows), lead = static_cast<int>(shape_.leading),
                  count = static_cast<int>(shape_.count);
        const auto run = [&](auto getrf) {
            check(getrf(handle_, n, pointers_.data(), lead, pivots_.data(), info_.data(), count) ==
                      CUBLAS_STATUS_SUCCESS,
                  "cublas getrfBatched");
        };
        if constexpr (std::is_same_v<T, float>)
            run(cublasSgetrfBatched);
        else if constexpr (std::is_same_v<T, double>)
            run(cublasDgetrfBatched);
        else if constexpr (std::is_same_v<T, cuComplex>)
            run(cublasCgetrfBatched);
        else
            run(cublasZgetrfBatched);
    }
    void solve(void* a, void* b, index_t sides, bool transposed) override {
        point(a, shape_.stride, of_, pointers_);
        point(b, shape_.rows * sides, sides_of_, sides_);
        const int n = static_cast<int>(shape_.rows), lead = static_cast<int>(shape_.leading),
                  count = static_cast<int>(shape_.count), columns = static_cast<int>(sides);
        int info = 0;
        const auto run = [&](auto getrs) {
            check(getrs(handle_, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, n, columns, pointers_.data(), lead,
                        pivots_.data(), sides_.data(), n, &info, count) == CUBLAS_STATUS_SUCCESS,
                  "cublas getrsBatched");
        };
        if constexpr (std::is_same_v<T, float>)
            run(cublasSgetrsBatched);
        else if constexpr (std::is_same_v<T, double>)
            run(cublasDgetrsBatched);
        else if constexpr (std::is_same_v<T, cuComplex>)
            run(cublasCgetrsBatched);
        else
            run(cublasZgetrsBatched);
    }
    void invert(void* a, void* to) override {
        point(a, shape_.stride, of_, pointers_);
        point(to, shape_.rows * shape_.rows, sides_of_, sides_);
        const int n = static_cast<int>(shape_.rows), lead = static_cast<int>(shape_.leading),
                  count = static_cast<int>(shape_.count);
        const auto run = [&](auto getri) {
            check(getri(handle_, n, pointers_.data(), lead, pivots_.data(), sides_.data(), n, info_.data(),
                        count) == CUBLAS_STATUS_SUCCESS,
                  "cublas getriBatched");
        };
        if constexpr (std::is_same_v<T, float>)
            run(cublasSgetriBatched);
        else if constexpr (std::is_same_v<T, double>)
            run(cublasDgetriBatched);
        else if constexpr (std::is_same_v<T, cuComplex>)
            run(cublasCgetriBatched);
        else
            run(cublasZgetriBatched);
    }

private:
    /// The places of the matrices are set once, outside of the timing.
    void point(void* data, index_t stride, void*& known, const buffer<T*>& to) const {
        if (data == known) return;
        std::vector<T*> each(static_cast<std::size_t>(shape_.count));
        for (std::size_t i = 0; i < each.size(); ++i)
            each[i] = static_cast<T*>(data) + static_cast<index_t>(i) * stride;
        copy_bytes(on_cuda{}, to.data(), each.data(), std::ssize(each) * index_t{sizeof(T*)});
        known = data;
    }

    matrix_shape shape_;
    buffer<T*> pointers_, sides_;
    buffer<int> pivots_, info_;
    cublasHandle_t handle_{};
    void *of_ = nullptr, *sides_of_ = nullptr;
};

}  // namespace

std::unique_ptr<lu_peer> make_lu_peer(const matrix_shape& shape, bool pivoted) {
    if (shape.count == 1) return std::make_unique<single_peer>(shape, pivoted);
    if (shape.type == scalar::f32) return std::make_unique<batched_peer<float>>(shape, pivoted);
    if (shape.type == scalar::f64) return std::make_unique<batched_peer<double>>(shape, pivoted);
    if (shape.type == scalar::c64) return std::make_unique<batched_peer<cuComplex>>(shape, pivoted);
    return std::make_unique<batched_peer<cuDoubleComplex>>(shape, pivoted);
}

refined_peer_result refined_peer(const double* a, const double* b, double* x, index_t n) {
    cusolverDnHandle_t handle{};
    check(cusolverDnCreate(&handle) == CUSOLVER_STATUS_SUCCESS, "cusolverDnCreate");
    const auto rows = static_cast<cusolver_int_t>(n);
    buffer<double> copy = on_device<double>(n * n), right = on_device<double>(n);
    buffer<cusolver_int_t> pivots = on_device<cusolver_int_t>(n);
    buffer<int> info = on_device<int>(1);
    using size_function = decltype(&cusolverDnDSgesv_bufferSize);
    using solve_function = decltype(&cusolverDnDSgesv);
    struct way {
        const char* name;
        size_function size;
        solve_function solve;
    };
    refined_peer_result best;
    for (const way& w : {way{"cusolverDnDSgesv", cusolverDnDSgesv_bufferSize, cusolverDnDSgesv},
                         way{"cusolverDnDXgesv", cusolverDnDXgesv_bufferSize, cusolverDnDXgesv},
                         way{"cusolverDnDHgesv", cusolverDnDHgesv_bufferSize, cusolverDnDHgesv}}) {
        std::size_t bytes = 0;
        if (w.size(handle, rows, 1, copy.data(), rows, pivots.data(), right.data(), rows, x, rows, nullptr,
                   &bytes) != CUSOLVER_STATUS_SUCCESS)
            continue;
        const buffer<unsigned char> work = on_device<unsigned char>(static_cast<index_t>(bytes));
        std::vector<double> seconds;
        for (int k = 0; k < 4; ++k) {
            copy_bytes(on_cuda{}, copy.data(), a, n * n * 8);
            copy_bytes(on_cuda{}, right.data(), b, n * 8);
            cusolver_int_t iterations = 0;
            (void)cudaDeviceSynchronize();
            const double start = now();
            const auto status = w.solve(handle, rows, 1, copy.data(), rows, pivots.data(), right.data(), rows,
                                        x, rows, work.data(), bytes, &iterations, info.data());
            (void)cudaDeviceSynchronize();
            if (status != CUSOLVER_STATUS_SUCCESS || iterations < 0) break;
            if (k > 0) seconds.push_back(now() - start);  // the first warms up
        }
        if (seconds.size() < 3) continue;
        std::sort(seconds.begin(), seconds.end());
        if (best.seconds < 0 || seconds[1] < best.seconds) best = {seconds[1], w.name};
    }
    (void)cusolverDnDestroy(handle);
    return best;
}

double backward_error(const double* a, const double* b, const double* x, index_t n) {
    cublasHandle_t handle{};
    check(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    const int rows = static_cast<int>(n);
    const double minus = -1, one = 1;
    const buffer<double> r = on_device<double>(n);
    copy_bytes(on_cuda{}, r.data(), b, n * 8);
    const auto norm = [&](const double* v, index_t size) {
        double of = 0;
        check(cublasDnrm2(handle, static_cast<int>(size), v, 1, &of) == CUBLAS_STATUS_SUCCESS, "cublasDnrm2");
        return of;
    };
    check(cublasDgemv(handle, CUBLAS_OP_N, rows, rows, &minus, a, rows, x, 1, &one, r.data(), 1) ==
              CUBLAS_STATUS_SUCCESS,
          "cublasDgemv");
    const double error = norm(r.data(), n) / (norm(a, n * n) * norm(x, n) + norm(b, n));
    (void)cublasDestroy(handle);
    return error;
}

}  // namespace wale::bench
