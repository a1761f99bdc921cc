// store - the factors of chains on the device. Vectors are interleaved (neighbouring systems in neighbouring
// words) where all have one size, else one after the other.
#pragma once

#include "solvers/tree/cuda/places.cuh"
#include "solvers/tree/cuda/status.cuh"
#include "solvers/tree/elimination/folded.hpp"

namespace wale::tree::thomas {

/// By value. P A = L U of each chain; of a periodic one without its last unknown, which is bordered:
/// elimination.hpp; but of a periodic one with pivoting nothing but `folded`.
template <class T>
struct factor_store {
    T *inverse, *right;          // of U: 1 / diagonal, first superdiagonal
    T* beyond;                   // second superdiagonal; null without pivoting
    T* multiplier;               // of L
    unsigned char* exchanged;    // rows i and i + 1 changed places; null without pivoting
    T* column;                   // z = A'^-1 c; null unless periodic
    T *corner, *first, *before;  // [systems] of the last row: 1 / (d - r z), r; null unless periodic
    T* folded;                   // folded.hpp; null unless periodic with pivoting
    index_t* starts;             // ragged; else null
    index_t size, systems;
    [[nodiscard]] WALE_HD folded_factors<T> ring(index_t s) const {
        return {folded + begin_of(s) * (starts != nullptr ? folded_factors<T>::words : 1), size_of(s),
                step()};
    }
    [[nodiscard]] WALE_HD index_t size_of(index_t s) const {
        return starts != nullptr ? starts[s + 1] - starts[s] : size;
    }
    /// Rows that are factored.
    [[nodiscard]] WALE_HD index_t open_size_of(index_t s) const {
        return column != nullptr ? size_of(s) - 1 : size_of(s);
    }
    [[nodiscard]] WALE_HD index_t begin_of(index_t s) const { return starts != nullptr ? starts[s] : s; }
    [[nodiscard]] WALE_HD index_t step() const { return starts != nullptr ? 1 : systems; }
};

/// Lays a store out in memory: call once without memory for the bytes.
template <class T>
[[nodiscard]] factor_store<T> lay_out(const vector_shape& s, bool pivoted, bool periodic, void* memory,
                                      index_t* bytes) {
    index_t used = 0;
    const auto take = [&]<class V>(V*, index_t count) {
        constexpr index_t line = 256;  // bytes: every array begins where a warp's first access is aligned
        V* const at = reinterpret_cast<V*>(static_cast<unsigned char*>(memory) + used);
        used += (count * index_t{sizeof(V)} + line - 1) / line * line;
        return at;
    };
    T* const of_type = nullptr;
    const index_t all = s.elements();
    factor_store<T> f{};
    f.size = s.size;
    f.systems = s.count;
    if (pivoted && periodic) {
        f.folded = take(of_type, all * folded_factors<T>::words);
        if (s.ragged()) f.starts = take(static_cast<index_t*>(nullptr), s.count + 1);
        *bytes = used;
        return f;
    }
    f.inverse = take(of_type, all);
    f.right = take(of_type, all);
    f.multiplier = take(of_type, all);
    if (pivoted) {
        f.beyond = take(of_type, all);
        f.exchanged = take(static_cast<unsigned char*>(nullptr), all);
    }
    if (periodic) {
        f.column = take(of_type, all);
        f.corner = take(of_type, s.count);
        f.first = take(of_type, s.count);
        f.before = take(of_type, s.count);
    }
    if (s.ragged()) f.starts = take(static_cast<index_t*>(nullptr), s.count + 1);
    *bytes = used;
    return f;
}

/// Queues the factorisation: a thread a system.
template <class T>
void factor_into(const cuda::context& here, const factor_store<T>& f, const device_chains<T>& a,
                 const device_status& bad);
/// Queues A x = b, or A^T x = b: a thread a right side.
template <class T>
void solve_with(const cuda::context& here, const factor_store<T>& f, const device_sides<T>& b,
                bool transposed);

}  // namespace wale::tree::thomas
