// pivot_search - the rows of a thread block, and the search for the next pivot among them: each warp puts its
// largest element's row forward, all threads decide alike after one barrier.
#pragma once

#include "cuda/warp.cuh"
#include "solvers/lu/factor/cuda/resident/packets.cuh"
#include "solvers/lu/factor/cuda/resident/tuning.hpp"

namespace wale::lu::resident {

/// What all threads must know of a row that a warp puts forward for a pivot, as numbers, so that it moves in
/// packets: 1 / pivot, the element right of the pivot, the place, the pivot.
template <class T>
struct record {
    packet<T, 4> v;
    static constexpr int rate = 0, next = 1, place = 2, pivot = 3;
    static constexpr int tied = INT_MIN;  // added to the place: other rows of the warp are as large
    [[nodiscard]] __device__ __forceinline__ int its_place() const { return as_int(v.v[place]); }
};

/// The size of an element as an unsigned number that orders as sizes do, a NaN above all; never 0.
__device__ __forceinline__ std::uint32_t size_key(float v) {
    return to_bits(v) * 2u + 1u;
}
__device__ __forceinline__ std::uint64_t size_key(double v) {
    return to_bits(v) * 2u + 1u;
}

template <class R>
__device__ __forceinline__ bits<R> size_key(const thrust::complex<R>& v) {
    return size_key(pivot_size(v));
}

template <class T, int Warps, int Height, int Sub>
struct pivoted_shared {
    static constexpr int pitch = Height + per_packet<T>;  // its columns begin in different banks
    alignas(16) T stash[width][pitch];                    // the finished columns, by row of A
    alignas(16) T candidate[2][Warps + 1][width];         // the last: zeros, where no row is left
    alignas(16) record<T> records[2][Warps];              // of the candidates
    alignas(16) bits<T> keys[2][Warps];                   // 0: no row of the warp is left
    alignas(16) T upper[Warps][Sub][width];
    alignas(16) T raw[2][Sub][width];  // pivot rows as they came
    alignas(16) T lower[2][Sub][Sub];  // and their multipliers
    T pivots[width];                   // of this block, and where their rows came from
    int exchanges[width];
    int lowest[Warps];  // place of the rows that tie
    int word;
    int row_in[Height];  // the row of A that ends in this place
};

/// Columns of a block in registers, `Rows` rows a thread, and where each row is by now.
template <class T, int Rows, int Warps, int Sub>
class pivot_search {
protected:
    static constexpr int height = 32 * Warps * Rows;
    static constexpr int threads = 32 * Warps;
    static constexpr int gone = -2;  // the place of rows beyond the matrix; all bits set mean "not there yet"
    using shared = pivoted_shared<T, Warps, height, Sub>;

    __device__ explicit pivot_search(shared& sh)
        : sh_(sh),
          lane_(static_cast<int>(threadIdx.x % 32)),
          warp_(static_cast<int>(threadIdx.x / 32)),
          row_(static_cast<int>(threadIdx.x) * Rows) {}

