// problem - the numerics of one row that every backend shares. Inline, host and device, no loops over the
// domain.
#pragma once

#include "base/scalar.hpp"
#include "solvers/tree/jobs.hpp"

namespace wale::tree {

using base::pivot_size, base::product, base::real_of, base::with_any_type, base::with_type;

/// One vector by element.
template <class T>
struct line {
    T* data;
    index_t step;
    WALE_HD T& operator[](index_t i) const { return data[i * step]; }
};
template <class T>
[[nodiscard]] line<const T> line_of(const const_vectors& v, index_t number) {
    return {static_cast<const T*>(v.data) + v.begin_of(number), v.step()};
}
template <class T>
[[nodiscard]] line<T> line_of(const vectors& v, index_t number) {
    return {static_cast<T*>(v.data) + v.begin_of(number), v.step()};
}

/// A pivot that no elimination can divide by.
template <class T>
WALE_HD bool is_bad(T pivot) {
    return pivot == T(0) || !(pivot - pivot == T(0));  // 0, infinite or NaN
}

/// The rows of one system as they are meant: transposed, and without the corners unless periodic.
/// A^T has lower'[i] = upper[i - 1] and upper'[i] = lower[i + 1], round the corner too.
template <class T>
struct bands {
    line<const T> lower, diagonal, upper;
    index_t size;
    bool periodic, transposed;
    WALE_HD T low(index_t i) const {
        if (i == 0 && !periodic) return T(0);
        return transposed ? upper[i == 0 ? size - 1 : i - 1] : lower[i];
    }
    WALE_HD T middle(index_t i) const { return diagonal[i]; }
    WALE_HD T up(index_t i) const {
        if (i == size - 1 && !periodic) return T(0);
        return transposed ? lower[i == size - 1 ? 0 : i + 1] : upper[i];
    }
};
template <class T>
[[nodiscard]] bands<T> bands_of(const chain_matrix& a, index_t system) {
    return {line_of<T>(a.lower, system),
            line_of<T>(a.diagonal, system),
            line_of<T>(a.upper, system),
            a.diagonal.size_of(system),
            a.periodic,
            a.transposed};
}

/// Notes a bad pivot on the host, in a job's status and result. Rows come in ascending order of systems.
struct verdict {
    std::int64_t* status;
    index_t first_system = -1, first_row = -1;
    void begin(index_t system) const {
        if (status) status[system] = -1;
    }
    void note(index_t system, index_t row) {
        if (status && (status[system] < 0 || row < status[system])) status[system] = row;
        if (first_system < 0 || system < first_system || (system == first_system && row < first_row)) {
            first_system = system;
            first_row = row;
        }
    }
    template <class Result>
    void report(Result& result) const {
        if (first_system < 0) return;
        if (result.first_bad_system >= 0 &&
            (result.first_bad_system < first_system ||
             (result.first_bad_system == first_system && result.first_bad_row <= first_row)))
            return;
        result.first_bad_system = first_system;
        result.first_bad_row = first_row;
    }
};

}  // namespace wale::tree
