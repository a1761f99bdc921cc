// thomas - a thread a system, down and up again (the method of cuThomasBatch: Valero-Lara et al. 2017). The
// rows of U go through memory: 9 words an unknown, 11 with pivoting; of short systems they stay in registers:
// 5 words. Systems that are periodic or have several right sides are factored first, then it is a thread a
// right side.
#include <algorithm>
#include <optional>

#include "cuda/brief_timer.cuh"
#include "solvers/tree/elimination/cuda/store.cuh"
#include "solvers/tree/elimination/cuda/sweeps.cuh"
#include "solvers/tree/elimination/cuda/tuning.hpp"
#include "solvers/tree/jobs.hpp"
#include "tuning/override.hpp"

namespace wale::tree {
namespace thomas {
namespace {

/// Where U / diagonal is kept between the two passes. In memory of the call's own: interleaved, or as the
/// vectors lie where their sizes differ. Or in the matrix, each element where one lay that is not needed any
/// more: right[i] where up(i) lay, beyond[i] at diagonal[i].
template <class T>
struct kept_rows {
    T *right, *beyond;  // beyond null without pivoting
    places at;
    [[nodiscard]] __device__ line<T> of(T* array, index_t system) const {
        return {array + at.begin_of(system), at.step()};
    }
};

template <int Rows, bool Pivoted, class T>
__device__ void solve_one(const bands<T>& a, const line<const T>& b, const line<T>& x, const line<T>& right,
                          const line<T>& beyond, index_t system, const device_status& bad) {
    const index_t n = a.size;
    open_row<T> row{a.middle(0), n > 1 ? a.up(0) : T(0)};
    T y = b[0];
    upwards<Rows>(0, n - 1, [&]<int Count>(index_t i) {
        T low[Count], middle[Count], up[Count], next[Count];
#pragma unroll
        for (int k = 0; k < Count; ++k) {
            low[k] = a.low(i + k + 1);
            middle[k] = a.middle(i + k + 1);
            up[k] = a.up(i + k + 1);
            next[k] = b[i + k + 1];
        }
#pragma unroll
        for (int k = 0; k < Count; ++k) {
            const auto s = row.template eliminate<Pivoted>(low[k], middle[k], up[k]);
            if (is_bad(s.pivot)) bad.note(system, i + k);
            const T left = follow(s, y, next[k]);
            x[i + k] = y * s.inverse;
            right[i + k] = s.right * s.inverse;
            if (Pivoted) beyond[i + k] = s.beyond * s.inverse;
            y = left;
        }
    });
    if (is_bad(row.pivot)) bad.note(system, n - 1);
    T after = y / row.pivot, second = T(0);  // x[i + 1], x[i + 2]
    x[n - 1] = after;
    downwards<Rows>(0, n - 1, [&]<int Count>(index_t i) {
        T own[Count], one[Count], two[Count];
#pragma unroll
        for (int k = 0; k < Count; ++k) {
            own[k] = x[i + k];
            one[k] = right[i + k];
            two[k] = Pivoted ? beyond[i + k] : T(0);
        }
#pragma unroll
        for (int k = Count - 1; k >= 0; --k) {
            T sum = less_product(own[k], one[k], after);
            if (Pivoted) sum = less_product(sum, two[k], second);
            second = after;
            x[i + k] = after = sum;
        }
    });
}

template <class T, int Row, bool Pivoted>
__global__ void solve_systems(const __grid_constant__ device_chains<T> all,
                              const __grid_constant__ device_sides<T> sides,
                              const __grid_constant__ kept_rows<T> kept, device_status bad) {
    constexpr thomas_policy p = thomas_policies[Row].policy;
    const index_t system = index_t{blockIdx.x} * p.block + threadIdx.x;
    if (system >= all.at.count || all.at.size_of(system) == 0) return;
    solve_one<p.rows, Pivoted>(all[system], sides.right_side(system), sides.answer(system),
                               kept.of(kept.right, system), kept.of(kept.beyond, system), system, bad);
}

/// Where the vectors of a short system lie: one formula without branches for every layout of equal sizes.
struct short_places {
    unsigned width;  // of a block of vectors; of layouts without blocks more than there are
    index_t block, across, step;
    explicit short_places(const vector_shape& s)
        : width(most_short), block(0), across(s.begin_of(1)), step(s.step()) {
        if (s.layout != vector_layout::block_interleaved || s.width > most_short) return;
        width = static_cast<unsigned>(s.width);
        block = s.width * s.size;
        across = 1;
    }
    [[nodiscard]] __device__ index_t begin_of(unsigned v) const {
        return v / width * block + v % width * across;
    }
    static constexpr unsigned most_short = 1u << 31;
};

/// Short systems, by value; transposed ones as they are meant.
template <class T>
struct short_chains {
    const T *lower, *diagonal, *upper, *rhs;
    T* solution;
    short_places matrix, sides;
    unsigned count;
};

/// One system of Size rows: all of them are loaded before the first is used, and U stays in registers. The
/// code is short, since a call with few systems takes as long as its code takes to come.
template <int Size, bool Pivoted, class T>
__device__ void solve_held(T (&low)[Size], T (&middle)[Size], T (&up)[Size], T (&own)[Size], T* x,
                           index_t step, index_t system, const device_status& bad) {
    T beyond[Size];
    int bad_row = -1;
    open_row<T> row{middle[0], up[0]};
    T y = own[0];
#pragma unroll
    for (int i = 0; i + 1 < Size; ++i) {
        const auto s = row.template eliminate<Pivoted>(low[i + 1], middle[i + 1], up[i + 1]);
        if (bad_row < 0 && is_bad(s.pivot)) bad_row = i;
        const T left = follow(s, y, own[i + 1]);
        own[i] = y * s.inverse;
        up[i] = s.right * s.inverse;
        if (Pivoted) beyond[i] = s.beyond * s.inverse;
        y = left;
    }
    if (bad_row < 0 && is_bad(row.pivot)) bad_row = Size - 1;
    T after = y / row.pivot, second = T(0);  // x[i + 1], x[i + 2]
    x[(Size - 1) * step] = after;
#pragma unroll
    for (int i = Size - 2; i >= 0; --i) {
        T sum = less_product(own[i], up[i], after);
        if (Pivoted) sum = less_product(sum, beyond[i], second);
        second = after;
        x[i * step] = after = sum;
    }
    if (bad_row >= 0) bad.note(system, bad_row);
}

template <class T, int Size, bool Pivoted>
__global__ void __launch_bounds__(held_threads)
    solve_short(const __grid_constant__ short_chains<T> all, device_status bad) {
    const unsigned system = blockIdx.x * held_threads + threadIdx.x;
    if (system >= all.count) return;
    const index_t first = all.matrix.begin_of(system), step = all.matrix.step;
    const index_t begin = all.sides.begin_of(system), along = all.sides.step;
    T low[Size], middle[Size], up[Size], own[Size];
#pragma unroll
    for (int i = 0; i < Size; ++i) {
        low[i] = i > 0 ? all.lower[first + i * step] : T(0);
        middle[i] = all.diagonal[first + i * step];
        up[i] = i + 1 < Size ? all.upper[first + i * step] : T(0);
        own[i] = all.rhs[begin + i * along];
    }
    solve_held<Size, Pivoted>(low, middle, up, own, all.solution + begin, along, system, bad);
}

/// U may take the place of the matrix: the caller allows it, and no two diagonals share memory.
bool keeps_in_place(const chain_job& job) {
    const auto apart = [&](const const_vectors& v, const const_vectors& w) {
        const auto *p = static_cast<const char*>(v.data), *q = static_cast<const char*>(w.data);
        const index_t bytes = v.span_elements() * bytes_of(v.type);
        return p + bytes <= q || q + bytes <= p;
    };
    const chain_matrix& a = job.a;
    return job.overwrite && apart(a.lower, a.diagonal) && apart(a.upper, a.diagonal) &&
           apart(a.lower, a.upper);
}

bool factors_first(const chain_job& job) {
    return job.a.periodic || job.right_sides() != 1;
}
bool is_held(const chain_job& job) {
    const vector_shape& shape = job.a.shape();
    return !factors_first(job) && !shape.ragged() && !job.rhs.ragged() &&
           shape.size <= held_rows(static_cast<int>(bytes_of(shape.type))) &&
           shape.count < short_places::most_short;
}

template <class T>
index_t bytes_to_take(const chain_job& job) {
    const vector_shape& shape = job.a.shape();
    const bool pivoted = job.pivoting == pivoting::partial;
    index_t bytes = 0;
    if (factors_first(job))
        (void)lay_out<T>(shape, pivoted, job.a.periodic, nullptr, &bytes);
    else if (!is_held(job) && !keeps_in_place(job))
        bytes = (pivoted ? 2 : 1) * shape.elements() * index_t{sizeof(T)};
    return bytes;
}

template <class T>
kept_rows<T> rows_in(const chain_job& job, void* workspace_memory, const index_t* starts) {
    const vector_shape& shape = job.a.shape();
    const bool pivoted = job.pivoting == pivoting::partial;
    if (keeps_in_place(job)) {
        const auto writable = [](const const_vectors& v) {
            return static_cast<T*>(const_cast<void*>(v.data));
        };
        const places at = places_of(shape, starts);
        T* const right = job.a.transposed ? writable(job.a.lower) + at.step() : writable(job.a.upper);
        return {right, writable(job.a.diagonal), at};
    }
    vector_shape own =
        shape.ragged() ? shape : vector_shape::interleaved(shape.type, shape.size, shape.count);
    T* const first = static_cast<T*>(workspace_memory);
    return {first, pivoted ? first + shape.elements() : first, places_of(own, starts)};
}

template <class T>
void queue_factored(const cuda::context& here, const chain_job& job, void* workspace_memory,
                    const index_t* starts, const device_sides<T>& sides, const device_status& bad) {
    index_t bytes = 0;
    factor_store<T> f = lay_out<T>(job.a.shape(), job.pivoting == pivoting::partial, job.a.periodic,
                                   workspace_memory, &bytes);
    if (job.a.shape().ragged()) f.starts = const_cast<index_t*>(starts);
    factor_into<T>(here, f, chains_on_device<T>(job.a, starts), bad);
    solve_with<T>(here, f, sides, false);
}

template <class T>
void queue_fused(const cuda::context& here, const chain_job& job, const kept_rows<T>& kept,
                 const device_chains<T>& a, const device_sides<T>& sides, const device_status& bad) {
    const auto row = tuning::choose("tree/chains/thomas", thomas_policies, here.sm(), sizeof(T));
    tuning::with_row<thomas_policies, sizeof(T)>(row, [&]<int Row>() {
        constexpr int block = thomas_policies[Row].policy.block;
        const auto blocks = static_cast<unsigned>((a.at.count + block - 1) / block);
        if (job.pivoting == pivoting::partial)
            solve_systems<T, Row, true><<<blocks, block, 0, here.stream()>>>(a, sides, kept, bad);
        else
            solve_systems<T, Row, false><<<blocks, block, 0, here.stream()>>>(a, sides, kept, bad);
    });
    cuda::check_launch();
}

template <class T>
short_chains<T> short_chains_of(const chain_job& job) {
    const auto data = [](const const_vectors& v) { return static_cast<const T*>(v.data); };
    const chain_matrix& a = job.a;
    const index_t step = a.shape().step();
    return {a.transposed ? data(a.upper) - step : data(a.lower),
            data(a.diagonal),
            a.transposed ? data(a.lower) + step : data(a.upper),
            static_cast<const T*>(job.rhs.data),
            static_cast<T*>(job.solution.data),
            short_places(a.shape()),
            short_places(job.rhs),
            static_cast<unsigned>(a.systems())};
}

template <int Size, class T>
void queue_short(const cuda::context& here, const chain_job& job, const device_status& bad) {
    if constexpr (Size < held_rows(sizeof(T)))
        if (job.a.shape().size > Size) return queue_short<Size + 1, T>(here, job, bad);
    const auto blocks = static_cast<unsigned>((job.a.systems() + held_threads - 1) / held_threads);
    const short_chains<T> all = short_chains_of<T>(job);
    if (job.pivoting == pivoting::partial)
        solve_short<T, Size, true><<<blocks, held_threads, 0, here.stream()>>>(all, bad);
    else
        solve_short<T, Size, false><<<blocks, held_threads, 0, here.stream()>>>(all, bad);
    cuda::check_launch();
}

template <class T>
void solve(chain_job& job) {
    const cuda::context here(job.where);
    const sent_to_device<index_t> starts(here, job.a.shape().starts), side_starts(here, job.rhs.starts);
    const cuda::scratch<unsigned char> workspace_memory(here, bytes_to_take<T>(job));
    const status_of_call status(here, job.status, job.a.systems(), job.asynchronous);
    const device_sides<T> sides{static_cast<const T*>(job.rhs.data), static_cast<T*>(job.solution.data),
                                places_of(job.rhs, side_starts.data()), job.right_sides()};
    std::optional<cuda::brief_timer> timer;
    if (!job.asynchronous) timer.emplace(here);
    if (factors_first(job))
        queue_factored<T>(here, job, workspace_memory.data(), starts.data(), sides, status.on_device());
    else if (is_held(job)) {
        if (job.a.shape().size > 0) queue_short<1, T>(here, job, status.on_device());
    } else
        queue_fused<T>(here, job, rows_in<T>(job, workspace_memory.data(), starts.data()),
                       chains_on_device<T>(job.a, starts.data()), sides, status.on_device());
    job.result->run.iterations = factors_first(job) ? 2 : 1;
    job.matrix_spent = !factors_first(job) && !is_held(job) && keeps_in_place(job);
    if (!timer) return;
    job.result->run.compute_seconds = timer->stop(status.words());
    status.report(*job.result);
}

}  // namespace
}  // namespace thomas

namespace {

void solve_thomas(chain_job& job) {
    cuda::with_device_type(job.a.type(), [&](auto zero) {
        using T = decltype(zero);
        if (job.workspace)
            *job.workspace = thomas::bytes_to_take<T>(job);
        else if (job.a.systems() > 0)
            thomas::solve<T>(job);
    });
}

}  // namespace

extern constinit const catalogue::row<chain_job> chains_cuda_thomas{
    "cuda/thomas", "a thread a system, down and up again: any layout, periodic, pivoted, many right sides",
    solve_thomas,  nullptr,
    nullptr,       true};

}  // namespace wale::tree
