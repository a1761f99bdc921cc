// brief_timer - the questions go to the driver itself: cudaStreamQuery() would leave "not ready" behind as
// the last error.
#include "cuda/brief_timer.cuh"

#include <cuda.h>

#include "schedule/wait.hpp"

namespace wale::cuda {

void wait_briefly(const context& c) {
    using question = CUresult (*)(CUstream);
    static const auto ask = [] {
        constexpr unsigned since = 2000;  // CUDA 2.0
        void* found = nullptr;
        cudaDriverEntryPointQueryResult answer{};
        const cudaError_t code =
            cudaGetDriverEntryPointByVersion("cuStreamQuery", &found, since, cudaEnableDefault, &answer);
        if (code != cudaSuccess) (void)cudaGetLastError();
        return code == cudaSuccess ? reinterpret_cast<question>(found) : nullptr;
    }();
    constexpr schedule::own_bound questions{200};  // of about 0.2 us each; longer work is worth a call more
    if (ask != nullptr &&
        schedule::wait_until([&] { return ask(static_cast<CUstream>(c.stream())) == CUDA_SUCCESS; },
                             questions))
        return;
    c.synchronize();  // says what failed, too
}

}  // namespace wale::cuda
