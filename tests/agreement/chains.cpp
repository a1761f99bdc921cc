// chains - calls through the public interface, and residuals from the definition.
#include "agreement/chains.hpp"

#include <sstream>

#include "solvers/tree/chains/cuda/pcr_thomas/tuning.hpp"
#include "solvers/tree/chains/cuda/spike/tuning.hpp"
#include "solvers/tree/chains/cuda/thomas_one_pass/tuning.hpp"
#include "thinned.hpp"

namespace wale::agreement {
namespace {

/// A number in long double.
template <class V>
using long_of = std::conditional_t<std::is_same_v<V, double>, long double, std::complex<long double>>;

/// Row i of the matrix meant: its elements left of, on and right of the diagonal.
template <class V>
struct chain_row {
    long_of<V> low, middle, up;
};
template <class V>
chain_row<V> row_of(const chain_question& q, const chain_answer_of<V>& a, std::size_t s, std::size_t i) {
    const std::vector<V>&l = a.lower[s], &u = a.upper[s];
    const std::size_t n = a.diagonal[s].size(), before = i == 0 ? n - 1 : i - 1,
                      after = i + 1 == n ? 0 : i + 1;
    chain_row<V> r{long_of<V>(q.options.transposed ? u[before] : l[i]), long_of<V>(a.diagonal[s][i]),
                   long_of<V>(q.options.transposed ? l[after] : u[i])};
    if (!q.options.periodic && i == 0) r.low = 0;
    if (!q.options.periodic && i + 1 == n) r.up = 0;
    return r;
}

template <class V>
long double error_of(const chain_question& q, const chain_answer_of<V>& a, std::size_t s,
                     const std::vector<V>& b, const std::vector<V>& x) {
    using L = long_of<V>;
    const std::size_t n = b.size();
    long double matrix = 0, unknown = 0, right = 0, difference = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const chain_row<V> r = row_of(q, a, s, i);
        L sum = r.middle * L(x[i]);
        if (r.low != L(0)) sum += r.low * L(x[i == 0 ? n - 1 : i - 1]);
        if (r.up != L(0)) sum += r.up * L(x[i + 1 == n ? 0 : i + 1]);
        matrix = std::max(matrix, std::abs(r.low) + std::abs(r.middle) + std::abs(r.up));
        unknown = std::max(unknown, std::abs(L(x[i])));
        right = std::max(right, std::abs(L(b[i])));
        const long double off = std::abs(L(b[i]) - sum);
        if (!(off <= difference)) difference = off;
        if (std::isnan(std::abs(x[i]))) return std::numeric_limits<long double>::infinity();
    }
    return difference == 0 ? 0 : difference / (matrix * unknown + right);
}

/// Changes the random rows of a system into those of its kind.
void set_kind(const chain_question& q, std::vector<double>& l, std::vector<double>& d,
              std::vector<double>& u) {
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (q.kind == chain_kind::random) continue;
        if (q.kind == chain_kind::zero_diagonal || q.kind == chain_kind::both_ways) {
            const bool zero = q.kind == chain_kind::zero_diagonal;
            d[i] = zero ? 0 : 0.2;
            l[i] = zero && l[i] >= 0 ? 1 : -1;
            u[i] = zero && u[i] < 0 ? -1 : 1;
            continue;
        }
        d[i] = std::copysign(2.1 + std::fabs(d[i]), d[i]);
        if (q.kind == chain_kind::stiff && i % 3 == 1) d[i] *= 1000;
    }
}
void set_kind(const chain_question& q, std::vector<std::complex<double>>&,
              std::vector<std::complex<double>>& d, std::vector<std::complex<double>>&) {
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (q.kind == chain_kind::dominant) d[i] *= 3 / std::abs(d[i]);  // |l| + |u| < 2 sqrt 2
        if (q.kind == chain_kind::zero_diagonal && i % 3 == 1) d[i] = 0;
    }
}

