// execution - where a solver runs. It is the first argument of every solver.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace wale {

enum class backend { reference, cpu, cuda };

/// The plain loops that define the result; one thread.
struct on_reference {};

/// CPU threads; 0 takes all that this process may use.
struct on_cpu {
    int threads = 0;
};

/// A CUDA device and stream (a cudaStream_t; nullptr is the default stream).
/// Every view must point to memory that the device can read.
struct on_cuda {
    int device = 0;
    void* stream = nullptr;
    /// Not empty: a batch, an image, a pair, a search or a matrix in host memory, or a flow, is split over
    /// these devices (one may be named twice); `device` and `stream` are not used. Other calls refuse.
    std::vector<int> devices{};
    /// report::compute_seconds is taken by events of the device, not by the host's clock. Two events cost a
    /// call some microseconds, as much as its launch.
    bool time_on_device = false;
};

using execution = std::variant<on_reference, on_cpu, on_cuda>;

[[nodiscard]] backend backend_of(const execution& where) noexcept;
[[nodiscard]] const char* name_of(backend b) noexcept;

/// Why `b` cannot be used on this machine, in one line; empty if it can.
[[nodiscard]] std::string why_unavailable(backend b);
[[nodiscard]] inline bool is_available(backend b) {
    return why_unavailable(b).empty();
}

/// on_cuda if a device is usable, else on_cpu.
[[nodiscard]] execution best_execution();

/// Threads that this process may use: WALE_NUM_THREADS where the environment has it, else OMP_NUM_THREADS,
/// else the processors of its CPU affinity. Throws bad_argument for a variable that is no number of threads.
[[nodiscard]] int available_threads();

}  // namespace wale
