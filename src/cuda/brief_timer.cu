// brief_timer - the questions go to the driver itself: cudaStreamQuery() would leave "not ready" behind as
// the last error.
#include "cuda/brief_timer.cuh"

#include <cuda.h>

#include "schedule/wait.hpp"
#include "tuning/override.hpp"

namespace wale::cuda {

void wait_briefly(const context& c) {
    using question = CUresult (*)(CUstream);
    static const auto ask = [] {
        constexpr unsigned since = 12000;  // CUDA 12.0
        void* found = nullptr;
        cudaDriverEntryPointQueryResult answer{};
        const cudaError_t code =
            cudaGetDriverEntryPointByVersion("cuStreamQuery", &found, since, cudaEnableDefault, &answer);
        if (code != cudaSuccess) (void)cudaGetLastError();
        return code == cudaSuccess ? reinterpret_cast<question>(found) : nullptr;
    }();
    // Of about 0.2 us each; longer work is worth a call more.
    const schedule::own_bound questions{
        static_cast<std::uint32_t>(tuning::overridden("cuda/questions", 1 << 20, 200))};
    if (ask != nullptr &&
        schedule::wait_until([&] { return ask(static_cast<CUstream>(c.stream())) == CUDA_SUCCESS; },
                             questions))
        return;
    c.synchronize();  // says what failed, too
}

}  // namespace wale::cuda
