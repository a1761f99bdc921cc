// stopwatch - the device time of the stages of a call. Marks are only recorded; nothing waits before read().
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "cuda/stream.cuh"

namespace wale::wavefront::batch {

class stopwatch {
public:
    explicit stopwatch(const cuda::context& c) : stream_(c.stream()) {}
    stopwatch(const stopwatch&) = delete;
    stopwatch& operator=(const stopwatch&) = delete;
    ~stopwatch() {
        for (const mark& m : marks_) (void)cudaEventDestroy(m.event);
    }

    /// Ends the stage before, if there is one, and begins the stage called `name`.
    void next(const char* name) {
        cudaEvent_t event{};
        cuda::check(cudaEventCreate(&event));
        marks_.push_back({name, event});
        cuda::check(cudaEventRecord(event, stream_));
    }

    /// Waits for all stages. The text is " stage=1.2345ms ..." in order.
    struct reading {
        double seconds;
        std::string text;
    };
    [[nodiscard]] reading read() {
        next("");
        cuda::check(cudaEventSynchronize(marks_.back().event));
        reading r{};
        for (std::size_t i = 0; i + 1 < marks_.size(); ++i) {
            float milliseconds = 0;
            cuda::check(cudaEventElapsedTime(&milliseconds, marks_[i].event, marks_[i + 1].event));
            r.seconds += 1e-3 * milliseconds;
            char stage[64];
            (void)std::snprintf(stage, sizeof stage, " %s=%.4fms", marks_[i].name, milliseconds);
            r.text += stage;
        }
        return r;
    }

private:
    struct mark {
        const char* name;
        cudaEvent_t event;
    };
    cudaStream_t stream_;
    std::vector<mark> marks_;
};

}  // namespace wale::wavefront::batch
