// atlas - random shapes, counts, orders and pivoting of matrices; solves and inverses from their factors.
#include <cmath>
#include <optional>
#include <sstream>
#include <wale/buffer.hpp>
#include <wale/enumerators.hpp>

#include "solvers/lu/problem.hpp"
#include "solvers/lu/study/experiments.hpp"
#include "solvers/lu/study/inputs.hpp"

namespace wale::lu {
namespace {

using experiments::cell_limits;
using experiments::dice;
using experiments::drawn_cell;
using experiments::traits;

constexpr double fast_rate = 2e10;  // operations a second on one thread

struct place {
    execution where;
    buffer<unsigned char> given, x;  // given: right sides, or the factors of an inverse
    buffer<unsigned char> factors;
    buffer<std::int32_t> pivots;
};

/// Right sides solved, or an inverse, from factors that the reference computed.
class use_experiment final : public experiment {
public:
    /// b.columns right sides; 0: the inverse.
    use_experiment(const matrix_shape& a, const matrix_shape& b, bool transposed);
    double cells() const override {
        const auto n = static_cast<double>(a_shape_.rows), k = static_cast<double>(x_shape_.columns);
        return static_cast<double>(a_shape_.count) * (inverse_ ? 4.0 / 3 * n * n * n : 2 * n * n * k);
    }
    bool certified() const override { return true; }
    void prepare(const execution& where) override;
    report run(const execution& where, const std::string& variant) override;
    std::string flaw() override;
    ceiling bound(const execution&, const report&) override { return {}; }

private:
    template <class T>
    [[nodiscard]] double roundings(const T* x) const;

