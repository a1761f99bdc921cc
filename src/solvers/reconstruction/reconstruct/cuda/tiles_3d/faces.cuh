// faces - how tiles of a volume see each other: what the 26 around one offer to it, and which of them
// it can raise. Neighbours beyond the volume count as lowest keys.
#pragma once

#include "cuda/warp.cuh"
#include "solvers/reconstruction/reconstruct/cuda/tiles_3d/sweeps.cuh"
#include "solvers/reconstruction/reconstruct/shared/worklist.cuh"

namespace wale::reconstruction::tiles_3d {

/// Where a tile lies among those of its volume.
struct place {
    int x, y, z;  // of the tile
    int tiles_x, tiles_y, tiles_z;

    [[nodiscard]] __device__ bool has(int dz, int dy, int dx) const {
        return x + dx >= 0 && x + dx < tiles_x && y + dy >= 0 && y + dy < tiles_y && z + dz >= 0 &&
               z + dz < tiles_z;
    }
    [[nodiscard]] __device__ std::int64_t step(int dz, int dy, int dx) const {
        return (std::int64_t{dz} * tiles_y + dy) * tiles_x + dx;
    }
};

/// A bit for each of the 27 tiles round and in the middle.
[[nodiscard]] __device__ constexpr int direction(int dz, int dy, int dx) {
    return 9 * (dz + 1) + 3 * (dy + 1) + dx + 1;
}

/// The words of the tiles around, in J or in the mask: `first` is the tile in the middle.
template <class T, int Planes>
struct surroundings {
    using word = typename pack<T>::word;
    static constexpr int words = Planes * plane_pitch;
    const word* first;
    place where;
    seat at;

    [[nodiscard]] __device__ word load(int dz, int dy, int dx, int plane, int row, int x) const {
        if (!where.has(dz, dy, dx)) return 0;
        return tiles::load_relaxed(first + where.step(dz, dy, dx) * words + index_of(plane, row, x));
    }
    /// This lane's end of a line goes on in the tile at -1 or 1, from its word `x`; 0 in between.
    [[nodiscard]] __device__ int aside() const { return at.is_leftmost() ? -1 : at.is_rightmost() ? 1 : 0; }
    [[nodiscard]] __device__ int aside_x() const { return at.is_leftmost() ? across - 1 : 0; }
    [[nodiscard]] __device__ int beyond() const { return at.is_first() ? -1 : at.is_last() ? 1 : 0; }

