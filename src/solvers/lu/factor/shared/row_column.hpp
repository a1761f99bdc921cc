// row_column - the ladder's first steps, as the loops of Rodinia's lud with OpenMP do them: one row of U by
// all threads, then one column of L by all threads, every element a sum over what lies left of it and above.
// In place; or each step on a fresh copy of the whole matrix, as a language without assignment would have it.
#pragma once

#include "cpu/barrier.hpp"
#include "cpu/poll.hpp"
#include "cpu/team.hpp"
#include "solvers/lu/factor/shared/ladder.hpp"
#include "solvers/lu/factor/shared/refusals.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {

/// One matrix. All threads take the same steps and pass a barrier after each row and each column; a thread's
/// part of a row is its share of the columns, so that each element is one thread's sum in one order.
template <class T>
class row_column {
public:
    row_column(const factor_job& job, index_t number)
        : shape_(job.a[number]),
          from_(elements<T>(job.a[number])),
          to_(from_),
          smallest_(job.smallest_pivot ? static_cast<T>(job.smallest_pivot[number]) : T(0)) {}

    /// Returns the number of pivots that were moved.
    index_t run(int threads, bool copies) {
        cpu::barrier all_threads(threads);
        if (copies) to_ = other_copy();
        const strided<T> home = from_;
        cpu::run_team(threads, [&](int rank) {
            strided<T> from = from_, to = to_;
            const auto next = [&] {
                all_threads.wait();
                if (copies) std::swap(from, to);
            };
            for (index_t k = 0; k < shape_.diagonal(); ++k) {
                cpu::poll();
                if (copies) copy(from, to, rank, threads);
                if (copies) all_threads.wait();
                row(from, to, k, {rank, threads});
                next();
                if (copies) copy(from, to, rank, threads);
                if (copies) all_threads.wait();
                column(from, to, k, {rank, threads});
                next();
            }
            if (copies && from.data != home.data) copy(from, home, rank, threads);
        });
        return moved_;
    }

private:
    struct share {
        int rank, of;
        [[nodiscard]] index_t begin(index_t first, index_t end) const {
            return first + (end - first) * rank / of;
        }
    };

    strided<T> other_copy() {
        memory_.resize(static_cast<std::size_t>(shape_.rows * shape_.columns));
        return shape_.row_major() ? strided<T>{memory_.data(), shape_.columns, 1}
                                  : strided<T>{memory_.data(), 1, shape_.rows};
    }
    void copy(const strided<T>& from, const strided<T>& to, int rank, int threads) const {
        const share s{rank, threads}, next{rank + 1, threads};
        const bool by_rows = shape_.row_major();
        for (index_t line = s.begin(0, shape_.lines()); line < next.begin(0, shape_.lines()); ++line)
            for (index_t i = 0; i < shape_.line_size(); ++i)
                by_rows ? void(to(line, i) = from(line, i)) : void(to(i, line) = from(i, line));
    }
    void row(const strided<T>& from, const strided<T>& to, index_t k, const share& s) {
        const share after{s.rank + 1, s.of};
        for (index_t j = s.begin(k, shape_.columns); j < after.begin(k, shape_.columns); ++j) {
            T sum = from(k, j);
            for (index_t p = 0; p < k; ++p) sum -= from(k, p) * from(p, j);
            if (j == k && smallest_ > T(0)) {
                const T moved = perturbed_pivot(sum, smallest_);
                moved_ += moved != sum && moved == moved;  // the first thread's alone
                sum = moved;
            }
            to(k, j) = sum;
        }
    }
    void column(const strided<T>& from, const strided<T>& to, index_t k, const share& s) {
        const share after{s.rank + 1, s.of};
        for (index_t i = s.begin(k + 1, shape_.rows); i < after.begin(k + 1, shape_.rows); ++i) {
            T sum = from(i, k);
            for (index_t p = 0; p < k; ++p) sum -= from(i, p) * from(p, k);
            to(i, k) = multiplier(sum, from(k, k));
        }
    }

    matrix_shape shape_;
    strided<T> from_, to_;
    T smallest_;
    std::vector<T> memory_;
    index_t moved_ = 0;
};

inline void run_row_column(factor_job& job, bool copies) {
    const int threads = ladder_threads(job);
    for (index_t i = 0; i < job.a.count(); ++i)
        with_type(job.a.type(), [&](auto zero) {
            job.result->perturbed += row_column<decltype(zero)>(job, i).run(threads, copies);
        });
    finish_ladder(job, threads, 2 * job.a.largest([](const matrices& m) { return m.diagonal(); }));
}

}  // namespace wale::lu
