// staged_copy - copies between pageable memory of the host and a device. The driver copies such memory on one
// thread through a buffer of its own, at a fifth of the link's rate; here several threads fill or empty
// pinned chunks while other chunks are on the link.
#pragma once

#include "cuda/stream.cuh"

namespace wale::cuda {

/// `lines` of `width` bytes; pitches are bytes from a line to the next.
struct lines_copy {
    void* to;
    index_t to_pitch;
    const void* from;
    index_t from_pitch;
    index_t width, lines;
};

/// Queues the copy in the order of the context's stream. Afterwards the caller may change what an upload
/// reads, and has all that a download writes. False, with nothing queued, where the driver's own copy is as
/// good: for few bytes, for memory that is not pageable, for lines longer than a chunk, without pinned
/// memory.
[[nodiscard]] bool staged_copy(const context&, const lines_copy&);

}  // namespace wale::cuda
