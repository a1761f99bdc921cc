// words - the words that a warp's tile is made of: 32 x 32 of them, of one to four pixels, as unsigned
// keys whose lowest is 0.
//
//   u8    [r, 2k] [r, 2k+1] [63-r, 2k] [63-r, 2k+1]     64 x 64 pixels
//   u16   [r, k] [63-r, k]                              64 x 32
//   i32, f32, f64   [r, k]                              32 x 32
//
// In the columns of a narrow type the two rows of a word are mirror images: a chain that walks r upwards goes
// down in the upper half and up in the lower half of the tile, meets the middle in one word, changes halves
// and walks back. So two walks are the exact reconstruction of every column, with two pixels an instruction,
// and one word holds what comes from above and below the tile. The two u8 pixels of a half are taken apart
// without masking: 16-bit minima and maxima decide by the upper byte, and the lower one may hold anything.
#pragma once

#include <cstdint>

#include "solvers/reconstruction/problem.hpp"

namespace wale::reconstruction::tiles {

inline constexpr int side = 32;         // words of a tile, both ways
inline constexpr int pitch = side + 1;  // of a row in shared memory: no bank conflicts by rows or by columns
inline constexpr unsigned everyone = 0xffffffffu;

template <class T>
struct cell {
    static constexpr bool paired = sizeof(T) <= 2;         // a word holds rows r and 63 - r
    static constexpr int chains = sizeof(T) == 1 ? 2 : 1;  // columns of a word
    static constexpr int rows = paired ? 2 * side : side;
    static constexpr int columns = chains * side;
    using word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

    __device__ static word larger(word a, word b) {
        if constexpr (paired)
            return __vmaxu2(a, b);
        else
            return a < b ? b : a;
    }
    __device__ static word smaller(word a, word b) {
        if constexpr (paired)
            return __vminu2(a, b);
        else
            return b < a ? b : a;
    }
    __device__ static word largest(word a, word b, word c) {
        if constexpr (paired)
            return __vimax3_u16x2(a, b, c);
        else if constexpr (sizeof(word) == 4)
            return __vimax3_u32(a, b, c);
        else
            return larger(a, larger(b, c));
    }
    __device__ static void split(word w, word (&c)[chains]) {
        if constexpr (chains == 2) c[0] = w << 8;
        c[chains - 1] = w;
    }
    __device__ static word join(const word (&c)[chains]) {
        if constexpr (chains == 2)
            return __byte_perm(c[0], c[1], 0x7351);
        else
            return c[0];
    }
    /// The other row of the pair in each half.
    __device__ static word swapped(word w) {
        if constexpr (paired)
            return __byte_perm(w, w, 0x1032);
        else
            return w;
    }
    /// What each chain of a row offers to the next row: itself, and with Wide its neighbours in the row.
    template <bool Wide>
    __device__ static void offer(const word (&c)[chains], word (&to)[chains]) {
        if constexpr (!Wide) {
            for (int i = 0; i < chains; ++i) to[i] = c[i];
        } else {
            // The outermost lanes get their own word back: a pixel that is offered anyway.
            const word left = __shfl_up_sync(everyone, c[chains - 1], 1);
            const word right = __shfl_down_sync(everyone, c[0], 1);
            if constexpr (chains == 2) {
                to[0] = largest(c[0], c[1], left);
                to[1] = largest(c[0], c[1], right);
            } else {
                to[0] = largest(c[0], left, right);
            }
        }
    }
    /// Pixelwise minimum of packed words.
    __device__ static word smaller_pixels(word a, word b) {
        word x[chains], y[chains];
        split(a, x);
        split(b, y);
        for (int i = 0; i < chains; ++i) x[i] = smaller(x[i], y[i]);
        return join(x);
    }
    /// All ones in the pixels of word (r, k) whose row and column satisfy the predicates.
    template <class F>
    __device__ static word row_bits(int r, const F& row) {
        if constexpr (paired)
            return (row(r) ? 0xffffu : 0u) | (row(rows - 1 - r) ? 0xffff0000u : 0u);
        else
            return row(r) ? ~word{0} : word{0};
    }
    template <class F>
    __device__ static word column_bits(int k, const F& column) {
        if constexpr (chains == 2)
            return (column(2 * k) ? 0x00ff00ffu : 0u) | (column(2 * k + 1) ? 0xff00ff00u : 0u);
        else
            return column(k) ? ~word{0} : word{0};
    }
};

/// Between what is stored and unsigned keys; a whole word at a time. By erosion the order is reversed by
/// `flip`.
template <class T>
struct codec {
    using word = typename cell<T>::word;
    static constexpr word sign = word{1} << (8 * sizeof(word) - 1);
    word flip;
    std::uint64_t height;  // of lowered(): integers
    recipe<T> rule;

    explicit codec(const recipe<T>& r) : flip(0), height(0), rule(r) {
        if constexpr (std::is_floating_point_v<T>) {
            flip = r.mirror ? sign : 0;
        } else {
            flip = r.mirror ? static_cast<word>(~word{0}) : 0;
            if constexpr (std::is_signed_v<T>) flip ^= sign;
            height = r.start == start_rule::predecessor ? 1 : static_cast<std::uint64_t>(r.height);
        }
    }
    __device__ word encode(word w) const {
        w ^= flip;
        if constexpr (std::is_floating_point_v<T>) w ^= (w & sign) != 0 ? ~word{0} : sign;
        return w;
    }
    __device__ word decode(word w) const {
        if constexpr (std::is_floating_point_v<T>) w ^= (w & sign) != 0 ? sign : ~word{0};
        return w ^ flip;
    }
    /// mask - height or the predecessor of mask, for all pixels of a word.
    __device__ word lower(word mask) const {
        using c = cell<T>;
        if constexpr (std::is_floating_point_v<T>) {
            const T key = std::bit_cast<T>(static_cast<word>(decode(mask) ^ flip));
            const T low = rule.marker(key, T{}, false);
            return encode(std::bit_cast<word>(low) ^ flip);
        } else if constexpr (c::paired) {
            word x[c::chains];
            c::split(mask, x);
            const word h = static_cast<word>(height << (c::chains == 2 ? 8 : 0)) * 0x10001u;
            for (int i = 0; i < c::chains; ++i) x[i] = __vmaxu2(x[i], h) - h;
            return c::join(x);
        } else {
            const word h = static_cast<word>(height);
            return mask < h ? 0 : mask - h;
        }
    }
};

}  // namespace wale::reconstruction::tiles
