// shim - LAPACK's names for Wale's factorisations and solves, so that LAPACK's own test programs test Wale:
// loaded before LAPACK by LD_PRELOAD. Arguments and INFO are those of LAPACK 3.11; each refused argument is
// reported to XERBLA.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <wale/lu.hpp>
#include <wale/lu_refined.hpp>
#include <wale/tridiagonal.hpp>

extern "C" void xerbla_(const char* name, const std::int32_t* argument, std::size_t length);

namespace {

using namespace wale;
using integer = std::int32_t;  // of LAPACK

/// LAPACK's argument checks: the first bad argument, as -INFO.
struct arguments {
    integer first_bad = 0;
    arguments& check(integer number, bool good) {
        if (first_bad == 0 && !good) first_bad = number;
        return *this;
    }
    bool refuse(const char* name, integer& info) const {
        info = -first_bad;
        if (first_bad != 0) xerbla_(name, &first_bad, 6);
        return first_bad != 0;
    }
};

template <class T>
matrices matrix(T* data, integer rows, integer columns, integer leading) {
    matrix_shape s;
    s.type = scalar_of<T>::value;
    s.order = storage_order::column_major;
    s.rows = rows;
    s.columns = columns;
    s.leading = std::max<index_t>(leading, 1);
    s.stride = s.leading * columns;
    return {data, s};
}

template <class T>
vectors vector(T* data, integer size, integer count = 1, integer stride = 0) {
    vector_shape s = vector_shape::flat(scalar_of<T>::value, std::max(size, 0), count);
    if (count > 1) s.stride = stride;
    return {data, s};
}

bool one_of(char letter, const char* letters) {
    const int c = std::toupper(static_cast<unsigned char>(letter));
    return c == letters[0] || c == letters[1] || c == letters[2];
}
bool is_transposition(char c) {
    return one_of(c, "NTC");
}
bool transposes(char c) {
    return one_of(c, "TCC");
}

/// A call that Wale refuses although LAPACK takes it ends the test program.
template <class Call>
void run(const char* name, Call call) {
    try {
        call();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "shim: %s: %s\n", name, e.what());
        std::exit(70);
    }
}

template <class T>
void factor(const char* name, integer m, integer n, T* a, integer lda, integer* pivots, integer& info) {
    if (arguments{}.check(1, m >= 0).check(2, n >= 0).check(4, lda >= std::max(1, m)).refuse(name, info))
        return;
    run(name, [&] {
        const lu_result r = lu_factor(on_cpu{}, matrix(a, m, n, lda), pivots);
        for (integer k = 0; k < std::min(m, n); ++k) ++pivots[k];  // LAPACK counts from 1
        info = static_cast<integer>(r.first_zero + 1);
    });
}

std::vector<integer> from_zero(const integer* pivots, integer n) {
    std::vector<integer> all(pivots, pivots + n);
    for (integer& p : all) --p;
    return all;
}

template <class T>
void solve(const char* name, char trans, integer n, integer count, T* a, integer lda, const integer* pivots,
           T* b, integer ldb, integer& info) {
    if (arguments{}
            .check(1, is_transposition(trans))
            .check(2, n >= 0)
            .check(3, count >= 0)
            .check(5, lda >= std::max(1, n))
            .check(8, ldb >= std::max(1, n))
            .refuse(name, info))
        return;
    run(name, [&] {
        lu_solve(on_cpu{}, matrix(a, n, n, lda), from_zero(pivots, n).data(), matrix(b, n, count, ldb),
                 {.transposed = transposes(trans)});
    });
}

template <class T>
void invert(const char* name, integer n, T* a, integer lda, const integer* pivots, T* work, integer size,
            integer& info) {
    if (arguments{}
            .check(1, n >= 0)
            .check(3, lda >= std::max(1, n))
            .check(6, size == -1 || size >= std::max(1, n))
            .refuse(name, info))
        return;
    work[0] = static_cast<T>(std::max(1, n));
    if (size == -1) return;
    for (index_t k = 0; k < n && info == 0; ++k)
        if (a[k * lda + k] == T(0)) info = static_cast<integer>(k + 1);
    if (info != 0) return;
    run(name, [&] { lu_inverse(on_cpu{}, matrix(a, n, n, lda), from_zero(pivots, n).data()); });
}

template <class T>
void factor_and_solve(const char* name, integer n, integer count, T* a, integer lda, integer* pivots, T* b,
                      integer ldb, integer& info) {
    if (arguments{}
            .check(1, n >= 0)
            .check(2, count >= 0)
            .check(4, lda >= std::max(1, n))
            .check(7, ldb >= std::max(1, n))
            .refuse(name, info))
        return;
    factor(name, n, n, a, lda, pivots, info);
    if (info == 0) solve(name, 'N', n, count, a, lda, pivots, b, ldb, info);
}

void solve_refined(integer n, integer count, double* a, integer lda, integer* pivots, const double* b,
                   integer ldb, double* x, integer ldx, integer& iterations, integer& info) {
    iterations = 0;
    if (arguments{}
            .check(1, n >= 0)
            .check(2, count >= 0)
            .check(4, lda >= std::max(1, n))
            .check(7, ldb >= std::max(1, n))
            .check(9, ldx >= std::max(1, n))
            .refuse("DSGESV", info))
        return;
    run("DSGESV", [&] {
        const auto r =
            lu_solve_refined(on_cpu{}, matrix(a, n, n, lda), matrix(const_cast<double*>(b), n, count, ldb),
                             matrix(x, n, count, ldx), {.precision = factor_precision::f32});
        iterations = r.fell_back ? -3 : r.iterations;  // -3: SGETRF or the refinement did not suffice
        if (r.fell_back) factor("DSGESV", n, n, a, lda, pivots, info);
    });
}