    matrix_shape a_shape_, x_shape_;
    bool inverse_, transposed_;
    std::vector<unsigned char> a_, factors_, given_;
    std::vector<std::int32_t> pivots_;
    std::optional<place> at_;
};

use_experiment::use_experiment(const matrix_shape& a, const matrix_shape& b, bool transposed)
    : a_shape_(a), x_shape_(b.columns > 0 ? b : a), inverse_(b.columns == 0), transposed_(transposed) {
    with_type(a.type, [&](auto zero) {
        using T = decltype(zero);
        a_ = random_matrices<T>(a_shape_, true);  // well conditioned: errors of the factors stay small
        given_ = random_matrices<T>(x_shape_, false);
    });
    factors_ = a_;
    pivots_.resize(static_cast<std::size_t>(a.count * a.rows));
    (void)lu_factor(on_cpu{}, matrices(factors_.data(), a_shape_), pivots_.data());
    if (inverse_) given_ = factors_;
}

void use_experiment::prepare(const execution& where) {
    const bool device = backend_of(where) == backend::cuda;
    if (!at_ || (backend_of(at_->where) == backend::cuda) != device) {
        at_.reset();
        place p{where, to_device(where, std::span<const unsigned char>(given_)),
                to_device(where, std::span<const unsigned char>(given_)),
                to_device(where, std::span<const unsigned char>(factors_)),
                to_device(where, std::span<const std::int32_t>(pivots_))};
        at_ = std::move(p);
    }
    copy_bytes(where, at_->x.data(), at_->given.data(), at_->given.size());
}

report use_experiment::run(const execution& where, const std::string& variant) {
    const matrices x(at_->x.data(), x_shape_);
    if (inverse_) return lu_inverse(where, x, at_->pivots.data(), {.variant = variant}).run;
    return lu_solve(where, const_matrices(at_->factors.data(), a_shape_), at_->pivots.data(), x,
                    {.variant = variant, .transposed = transposed_})
        .run;
}

/// The largest of |A x - b| over n eps |A| |x| of all systems, row sums as norms; the inverse X by x = X b
/// for one random b, |A| |X| |b| below. Higham 2002, theorem 9.4 and section 14.3: a few, where the factors
/// are good.
template <class T>
double use_experiment::roundings(const T* x) const {
    const auto* a = reinterpret_cast<const T*>(a_.data());
    const auto* b = reinterpret_cast<const T*>(given_.data());
    const index_t n = a_shape_.rows, sides = inverse_ ? 1 : x_shape_.columns;
    const index_t step = x_shape_.row_step(), across = x_shape_.column_step();
    const index_t down = transposed_ ? a_shape_.column_step() : a_shape_.row_step();
    const index_t right = transposed_ ? a_shape_.row_step() : a_shape_.column_step();
    const double unit = static_cast<double>(n) * std::numeric_limits<T>::epsilon();
    double worst = 0;
    std::vector<double> y(static_cast<std::size_t>(n)), want(y);
    for (index_t s = 0; s < a_shape_.count;
         ++s, a += a_shape_.stride, x += x_shape_.stride, b += x_shape_.stride)
        for (index_t k = 0; k < sides; ++k) {
            double size = 0, norm = 0, off = 0;
            for (index_t i = 0; i < n; ++i) {
                double sum = 0, row = 0;
                for (index_t j = 0; j < n && inverse_; ++j) {
                    const double v = x[i * step + j * across];
                    sum += v * hashed(static_cast<std::uint64_t>(j));
                    row += std::fabs(v);
                }
                y[static_cast<std::size_t>(i)] = inverse_ ? sum : x[i * step + k * across];
                want[static_cast<std::size_t>(i)] =
                    inverse_ ? hashed(static_cast<std::uint64_t>(i)) : b[i * step + k * across];
                size = std::fmax(size, inverse_ ? row : std::fabs(y[static_cast<std::size_t>(i)]));
            }
            for (index_t i = 0; i < n; ++i) {
                double sum = -want[static_cast<std::size_t>(i)], row = 0;
                for (index_t j = 0; j < n; ++j) {
                    sum += a[i * down + j * right] * y[static_cast<std::size_t>(j)];
                    row += std::fabs(a[i * down + j * right]);
                }
                norm = std::fmax(norm, row);
                off = std::isnan(sum) ? sum : std::fmax(off, std::fabs(sum));
                if (std::isnan(off)) return off;
            }
            worst = std::fmax(worst, off / std::fmax(unit * norm * size, 1e-300));
        }
    return worst;
}

std::string use_experiment::flaw() {
    std::vector<unsigned char> x(given_.size());
    copy_bytes(at_->where, x.data(), at_->x.data(), std::ssize(x));
    const double found = with_type(a_shape_.type, [&](auto zero) {
        return roundings(reinterpret_cast<const decltype(zero)*>(x.data()));
    });
    if (found < 30) return {};
    std::ostringstream text;
    text << "residual ratio " << found << ", expected below 30";
    return text.str();
}

/// Matrices of n x n (or drawn) whose operations and bytes keep to the limits, one or many.
matrix_shape draw_shape(dice& d, const cell_limits& most, double operations_of_cube, bool square, traits& t) {
    matrix_shape s;
    s.type = d.pick({scalar::f32, scalar::f64});
    s.order = d.pick({storage_order::column_major, storage_order::row_major});
    const double operations = most.seconds * fast_rate,
                 elements = most.bytes / 4 / static_cast<double>(bytes_of(s.type));
    const double largest = std::fmin(std::cbrt(operations / operations_of_cube), std::sqrt(elements));
    const bool batch = d.one_in(2);
    s.rows = d.size(batch ? std::fmin(largest, 256) : largest);
    s.columns = !square && d.one_in(4) ? d.size(largest) : s.rows;
    s.leading = s.line_size() + (d.one_in(4) ? d.below(9) : 0);
    s.stride = s.leading * s.lines();
    const double one = operations_of_cube * std::pow(static_cast<double>(std::max(s.rows, s.columns)), 3);
    if (batch) s.count = d.size(std::fmin(operations / one, elements / static_cast<double>(s.stride)));
    t.add("type", name_of(s.type))
        .add("order", s.row_major() ? "row_major" : "column_major")
        .add("rows", s.rows);
    t.add("columns", s.columns).add("leading", s.leading).add("count", s.count);
    return s;
}

drawn_cell draw_factor(dice& d, const cell_limits& most) {
    traits t;
    const matrix_shape s = draw_shape(d, most, 2.0 / 3, false, t);
    const auto how = d.pick({pivoting::partial, pivoting::partial, pivoting::none, pivoting::tournament});
    t.add("pivoting", name_of(how));
    return {t.text(), make_factor(s, how, s.count > 1)};
}

drawn_cell draw_solve(dice& d, const cell_limits& most) {
    traits t;
    const matrix_shape a = draw_shape(d, most, 4, true, t);
    matrix_shape b = a;
    const double operations = most.seconds * fast_rate / 2 / static_cast<double>(a.count * a.rows * a.rows);
    const double elements = most.bytes / 3 / static_cast<double>(bytes_of(a.type) * a.count * a.rows);
    b.columns = d.one_in(2) ? 1 : d.size(std::fmin(operations, elements));
    b.leading = b.line_size();
    b.stride = b.leading * b.lines();
    const bool transposed = d.one_in(4);
    t.add("right_sides", b.columns).add("transposed", transposed ? "yes" : "no");
    return {t.text(), std::make_unique<use_experiment>(a, b, transposed)};
}

drawn_cell draw_inverse(dice& d, const cell_limits& most) {
    traits t;
    const matrix_shape a = draw_shape(d, most, 4.0 / 3, true, t);
    return {t.text(), std::make_unique<use_experiment>(a, matrix_shape{}, false)};
}

}  // namespace

std::vector<experiments::drawing> drawings() {
    return {{"factor", "factor", draw_factor},
            {"solve", "solve", draw_solve},
            {"inverse", "inverse", draw_inverse}};
}

}  // namespace wale::lu
