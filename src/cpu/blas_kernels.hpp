// blas_kernels - the loops of products of matrices in vectors, for each Highway target (blas_kernels.cpp).
#pragma once

#include <wale/layout.hpp>

namespace wale::cpu::blas {

/// C -= A B, C column-major with `leading` elements from a column to the next.
template <class T>
struct tiled_product {
    index_t rows = 0, columns = 0, inner = 0;
    const T* a = nullptr;
    index_t a_tile = 0;    // elements from a tile of rows to the next,
    index_t a_step = 0;    // and from a column of a tile to the next
    const T* b = nullptr;  // packed by pack(), width = columns of a tile, or where it is:
    T* c = nullptr;
    index_t leading = 0;
    index_t b_line = 0;  // elements from a column of B to the next, 0: packed,
    index_t b_step = 0;  // and from a row to the next, or with `pairs` from two adjacent rows to the next two
    bool pairs = false;  // elements of rows 2 k and 2 k + 1 of B are neighbours
};

/// What is packed: element (i, k) at data[i * line_step + k * inner_step]; one of the steps is 1.
template <class T>
struct unpacked {
    const T* data = nullptr;
    index_t line_step = 0, inner_step = 0, lines = 0, inner = 0;
};

struct tile_extents {
    index_t rows = 0, columns = 0;  // of C, one kernel call; both divide packed<T>::step
    index_t vector = 0;             // rows
};

/// A complex product is a real one: C is read as rows of real and imaginary parts in turn. Column 2 k of the
/// real A holds column k of A, column 2 k + 1 the same times i; rows 2 k and 2 k + 1 of the real B hold the
/// parts of row k of B. unpacked<> has steps and counts of complex numbers then.
#define WALE_BLAS_KERNELS(type)                                                                          \
    [[nodiscard]] tile_extents tile_of(type);                                                            \
    /* rows that are no whole vectors need a packed A, whose last tile is padded with zeros */           \
    void multiply(const tiled_product<type>&);                                                           \
    /* element (i, k) goes to to[i / width * width * inner + k * width + i % width], zeros at the end */ \
    void pack(const unpacked<type>&, index_t width, type* to);                                           \
    /* the same of complex numbers, as real factors (below): of A (`left`) or of B */                    \
    void pack_parts(const unpacked<type>&, bool left, index_t width, type* to);                          \
    /* y[i * y_step] -= sum over k of a[i * leading + k] * x[k] */                                       \
    void subtract_dots(const tiled_product<type>&, const type* x, index_t y_step);
WALE_BLAS_KERNELS(float)
WALE_BLAS_KERNELS(double)
#undef WALE_BLAS_KERNELS

}  // namespace wale::cpu::blas
