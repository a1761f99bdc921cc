// blocks - the vector code of cpu/small: Crout's order, a panel of columns and a block of rows at a time.
// Each is brought up to date at once by all that lies left and above of it, in registers, so that an element
// is stored once. In scratch memory rows are contiguous: to exchange two costs a few vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/lu/factor/cpu/small/blocks.cpp"
#include "cpu/lane_targets.hpp"

#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/lu/factor/cpu/small/panel-inl.hpp"
#include "solvers/lu/small/small.hpp"
#include "solvers/lu/small/tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::lu::HWY_NAMESPACE {

template <class T>
class small_blocks {
    using traits = tile_traits<T>;
    using V = typename traits::V;
    static constexpr int panel = traits::panel;

public:
    explicit small_blocks(const small_factor& one)
        : job_(one),
          layout_(small_scratch::of(one.a)),
          rows_(one.a.rows),
          columns_(one.a.columns),
          all_{static_cast<T*>(one.scratch), layout_.pitch},
          panel_{all_.data + layout_.panel_at(), layout_.panel_pitch},
          above_{all_.data + layout_.above_at(), panel} {}

    index_t factor() {
        if (layout_.one_panel) return factor_as_panel();
        clear_margins();
        fetch<T>(job_.a, all_, false);
        index_t moved = 0;
        const index_t steps = job_.a.diagonal();
        for (index_t k = 0; k < steps; k += panel) {
            const int width = static_cast<int>(HWY_MIN(index_t{panel}, steps - k));
            update_panel(k, width);
            moved += factor_panel(k, width);
            if (k + width < columns_) update_rows(k, k + width);
        }
        put<T>({all_.data, all_.pitch}, job_.a, false);
        return moved;
    }

private:
    index_t factor_as_panel() {
        fetch<T>(job_.a, panel_, true);
        std::int32_t pivots[traits::policy.direct];
        small_panel<T> all(panel_.data, panel_.pitch, rows_, static_cast<int>(columns_));
        const index_t moved = all.factor(job_.pivoting, static_cast<T>(job_.smallest_pivot), pivots);
        if (job_.pivots)
            for (index_t k = 0; k < columns_; ++k) job_.pivots[k] = pivots[k];
        put<T>({panel_.data, panel_.pitch}, job_.a, true);
        return moved;
    }

    /// Tiles read beyond the last row and column: what is there must be numbers, else it costs time.
    void clear_margins() const {
        for (index_t i = 0; i < rows_; ++i)
            std::fill(all_.row(i) + columns_, all_.row(i) + layout_.pitch, T(0));
        std::fill(all_.row(rows_), all_.row(layout_.rows), T(0));
    }

    /// The columns of a panel from the diagonal down, less L times U so far, into panel_.
    void update_panel(index_t k, int width) const {
        constexpr int rows = traits::tile_rows;
        if (k == 0) return transpose<along::from, T>({all_.data, all_.pitch}, rows_, width, panel_);
        copy<T>({all_.row(0) + k, all_.pitch}, k, panel, above_);
        HWY_ALIGN T tile[rows * panel];
        for (index_t i = k; i < rows_; i += rows) {
            V acc[rows][traits::vectors];
            const rows_at<T> left = all_.from(i, 0);
            load_tile<rows, traits::vectors, T>({left.data + k, left.pitch}, acc);
            subtract_product<rows, traits::vectors, T>({left.data, left.pitch}, {above_.data, above_.pitch},
                                                       k, acc);
            store_tile<rows, traits::vectors, T>(acc, {tile, panel});
            transpose<along::from, T>({tile, panel}, rows, panel, panel_.from(0, i - k));
        }
    }

    index_t factor_panel(index_t k, int width) const {
        std::int32_t pivots[panel];
        small_panel<T> columns(panel_.data, panel_.pitch, rows_ - k, width);
        const index_t moved = columns.factor(job_.pivoting, static_cast<T>(job_.smallest_pivot), pivots);
        for (int j = 0; j < width; ++j) {
            if (pivots[j] != j) exchange_rows(all_, k + j, k + pivots[j], columns_);
            if (job_.pivots) job_.pivots[k + j] = static_cast<std::int32_t>(k + pivots[j]);
        }
        transpose<along::from, T>({panel_.data, panel_.pitch}, width, rows_ - k, all_.from(k, k));
        return moved;
    }

    /// The rows of a panel right of it: less L times U so far, then the rows above them within the panel.
    void update_rows(index_t k, index_t begin) const {
        constexpr int vectors = traits::many ? small_margin / panel : 1;
        const rows_at<T> left = all_.from(k, 0);
        const T* lower = left.data + k;
        for (index_t j = begin; j < columns_; j += vectors * traits::lanes) {
            V acc[panel][vectors];
            load_tile<panel, vectors, T>({left.data + j, left.pitch}, acc);
            subtract_product<panel, vectors, T>({left.data, left.pitch}, {all_.data + j, all_.pitch}, k, acc);
            for (int r = 1; r < panel; ++r)
                for (int l = 0; l < r; ++l) {
                    const V factor = hn::Set(hn::ScalableTag<T>(), lower[r * left.pitch + l]);
                    for (int v = 0; v < vectors; ++v) acc[r][v] = hn::NegMulAdd(factor, acc[l][v], acc[r][v]);
                }
            store_tile<panel, vectors, T>(acc, all_.from(k, j));
        }
    }

    const small_factor& job_;
    const small_scratch layout_;
    const index_t rows_, columns_;
    const rows_at<T> all_;    // the matrix, row by row
    const rows_at<T> panel_;  // its lines are the columns of a panel
    const rows_at<T> above_;  // the part of U above a panel
};

index_t factor_f32(const small_factor& one) {
    return small_blocks<float>(one).factor();
}
index_t factor_f64(const small_factor& one) {
    return small_blocks<double>(one).factor();
}

}  // namespace wale::lu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::lu {
HWY_EXPORT(factor_f32);
HWY_EXPORT(factor_f64);
index_t factor_small_matrix(const small_factor& one) {
    return one.a.type == scalar::f32 ? HWY_DYNAMIC_DISPATCH(factor_f32)(one)
                                     : HWY_DYNAMIC_DISPATCH(factor_f64)(one);
}
}  // namespace wale::lu
#endif
