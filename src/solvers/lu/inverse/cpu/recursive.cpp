// recursive - as xGETRI: Y = U^-1, then X L = Y, then columns back in A's order. Strips of Y's columns, then
// strips of its rows, each by one thread; triangles by halves.
#include <algorithm>
#include <string>

#include "base/checked.hpp"
#include "cpu/instruction_set.hpp"
#include "solvers/lu/cpu/rows.hpp"
#include "solvers/lu/cpu/scratch.hpp"
#include "solvers/lu/cpu/triangle.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

/// Columns, and then rows, that one thread takes at a time: a group (cpu::blas::columns_together), which
/// reads the factors where they are, while a matrix has no more than `groups` of them; then `strip`.
struct inverting_policy {
    index_t strip, groups;
    double operations_a_thread;  // of real numbers; fewer are not worth a thread
};

constexpr inverting_policy chosen_inverting{256, 64, 2e6};  // untuned

/// One matrix. U^-1 is made in memory of its own, from which the factors can still be read.
template <class T>
class inversion {
public:
    inversion(const matrices& m, const std::int32_t* pivots, index_t strip)
        : n_(m.rows),
          strip_(strip),
          a_{static_cast<T*>(m.data), m.leading, m.order},
          order_(permutation_of(pivots, n_, n_)),
          y_{memory_.take(n_ * padded<T>(n_)), padded<T>(n_), storage_order::row_major} {}

    void run(int threads) {
        const index_t strips = (n_ + strip_ - 1) / strip_;
        // The last strips have most to do.
        for_tasks<T>(threads, strips, [&](index_t t, scratch<T>& own) { invert_upper(strips - 1 - t, own); });
        for_tasks<T>(threads, strips, [&](index_t t, scratch<T>& own) { solve_lower(t, own); });
        for_tasks<T>(threads, strips, [&](index_t t, scratch<T>&) { put_back(t); });
    }

private:
    /// With the columns of zeros that fill the last vector: no product has one column.
    [[nodiscard]] static index_t whole(index_t columns) {
        return base::round_up(columns, cpu::blas::columns_together<T>().vector);
    }
    [[nodiscard]] static block<T> in_memory_of(scratch<T>& own, index_t rows, index_t columns) {
        const index_t pitch = strip_pitch<T>(whole(columns));
        return {own.take(rows * pitch), pitch, storage_order::row_major};
    }

    /// Columns of U^-1: what lies below the strip's diagonal block is 0.
    void invert_upper(index_t strip, scratch<T>& own) {
        const index_t first = strip * strip_, columns = std::min(strip_, n_ - first),
                      height = first + columns;
        const block<T> x = in_memory_of(own, height, columns);
        std::fill_n(x.data, height * x.leading, T(0));
        for (index_t j = 0; j < columns; ++j) x(first + j, j) = T(1);
        solve_triangle(triangle<T>{a_, height, false, false}, x, whole(columns));
        copy_block<T>(x, y_.from(0, first), height, columns);
        for (index_t i = height; i < n_; ++i) std::fill_n(&y_(i, first), columns, T(0));
    }

    /// Rows of X = Y L^-1, transposed: L^T X^T = Y^T.
    void solve_lower(index_t strip, scratch<T>& own) {
        const index_t first = strip * strip_, rows = std::min(strip_, n_ - first);
        const block<T> x = in_memory_of(own, n_, rows);
        const block<T> part = y_.from(first, 0).transposed();
        clear_columns(x, n_, rows, whole(rows));
        copy_block<T>(part, x, n_, rows);
        solve_triangle(triangle<T>{a_.transposed(), n_, false, true}, x, whole(rows));
        copy_block<T>(x, part, n_, rows);
    }

    /// Rows of the inverse over the factors: its columns are Y's in A's order.
    void put_back(index_t strip) const {
        constexpr index_t at_once = 16;
        const index_t end = std::min((strip + 1) * strip_, n_);
        for (index_t i = strip * strip_; i < end; i += at_once)
            for (index_t j = 0; j < n_; ++j) {
                T* const to = a_.data + order_[static_cast<std::size_t>(j)] * a_.column_step();
                const index_t step = a_.row_step();
                for (index_t r = i; r < std::min(i + at_once, end); ++r)
                    to[r * step] = y_.data[r * y_.leading + j];
            }
    }

    index_t n_, strip_;
    block<T> a_;
    std::vector<index_t> order_;
    scratch<T> memory_;
    block<T> y_;
};

template <class T>
void invert_one(const inverse_job& job, index_t number, const inverting_policy& p, int threads) {
    const std::int32_t* pivots = job.pivots ? job.pivots + job.a.pivot_start(number) : nullptr;
    // Of the shape alone: where the halves of a strip's triangle end decides about bits.
    const index_t group = cpu::blas::columns_together<T>().most;
    const index_t strip = job.a[number].rows <= p.groups * group ? group : p.strip;
    inversion<T>(job.a[number], pivots, strip).run(threads);
}

void inverse_recursive(inverse_job& job) {
    const inverting_policy& policy = chosen_inverting;
    const int asked = std::get<on_cpu>(job.where).threads;
    const double useful = job.result->run.work * (job.is_complex() ? 4 : 1) / policy.operations_a_thread;
    const int threads = cpu::team_size(asked, static_cast<long long>(std::min(useful, 1e6)));
    with_any_type(job.a.type(), [&](auto zero) {
        for (index_t i = 0; i < job.a.count(); ++i) invert_one<decltype(zero)>(job, i, policy, threads);
    });
    report& run = job.result->run;
    run.threads = threads;
    run.device = cpu::instruction_set();
    run.policy = "strip=" + std::to_string(policy.strip);
}

}  // namespace

extern constinit const catalogue::row<inverse_job> inverse_cpu_recursive{
    "cpu/recursive",   "U^-1, then a solve with L, strips to threads",
    inverse_recursive, nullptr,
    nullptr,           true};

}  // namespace wale::lu
