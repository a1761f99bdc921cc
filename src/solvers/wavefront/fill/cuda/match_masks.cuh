// match_masks - for a strip of columns and any alphabet: which columns hold a given symbol, as bits. The
// distinct symbols of a strip are at most its columns, so a hash table of twice as many slots in shared
// memory finds them; symbols that do not occur share one empty row of masks.
#pragma once

#include <cstdint>
#include <type_traits>
#include <wale/layout.hpp>

namespace wale::wavefront {

template <int Bits>
class match_masks {
public:
    static constexpr int columns = 32 * Bits;

    /// Called by the whole block, between barriers of its own.
    __device__ void build(const std::uint32_t* symbols) {
        const int threads = static_cast<int>(blockDim.x);
        const int thread = static_cast<int>(threadIdx.x);
        for (int k = thread; k < slots; k += threads) slot_[k] = free_slot;
        for (int k = thread; k < (columns + 1) * 32; k += threads) mask_[k / 32][k % 32] = 0;
        for (int c = thread; c < columns; c += threads) symbol_[c] = symbols[c];
        __syncthreads();
        for (int c = thread; c < columns; c += threads) insert(c);
        __syncthreads();
        // A lane's masks are words of its own, so one thread sets all bits of a lane without atomics.
        if (thread < 32)
            for (int k = 0; k < Bits; ++k)
                mask_[find(symbol_[thread * Bits + k])][thread] |= static_cast<word>(1u << k);
        __syncthreads();
    }

    /// The row of masks of a symbol: the first column that claimed it, or the empty row.
    __device__ int find(std::uint32_t symbol) const {
        for (std::uint32_t at = place(symbol);; at = (at + 1) % slots) {
            const int column = slot_[at];
            if (column == free_slot) return columns;
            if (symbol_[column] == symbol) return column;
        }
    }
    __device__ std::uint32_t of(int found, int lane) const { return mask_[found][lane]; }

private:
    using word = std::conditional_t<(Bits > 16), std::uint32_t, std::uint16_t>;
    static constexpr int slots = 2 * columns;
    static constexpr int free_slot = -1;

    __device__ static std::uint32_t place(std::uint32_t symbol) {
        return (symbol * 2654435769u >> 16) % slots;
    }

    __device__ void insert(int column) {
        for (std::uint32_t at = place(symbol_[column]);; at = (at + 1) % slots) {
            const int before = atomicCAS(&slot_[at], free_slot, column);
            if (before == free_slot || symbol_[before] == symbol_[column]) return;
        }
    }

    int slot_[slots];
    std::uint32_t symbol_[columns];
    word mask_[columns + 1][32];
};

}  // namespace wale::wavefront
