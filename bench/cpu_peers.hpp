// cpu_peers - what other packages and plain loops do on the CPU.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace wale::bench {

// LAPACK's tridiagonal solver, in a loop over systems under OpenMP, and the speed of memory.

/// Flat vectors: system s has elements [s n, s n + n); lower[s n] and upper[s n + n - 1] are not used.
template <class T>
struct flat_chains {
    T *lower, *diagonal, *upper, *x;  // x: right sides, then solutions
    std::int64_t size, count;
};

/// xGTSV (partial pivoting), which destroys all four. 0, or what LAPACK said last.
template <class T>
int gtsv_in_place(const flat_chains<T>& a, int threads);
/// The same with a copy of the matrix on the way, system by system: the matrix survives.
template <class T>
int gtsv_preserving(const flat_chains<T>& a, const T* rhs, int threads);
/// x = lower + diagonal + upper + b, stored past the caches: four reads and a write.
template <class T>
void stream_of_five(const flat_chains<T>& a, const T* b, int threads);

// Partial-pivoting LU as OpenBLAS and Eigen do it, in place, column-major.
template <class T>
struct lu_cpu_peer {
    std::string name;
    /// Factors the n x n matrix a with `threads` threads.
    std::function<void(T* a, int n, int threads)> factor;
};

template <class T>
[[nodiscard]] std::vector<lu_cpu_peer<T>> lu_cpu_peers();

}  // namespace wale::bench
