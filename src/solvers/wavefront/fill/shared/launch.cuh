// launch - what the CUDA rows share on the host: the tile of a call, resident blocks, the two hooks of the
// tests, and the end of a run with its bounded waits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "cuda/atomics.cuh"
#include "cuda/queued_read.cuh"
#include "solvers/wavefront/fill/cuda/tuning.hpp"
#include "solvers/wavefront/fill/shared/inputs.cuh"
#include "tuning/override.hpp"

namespace wale::wavefront {

/// The tile that the caller asked for, else that of the tuning table, never larger than the table.
[[nodiscard]] inline tile_shape chosen_tile(const fill_job& job, const tile_policy& p) {
    tile_shape t = job.tile;
    if (t.rows == 0) t.rows = p.rows;
    if (t.columns == 0) t.columns = p.columns;
    t.rows = std::clamp<index_t>(t.rows, 1, std::max<index_t>(job.rows, 1));
    t.columns = std::clamp<index_t>(t.columns, 1, std::max<index_t>(job.columns, 1));
    return t;
}

[[nodiscard]] inline std::string text_of(const tile_shape& t) {
    return "tile=" + std::to_string(t.rows) + "x" + std::to_string(t.columns);
}

/// For tests, through WALE_TUNING: "wavefront/fill/max_blocks=1" runs with one resident block (0: no limit);
/// "wavefront/fill/withhold=K" never publishes row or strip K - 1, so that the wait for it must run out (0:
/// none).
[[nodiscard]] inline int most_blocks() {
    const auto most = static_cast<int>(tuning::overridden("wavefront/fill/max_blocks", 1 << 20, 0));
    return most == 0 ? 1 << 20 : most;
}
[[nodiscard]] inline int withheld() {
    return static_cast<int>(tuning::overridden("wavefront/fill/withhold", 1 << 20, 0)) - 1;
}

/// Blocks of `kernel` that fit on the device at once; lets it have its shared memory.
template <class Kernel>
[[nodiscard]] int resident_blocks(const cuda::context& on, Kernel kernel, int threads, std::size_t shared) {
    const int each = cuda::launch_limits::blocks(on, kernel, threads, shared);
    if (each == 0) throw device_error("CUDA: a block of the kernel does not fit on this device");
    return std::min(each * on.multiprocessors(), most_blocks());
}

/// Dynamic shared memory that one block may have.
[[nodiscard]] inline index_t shared_limit(const cuda::context& on) {
    const int bytes = on.facts().shared_per_block;
    return bytes;
}

/// Whether every row of the table starts on 16 bytes.
[[nodiscard]] inline bool aligned_rows(const fill_job& job) {
    return reinterpret_cast<std::uintptr_t>(job.table) % 16 == 0 && job.pitch * size_of(job.type) % 16 == 0;
}

/// Waits for the work; throws if a wait between blocks ran out. `failed`: device word, or null.
inline void finish(fill_job& job, const cuda::context& on, cuda::timer& time, const std::uint32_t* failed) {
    if (failed == nullptr) {
        job.run->compute_seconds = time.stop();
        return;
    }
    std::uint32_t gave_up = 0;
    const cuda::queued_read word(on, failed, sizeof gave_up);
    job.run->compute_seconds = time.stop(word);
    word.copy_to(&gave_up);
    if (gave_up != 0) throw device_error(job.run->variant + ": a wait for another block ran out");
}

/// Whether a launch for each antidiagonal of tiles takes less time than to prepare strips (measured: 83 x 83
/// 73 and 89 us, 152 x 152 118 and 80 us).
[[nodiscard]] inline bool is_small(const fill_job& job) {
    constexpr index_t most = 96;
    return std::max(job.rows, job.columns) <= most;
}

[[nodiscard]] WALE_HD constexpr index_t parts(index_t size, index_t part) {
    return (size + part - 1) / part;
}

}  // namespace wale::wavefront