template <class V>
void add_systems(const chain_question& q, index_t system, values_of<V>& lower, values_of<V>& diagonal,
                 values_of<V>& upper) {
    const index_t n = q.matrix.size_of(system);
    const auto seed = q.seed * 1000 + static_cast<unsigned>(system) * 4;
    std::vector<V> l = random_values<V>(n, seed), d = random_values<V>(n, seed + 1),
                   u = random_values<V>(n, seed + 2);
    set_kind(q, l, d, u);
    if (!q.options.periodic && n > 0) l.front() = u.back() = std::nan("");  // no row may read these
    lower.push_back(l);
    diagonal.push_back(d);
    upper.push_back(u);
}

index_t largest(const vector_shape& s) {
    index_t most = 0;
    for (index_t v = 0; v < (s.ragged() ? s.count : 1); ++v) most = std::max(most, s.size_of(v));
    return most;
}

/// Rows of a chain that the multiprocessors' shared memory holds.
index_t most_of_spike(scalar type) {
    using namespace tree::spike;
    const cuda::device_info device = cuda::require().describe(0);
    const int bytes = static_cast<int>(bytes_of(type));
    const policy& p = policies[tuning::choose("tree/chains/spike", policies, device.sm, bytes)].policy;
    const auto blocks = static_cast<index_t>(tuning::overridden(
        "tree/chains/spike_blocks", 1u << 16, static_cast<std::size_t>(device.multiprocessors)));
    return index_t{32} * p.warps * p.run_bytes[shapes - 1] / bytes *
           std::min<index_t>(blocks, device.multiprocessors);
}

/// Rows of a chain that a cluster's registers hold, where vectors are not aligned for loads of two.
index_t most_of_one_pass(scalar type, bool pivoted) {
    const int sm = cuda::require().describe(0).sm;
    index_t most = 0;
    for (const auto& [from_sm, bytes, tile, evidence] : tree::one_pass::tiles)
        if (sm >= from_sm && (bytes == 0 || bytes == bytes_of(type)) && tile.pivoted == pivoted &&
            tile.words == 1)
            most = std::max<index_t>(most, tile.most_rows());
    return most;
}

