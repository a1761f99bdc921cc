// substitution-inl - forward and back substitution for many right-hand sides in one core's cache: a block of
// rows at a time, brought up to date and solved in registers. Once for each Highway target.
#if defined(WALE_LU_SMALL_SUBSTITUTION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_LU_SMALL_SUBSTITUTION_INL
#undef WALE_LU_SMALL_SUBSTITUTION_INL
#else
#define WALE_LU_SMALL_SUBSTITUTION_INL
#endif

#include <hwy/highway.h>

#include "solvers/lu/small/systems.hpp"
#include "solvers/lu/small/tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {

/// The factors of one matrix, or of its transpose, in scratch memory row by row.
template <class T>
class small_triangles {
    using traits = tile_traits<T>;
    using V = typename traits::V;
    static constexpr int block = traits::panel;
    static constexpr int vectors = traits::many ? small_margin / block : 1;

public:
    small_triangles(const const_matrices& factors, bool transposed, T* scratch,
                    const small_system_scratch& layout)
        : n_(factors.rows), m_{scratch, layout.pitch}, by_(scratch + layout.diagonal_at()) {
        wale::lu::HWY_NAMESPACE::fetch<T>(factors, m_, transposed);
        for (index_t i = 0; i < n_; ++i)  // blocks read beyond the last row and column
            std::fill(m_.row(i) + n_, m_.row(i) + layout.pitch, T(0));
        std::fill(m_.row(n_), m_.row(layout.rows), T(0));
        std::fill(by_ + n_, by_ + layout.rows, T(1));
        for (index_t i = 0; i < n_; ++i) {
            by_[i] = T(1) / m_.row(i)[i];
            divides_ = divides_ || (m_.row(i)[i] != 0 && !has_reciprocal(m_.row(i)[i]));
        }
        for (index_t i = 0; divides_ && i < n_; ++i) by_[i] = m_.row(i)[i];
    }

    /// x <- the inverse of the lower triangle times x. `unit`: with ones on its diagonal. `identity`: x is
    /// the identity.
    void forward(rows_at<T> x, index_t columns, bool unit, bool identity = false) const {
        for (index_t j = 0; j < columns; j += vectors * traits::lanes) {
            const index_t begin = identity ? j / block * block : 0;  // above it, x and the answer are 0
            for (index_t k = begin; k < n_; k += block) solve_block<true>(k, begin, k, x.from(0, j), unit);
        }
    }
    /// The same of the upper triangle.
    void backward(rows_at<T> x, index_t columns, bool unit) const {
        for (index_t j = 0; j < columns; j += vectors * traits::lanes)
            for (index_t k = (n_ - 1) / block * block; k >= 0; k -= block)
                solve_block<false>(k, HWY_MIN(k + block, n_), n_, x.from(0, j), unit);
    }

private:
    /// Rows k to k + block, less what the rows from `begin` to `end` contribute.
    template <bool Lower>
    HWY_INLINE void solve_block(index_t k, index_t begin, index_t end, rows_at<T> x, bool unit) const {
        const hn::ScalableTag<T> d;
        const bool divides = divides_ && !unit;
        V acc[block][vectors];
        load_tile<block, vectors, T>({x.row(k), x.pitch}, acc);
        subtract_product<block, vectors, T>({m_.row(k) + begin, m_.pitch}, {x.row(begin), x.pitch},
                                            end - begin, acc);
        if (k + block > n_)
            unrolled<block>([&](auto r) HWY_ATTR {
                for (int v = 0; v < vectors; ++v) acc[r()][v] = k + r() < n_ ? acc[r()][v] : hn::Zero(d);
            });
        const T* diagonal = m_.row(k) + k;
        unrolled<block>([&](auto step) HWY_ATTR {
            constexpr int r = Lower ? step() : block - 1 - step();
            unrolled<step()>([&](auto before) HWY_ATTR {
                constexpr int l = Lower ? before() : block - 1 - before();
                const V factor = hn::Set(d, diagonal[r * m_.pitch + l]);
                for (int v = 0; v < vectors; ++v) acc[r][v] = hn::NegMulAdd(factor, acc[l][v], acc[r][v]);
            });
            const V by = hn::Set(d, unit ? T(1) : by_[k + r]);
            for (int v = 0; v < vectors; ++v)
                acc[r][v] = divides ? hn::Div(acc[r][v], by) : hn::Mul(acc[r][v], by);
        });
        store_tile<block, vectors, T>(acc, x.from(k, 0));
    }

    const index_t n_;
    const rows_at<T> m_;
    T* const by_;           // reciprocals of the diagonal, or where one of them is no number, the diagonal
    bool divides_ = false;  // by by_
};

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
