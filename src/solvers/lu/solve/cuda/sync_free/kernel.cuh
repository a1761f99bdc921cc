// kernel - both triangles of one system or several in one launch, without a launch or a barrier of the grid
// between blocks of rows ("synchronization-free": Liu, Li, Hogg, Duff and Vinter 2016).
#pragma once

#include <cstring>

#include "cuda/complex.cuh"
#include "cuda/wait.cuh"
#include "solvers/lu/problem.hpp"
#include "solvers/lu/solve/cuda/sync_free/tuning.hpp"

namespace wale::lu::sync_free {

inline constexpr int groups = threads / rows;
inline constexpr int depth = rows / groups;  // elements of a tile that a thread has
inline constexpr int pitch = rows + 1;       // of tiles in shared memory: no bank conflicts
inline constexpr int least_inverse = 8;      // rows of a triangle that is inverted by substitution
inline constexpr int lanes = 32;
inline constexpr std::uint32_t here = 1;  // the epoch of words that have arrived

template <class T>
inline constexpr int words_of = static_cast<int>(sizeof(T) / sizeof(std::uint32_t));

/// `count` systems of one shape, by value. The words are 0 when the kernel starts.
template <class T>
struct solve_call {
    strided<const T> a;  // op(A) = A or A^T
    strided<T> b;
    index_t a_stride, b_stride;  // elements, to the next system
    const std::int32_t* pivots;  // [count][n]; null: P = I
    int n, sides;
    index_t strips, count;  // strips of right-hand sides, systems
    bool transposed, conjugated;
    std::uint64_t* words;  // [count][strips][2 triangles][Sides][n][words_of]: solutions
    std::uint32_t* next;   // the next ticket
    std::uint32_t* failed;
    [[nodiscard]] WALE_HD index_t blocks() const { return (index_t{n} + rows - 1) / rows; }
    [[nodiscard]] WALE_HD index_t tickets() const { return 2 * blocks() * strips * count; }
};

template <class T, int Sides>
struct workplace {
    T triangle[rows][pitch];  // the diagonal tile; above its diagonal, and later anywhere, what is on the way
    T inverse[rows][pitch];
    T arrived[2][Sides][rows];  // solutions of one block of rows, in turn
    T partial[groups][Sides][rows];
    T right[Sides][rows];
    int from[rows];  // by row of P A: the row of A
    unsigned ticket;
};

template <class T>
__device__ void publish(std::uint64_t* to, const T& value) {
    std::uint32_t part[words_of<T>];
    memcpy(part, &value, sizeof value);
#pragma unroll
    for (int w = 0; w < words_of<T>; ++w) cuda::tagged_word::store(to + w, here, part[w]);
}

template <class T>
__device__ T receive(const std::uint64_t* from, std::uint32_t* failed) {
    std::uint32_t part[words_of<T>];
    const auto arrived = [&] {
        bool all = true;
#pragma unroll
        for (int w = 0; w < words_of<T>; ++w) {
            const std::uint64_t word = cuda::tagged_word::load(from + w);
            all = all && cuda::tagged_word::is_of(word, here);
            part[w] = cuda::tagged_word::value(word);
        }
        return all;
    };
    (void)cuda::wait_until(arrived, schedule::shared_bound<cuda::thread_sync>{failed});
    T value;
    memcpy(static_cast<void*>(&value), part, sizeof value);
    return value;
}

/// Where the row comes from that the exchanges bring to place `row`: backwards through the exchanges, which
/// move nothing to a place above their own. A whole warp.
__device__ inline int row_before(const std::int32_t* pivots, int row) {
    constexpr int at_once = 4;
    const int lane = static_cast<int>(threadIdx.x) % lanes;
    int at = pivots[row];
    for (int top = row; top > 0;) {
        bool any = false;
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
            const int k = top - 1 - lane - i * lanes;
            any = any || (k >= 0 && pivots[k] == at);
        }
        if (__ballot_sync(cuda::whole_warp, any) == 0) {
            top -= at_once * lanes;
            continue;
        }
        const int k = top - 1 - lane;
        const unsigned hits = __ballot_sync(cuda::whole_warp, k >= 0 && pivots[k] == at);
        if (hits == 0) {
            top -= lanes;
            continue;
        }
        top -= __ffs(static_cast<int>(hits));
        at = top;
    }
    return at;
}