template <class T>
void chain(const char* name, integer n, integer count, T* lower, T* diagonal, T* upper, T* b, integer ldb,
           integer& info) {
    if (arguments{}.check(1, n >= 0).check(2, count >= 0).check(7, ldb >= std::max(1, n)).refuse(name, info))
        return;
    run(name, [&] {
        // Wale's vectors have n elements each; LAPACK's beside the diagonal have n - 1.
        std::vector<T> below(static_cast<std::size_t>(n)), above(static_cast<std::size_t>(n));
        std::copy(lower, lower + std::max(n - 1, 0), below.begin() + std::min(n, 1));
        std::copy(upper, upper + std::max(n - 1, 0), above.begin());
        if (count == 0) return;
        const auto r = tridiagonal_solve(on_cpu{}, vector(below.data(), n), vector(diagonal, n),
                                         vector(above.data(), n), vector(b, n, count, ldb));
        info = static_cast<integer>(r.first_bad_row + 1);
    });
}

template <class T>
tridiagonal_lu chain_factors(integer n, T* lower, T* diagonal, T* upper, T* second, integer* pivots) {
    return {vector(lower, n - 1), vector(diagonal, n), vector(upper, n - 1), vector(second, n - 2), pivots};
}

template <class T>
void factor_chain(const char* name, integer n, T* lower, T* diagonal, T* upper, T* second, integer* pivots,
                  integer& info) {
    if (arguments{}.check(1, n >= 0).refuse(name, info)) return;
    run(name, [&] {
        info = static_cast<integer>(
            tridiagonal_factor(on_cpu{}, chain_factors(n, lower, diagonal, upper, second, pivots))
                .first_bad_row +
            1);
    });
}

template <class T>
void solve_chain(const char* name, char trans, integer n, integer count, T* lower, T* diagonal, T* upper,
                 T* second, integer* pivots, T* b, integer ldb, integer& info) {
    if (arguments{}
            .check(1, is_transposition(trans))
            .check(2, n >= 0)
            .check(3, count >= 0)
            .check(10, ldb >= std::max(n, 1))
            .refuse(name, info))
        return;
    if (count == 0) return;
    run(name, [&] {
        tridiagonal_solve(on_cpu{}, chain_factors(n, lower, diagonal, upper, second, pivots),
                          vector(b, n, count, ldb), {.transposed = transposes(trans)});
    });
}

}  // namespace

// One set of names for each type. The lengths of strings, which Fortran appends, are not used.
#define WALE_LAPACK(letter, LETTER, T)                                                                       \
    void letter##getrf_(integer* m, integer* n, T* a, integer* lda, integer* pivots, integer* info) {        \
        factor(LETTER "GETRF", *m, *n, a, *lda, pivots, *info);                                              \
    }                                                                                                        \
    void letter##getrs_(char* trans, integer* n, integer* count, T* a, integer* lda, integer* pivots, T* b,  \
                        integer* ldb, integer* info) {                                                       \
        solve(LETTER "GETRS", *trans, *n, *count, a, *lda, pivots, b, *ldb, *info);                          \
    }                                                                                                        \
    void letter##getri_(integer* n, T* a, integer* lda, integer* pivots, T* work, integer* size,             \
                        integer* info) {                                                                     \
        invert(LETTER "GETRI", *n, a, *lda, pivots, work, *size, *info);                                     \
    }                                                                                                        \
    void letter##gesv_(integer* n, integer* count, T* a, integer* lda, integer* pivots, T* b, integer* ldb,  \
                       integer* info) {                                                                      \
        factor_and_solve(LETTER "GESV ", *n, *count, a, *lda, pivots, b, *ldb, *info);                       \
    }                                                                                                        \
    void letter##gtsv_(integer* n, integer* count, T* lower, T* diagonal, T* upper, T* b, integer* ldb,      \
                       integer* info) {                                                                      \
        chain(LETTER "GTSV ", *n, *count, lower, diagonal, upper, b, *ldb, *info);                           \
    }                                                                                                        \
    void letter##gttrf_(integer* n, T* lower, T* diagonal, T* upper, T* second, integer* pivots,             \
                        integer* info) {                                                                     \
        factor_chain(LETTER "GTTRF", *n, lower, diagonal, upper, second, pivots, *info);                     \
    }                                                                                                        \
    void letter##gttrs_(char* trans, integer* n, integer* count, T* lower, T* diagonal, T* upper, T* second, \
                        integer* pivots, T* b, integer* ldb, integer* info) {                                \
        solve_chain(LETTER "GTTRS", *trans, *n, *count, lower, diagonal, upper, second, pivots, b, *ldb,     \
                    *info);                                                                                  \
    }

extern "C" {
WALE_LAPACK(s, "S", float)
WALE_LAPACK(d, "D", double)
void dsgesv_(integer* n, integer* count, double* a, integer* lda, integer* pivots, double* b, integer* ldb,
             double* x, integer* ldx, double*, float*, integer* iterations, integer* info) {
    solve_refined(*n, *count, a, *lda, pivots, b, *ldb, x, *ldx, *iterations, *info);
}
}
