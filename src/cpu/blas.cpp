#include "cpu/blas.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>

#include "base/aligned.hpp"
#include "base/of_thread.hpp"
#include "base/scalar.hpp"
#include "cpu/blas_kernels.hpp"
#include "cpu/instruction_set.hpp"

namespace wale::cpu::blas {
namespace {

constexpr index_t a_bytes = index_t{3} << 17,
                  b_bytes = index_t{3} << 19;  // of A: the second cache; of B: the third
constexpr index_t inner_bytes = 2048;          // of a line: eight lines leave room in the first cache

void* take(index_t bytes) {
    constexpr std::size_t large = std::size_t{1} << 21;  // bytes of a large page on x86-64 and most of ARM
    const auto size = static_cast<std::size_t>(bytes);
    void* p = nullptr;
    if (posix_memalign(&p, size >= large ? large : base::cache_line, size) != 0) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (size >= large) (void)madvise(p, size / large * large, MADV_HUGEPAGE);  // a wish, no more
#endif
    return p;
}

struct release {
    void operator()(void* p) const { std::free(p); }
};

/// The memory of one thread, which stays for the next product.
struct product_memory {
    std::unique_ptr<void, release> own{take(a_bytes + b_bytes)};
};
char* own_memory() {
    return static_cast<char*>(base::of_thread<product_memory>().own.get());
}

template <class T>
T* memory_of_a() {
    return reinterpret_cast<T*>(own_memory());
}
template <class T>
T* memory_of_b() {
    return reinterpret_cast<T*>(own_memory() + a_bytes);
}

/// Rows (left) or columns of x as lines that are packed.
template <class T>
unpacked<T> lines_of(block<const T> x, bool left, index_t lines, index_t inner) {
    return {x.data, left ? x.row_step() : x.column_step(), left ? x.column_step() : x.row_step(), lines,
            inner};
}

/// C -= A B where columns of C are contiguous and B is packed or read where it is; A is packed part by part.
template <class T>
void multiply_packing_a(tiled_product<T> p, block<const T> a) {
    const index_t tile = tile_of(T()).rows, all = p.rows, size = p.inner * index_t{sizeof(T)},
                  at_once = std::max<index_t>(1, a_bytes / size / tile) * tile;
    p.a = memory_of_a<T>();
    p.a_tile = tile * p.inner;
    p.a_step = tile;
    T* const c = p.c;
    for (index_t i = 0; i < all; i += at_once) {
        p.rows = std::min(at_once, all - i);
        p.c = c + i;
        pack(lines_of(a.from(i, 0), true, p.rows, p.inner), tile, memory_of_a<T>());
        multiply(p);
    }
}

/// The same; whole vectors of A are read where they are for few columns, as each element would be packed for
/// a few products, and for few rows, which lie side by side.
template <class T>
void multiply_with_b(const tiled_product<T>& p, block<const T> a) {
    constexpr index_t page = 4096;
    const tile_extents tile = tile_of(T());
    const bool few = p.columns <= 8 * tile.columns &&
                     (p.columns <= tile.columns || a.leading * index_t{sizeof(T)} % page != 0);
    if (a.row_major() || !(few || p.b_line > 0)) return multiply_packing_a(p, a);
    tiled_product<T> whole = p, rest = p;
    whole.rows = p.rows / tile.vector * tile.vector;
    whole.a = a.data;
    whole.a_tile = tile.rows;
    whole.a_step = a.leading;
    multiply(whole);
    rest.rows -= whole.rows;
    rest.c += whole.rows;
    if (rest.rows > 0) multiply_packing_a(rest, a.from(whole.rows, 0));
}

/// Columns of C are contiguous.
template <class T>
void subtract_from_columns(block<T> c, block<const T> a, block<const T> b, const extents& e,
                           index_t inner_at_once) {
    const index_t width = tile_of(T()).columns,
                  columns_at_once = b_bytes / (inner_at_once * index_t{sizeof(T)}) / width * width;
    for (index_t k = 0; k < e.inner; k += inner_at_once)
        for (index_t j = 0; j < e.columns; j += columns_at_once) {
            tiled_product<T> p;
            p.rows = e.rows;
            p.columns = std::min(columns_at_once, e.columns - j);
            p.inner = std::min(inner_at_once, e.inner - k);
            p.c = &c(0, j);
            p.leading = c.leading;
            if (e.rows <= tile_of(T()).rows) {  // each element of B serves one tile: read where it is
                p.b = &b(k, j);
                p.b_line = b.column_step();
                p.b_step = b.row_step();
            } else {
                p.b = memory_of_b<T>();
                pack(lines_of(b.from(k, j), false, p.columns, p.inner), width, memory_of_b<T>());
            }
            multiply_with_b(p, a.from(0, k));
        }
}

/// Few columns of C: a part of A is read where it is, and has few streams from memory.
template <class T>
index_t inner_part(const extents& e) {
    return e.columns <= tile_of(T()).columns ? 32 : inner_bytes / index_t{sizeof(T)};
}

/// y -= A x, one column.
template <class T>
void subtract_from_column(block<T> y, block<const T> a, block<const T> x, const extents& e) {
    if (a.row_major()) {
        constexpr index_t at_once = 2048;
        T* const contiguous = memory_of_b<T>();
        for (index_t k = 0; k < e.inner; k += at_once) {
            tiled_product<T> p{e.rows, 1,        std::min(at_once, e.inner - k), &a(0, k), 0, 0, nullptr,
                               y.data, a.leading};
            for (index_t i = 0; i < p.inner; ++i) contiguous[i] = x(k + i, 0);
            subtract_dots(p, contiguous, y.row_step());
        }
        return;
    }
    constexpr index_t few = 16;  // columns of A: as many streams from memory
    if (y.row_step() == 1 || e.rows == 1)
        return subtract_from_columns<T>({y.data, e.rows, storage_order::column_major}, a, x, e, few);
    std::array<T, 512> part;
    for (index_t i = 0; i < e.rows; i += std::ssize(part)) {
        const index_t rows = std::min<index_t>(std::ssize(part), e.rows - i);
        for (index_t r = 0; r < rows; ++r) part[static_cast<std::size_t>(r)] = y(i + r, 0);
        subtract_from_columns<T>({part.data(), rows, storage_order::column_major}, a.from(i, 0), x,
                                 {rows, 1, e.inner}, few);
        for (index_t r = 0; r < rows; ++r) y(i + r, 0) = part[static_cast<std::size_t>(r)];
    }
}

}  // namespace

template <class T>
void subtract_product(block<T> c, block<const T> a, block<const T> b, const extents& e) {
    if (e.rows == 0 || e.columns == 0 || e.inner == 0) return;
    if (e.columns == 1) return subtract_from_column(c, a, b, e);
    const extents turned{e.columns, e.rows, e.inner};
    if (e.rows == 1) return subtract_from_column(c.transposed(), b.transposed(), a.transposed(), turned);
    if (c.row_major())
        subtract_from_columns(c.transposed(), b.transposed(), a.transposed(), turned, inner_part<T>(turned));
    else
        subtract_from_columns(c, a, b, e, inner_part<T>(e));
}

template <class T>
column_group columns_together() {
    const tile_extents tile = tile_of(base::real_of<T>());
    constexpr index_t parts = index_t{sizeof(T)} / index_t{sizeof(base::real_of<T>)};
    const index_t vector = std::max<index_t>(2, tile.vector / parts);  // one column has an order of its own
    return {std::max(vector, tile.rows / parts), vector};
}

std::string kernels() {
    const auto size = [](const tile_extents& t) {
        return std::to_string(t.rows) + " x " + std::to_string(t.columns);
    };
    return std::string(instruction_set()) + ", tiles of " + size(tile_of(double())) + " (f64) and " +
           size(tile_of(float())) + " (f32)";
}

void reserve() {
    (void)own_memory();
}

template <class T>
void packed<T>::release::operator()(T* p) const {
    std::free(p);
}

template <class T>
void packed<T>::shape(storage_order order, bool left, index_t lines, index_t inner) {
    const tile_extents tile = tile_of(T());
    left_ = left;
    inner_ = inner;
    width_ = (order == storage_order::column_major) == left ? tile.rows : tile.columns;
    const index_t wanted = (lines + width_ - 1) / width_ * width_ * inner;
    if (wanted <= size_) return;
    memory_.reset();
    size_ = 0;
    memory_.reset(static_cast<T*>(take(wanted * index_t{sizeof(T)})));
    size_ = wanted;
}

template <class T>
void packed<T>::fill(block<const T> x, index_t first, index_t count) {
    pack(lines_of(left_ ? x.from(first, 0) : x.from(0, first), left_, count, inner_), width_,
         memory_.get() + first * inner_);
}

template <class T>
void subtract_product(block<T> c, const packed<T>& a, index_t row, const packed<T>& b, const extents& e) {
    const index_t tile = tile_of(T()).rows;
    tiled_product<T> p{e.rows, e.columns, a.inner(), a.from(row), tile * a.inner(),
                       tile,   b.from(0), c.data,    c.leading};
    if (c.row_major()) {
        std::swap(p.rows, p.columns);
        std::swap(p.a, p.b);
    }
    if (p.rows > 0 && p.columns > 0 && p.inner > 0) multiply(p);
}

namespace {

template <class R>
block<const R> parts_of(block<const std::complex<R>> x) {
    return {reinterpret_cast<const R*>(x.data), 2 * x.leading, x.order};
}
template <class R>
unpacked<R> lines_of_parts(block<const std::complex<R>> x, bool left, index_t lines, index_t inner) {
    return {reinterpret_cast<const R*>(x.data), left ? x.row_step() : x.column_step(),
            left ? x.column_step() : x.row_step(), lines, inner};
}

/// Columns of C are contiguous.
template <class R>
void subtract_from_complex_columns(block<std::complex<R>> c, block<const std::complex<R>> a,
                                   block<const std::complex<R>> b, const extents& e) {
    constexpr index_t part = 2 * index_t{sizeof(R)};
    const tile_extents tile = tile_of(R());
    const bool few = 2 * e.rows <= tile.rows;
    const index_t inner_at_once = inner_bytes / part / (few ? 2 : 1);  // a whole tile is packed of few rows
    const index_t columns_at_once = b_bytes / (inner_at_once * part) / tile.columns * tile.columns;
    for (index_t k = 0; k < e.inner; k += inner_at_once) {
        const index_t inner = std::min(inner_at_once, e.inner - k);
        const index_t rows_at_once =
            std::max<index_t>(1, a_bytes / (2 * inner * part) / tile.rows) * tile.rows;
        for (index_t j = 0; j < e.columns; j += columns_at_once) {
            const index_t columns = std::min(columns_at_once, e.columns - j);
            if (!few)
                pack_parts(lines_of_parts(b.from(k, j), false, columns, inner), false, tile.columns,
                           memory_of_b<R>());
            for (index_t i = 0; i < e.rows; i += rows_at_once) {
                const index_t rows = std::min(rows_at_once, e.rows - i);
                pack_parts(lines_of_parts(a.from(i, k), true, rows, inner), true, tile.rows,
                           memory_of_a<R>());
                R* const to = reinterpret_cast<R*>(&c(i, j));
                tiled_product<R> p{
                    2 * rows,  columns,          2 * inner, memory_of_a<R>(), tile.rows * 2 * inner,
                    tile.rows, memory_of_b<R>(), to,        2 * c.leading};
                if (few) {
                    p.b = reinterpret_cast<const R*>(&b(k, j));
                    p.b_line = 2 * b.column_step();
                    p.pairs = b.row_step() != 1;
                    p.b_step = p.pairs ? 2 * b.row_step() : 1;
                }
                multiply(p);
            }
        }
    }
}

/// y -= A x, one column of complex numbers whose rows of A are contiguous: real and imaginary parts are dot
/// products with (re, -im) and (im, re) of x.
template <class R>
void subtract_complex_dots(block<std::complex<R>> y, block<const std::complex<R>> a,
                           block<const std::complex<R>> x, const extents& e) {
    constexpr index_t at_once = 1024, cached = 24 << 10;  // bytes of A that both products read
    R* const real = memory_of_b<R>();
    R* const imaginary = real + 2 * at_once;
    for (index_t k = 0; k < e.inner; k += at_once) {
        const index_t inner = std::min(at_once, e.inner - k);
        for (index_t t = 0; t < inner; ++t) {
            const std::complex<R> v = x(k + t, 0);
            real[2 * t] = imaginary[2 * t + 1] = v.real();
            real[2 * t + 1] = -v.imag();
            imaginary[2 * t] = v.imag();
        }
        const index_t some = std::max<index_t>(4, cached / (2 * inner * index_t{sizeof(R)}) / 4 * 4);
        for (index_t i = 0; i < e.rows; i += some) {
            R* const to = reinterpret_cast<R*>(&y(i, 0));
            const R* const rows = parts_of(a.from(i, k)).data;
            tiled_product<R> p{
                std::min(some, e.rows - i), 1, 2 * inner, rows, 0, 0, nullptr, to, 2 * a.leading};
            subtract_dots(p, real, 2 * y.row_step());
            ++p.c;
            subtract_dots(p, imaginary, 2 * y.row_step());
        }
    }
}

/// y -= A x, one column of complex numbers whose columns of A are contiguous: the real product of A's parts
/// with both parts of x, as two columns.
template <class R>
void subtract_complex_column(block<std::complex<R>> y, block<const std::complex<R>> a,
                             block<const std::complex<R>> x, const extents& e) {
    constexpr index_t some = 256;  // rows
    std::array<R, 4 * some> sums;
    const block<const R> both{reinterpret_cast<const R*>(x.data), 2 * x.row_step(), storage_order::row_major};
    for (index_t i = 0; i < e.rows; i += some) {
        const index_t rows = std::min(some, e.rows - i);
        sums.fill(0);
        const extents one{2 * rows, 2, e.inner};
        subtract_from_columns<R>({sums.data(), 2 * some, storage_order::column_major}, parts_of(a.from(i, 0)),
                                 both, one, inner_part<R>(one));
        for (index_t r = 0; r < rows; ++r) {
            const R* const by_real = sums.data() + 2 * r;
            const R* const by_imaginary = by_real + 2 * some;
            y(i + r, 0) += std::complex<R>(by_real[0] - by_imaginary[1], by_real[1] + by_imaginary[0]);
        }
    }
}

template <class R>
void subtract_complex(block<std::complex<R>> c, block<const std::complex<R>> a,
                      block<const std::complex<R>> b, const extents& e) {
    if (e.rows == 0 || e.columns == 0 || e.inner == 0) return;
    if (e.columns == 1 && a.row_major()) return subtract_complex_dots(c, a, b, e);
    if (e.columns == 1) return subtract_complex_column(c, a, b, e);
    if (c.row_major())
        subtract_from_complex_columns<R>(c.transposed(), b.transposed(), a.transposed(),
                                         {e.columns, e.rows, e.inner});
    else
        subtract_from_complex_columns(c, a, b, e);
}

}  // namespace

template <class R>
void packed<std::complex<R>>::shape(storage_order order, bool left, index_t lines, index_t inner) {
    left_ = left;
    doubled_ = (order == storage_order::column_major) == left;
    parts_.shape(order, left, doubled_ ? 2 * lines : lines, 2 * inner);
}

template <class R>
void packed<std::complex<R>>::fill(block<const std::complex<R>> x, index_t first, index_t count) {
    const auto from = left_ ? x.from(first, 0) : x.from(0, first);
    pack_parts(lines_of_parts(from, left_, count, inner()), doubled_, parts_.width_,
               parts_.memory_.get() + (doubled_ ? 2 * first : first) * parts_.inner_);
}

template <class R>
void subtract_packed_complex(block<std::complex<R>> c, const packed<std::complex<R>>& a, index_t row,
                             const packed<std::complex<R>>& b, const extents& e) {
    const index_t tile = tile_of(R()).rows, inner = 2 * a.inner();
    tiled_product<R> p{e.rows,       e.columns, inner,     a.from(row),
                       tile * inner, tile,      b.from(0), reinterpret_cast<R*>(c.data),
                       2 * c.leading};
    if (c.row_major()) {
        std::swap(p.rows, p.columns);
        std::swap(p.a, p.b);
    }
    p.rows *= 2;
    if (p.rows > 0 && p.columns > 0 && p.inner > 0) multiply(p);
}

#define WALE_BLAS_COMPLEX(R)                                                                       \
    template <>                                                                                    \
    void subtract_product(block<std::complex<R>> c, block<const std::complex<R>> a,                \
                          block<const std::complex<R>> b, const extents& e) {                      \
        subtract_complex<R>(c, a, b, e);                                                           \
    }                                                                                              \
    template <>                                                                                    \
    void subtract_product(block<std::complex<R>> c, const packed<std::complex<R>>& a, index_t row, \
                          const packed<std::complex<R>>& b, const extents& e) {                    \
        subtract_packed_complex<R>(c, a, row, b, e);                                               \
    }                                                                                              \
    template column_group columns_together<std::complex<R>>();                                     \
    template class packed<std::complex<R>>;
WALE_BLAS_COMPLEX(float)
WALE_BLAS_COMPLEX(double)
#undef WALE_BLAS_COMPLEX

#define WALE_BLAS_INSTANCES(T)                                                                             \
    template void subtract_product(block<T>, block<const T>, block<const T>, const extents&);              \
    template void subtract_product(block<T>, const packed<T>&, index_t, const packed<T>&, const extents&); \
    template column_group columns_together<T>();                                                           \
    template class packed<T>;
WALE_BLAS_INSTANCES(float)
WALE_BLAS_INSTANCES(double)
#undef WALE_BLAS_INSTANCES

}  // namespace wale::cpu::blas
