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

/// Queues a copy between any two places in the order of the context's stream, in staged chunks where that is
/// faster. After one of pageable memory the caller may change what an upload reads, and has all that a
/// download writes; few bytes, pinned memory and lines longer than a chunk are the driver's to copy.
void queue_lines(const context&, const lines_copy&);

inline void queue_bytes(const context& c, void* to, const void* from, index_t bytes) {
    if (bytes > 0) queue_lines(c, {to, bytes, from, bytes, bytes, 1});
}

}  // namespace wale::cuda
