// stage - the vector code of cpu/vectors for tetrahedra to first order. A neighbour's record is loaded whole
// (records-inl.hpp).
//
// Through a face leaves half of what both sides carry, less the dissipation w (own - other):
//   sum_j [ F_own.h_j + F_j.h_j + w_j (own - other_j) ],   h = n / 2,
// so of the own cell only sum h_j and sum w_j matter, and each neighbour counts once:
//   momentum (v_j.h_j - w_j) + p_j h_j.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/euler/advance/shared/lanes/stage.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/euler/advance/shared/lanes/lanes.hpp"
#include "solvers/euler/advance/shared/lanes/records-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::euler::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // no vectors here: the row refuses such a machine
void stage_f32(const stage_task<float>&) {}
void stage_f64(const stage_task<double>&) {}
index_t lanes_f32() {
    return 1;
}
index_t lanes_f64() {
    return 1;
}
#else

/// Local: the waves through a cell's faces are summed on the way, for its step.
template <class Real, bool Rusanov, bool Local>
class stage_of {
    using R = records_of<Real>;
    using D = typename R::D;
    using V = typename R::V;
    static constexpr index_t lanes = R::lanes;

public:
    explicit stage_of(const stage_task<Real>& t) : t_(t), m_(*t.mesh) {}

    HWY_INLINE void run() const {
        for (index_t g = t_.first; g < t_.last; ++g)
            t_.stage == completion_pass ? complete_group(g) : group(g);
    }

private:
    struct sums {
        V leaving[variables];
        V half_area[3];  // area vectors
        V spread;        // of dissipation
        V through;       // |v.h|
        V area;          // half of the faces' sizes
    };

    HWY_INLINE void group(index_t g) const {
        const D d;
        V own[record];
        const Real* const at = t_.now + g * lanes * record;
        R::load([at](int lane) HWY_ATTR { return at + lane * record; }, own);
        const V own_spread = hn::Mul(hn::Set(d, m_.k.dissipation), own[waves_word]);
        sums s;
        for (V& v : s.leaving) v = hn::Zero(d);
        for (V& v : s.half_area) v = hn::Zero(d);
        s.spread = s.through = s.area = hn::Zero(d);
        for (index_t face = 0; face < 4; ++face) add_face(4 * g + face, own, own_spread, s);
        add_own(own, s);
        if (t_.stage == 0) find_steps(g, own, s);
        const std::int32_t* const boundary = m_.first_boundary.data() + g;
        if (boundary[0] != boundary[1]) add_boundary(g, s);
        t_.stage == residual_pass ? store_residual(g, s) : take_step(g, own, s);
    }

    HWY_INLINE void complete_group(index_t g) const {
        V words[record];
        const Real* const at = t_.now + g * lanes * record;
        R::load([at](int lane) HWY_ATTR { return at + lane * record; }, words);
        complete(words);
        R::store(words, t_.next + g * lanes * record);
    }

