// sweeps - one tile of a volume in shared memory, one warp: through the planes, down the rows, along
// the rows. Each pass skips what has not changed since it last looked.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/tiles_3d/words.cuh"

namespace wale::reconstruction::tiles_3d {

/// A lane in a plane of lines: its word of a line, and its group of consecutive lines.
struct seat {
    int lane;
    [[nodiscard]] __device__ int x() const { return lane % across; }
    [[nodiscard]] __device__ int group() const { return lane / across; }
    static constexpr int groups = 32 / across;
    [[nodiscard]] __device__ bool is_leftmost() const { return x() == 0; }
    [[nodiscard]] __device__ bool is_rightmost() const { return x() == across - 1; }
    [[nodiscard]] __device__ bool is_first() const { return group() == 0; }
    [[nodiscard]] __device__ bool is_last() const { return group() == groups - 1; }
};

/// `beside`: the word that adjoins the line at this lane's end of it.
template <class T>
__device__ typename pack<T>::chain spread_line(typename pack<T>::word w, typename pack<T>::word beside,
                                               seat at) {
    typename pack<T>::word left = __shfl_up_sync(everyone, w, 1), right = __shfl_down_sync(everyone, w, 1);
    if (at.is_leftmost()) left = beside;
    if (at.is_rightmost()) right = beside;
    return pack<T>::spread(w, left, right);
}

/// Lines of words that face a plane, Lines in each lane's group, and what surrounds them: `beside` at the
/// ends of each line, `beyond` a line before the first group and after the last.
template <class T, int Lines>
struct face {
    typename pack<T>::word line[Lines], beside[Lines], beyond, corner;
};

/// What a face offers to the plane behind it: to each pixel the largest of its neighbours. Without Around
/// only the lines themselves count.
template <class T, int Reach, bool Around, int Lines>
__device__ void offers(const face<T, Lines>& f, seat at, typename pack<T>::chain (&to)[Lines]) {
    using k = pack<T>;
    if constexpr (Reach == 1) {
        for (int i = 0; i < Lines; ++i) to[i] = k::split(f.line[i]);
    } else {
        // What a line gives to the lines next to it: by 18 its pixels, by 26 their neighbours too.
        typename k::chain wide[Lines], narrow[Lines];
#pragma unroll
        for (int i = 0; i < Lines; ++i) {
            wide[i] = spread_line<T>(f.line[i], Around ? f.beside[i] : 0, at);
            narrow[i] = Reach == 3 ? wide[i] : k::split(f.line[i]);
        }
        typename k::word beyond = 0;
        if constexpr (Around)
            beyond = Reach == 3 ? k::join(spread_line<T>(f.beyond, f.corner, at)) : f.beyond;
        auto before = __shfl_up_sync(everyone, k::join(narrow[Lines - 1]), across);
        auto after = __shfl_down_sync(everyone, k::join(narrow[0]), across);
        if (at.is_first()) before = beyond;
        if (at.is_last()) after = beyond;
#pragma unroll
        for (int i = 0; i < Lines; ++i)
            to[i] = k::largest(wide[i], i > 0 ? narrow[i > 0 ? i - 1 : 0] : k::split(before),
                               i + 1 < Lines ? narrow[i + 1 < Lines ? i + 1 : 0] : k::split(after));
    }
}

/// Planes, a bit each, that changed since each pass last took them into account.
struct stale {
    std::uint32_t down, up, rows_down, rows_up, along;
    __device__ explicit stale(std::uint32_t planes)
        : down(planes), up(planes), rows_down(planes), rows_up(planes), along(planes) {}
    __device__ void touch(std::uint32_t planes) {
        down |= planes;
        up |= planes;
        rows_down |= planes;
        rows_up |= planes;
        along |= planes;
    }
    [[nodiscard]] __device__ bool any() const { return (down | up | rows_down | rows_up | along) != 0; }
};

/// A tile: keys of J and of the mask, in shared memory.
template <class T, int Planes>
struct tile {
    using k = pack<T>;
    using word = typename k::word;
    static constexpr int words = Planes * plane_pitch;
    static constexpr std::uint32_t all_planes = (1u << Planes) - 1;
    word* j;
    const word* m;
    seat at;

