// lu_summary - what a solution is worth, and how a run is summed up in a line.
#include <charconv>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "lu.hpp"
#include "text.hpp"

namespace wale::cli {
namespace {

constexpr double good_ratio = 30;      // as in LAPACK's tests
constexpr double good_hpl_ratio = 16;  // as in HPL.dat

// Norms and products of numbers near the ends of f64's range: an infinite norm would make every error look
// small.
using wide = long double;
using element = std::complex<wide>;

element at(const const_matrices& m, index_t i, index_t j) {
    const index_t first = i * m.row_step() + j * m.column_step();
    const auto part = [&](index_t k) -> wide {
        return is_single(m.type) ? static_cast<const float*>(m.data)[k]
                                 : static_cast<const double*>(m.data)[k];
    };
    return is_complex(m.type) ? element(part(2 * first), part(2 * first + 1)) : element(part(first));
}
wide magnitude(element v) {
    return v.imag() == 0 ? std::fabs(v.real()) : std::abs(v);
}
/// a b without the special care for infinities that std::complex takes.
element product(element a, element b) {
    if (a.imag() == 0 && b.imag() == 0) return a.real() * b.real();
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

double epsilon_of(scalar type) {
    return is_single(type) ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}

/// NaN if either is.
template <class T>
T larger(T a, T b) {
    return a > b || std::isnan(a) ? a : b;
}

wide one_norm(const const_matrices& a, bool transposed) {
    std::vector<wide> sums(static_cast<std::size_t>(transposed ? a.rows : a.columns));
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t j = 0; j < a.columns; ++j)
            sums[static_cast<std::size_t>(transposed ? i : j)] += magnitude(at(a, i, j));
    wide most = 0;
    for (const wide sum : sums) most = larger(most, sum);
    return most;
}

/// Row i of A, or of its transpose, times column j of x.
element row_times(const const_matrices& a, bool transposed, index_t i, const const_matrices& x, index_t j) {
    element sum = 0;
    for (index_t k = 0; k < a.rows; ++k) sum += product(transposed ? at(a, k, i) : at(a, i, k), at(x, k, j));
    return sum;
}

/// M times v.
std::vector<element> column_of(const const_matrices& m, const std::vector<element>& v) {
    std::vector<element> sums(v.size());
    for (index_t i = 0; i < m.rows; ++i)
        for (index_t j = 0; j < m.columns; ++j)
            sums[static_cast<std::size_t>(i)] += product(at(m, i, j), v[static_cast<std::size_t>(j)]);
    return sums;
}

std::string first_zero_text(index_t k) {
    const std::string at = std::to_string(k);
    return "singular: U(" + at + ", " + at + ") is 0 (counted from 0)";
}

std::string numbers_text(const lu_report& r) {
    std::string text;
    const auto add = [&](const char* name, double v) {
        if (v >= 0) text += (text.empty() ? "" : ", ") + std::string(name) + " " + short_text(v);
    };
    if (r.is_refined) {
        add("backward error", r.refined.backward_error);
        if (r.refined.first_zero < 0) text += (text.empty() ? "" : ", ") + r.refined.outcome;
    }
    add("residual ratio", r.residual_ratio);
    add("backward error ratio", r.backward_ratio);
    add("inverse ratio", r.inverse_ratio);
    add("HPL ratio", r.hpl_ratio);
    add("largest error", r.largest_error);
    add("growth", r.factor.growth);
    add("reciprocal condition", r.factor.reciprocal_condition);
    if (r.factor.perturbed > 0) text += ", " + std::to_string(r.factor.perturbed) + " pivots moved";
    return text;
}

bool singular_to_working_precision(const lu_report& r) {
    const double condition = r.factor.reciprocal_condition;
    return condition >= 0 && condition < epsilon_of(r.shape.type);
}

}  // namespace

void fill_for_ones(const const_matrices& a, const matrices& b, bool transposed) {
    for (index_t i = 0; i < b.rows; ++i) {
        std::complex<double> sum = 0;
        for (index_t k = 0; k < a.rows; ++k)
            sum += std::complex<double>(transposed ? at(a, k, i) : at(a, i, k));
        const index_t parts = is_complex(b.type) ? 2 : 1;
        for (index_t p = 0; p < parts; ++p) {
            const double v = p == 0 ? sum.real() : sum.imag();
            if (is_single(b.type))
                static_cast<float*>(b.data)[parts * i * b.row_step() + p] = static_cast<float>(v);
            else
                static_cast<double*>(b.data)[parts * i * b.row_step() + p] = v;
        }
    }
}

double largest_error_from_ones(const const_matrices& x) {
    double most = 0;
    for (index_t i = 0; i < x.rows; ++i)
        most = larger(most, static_cast<double>(magnitude(at(x, i, 0) - wide{1})));
    return most;
}

double backward_ratio(const const_matrices& a, const const_matrices& x, const const_matrices& b,
                      bool transposed) {
    const wide norm = one_norm(a, transposed);
    wide most = 0;
    for (index_t j = 0; j < x.columns; ++j) {
        wide error = 0, size = 0, right = 0;
        for (index_t i = 0; i < x.rows; ++i) {
            error += magnitude(at(b, i, j) - row_times(a, transposed, i, x, j));
            size += magnitude(at(x, i, j));
            right += magnitude(at(b, i, j));
        }
        const double unit = static_cast<double>(a.rows) * epsilon_of(a.type);
        most = larger(most, error == 0 ? wide{0} : error / (unit * (norm * size + right)));
    }
    return static_cast<double>(most);
}

double inverse_ratio(const const_matrices& a, const const_matrices& x) {
    std::vector<element> v(static_cast<std::size_t>(a.rows));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = 1 + static_cast<wide>(i % 8) / 8;
    const std::vector<element> found = column_of(a, column_of(x, v));
    wide error = 0, size = 0;
    for (std::size_t j = 0; j < v.size(); ++j) {
        error += magnitude(found[j] - v[j]);
        size += v[j].real();
    }
    const wide unit = static_cast<double>(a.rows) * epsilon_of(a.type);
    return error == 0 ? 0
                      : static_cast<double>(error / (unit * one_norm(a, false) * one_norm(x, false) * size));
}

double hpl_ratio(const const_matrices& a, const const_matrices& x, const const_matrices& b, bool transposed) {
    const wide norm = one_norm(a, !transposed);
    wide most = 0;
    for (index_t j = 0; j < x.columns; ++j) {
        wide error = 0, size = 0, right = 0;
        for (index_t i = 0; i < x.rows; ++i) {
            error = larger(error, magnitude(at(b, i, j) - row_times(a, transposed, i, x, j)));
            size = larger(size, magnitude(at(x, i, j)));
            right = larger(right, magnitude(at(b, i, j)));
        }
        const double unit = static_cast<double>(a.rows) * epsilon_of(a.type) / 2;
        most = larger(most, error == 0 ? wide{0} : error / (unit * (norm * size + right)));
    }
    return static_cast<double>(most);
}

std::string verdict_of(const lu_report& r) {
    const index_t zero = r.is_refined ? r.refined.first_zero : r.factor.first_zero;
    if (zero >= 0 && r.operation != "det") return first_zero_text(zero);
    if (r.factor.not_finite > 0) return "not finite: a pivot is infinite or NaN";
    if (r.factor.diverged)
        return "diverged: growth " + short_text(r.factor.growth) +
               " has eaten half of the digits; --pivoting partial keeps them";
    // With moved pivots these are the factors of a neighbour: what a solution is worth says its own error.
    if (std::isnan(r.residual_ratio) || (r.residual_ratio >= good_ratio && r.factor.perturbed == 0))
        return "residual ratio " + short_text(r.residual_ratio) + ", expected below 30";
    if (std::isnan(r.backward_ratio) || r.backward_ratio >= good_ratio)
        return "backward error ratio " + short_text(r.backward_ratio) + ", expected below 30";
    // Rows that multiply by inverses of diagonal blocks do not bound it beyond the precision.
    const bool judged = r.factor.perturbed == 0 && !singular_to_working_precision(r);
    if (std::isnan(r.inverse_ratio) || (r.inverse_ratio >= good_ratio && judged))
        return "inverse ratio " + short_text(r.inverse_ratio) + ", expected below 30";
    if (std::isnan(r.hpl_ratio) || (r.hpl_ratio >= good_hpl_ratio && r.factor.perturbed == 0))
        return "HPL ratio " + short_text(r.hpl_ratio) + ", expected below 16";
    return {};
}

namespace {

/// As many digits as exp(log_magnitude) leaves right.
std::string digits_text(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 13).ptr;
    return {text, end};
}

/// sign * exp(log_magnitude) as text, whatever its size.
std::string part_text(double sign, double log_magnitude) {
    if (sign == 0) return "0";
    if (std::isnan(sign) || !std::isfinite(log_magnitude)) return "nan";
    if (std::fabs(log_magnitude) < 700) return digits_text(sign * std::exp(log_magnitude));
    const double decimal = log_magnitude / std::log(10.0);
    double power = std::floor(decimal), leading = std::pow(10.0, decimal - power);
    if (leading >= 10 * (1 - 1e-12)) {  // a power of ten, a rounding below it
        leading = 1;
        ++power;
    }
    return digits_text(sign * leading) + (power < 0 ? "e-" : "e+") + number_text(std::fabs(power));
}

}  // namespace

