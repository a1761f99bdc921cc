// named_rows - repeats the plain elimination of the systems that had a bad pivot, on the host, without right
// sides.
#include "solvers/tree/named_rows.hpp"

#include <utility>
#include <vector>
#include <wale/buffer.hpp>

#include "solvers/tree/elimination/folded.hpp"
#include "solvers/tree/topology.hpp"

namespace wale::tree {
namespace {

/// Vectors of a job where the host reads them: a copy of those on a device.
class on_host {
public:
    on_host(const execution& where, const const_vectors& v) : seen_(v) {
        if (backend_of(where) != backend::cuda) return;
        const index_t bytes = v.span_elements() * bytes_of(v.type);
        copy_ = buffer<unsigned char>(bytes);
        copy_bytes(where, copy_.data(), v.data, bytes);
        seen_.data = copy_.data();
    }
    operator const const_vectors&() const { return seen_; }

private:
    const_vectors seen_;
    buffer<unsigned char> copy_;
};

/// As elimination.hpp, row by row. -1: every pivot is good.
template <class T>
index_t first_bad_row(const bands<T>& a, bool pivoted) {
    if (a.size == 0) return -1;
    if (a.periodic && pivoted) return factor_folded(a, folded_factors<T>{nullptr, a.size, 1});
    const index_t inner = a.periodic ? a.size - 1 : a.size;
    T pivot = a.middle(0), right = a.up(0);
    for (index_t i = 0; i < inner; ++i) {
        const bool more = i + 1 < inner;
        T low = more ? a.low(i + 1) : T(0), middle = more ? a.middle(i + 1) : T(0);
        T up = i + 2 < inner ? a.up(i + 1) : T(0), beyond = 0;
        if (pivoted && pivot_size(low) > pivot_size(pivot)) {
            std::swap(pivot, low);
            std::swap(right, middle);
            std::swap(beyond, up);
        }
        if (is_bad(pivot)) return i;
        const T multiplier = low / pivot;
        pivot = middle - multiplier * right;
        right = up - multiplier * beyond;
    }
    return a.periodic ? a.size - 1 : -1;
}

/// As hines/reference.cpp.
template <class T>
index_t first_bad_node(const topology& t, const line<const T>& diagonal, const line<const T>& upper,
                       const line<const T>& lower) {
    std::vector<T> d(t.parent.size());
    std::vector<char> spoilt(t.parent.size(), 0);  // by a node below
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = diagonal[static_cast<index_t>(i)];
    index_t lowest = -1;
    for (std::size_t k = d.size(); k-- > 0;) {
        const std::int32_t node = t.order[k];
        const auto i = static_cast<std::size_t>(node);
        const bool bad = is_bad(d[i]);
        if (bad && spoilt[i] == 0 && (lowest < 0 || node < lowest)) lowest = node;
        if (t.parent[i] < 0) continue;
        const auto p = static_cast<std::size_t>(t.parent[i]);
        if (bad || spoilt[i] != 0) spoilt[p] = 1;
        d[p] -= upper[node] / d[i] * lower[node];
    }
    return lowest;
}

/// row_of(system) for every system that was noted.
template <class Job, class RowOf>
void correct(const Job& job, index_t systems, const RowOf& row_of) {
    const auto corrected = [&](index_t system, index_t row) {
        const index_t found = row_of(system);
        return found < 0 ? row : found;
    };
    auto& result = *job.result;
    if (job.status == nullptr) {
        result.first_bad_row = corrected(result.first_bad_system, result.first_bad_row);
        return;
    }
    std::vector<std::int64_t> status(static_cast<std::size_t>(systems));
    const index_t bytes = systems * index_t{sizeof(std::int64_t)};
    copy_bytes(job.where, status.data(), job.status, bytes);
    for (index_t s = 0; s < systems; ++s) {
        std::int64_t& row = status[static_cast<std::size_t>(s)];
        if (row >= 0) row = corrected(s, row);
    }
    copy_bytes(job.where, job.status, status.data(), bytes);
    result.first_bad_row = status[static_cast<std::size_t>(result.first_bad_system)];
}

}  // namespace

void name_rows(const chain_job& job) {
    if (job.result->first_bad_system < 0 || job.matrix_spent) return;
    const on_host lower(job.where, job.a.lower), diagonal(job.where, job.a.diagonal),
        upper(job.where, job.a.upper);
    const chain_matrix a{lower, diagonal, upper, job.a.periodic, job.a.transposed};
    correct(job, a.systems(), [&](index_t s) {
        return with_any_type(a.type(), [&](auto zero) {
            return first_bad_row(bands_of<decltype(zero)>(a, s), job.pivoting == pivoting::partial);
        });
    });
}

void name_nodes(const hines_job& job) {
    if (job.result->first_bad_system < 0) return;
    const on_host diagonal(job.where, job.diagonal), upper(job.where, job.upper), lower(job.where, job.lower);
    correct(job, job.rhs.count, [&](index_t v) {
        return with_type(job.rhs.type, [&](auto zero) {
            using T = decltype(zero);
            return first_bad_node(*job.tree, line_of<T>(diagonal, v), line_of<T>(upper, v),
                                  line_of<T>(lower, v));
        });
    });
}

}  // namespace wale::tree