    /// Replaces a word; whether it rose.
    __device__ bool raise(int index, const typename k::chain& offer) const {
        const word old = j[index], now = k::raised(old, m[index], offer);
        if (now == old) return false;
        j[index] = now;
        return true;
    }

    /// From plane to plane; step is 1 or -1. `from`: the planes that changed. Returns those that did now.
    template <int Reach>
    __device__ std::uint32_t sweep_planes(std::uint32_t from, int step) const {
        constexpr int lines = rows / seat::groups;
        const int first = at.group() * lines;
        face<T, lines> f;
        typename k::chain offer[lines];
        std::uint32_t changed = 0;
        const int begin = step > 0 ? 0 : Planes - 1;
#pragma unroll 1
        for (int n = 0; n + 1 < Planes; ++n) {
            const int plane = begin + step * n, next = plane + step;
            if (((from | changed) >> plane & 1u) == 0) continue;
#pragma unroll
            for (int i = 0; i < lines; ++i) f.line[i] = j[index_of(plane, first + i, at.x())];
            offers<T, Reach, false>(f, at, offer);
            bool rose = false;
#pragma unroll
            for (int i = 0; i < lines; ++i) rose |= raise(index_of(next, first + i, at.x()), offer[i]);
            changed |= (__any_sync(everyone, rose) ? 1u : 0u) << next;
        }
        return changed;
    }

    /// The position of the n-th set bit, or -1.
    __device__ static int nth(std::uint32_t bits, int n) {
        for (; n > 0; --n) bits &= bits - 1;
        return __ffs(static_cast<int>(bits)) - 1;
    }

    /// From row to row in planes that changed: so many in each group of lanes at once.
    template <int Reach, int Each>
    __device__ std::uint32_t sweep_some_rows(std::uint32_t from, int step) const {
        const int begin = step > 0 ? 0 : rows - 1;
        int where[Each];
        word w[Each], next_j[Each], next_m[Each];
        const word* source[Each];
        bool mine[Each], rose[Each];
#pragma unroll
        for (int e = 0; e < Each; ++e) {
            const int plane = nth(from, at.group() + e * seat::groups);
            // Lanes without a plane follow, but raise nothing, and read what no lane writes.
            mine[e] = plane >= 0;
            source[e] = mine[e] ? j : m;
            rose[e] = false;
            where[e] = index_of(mine[e] ? plane : 0, begin, at.x());
            w[e] = source[e][where[e]];
            next_j[e] = source[e][where[e] + step * row_pitch];
            next_m[e] = m[where[e] + step * row_pitch];
        }
#pragma unroll 1
        for (int n = 0; n + 1 < rows; ++n) {
#pragma unroll
            for (int e = 0; e < Each; ++e) {
                const auto offer = Reach == 1 ? k::split(w[e]) : spread_line<T>(w[e], 0, at);
                where[e] += step * row_pitch;
                const word old = next_j[e], under = next_m[e];
                if (n + 2 < rows) {
                    next_j[e] = source[e][where[e] + step * row_pitch];
                    next_m[e] = m[where[e] + step * row_pitch];
                }
                w[e] = k::raised(old, under, offer);
                if (w[e] != old && mine[e]) {
                    j[where[e]] = w[e];
                    rose[e] = true;
                }
            }
        }
        std::uint32_t changed = 0;
#pragma unroll
        for (int e = 0; e < Each; ++e) {
            const unsigned lanes = __ballot_sync(everyone, rose[e]);
            for (int g = 0; g < seat::groups && from != 0; ++g, from &= from - 1)
                if ((lanes >> (across * g) & 0xffu) != 0) changed |= from & (0u - from);
        }
        return changed;
    }
    template <int Reach>
    __device__ std::uint32_t sweep_rows(std::uint32_t from, int step) const {
        constexpr int each = Planes / seat::groups;
        std::uint32_t changed = 0;
#pragma unroll 1
        while (from != 0) {
            changed |= sweep_some_rows<Reach, each>(from, step);
            for (int n = 0; n < each * seat::groups; ++n) from &= from - 1;
        }
        return changed;
    }

