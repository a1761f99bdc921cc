// device_api - what the rest of Wale may ask of CUDA: a table of functions that the plugin libwale_cuda fills
// in when it is loaded. No CUDA header is needed to read this file.
#pragma once

#include <string>
#include <wale/buffer.hpp>
#include <wale/execution.hpp>

namespace wale::cuda {

struct device_info {
    std::string name;
    int sm = 0;  // 90 = compute capability 9.0
    int multiprocessors = 0;
    index_t memory_bytes = 0;
    index_t free_bytes = 0;
};

enum class pointer_kind { host, device };  // managed and pinned memory count as device-readable: device

struct device_api {
    const char* version;               // of Wale; must equal the library's
    const char* built_for;             // "90" or "75;80;90;100;120"
    std::string (*why_unavailable)();  // empty: at least one usable device
    int (*device_count)();
    device_info (*describe)(int device);
    void* (*allocate)(index_t bytes, memory_space, int device);  // throws out_of_memory
    void (*release)(void*, memory_space, int device) noexcept;
    void (*copy)(const on_cuda&, void* to, const void* from, index_t bytes);  // returns when done
    pointer_kind (*kind)(const void*);                                        // of any pointer
    void* (*allocate_ordered)(const on_cuda&, index_t bytes);  // usable by work queued after it
    void (*release_ordered)(const on_cuda&, void*) noexcept;   // after the work queued before it; no wait
    void* (*open_stream)(int device);
    void (*close_stream)(int device, void*) noexcept;  // after its work; no wait
    /// Queues a copy of `lines` of `width` bytes; pitches are bytes from a line to the next.
    void (*copy_lines)(const on_cuda&, void* to, index_t to_pitch, const void* from, index_t from_pitch,
                       index_t width, index_t lines);
    void (*finish_stream)(const on_cuda&);  // waits for all that is queued
    /// Whether kernels of device `from` may read and write what allocate() gives of device `to`.
    bool (*reaches)(int from, int to);
};

/// The plugin's table, loading libwale_cuda on the first call; nullptr where it cannot be had.
[[nodiscard]] const device_api* api();

/// Why api() is nullptr or no device is usable, in one line; empty if CUDA can be used.
[[nodiscard]] std::string why_unavailable();

/// api(), or throws backend_unavailable.
[[nodiscard]] const device_api& require();

/// The one symbol that the plugin exports: appends its rows to the solvers' tables, returns its functions.
inline constexpr const char* entry_symbol = "wale_cuda_entry";

}  // namespace wale::cuda
