// kernel - the kernel of cpu/lanes, for each Highway target.
//
//            column 0  1  2  3     A strip of rows goes over all columns; H and F of its last row are kept a
//   strip 0         >  >  >  >     column each for the strip below.
//   strip 1         >  >  >  >

// SSE would add little; AVX-512 has all that these kernels use.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/wavefront/align/cpu/lanes/kernel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "cpu/poll.hpp"
#include "solvers/wavefront/align/cpu/lanes/kernel.hpp"
#include "solvers/wavefront/align/cpu/lanes/scores-inl.hpp"
#include "solvers/wavefront/align/shared/sums-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::wavefront::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
score_kernels score_kernels_here() {
    return {};
}
#else

template <class T, class Scores, bool Local>
class score_sweep {
    using D = lane_tag<T>;
    using V = lane_vector<T>;
    static constexpr std::size_t lanes = lane_count<T>;
    static constexpr T least = std::numeric_limits<T>::min();

public:
    HWY_INLINE score_sweep(const score_group<T>& g, lane_workspace<T>& w)
        : g_(g),
          w_(w),
          scores_(g, w),
          open_(hn::Set(D(), static_cast<T>(g.open))),
          extend_(hn::Set(D(), static_cast<T>(g.extend))),
          base_(hn::Load(D(), g.base)),
          zero_(hn::Set(D(), g.zero)),
          best_(hn::Set(D(), Local ? g.zero : least)) {
        const auto columns = static_cast<std::size_t>(g.columns);
        w.h.resize(Scores::depth * lanes);
        w.e.resize(Scores::depth * lanes);
        w.top_h.resize(columns * lanes);
        w.top_f.resize(columns * lanes);
        std::iota(by_end_.begin(), by_end_.end(), std::size_t{0});
        std::sort(by_end_.begin(), by_end_.end(),
                  [&](std::size_t a, std::size_t b) { return g.column_counts[a] < g.column_counts[b]; });
    }

    HWY_INLINE void run() {
        const auto rows = static_cast<std::size_t>(g_.rows), columns = static_cast<std::size_t>(g_.columns);
        for (std::size_t j = 0; j < columns; ++j) {
            const V h = border(g_.top_is_free, j + 1);
            hn::Store(h, D(), w_.top_h.data() + j * lanes);
            hn::Store(difference(h, open_), D(), w_.top_f.data() + j * lanes);
        }
        constexpr std::size_t often = 1 << 16;  // cells of a lane between two polls
        std::size_t since = 0;
        for (std::size_t first = 0; first < rows; first += Scores::depth) {
            strip(first, HWY_MIN(Scores::depth, rows - first), columns);
            if (since += Scores::depth * columns; since < often) continue;
            since = 0;
            cpu::poll();
        }
        hn::Store(best_, D(), g_.best);
    }

private:
    /// Cell k of a border, relative to each lane's base.
    HWY_INLINE V border(bool is_free, std::size_t k) const {
        const std::int64_t gaps = g_.open + (static_cast<std::int64_t>(k) - 1) * g_.extend;
        return hn::Sub(hn::Set(D(), static_cast<T>(Local || is_free || k == 0 ? 0 : -gaps)), base_);
    }

    HWY_INLINE void strip(std::size_t first, std::size_t count, std::size_t columns) {
        for (std::size_t r = 0; r < count; ++r) {
            const V h = border(g_.left_is_free, first + r + 1);
            hn::Store(h, D(), w_.h.data() + r * lanes);
            hn::Store(difference(h, open_), D(), w_.e.data() + r * lanes);
        }
        if (!Local) find_rows(first, count);
        std::fill(has_column_, has_column_ + lanes, T{-1});
        scores_.enter_strip(first);
        V corner = border(g_.left_is_free, first);
        std::size_t ended = 0;
        for (std::size_t j = 0; j < columns; ++j) {
            scores_.enter_column(j);
            corner = column(j, count, corner);
            if (!Local) ended = take_ends(j, count, ended);
        }
    }

    /// A column of the strip; gives back H above the next column.
    HWY_INLINE V column(std::size_t j, std::size_t count, V diagonal) {
        const D d;
        T *const h_rows = w_.h.data(), *const e_rows = w_.e.data();
        T *const top_h = w_.top_h.data() + j * lanes, *const top_f = w_.top_f.data() + j * lanes;
        const V next = hn::Load(d, top_h), open = open_, extend = extend_;
        V f = hn::Load(d, top_f), h = diagonal, best = best_;
        for (std::size_t r = 0; r < count; ++r) {
            const V before = hn::Load(d, h_rows + r * lanes);
            const V e = hn::Load(d, e_rows + r * lanes);
            h = hn::Max(sum(diagonal, scores_.at(r)), e);
            // 8 and 16 bits: the floor of a local alignment is where sums saturate.
            if (Local && sizeof(T) == 4) h = hn::Max(h, zero_);
            h = hn::Max(h, f);
            if (Local) best = hn::Max(best, h);
            const V opened = difference(h, open);
            hn::Store(h, d, h_rows + r * lanes);
            hn::Store(hn::Max(opened, difference(e, extend)), d, e_rows + r * lanes);
            f = hn::Max(opened, difference(f, extend));
            diagonal = before;
        }
        best_ = best;
        hn::Store(h, d, top_h);
        hn::Store(f, d, top_f);
        return next;
    }