std::string determinant_text(const lu_determinant_result& d, bool complex) {
    const std::string real = part_text(d.sign, d.log_magnitude);
    if (!complex) return real;
    // As Python writes complex numbers and reads them.
    const std::string imaginary = part_text(d.sign_imaginary, d.log_magnitude);
    return real + (imaginary.front() == '-' ? "" : "+") + imaginary + "j";
}

std::string line_of(const lu_report& r) {
    const report& run = r.is_refined ? r.refined.run : r.factor.run;
    std::string text = "wale: lu " + r.operation + ", " + std::to_string(r.shape.rows) + " x " +
                       std::to_string(r.shape.columns) + " " + name_of(r.shape.type) + ": ";
    const std::string verdict = verdict_of(r), numbers = numbers_text(r);
    text += verdict.empty() ? "good" : verdict;
    if (verdict.empty() && r.operation != "det" && singular_to_working_precision(r))
        text += ", but singular to working precision";
    if (!numbers.empty()) text += "; " + numbers;
    text += "; " + time_text(run.compute_seconds);
    if (run.compute_seconds > 0) text += ", " + rate_text(run.work / run.compute_seconds, "flop");
    if (r.solve.compute_seconds > 0)
        text += ", then " + time_text(r.solve.compute_seconds) + " by " + r.solve.variant;
    text += transfers_text(r.to_device_seconds, r.from_device_seconds);
    return text + ran_text(run) + ")\n";
}

}  // namespace wale::cli
