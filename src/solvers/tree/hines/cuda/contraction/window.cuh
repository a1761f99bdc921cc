// window - one window of a contraction for one thread block: its rows in shared memory, eliminated; then what
// stays goes up, or unknowns come down.
//
// No block waits for another: levels are launches, one after the other in the stream.
#pragma once

#include <cstdint>

#include "solvers/tree/cuda/status.cuh"
#include "solvers/tree/hines/cuda/contraction/tuning.hpp"
#include "solvers/tree/hines/shared/contraction/slots.hpp"
#include "solvers/tree/hines/shared/vectors.cuh"

namespace wale::tree {

/// Where the rows of a level lie: element e of vector v at v / width * block + v % width + e * step; item i
/// is element node[i], or i.
template <class T>
struct contraction_rows {
    const T *u = nullptr, *l = nullptr, *d = nullptr, *b = nullptr;
    T* x = nullptr;
    index_t width = 1, block = 0, step = 1;
    [[nodiscard]] __device__ index_t begin(index_t v) const {
        return width == 1 ? v * block : v / width * block + v % width;
    }
};

/// One level, as its kernels see it.
template <class T>
struct contraction_view {
    const contraction_window* windows;
    const contraction_cell* cells;
    const contraction_link* links;
    const std::int32_t* node;  // of an item: for the verdict, and on the first level for its place; or null
    bool scattered;            // items lie where `node` says
    index_t items;
    int most_items, most_slots;
    contraction_rows<T> rows;
    index_t first_vector;
};

template <int Bytes>
__device__ inline void copy_ahead(void* shared, const void* global) {
#if __CUDA_ARCH__ >= 800
    const auto to = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(global), "n"(Bytes) : "memory");
#else
    if constexpr (Bytes == 4)
        *static_cast<std::uint32_t*>(shared) = *static_cast<const std::uint32_t*>(global);
    if constexpr (Bytes == 8) *static_cast<uint2*>(shared) = *static_cast<const uint2*>(global);
    if constexpr (Bytes == 16) *static_cast<uint4*>(shared) = *static_cast<const uint4*>(global);
#endif
}
__device__ inline void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Whole pieces of 16 bytes where both sides allow it, else elements.
template <class T>
__device__ void copy_line(T* shared, const T* global, int count) {
    constexpr int piece = 16 / sizeof(T);
    int whole = 0;
    if (reinterpret_cast<std::uintptr_t>(global) % 16 == 0) {
        whole = count / piece * piece;
        for (int i = threadIdx.x * piece; i < whole; i += blockDim.x * piece)
            copy_ahead<16>(shared + i, global + i);
    }
    for (int i = whole + threadIdx.x; i < count; i += blockDim.x)
        copy_ahead<sizeof(T)>(shared + i, global + i);
}

template <class T>
class contraction_block {
public:
    __device__ contraction_block(const contraction_view<T>& view, int window, char* shared)
        : view_(view),
          vector_(view.first_vector + blockIdx.y),
          window_(window),
          first_(static_cast<index_t>(window) * view.most_items),
          items_(static_cast<int>(min(static_cast<index_t>(view.most_items), view.items - first_))) {
        const int items = (view.most_items + 3) / 4 * 4, slots = (view.most_slots + 3) / 4 * 4;
        all_.u = reinterpret_cast<T*>(shared);
        all_.l = all_.u + items;
        all_.d = all_.l + items;
        all_.b = all_.d + slots;
        cells_ = reinterpret_cast<contraction_cell*>(all_.b + slots);
    }

    /// Rows and cells to shared memory; meanwhile each thread's first link, and with `above`, the unknowns of
    /// the next level, what comes back over it. Nothing here waits for rows before everything is on its way.
    __device__ void load(const T* above) {
        copy_rows();
        w_ = view_.windows[window_];
        all_.list = reinterpret_cast<const std::uint16_t*>(cells_ + w_.list);
        for (int i = 2 * threadIdx.x; i < w_.cells; i += 2 * blockDim.x)
            copy_ahead<16>(cells_ + i, view_.cells + w_.cell + i);
        for (int i = items_ + threadIdx.x; i < view_.most_slots; i += blockDim.x)
            all_.d[i] = all_.b[i] = T(0);
        if (threadIdx.x < w_.links) {
            link_ = view_.links[w_.link + threadIdx.x];
            if (above) came_back_ = above[link_.from];
        }
        wait_for_copies();
        __syncthreads();
    }

