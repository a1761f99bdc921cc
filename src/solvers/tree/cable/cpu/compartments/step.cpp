// step - one step of one cell. Assembly and gates take a vector of compartments at a time. The
// elimination takes one after the other, deepest level first: neighbours in this order wait for nothing of
// each other, so that the processor overlaps them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/tree/cable/cpu/compartments/step.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/tree/cable/cpu/compartments/cell.hpp"
#include "solvers/tree/cable/shared/gates-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::tree::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // no vectors here: the rows refuse such a machine
void step_one(level_cell&) {}
void factor_one(level_cell&) {}
#else

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using one_tag = hn::CappedTag<double, 1>;  // for fused operations on single numbers
using one = hn::Vec<one_tag>;

HWY_INLINE index_t step_lanes() {
    return static_cast<index_t>(hn::Lanes(D()));
}

/// fused a * b + c
HWY_INLINE double fused(double a, double b, double c) {
    const one_tag d;
    return hn::GetLane(hn::MulAdd(hn::Set(d, a), hn::Set(d, b), hn::Set(d, c)));
}

class cell_step {
public:
    explicit cell_step(level_cell& c) : c_(c), order_(*c.order) {}

    void factor() {
        const D d;
        for (index_t i = 0; i < order_.padded; i += step_lanes())
            hn::Store(hn::Load(d, c_.fixed.data() + i), d, c_.diagonal.data() + i);
        for (index_t i = order_.size - 1; i >= 0; --i) {
            const double axial = order_.axial[at(i)];
            c_.pivot[at(i)] = 1 / c_.diagonal[at(i)];
            c_.factor[at(i)] = axial * c_.pivot[at(i)];
            if (i == 0) break;
            double& parent = c_.diagonal[at(order_.parent[at(i)])];
            parent = fused(-axial, c_.factor[at(i)], parent);
        }
    }

    void run() {
        for (int stage = 0; stage < c_.stages; ++stage) {
            assemble();
            if (order_.active.empty()) {
                give_passive();
                substitute_from_pivots();
            } else {
                add_channels();
                eliminate();
            }
            descend(c_.stretch[stage]);
        }
        move_gates();
    }

private:
    static HWY_INLINE std::size_t at(index_t i) { return static_cast<std::size_t>(i); }
    static HWY_INLINE V load(const base::aligned_vector<double>& x, index_t i) {
        return hn::Load(D(), x.data() + i);
    }

    HWY_INLINE void assemble() {
        const D d;
        const bool channels = !order_.active.empty();
        for (index_t i = 0; i < order_.padded; i += step_lanes()) {
            const V sources = hn::Add(load(c_.leak_current, i), load(c_.injected, i));
            hn::Store(hn::MulAdd(load(c_.charge, i), load(c_.v, i), sources), d, c_.right.data() + i);
            if (channels) hn::Store(load(c_.fixed, i), d, c_.diagonal.data() + i);
        }
    }
    HWY_INLINE gate_values<V> gates_at(index_t i) const {
        return {load(c_.gates[0], i), load(c_.gates[1], i), load(c_.gates[2], i)};
    }
    HWY_INLINE void add_channels() {
        const D d;
        for (const std::int32_t i : order_.active) {
            V na = hn::Zero(d), k = na;
            open_parts(gates_at(i), na, k);
            na = hn::Mul(na, load(c_.na, i));
            k = hn::Mul(k, load(c_.k, i));
            const V reversed = hn::MulAdd(na, hn::Set(d, c_.e_na), hn::Mul(k, hn::Set(d, c_.e_k)));
            hn::Store(hn::Add(load(c_.diagonal, i), hn::Add(na, k)), d, c_.diagonal.data() + i);
            hn::Store(hn::Add(load(c_.right, i), reversed), d, c_.right.data() + i);
        }
    }

    HWY_INLINE void eliminate() {
        const std::int32_t* parent = order_.parent.data();
        const double* axial = order_.axial.data();
        double *diagonal = c_.diagonal.data(), *right = c_.right.data();
        for (index_t i = order_.size - 1; i > 0; --i) {
            const std::int32_t p = parent[i];
            const double pivot = 1 / diagonal[i], factor = axial[i] * pivot;
            c_.factor[at(i)] = factor;
            diagonal[p] = fused(-factor, axial[i], diagonal[p]);
            c_.solved[at(i)] = right[i] * pivot;
            right[p] = fused(factor, right[i], right[p]);
        }
        c_.solved[0] = right[0] / diagonal[0];
    }

    HWY_INLINE void give_passive() {
        const std::int32_t* parent = order_.parent.data();
        const double* factor = c_.factor.data();
        double* right = c_.right.data();
        for (index_t i = order_.size - 1; i > 0; --i)
            right[parent[i]] = fused(factor[i], right[i], right[parent[i]]);
    }
    HWY_INLINE void substitute_from_pivots() {
        for (index_t i = 0; i < order_.padded; i += step_lanes())
            hn::Store(hn::Mul(load(c_.right, i), load(c_.pivot, i)), D(), c_.solved.data() + i);
    }

    HWY_INLINE void descend(double stretch) {
        const std::int32_t* parent = order_.parent.data();
        const double* factor = c_.factor.data();
        double* solved = c_.solved.data();
        for (index_t i = 1; i < order_.size; ++i) solved[i] = fused(factor[i], solved[parent[i]], solved[i]);
        const D d;
        for (index_t i = 0; i < order_.padded; i += step_lanes()) {
            V v = load(c_.solved, i);
            if (stretch != 1)
                v = hn::MulSub(hn::Set(d, stretch), v, hn::Mul(hn::Set(d, stretch - 1), load(c_.v, i)));
            hn::Store(v, d, c_.v.data() + i);
        }
    }

    HWY_INLINE void move_gates() {
        const D d;
        for (const std::int32_t i : order_.active) {
            const auto moved = moved_gates(d, gates_at(i), load(c_.v, i), hn::Set(d, -c_.gate_time));
            hn::Store(moved.m, d, c_.gates[0].data() + i);
            hn::Store(moved.h, d, c_.gates[1].data() + i);
            hn::Store(moved.n, d, c_.gates[2].data() + i);
        }
    }

    level_cell& c_;
    const level_order& order_;
};

void step_one(level_cell& c) {
    cell_step(c).run();
}
void factor_one(level_cell& c) {
    cell_step(c).factor();
}
#endif

}  // namespace wale::tree::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::tree {
HWY_EXPORT(step_one);
HWY_EXPORT(factor_one);
void step_cell(level_cell& c) {
    HWY_DYNAMIC_DISPATCH(step_one)(c);
}
void factor_cell(level_cell& c) {
    HWY_DYNAMIC_DISPATCH(factor_one)(c);
}
}  // namespace wale::tree
#endif
