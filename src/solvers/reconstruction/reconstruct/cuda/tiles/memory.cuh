// memory - a tile between images and shared memory, and the buffers through which tiles see each
// other.
#pragma once

#include "solvers/reconstruction/reconstruct/cuda/tiles/words.cuh"
#include "solvers/reconstruction/reconstruct/shared/worklist.cuh"

namespace wale::reconstruction::tiles {

/// Pixels of a batch of flat images.
template <class T>
struct plane {
    T* data;
    index_t row_stride, image_stride;
    bool vectors;  // every row starts on 16 bytes

    [[nodiscard]] __device__ T* at(index_t image, index_t row, index_t column) const {
        return data + image * image_stride + row * row_stride + column;
    }
};

/// A tile of an image.
struct place {
    index_t image, row, column;  // of its first pixel
    index_t rows, columns;       // of the image
    int across, down;            // tiles of an image
    int x, y;                    // of this one

    [[nodiscard]] __device__ bool is_inside(int dx, int dy) const {
        return x + dx >= 0 && x + dx < across && y + dy >= 0 && y + dy < down;
    }
};

/// Loads and stores of the pixels themselves. A pixel is only ever touched by its tile's warp, and warps
/// follow one another on a tile through its state word, so that these accesses need no order of their own;
/// `volatile` loads keep them out of an L1 that another multiprocessor's stores do not reach.
template <class T>
struct tile_io {
    using c = cell<T>;
    using word = typename c::word;
    static constexpr int vectors = 4;  // of 16 bytes in a row of a narrow tile
    const place& at;
    int lane;

    [[nodiscard]] __device__ bool is_whole() const {
        return at.row + c::rows <= at.rows && at.column + c::columns <= at.columns;
    }
    /// shared[r * pitch + k] = f(stored word, r * pitch + k); pixels beyond the image are 0 in key order.
    template <class F>
    __device__ void load(const plane<const T>& from, word* shared, const F& f) const {
        if constexpr (c::paired) {
            if (from.vectors && is_whole()) return load_vectors(from, shared, f);
        }
        const word columns = c::column_bits(lane, [&](int k) { return at.column + k < at.columns; });
#pragma unroll 4
        for (int r = 0; r < side; ++r) {
            const word rows = c::row_bits(r, [&](int k) { return at.row + k < at.rows; });
            word w = 0;
            if ((rows & columns) != 0) w = f(gather(from, r), r * pitch + lane) & rows & columns;
            shared[r * pitch + lane] = w;
        }
    }
    /// The other way round: f(r * pitch + k) is what to store.
    template <class F>
    __device__ void store(const plane<T>& to, const F& f) const {
        if constexpr (c::paired) {
            if (to.vectors && is_whole()) return store_vectors(to, f);
        }
#pragma unroll 4
        for (int r = 0; r < side; ++r) scatter(to, r, f(r * pitch + lane));
    }

    /// The two halves of load() where is_vectors(): loads of several tiles are then under way together.
    struct vector_rows {
        uint4 a[side / 8], b[side / 8];
    };
    [[nodiscard]] __device__ bool is_vectors(const plane<const T>& from) const {
        return c::paired && from.vectors && is_whole();
    }
    __device__ void fetch(const plane<const T>& from, vector_rows& rows) const {
        const T* first = from.at(at.image, at.row, at.column) + lane % vectors * (16 / sizeof(T));
#pragma unroll
        for (int i = 0; i < side / 8; ++i) {
            const int r = 8 * i + lane / vectors;
            rows.a[i] = load_relaxed(reinterpret_cast<const uint4*>(first + r * from.row_stride));
            rows.b[i] =
                load_relaxed(reinterpret_cast<const uint4*>(first + (c::rows - 1 - r) * from.row_stride));
        }
    }
    template <class F>
    __device__ void place_vectors(const vector_rows& rows, word* shared, const F& f) const {
#pragma unroll
        for (int i = 0; i < side / 8; ++i) {
            const int to = (8 * i + lane / vectors) * pitch + 8 * (lane % vectors);
            const auto put = [&](int s, std::uint32_t low, std::uint32_t high) {
                shared[to + 2 * s] = f(__byte_perm(low, high, 0x5410), to + 2 * s);
                shared[to + 2 * s + 1] = f(__byte_perm(low, high, 0x7632), to + 2 * s + 1);
            };
            put(0, rows.a[i].x, rows.b[i].x);
            put(1, rows.a[i].y, rows.b[i].y);
            put(2, rows.a[i].z, rows.b[i].z);
            put(3, rows.a[i].w, rows.b[i].w);
        }
    }

private:
    [[nodiscard]] __device__ T pixel(const plane<const T>& from, int row, int column) const {
        if (at.row + row >= at.rows || at.column + column >= at.columns) return T{};
        return *static_cast<const volatile T*>(from.at(at.image, at.row + row, at.column + column));
    }
    __device__ void set(const plane<T>& to, int row, int column, T v) const {
        if (at.row + row < at.rows && at.column + column < at.columns)
            *to.at(at.image, at.row + row, at.column + column) = v;
    }
    [[nodiscard]] __device__ word gather(const plane<const T>& from, int r) const {
        if constexpr (!c::paired) {
            return std::bit_cast<word>(pixel(from, r, lane));
        } else {
            constexpr int bits = 8 * sizeof(T);
            word w = 0;
            for (int half = 0; half < 2; ++half)
                for (int i = 0; i < c::chains; ++i)
                    w |= word{pixel(from, half == 0 ? r : c::rows - 1 - r, c::chains * lane + i)}
                         << (16 * half + bits * i);
            return w;
        }
    }
    __device__ void scatter(const plane<T>& to, int r, word w) const {
        if constexpr (!c::paired) {
            set(to, r, lane, std::bit_cast<T>(w));
        } else {
            constexpr int bits = 8 * sizeof(T);
            for (int half = 0; half < 2; ++half)
                for (int i = 0; i < c::chains; ++i)
                    set(to, half == 0 ? r : c::rows - 1 - r, c::chains * lane + i,
                        static_cast<T>(w >> (16 * half + bits * i)));
        }
    }
    // Four lanes a row of 64 bytes, eight rows at once, and the eight that mirror them: two 16-byte vectors
    // make eight words, and no two lanes of a store to shared memory meet in a bank.
    template <class F>
    __device__ void load_vectors(const plane<const T>& from, word* shared, const F& f) const {
        vector_rows rows;
        fetch(from, rows);
        place_vectors(rows, shared, f);
    }
    template <class F>
    __device__ void store_vectors(const plane<T>& to, const F& f) const {
        const int q = lane % vectors;
        T* first = to.at(at.image, at.row, at.column) + q * (16 / sizeof(T));
#pragma unroll
        for (int i = 0; i < side / 8; ++i) {
            const int r = 8 * i + lane / vectors;
            const int from = r * pitch + 8 * q;
            std::uint32_t a[4], b[4];
#pragma unroll
            for (int s = 0; s < 4; ++s) {
                const word w = f(from + 2 * s), x = f(from + 2 * s + 1);
                a[s] = __byte_perm(w, x, 0x5410);
                b[s] = __byte_perm(w, x, 0x7632);
            }
            *reinterpret_cast<uint4*>(first + r * to.row_stride) = {a[0], a[1], a[2], a[3]};
            *reinterpret_cast<uint4*>(first + (c::rows - 1 - r) * to.row_stride) = {b[0], b[1], b[2], b[3]};
        }
    }
};

}  // namespace wale::reconstruction::tiles
