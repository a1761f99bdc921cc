// shared_api - one matrix whose columns several ranks hold: checks that the ranks agree, selects a row, and
// gives every rank the outcome of the whole.
#include <cmath>
#include <cstring>
#include <vector>
#include <wale/rank_messages.hpp>
#include <wale/shared_matrices.hpp>

#include "base/argument.hpp"
#include "base/decimal_text.hpp"
#include "mpi/transport.hpp"
#include "solvers/lu/check.hpp"
#include "solvers/lu/problem.hpp"
#include "solvers/lu/shared_factor/shared/columns.hpp"
#include "variants/run.hpp"

namespace wale {
namespace lu {
namespace {

using base::refuse;
using base::text;

void check_rank(int rank, int size) {
    if (size < 1 || rank < 0 || rank >= size)
        base::refuse("rank, size", "are " + std::to_string(rank) + ", " + std::to_string(size),
                     "a rank below size");
}

/// What all ranks must say alike.
struct agreement {
    index_t numbers[8]{};
    double real = 0;
    char variant[64]{};

    void say(const std::string& name) { name.copy(variant, sizeof variant - 1); }
    void expect(const ranks& group) const {
        if (group.empty()) return;
        const std::vector<agreement> all = mpi::gathered(*group.transport(), *this);
        for (std::size_t r = 1; r < all.size(); ++r)
            if (std::memcmp(&all[r], all.data(), sizeof all[r]) != 0)
                base::refuse("group",
                             "rank " + std::to_string(r) + " has another matrix or other options than rank 0",
                             "the same");
    }
};

void check_own(const char* name, const ranks& group, const on_cpu& where, const matrix_shape& whole,
               const const_matrices& own, bool writable) {
    constexpr index_t most = 2147483647;  // pivots have 32 bits
    for (const auto& [what, extent] : {std::pair{"rows", whole.rows}, {"columns", whole.columns}})
        if (extent < 0 || extent > most)
            refuse("whole", "has " + text(extent) + " " + what, "0 to " + text(most));
    check_matrices(where, name, own, writable);
    if (whole.count != 1) refuse("whole", "has " + text(whole.count) + " matrices", "1");
    if (own.count != 1) refuse(name, "has " + text(own.count) + " matrices", "1");
    if (own.type != whole.type)
        refuse(name, std::string("is ") + name_of(own.type),
               std::string(name_of(whole.type)) + " like whole");
    const matrix_shape part = lu_part(whole, group.rank(), group.size());
    if (own.rows != part.rows || own.columns != part.columns)
        refuse(name, "is " + text(own.rows) + " x " + text(own.columns),
               text(part.rows) + " x " + text(part.columns) + ", lu_part() of whole for rank " +
                   text(group.rank()) + " of " + text(group.size()));
}

/// Of the diagonal of U, in the order of the matrix.
std::vector<char> gathered_diagonal(const ranks& group, const matrix_shape& whole, const matrices& own) {
    const auto item = static_cast<std::size_t>(bytes_of(whole.type));
    const auto element = [&](index_t row, index_t column) {
        return static_cast<const char*>(own.data) +
               (row * own.row_step() + column * own.column_step()) * bytes_of(whole.type);
    };
    std::string mine;
    for (index_t at = 0; const column_range& r : lu_share(whole, group.rank(), group.size()))
        for (index_t k = r.first; k < r.last; ++k, ++at)
            if (k < whole.diagonal()) mine.append(element(k, at), item);
    const std::vector<std::string> all = gather(group, mine);
    std::vector<char> diagonal(static_cast<std::size_t>(whole.diagonal()) * item);
    for (int r = 0; r < group.size(); ++r)
        for (std::size_t at = 0; const column_range& range : lu_share(whole, r, group.size()))
            for (index_t k = range.first; k < std::min(range.last, whole.diagonal()); ++k, at += item)
                std::memcpy(diagonal.data() + static_cast<std::size_t>(k) * item,
                            all[static_cast<std::size_t>(r)].data() + at, item);
    return diagonal;
}

/// The largest magnitude of all columns; NaN where any element is. `upper`: on and above the diagonal.
double largest_of_all(const shared_factor_job& job, bool upper) {
    double most = 0;
    with_any_type(job.whole.type, [&](auto zero) {
        const auto a = elements<decltype(zero)>(job.own);
        const auto shares = lu_share(job.whole, job.group->rank(), job.group->size());
        for (index_t at = 0; const column_range& r : shares)
            for (index_t j = r.first; j < r.last; ++j, ++at)
                for (index_t i = 0; i < (upper ? std::min(j + 1, job.whole.rows) : job.whole.rows); ++i) {
                    const double size = magnitude(static_cast<wide_of<decltype(zero)>>(a(i, at)));
                    if (size > most || std::isnan(size)) most = std::isnan(most) ? most : size;
                }
    });
    if (job.group->empty()) return most;
    for (const double other : mpi::gathered(*job.group->transport(), most))
        if (other > most || std::isnan(other)) most = other;
    return most;
}

void check_options(const matrix_shape& whole, const lu_outputs& out, const lu_options& o) {
    if (!(o.perturbation >= 0) || !std::isfinite(o.perturbation))
        refuse("options.perturbation", "is " + base::decimal_text(o.perturbation),
               "0 or a small positive number");
    if (o.perturbation > 0 && o.pivoting != pivoting::none)
        refuse("options.perturbation", "is " + base::decimal_text(o.perturbation),
               "0 unless pivoting is none");
    if (o.condition) throw unsupported_variant("options.condition: is not estimated over ranks");
    if (o.asynchronous) throw unsupported_variant("options.asynchronous: is of CUDA only");
    if (o.pivoting != pivoting::none && out.pivots == nullptr && whole.diagonal() > 0)
        base::refuse("out.pivots", "is null", "an array unless pivoting is none");
    if ((out.sign || out.log_magnitude) && whole.rows != whole.columns)
        refuse("whole", "is " + text(whole.rows) + " x " + text(whole.columns), "as many rows as columns");
}

/// The outputs of the whole matrix, from its pivots and the diagonal of U.
void finish_whole(const shared_factor_job& job, const lu_outputs& out, std::vector<char>& diagonal) {
    matrix_shape s = job.whole;  // element (k, k) is number k of the diagonal: its lines lie on each other
    s.order = storage_order::row_major;
    s.leading = 0;
    factor_job all{.where = job.where, .a = matrices(diagonal.data(), s), .out = out, .result = job.result};
    all.out.pivots = job.pivots;
    finish(all);
}

}  // namespace
}  // namespace lu

std::vector<column_range> lu_share(const matrix_shape& whole, int rank, int size) {
    lu::check_rank(rank, size);
    const lu::dealt_columns dealt(whole, rank, size);
    std::vector<column_range> ranges;
    for (index_t k = rank; k < dealt.blocks(); k += size)
        ranges.push_back({dealt.start(k), dealt.start(k + 1)});
    return ranges;
}

matrix_shape lu_part(const matrix_shape& whole, int rank, int size) {
    lu::check_rank(rank, size);
    matrix_shape part = whole;
    part.order = storage_order::column_major;
    part.columns = lu::dealt_columns(whole, rank, size).own();
    part.leading = part.rows;
    part.count = 1;
    part.stride = part.rows * part.columns;
    return part;
}

lu_result lu_factor(const ranks& group, const on_cpu& where, const matrix_shape& whole, const matrices& own,
                    const lu_outputs& out, const lu_options& options) {
    using namespace lu;
    check_own("own", group, where, whole, own, true);
    check_options(whole, out, options);
    agreement same{
        {static_cast<index_t>(whole.type), whole.rows, whole.columns, static_cast<index_t>(options.pivoting),
         options.growth, static_cast<index_t>(lu_share(whole, 0, group.size()).size())},
        options.perturbation,
        {}};
    same.say(options.variant);
    same.expect(group);
    lu_result result;
    std::vector<std::int32_t> own_pivots(out.pivots ? 0 : static_cast<std::size_t>(whole.diagonal()));
    shared_factor_job job{.where = where,
                          .group = &group,
                          .whole = whole,
                          .own = own,
                          .pivoting = options.pivoting,
                          .pivots = out.pivots ? out.pivots : own_pivots.data(),
                          .result = &result};
    double smallest = 0, before = 0;
    if (options.perturbation > 0 || options.growth) before = largest_of_all(job, false);
    if (options.perturbation > 0) {
        smallest = options.perturbation * before;
        job.smallest_pivot = &smallest;
    }
    const auto m = static_cast<double>(whole.rows), n = static_cast<double>(whole.columns);
    const double k = std::fmin(m, n);
    result.run.work = k * (2 * m * n - k * (m + n) + 2 * k * k / 3);
    result.run.bytes = 2 * m * n * static_cast<double>(bytes_of(whole.type));
    catalogue::run(shared_factor_rows(), options.variant, job, result.run);
    std::vector<char> diagonal = gathered_diagonal(group, whole, own);
    finish_whole(job, out, diagonal);
    if (options.growth) {
        const double after = largest_of_all(job, true);
        result.growth = after == 0 ? 0 : after / before;
    }
    const double limit = is_single(whole.type) ? worrying_growth<float>() : worrying_growth<double>();
    result.diverged = options.pivoting == pivoting::none &&
                      (result.not_finite > 0 || result.growth > limit || std::isnan(result.growth));
    return result;
}

lu_solve_result lu_solve(const ranks& group, const on_cpu& where, const matrix_shape& whole,
                         const const_matrices& own_factors, const std::int32_t* pivots, const matrices& b,
                         const lu_solve_options& options) {
    using namespace lu;
    check_own("own_factors", group, where, whole, own_factors, false);
    check_matrices(where, "b", b, true);
    const const_matrices all(nullptr, whole);
    check_square("whole", const_batch(all));
    check_right_sides(const_batch(all), "b", batch(b));
    check_pivots(where, const_batch(all), pivots);
    check_apart("b", b, "own_factors", own_factors);
    if (options.asynchronous) throw unsupported_variant("options.asynchronous: is of CUDA only");
    agreement same{{static_cast<index_t>(whole.type), whole.rows, b.columns, options.transposed,
                    options.conjugated, pivots == nullptr},
                   0,
                   {}};
    same.say(options.variant);
    same.expect(group);
    lu_solve_result result;
    shared_solve_job job{.where = where,
                         .group = &group,
                         .whole = whole,
                         .own = own_factors,
                         .pivots = pivots,
                         .b = b,
                         .transposed = options.transposed,
                         .conjugated = options.conjugated && is_complex(whole.type),
                         .result = &result};
    const auto n = static_cast<double>(whole.rows);
    result.run.work = 2 * n * n * static_cast<double>(b.columns);
    result.run.bytes =
        n * (n + 2 * static_cast<double>(b.columns)) * static_cast<double>(bytes_of(whole.type));
    catalogue::run(shared_solve_rows(), options.variant, job, result.run);
    return result;
}

}  // namespace wale
