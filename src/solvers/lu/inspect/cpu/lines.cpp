// lines - norms of large matrices, a few lines at a time. The partial sums of a norm are those of fixed
// parts, added in their order, so that the bits do not depend on the threads.
#include <cmath>

#include "solvers/lu/cpu/scratch.hpp"
#include "solvers/lu/inspect/shared/measures.hpp"
#include "solvers/lu/inspect/shared/tuning.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

/// Lines first .. end - 1 of a matrix.
struct part {
    const const_matrices& m;
    index_t first, end;
};

/// Largest magnitude; `upper`: on and above the diagonal.
template <class T>
double largest_in(const part& p, bool upper) {
    double most = 0;
    for (index_t line = p.first; line < p.end; ++line) {
        const T* const a = static_cast<const T*>(p.m.data) + line * p.m.leading;
        const index_t begin = upper && p.m.row_major() ? std::min(line, p.m.columns) : 0,
                      end = upper && !p.m.row_major() ? std::min(line + 1, p.m.rows) : p.m.line_size();
        using R = std::conditional_t<is_complex_type<T>, double, T>;
        R largest = 0;
        bool ordered = true;
        for (index_t i = begin; i < end; ++i) {
            R x = 0;
            if constexpr (is_complex_type<T>)
                x = magnitude(a[i]);
            else
                x = std::fabs(a[i]);
            ordered = ordered && x == x;
            largest = x > largest ? x : largest;
        }
        most =
            larger(most, ordered ? static_cast<double>(largest) : std::numeric_limits<double>::quiet_NaN());
    }
    return most;
}

/// Sums of magnitudes of each column, of these rows alone where the matrix is row-major.
template <class T>
void add_columns(const part& p, double factor, double* sums) {
    for (index_t line = p.first; line < p.end; ++line) {
        const T* const a = static_cast<const T*>(p.m.data) + line * p.m.leading;
        if (p.m.row_major()) {
            for (index_t j = 0; j < p.m.columns; ++j)
                sums[j] += magnitude(factor * static_cast<wide_of<T>>(a[j]));
        } else {
            for (index_t i = 0; i < p.m.rows; ++i)
                sums[line] += magnitude(factor * static_cast<wide_of<T>>(a[i]));
        }
    }
}

template <class T>
class measurement {
public:
    measurement(const const_matrices& m, measure what, double factor) : m_(m), what_(what), factor_(factor) {
        lines_ =
            std::max<index_t>(1, chosen_inspecting.elements_a_task / std::max<index_t>(1, m.line_size()));
        parts_ = (m.lines() + lines_ - 1) / lines_;
        const index_t rows_of_sums = what == measure::one_norm && m.row_major() ? parts_ : 1;
        values_.resize(
            static_cast<std::size_t>(what == measure::one_norm ? rows_of_sums * m.columns : parts_));
    }
    double run(int threads) {
        for_tasks<T>(threads, parts_, [&](index_t t, scratch<T>&) {
            const part p{m_, t * lines_, std::min((t + 1) * lines_, m_.lines())};
            if (what_ == measure::one_norm)
                add_columns<T>(p, factor_, values_.data() + (m_.row_major() ? t * m_.columns : 0));
            else
                values_[static_cast<std::size_t>(t)] =
                    largest_in<T>(p, what_ == measure::max_magnitude_upper);
        });
        double most = 0;
        if (what_ != measure::one_norm) {
            for (const double v : values_) most = larger(most, v);
            return factor_ * most;
        }
        for (index_t j = 0; j < m_.columns; ++j) {
            double sum = 0;
            for (auto i = static_cast<std::size_t>(j); i < values_.size();
                 i += static_cast<std::size_t>(m_.columns))
                sum += values_[i];
            most = larger(most, sum);
        }
        return most;
    }

private:
    const const_matrices& m_;
    measure what_;
    double factor_;
    index_t lines_ = 1, parts_ = 0;
    std::vector<double> values_;  // of each part: its largest, or the sums of the columns
};

}  // namespace

double measured_by_lines(const const_matrices& m, measure what, int threads, double factor) {
    return with_any_type(
        m.type, [&](auto zero) { return measurement<decltype(zero)>(m, what, factor).run(threads); });
}

namespace {

void measure_by_lines(measure_job& job) {
    const index_t count = job.a.count();
    const int asked = std::get<on_cpu>(job.where).threads;
    const auto elements = [](const matrix_shape& m) { return m.rows * m.columns; };
    const index_t most = job.a.largest(elements);
    if (most <= chosen_inspecting.elements_a_task) {  // each by one thread
        const int threads =
            cpu::team_size(asked, useful_threads(static_cast<double>(most) * static_cast<double>(count)));
        for_tasks<double>(threads, count, [&](index_t i, scratch<double>&) {
            job.values[i] = measured(job.a[i], job.what, job.factor);
        });
        return;
    }
    for (index_t i = 0; i < count; ++i) {
        const const_matrices m = job.a[i];
        const int threads = cpu::team_size(asked, useful_threads(static_cast<double>(elements(m))));
        job.values[i] = measured_by_lines(m, job.what, threads, job.factor);
    }
}

}  // namespace

extern constinit const catalogue::row<measure_job> measure_cpu_lines{
    "cpu/lines", "lines to threads", measure_by_lines, nullptr, nullptr, true};

}  // namespace wale::lu