    HWY_INLINE void add_face(index_t face, const V (&own)[record], V own_spread, sums& s) const {
        const D d;
        const std::int32_t* const neighbour = m_.neighbour.data() + face * lanes;
        const Real* const geometry = m_.faces.data() + face * 4 * lanes;
        const Real* const now = t_.now;
        V r[record];
        R::load([now, neighbour](int lane) HWY_ATTR { return now + record * neighbour[lane]; }, r);
        const V x = hn::Load(d, geometry), y = hn::Load(d, geometry + lanes);
        const V z = hn::Load(d, geometry + 2 * lanes), area = hn::Load(d, geometry + 3 * lanes);
        const V mass = hn::MulAdd(r[3], z, hn::MulAdd(r[2], y, hn::Mul(r[1], x)));
        const V through = hn::Mul(mass, r[inverse_word]);
        V w = area;
        if constexpr (Rusanov || Local) {
            const V own_mass = hn::MulAdd(own[3], z, hn::MulAdd(own[2], y, hn::Mul(own[1], x)));
            const V own_through = hn::Abs(hn::Mul(own_mass, own[inverse_word]));
            s.through = hn::Add(s.through, own_through);
            s.area = hn::Add(s.area, area);
            w = hn::Max(hn::MulAdd(own[waves_word], area, own_through),
                        hn::MulAdd(r[waves_word], area, hn::Abs(through)));
        }
        if constexpr (!Rusanov)
            w = hn::Mul(area, hn::MulAdd(hn::Set(d, m_.k.dissipation), r[waves_word], own_spread));
        const V carried = hn::Sub(through, w);
        s.leaving[0] = hn::Add(s.leaving[0], hn::NegMulAdd(w, r[0], mass));
        s.leaving[1] = hn::MulAdd(r[pressure_word], x, hn::MulAdd(r[1], carried, s.leaving[1]));
        s.leaving[2] = hn::MulAdd(r[pressure_word], y, hn::MulAdd(r[2], carried, s.leaving[2]));
        s.leaving[3] = hn::MulAdd(r[pressure_word], z, hn::MulAdd(r[3], carried, s.leaving[3]));
        s.leaving[4] = hn::MulAdd(r[pressure_word], through, hn::MulAdd(r[4], carried, s.leaving[4]));
        s.half_area[0] = hn::Add(s.half_area[0], x);
        s.half_area[1] = hn::Add(s.half_area[1], y);
        s.half_area[2] = hn::Add(s.half_area[2], z);
        s.spread = hn::Add(s.spread, w);
    }

    /// The own cell's part of all its faces.
    HWY_INLINE void add_own(const V (&own)[record], sums& s) const {
        const V mass = hn::MulAdd(own[3], s.half_area[2],
                                  hn::MulAdd(own[2], s.half_area[1], hn::Mul(own[1], s.half_area[0])));
        const V through = hn::Mul(mass, own[inverse_word]);
        const V carried = hn::Add(through, s.spread);
        s.leaving[0] = hn::Add(s.leaving[0], hn::MulAdd(s.spread, own[0], mass));
        for (int i = 1; i < 4; ++i)
            s.leaving[i] =
                hn::MulAdd(own[pressure_word], s.half_area[i - 1], hn::MulAdd(own[i], carried, s.leaving[i]));
        s.leaving[4] = hn::MulAdd(own[pressure_word], through, hn::MulAdd(own[4], carried, s.leaving[4]));
    }

    HWY_INLINE void find_steps(index_t g, const V (&own)[record], const sums& s) const {
        const D d;
        if (m_.k.fixed_step > 0) return;  // the steps are there
        V step;
        if constexpr (Local) {
            const V waves = hn::MulAdd(speeds(own).sound, s.area, s.through);
            step = hn::Div(hn::Set(d, m_.k.cfl), waves);
        } else {
            V waves = own[waves_word];
            if constexpr (Rusanov) waves = hn::Add(waves, speeds(own).flow);
            step = hn::Div(hn::Load(d, m_.factor.data() + g * lanes), waves);
        }
        hn::Store(step, d, t_.steps + g * lanes);
    }

    HWY_INLINE void add_boundary(index_t g, sums& s) const {
        const D d;
        HWY_ALIGN Real leaving[variables * lanes];
        for (int v = 0; v < variables; ++v) hn::Store(s.leaving[v], d, leaving + v * lanes);
        add_boundaries(t_, g, lanes, leaving);
        for (int v = 0; v < variables; ++v) s.leaving[v] = hn::Load(d, leaving + v * lanes);
    }