/// One block of rows of one triangle, by a block of threads. The second triangle is upper; with rows and
/// columns counted from the end it is lower as well.
template <class T, int Sides, bool ByRow>
class block_of_rows {
public:
    __device__ block_of_rows(const solve_call<T>& call, workplace<T, Sides>& shared, index_t ticket)
        : call_(call), shared_(shared), thread_(static_cast<int>(threadIdx.x)) {
        const index_t systems = call.count * call.strips;
        const index_t system = ticket % systems, matrix = system / call.strips;
        const index_t step = ticket / systems;
        second_ = step >= call.blocks();
        first_row_ = static_cast<int>(second_ ? step - call.blocks() : step) * rows;
        first_side_ = static_cast<int>(system % call.strips) * Sides;
        unit_ = second_ == call.transposed;
        a_ = call.a.from(0, 0);
        a_.data += matrix * call.a_stride;
        if (second_) {
            const index_t last = call.n - 1;
            a_ = {a_.data + last * (a_.row_step + a_.column_step), -a_.row_step, -a_.column_step};
        }
        b_ = call.b;
        b_.data += matrix * call.b_stride;
        pivots_ = call.pivots ? call.pivots + matrix * call.n : nullptr;
        const index_t vector = index_t{Sides} * call.n * words_of<T>;
        solved_ = call.words + system * 2 * vector;
        own_ = solved_ + (second_ ? vector : 0);
    }

    __device__ void run() {
        const int row = thread_ % rows, side = thread_ / rows;
        const bool mine = side < Sides && first_side_ + side < call_.sides && first_row_ + row < call_.n;
        T ahead[depth];
        if (first_row_ > 0) load(ahead, 0);
        const bool exchanged = pivots_ != nullptr && second_ == call_.transposed;
        if (exchanged) follow_exchanges();
        invert();
        const int place = exchanged && mine ? shared_.from[row] : number(first_row_ + row);
        T right = T(0);
        if (mine && second_)
            right = receive<T>(word(solved_, side, number(first_row_ + row)), call_.failed);
        else if (mine)
            right = b_(place, first_side_ + side);
        T sum[Sides][width] = {};
        int turn = 0;
        for (int column = 0; column < first_row_; column += rows, turn ^= 1) {
            T tile[depth];
#pragma unroll
            for (int k = 0; k < depth; ++k) tile[k] = ahead[k];
            if (column + rows < first_row_) load(ahead, column + rows);
            if (side < Sides)
                shared_.arrived[turn][side][row] =
                    first_side_ + side < call_.sides
                        ? receive<T>(word(own_, side, number(column + row)), call_.failed)
                        : T(0);
            __syncthreads();
            subtract(sum, tile, shared_.arrived[turn]);
        }
        gather(sum);
        if (side < Sides) shared_.right[side][row] = right + total(side, row);
        __syncthreads();
        multiply_inverse();
        __syncthreads();
        if (!mine) return;
        const T x = total(side, row);
        publish(word(own_, side, number(first_row_ + row)), x);
        if (second_) b_(place, first_side_ + side) = x;
    }

private:
    /// Sums of a thread: one for each of its rows, or two in turn for its one row.
    static constexpr int width = ByRow ? depth : 2;