    /// The plane that faces ours above (dz = -1) or below; its lines are rows.
    template <int Reach>
    [[nodiscard]] __device__ face<T, rows / seat::groups> planes(int dz) const {
        constexpr int lines = rows / seat::groups;
        const int plane = dz < 0 ? Planes - 1 : 0, side = aside(), end = beyond();
        face<T, lines> f;
        f.beyond = f.corner = 0;
#pragma unroll
        for (int i = 0; i < lines; ++i) {
            const int row = at.group() * lines + i;
            f.line[i] = load(dz, 0, 0, plane, row, at.x());
            f.beside[i] = Reach > 1 && side != 0 ? load(dz, 0, side, plane, row, aside_x()) : 0;
        }
        const int row = end < 0 ? rows - 1 : 0;
        if (Reach > 1 && end != 0) f.beyond = load(dz, end, 0, plane, row, at.x());
        if (Reach > 2 && end != 0 && side != 0) f.corner = load(dz, end, side, plane, row, aside_x());
        return f;
    }
    /// The rows that face ours before (dy = -1) or behind; its lines are those of the planes.
    template <int Reach>
    [[nodiscard]] __device__ face<T, Planes / seat::groups> fronts(int dy) const {
        constexpr int lines = Planes / seat::groups;
        const int row = dy < 0 ? rows - 1 : 0, side = aside();
        face<T, lines> f;
        f.beyond = f.corner = 0;
#pragma unroll
        for (int i = 0; i < lines; ++i) {
            const int plane = at.group() * lines + i;
            f.line[i] = load(0, dy, 0, plane, row, at.x());
            f.beside[i] = Reach > 1 && side != 0 ? load(0, dy, side, plane, row, aside_x()) : 0;
        }
        return f;
    }
    /// The words to the left (dx = -1) or right: a lane a row, all planes.
    __device__ void sides(int dx, word (&w)[Planes]) const {
#pragma unroll
        for (int plane = 0; plane < Planes; ++plane)
            w[plane] = load(0, 0, dx, plane, at.lane, dx < 0 ? across - 1 : 0);
    }
};

/// To each the largest of its neighbours in a column of pixels: a lane a row, all planes.
template <class T, int Reach, int Planes>
__device__ void offers_aside(const typename pack<T>::word (&w)[Planes], int lane,
                             typename pack<T>::word (&to)[Planes]) {
    using k = pack<T>;
    typename k::word tall[Planes];
    const auto larger = [](auto a, auto b) { return a < b ? b : a; };  // one pixel of the word is not 0
#pragma unroll
    for (int p = 0; p < Planes; ++p) {
        tall[p] = w[p];
        if constexpr (Reach > 1) {
            const auto up = __shfl_up_sync(everyone, w[p], 1), down = __shfl_down_sync(everyone, w[p], 1);
            if (lane > 0) tall[p] = larger(tall[p], up);
            if (lane < 31) tall[p] = larger(tall[p], down);
        }
    }
#pragma unroll
    for (int p = 0; p < Planes; ++p) {
        to[p] = tall[p];
        if constexpr (Reach > 1) {
            const auto& next = Reach == 3 ? tall : w;
            if (p > 0) to[p] = larger(to[p], next[p > 0 ? p - 1 : 0]);
            if (p + 1 < Planes) to[p] = larger(to[p], next[p + 1 < Planes ? p + 1 : 0]);
        }
    }
}

/// Raises a tile's outermost pixels to what lies around; once, since nothing around changes what it offers
/// while the tile settles. Returns the planes that changed.
template <int Reach, class T, int Planes>
__device__ std::uint32_t take_offers(const tile<T, Planes>& t, const surroundings<T, Planes>& from) {
    using k = pack<T>;
    const seat at = t.at;
    std::uint32_t mine = 0;
    const auto note = [&](bool rose, int plane) { mine |= (rose ? 1u : 0u) << plane; };
#pragma unroll 1
    for (int dz = -1; dz <= 1; dz += 2) {
        if (!from.where.has(dz, 0, 0)) continue;
        constexpr int lines = rows / seat::groups;
        const auto f = from.template planes<Reach>(dz);
        typename k::chain offer[lines];
        offers<T, Reach, true>(f, at, offer);
        const int plane = dz < 0 ? 0 : Planes - 1;
#pragma unroll
        for (int i = 0; i < lines; ++i)
            note(t.raise(index_of(plane, at.group() * lines + i, at.x()), offer[i]), plane);
    }
    __syncwarp();
#pragma unroll 1
    for (int dy = -1; dy <= 1; dy += 2) {
        if (!from.where.has(0, dy, 0)) continue;
        constexpr int lines = Planes / seat::groups;
        const auto f = from.template fronts<Reach>(dy);
        typename k::chain offer[lines];
        offers<T, Reach, true>(f, at, offer);
#pragma unroll
        for (int i = 0; i < lines; ++i) {
            const int plane = at.group() * lines + i;
            note(t.raise(index_of(plane, dy < 0 ? 0 : rows - 1, at.x()), offer[i]), plane);
        }
    }
    __syncwarp();
#pragma unroll 1
    for (int dx = -1; dx <= 1; dx += 2) {
        if (!from.where.has(0, 0, dx)) continue;
        typename k::word w[Planes], offer[Planes];
        from.sides(dx, w);
        for (int p = 0; p < Planes; ++p) w[p] = dx < 0 ? k::last_to_first(w[p]) : k::first_to_last(w[p]);
        offers_aside<T, Reach, Planes>(w, at.lane, offer);
#pragma unroll
        for (int p = 0; p < Planes; ++p)
            note(t.raise(index_of(p, at.lane, dx < 0 ? 0 : across - 1), k::split(offer[p])), p);
    }
    __syncwarp();
    return cuda::union_of_warp(mine);
}

/// The tiles around that this one can raise, a bit each.
template <int Reach, class T, int Planes>
struct wake_test {
    using k = pack<T>;
    using word = typename k::word;
    const tile<T, Planes>& t;
    const surroundings<T, Planes>& low;    // J of those around
    const surroundings<T, Planes>& under;  // their masks