    __device__ void eliminate(const device_status& status) {
        const auto bad = [&](int slot) {
            const index_t item = first_ + slot;
            status.note(vector_, view_.node ? view_.node[item] : item);
        };
        const auto inverse = [](T pivot) { return reciprocal(pivot); };
        for (int step = 0; step < w_.steps; ++step) {
            const contraction_step s = as<contraction_step>(step);
            for (int r = s.run + threadIdx.x; r < s.runs_end; r += blockDim.x)
                all_.eliminate(as<contraction_run>(r), bad, inverse);
            __syncthreads();
            if (s.sum == s.sums_end) continue;
            for (int r = s.sum + threadIdx.x; r < s.sums_end; r += blockDim.x)
                all_.add(as<contraction_sum>(r));
            __syncthreads();
        }
    }

    __device__ void put(const contraction_rows<T>& above, T* u, T* l, T* d, T* b) const {
        const index_t begin = above.begin(vector_);
        for (int k = threadIdx.x; k < w_.links; k += blockDim.x) {
            const contraction_link link = k == threadIdx.x ? link_ : view_.links[w_.link + k];
            const index_t to = begin + link.place;
            if (link.slot < items_) {
                u[to] = all_.u[link.slot];
                l[to] = all_.l[link.slot];
            }
            d[to] = all_.d[link.slot];
            b[to] = all_.b[link.slot];
        }
    }

    __device__ void substitute(const T* above) const {
        if (threadIdx.x < w_.links) all_.b[link_.slot] = came_back_;
        for (int k = threadIdx.x + blockDim.x; k < w_.links; k += blockDim.x) {
            const contraction_link link = view_.links[w_.link + k];
            all_.b[link.slot] = above[link.from];
        }
        __syncthreads();
        for (int step = w_.steps; step-- > 0;) {
            const contraction_step s = as<contraction_step>(step);
            for (int r = s.run + threadIdx.x; r < s.runs_end; r += blockDim.x)
                all_.substitute(as<contraction_run>(r));
            __syncthreads();
        }
    }

    __device__ void store() const {
        const contraction_rows<T>& r = view_.rows;
        T* const to = r.x + r.begin(vector_);
        for (int i = threadIdx.x; i < items_; i += blockDim.x) __stcs(to + element(i) * r.step, all_.b[i]);
    }

    [[nodiscard]] __device__ index_t vector() const { return vector_; }

private:
    __device__ void copy_rows() {
        const contraction_rows<T>& r = view_.rows;
        const index_t begin = r.begin(vector_);
        if (view_.scattered || r.step != 1) {
            for (int i = threadIdx.x; i < items_; i += blockDim.x) {
                const index_t e = begin + element(i) * r.step;
                copy_ahead<sizeof(T)>(all_.u + i, r.u + e);
                copy_ahead<sizeof(T)>(all_.l + i, r.l + e);
                copy_ahead<sizeof(T)>(all_.d + i, r.d + e);
                copy_ahead<sizeof(T)>(all_.b + i, r.b + e);
            }
            return;
        }
        const index_t from = begin + first_;
        copy_line(all_.d, r.d + from, items_);
        copy_line(all_.u, r.u + from, items_);
        copy_line(all_.l, r.l + from, items_);
        copy_line(all_.b, r.b + from, items_);
    }
    template <class Cell>
    [[nodiscard]] __device__ Cell as(int i) const {
        static_assert(sizeof(Cell) == sizeof(contraction_cell));
        Cell cell;
        *reinterpret_cast<contraction_cell*>(&cell) = cells_[i];
        return cell;
    }
    [[nodiscard]] __device__ index_t element(int slot) const {
        const index_t item = first_ + slot;
        return view_.scattered ? view_.node[item] : item;
    }

    const contraction_view<T>& view_;
    const index_t vector_;
    const int window_;
    const index_t first_;  // item
    const int items_;
    contraction_window w_;
    contraction_link link_;
    T came_back_ = 0;
    contraction_slots<T> all_;
    contraction_cell* cells_;
};

/// Shared memory of a block, in bytes.
template <class T>
[[nodiscard]] inline std::size_t contraction_bytes(int items, int slots, int cells) {
    const auto padded = [](int n) { return static_cast<std::size_t>((n + 3) / 4 * 4); };
    return 2 * (padded(items) + padded(slots)) * sizeof(T) +
           static_cast<std::size_t>(cells) * sizeof(contraction_cell);
}

}  // namespace wale::tree
