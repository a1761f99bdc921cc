// blas - products of matrices on the calling thread: the order in which the parts of a matrix are worked on,
// and by which thread, is the caller's.
#pragma once

#include <algorithm>
#include <complex>
#include <memory>
#include <string>
#include <vector>
#include <wale/matrix.hpp>

namespace wale::cpu::blas {

/// A matrix, or a part of one, whose rows or columns are contiguous. Owns nothing.
template <class T>
struct block {
    T* data = nullptr;
    index_t leading = 0;  // elements from a row (row-major) or column (column-major) to the next
    storage_order order = storage_order::column_major;

    [[nodiscard]] bool row_major() const { return order == storage_order::row_major; }
    [[nodiscard]] index_t row_step() const { return row_major() ? leading : 1; }
    [[nodiscard]] index_t column_step() const { return row_major() ? 1 : leading; }
    T& operator()(index_t row, index_t column) const {
        return data[row * row_step() + column * column_step()];
    }
    /// The part from (row, column) on.
    [[nodiscard]] block from(index_t row, index_t column) const {
        return {data + row * row_step() + column * column_step(), leading, order};
    }
    [[nodiscard]] block transposed() const {
        return {data, leading, row_major() ? storage_order::column_major : storage_order::row_major};
    }
    operator block<const T>() const { return {data, leading, order}; }
};

struct extents {
    index_t rows = 0, columns = 0, inner = 0;
};

/// C -= A B; A is rows x inner, B inner x columns. Any of the three in either order.
///
/// Each element of C takes its products one after the other, in the order of the inner index: the bits do not
/// depend on how C is cut into parts, nor on the order of the three in memory. The exception is one column
/// (or row) of C whose other factor is contiguous along the inner index, and one column of complex C: sums by
/// lanes or parts, the same for every cut of C. Memory for a part of A and B is kept by the thread
/// (reserve()): 2 * rows * columns * inner operations, 2 MiB.
template <class T>
void subtract_product(block<T> c, block<const T> a, block<const T> b, const extents& e);

/// Columns of a row-major C: the most of which each element of A is read once and where it is, and those that
/// fill a vector, at least 2. A product of other numbers of columns takes longer a column.
struct column_group {
    index_t most, vector;
};
template <class T>
[[nodiscard]] column_group columns_together();

/// What the kernels are, "AVX3, tiles of 24 x 8 (f64) and 48 x 8 (f32)".
[[nodiscard]] std::string kernels();

/// Takes the memory of the calling thread, so that products of this thread throw no bad_alloc later.
void reserve();

/// A factor of products in the order in which the kernels read it, for use by several products and threads.
template <class T>
class packed {
public:
    /// A part of a product begins at a multiple of this many rows (of A) or columns (of B).
    static constexpr index_t step = 96;

    /// Takes memory for A, `lines` = rows (left), or B, `lines` = columns (right), of products C -= A B where
    /// C is stored in `order`.
    void shape(storage_order order, bool left, index_t lines, index_t inner);
    /// Packs `count` lines from line `first` on, a multiple of step, of the factor `x`. Does not throw.
    void fill(block<const T> x, index_t first, index_t count);

    /// Line `first`, a multiple of step.
    [[nodiscard]] const T* from(index_t first) const { return memory_.get() + first * inner_; }
    [[nodiscard]] index_t inner() const { return inner_; }

private:
    struct release {
        void operator()(T* p) const;
    };
    template <class>
    friend class packed;
    std::unique_ptr<T, release> memory_;
    index_t size_ = 0, inner_ = 0, width_ = 1;
    bool left_ = true;
};

/// Of complex numbers: the same of their parts (blas_kernels.hpp).
template <class R>
class packed<std::complex<R>> {
public:
    static constexpr index_t step = packed<R>::step;
    void shape(storage_order order, bool left, index_t lines, index_t inner);
    void fill(block<const std::complex<R>> x, index_t first, index_t count);
    [[nodiscard]] const R* from(index_t first) const { return parts_.from(doubled_ ? 2 * first : first); }
    [[nodiscard]] index_t inner() const { return parts_.inner() / 2; }

private:
    packed<R> parts_;
    bool left_ = true, doubled_ = true;  // doubled_: two real lines a line
};

/// C -= A B for e.rows rows of A from `row` on and e.columns columns of B from 0 on. Does not throw.
template <class T>
void subtract_product(block<T> c, const packed<T>& a, index_t row, const packed<T>& b, const extents& e);

}  // namespace wale::cpu::blas
