// sweeps - the vector code of cpu/lanes, once for each instruction set. Up the rows every pivot is divided by
// once and leaves two words a row in scratch memory; down the rows these two are all that is read.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/tree/hines/cpu/lanes/sweeps.cpp"
#include "cpu/lane_targets.hpp"

#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/tree/hines/cpu/lanes/rows-inl.hpp"
#include "solvers/tree/hines/cpu/tuning.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {

template <class T, int K, row_form Form>
class tree_sweep {
    using D = hn::ScalableTag<T>;
    using row = cell_row<T, K>;
    static constexpr index_t width = K * vector_size<T>;

public:
    explicit tree_sweep(const lane_cells& g)
        : g_(g), factor_(static_cast<T*>(g.scratch)), part_(factor_ + g.nodes * width) {}

    void solve() {
        for (index_t w = 0; w < g_.lanes; ++w) g_.lowest_bad[w] = -1;
        if (!up<false>()) (void)up<true>();
        down();
    }

private:
    [[nodiscard]] index_t node_of(index_t k) const { return g_.order ? g_.order[k] : k; }

    /// False if a pivot may be bad; which ones, only where they are looked for.
    template <bool Note>
    bool up() {
        const D d;
        rows_in<T, K, Form> upper(g_, g_.upper, T(0)), lower(g_, g_.lower, T(0)),
            diagonal(g_, g_.diagonal, T(1)), rhs(g_, g_.rhs, T(0));
        const auto zero = hn::Zero(d), one = hn::Set(d, T(1));
        row u{}, factor{}, part{}, doubt;
        for (int v = 0; v < K; ++v) u.v[v] = factor.v[v] = part.v[v] = doubt.v[v] = zero;
        for (index_t k = g_.nodes; k-- > 0;) {
            const std::uint8_t link = g_.plan->links[static_cast<std::size_t>(k)];
            const index_t node = node_of(k);
            row pivot = diagonal.row(k, node), b = rhs.row(k, node);
            if (link & lane_plan::takes_share) {
                for (int v = 0; v < K; ++v) {
                    pivot.v[v] = hn::NegMulAdd(u.v[v], factor.v[v], pivot.v[v]);
                    b.v[v] = hn::NegMulAdd(u.v[v], part.v[v], b.v[v]);
                }
            } else if (link & lane_plan::takes_sum) {
                for (int v = 0; v < K; ++v) {
                    pivot.v[v] = hn::Sub(pivot.v[v], hn::Load(d, factor_ + at(k, v)));
                    b.v[v] = hn::Sub(b.v[v], hn::Load(d, part_ + at(k, v)));
                }
            }
            if constexpr (Note) note(pivot, node);
            if (g_.eliminated) keep(pivot, node);
            u = upper.row(k, node);
            factor = lower.row(k, node);
            for (int v = 0; v < K; ++v) {
                const auto inverse = hn::Div(one, pivot.v[v]);
                doubt.v[v] = hn::MulAdd(pivot.v[v], zero, hn::MulAdd(inverse, zero, doubt.v[v]));
                factor.v[v] = hn::Mul(factor.v[v], inverse);
                part.v[v] = hn::Mul(b.v[v], inverse);
                hn::Store(factor.v[v], d, factor_ + at(k, v));
                hn::Store(part.v[v], d, part_ + at(k, v));
            }
            if (!(link & (lane_plan::hands_on | lane_plan::is_root))) leave(k, link, u, factor, part);
        }
        auto all = doubt.v[0];
        for (int v = 1; v < K; ++v) all = hn::Add(all, doubt.v[v]);
        return hn::AllTrue(d, hn::Eq(all, zero));
    }

    /// What is taken from the parent's pivot and right side, into its row of scratch memory.
    HWY_INLINE void leave(index_t k, std::uint8_t link, const row& u, const row& factor,
                          const row& part) const {
        const D d;
        const index_t p = g_.plan->parent[static_cast<std::size_t>(k)];
        for (int v = 0; v < K; ++v) {
            const auto on_pivot = hn::Mul(u.v[v], factor.v[v]), on_rhs = hn::Mul(u.v[v], part.v[v]);
            T *const pivots = factor_ + at(p, v), *const sides = part_ + at(p, v);
            const bool first = (link & lane_plan::is_first) != 0;
            hn::Store(first ? on_pivot : hn::Add(hn::Load(d, pivots), on_pivot), d, pivots);
            hn::Store(first ? on_rhs : hn::Add(hn::Load(d, sides), on_rhs), d, sides);
        }
    }

