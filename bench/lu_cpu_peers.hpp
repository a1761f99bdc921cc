// lu_cpu_peers - partial-pivoting LU as OpenBLAS and Eigen do it, in place, column-major.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace wale::bench {

template <class T>
struct lu_cpu_peer {
    std::string name;
    /// Factors the n x n matrix a with `threads` threads.
    std::function<void(T* a, int n, int threads)> factor;
};

template <class T>
[[nodiscard]] std::vector<lu_cpu_peer<T>> lu_cpu_peers();

}  // namespace wale::bench
