// blocked - as the blocked form of Rodinia's lud with OpenMP: for each block of the diagonal its own factors,
// then the blocks right of it and below it (the perimeter), then all blocks behind (the internal ones); any
// size, the last block smaller.
#include <string>

#include "cpu/barrier.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/lu/factor/shared/ladder.hpp"
#include "solvers/lu/factor/shared/refusals.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

/// A block of a matrix in which the second index is contiguous; a column-major matrix is worked on as its
/// transpose, where L and U change places.
template <class T>
struct tile {
    T* data;
    index_t pitch;
    index_t rows, columns;
    T* line(index_t i) const { return data + i * pitch; }
};

/// C -= A B, a row of C at a time, in vectors as the compiler makes them.
template <class T>
void internal(const tile<T>& a, const tile<T>& b, const tile<T>& c) {
    for (index_t i = 0; i < c.rows; ++i) {
        T* const __restrict to = c.line(i);
        for (index_t p = 0; p < b.rows; ++p) {
            const T l = a.line(i)[p];
            const T* const __restrict from = b.line(p);
            for (index_t j = 0; j < c.columns; ++j) to[j] -= l * from[j];
        }
    }
}

/// One step in a diagonal block. Whether the multipliers, that is L, run along the lines or across them is
/// the storage order's choice.
template <class T>
void eliminate_in(const tile<T>& d, index_t p, bool along) {
    const T pivot = d.line(p)[p];
    for (index_t j = p + 1; along && j < d.columns; ++j) d.line(p)[j] = multiplier(d.line(p)[j], pivot);
    for (index_t i = p + 1; i < d.rows; ++i) {
        T* const to = d.line(i);
        if (!along) to[p] = multiplier(to[p], pivot);
        for (index_t j = p + 1; j < d.columns; ++j) to[j] -= to[p] * d.line(p)[j];
    }
}

/// Lines behind the diagonal block; `divides`: they hold L.
template <class T>
void perimeter_below(const tile<T>& d, const tile<T>& c, bool divides) {
    for (index_t i = 0; i < c.rows; ++i) {
        T* const to = c.line(i);
        for (index_t p = 0; p < c.columns; ++p) {
            if (divides) to[p] = multiplier(to[p], d.line(p)[p]);
            for (index_t j = p + 1; j < c.columns; ++j) to[j] -= to[p] * d.line(p)[j];
        }
    }
}

/// The block's own lines, beside the diagonal block; `divides`: they hold L.
template <class T>
void perimeter_beside(const tile<T>& d, const tile<T>& c, bool divides) {
    for (index_t p = 0; p < c.rows; ++p) {
        T* const own = c.line(p);
        for (index_t j = 0; divides && j < c.columns; ++j) own[j] = multiplier(own[j], d.line(p)[p]);
        for (index_t i = p + 1; i < c.rows; ++i)
            for (index_t j = 0; j < c.columns; ++j) c.line(i)[j] -= d.line(i)[p] * own[j];
    }
}

/// One matrix. All threads take the same steps and pass a barrier after each kernel; a block is one thread's.
template <class T>
class blocked {
public:
    blocked(const factor_job& job, index_t number, index_t block)
        : m_(job.a[number]),
          block_(block),
          steps_((m_.diagonal() + block - 1) / block),
          smallest_(job.smallest_pivot ? static_cast<T>(job.smallest_pivot[number]) : T(0)) {}

    /// Returns the number of pivots that were moved.
    index_t run(int threads) {
        cpu::barrier all_threads(threads);
        const bool along = !m_.row_major();
        cpu::run_team(threads, [&](int rank) {
            const index_t below = blocks(m_.lines()), beside = blocks(m_.line_size());
            for (index_t k = 0; k < steps_; ++k) {
                if (rank == 0) diagonal(k, along);
                all_threads.wait();
                for (index_t b = k + 1 + rank; b < below; b += threads)
                    perimeter_below(at(k, k), at(b, k), !along);
                for (index_t b = k + 1 + rank; b < beside; b += threads)
                    perimeter_beside(at(k, k), at(k, b), along);
                all_threads.wait();
                for (index_t i = k + 1 + rank; i < below; i += threads) {
                    cpu::poll();
                    for (index_t j = k + 1; j < beside; ++j) internal(at(i, k), at(k, j), at(i, j));
                }
                all_threads.wait();
            }
        });
        return moved_;
    }
    [[nodiscard]] index_t steps() const { return steps_; }

private:
    /// Blocks end where the diagonal ends.
    [[nodiscard]] index_t blocks(index_t extent) const {
        return steps_ + (extent - m_.diagonal() + block_ - 1) / block_;
    }
    [[nodiscard]] index_t start(index_t block, index_t extent) const {
        if (block <= steps_) return std::min(block * block_, m_.diagonal());
        return std::min(m_.diagonal() + (block - steps_) * block_, extent);
    }
    tile<T> at(index_t i, index_t j) const {
        const index_t line = start(i, m_.lines()), first = start(j, m_.line_size());
        return {static_cast<T*>(m_.data) + line * m_.leading + first, m_.leading,
                start(i + 1, m_.lines()) - line, start(j + 1, m_.line_size()) - first};
    }
    void diagonal(index_t k, bool along) {
        const tile<T> d = at(k, k);
        for (index_t p = 0; p < d.rows; ++p) {
            T& pivot = d.line(p)[p];
            const T moved = perturbed_pivot(pivot, smallest_);
            moved_ += moved != pivot && moved == moved;
            pivot = moved;
            eliminate_in(d, p, along);
        }
    }

    matrices m_;
    index_t block_, steps_;
    T smallest_;
    index_t moved_ = 0;
};

void factor_blocked(factor_job& job) {
    const ladder_policy& policy = chosen_ladder;
    const int threads = ladder_threads(job);
    index_t steps = 0;
    for (index_t i = 0; i < job.a.count(); ++i)
        with_type(job.a.type(), [&](auto zero) {
            blocked<decltype(zero)> one(job, i, policy.block);
            job.result->perturbed += one.run(threads);
            steps = std::max(steps, one.steps());
        });
    job.result->run.policy = "block=" + std::to_string(policy.block);
    finish_ladder(job, threads, 3 * steps);
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cpu_blocked{
    "cpu/blocked", "three steps a block: diagonal, perimeter, internal blocks", factor_blocked,
    refuses_pivoting};

}  // namespace wale::lu