    /// Along every row of some planes, there and back at once, exactly: a lane a row.
    template <int Each>
    __device__ std::uint32_t sweep_some_along(const int (&plane)[Each]) const {
        word jw[Each][across], mw[Each][across], there[Each][across], back[Each][across];
        word carry[Each] = {}, other[Each] = {};
#pragma unroll
        for (int e = 0; e < Each; ++e)
#pragma unroll
            for (int x = 0; x < across; ++x) {
                jw[e][x] = j[index_of(plane[e], at.lane, x)];
                mw[e][x] = m[index_of(plane[e], at.lane, x)];
            }
#pragma unroll
        for (int x = 0; x < across; ++x)
#pragma unroll
            for (int e = 0; e < Each; ++e)
                walk(jw[e][x], mw[e][x], jw[e][across - 1 - x], mw[e][across - 1 - x], carry[e], other[e],
                     there[e][x], back[e][across - 1 - x]);
        std::uint32_t changed = 0;
#pragma unroll
        for (int e = 0; e < Each; ++e) {
            bool rose = false;
#pragma unroll
            for (int x = 0; x < across; ++x) {
                const auto a = k::split(there[e][x]), b = k::split(back[e][x]);
                typename k::chain both;
                for (int c = 0; c < k::chains; ++c) both.c[c] = k::larger(a.c[c], b.c[c]);
                const word now = k::join(both);
                if (now != jw[e][x]) {
                    j[index_of(plane[e], at.lane, x)] = now;
                    rose = true;
                }
            }
            changed |= (__any_sync(everyone, rose) ? 1u : 0u) << plane[e];
        }
        return changed;
    }
    __device__ std::uint32_t sweep_along(std::uint32_t from) const {
        std::uint32_t changed = 0;
#pragma unroll 1
        for (; from != 0; from &= from - 1) changed |= sweep_some_along<1>({nth(from, 0)});
        return changed;
    }

    /// One word forwards and one backwards. Narrow pixels pair the two walks in the halves of `carry`.
    __device__ static void walk(word j_there, word m_there, word j_back, word m_back, word& carry,
                                word& other, word& there, word& back) {
        if constexpr (k::pixels == 1) {
            there = carry = k::larger(j_there, k::smaller(carry, m_there));
            back = other = k::larger(j_back, k::smaller(other, m_back));
        } else {
            const auto step = [&](unsigned select) {
                return carry = k::larger(__byte_perm(j_there, j_back, select),
                                         k::smaller(carry, __byte_perm(m_there, m_back, select)));
            };
            if constexpr (k::pixels == 4) {  // pixel n forwards, pixel 3 - n backwards, in upper bytes
                const word a = step(0x7000), b = step(0x6010), c = step(0x5020), d = step(0x4030);
                const word ab = __byte_perm(a, b, 0x7351), cd = __byte_perm(c, d, 0x7351);
                there = __byte_perm(ab, cd, 0x5410);
                back = __byte_perm(ab, cd, 0x2367);
            } else {
                const word a = step(0x7610), b = step(0x5432);
                there = __byte_perm(a, b, 0x5410);
                back = __byte_perm(a, b, 0x3276);
            }
        }
    }

    /// Until no pass raises a pixel: then every pixel satisfies the recurrence in this tile. Returns the
    /// planes that changed.
    template <int Reach>
    __device__ std::uint32_t settle(std::uint32_t from) const {
        stale s(from);
        std::uint32_t all = 0;
        // A pass leaves nothing to do for itself, but for all others where it raised a pixel. There is one
        // copy of each in the code: warps are at different places of it, and what does not fit the
        // instruction cache waits.
        const auto note = [&](std::uint32_t changed) {
            __syncwarp();
            s.touch(changed);
            all |= changed;
        };
        while (s.any()) {
#pragma unroll 1
            for (int step = 1; step >= -1; step -= 2) {
                const std::uint32_t due = step > 0 ? s.down : s.up;
                if (due != 0) note(sweep_planes<Reach>(due, step));
                if (step > 0 || Reach == 1) s.down = 0;  // there and back is exact where only lines count
                if (step < 0) s.up = 0;
            }
#pragma unroll 1
            for (int step = 1; step >= -1; step -= 2) {
                const std::uint32_t due = step > 0 ? s.rows_down : s.rows_up;
                if (due != 0) note(sweep_rows<Reach>(due, step));
                if (step > 0 || Reach == 1) s.rows_down = 0;
                if (step < 0) s.rows_up = 0;
            }
            if (s.along != 0) note(sweep_along(s.along));
            s.along = 0;
        }
        return all;
    }
};

}  // namespace wale::reconstruction::tiles_3d