/// Rows of a system that the registers of a block hold, or of 16 blocks where those may form a cluster.
index_t most_of_pcr_thomas(scalar type, bool pivoted, bool transposed) {
    using namespace tree::pcr_thomas;
    const int sm = cuda::require().describe(0).sm, bytes = static_cast<int>(bytes_of(type));
    const policy& p =
        pivoted
            ? pivoted_policies[tuning::choose("tree/chains/pcr_thomas_pivoted", pivoted_policies, sm, bytes)]
                  .policy
            : unpivoted_policies[tuning::choose("tree/chains/pcr_thomas", unpivoted_policies, sm, bytes)]
                  .policy;
    return index_t{32} * p.warps * p.rows * (pivoted || transposed || sm < 90 ? 1 : 16);
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

template <class V>
std::optional<chain_answer_of<V>> ask_chains(const execution& where, const std::string& variant,
                                             const chain_question& q, std::string* refusal) {
    values_of<V> lower, diagonal, upper, rhs;
    for (index_t s = 0; s < q.matrix.count; ++s) add_systems(q, s, lower, diagonal, upper);
    for (index_t v = 0; v < q.rhs.count; ++v)
        rhs.push_back(random_values<V>(q.rhs.size_of(v), q.seed * 77 + static_cast<unsigned>(v)));
    const stored_vectors_of<V> l(where, q.matrix, lower), d(where, q.matrix, diagonal),
        u(where, q.matrix, upper), b(where, q.rhs, rhs), x(where, q.rhs, rhs);
    buffer<std::int64_t> status = to_device(where, std::span<const std::int64_t>(std::vector<std::int64_t>(
                                                       static_cast<std::size_t>(q.matrix.count), -7)));
    chain_answer_of<V> a;
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

template std::optional<chain_answer_of<double>> ask_chains(const execution&, const std::string&,
                                                           const chain_question&, std::string*);
template std::optional<chain_answer_of<std::complex<double>>> ask_chains(const execution&, const std::string&,
                                                                         const chain_question&, std::string*);

bool takes_complex_chains(const std::string& row) {
    return row == "reference/plain" || row == "cpu/thomas" || row == "cuda/thomas" || row == "cuda/pcr" ||
           row == "cuda/recursive_partition" || row.ends_with("/automatic");
}

bool may_refuse(const std::string& row, const chain_question& q) {
    if (is_complex(q.matrix.type) && !takes_complex_chains(row)) return true;
    const vector_shape &m = q.matrix, &b = q.rhs;
    const bool pivoted = q.options.pivoting == pivoting::partial;
    const bool uniform =
        m.count == b.count && m.layout == b.layout && m.stride == b.stride && m.width == b.width;
    const auto laid_out = [&](vector_layout l) { return m.layout == l && !m.ragged(); };
    if (row == "cpu/lanes") return m.count == b.count && m.ragged() && q.options.periodic;
    if (row == "cuda/spike") return largest(m) > most_of_spike(m.type);
    if (row == "cuda/pcr")
        return q.options.periodic || m.ragged() || b.ragged() || m.count != b.count || m.size > 1024 ||
               m.count == 0;
    if (row == "cuda/recursive_partition") return b.count > (index_t{1} << 20);
    if (row == "cuda/thomas_one_pass")
        return q.options.periodic || !uniform ||
               !(laid_out(vector_layout::interleaved) || laid_out(vector_layout::block_interleaved)) ||
               m.size > most_of_one_pass(m.type, pivoted);
    if (row ==
        "cuda/pcr_thomas")  // the vectors of stored_vectors are apart, so that unified ones are refused
        return !laid_out(vector_layout::flat) || b.layout != m.layout || b.ragged() ||
               b.size > most_of_pcr_thomas(m.type, pivoted, q.options.transposed);
    return false;
}

namespace {

template <class V>
bool expect_right(const named_row& row, const chain_question& q, double good) {
    std::optional<std::vector<std::byte>> bits;
    for (const int threads : {1, 3}) {
        if (threads > 1 && row.where != backend::cpu) break;
        std::string why;
        const auto found = ask_chains<V>(execution_of(row, threads), variant_of(row), q, &why);
        if (!found) {
            EXPECT_TRUE(may_refuse(row.name, q)) << row.name << ", " << q.what() << ": " << why;
            EXPECT_TRUE(why.starts_with(row.name + ": ")) << why;
            return false;
        }
        const std::string what = row.name + ", " + q.what() + ", " + std::to_string(threads) + " threads";
        EXPECT_TRUE(found->inputs_untouched) << what;
        EXPECT_TRUE(found->gaps_untouched) << what;
        EXPECT_LT(chain_ratio(q, *found), good) << what;
        EXPECT_EQ(found->result.first_bad_system, -1) << what;
        for (const std::int64_t s : found->status) EXPECT_EQ(s, -1) << what;
        if (!bits) bits = found->bits;
        EXPECT_TRUE(*bits == found->bits) << "other bits: " << what;
    }
    return true;
}

}  // namespace

bool expect_chains_right(const named_row& row, const chain_question& q) {
    if (!asked_here()) return true;
    return is_complex(q.matrix.type) ? expect_right<std::complex<double>>(row, q, good_complex_ratio)
                                     : expect_right<double>(row, q, good_chain_ratio);
}

template <class V>
double chain_ratio(const chain_question& q, const chain_answer_of<V>& a) {
    const double eps = q.matrix.type == scalar::f32 || q.matrix.type == scalar::c64 ? 0x1p-24 : 0x1p-53;
    long double most = 0;
    const std::size_t each = a.lower.empty() ? 1 : a.rhs.size() / a.lower.size();
    for (std::size_t v = 0; v < a.rhs.size(); ++v)
        most = std::max(most, error_of(q, a, v / each, a.rhs[v], a.solution[v]));
    return static_cast<double>(most) / eps;
}
template double chain_ratio(const chain_question&, const chain_answer_of<double>&);
template double chain_ratio(const chain_question&, const chain_answer_of<std::complex<double>>&);

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