    HWY_INLINE void take_step(index_t g, const V (&own)[record], const sums& s) const {
        const D d;
        const auto stage = static_cast<std::size_t>(t_.stage);
        V old[record], next[record];
        for (int v = 0; v < record; ++v) old[v] = own[v];
        const Real* const at = t_.old + g * lanes * record;
        if (t_.old != t_.now) R::load([at](int lane) HWY_ATTR { return at + lane * record; }, old);
        const V step = hn::Mul(hn::Set(d, m_.k.from_flux[stage]), hn::Load(d, t_.steps + g * lanes));
        for (int v = 0; v < variables; ++v) {
            const V kept = hn::MulAdd(hn::Set(d, m_.k.from_now[stage]), own[v],
                                      hn::Mul(hn::Set(d, m_.k.from_old[stage]), old[v]));
            next[v] = hn::NegMulAdd(step, s.leaving[v], kept);
        }
        complete(next);
        R::store(next, t_.next + g * lanes * record);
    }

    HWY_INLINE void store_residual(index_t g, const sums& s) const {
        const D d;
        V words[record];
        for (V& w : words) w = hn::Zero(d);
        for (int v = 0; v < variables; ++v) words[v] = hn::Neg(s.leaving[v]);
        R::store(words, t_.next + g * lanes * record);
    }

    /// Words 5 to 7 from the state.
    HWY_INLINE void complete(V (&w)[record]) const {
        const D d;
        w[inverse_word] = hn::Div(hn::Set(d, Real(1)), w[0]);
        const V squares = hn::MulAdd(w[3], w[3], hn::MulAdd(w[2], w[2], hn::Mul(w[1], w[1])));
        const V inner = hn::NegMulAdd(hn::Mul(hn::Set(d, Real(0.5)), w[inverse_word]), squares, w[4]);
        w[pressure_word] = hn::Mul(hn::Set(d, m_.k.gamma_1), inner);
        const auto s = speeds(w);
        w[waves_word] = Rusanov ? s.sound : hn::Add(s.flow, s.sound);
    }
    struct two_speeds {
        V flow, sound;
    };
    HWY_INLINE two_speeds speeds(const V (&w)[record]) const {
        const D d;
        const V squares = hn::MulAdd(w[3], w[3], hn::MulAdd(w[2], w[2], hn::Mul(w[1], w[1])));
        const V pressure = hn::Mul(hn::Set(d, m_.k.gamma), w[pressure_word]);
        return {hn::Mul(hn::Sqrt(squares), hn::Abs(w[inverse_word])),
                hn::Sqrt(hn::Mul(pressure, w[inverse_word]))};
    }

    const stage_task<Real>& t_;
    const lane_mesh<Real>& m_;
};

template <class Real>
HWY_INLINE void stage(const stage_task<Real>& t) {
    const bool rusanov = t.mesh->flux == euler_flux::rusanov;
    const bool local = t.mesh->rule == euler_step::local && t.stage == 0;
    if (rusanov)
        local ? stage_of<Real, true, true>(t).run() : stage_of<Real, true, false>(t).run();
    else
        local ? stage_of<Real, false, true>(t).run() : stage_of<Real, false, false>(t).run();
}
void stage_f32(const stage_task<float>& t) {
    stage(t);
}
void stage_f64(const stage_task<double>& t) {
    stage(t);
}
index_t lanes_f32() {
    return records_of<float>::lanes;
}
index_t lanes_f64() {
    return records_of<double>::lanes;
}
#endif

}  // namespace wale::euler::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::euler {
HWY_EXPORT(lanes_f32);
HWY_EXPORT(lanes_f64);
HWY_EXPORT(stage_f32);
HWY_EXPORT(stage_f64);
template <>
index_t lanes_of<float>() {
    return HWY_DYNAMIC_DISPATCH(lanes_f32)();
}
template <>
index_t lanes_of<double>() {
    return HWY_DYNAMIC_DISPATCH(lanes_f64)();
}
template <>
void run_stage(const stage_task<float>& t) {
    HWY_DYNAMIC_DISPATCH(stage_f32)(t);
}
template <>
void run_stage(const stage_task<double>& t) {
    HWY_DYNAMIC_DISPATCH(stage_f64)(t);
}
}  // namespace wale::euler
#endif
