// chains - calls through the public interface, and residuals from the definition.
#include "agreement/chains.hpp"

#include <sstream>

namespace wale::agreement {
namespace {

/// Row i of the matrix meant: its elements left of, on and right of the diagonal.
struct chain_row {
    double low, middle, up;
};
chain_row row_of(const chain_question& q, const chain_answer& a, std::size_t s, std::size_t i) {
    const std::vector<double>&l = a.lower[s], &u = a.upper[s];
    const std::size_t n = a.diagonal[s].size(), before = i == 0 ? n - 1 : i - 1,
                      after = i + 1 == n ? 0 : i + 1;
    chain_row r{q.options.transposed ? u[before] : l[i], a.diagonal[s][i],
                q.options.transposed ? l[after] : u[i]};
    if (!q.options.periodic && i == 0) r.low = 0;
    if (!q.options.periodic && i + 1 == n) r.up = 0;
    return r;
}

long double error_of(const chain_question& q, const chain_answer& a, std::size_t s,
                     const std::vector<double>& b, const std::vector<double>& x) {
    const std::size_t n = b.size();
    long double matrix = 0, unknown = 0, right = 0, difference = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const chain_row r = row_of(q, a, s, i);
        long double sum = static_cast<long double>(r.middle) * x[i];
        if (r.low != 0) sum += static_cast<long double>(r.low) * x[i == 0 ? n - 1 : i - 1];
        if (r.up != 0) sum += static_cast<long double>(r.up) * x[i + 1 == n ? 0 : i + 1];
        matrix = std::max(matrix, std::fabs(static_cast<long double>(r.low)) +
                                      std::fabs(static_cast<long double>(r.middle)) +
                                      std::fabs(static_cast<long double>(r.up)));
        unknown = std::max(unknown, std::fabs(static_cast<long double>(x[i])));
        right = std::max(right, std::fabs(static_cast<long double>(b[i])));
        if (!(std::fabs(b[i] - sum) <= difference)) difference = std::fabs(b[i] - sum);
        if (std::isnan(x[i])) return std::numeric_limits<long double>::infinity();
    }
    return difference == 0 ? 0 : difference / (matrix * unknown + right);
}

void add_systems(const chain_question& q, index_t system, values& lower, values& diagonal, values& upper) {
    const index_t n = q.matrix.size_of(system);
    const auto seed = q.seed * 1000 + static_cast<unsigned>(system) * 4;
    std::vector<double> l = random_values(n, seed), d = random_values(n, seed + 1),
                        u = random_values(n, seed + 2);
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (q.kind == chain_kind::random) continue;
        d[i] = std::copysign(2.1 + std::fabs(d[i]), d[i]);
        if (q.kind == chain_kind::stiff && i % 3 == 1) d[i] *= 1000;
    }
    if (!q.options.periodic && n > 0) l.front() = u.back() = std::nan("");  // nobody uses them
    lower.push_back(l);
    diagonal.push_back(d);
    upper.push_back(u);
}

std::vector<std::int64_t> fetched(const execution& where, const buffer<std::int64_t>& from, index_t size) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(size));
    copy_bytes(where, all.data(), from.data(), size * index_t{sizeof(std::int64_t)});
    return all;
}

}  // namespace

std::string chain_question::what() const {
    const char* layouts[] = {"flat", "interleaved", "block_interleaved", "unified"};
    std::ostringstream out;
    out << name_of(matrix.type) << ' ' << layouts[static_cast<int>(matrix.layout)] << ' ' << matrix.count
        << " of " << matrix.size << " stride " << matrix.stride << " width " << matrix.width
        << (matrix.ragged() ? " ragged" : "") << ", " << rhs.count << " sides "
        << layouts[static_cast<int>(rhs.layout)] << (options.periodic ? " periodic" : "")
        << (options.transposed ? " transposed" : "") << (options.pivoting == pivoting::none ? "" : " pivoted")
        << (in_place ? "" : " apart") << (options.overwrite ? " overwrite" : "") << " seed " << seed;
    return out.str();
}

std::optional<chain_answer> ask_chains(const execution& where, const std::string& variant,
                                       const chain_question& q, std::string* refusal) {
    values lower, diagonal, upper, rhs;
    for (index_t s = 0; s < q.matrix.count; ++s) add_systems(q, s, lower, diagonal, upper);
    for (index_t v = 0; v < q.rhs.count; ++v)
        rhs.push_back(random_values(q.rhs.size_of(v), q.seed * 77 + static_cast<unsigned>(v)));
    const stored_vectors l(where, q.matrix, lower), d(where, q.matrix, diagonal), u(where, q.matrix, upper),
        b(where, q.rhs, rhs), x(where, q.rhs, rhs);
    buffer<std::int64_t> status = to_device(where, std::span<const std::int64_t>(std::vector<std::int64_t>(
                                                       static_cast<std::size_t>(q.matrix.count), -7)));
    chain_answer a;
    tridiagonal_options options = q.options;
    options.variant = variant;
    options.status = status.data();
    try {
        a.result = q.in_place ? tridiagonal_solve(where, l.const_view(), d.const_view(), u.const_view(),
                                                  x.view(), options)
                              : tridiagonal_solve(where, l.const_view(), d.const_view(), u.const_view(),
                                                  b.const_view(), x.view(), options);
    } catch (const unsupported_variant& e) {
        *refusal = e.what();
        return std::nullopt;
    }
    if (options.asynchronous) (void)x.bits();  // waits
    a.lower = l.given();
    a.diagonal = d.given();
    a.upper = u.given();
    a.rhs = b.given();
    a.solution = x.now();
    a.bits = x.bits();
    a.status = fetched(where, status, q.matrix.count);
    a.inputs_untouched =
        (q.options.overwrite || (l.untouched() && d.untouched() && u.untouched())) && b.untouched();
    a.gaps_untouched = x.gaps_untouched();
    return a;
}

double chain_ratio(const chain_question& q, const chain_answer& a) {
    const double eps = q.matrix.type == scalar::f32 ? 0x1p-24 : 0x1p-53;
    long double most = 0;
    const std::size_t each = a.lower.empty() ? 1 : a.rhs.size() / a.lower.size();
    for (std::size_t v = 0; v < a.rhs.size(); ++v)
        most = std::max(most, error_of(q, a, v / each, a.rhs[v], a.solution[v]));
    return static_cast<double>(most) / eps;
}

vector_shape chain_shape(int k, scalar type, index_t size, index_t count) {
    vector_shape s;
    switch (k) {
        case 0:
            return vector_shape::flat(type, size, count);
        case 1:
            return vector_shape::interleaved(type, size, count);
        case 2:
            return vector_shape::block_interleaved(type, size, count, 32);
        case 3:
            return vector_shape::unified(type, size, count);
        case 4:
            s = vector_shape::flat(type, size, count);
            s.stride += 3;
            return s;
        case 5:
            s = vector_shape::interleaved(type, size, count);
            s.stride += 5;
            return s;
        case 6:
            return vector_shape::block_interleaved(type, size, count, 5);
        default:
            s = vector_shape::unified(type, size, count);
            s.stride += 1;
            return s;
    }
}

}  // namespace wale::agreement
