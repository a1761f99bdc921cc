// blas - the handles that are not on loan.
#include "cuda/blas.cuh"

#include <map>
#include <mutex>
#include <vector>

namespace wale::cuda {
namespace {

struct shelf {
    std::mutex lock;
    std::map<int, std::vector<cublasHandle_t>> of_device;
};

shelf& handles() {
    static auto* const kept = new shelf;  // never freed: the driver may be gone before static destructors run
    return *kept;
}

cublasHandle_t borrow(int device) {
    shelf& s = handles();
    {
        const std::lock_guard hold(s.lock);
        auto& free = s.of_device[device];
        if (!free.empty()) {
            const cublasHandle_t h = free.back();
            free.pop_back();
            return h;
        }
    }
    cublasHandle_t h = nullptr;
    check(cublasCreate(&h));
    return h;
}

}  // namespace

void check(cublasStatus_t code, const std::source_location& at) {
    if (code == CUBLAS_STATUS_SUCCESS) return;
    if (code == CUBLAS_STATUS_ALLOC_FAILED) throw_out_of_memory("cuBLAS", out_of_memory::unknown);
    throw device_error(std::string("cuBLAS: ") + cublasGetStatusString(code) + " (" + at.file_name() + ":" +
                       std::to_string(at.line()) + ")");
}

blas::blas(const context& c, cudaStream_t stream)
    : device_(c.device()), workspace_(c, workspace_bytes), handle_(borrow(c.device())) {
    check(cublasSetStream(handle_, stream));
    check(cublasSetWorkspace(handle_, workspace_.data(), static_cast<std::size_t>(workspace_bytes)));
    check(cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_HOST));
    check(cublasSetMathMode(handle_, CUBLAS_DEFAULT_MATH));
    check(cublasSetAtomicsMode(handle_, CUBLAS_ATOMICS_NOT_ALLOWED));
}

blas::~blas() {
    shelf& s = handles();
    const std::lock_guard hold(s.lock);
    s.of_device[device_].push_back(handle_);
}

}  // namespace wale::cuda
