// window_rows - runs of equal length side by side, one a lane: a run waits for its divisions, four runs wait
// no longer. Once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/tree/hines/cpu/contraction/window_rows.cpp"
#include "cpu/lane_targets.hpp"

#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <bit>

#include "solvers/tree/hines/cpu/contraction/window_rows.hpp"
#include "solvers/tree/hines/shared/contraction/slots.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// As many runs as a vector of at most four elements has.
template <class T>
struct run_lanes {
    using D = hn::CappedTag<T, 4>;
    using V = hn::Vec<D>;
    static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
    static constexpr int words = window_rows<T>::words;

    /// Word by word, a lane a row.
    struct square {
        V word[words];
    };
#if HWY_TARGET == HWY_SCALAR
    static HWY_INLINE void turn(V*) {}
#else
    static HWY_INLINE void turn(V* v) {
        const D d;
        if constexpr (lanes == 4 && sizeof(T) == 8) {
            const V a = hn::InterleaveLower(d, v[0], v[1]), b = hn::InterleaveUpper(d, v[0], v[1]);
            const V c = hn::InterleaveLower(d, v[2], v[3]), e = hn::InterleaveUpper(d, v[2], v[3]);
            v[0] = hn::ConcatLowerLower(d, c, a);
            v[1] = hn::ConcatLowerLower(d, e, b);
            v[2] = hn::ConcatUpperUpper(d, c, a);
            v[3] = hn::ConcatUpperUpper(d, e, b);
        } else if constexpr (lanes == 4) {
            const V a = hn::InterleaveLower(d, v[0], v[2]), b = hn::InterleaveUpper(d, v[0], v[2]);
            const V c = hn::InterleaveLower(d, v[1], v[3]), e = hn::InterleaveUpper(d, v[1], v[3]);
            v[0] = hn::InterleaveLower(d, a, c);
            v[1] = hn::InterleaveUpper(d, a, c);
            v[2] = hn::InterleaveLower(d, b, e);
            v[3] = hn::InterleaveUpper(d, b, e);
        } else if constexpr (lanes == 2) {
            const V a = v[0], b = v[1];
            v[0] = hn::InterleaveLower(d, a, b);
            v[1] = hn::InterleaveUpper(d, a, b);
        }
    }
#endif
    static HWY_INLINE square load(const T* const* row) {
        square s;
        for (int w = 0; w < words; w += lanes) {
            for (int i = 0; i < lanes; ++i) s.word[w + i] = hn::LoadU(D(), row[i] + w);
            turn(s.word + w);
        }
        return s;
    }
    static HWY_INLINE void store(square s, T* const* row) {
        for (int w = 0; w < words; w += lanes) {
            turn(s.word + w);
            for (int i = 0; i < lanes; ++i) hn::StoreU(s.word[w + i], D(), row[i] + w);
        }
    }
};

template <class T>
void gather_window(const window_rows<T>& to, index_t count, const T* const* from) {
    using R = run_lanes<T>;
    index_t i = 0;
    for (; i + R::lanes <= count; i += R::lanes) {
        typename R::square s;
        T* row[R::lanes];
        for (int w = 0; w < R::words; ++w) s.word[w] = hn::LoadU(typename R::D(), from[w] + i);
        for (int k = 0; k < R::lanes; ++k) row[k] = to.rows + (i + k) * R::words;
        R::store(s, row);
    }
    for (; i < count; ++i)
        for (int w = 0; w < R::words; ++w) to.rows[i * R::words + w] = from[w][i];
}

template <class T>
class window_elimination {
    using R = run_lanes<T>;
    using D = typename R::D;
    using V = typename R::V;

public:
    explicit window_elimination(const window_rows<T>& w) : w_(w), doubt_(hn::Zero(D())) {}

