// geometry - how systems are dealt to threads, and how they lie in shared memory. Host only in its decisions.
#pragma once

#include <algorithm>
#include <wale/vectors.hpp>

#include "solvers/tree/chains/cuda/pcr_thomas/tuning.hpp"

namespace wale::tree::pcr_thomas {

/// How elements come into shared memory.
enum class copying {
    line,     // 16 bytes at a time; a tile lies in one line
    vectors,  // 16 bytes at a time, system by system
    elements  // one at a time: any alignment and stride
};

/// How many threads exchange rows of one system.
enum class reach { warp, block, cluster };

struct geometry {
    int chunks;   // threads of a system
    int pads;     // chunks * rows of a thread - size
    int tile;     // systems of a thread block
    int blocks;   // of a system; above 1 they are a cluster
    int share;    // chunks of each of them but the first, which has what is left
    int threads;  // of a thread block
    int pitch;    // rows in shared memory from a system to the next
    int region;   // elements of one array there
    copying how;
    [[nodiscard]] reach far() const {
        return blocks > 1 ? reach::cluster : threads > 32 ? reach::block : reach::warp;
    }
};

/// Threads of a warp that read the same bank at once when each reads its first row; the others likewise.
[[nodiscard]] inline int bank_conflicts(const geometry& g, int rows, int element_size) {
    constexpr int bank_bytes = 128;
    const int banks = bank_bytes / element_size;
    int most = 0;
    for (int half = 0; half < 32; half += banks) {
        int wanted[32] = {};
        for (int lane = half; lane < std::min(half + banks, g.tile * g.chunks); ++lane) {
            const int at = lane / g.chunks * g.pitch + lane % g.chunks * rows;
            most = std::max(most, ++wanted[at % banks]);
        }
    }
    return most;
}

/// What begins where 16 bytes may be copied: every array, every system of each; and whether the systems lie
/// in the matrices as they do in the right sides.
struct alignment {
    bool arrays, systems, alike;
};

/// Step: words from a row to the next, 1 or 4.
[[nodiscard]] inline geometry deal(const vector_shape& s, int step, const alignment& aligned,
                                   const policy& p) {
    const int size = static_cast<int>(s.size), element = static_cast<int>(bytes_of(s.type));
    const int each = 16 / element;
    geometry g{};
    g.chunks = (size + p.rows - 1) / p.rows;
    g.pads = g.chunks * p.rows - size;
    g.tile = std::max(1, 32 / g.chunks);
    g.blocks = 1;
    while (g.chunks > g.blocks * 32 * p.warps) g.blocks *= 2;
    g.share = (g.chunks + g.blocks - 1) / g.blocks;
    g.threads = (g.share + 31) / 32 * 32;
    const bool dense = aligned.alike && (s.stride == s.size || s.count == 1 || g.tile == 1);
    const bool vectors = aligned.arrays && aligned.systems && size * step % each == 0 && g.blocks == 1;
    constexpr int bearable = 2, most_bearable = 4;  // wanting a bank at once: it is the memory that binds
    g.pitch = g.blocks > 1 ? g.share * p.rows : size;
    g.how = copying::line;
    const int in_line = aligned.arrays && dense ? bank_conflicts(g, p.rows, element) : 64;
    if (in_line > bearable) {
        const geometry line = g;
        const int first = g.pitch, grain = vectors && step == 1 ? each : 1;
        g.how = vectors ? copying::vectors : copying::elements;
        geometry best = g;
        int least = 64;
        for (; g.pitch <= first + 8 * grain; g.pitch += grain) {
            const int wanted = bank_conflicts(g, p.rows, element);
            if (wanted < least) best = g, least = wanted;
        }
        g = best;
        if (in_line <= std::min(least, most_bearable)) g = line;
        if (std::min(in_line, least) > most_bearable) {
            g.how = copying::elements;
            g.pitch = first | 1;
        }
    }
    g.region = (g.tile * g.pitch * step + each + each - 1) / each * each;
    return g;
}

/// What threads, warps and blocks exchange, in elements: two rows of a warp or block; for pivots also
/// the two equations of a pair of unknowns for each thread.
inline constexpr int ends_elements = 6, pair_elements = 11, bridge_elements = 14;
[[nodiscard]] constexpr int exchanged_unpivoted(int warps, int blocks) {
    return (warps > 1 ? ends_elements * warps : 0) + (blocks > 1 ? 2 * ends_elements * blocks : 0);
}
[[nodiscard]] constexpr int exchanged_pivoted(int warps) {
    return 32 * warps * pair_elements + (warps > 1 ? 32 * pair_elements + bridge_elements * warps : 0);
}

/// Bytes of shared memory of a thread block.
[[nodiscard]] constexpr int shared_bytes(const geometry& g, int step, bool pivoted, int element_size) {
    const int warps = g.threads / 32, arrays = step == 1 ? 4 : 1;
    const int exchanged = pivoted ? exchanged_pivoted(warps) : exchanged_unpivoted(warps, g.blocks);
    return (arrays * g.region + g.region / step + exchanged) * element_size;
}

}  // namespace wale::tree::pcr_thomas
