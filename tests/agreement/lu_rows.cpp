// lu_rows - calls through the public interface, and checks from definitions.
#include "agreement/lu_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

// OpenBLAS contains LAPACK; its header for C is a package of its own.
extern "C" {
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* pivots, int* info);
void sgetrf_(const int* m, const int* n, float* a, const int* lda, int* pivots, int* info);
void dgecon_(const char* norm, const int* n, const double* a, const int* lda, const double* norm_of_a,
             double* condition, double* work, int* whole_work, int* info, std::size_t norm_length);
void openblas_set_num_threads(int count);
int openblas_get_num_threads();
}

namespace wale::agreement {
namespace {

constexpr const char* never_pivot[] = {"cpu/blocked",     "cpu/row_column",      "cpu/row_column_copy",
                                       "cuda/tile_dag",   "cuda/blocked_shared", "cuda/blocked_global",
                                       "cuda/row_column", "cuda/row_column_copy"};
constexpr const char* slow_rows[] = {"reference/plain", "cpu/row_column", "cpu/row_column_copy"};
constexpr const char* know_tournaments[] = {"cpu/recursive"};

template <std::size_t N>
bool is_among(const char* const (&names)[N], const std::string& row) {
    return std::find(std::begin(names), std::end(names), row) != std::end(names);
}

/// LAPACK runs on one thread during the lifetime of the object: its threads spin, and tests run side by side.
class one_thread {
public:
    one_thread() { openblas_set_num_threads(1); }
    one_thread(const one_thread&) = delete;
    one_thread& operator=(const one_thread&) = delete;
    ~one_thread() { openblas_set_num_threads(before_); }

private:
    int before_ = openblas_get_num_threads();
};

std::string at_matrix(std::size_t k, const std::string& what) {
    return "matrix " + std::to_string(k) + ": " + what;
}

std::string number(double v) {
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", v);
    return text;
}

index_t most_pivots(const std::vector<dense>& all) {
    return std::accumulate(all.begin(), all.end(), index_t{0},
                           [](index_t sum, const dense& a) { return sum + a.diagonal(); });
}

index_t most_rows(const std::vector<dense>& all) {
    return std::accumulate(all.begin(), all.end(), index_t{0},
                           [](index_t sum, const dense& a) { return sum + a.rows; });
}

/// One array after the other, cut into the parts of each matrix.
template <class Size>
std::vector<std::vector<std::int32_t>> cut(const std::vector<std::int32_t>& whole,
                                           const std::vector<dense>& all, Size&& size) {
    std::vector<std::vector<std::int32_t>> parts;
    auto at = whole.begin();
    for (const dense& a : all) {
        parts.emplace_back(at, at + size(a));
        at += size(a);
    }
    return parts;
}

double ratio_of_all(const execution& where, stored_matrices& originals, stored_matrices& factors,
                    const std::int32_t* pivots, bool listed) {
    if (!listed) return lu_residual_ratio(where, originals.uniform(), factors.uniform(), pivots);
    double most = 0;
    for (std::size_t k = 0; k < originals.list().size(); ++k) {
        const double r = lu_residual_ratio(where, originals.list()[k], factors.list()[k], pivots);
        most = r > most || std::isnan(r) ? r : most;
        pivots += originals.list()[k].diagonal();
    }
    return most;
}

std::string flaw_of_pivots(const factor_question& q, const factor_answer& f, std::size_t k) {
    const auto& pivots = f.pivots[k];
    const auto rows = static_cast<std::int32_t>(q.all[k].rows);
    std::vector<std::int32_t> permutation(static_cast<std::size_t>(rows));
    std::iota(permutation.begin(), permutation.end(), 0);
    for (std::size_t i = 0; i < pivots.size(); ++i) {
        const auto at = static_cast<std::int32_t>(i);
        if (pivots[i] < at || pivots[i] >= rows || (q.options.pivoting == pivoting::none && pivots[i] != at))
            return "pivot " + std::to_string(i) + " is " + std::to_string(pivots[i]);
        std::swap(permutation[i], permutation[static_cast<std::size_t>(pivots[i])]);
    }
    return permutation == f.permutations[k] ? "" : "the permutation is not that of the pivots";
}

/// First zero, sign and logarithm from the diagonal as it is.
std::string flaw_of_diagonal(const factor_answer& f, std::size_t k) {
    const dense& u = f.factors[k];
    std::int32_t zero = -1;
    double sign = 1, log = 0;
    for (index_t i = 0; i < u.diagonal(); ++i) {
        if (u(i, i) == 0 && zero < 0) zero = static_cast<std::int32_t>(i);
        sign = std::isnan(u(i, i)) ? u(i, i) : u(i, i) == 0 ? 0 * sign : u(i, i) < 0 ? -sign : sign;
        log += std::log(std::fabs(u(i, i)));
        if (f.pivots[k][static_cast<std::size_t>(i)] != i) sign = -sign;
    }
    if (f.first_zero[k] != zero)
        return "first zero " + std::to_string(f.first_zero[k]) + ", expected " + std::to_string(zero);
    if (!u.square()) return "";
    const double s = f.sign[k], l = f.log_magnitude[k];
    if (std::isnan(sign) ? !std::isnan(s) : s != sign)
        return "sign " + number(s) + ", expected " + number(sign);
    const bool same = std::isnan(log)   ? std::isnan(l)
                      : std::isinf(log) ? l == log
                                        : std::fabs(l - log) <=
                                              1e-12 * (1 + std::fabs(log)) * static_cast<double>(u.rows + 1);
    return same ? "" : "log " + number(l) + ", expected " + number(log);
}

std::string flaw_of_factors(const factor_question& q, const factor_answer& f, std::size_t k) {
    const dense& u = f.factors[k];
    if (!all_finite(f.originals[k])) return "";
    const double eps = epsilon_of(q.how.type);
    // The largest multiplier that each kind of pivoting promises, and two roundings: of a reciprocal, of a
    // product.
    const double largest = q.options.pivoting == pivoting::tournament ? 10 : 1;
    if (q.options.pivoting != pivoting::none)
        for (index_t i = 0; i < u.rows; ++i)
            for (index_t j = 0; j < std::min(i, u.columns); ++j)
                if (!(std::fabs(u(i, j)) <= largest * (1 + 2 * eps)))
                    return "L(" + std::to_string(i) + ", " + std::to_string(j) + ") is " + number(u(i, j));
    const double ratio = factor_ratio(f.originals[k], u, f.pivots[k], q.how.type);
    const double limit = good_ratio * (q.grows ? std::max(1.0, growth_of(f.originals[k], u)) : 1.0);
    return ratio < limit ? "" : "residual ratio " + number(ratio);
}

/// The outcome in the result, from the factors of all matrices.
std::string flaw_of_outcome(const factor_answer& f) {
    index_t singular = 0, first = -1, not_finite = 0;
    int sign = 1;
    for (std::size_t k = 0; k < f.factors.size(); ++k) {
        bool finite = true;
        for (index_t i = 0; i < f.factors[k].diagonal(); ++i) {
            finite = finite && std::isfinite(f.factors[k](i, i));
            if (k == 0 && f.pivots[k][static_cast<std::size_t>(i)] != i) sign = -sign;
        }
        not_finite += !finite;
        if (f.first_zero[k] >= 0 && singular++ == 0) first = static_cast<index_t>(k);
    }
    const lu_result& r = f.result;
    const index_t zero = first < 0 ? -1 : f.first_zero[static_cast<std::size_t>(first)];
    if (r.singular != singular || r.first_singular != first || r.first_zero != zero)
        return "singular " + std::to_string(r.singular) + ", first " + std::to_string(r.first_singular) +
               " at " + std::to_string(r.first_zero) + ", expected " + std::to_string(singular) + ", " +
               std::to_string(first) + " at " + std::to_string(zero);
    if (r.not_finite != not_finite)
        return std::to_string(r.not_finite) + " not finite, expected " + std::to_string(not_finite);
    return r.permutation_sign == sign ? "" : "permutation sign " + std::to_string(r.permutation_sign);
}

}  // namespace

std::optional<factor_answer> ask_factor(const execution& where, const std::string& variant,
                                        const factor_question& q, std::string* refusal) {
    stored_matrices originals(where, q.all, q.how), factors(where, q.all, q.how);
    const bool square = std::all_of(q.all.begin(), q.all.end(), [](const dense& a) { return a.square(); });
    const index_t count = std::ssize(q.all);
    const stored_array<std::int32_t> pivots(where, most_pivots(q.all), -7), zeros(where, count, -7),
        permutations(where, most_rows(q.all), -7);
    const stored_array<double> signs(where, count, -7), logs(where, count, -7);
    const lu_outputs out{.pivots = pivots.data(),
                         .permutation = permutations.data(),
                         .first_zero = zeros.data(),
                         .sign = square ? signs.data() : nullptr,
                         .log_magnitude = square ? logs.data() : nullptr};
    lu_options options = q.options;
    options.variant = variant;
    factor_answer f;
    try {
        f.result = q.how.listed ? lu_factor(where, std::span<const matrices>(factors.list()), out, options)
                                : lu_factor(where, factors.uniform(), out, options);
    } catch (const unsupported_variant& e) {
        *refusal = e.what();
        return std::nullopt;
    }
    f.originals = originals.get();
    f.factors = factors.get();
    f.pivots = cut(pivots.get(), q.all, [](const dense& a) { return a.diagonal(); });
    f.permutations = cut(permutations.get(), q.all, [](const dense& a) { return a.rows; });
    f.first_zero = zeros.get();
    f.sign = signs.get();
    f.log_magnitude = logs.get();
    f.bits = factors.bits();
    f.gaps_untouched = factors.gaps_untouched();
    f.ratio = ratio_of_all(where, originals, factors, pivots.data(), q.how.listed);
    return f;
}

std::string factor_flaw(const factor_question& q, const factor_answer& found) {
    if (!found.gaps_untouched) return "elements between the lines were written to";
    for (std::size_t k = 0; k < found.factors.size(); ++k) {
        std::string flaw = flaw_of_pivots(q, found, k);
        if (flaw.empty()) flaw = flaw_of_diagonal(found, k);
        if (flaw.empty()) flaw = flaw_of_factors(q, found, k);
        if (!flaw.empty()) return at_matrix(k, flaw);
    }
    return flaw_of_outcome(found);
}

double factor_ratio(const dense& a, const dense& factors, const std::vector<std::int32_t>& pivots,
                    scalar type) {
    dense error = permuted(a, pivots);
    const index_t m = a.rows, n = a.columns;
    for (index_t k = 0; k < a.diagonal(); ++k)  // one column of L times one row of U after the other
        for (index_t i = k; i < m; ++i) {
            const double l = i == k ? 1 : factors(i, k);
            for (index_t j = k; j < n; ++j) error(i, j) -= l * factors(k, j);
        }
    const double allowance = epsilon_of(type) * one_norm(a) + static_cast<double>(m) * denormal_of(type);
    const double off = one_norm(error);
    return off == 0 ? 0 : off / allowance / static_cast<double>(std::max(m, n));
}

double growth_of(const dense& a, const dense& factors) {
    double most = 0;
    for (index_t i = 0; i < factors.rows; ++i)
        for (index_t j = i; j < factors.columns; ++j) most = std::max(most, std::fabs(factors(i, j)));
    return most == 0 ? 0 : most / largest_magnitude(a);
}

dense permuted(dense a, const std::vector<std::int32_t>& pivots) {
    for (std::size_t k = 0; k < pivots.size(); ++k)
        for (index_t j = 0; j < a.columns; ++j) std::swap(a(static_cast<index_t>(k), j), a(pivots[k], j));
    return a;
}

std::vector<std::int32_t> identity_pivots(index_t n) {
    std::vector<std::int32_t> pivots(static_cast<std::size_t>(n));
    std::iota(pivots.begin(), pivots.end(), 0);
    return pivots;
}

std::pair<dense, std::vector<std::int32_t>> lapack_factors(const dense& a, scalar type) {
    const int m = static_cast<int>(a.rows), n = static_cast<int>(a.columns), leading = std::max(1, m);
    const dense by_columns = transposed(a);
    std::vector<std::int32_t> pivots(static_cast<std::size_t>(a.diagonal()));
    int info = 0;
    const one_thread alone;
    const auto run = [&]<class T>(std::vector<T> values, auto&& getrf) {
        getrf(&m, &n, values.data(), &leading, pivots.data(), &info);
        dense f(a.columns, a.rows);
        std::copy(values.begin(), values.end(), f.values.begin());
        return transposed(f);
    };
    const auto& v = by_columns.values;
    dense factors =
        type == scalar::f64 ? run(v, dgetrf_) : run(std::vector<float>(v.begin(), v.end()), sgetrf_);
    for (std::int32_t& p : pivots) --p;
    return {std::move(factors), std::move(pivots)};
}

double lapack_condition(const dense& a) {
    const auto [factors, pivots] = lapack_factors(a, scalar::f64);
    const dense by_columns = transposed(factors);
    const int n = static_cast<int>(a.rows);
    std::vector<double> work(static_cast<std::size_t>(4 * n));
    std::vector<int> whole_work(static_cast<std::size_t>(n));
    const double norm = one_norm(a);
    double condition = -1;
    int info = 0;
    dgecon_("1", &n, by_columns.values.data(), &n, &norm, &condition, work.data(), whole_work.data(), &info,
            1);
    return condition;
}

std::vector<std::int32_t> factored::all_pivots() const {
    std::vector<std::int32_t> all;
    for (const auto& p : pivots) all.insert(all.end(), p.begin(), p.end());
    return all;
}

factored factored_by_lapack(const std::vector<dense>& all, scalar type) {
    factored f;
    for (const dense& a : all) {
        f.originals.push_back(rounded(a, type));
        auto [factors, pivots] = lapack_factors(f.originals.back(), type);
        f.factors.push_back(std::move(factors));
        f.pivots.push_back(std::move(pivots));
    }
    return f;
}

double solve_ratio(const dense& a, const dense& x, const dense& b, scalar type) {
    const dense found = product(a, x);
    const double norm = one_norm(a), n = static_cast<double>(std::max<index_t>(1, a.rows));
    double most = 0;
    for (index_t j = 0; j < b.columns; ++j) {
        double error = 0, size = 0, right = 0;
        for (index_t i = 0; i < b.rows; ++i) {
            error += std::fabs(b(i, j) - found(i, j));
            size += std::fabs(x(i, j));
            right += std::fabs(b(i, j));
        }
        const double r = error == 0 ? 0 : error / (n * epsilon_of(type) * (norm * size + right));
        most = r > most || std::isnan(r) ? r : most;
    }
    return most;
}

bool may_refuse(const std::string& row, pivoting p) {
    if (p == pivoting::tournament) return !is_among(know_tournaments, row);
    return p == pivoting::partial && is_among(never_pivot, row);
}

bool may_refuse(const std::string& row, index_t rows, scalar type) {
    if (row == "cuda/batched") return rows > 1024;
    return row == "cuda/resident" && rows > (type == scalar::f32 ? 2048 : 1024);
}

bool may_refuse(const std::string& row, factor_precision p) {
    if (p == factor_precision::automatic || p == factor_precision::f64) return false;
    return row == "reference/plain" || (row == "cpu/iterative" && p != factor_precision::f32);
}

bool is_slow(const std::string& row) {
    return is_among(slow_rows, row);
}

pivoting usual_pivoting(const std::string& row) {
    return is_among(never_pivot, row) ? pivoting::none : pivoting::partial;
}

std::vector<pivoting> pivotings_of(const std::string& row) {
    std::vector<pivoting> all;
    for (const pivoting p : {pivoting::none, pivoting::partial, pivoting::tournament})
        if (!may_refuse(row, p)) all.push_back(p);
    return all;
}

std::vector<std::size_t> numbers_below(std::size_t end) {
    std::vector<std::size_t> all(end);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

std::vector<tuned_lu_row> tuned_lu_rows(const std::vector<named_row>& rows,
                                        const std::vector<lu_tunable>& tunables) {
    std::vector<tuned_lu_row> all;
    for (const lu_tunable& t : tunables)
        for (const named_row& row : rows)
            for (const scalar type : {scalar::f32, scalar::f64})
                for (const std::size_t number : type == scalar::f32 ? t.f32 : t.f64) {
                    if (row.name != t.row) continue;
                    const std::string entry = std::string(t.table) + "=" + std::to_string(number);
                    named_row tuned = row;
                    for (const char* blocks : {"", "=1", "=3"}) {
                        tuned.tuning = entry + (*blocks ? "," : "") + (*blocks ? t.blocks : "") + blocks;
                        all.push_back({tuned, type, t.pivoting});
                        if (!t.blocks) break;
                    }
                }
    return all;
}

std::string tuned_name(const testing::TestParamInfo<tuned_lu_row>& info) {
    return name_in_tests(info.param) + "_" + name_of(info.param.type);
}

}  // namespace wale::agreement
