// jobs - one call of each operation, typeless, as its variants see it; and the tables of those variants.
// api.cpp has checked everything before a variant runs: shapes, types, memory spaces, overlap. Any count and
// size may be 0.
#pragma once

#include <string>
#include <wale/hines.hpp>
#include <wale/tridiagonal.hpp>

#include "variants/table.hpp"

namespace wale::tree {

/// The three diagonals of `systems()` systems; one shape, one scalar type.
struct chain_matrix {
    const_vectors lower, diagonal, upper;
    bool periodic = false;
    bool transposed = false;  // the matrix meant is the transpose of what the arrays say (problem.hpp: bands)

    [[nodiscard]] const vector_shape& shape() const { return diagonal; }
    [[nodiscard]] scalar type() const { return diagonal.type; }
    [[nodiscard]] index_t systems() const { return diagonal.count; }
};

/// Solve every system. Vector v of rhs and solution is of system v / right_sides().
struct chain_job {
    execution where;
    chain_matrix a;
    const_vectors rhs;
    vectors solution;                                   // rhs's shape; rhs's memory, or memory apart from all
    wale::pivoting pivoting = wale::pivoting::partial;  // none or partial
    bool overwrite = false;                             // the arrays of `a` may be written
    bool asynchronous = false;       // CUDA: no synchronisation; result->run.policy alone may be filled in
    std::int64_t* status = nullptr;  // [systems] in memory of `where`, or null
    bool matrix_spent = false;       // out: the run wrote to the arrays of `a`
    index_t* workspace = nullptr;    // set: write the bytes of memory that the run would take, and return
    tridiagonal_result* result = nullptr;  // run.policy, threads, device, iterations and the outcome

    [[nodiscard]] bool is_complex() const { return wale::is_complex(a.type()); }
    [[nodiscard]] index_t right_sides() const { return a.systems() == 0 ? 0 : rhs.count / a.systems(); }
    /// Every vector of the job has the same layout, stride and width, and each system one right side.
    [[nodiscard]] bool uniform() const {
        const vector_shape &m = a.shape(), &b = rhs;
        return m.count == b.count && m.layout == b.layout && m.stride == b.stride && m.width == b.width;
    }
};

/// Factor every system into memory of the factors' own.
struct chain_factors;
struct chain_factor_job {
    execution where;
    chain_matrix a;
    wale::pivoting pivoting = wale::pivoting::partial;
    std::int64_t* status = nullptr;
    chain_factors* factors = nullptr;  // to be filled in by the row
    tridiagonal_result* result = nullptr;
    [[nodiscard]] bool is_complex() const { return wale::is_complex(a.type()); }
};

/// What a row of the factor table leaves for its own solve.
struct chain_factors {
    execution where;
    index_t size = 0, systems = 0;  // of the matrix
    vector_shape shape;             // of its diagonals
    std::vector<index_t> starts;    // owned copy where they are ragged; shape.starts shows it
    index_t bytes = 0;
    tridiagonal_result result;
    virtual ~chain_factors() = default;
    std::shared_ptr<void> data;  // the row's own
    /// In place. rhs.count is a multiple of `systems`.
    void (*solve)(const chain_factors& f, const vectors& rhs, bool transposed, bool asynchronous,
                  tridiagonal_result& result) = nullptr;
};

/// LAPACK's form: factor, or where `rhs` has data solve.
struct chain_lu_job {
    execution where;
    tridiagonal_lu a;
    vectors rhs;
    bool transposed = false;
    std::int64_t* status = nullptr;
    tridiagonal_result* result = nullptr;
    [[nodiscard]] bool is_complex() const { return wale::is_complex(a.diagonal.type); }
};

/// Solve every vector's system over the plan's topology.
struct hines_job {
    execution where;
    const wale::tree::topology* tree = nullptr;
    const_vectors diagonal, upper, lower, rhs;  // one shape
    vectors solution;
    vectors eliminated;  // data null: not wanted
    bool asynchronous = false;
    std::int64_t* status = nullptr;  // [count]
    hines_result* result = nullptr;
    [[nodiscard]] bool symmetric() const { return upper.data == lower.data; }
};

/// The residuals: internal, not in wale::variants().
struct chain_residual_job {
    execution where;
    chain_matrix a;
    const_vectors rhs, solution;
    double residual = 0;  // out
    [[nodiscard]] bool is_complex() const { return wale::is_complex(a.type()); }
};
struct hines_residual_job {
    execution where;
    const wale::tree::topology* tree = nullptr;
    const_vectors diagonal, upper, lower, rhs, solution;
    double residual = 0;  // out
};

using chain_table = catalogue::table<chain_job>;
using chain_factor_table = catalogue::table<chain_factor_job>;
using chain_lu_table = catalogue::table<chain_lu_job>;
using hines_table = catalogue::table<hines_job>;
using chain_residual_table = catalogue::table<chain_residual_job>;
using hines_residual_table = catalogue::table<hines_residual_job>;

/// The tables. The CUDA plugin appends its rows to them when it is loaded.
[[nodiscard]] chain_table& chain_rows();
[[nodiscard]] chain_factor_table& chain_factor_rows();
[[nodiscard]] chain_lu_table& chain_lu_rows();
[[nodiscard]] hines_table& hines_rows();
[[nodiscard]] chain_residual_table& chain_residual_rows();
[[nodiscard]] hines_residual_table& hines_residual_rows();

}  // namespace wale::tree
