// step - one stage of a step of a group of cells. Upwards: move a compartment's gates, assemble its
// row, eliminate it from its parent. Downwards: its voltage from its parent's. Gates move on the way up, just
// before they are used: they pass through the caches once a step, and their arithmetic hides the latency of
// the elimination.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/tree/cable/cpu/lanes/step.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/tree/cable/cpu/lanes/group.hpp"
#include "solvers/tree/cable/shared/gates-inl.hpp"
#include "solvers/tree/cable/shared/host_session.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {

index_t lanes() {
    return static_cast<index_t>(hn::Lanes(hn::ScalableTag<double>()));
}

#if HWY_TARGET == HWY_SCALAR  // no vectors here: the rows refuse such a machine
void step(lane_group&, bool) {}
void finish(lane_group&) {}
void factor(lane_group&) {}
#else

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

/// Vectors side by side hide each other's latencies.
template <int Vectors>
class group_step {
    static constexpr index_t width = Vectors * static_cast<index_t>(hn::MaxLanes(D()));

    static HWY_INLINE V load(const double* p, int u) { return hn::Load(D(), p + u * width / Vectors); }
    static HWY_INLINE void store(V v, double* p, int u) { hn::Store(v, D(), p + u * width / Vectors); }

public:
    explicit group_step(lane_group& g)
        : g_(g), solution_(g.in_place ? g.v.data() : g.solved.data()), channels_(g.order->gated > 0) {}

    /// `moved`: the gates are where they belong; else they lag behind the voltages by a step.
    void run(bool moved) {
        channels_ ? up<true>(moved) : up<false>(moved);
        down();
    }

    void finish() {
        for (index_t i = 0; i < g_.compartments(); ++i) {
            const walk_node& node = g_.order->nodes[static_cast<std::size_t>(i)];
            for (int u = 0; node.gates >= 0 && u < Vectors; ++u)
                (void)gates_at(node, u, load(g_.v.data() + i * width, u));
        }
    }

    void factor() {
        const D d;
        V carry[Vectors];
        for (index_t i = g_.compartments() - 1; i >= 0; --i) {
            const walk_node& node = g_.order->nodes[static_cast<std::size_t>(i)];
            const double* patch = g_.patches.data() + node.region * 5 * width;
            double *const waits = given(node.place), *const to = given(node.parent_place);
            for (int u = 0; u < Vectors; ++u) {
                const V membrane = hn::Add(load(patch, u), load(patch + width, u));
                V diagonal = hn::MulAdd(hn::Set(d, node.area), membrane, hn::Set(d, node.joined));
                if (node.carried) diagonal = hn::Sub(diagonal, carry[u]);
                if (node.place >= 0) {
                    diagonal = hn::Sub(diagonal, load(waits, u));
                    store(hn::Zero(d), waits, u);
                }
                const V pivot = hn::Div(hn::Set(d, 1.0), diagonal);
                const V part = hn::Mul(hn::Set(d, node.axial), pivot);
                store(pivot, g_.pivot.data() + i * width, u);
                store(part, g_.factor.data() + i * width, u);
                carry[u] = hn::Mul(hn::Set(d, node.axial), part);
                if (node.parent_place >= 0) store(hn::Add(load(to, u), carry[u]), to, u);
            }
        }
    }

private:
    /// What waits at a place: diagonals, then right sides; null for none.
    HWY_INLINE double* given(std::int32_t place) const {
        return place < 0 ? nullptr : g_.given.data() + 2 * width * place;
    }

    template <bool Channels>
    HWY_INLINE void up(bool moved) {
        const D d;
        V carried_diagonal[Vectors], carried_right[Vectors];
        for (index_t i = g_.compartments() - 1; i >= 0; --i) {
            const walk_node& node = g_.order->nodes[static_cast<std::size_t>(i)];
            const double* patch = g_.patches.data() + node.region * 5 * width;
            double *const waits = given(node.place), *const to = given(node.parent_place);
            const V area = hn::Set(d, node.area), axial = hn::Set(d, node.axial);
            for (int u = 0; u < Vectors; ++u) {
                const V v = load(g_.v.data() + i * width, u);
                V current = hn::MulAdd(load(patch, u), v, load(patch + 2 * width, u));
                V conductance = hn::Zero(d);
                if (Channels) {
                    conductance = hn::Add(load(patch, u), load(patch + width, u));
                    if (node.gates >= 0)
                        add_channels(node, u, moved ? gates_of(node, u) : gates_at(node, u, v), conductance,
                                     current);
                }
                V right = hn::Mul(area, current);
                if (node.carried) right = hn::Add(right, carried_right[u]);
                if (node.place >= 0) {
                    right = hn::Add(right, load(waits + width, u));
                    store(hn::Zero(d), waits + width, u);
                }
                V pivot = conductance, part = conductance;
                if (Channels) {
                    V diagonal = hn::MulAdd(area, conductance, hn::Set(d, node.joined));
                    if (node.carried) diagonal = hn::Sub(diagonal, carried_diagonal[u]);
                    if (node.place >= 0) {
                        diagonal = hn::Sub(diagonal, load(waits, u));
                        store(hn::Zero(d), waits, u);
                    }
                    pivot = hn::Div(hn::Set(d, 1.0), diagonal);
                    part = hn::Mul(axial, pivot);
                    store(part, g_.factor.data() + i * width, u);
                    carried_diagonal[u] = hn::Mul(axial, part);
                } else {
                    pivot = load(g_.pivot.data() + i * width, u);
                    part = load(g_.factor.data() + i * width, u);
                }
                store(hn::Mul(right, pivot), solution_ + i * width, u);
                carried_right[u] = hn::Mul(part, right);
                if (node.parent_place < 0) continue;
                if (Channels) store(hn::Add(load(to, u), carried_diagonal[u]), to, u);
                store(hn::Add(load(to + width, u), carried_right[u]), to + width, u);
            }
        }
    }

