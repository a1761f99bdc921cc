// brief_timer - the timer of calls that take some microseconds: the wait begins with questions to the driver,
// whose answer comes sooner than cudaStreamSynchronize() returns.
#pragma once

#include <optional>

#include "cuda/stream.cuh"

namespace wale::cuda {

/// Waits for the work of the context's stream. Throws device_error as context::synchronize() does.
void wait_briefly(const context& c);

/// As cuda::timer, without reports that are copied back.
class brief_timer {
public:
    explicit brief_timer(const context& c) : context_(c) {
        if (c.times_on_device()) on_device_.emplace(c);
    }
    /// Waits for the work so far, and for what its kernels report; seconds since construction.
    template <class... Reports>
    [[nodiscard]] double stop(const Reports&... reports) {
        static_assert((!requires { reports.fetch(); } && ...), "cuda::timer fetches what is copied back");
        if (on_device_) return on_device_->stop(reports...);
        wait_briefly(context_);
        (reports.note_wait(), ...);
        return watch_.seconds();
    }

private:
    const context& context_;
    std::optional<timer> on_device_;
    base::stopwatch watch_;
};

}  // namespace wale::cuda