    /// Row of the system of a row in the order of this triangle.
    [[nodiscard]] __device__ int number(int row) const {
        return second_ ? call_.n - 1 - row : row;
    }
    [[nodiscard]] __device__ std::uint64_t* word(std::uint64_t* of, int side, int row) const {
        return of + (index_t{side} * call_.n + row) * words_of<T>;
    }
    [[nodiscard]] __device__ T element(const T* at) const {
        if constexpr (is_complex_type<T>)
            if (call_.conjugated) return T(at->real(), -at->imag());
        return *at;
    }
    /// The thread's elements of the tile from a column on: neighbouring threads have neighbours in memory.
    __device__ void load(T (&tile)[depth], int column) const {
        const int across = thread_ % rows, down = thread_ / rows * depth;
        const int r = ByRow ? down : across, c = ByRow ? across : down;
        const int there = call_.n - first_row_ - r;  // rows from r on that are there
        const T* at = a_.data + (first_row_ + r) * a_.row_step + (column + c) * a_.column_step;
        const index_t step = ByRow ? a_.row_step : a_.column_step;
#pragma unroll
        for (int k = 0; k < depth; ++k) tile[k] = (ByRow ? k : 0) < there ? element(at + k * step) : T(0);
    }
    __device__ void subtract(T (&sum)[Sides][width], const T (&tile)[depth],
                             const T (&x)[Sides][rows]) const {
        const int across = thread_ % rows, down = thread_ / rows * depth;
#pragma unroll
        for (int s = 0; s < Sides; ++s)
#pragma unroll
            for (int k = 0; k < depth; ++k)
                sum[s][k % width] =
                    cuda::less_product(sum[s][k % width], tile[k], x[s][ByRow ? across : down + k]);
    }
    /// The sums of the threads of a row, group by group, to shared memory.
    __device__ void gather(const T (&sum)[Sides][width]) {
        const int across = thread_ % rows, group = thread_ / rows;
        if constexpr (ByRow) {
            for (int s = 0; s < Sides; ++s) {
                __syncthreads();
#pragma unroll
                for (int k = 0; k < depth; ++k) shared_.triangle[group * depth + k][across] = sum[s][k];
                __syncthreads();
                T all = T(0);
#pragma unroll
                for (int k = 0; k < depth; ++k) all += shared_.triangle[across][group * depth + k];
                shared_.partial[group][s][across] = all;
            }
        } else {
#pragma unroll
            for (int s = 0; s < Sides; ++s) shared_.partial[group][s][across] = sum[s][0] + sum[s][1];
        }
        __syncthreads();
    }
    [[nodiscard]] __device__ T total(int side, int row) const {
        T all = T(0);
#pragma unroll
        for (int g = 0; g < groups; ++g) all += shared_.partial[g][side][row];
        return all;
    }
    /// What lies above the diagonal takes no part: 0 times infinity would be NaN.
    __device__ void multiply_inverse() {
        const int row = thread_ % rows, group = thread_ / rows;
#pragma unroll
        for (int s = 0; s < Sides; ++s) {
            T all = T(0);
#pragma unroll
            for (int k = 0; k < depth; ++k) {
                const int c = group * depth + k;
                if (c <= row) all = cuda::less_product(all, -shared_.inverse[row][c], shared_.right[s][c]);
            }
            shared_.partial[group][s][row] = all;
        }
    }
    __device__ void follow_exchanges() {
        for (int i = thread_ / lanes; i < rows; i += threads / lanes) {
            const int row = first_row_ + i;
            if (row >= call_.n) break;
            const int from = row_before(pivots_, number(row));
            if (thread_ % lanes == 0) shared_.from[i] = from;
        }
    }
    /// The inverse of [A 0; C B] is [A^-1 0; -B^-1 C A^-1 B^-1]: from 8 rows on by products.
    __device__ void invert() {
        for (int e = thread_; e < rows * rows; e += threads) {
            const int r = ByRow ? e / rows : e % rows, c = ByRow ? e % rows : e / rows;
            T value = r == c ? T(1) : T(0);
            if (first_row_ + r < call_.n && (c < r || (c == r && !unit_)))
                value = element(a_.data + (first_row_ + r) * a_.row_step + (first_row_ + c) * a_.column_step);
            shared_.triangle[r][c] = value;
            shared_.inverse[r][c] = T(0);
        }
        __syncthreads();
        if (thread_ < rows) shared_.right[0][thread_] = T(1) / shared_.triangle[thread_][thread_];
        __syncthreads();
        if (thread_ < rows) substitute(thread_ / least_inverse * least_inverse, thread_ % least_inverse);
        __syncthreads();
        double_inverses<least_inverse>();
    }
    /// Column c of the inverse of the small triangle from `first` on.
    __device__ void substitute(int first, int c) {
        T x[least_inverse];
#pragma unroll
        for (int i = 0; i < least_inverse; ++i) x[i] = i == c ? T(1) : T(0);
#pragma unroll
        for (int k = 0; k < least_inverse; ++k) {
            if (k < c) continue;
            x[k] *= shared_.right[0][first + k];
#pragma unroll
            for (int i = k + 1; i < least_inverse; ++i)
                x[i] = cuda::less_product(x[i], shared_.triangle[first + i][first + k], x[k]);
        }
#pragma unroll
        for (int i = 0; i < least_inverse; ++i)
            if (i >= c) shared_.inverse[first + i][first + c] = x[i];
    }
    template <int Half>
    __device__ void double_inverses() {
        constexpr int elements = rows / 2 * Half;
        for (int e = thread_; e < elements; e += threads) {  // -C A^-1, kept above the diagonal
            const int first = e / (Half * Half) * 2 * Half, r = e / Half % Half, c = e % Half;
            T sum = T(0);
#pragma unroll 4
            for (int t = c; t < Half; ++t)
                sum = cuda::less_product(sum, shared_.triangle[first + Half + r][first + t],
                                         shared_.inverse[first + t][first + c]);
            shared_.triangle[first + r][first + Half + c] = sum;
        }
        __syncthreads();
        for (int e = thread_; e < elements; e += threads) {
            const int first = e / (Half * Half) * 2 * Half, r = e / Half % Half, c = e % Half;
            T sum = T(0);
#pragma unroll 4
            for (int t = 0; t <= r; ++t)
                sum = cuda::less_product(sum, -shared_.inverse[first + Half + r][first + Half + t],
                                         shared_.triangle[first + t][first + Half + c]);
            shared_.inverse[first + Half + r][first + c] = sum;
        }
        __syncthreads();
        if constexpr (2 * Half < rows) double_inverses<2 * Half>();
    }

