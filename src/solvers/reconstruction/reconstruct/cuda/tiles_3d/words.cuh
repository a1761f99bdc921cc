// words - what a warp's tile of a volume is made of: 8 words a row, 32 rows a plane. A word holds 4
// pixels of u8, 2 of u16, or one, as unsigned keys whose lowest is 0.
//
// Two u8 pixels are compared at once as the upper bytes of 16-bit halves, whose lower bytes may hold
// anything: chain 0 is the word shifted up (pixels 0 and 2), chain 1 the word itself (pixels 1 and 3).
#pragma once

#include <cstdint>

#include "solvers/reconstruction/problem.hpp"

namespace wale::reconstruction::tiles_3d {

inline constexpr unsigned everyone = 0xffffffffu;
inline constexpr int across = 8;  // words of a row
inline constexpr int rows = 32;   // of a plane
/// In words, of shared and device memory alike: neither 8 words of 4 rows that lie 8 apart, nor of 4 planes,
/// nor a word of each of 32 rows meet in a bank.
inline constexpr int row_pitch = across + 1;
inline constexpr int plane_pitch = rows * row_pitch + 8;
inline constexpr int gaps = plane_pitch - rows * across;  // words of a plane that hold no pixel

[[nodiscard]] WALE_HD constexpr int index_of(int plane, int row, int x) {
    return plane * plane_pitch + row * row_pitch + x;
}

template <class T>
struct pack {
    static constexpr int pixels = sizeof(T) == 1 ? 4 : sizeof(T) == 2 ? 2 : 1;  // of a word
    static constexpr int columns = across * pixels;
    static constexpr int chains = sizeof(T) == 1 ? 2 : 1;
    using word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    struct chain {
        word c[chains];
    };

    __device__ static word larger(word a, word b) {
        if constexpr (pixels > 1)
            return __vmaxu2(a, b);
        else
            return a < b ? b : a;
    }
    __device__ static word smaller(word a, word b) {
        if constexpr (pixels > 1)
            return __vminu2(a, b);
        else
            return b < a ? b : a;
    }
    __device__ static word largest(word a, word b, word c) {
        if constexpr (pixels > 1)
            return __vimax3_u16x2(a, b, c);
        else if constexpr (sizeof(word) == 4)
            return __vimax3_u32(a, b, c);
        else
            return larger(a, larger(b, c));
    }
    __device__ static chain largest(const chain& x, const chain& y, const chain& z) {
        chain r;
        for (int i = 0; i < chains; ++i) r.c[i] = largest(x.c[i], y.c[i], z.c[i]);
        return r;
    }
    __device__ static chain split(word w) {
        if constexpr (chains == 2)
            return {{w << 8, w}};
        else
            return {{w}};
    }
    __device__ static word join(const chain& c) {
        if constexpr (chains == 2)
            return __byte_perm(c.c[0], c.c[1], 0x7351);
        else
            return c.c[0];
    }
    /// max(j, min(offer, mask)), pixel by pixel.
    __device__ static word raised(word j, word mask, const chain& offer) {
        chain own = split(j);
        const chain under = split(mask);
        for (int i = 0; i < chains; ++i) own.c[i] = larger(own.c[i], smaller(offer.c[i], under.c[i]));
        return join(own);
    }
    /// The largest of each pixel and the two beside it; left and right are the adjacent words.
    __device__ static chain spread(word w, word left, word right) {
        if constexpr (chains == 2) {
            const word first = w << 8;
            return {{largest(first, w, __byte_perm(w, left, 0x1070)),
                     largest(first, w, __byte_perm(w, right, 0x4020))}};
        } else if constexpr (pixels == 2) {
            return {{largest(w, __byte_perm(w, left, 0x1076), __byte_perm(w, right, 0x5432))}};
        } else {
            return {{largest(w, left, right)}};
        }
    }
    /// The last pixel of a word, where the next one has its first, and the other way round.
    __device__ static word last_to_first(word w) {
        if constexpr (pixels > 1)
            return w >> (32 - 32 / pixels);
        else
            return w;
    }
    __device__ static word first_to_last(word w) {
        if constexpr (pixels > 1)
            return w << (32 - 32 / pixels);
        else
            return w;
    }
};

/// Keys of any type in an unsigned order, and back. Both zeros become one.
template <class T>
WALE_HD constexpr typename pack<T>::word ordered(T key) {
    using word = typename pack<T>::word;
    constexpr word sign = word{1} << (8 * sizeof(word) - 1);
    if constexpr (std::is_floating_point_v<T>) {
        const word bits = std::bit_cast<word>(key + T{0});
        return bits ^ ((bits & sign) != 0 ? ~word{0} : sign);
    } else if constexpr (std::is_signed_v<T>) {
        return static_cast<word>(key) ^ sign;
    } else {
        return key;
    }
}
template <class T>
WALE_HD constexpr T key_of(typename pack<T>::word w) {
    using word = typename pack<T>::word;
    constexpr word sign = word{1} << (8 * sizeof(word) - 1);
    if constexpr (std::is_floating_point_v<T>)
        return std::bit_cast<T>(static_cast<word>(w ^ ((w & sign) != 0 ? sign : ~word{0})));
    else if constexpr (std::is_signed_v<T>)
        return static_cast<T>(w ^ sign);
    else
        return static_cast<T>(w);
}

}  // namespace wale::reconstruction::tiles_3d