    void note(const row& pivot, index_t node) const {
        HWY_ALIGN T pivots[width];
        store_row<T, K>(pivot, pivots);
        for (index_t w = 0; w < g_.lanes; ++w) {
            const bool bad = pivots[w] == T(0) || !(pivots[w] - pivots[w] == T(0));
            if (bad && (g_.lowest_bad[w] < 0 || node < g_.lowest_bad[w])) g_.lowest_bad[w] = node;
        }
    }
    void keep(const row& pivot, index_t node) const {
        HWY_ALIGN T pivots[width];
        store_row<T, K>(pivot, pivots);
        T* const to = static_cast<T*>(g_.eliminated) + g_.at.first + node * g_.at.step;
        for (index_t w = 0; w < g_.lanes; ++w) to[w * g_.at.distance] = pivots[w];
    }

    void down() const {
        const D d;
        rows_out<T, K, Form> solution(g_, g_.solution);
        row x{};
        for (int v = 0; v < K; ++v) x.v[v] = hn::Zero(d);
        for (index_t k = 0; k < g_.nodes; ++k) {
            const std::int32_t p = g_.plan->parent[static_cast<std::size_t>(k)];
            if (p < 0)
                for (int v = 0; v < K; ++v) x.v[v] = hn::Load(d, part_ + at(k, v));
            else {
                for (int v = 0; v < K; ++v) {
                    const auto above = p == k - 1 ? x.v[v] : hn::Load(d, part_ + at(p, v));
                    x.v[v] =
                        hn::NegMulAdd(hn::Load(d, factor_ + at(k, v)), above, hn::Load(d, part_ + at(k, v)));
                    hn::Store(x.v[v], d, part_ + at(k, v));
                }
            }
            solution.put(k, node_of(k), x);
        }
    }

    [[nodiscard]] static HWY_INLINE index_t at(index_t k, int v) { return k * width + v * vector_size<T>; }

    const lane_cells& g_;
    T *const factor_, *const part_;  // [nodes][width]: of unknowns; before, sums for pivots and right sides
};

template <class T, int K>
void solve_with(const lane_cells& g) {
    const bool whole = g.lanes == K * vector_size<T>;
    if (whole && g.at.distance == 1)
        tree_sweep<T, K, row_form::side_by_side>(g).solve();
    else if (whole && g.at.step == 1 && !g.order)
        tree_sweep<T, K, row_form::transposed>(g).solve();
    else
        tree_sweep<T, K, row_form::one_by_one>(g).solve();
}
template <class T>
void solve_cells(const lane_cells& g) {
    if (g.vectors == 1) return solve_with<T, 1>(g);
    solve_with<T, row_vectors>(g);
}
void solve_cells_f32(const lane_cells& g) {
    solve_cells<float>(g);
}
void solve_cells_f64(const lane_cells& g) {
    solve_cells<double>(g);
}
index_t cells_f32() {
    return vector_size<float>;
}
index_t cells_f64() {
    return vector_size<double>;
}

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::tree {
HWY_EXPORT(solve_cells_f32);
HWY_EXPORT(solve_cells_f64);
HWY_EXPORT(cells_f32);
HWY_EXPORT(cells_f64);

index_t tree_lanes(scalar type) {
    return type == scalar::f32 ? HWY_DYNAMIC_DISPATCH(cells_f32)() : HWY_DYNAMIC_DISPATCH(cells_f64)();
}
void solve_lanes(scalar type, const lane_cells& cells) {
    if (type == scalar::f32) return HWY_DYNAMIC_DISPATCH(solve_cells_f32)(cells);
    HWY_DYNAMIC_DISPATCH(solve_cells_f64)(cells);
}
}  // namespace wale::tree
#endif
