// tiles - |P A - L U| of large matrices, a tile at a time, all in f64: the sums lose nothing that matters
// beside the rounding of the factors. Sums of magnitudes are added in the order of the tiles.

#include "solvers/lu/cpu/rows.hpp"
#include "solvers/lu/cpu/scratch.hpp"
#include "solvers/lu/inspect/shared/measures.hpp"
#include "solvers/lu/inspect/shared/tuning.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

template <class T>
class residual {
    using W = wide_of<T>;

public:
    /// `scale` multiplies A and U.
    residual(const const_matrices& a, const const_matrices& factors, const std::int32_t* pivots, double scale)
        : a_(elements<T>(a)),
          lu_{static_cast<const T*>(factors.data), factors.leading, factors.order},
          rows_(a.rows),
          columns_(a.columns),
          diagonal_(a.diagonal()),
          scale_(scale),
          tile_(chosen_inspecting.tile),
          bands_((rows_ + tile_ - 1) / tile_),
          order_(permutation_of(pivots, diagonal_, rows_)),
          sums_(static_cast<std::size_t>(bands_ * columns_)) {}

    /// The 1-norm.
    double run(int threads) {
        const index_t across = (columns_ + tile_ - 1) / tile_;
        for_tasks<W>(threads, bands_ * across, [&](index_t t, scratch<W>& memory) {
            sum_tile(bands_ - 1 - t / across, across - 1 - t % across, memory);  // the longest sums first
        });
        double most = 0;
        for (index_t j = 0; j < columns_; ++j) {
            double sum = 0;
            for (index_t i = 0; i < bands_; ++i) sum += sums_[static_cast<std::size_t>(i * columns_ + j)];
            most = larger(most, sum);
        }
        return most;
    }

private:
    struct range {
        index_t first, count;
    };
    [[nodiscard]] range part(index_t number, index_t extent) const {
        return {number * tile_, std::min(tile_, extent - number * tile_)};
    }

    /// A tile of L or of U in f64: where it holds the diagonal, the other triangle is 0 and L's diagonal 1.
    block<const W> widened(range rows, range columns, bool lower, W* memory) const {
        const block<W> to{memory, tile_, storage_order::column_major};
        const block<const T> from = lu_.from(rows.first, columns.first);
        const bool whole = rows.first != columns.first;
        if constexpr (std::is_same_v<T, W>)
            if (whole && (lower || scale_ == 1)) return from;
        copy_block<T, W>(from, to, rows.count, columns.count);
        for (index_t j = 0; !whole && j < columns.count; ++j) {
            if (!lower) std::fill(&to(std::min(j + 1, rows.count), j), &to(rows.count, j), W(0));
            if (lower && j < rows.count) {
                std::fill(&to(0, j), &to(j, j), W(0));
                to(j, j) = 1;
            }
        }
        for (index_t j = 0; !lower && scale_ != 1 && j < columns.count; ++j)
            for (index_t i = 0; i < rows.count; ++i) to(i, j) *= scale_;
        return to;
    }

    void sum_tile(index_t band, index_t across, scratch<W>& memory) {
        const range rows = part(band, rows_), columns = part(across, columns_);
        W* const workspace = memory.take(3 * tile_ * tile_);
        const block<W> error{workspace, tile_, storage_order::column_major};
        for (index_t j = 0; j < columns.count; ++j)
            for (index_t i = 0; i < rows.count; ++i)
                error(i, j) = scale_ * static_cast<W>(a_(order_[static_cast<std::size_t>(rows.first + i)],
                                                         columns.first + j));
        for (index_t k = 0; k <= std::min(band, across) && k * tile_ < diagonal_; ++k) {
            const range inner = part(k, diagonal_);
            const auto l = widened(rows, inner, true, workspace + tile_ * tile_);
            const auto u = widened(inner, columns, false, workspace + 2 * tile_ * tile_);
            cpu::blas::subtract_product<W>(error, l, u, {rows.count, columns.count, inner.count});
        }
        for (index_t j = 0; j < columns.count; ++j) {
            double sum = 0;
            for (index_t i = 0; i < rows.count; ++i) sum += magnitude(error(i, j));
            sums_[static_cast<std::size_t>(band * columns_ + columns.first + j)] = sum;
        }
    }

    strided<const T> a_;
    block<const T> lu_;
    index_t rows_, columns_, diagonal_;
    double scale_;
    index_t tile_, bands_;
    std::vector<index_t> order_;
    std::vector<double> sums_;
};

double operations(const matrix_shape& m) {
    return static_cast<double>(m.rows) * static_cast<double>(m.columns) * static_cast<double>(m.diagonal());
}

/// A large matrix.
double ratio_by_tiles(const const_matrices& a, const const_matrices& factors, const std::int32_t* pivots,
                      int asked) {
    return with_any_type(a.type, [&](auto zero) {
        const int threads = cpu::team_size(asked, useful_threads(operations(a)));
        const double scale =
            residual_scale(larger(measured_by_lines(a, measure::max_magnitude, threads),
                                  measured_by_lines(factors, measure::max_magnitude_upper, threads)));
        const double error = residual<decltype(zero)>(a, factors, pivots, scale).run(threads);
        return ratio_of_error(error, a, measured_by_lines(a, measure::one_norm, threads, scale));
    });
}

void residual_by_tiles(residual_job& job) {
    const auto pivots = [&](index_t i) {
        return job.pivots ? job.pivots + job.factors.pivot_start(i) : nullptr;
    };
    const int asked = std::get<on_cpu>(job.where).threads;
    const index_t count = job.a.count();
    double all = 0;
    for (index_t i = 0; i < count; ++i) all += operations(job.a[i]);
    const double limit = chosen_inspecting.plain_operations;
    const auto plain = [&](index_t i) { return operations(job.a[i]) < limit; };
    std::vector<double> ratios(static_cast<std::size_t>(count));
    for_tasks<double>(cpu::team_size(asked, useful_threads(all)), count, [&](index_t i, scratch<double>&) {
        if (plain(i))
            ratios[static_cast<std::size_t>(i)] = residual_ratio(job.a[i], job.factors[i], pivots(i));
    });
    for (index_t i = 0; i < count; ++i) {
        const double one = plain(i) ? ratios[static_cast<std::size_t>(i)]
                                    : ratio_by_tiles(job.a[i], job.factors[i], pivots(i), asked);
        job.ratio = larger(job.ratio, one);
    }
}

}  // namespace

extern constinit const catalogue::row<residual_job> residual_cpu_tiles{
    "cpu/tiles", "tiles to threads, in f64", residual_by_tiles, nullptr, nullptr, true};

}  // namespace wale::lu