    /// Which lanes have their last row in the strip, and which have a row at all.
    HWY_INLINE void find_rows(std::size_t first, std::size_t count) {
        w_.last_row.assign(count * lanes, 0);
        w_.real_row.assign(count * lanes, 0);
        last_rows_ = 0;
        for (std::size_t r = 0; r < count; ++r) {
            bool some = false;
            for (std::size_t l = 0; l < lanes; ++l) {
                const auto rows = static_cast<std::size_t>(g_.row_counts[l]);
                some = some || first + r + 1 == rows;
                w_.last_row[r * lanes + l] = static_cast<T>(first + r + 1 == rows ? -1 : 0);
                w_.real_row[r * lanes + l] = static_cast<T>(first + r < rows ? -1 : 0);
            }
            if (some) rows_that_end_[last_rows_++] = r;
        }
    }

    /// Cells of column j in which alignments may end. `ended`: lanes whose columns are done; gives back the
    /// lanes done after this column.
    HWY_INLINE std::size_t take_ends(std::size_t j, std::size_t count, std::size_t ended) {
        const D d;
        const auto at = [&](std::size_t k) { return static_cast<std::size_t>(g_.column_counts[by_end_[k]]); };
        std::size_t after = ended;
        while (after < lanes && at(after) == j + 1) ++after;
        const bool some_end = after > ended;
        if (!some_end && !(g_.last_row_ends && last_rows_ > 0)) return after;
        const V lower = g_.last_row_ends ? hn::Load(d, has_column_) : hn::Zero(d);
        if (!some_end) {
            for (std::size_t k = 0; k < last_rows_; ++k) offer(w_.last_row.data(), rows_that_end_[k], lower);
            return after;
        }
        alignas(64) T ends[lanes] = {};
        for (std::size_t k = ended; k < after; ++k) {
            ends[by_end_[k]] = T{-1};
            has_column_[by_end_[k]] = 0;
        }
        const V last = hn::Load(d, ends);
        for (std::size_t k = 0; k < last_rows_; ++k)
            offer(w_.last_row.data(), rows_that_end_[k], hn::Or(last, lower));
        for (std::size_t r = 0; r < count && g_.last_column_ends; ++r) offer(w_.real_row.data(), r, last);
        return after;
    }
    /// Row r of the lanes that both masks allow.
    HWY_INLINE void offer(const T* mask, std::size_t r, V allowed) {
        const D d;
        const V both = hn::And(hn::Load(d, mask + r * lanes), allowed);
        const V h = hn::Load(d, w_.h.data() + r * lanes);
        best_ = hn::Max(best_, hn::IfThenElse(hn::Eq(both, hn::Zero(d)), hn::Set(d, least), h));
    }

    const score_group<T>& g_;
    lane_workspace<T>& w_;
    Scores scores_;
    const V open_, extend_, base_, zero_;
    V best_;
    std::array<std::size_t, lanes> by_end_{};
    std::array<std::size_t, Scores::depth> rows_that_end_{};
    std::size_t last_rows_ = 0;
    alignas(64) T has_column_[lanes];
};

template <class T, template <class> class Scores>
void run_scores(const score_group<T>& g, lane_workspace<T>& w) {
    if (g.local)
        score_sweep<T, Scores<T>, true>(g, w).run();
    else
        score_sweep<T, Scores<T>, false>(g, w).run();
}

template <class T>
void run_group(const score_group<T>& g, lane_workspace<T>& w) {
    if (g.kind == lane_scores::equality) return run_scores<T, scores_by_equality>(g, w);
    if (g.kind == lane_scores::own_rows) return run_scores<T, scores_of_own_rows>(g, w);
    if (g.kind == lane_scores::positions) return run_scores<T, scores_of_positions>(g, w);
    run_scores<T, scores_of_shared_rows>(g, w);
}

template <class T>
score_kernel<T> score_kernel_of() {
    return {lane_count<T>, run_group<T>};
}

score_kernels score_kernels_here() {
    return {score_kernel_of<std::int8_t>(), score_kernel_of<std::int16_t>(), score_kernel_of<std::int32_t>()};
}
#endif

}  // namespace
score_kernels score_kernels_of_target() {
    return score_kernels_here();
}
}  // namespace wale::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::wavefront {
HWY_EXPORT(score_kernels_of_target);
score_kernels lane_kernels() {
    return HWY_DYNAMIC_DISPATCH(score_kernels_of_target)();
}
}  // namespace wale::wavefront
#endif