    /// This thread's rows in a column, and the first of the largest of them.
    struct choice {
        bits<T> key[Rows];  // 0: has been a pivot
        bits<T> of_warp;    // the largest of the warp
        bits<T> most;       // of the thread
        bool chosen[Rows], twice;
        record<T> out;
    };
    __device__ __forceinline__ choice choose(int c, const bool (&active)[Rows]) const {
        choice my{};
#pragma unroll
        for (int r = 0; r < Rows; ++r) my.key[r] = active[r] ? size_key(a_[r][c]) : bits<T>{0};
        my.most = largest(my.key);
        my.of_warp = largest_of_warp(my.most);
        bool before = false;
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            const bool equal = my.key[r] == my.most;
            my.chosen[r] = static_cast<bool>(equal & !before);
            my.twice = static_cast<bool>(my.twice | (equal & before));
            before = static_cast<bool>(before | equal);
        }
        fill(my.out, c, my.chosen);
        return my;
    }
    __device__ __forceinline__ void fill(record<T>& out, int c, const bool (&chosen)[Rows]) const {
        int place = place_[Rows - 1];
        T pivot = a_[Rows - 1][c];
#pragma unroll
        for (int r = Rows - 2; r >= 0; --r) {
            pivot = chosen[r] ? a_[r][c] : pivot;
            place = chosen[r] ? place_[r] : place;
        }
        out.v[out.pivot] = pivot;
        out.v[out.place] = as_number(T(0), place);
        out.v[out.rate] = inverted(pivot);
    }
    /// The element right of the pivot, once it is up to date.
    __device__ __forceinline__ T right_of(int c, const bool (&chosen)[Rows]) const {
        const int right = c + 1 < width ? c + 1 : c;
        T next = a_[Rows - 1][right];
#pragma unroll
        for (int r = Rows - 2; r >= 0; --r) next = chosen[r] ? a_[r][right] : next;
        return next;
    }
    /// Keys of pivots whose reciprocal is an ordinary number.
    static constexpr bool short_numbers = sizeof(real_of<T>) == 4;
    static constexpr int bias = short_numbers ? 127 : 1023, exponent_at = short_numbers ? 24 : 53,
                         most_exponent = (short_numbers ? 100 : 900) / (is_complex_type<T> ? 2 : 1) -
                                         (is_complex_type<T> ? 2 : 0);
    static constexpr bits<T> least_key = bits<T>(bias - most_exponent) << exponent_at;
    static constexpr bits<T> most_key = bits<T>(bias + most_exponent) << exponent_at;
    __device__ __forceinline__ static bool ordinary(bits<T> key) {
        return key - least_key < most_key - least_key;
    }
    /// In pairs: half as many comparisons one after the other.
    __device__ __forceinline__ static bits<T> largest(const bits<T> (&key)[Rows]) {
        bits<T> x[Rows];
#pragma unroll
        for (int r = 0; r < Rows; ++r) x[r] = key[r];
#pragma unroll
        for (int step = 1; step < Rows; step *= 2)
#pragma unroll
            for (int r = 0; r + step < Rows; r += 2 * step) x[r] = max(x[r], x[r + step]);
        return x[0];
    }
    __device__ __forceinline__ static std::uint32_t largest_of_warp(std::uint32_t key) {
        return cuda::largest_of_warp(key);
    }
    __device__ __forceinline__ static std::uint64_t largest_of_warp(std::uint64_t key) {
        const auto high = static_cast<std::uint32_t>(key >> 32), most = cuda::largest_of_warp(high);
        const std::uint32_t low = high == most ? static_cast<std::uint32_t>(key) : 0;
        return std::uint64_t{most} << 32 | cuda::largest_of_warp(low);
    }

