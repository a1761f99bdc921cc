// warping - how far apart series of numbers are where time may be stretched: dynamic time warping of pairs
// and of each series with each, paths, and the soft minimum with its gradient. Background:
// src/solvers/wavefront/README.md.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>
#include <wale/execution.hpp>
#include <wale/report.hpp>
#include <wale/view.hpp>
#include <wale/wavefront.hpp>

namespace wale {

/// Series end to end: the points of series k are offsets[k] to offsets[k + 1]. A point has `dimensions`
/// numbers side by side.
template <class T>
struct series_batch {
    const T* data = nullptr;           // (points x dimensions)
    const index_t* offsets = nullptr;  // (count + 1), in points
    index_t count = 0;
    index_t dimensions = 1;
};

struct warping_options {
    std::string variant = "automatic";
    /// Of two points: the sum over their dimensions of absolute or of squared differences. No root is taken.
    dtw_cost cost = dtw_cost::absolute;
    /// -1: none; else Sakoe & Chiba's window: point i of m may meet point j of n where i - j is at most
    /// window + max(0, m - n) and j - i at most window + max(0, n - m), so that there always is a path.
    index_t window = -1;
    /// Above 0: soft-DTW (Cuturi & Blondel 2017), min(x) replaced by -gamma log(sum exp(-x / gamma)).
    double gamma = 0;  // at most 2^88 of float32, 2^984 of float64: sums stay within the type
};

struct warping_result {
    report run;
};

/// answers(q, t): the warping cost of query q and target t, the least sum of costs of points along a path
/// (Sakoe & Chiba 1978); infinite where the sum leaves the type. T is float or double. O(m n) time a pair,
/// with a window O((window + |m - n|) max(m, n)); memory linear in the longest pair for each thread. Every
/// variant gives the same bits for gamma 0. For gamma above 0 the error is at most p (8 u + 8 e) times the
/// larger of gamma and the largest absolute value in the table, to first order; p: cells on the longest path,
/// u: unit roundoff, e: the relative error of exp and log, 2 u on the host and at most 4 u on CUDA (a soft
/// minimum is a weighted mean of what it is made of, so that errors only add). Throws bad_argument for empty
/// series, NaN and Inf, descending offsets, and for another shape. On CUDA numbers, offsets and answers may
/// each be in host or in device memory; series have fewer than 2^30 points, and memory is linear in the
/// series and in the rows between strips.
template <class T>
warping_result warping_costs(const execution& where, const series_batch<T>& queries,
                             const series_batch<T>& targets, std::type_identity_t<matrix_view<T>> answers,
                             const warping_options& = {});
/// Each of `series` with each: half of the pairs are computed, the other half is its mirror image.
template <class T>
warping_result warping_costs(const execution& where, const series_batch<T>& series,
                             std::type_identity_t<matrix_view<T>> answers, const warping_options& = {});

template <class T>
struct warping_path_result {
    T cost = 0;
    std::vector<std::array<index_t, 2>> path;  // (point of a, point of b), from both first to both last
    report run;
};

/// A path of least cost for gamma 0; of equal ones the one that, seen from its end, steps in both series
/// first, else in a. `a` and `b` have `dimensions` numbers a point. Memory O(n sqrt(m)) beside the answer:
/// rows of the table are kept at distances, and the rows between two are computed again; a path takes two
/// bits a cell instead where these are at most 64 MB. On CUDA `a` and `b`
/// may be in host or in device memory; rows and columns of the table are kept there at distances, in at most
/// a quarter of the free memory, and the host computes again what the path crosses.
template <class T>
[[nodiscard]] warping_path_result<T> warping_path(const execution& where, std::span<const T> a,
                                                  std::span<const T> b, index_t dimensions = 1,
                                                  const warping_options& = {});

template <class T>
struct warping_gradient_result {
    T cost = 0;
    std::vector<T> gradient;  // (points of a x dimensions): of the cost by the numbers of a
    report run;
};

/// The gradient for gamma above 0 (Cuturi & Blondel 2017, algorithm 2), in the memory of warping_path. By an
/// absolute difference of 0 it is 0. CUDA has no variant: it needs every cell again, not those of a path.
template <class T>
[[nodiscard]] warping_gradient_result<T> warping_gradient(const execution& where, std::span<const T> a,
                                                          std::span<const T> b, index_t dimensions,
                                                          const warping_options&);

}  // namespace wale