    __device__ static bool can_rise(word low, word mask, const typename k::chain& offer) {
        return k::raised(low, mask, offer) != low;
    }
    /// Of a face: in the tile behind it, those beside, beyond and at the corners.
    template <int Lines>
    __device__ std::uint32_t of_face(const face<T, Lines>& mine, const face<T, Lines>& j,
                                     const face<T, Lines>& m, int dz, int dy) const {
        const seat at = t.at;
        typename k::chain offer[Lines];
        offers<T, Reach, false>(mine, at, offer);
        bool middle = false, beside = false, beyond = false, corner = false;
#pragma unroll
        for (int i = 0; i < Lines; ++i) middle |= can_rise(j.line[i], m.line[i], offer[i]);
        if constexpr (Reach > 1) {
            word side[Lines];
#pragma unroll
            for (int i = 0; i < Lines; ++i)
                side[i] = at.is_leftmost() ? k::first_to_last(mine.line[i]) : k::last_to_first(mine.line[i]);
            word before = __shfl_up_sync(everyone, side[Lines - 1], across);
            word after = __shfl_down_sync(everyone, side[0], across);
            if (at.is_first()) before = 0;
            if (at.is_last()) after = 0;
#pragma unroll
            for (int i = 0; i < Lines; ++i) {
                word w = side[i];
                if (Reach == 3) {
                    w = larger(w, i > 0 ? side[i > 0 ? i - 1 : 0] : before);
                    w = larger(w, i + 1 < Lines ? side[i + 1 < Lines ? i + 1 : 0] : after);
                }
                beside |= can_rise(j.beside[i], m.beside[i], k::split(w));
            }
            const word end = at.is_first() ? mine.line[0] : mine.line[Lines - 1];
            const auto wide = spread_line<T>(end, 0, at);
            beyond = can_rise(j.beyond, m.beyond, Reach == 3 ? wide : k::split(end));
            corner = Reach == 3 &&
                     can_rise(j.corner, m.corner, k::split(at.is_first() ? side[0] : side[Lines - 1]));
        }
        return bits_of(middle, beside, beyond, corner, dz, dy);
    }
    __device__ static std::uint32_t bits_of(bool middle, bool beside, bool beyond, bool corner, int dz,
                                            int dy) {
        constexpr unsigned left = 0x01010101u, right = 0x80808080u, first = 0xffu, last = 0xff000000u;
        std::uint32_t bits = 0;
        const auto note = [&](unsigned lanes, int to_dy, int dx) {
            if (lanes != 0) bits |= 1u << direction(dz, to_dy, dx);
        };
        note(__ballot_sync(everyone, middle), dy, 0);
        if constexpr (Reach > 1) {
            const unsigned b = __ballot_sync(everyone, beside), e = __ballot_sync(everyone, beyond),
                           c = __ballot_sync(everyone, corner);
            note(b & left, dy, -1);
            note(b & right, dy, 1);
            if (dy != 0) return bits;  // a front's lines end where planes do
            note(e & first, -1, 0);
            note(e & last, 1, 0);
            note(c & first & left, -1, -1);
            note(c & first & right, -1, 1);
            note(c & last & left, 1, -1);
            note(c & last & right, 1, 1);
        }
        return bits;
    }

    __device__ std::uint32_t of_planes(int dz) const {
        constexpr int lines = rows / seat::groups;
        face<T, lines> mine;
#pragma unroll
        for (int i = 0; i < lines; ++i)
            mine.line[i] = t.j[index_of(dz < 0 ? 0 : Planes - 1, t.at.group() * lines + i, t.at.x())];
        return of_face(mine, low.template planes<Reach>(dz), under.template planes<Reach>(dz), dz, 0);
    }
    __device__ std::uint32_t of_fronts(int dy) const {
        constexpr int lines = Planes / seat::groups;
        face<T, lines> mine;
#pragma unroll
        for (int i = 0; i < lines; ++i)
            mine.line[i] = t.j[index_of(t.at.group() * lines + i, dy < 0 ? 0 : rows - 1, t.at.x())];
        return of_face(mine, low.template fronts<Reach>(dy), under.template fronts<Reach>(dy), 0, dy);
    }
    __device__ std::uint32_t of_sides(int dx) const {
        word mine[Planes], offer[Planes], j[Planes], m[Planes];
#pragma unroll
        for (int p = 0; p < Planes; ++p) {
            const word w = t.j[index_of(p, t.at.lane, dx < 0 ? 0 : across - 1)];
            mine[p] = dx < 0 ? k::first_to_last(w) : k::last_to_first(w);
        }
        offers_aside<T, Reach, Planes>(mine, t.at.lane, offer);
        low.sides(dx, j);
        under.sides(dx, m);
        bool rises = false;
#pragma unroll
        for (int p = 0; p < Planes; ++p) rises |= can_rise(j[p], m[p], k::split(offer[p]));
        return __any_sync(everyone, rises) ? 1u << direction(0, 0, dx) : 0;
    }
    /// `changed`: planes of ours that rose since the last time.
    __device__ std::uint32_t operator()(std::uint32_t changed) const {
        std::uint32_t bits = 0;
#pragma unroll 1
        for (int d = -1; d <= 1; d += 2) {
            if (low.where.has(d, 0, 0) && (changed >> (d < 0 ? 0 : Planes - 1) & 1u) != 0)
                bits |= of_planes(d);
            if (low.where.has(0, d, 0)) bits |= of_fronts(d);
            if (low.where.has(0, 0, d)) bits |= of_sides(d);
        }
        return bits;
    }
};

}  // namespace wale::reconstruction::tiles_3d