    __device__ __forceinline__ void clear_candidates() {
        for (int i = static_cast<int>(threadIdx.x); i < 2 * width; i += threads)
            sh_.candidate[i / width][Warps][i % width] = T(0);
    }
    /// The warp's largest element, and its row from column c on, for the other warps. A row that is largest
    /// knows so by itself; where several are, they write over each other and say so.
    __device__ __forceinline__ void put_forward(int c, choice& mine) {
        const int buffer = c & 1;
        const bool in_front = mine.most == mine.of_warp;
#pragma unroll
        for (int r = 0; r < Rows; ++r)
            put_row(buffer, c, warp_, r, static_cast<bool>(in_front & mine.chosen[r]));
        const unsigned lanes = __ballot_sync(all_lanes, in_front);
        const bool tied = static_cast<bool>(mine.twice | ((lanes & (lanes - 1)) != 0));
        const int place = mine.out.its_place();
        mine.out.v[mine.out.next] = right_of(c, mine.chosen);
        mine.out.v[mine.out.place] = as_number(T(0), tied ? place | record<T>::tied : place);
        put_record(buffer, warp_, mine.out, in_front);
        if (lane_ == 0) sh_.keys[buffer][warp_] = mine.of_warp;
    }
    __device__ __forceinline__ void put_row(int buffer, int c, int to, int r, bool yes) {
#pragma unroll
        for (int q = c / per_packet<T> * per_packet<T>; q < width; q += per_packet<T>) {
            packet<T> x;
#pragma unroll
            for (int e = 0; e < per_packet<T>; ++e) x[e] = a_[r][q + e];
            store_if(yes, &sh_.candidate[buffer][to][q], x);
        }
    }
    __device__ __forceinline__ void put_record(int buffer, int to, const record<T>& out, bool yes) {
#pragma unroll
        for (int i = 0; i < 4; i += per_packet<T>) {
            packet<T> x;
#pragma unroll
            for (int e = 0; e < per_packet<T>; ++e) x[e] = out.v.v[i + e];
            store_if(yes, &sh_.records[buffer][to].v.v[i], x);
        }
    }
    __device__ __forceinline__ record<T> get_record(int buffer, int from) const {
        record<T> x;
#pragma unroll
        for (int i = 0; i < 4; i += per_packet<T>) {
            const packet<T> part = load_now(&sh_.records[buffer][from].v.v[i]);
#pragma unroll
            for (int e = 0; e < per_packet<T>; ++e) x.v.v[i + e] = part.v[e];
        }
        return x;
    }
    // Volatile: otherwise the compiler moves the loads behind the comparison of the keys.
    __device__ __forceinline__ static packet<float> load_now(const float* p) {
        packet<float> f;
        asm volatile("ld.shared.v4.f32 {%0,%1,%2,%3},[%4];"
                     : "=f"(f.v[0]), "=f"(f.v[1]), "=f"(f.v[2]), "=f"(f.v[3])
                     : "r"(shared_address(p))
                     : "memory");
        return f;
    }
    __device__ __forceinline__ static packet<double> load_now(const double* p) {
        packet<double> f;
        asm volatile("ld.shared.v2.f64 {%0,%1},[%2];"
                     : "=d"(f.v[0]), "=d"(f.v[1])
                     : "r"(shared_address(p))
                     : "memory");
        return f;
    }
    __device__ __forceinline__ static void store_if(bool yes, float* p, const packet<float>& f) {
        asm volatile(
            "{ .reg .pred yes; setp.ne.s32 yes,%5,0; @yes st.shared.v4.f32 [%0],{%1,%2,%3,%4}; }" ::"r"(
                shared_address(p)),
            "f"(f.v[0]), "f"(f.v[1]), "f"(f.v[2]), "f"(f.v[3]), "r"(static_cast<int>(yes))
            : "memory");
    }
    __device__ __forceinline__ static void store_if(bool yes, double* p, const packet<double>& f) {
        asm volatile("{ .reg .pred yes; setp.ne.s32 yes,%3,0; @yes st.shared.v2.f64 [%0],{%1,%2}; }" ::"r"(
                         shared_address(p)),
                     "d"(f.v[0]), "d"(f.v[1]), "r"(static_cast<int>(yes))
                     : "memory");
    }
    template <class R>
    __device__ __forceinline__ static packet<thrust::complex<R>> load_now(const thrust::complex<R>* p) {
        const packet<R> f = load_now(reinterpret_cast<const R*>(p));
        packet<thrust::complex<R>> out;
        parts(out) = f;
        return out;
    }
    template <class R>
    __device__ __forceinline__ static void store_if(bool yes, thrust::complex<R>* p,
                                                    const packet<thrust::complex<R>>& f) {
        store_if(yes, reinterpret_cast<R*>(p), parts(f));
    }
    /// The warp that has put the winning row forward, and its record. With few warps every thread compares
    /// all keys; of more, a lane looks at a warp's key, since a reduction costs less than the comparisons.
    /// Ties, and pivots whose reciprocal is not ordinary, take another way.
    __device__ __forceinline__ int decide(int c, const choice& mine, record<T>& best) {
        const int buffer = c & 1;
        int warp = 0;
        bits<T> most = 0;
        bool rare = false;
        if constexpr (Warps > compared_by_each) {
            const bits<T> key = sh_.keys[buffer][lane_ % Warps];
            most = largest_of_warp(key);
            const unsigned lanes = __ballot_sync(all_lanes, key == most) & ((1u << Warps) - 1);
            warp = __ffs(lanes) - 1;
            rare = (lanes & (lanes - 1)) != 0;
            best = get_record(buffer, warp);
        } else {
            compare(buffer, warp, most, rare);
            best = get_record(buffer, warp);
        }
        rare = static_cast<bool>(rare | !ordinary(most) | (best.its_place() < 0));
        if (__builtin_expect(rare, 0)) warp = decide_again(c, mine, most, best);
        return warp;
    }
    __device__ __forceinline__ void compare(int buffer, int& warp, bits<T>& most, bool& rare) const {
        bits<T> key[Warps];
        int from[Warps];
#pragma unroll
        for (int w = 0; w < Warps; ++w) {
            key[w] = sh_.keys[buffer][w];
            from[w] = w;
        }
#pragma unroll
        for (int step = 1; step < Warps; step *= 2)
#pragma unroll
            for (int w = 0; w + step < Warps; w += 2 * step) {
                const int o = w + step;
                const bool other = key[o] > key[w];
                rare = static_cast<bool>(rare | (key[o] == key[w]));
                key[w] = max(key[o], key[w]);
                from[w] = other ? from[o] : from[w];
            }
        warp = from[0];
        most = key[0];
    }
    /// All threads: of all rows of the block as large as `most` the one in the lowest place is put forward
    /// once more, in the place of warp 0's. Where the divisor has a scale, the elements below take it before
    /// they reach its rate. No row is left: a row of zeros, and no place.
    __device__ __forceinline__ int decide_again(int c, const choice& mine, bits<T> most, record<T>& best) {
        const int buffer = c & 1;
        unsigned lowest = INT_MAX;
#pragma unroll
        for (int r = 0; r < Rows; ++r)
            if (most != 0 && mine.key[r] == most) lowest = min(lowest, static_cast<unsigned>(place_[r]));
        lowest = ~cuda::largest_of_warp(~lowest);
        if (lane_ == 0) sh_.lowest[warp_] = static_cast<int>(lowest);
        __syncthreads();
        int place = INT_MAX;
#pragma unroll 1
        for (int w = 0; w < Warps; ++w) place = min(place, sh_.lowest[w]);
        if (most != 0) {
            bool chosen[Rows];
            bool any = false;
#pragma unroll
            for (int r = 0; r < Rows; ++r) {
                chosen[r] = place_[r] == place;
                any = any || chosen[r];
                put_row(buffer, c, 0, r, chosen[r]);
            }
            record<T> out;
            fill(out, c, chosen);
            out.v[out.next] = right_of(c, chosen);
            put_record(buffer, 0, out, any);
        }
        __syncthreads();
        best.v[best.rate] = best.v[best.next] = T(0);
        best.v[best.place] = as_number(T(0), place);
        if (most == 0) return Warps;
        best = get_record(buffer, 0);
        const divisor<T> by = divisor_of(best.v[best.pivot]);
        best.v[best.rate] = by.rate;
#pragma unroll
        for (int r = 0; r < Rows; ++r)
            if (mine.key[r] != 0 && place_[r] != place) a_[r][c] *= by.scale;
        return 0;
    }

    shared& sh_;
    int lane_, warp_, row_;
    T a_[Rows][width];
    int place_[Rows];  // of each row; gone: beyond the matrix
};

}  // namespace wale::lu::resident
