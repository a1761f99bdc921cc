// links - the neighbours of a pixel as bits of a word. The upper link is the set of neighbours above
// the pixel in the order (level, then raster order: earlier is higher). Its parts that do not are connected
// are what the pixel joins, as the level falls: the discrete saddles (Edelsbrunner, Harer, Zomorodian 2003).
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace wale::reconstruction::basins {

WALE_HD constexpr std::uint32_t lowest_bit(std::uint32_t m) {
    return m & (~m + 1u);
}

/// Flat images: 8 neighbours as a ring, clockwise from the upper left one. Even bits are corners.
template <int Reach>
struct flat_link {
    static constexpr int rank = 2;
    static constexpr int reach = Reach;
    static constexpr int bits = 8;
    static constexpr int layer = 3;       // pixels of a row that a window of 3 rows holds
    static constexpr int fewest = Reach;  // the most maxima of a tile: its pixels >> fewest
    static constexpr int parts = 4;       // of a link, at most
    static constexpr std::uint32_t near =
        Reach == 1 ? 0xaau : 0xffu;  // neighbours; the others only connect them
    static constexpr std::uint32_t earlier = 0x87u;

    WALE_HD static constexpr int dx(int k) { return static_cast<int>(0x06a4u >> 2 * k & 3u) - 1; }
    WALE_HD static constexpr int dy(int k) { return static_cast<int>(0x6a40u >> 2 * k & 3u) - 1; }
    WALE_HD static constexpr int dz(int) { return 0; }
    WALE_HD static constexpr int in_window(int k) { return (dy(k) + 1) * 3 + dx(k) + 1; }
    static constexpr int centre = 4;  // in the window

    WALE_HD static constexpr std::uint32_t turned(std::uint32_t m, int by) {
        return (m << by | m >> (8 - by)) & 0xffu;
    }
    /// The link's parts as runs of the ring: a corner between two neighbours closes the gap (reach 2); a
    /// corner by itself is no neighbour (reach 1).
    WALE_HD static constexpr std::uint32_t runs(std::uint32_t up) {
        const std::uint32_t next = turned(up, 1), last = turned(up, 7);
        return Reach == 2 ? up | (next & last & 0x55u) : up & (next | last | 0xaau);
    }
    /// `m` and what lies before it in the same run, in doubling steps.
    WALE_HD static constexpr std::uint32_t back_from(std::uint32_t m, std::uint32_t ring) {
        m |= turned(m, 7) & ring;
        ring &= turned(ring, 7);
        m |= turned(m, 6) & ring;
        ring &= turned(ring, 6);
        return m | (turned(m, 4) & ring);
    }
    /// A neighbour in the run that begins there: a run that begins in a corner goes on (reach 1).
    WALE_HD static constexpr std::uint32_t first_near(std::uint32_t begins) {
        return Reach == 2 ? begins : (begins & 0xaau) | turned(begins & 0x55u, 1);
    }

    /// One neighbour of each part of the link that holds any, except the part of `parent` (one bit, or none);
    /// inside the tile where the part has one there. A part that leaves the tile and comes back may give two.
    /// The neighbours inside are one arc of the ring that begins and ends beside the pixel, not in a corner.
    WALE_HD static constexpr std::uint32_t saddles(std::uint32_t up, std::uint32_t parent,
                                                   std::uint32_t inside) {
        const std::uint32_t ring = runs(up), here = ring & inside;
        const std::uint32_t begins = here & ~turned(here, 1) & ~back_from(parent, here);
        const std::uint32_t outside = ring & ~turned(ring, 1) & ~inside & ~back_from(here, ring);
        return first_near(begins) | first_near(outside);
    }
    WALE_HD static constexpr bool may_join(std::uint32_t up, std::uint32_t parent) {
        if (parent == 0) return (up & near) != 0;
        const std::uint32_t ring = runs(up), begins = ring & ~turned(ring, 1);
        return (begins & (begins - 1)) != 0;
    }
};

/// The voxels of a cube that differ from its centre in at most `reach` coordinates, without it.
consteval std::uint32_t cube_neighbours(int reach) {
    std::uint32_t m = 0;
    for (int k = 0; k < 27; ++k) {
        const int differing = (k % 3 != 1) + (k / 3 % 3 != 1) + (k / 9 != 1);
        if (differing > 0 && differing <= reach) m |= 1u << k;
    }
    return m;
}

/// Volumes: 27 bits of a cube in raster order, the centre always 0.
template <int Reach>
struct volume_link {
    static constexpr int rank = 3;
    static constexpr int reach = Reach;
    static constexpr int bits = 27;
    static constexpr int layer = 9;
    static constexpr int fewest = Reach;
    static constexpr int parts = Reach == 1 ? 6 : 8;
    static constexpr std::uint32_t near = cube_neighbours(Reach);
    static constexpr std::uint32_t earlier = 0x1fffu;

    WALE_HD static constexpr int dx(int k) { return k % 3 - 1; }
    WALE_HD static constexpr int dy(int k) { return k / 3 % 3 - 1; }
    WALE_HD static constexpr int dz(int k) { return k / 9 - 1; }
    WALE_HD static constexpr int in_window(int k) { return k; }
    static constexpr int centre = 13;

    static constexpr std::uint32_t x0 = 0x1249249u, y0 = 0x1c0e07u, cube = 0x7ffffffu;
    WALE_HD static constexpr std::uint32_t along_x(std::uint32_t m) {
        return (m | (m << 1 & ~x0) | (m >> 1 & ~(x0 << 2))) & cube;
    }
    WALE_HD static constexpr std::uint32_t along_y(std::uint32_t m) {
        return (m | (m << 3 & ~y0) | (m >> 3 & ~(y0 << 6))) & cube;
    }
    WALE_HD static constexpr std::uint32_t along_z(std::uint32_t m) { return (m | m << 9 | m >> 9) & cube; }
    WALE_HD static constexpr std::uint32_t grown(std::uint32_t m) {
        if (Reach == 1) return along_x(m) | along_y(m) | along_z(m);
        if (Reach == 2) return along_y(along_x(m)) | along_z(along_x(m)) | along_z(along_y(m));
        return along_z(along_y(along_x(m)));
    }
    /// The part of `up` that is connected to `seed`.
    WALE_HD static constexpr std::uint32_t part_of(std::uint32_t seed, std::uint32_t up) {
        for (;;) {
            const std::uint32_t more = grown(seed) & up;
            if (more == seed) return seed;
            seed = more;
        }
    }
    /// As of flat_link; a part gives one.
    WALE_HD static constexpr std::uint32_t saddles(std::uint32_t up, std::uint32_t parent,
                                                   std::uint32_t inside) {
        std::uint32_t rest = parent != 0 ? up & ~part_of(parent, up) : up;
        std::uint32_t found = 0;
        while ((rest & near) != 0) {
            const std::uint32_t part = part_of(lowest_bit(rest & near), up);
            const std::uint32_t here = part & near & inside;
            found |= lowest_bit(here != 0 ? here : part & near);
            rest &= ~part;
        }
        return found;
    }
    WALE_HD static constexpr bool may_join(std::uint32_t up, std::uint32_t parent) {
        return ((parent != 0 ? up & ~part_of(parent, up) : up) & near) != 0;
    }
};

/// The neighbours whose coordinate along an axis is one less, or one more.
template <class Link>
consteval std::uint32_t side(int axis, int sign) {
    std::uint32_t m = 0;
    for (int k = 0; k < Link::bits; ++k)
        if ((axis == 0 ? Link::dx(k) : axis == 1 ? Link::dy(k) : Link::dz(k)) == sign) m |= 1u << k;
    return m;
}

}  // namespace wale::reconstruction::basins
