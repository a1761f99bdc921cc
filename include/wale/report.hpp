// report - what really ran. Every result carries one.
#pragma once

#include <string>
#include <wale/layout.hpp>

namespace wale {

struct report {
    std::string variant;  // name of the row that ran: "cpu/skewed_strips"
    std::string device;   // "NVIDIA H200", or the CPU's instruction set: "AVX-512"
    std::string policy;   // tile and other tuned numbers: "tile=256x128"
    int threads = 1;      // CPU threads that took part
    /// [s] by the host's clock, on CUDA from before the first launch until the host knows that the work is
    /// done, so that launch and wait are within; by events on the device around the work alone where
    /// on_cuda::time_on_device asks for them. Asynchronous calls: until the work is queued.
    double compute_seconds = 0;
    double transfer_seconds = 0;  // [s] between host and device, inside the call
    double work = 0;              // what the problem asks for: cells, m * n
    double bytes = 0;             // bytes that the schedule must move through main memory
    index_t iterations = 0;       // launches, sweeps or doublings, as the variant's text says
};

}  // namespace wale