    bool run() {
        const contraction_slots<T, R::words> slots{w_.rows, w_.rows + 1, w_.rows + 2, w_.rows + 3, w_.list};
        bool good = true;
        const auto bad = [&](int) { good = false; };
        const auto inverse = [](T pivot) { return T(1) / pivot; };
        for (int step = 0; step < w_.steps; ++step) {
            const auto s = std::bit_cast<contraction_step>(w_.cells[step]);
            for (int r = s.run; r < s.runs_end;) {
                if (r + R::lanes <= s.runs_end && consecutive(r)) {
                    eliminate(r);
                    r += R::lanes;
                } else {
                    slots.eliminate(run_at(r++), bad, inverse);
                }
            }
            for (int r = s.sum; r < s.sums_end; ++r) slots.add(std::bit_cast<contraction_sum>(w_.cells[r]));
        }
        return good && hn::AllTrue(D(), hn::Eq(doubt_, hn::Zero(D())));
    }

private:
    [[nodiscard]] contraction_run run_at(int r) const { return std::bit_cast<contraction_run>(w_.cells[r]); }
    [[nodiscard]] T* row(index_t slot) const { return w_.rows + slot * R::words; }
    /// Longer ones come first.
    [[nodiscard]] bool consecutive(int r) const {
        return contraction_slots<T>::count(run_at(r)) ==
               contraction_slots<T>::count(run_at(r + R::lanes - 1));
    }

    void eliminate(int r) {
        const contraction_slots<T> places{nullptr, nullptr, nullptr, nullptr, w_.list};
        const D d;
        const auto zero = hn::Zero(d), one = hn::Set(d, T(1));
        contraction_run runs[R::lanes];
        T *at[R::lanes], *bottom[R::lanes];
        for (int w = 0; w < R::words; ++w) row(w_.spare)[w] = T(0);
        for (int i = 0; i < R::lanes; ++i) {
            runs[i] = run_at(r + i);
            bottom[i] = row(runs[i].bottom == contraction_run::none ? w_.spare : runs[i].bottom);
            T* const top = row(places.slot(runs[i], 0));
            if (runs[i].parent == contraction_run::none) top[0] = top[1] = T(0);  // a root's mean nothing
        }
        const typename R::square below = R::load(bottom);
        V down = below.word[0], up = below.word[1], owed_d = zero, owed_b = zero;
        V to_above = zero, factor = zero, part = zero, doubt = doubt_;
        for (int k = contraction_slots<T>::count(runs[0]); k-- > 0;) {
            for (int i = 0; i < R::lanes; ++i) at[i] = row(places.slot(runs[i], k));
            typename R::square s = R::load(at);
            const V pivot = hn::NegMulAdd(to_above, factor, s.word[2]), inverse = hn::Div(one, pivot);
            const V fill = hn::Mul(down, inverse);
            part = hn::Mul(hn::NegMulAdd(to_above, part, s.word[3]), inverse);
            doubt = hn::MulAdd(pivot, zero, hn::MulAdd(inverse, zero, doubt));
            to_above = s.word[0];
            factor = hn::Mul(s.word[1], inverse);
            R::store({{fill, factor, to_above, part}}, at);
            owed_d = hn::NegMulAdd(up, fill, owed_d);
            owed_b = hn::NegMulAdd(up, part, owed_b);
            down = hn::Neg(hn::Mul(to_above, fill));
            up = hn::Neg(hn::Mul(up, factor));
        }
        doubt_ = doubt;
        R::store({{down, up, hn::Add(below.word[2], owed_d), hn::Add(below.word[3], owed_b)}}, bottom);
    }

    const window_rows<T>& w_;
    V doubt_;
};

void gather_f32(const window_rows<float>& to, index_t count, const float* const* from) {
    gather_window(to, count, from);
}
void gather_f64(const window_rows<double>& to, index_t count, const double* const* from) {
    gather_window(to, count, from);
}
bool eliminate_f32(const window_rows<float>& w) {
    return window_elimination<float>(w).run();
}
bool eliminate_f64(const window_rows<double>& w) {
    return window_elimination<double>(w).run();
}

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::tree {
HWY_EXPORT(gather_f32);
HWY_EXPORT(gather_f64);
HWY_EXPORT(eliminate_f32);
HWY_EXPORT(eliminate_f64);

void gather_rows(const window_rows<float>& to, index_t count, const float* const (&from)[4]) {
    HWY_DYNAMIC_DISPATCH(gather_f32)(to, count, from);
}
void gather_rows(const window_rows<double>& to, index_t count, const double* const (&from)[4]) {
    HWY_DYNAMIC_DISPATCH(gather_f64)(to, count, from);
}
bool eliminate_rows(const window_rows<float>& window) {
    return HWY_DYNAMIC_DISPATCH(eliminate_f32)(window);
}
bool eliminate_rows(const window_rows<double>& window) {
    return HWY_DYNAMIC_DISPATCH(eliminate_f64)(window);
}
}  // namespace wale::tree
#endif