    HWY_INLINE void add_channels(const walk_node& node, int u, const gate_values<V>& gates, V& conductance,
                                 V& current) const {
        const double* patch = g_.patches.data() + node.region * 5 * width;
        V na = conductance, k = conductance;
        open_parts(gates, na, k);
        na = hn::Mul(na, load(patch + 3 * width, u));
        k = hn::Mul(k, load(patch + 4 * width, u));
        conductance = hn::Add(conductance, hn::Add(na, k));
        const V reversed = hn::Mul(k, hn::Set(D(), g_.e_k));
        current = hn::Add(current, hn::MulAdd(na, hn::Set(D(), g_.e_na), reversed));
    }
    HWY_INLINE gate_values<V> gates_of(const walk_node& node, int u) const {
        const double* at = g_.gates.data() + 3 * width * node.gates;
        return {load(at, u), load(at + width, u), load(at + 2 * width, u)};
    }

    /// The gates of a compartment whose voltage is v, moved and stored.
    HWY_INLINE gate_values<V> gates_at(const walk_node& node, int u, V v) const {
        const D d;
        const auto moved = moved_gates(d, gates_of(node, u), v, hn::Set(d, -g_.gate_time));
        double* const at = g_.gates.data() + 3 * width * node.gates;
        store(moved.m, at, u);
        store(moved.h, at + width, u);
        store(moved.n, at + 2 * width, u);
        return moved;
    }

    HWY_INLINE void down() {
        const D d;
        const V stretch = hn::Set(d, g_.stretch), beyond = hn::Set(d, g_.stretch - 1);
        V last[Vectors];
        for (int u = 0; u < Vectors; ++u) last[u] = hn::Zero(d);
        for (index_t i = 0; i < g_.compartments(); ++i) {
            const walk_node& node = g_.order->nodes[static_cast<std::size_t>(i)];
            for (int u = 0; u < Vectors; ++u) {
                const V parent = node.parent + 1 == i ? last[u] : load(solution_ + node.parent * width, u);
                const V x =
                    hn::MulAdd(load(g_.factor.data() + i * width, u), parent, load(solution_ + i * width, u));
                last[u] = x;
                store(x, solution_ + i * width, u);
                if (g_.in_place) continue;
                double* const v = g_.v.data() + i * width;
                store(hn::MulSub(stretch, x, hn::Mul(beyond, load(v, u))), v, u);
            }
        }
    }

    lane_group& g_;
    double* solution_;
    bool channels_;
};

void step(lane_group& g, bool moved) {
    g.width == lanes() ? group_step<1>(g).run(moved) : group_step<2>(g).run(moved);
}
void finish(lane_group& g) {
    g.width == lanes() ? group_step<1>(g).finish() : group_step<2>(g).finish();
}
void factor(lane_group& g) {
    g.width == lanes() ? group_step<1>(g).factor() : group_step<2>(g).factor();
}
#endif

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::tree {
HWY_EXPORT(lanes);
HWY_EXPORT(step);
HWY_EXPORT(finish);
HWY_EXPORT(factor);
index_t lane_count() {
    return HWY_DYNAMIC_DISPATCH(lanes)();
}
void step_group(lane_group& g, bool moved) {
    HWY_DYNAMIC_DISPATCH(step)(g, moved);
}
void finish_group(lane_group& g) {
    HWY_DYNAMIC_DISPATCH(finish)(g);
}
void factor_group(lane_group& g) {
    HWY_DYNAMIC_DISPATCH(factor)(g);
}
}  // namespace wale::tree
#endif