    const solve_call<T>& call_;
    workplace<T, Sides>& shared_;
    strided<const T> a_;
    strided<T> b_;
    const std::int32_t* pivots_;
    std::uint64_t *solved_, *own_;  // of the first triangle, of this one
    int thread_, first_row_, first_side_;
    bool second_, unit_;
};

/// Who does what: a block of threads takes a ticket, and with the ticket a block of rows of one triangle; the
/// blocks of rows of a system have tickets in the order of the substitution. The block inverts the diagonal
/// tile, then takes the solutions of the rows before as the solutions arrive, each tile loaded before.
/// What it waits for: the solutions of blocks of rows with lower tickets, of the same system.
/// Why it cannot deadlock: a ticket is taken by a block that runs, and of all tickets that are not finished
/// the lowest waits for nothing that is not there; waits are bounded all the same.
/// Why this memory order: a solution is sent in words that each bring 32 bits and the flag, so relaxed loads
/// and stores are enough. B is written by the second triangle in place of what the first triangle has read:
/// each solution of the second triangle is computed from those of the first, which were computed from all of
/// the right-hand side.
template <class T, int Sides, bool ByRow>
__global__ void __launch_bounds__(threads) solve_sync_free(const __grid_constant__ solve_call<T> call) {
    extern __shared__ __align__(16) unsigned char memory[];
    auto& shared = *reinterpret_cast<workplace<T, Sides>*>(memory);
    for (;;) {
        if (threadIdx.x == 0) shared.ticket = atomicAdd(call.next, 1u);
        __syncthreads();
        const index_t ticket = shared.ticket;
        if (ticket >= call.tickets()) return;
        block_of_rows<T, Sides, ByRow>(call, shared, ticket).run();
        __syncthreads();  // before the next ticket is written
    }
}

}  // namespace wale::lu::sync_free
