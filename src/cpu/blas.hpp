// blas - the matrix product and triangular solve of OpenBLAS for one thread: each call runs on its caller's
// thread alone, for the order in which the parts of a matrix are worked on is ours. The only door to cblas.h.
#pragma once

#include <string>
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
template <class T>
void subtract_product(block<T> c, block<const T> a, block<const T> b, const extents& e);

/// The processor whose kernels OpenBLAS runs, "SkylakeX".
[[nodiscard]] std::string kernels();

/// Whether OpenBLAS takes such a matrix: its integers have 32 bits.
[[nodiscard]] bool takes(const matrix_shape& m);

/// Between constructor and destructor, calls from this thread run on this thread alone.
///
/// OpenBLAS for OpenMP asks omp_get_max_threads() of the calling thread: that number is set to 1 for this
/// thread and put back; no other thread notices. OpenBLAS for pthreads has one number for the process: it is
/// 1 while any of these objects exists, so calls of others meanwhile run on one thread too; what was set before comes
/// back with the last.
class on_this_thread {
public:
    on_this_thread();
    ~on_this_thread();
    on_this_thread(const on_this_thread&) = delete;
    on_this_thread& operator=(const on_this_thread&) = delete;

private:
    int before_ = 0;
};

}  // namespace wale::cpu::blas
