// kernels - the vector code of cpu/vectors for cells of any shape.
//
// Who rounds how does not depend on blocks, threads or the order of cells: a cell's gradient sums its links
// in their order, a cell's residual its own faces in the order of the mesh, and both sides of a face between
// two blocks find the same flux (flux-inl.hpp).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/euler/advance/cpu/vectors/kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "solvers/euler/advance/cpu/vectors/blocks.hpp"
#include "solvers/euler/advance/cpu/vectors/flux-inl.hpp"
#include "solvers/euler/advance/cpu/vectors/words-inl.hpp"
#include "solvers/euler/advance/shared/dispatch.hpp"
#include "solvers/euler/advance/shared/lanes/records-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::euler::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // no vectors here: the row refuses such a machine
template <class Real>
HWY_INLINE void slopes_of(const block_task<Real>&, index_t, index_t) {}
template <class Real>
HWY_INLINE void residuals_of_block(const block_task<Real>&, const cell_block&, Real*) {}
template <class Real>
HWY_INLINE void steps_of(const step_task<Real>&, index_t, index_t) {}
template <class Real>
HWY_INLINE void sweep(const block_mesh<Real>&, const cell_block&, const Real*, const Real*, Real*) {}
#else

/// Gradients: for each cell a sum of weights times differences, found when the mesh was arranged. Both
/// limiters fall with the size of the step to a face, so the largest step up and the largest down say all.
template <class Real, int Axes, euler_limiter Limiter>
class slopes_in_words {
    using W = words_of<Real>;
    using D = typename W::D;
    using V = typename W::V;

public:
    explicit HWY_INLINE slopes_in_words(const block_task<Real>& t) : t_(t), m_(*t.mesh) {
        HWY_ALIGN Real squares[record]{};
        for (int v = 0; v < variables; ++v) squares[v] = m_.k.unit_squares[v];
        squares_ = W::load(squares);
    }

    HWY_INLINE void find(index_t place) const {
        const W own = W::load(t_.points + record * place);
        W slope[Axes], low = own, high = own;
        for (W& s : slope) s = W::all(0);
        const index_t first = m_.first_link[static_cast<std::size_t>(place)];
        const index_t near = first + m_.near_links[static_cast<std::size_t>(place)];
        const index_t last = m_.first_link[static_cast<std::size_t>(place) + 1];
        for (index_t i = first; i < near; ++i) {
            const W other = other_end(i);
            if constexpr (Limiter != euler_limiter::none) {
                low = least(low, other);
                high = most(high, other);
            }
            add(i, difference(other, own), slope);
        }
        for (index_t i = near; i < last; ++i) add(i, difference(other_end(i), own), slope);
        if constexpr (Limiter != euler_limiter::none) {
            const W part = part_of(place, slope, difference(low, own), difference(high, own));
            for (W& s : slope) s = product(s, part);
        }
        Real* const to = t_.slopes + m_.slope_words() * place;
        for (int a = 0; a < Axes; ++a) slope[a].store(to + variables * a);
    }

private:
    [[nodiscard]] HWY_INLINE W other_end(index_t i) const {
        return W::load(t_.points + record * static_cast<index_t>(m_.link[static_cast<std::size_t>(i)]));
    }
    HWY_INLINE void add(index_t i, const W& rise, W (&slope)[Axes]) const {
        const Real* const weight = m_.weight.data() + Axes * i;
        for (int a = 0; a < Axes; ++a) slope[a] = plus_product(W::all(weight[a]), rise, slope[a]);
    }

    /// What all faces leave of the gradient; `low` and `high` are the neighbours' extremes less the own
    /// value.
    HWY_INLINE W part_of(index_t place, const W (&slope)[Axes], const W& low, const W& high) const {
        W down = W::all(0), up = down;
        const index_t last = m_.first_row[static_cast<std::size_t>(place) + 1];
        for (index_t row = m_.first_row[static_cast<std::size_t>(place)]; row < last; ++row) {
            const Real* const x = m_.offset.data() + 3 * row;
            W step = product(slope[0], W::all(x[0]));
            for (int a = 1; a < Axes; ++a) step = plus_product(slope[a], W::all(x[a]), step);
            down = least(down, step);
            up = most(up, step);
        }
        const W floor = product(squares_, W::all(m_.floor_[static_cast<std::size_t>(place)]));
        W part;
        for (int i = 0; i < W::parts; ++i)
            part.part[i] = lesser(fraction_of(up.part[i], high.part[i], floor.part[i]),
                                  fraction_of(down.part[i], low.part[i], floor.part[i]));
        return part;
    }

    struct fraction {
        V over, under;  // the latter is positive
    };
    /// limited_part() before it divides; 1 where there is no step.
    static HWY_INLINE fraction fraction_of(V step, V room, V floor) {
        const D d;
        const auto none = hn::Eq(step, hn::Zero(d));
        const V one = hn::Set(d, Real(1));
        fraction f;
        if constexpr (Limiter == euler_limiter::barth_jespersen) {
            f = {hn::Abs(room), hn::Abs(step)};
        } else {
            const V both = hn::Mul(step, room), base = hn::Add(hn::MulAdd(room, room, both), floor);
            f = {hn::Add(base, both), hn::MulAdd(hn::Add(step, step), step, base)};
        }
        return {hn::IfThenElse(none, one, f.over), hn::IfThenElse(none, one, f.under)};
    }
    /// The lesser of both and 1. Products of two fractions underflow in single precision; its divisions
    /// are the cheaper ones.
    static HWY_INLINE V lesser(const fraction& a, const fraction& b) {
        const V one = hn::Set(D(), Real(1));
        if constexpr (sizeof(Real) == 4)
            return hn::Min(one, hn::Min(hn::Div(a.over, a.under), hn::Div(b.over, b.under)));
        const auto first = hn::Lt(hn::Mul(a.over, b.under), hn::Mul(b.over, a.under));
        return hn::Min(
            one, hn::Div(hn::IfThenElse(first, a.over, b.over), hn::IfThenElse(first, a.under, b.under)));
    }

    const block_task<Real>& t_;
    const block_mesh<Real>& m_;
    W squares_;
};

template <class Real>
HWY_INLINE void slopes_of(const block_task<Real>& t, index_t first, index_t last) {
    const auto run = [&]<int Axes, euler_limiter Limiter>() HWY_ATTR {
        const slopes_in_words<Real, Axes, Limiter> all(t);
        for (index_t i = first; i < last; ++i) all.find(i);
    };
    const auto with_axes = [&]<euler_limiter Limiter>() HWY_ATTR {
        t.mesh->k.flat ? run.template operator()<2, Limiter>() : run.template operator()<3, Limiter>();
    };
    switch (t.mesh->k.limiter) {
        case euler_limiter::none:
            return with_axes.template operator()<euler_limiter::none>();
        case euler_limiter::barth_jespersen:
            return with_axes.template operator()<euler_limiter::barth_jespersen>();
        default:
            return with_axes.template operator()<euler_limiter::venkatakrishnan>();
    }
}

/// From records to the residuals of one block's cells.
template <class Real, euler_flux Flux, int Order>
class block_fluxes {
    using W = words_of<Real>;
    using R = records_of<Real>;
    using D = typename R::D;
    using V = typename R::V;
    static constexpr index_t lanes = R::lanes;

public:
    HWY_INLINE block_fluxes(const block_task<Real>& t, const cell_block& b) : t_(t), m_(*t.mesh), b_(b) {}

    HWY_INLINE void find(Real* residual) const {
        if (Order == 2 && !m_.k.flat)
            carry_all<3>();
        else
            carry_all<2>();
        const face_lanes<Real, Flux> fluxes(m_.k);
        for (index_t g = b_.first_group; g < b_.last_group; ++g) cross(fluxes, g);
        for (index_t e = b_.first_edge; e < b_.first_open; ++e) press(m_.edges[static_cast<std::size_t>(e)]);
        for (index_t e = b_.first_open; e < b_.last_edge; ++e) {
            const edge_face<Real>& edge = m_.edges[static_cast<std::size_t>(e)];
            replace_by_flux(m_, edge, t_.points + record * edge.place, t_.scratch + record * edge.slot);
        }
        for (index_t i = b_.first; i < b_.last; ++i) sum(i, residual + record * (i - b_.first));
    }

private:
    /// States at faces, from the block's cells and from those beyond.
    template <int Axes>
    HWY_INLINE void carry_all() const {
        for (index_t i = b_.first; i < b_.last; ++i) {
            const carried_from<Axes> from(t_, m_, i);
            const index_t last = m_.first_row[static_cast<std::size_t>(i) + 1];
            for (index_t row = m_.first_row[static_cast<std::size_t>(i)]; row < last; ++row)
                from.to(m_.offset.data() + 3 * row,
                        t_.scratch + record * static_cast<index_t>(m_.slot[static_cast<std::size_t>(row)]));
        }
        for (index_t i = b_.first_remote; i < b_.last_remote; ++i) {
            const remote_side& side = m_.remotes[static_cast<std::size_t>(i)];
            carried_from<Axes>(t_, m_, side.place)
                .to(m_.offset.data() + 3 * side.row, t_.scratch + record * side.slot);
        }
    }
    template <int Axes>
    struct carried_from {
        W own;
        W slope[Axes];
        HWY_INLINE carried_from(const block_task<Real>& t, const block_mesh<Real>& m, index_t place)
            : own(W::load(t.points + record * place)) {
            if constexpr (Order == 2)
                for (int a = 0; a < Axes; ++a)
                    slope[a] = W::load(t.slopes + m.slope_words() * place + variables * a);
        }
        /// The state at x from the centroid; the cell's own where that would be no gas.
        HWY_INLINE void to(const Real* x, Real* slot) const {
            W there = own;
            if constexpr (Order == 2)
                for (int a = 0; a < Axes; ++a) there = plus_product(slope[a], W::all(x[a]), there);
            there.store(slot);
            if (Order == 2 && (!(slot[0] > 0) || !(slot[4] > 0))) own.store(slot);
        }
    };

    HWY_INLINE void cross(const face_lanes<Real, Flux>& fluxes, index_t g) const {
        using side = typename face_lanes<Real, Flux>::side;
        const D d;
        Real* const at = t_.scratch + 2 * lanes * record * (g - b_.first_group);
        V l[record], r[record], f[record];
        R::load([at](int lane) HWY_ATTR { return at + lane * record; }, l);
        R::load([at](int lane) HWY_ATTR { return at + (lanes + lane) * record; }, r);
        const Real* const geometry = m_.faces.data() + 4 * lanes * g;
        const V n[3] = {hn::Load(d, geometry), hn::Load(d, geometry + lanes),
                        hn::Load(d, geometry + 2 * lanes)};
        V through[variables];
        fluxes.find(side{l[0], l[1], l[2], l[3], l[4]}, side{r[0], r[1], r[2], r[3], r[4]}, n, through);
        const V area = hn::Load(d, geometry + 3 * lanes);
        for (int v = 0; v < variables; ++v) f[v] = hn::Mul(area, through[v]);
        for (int v = variables; v < record; ++v) f[v] = hn::Zero(d);
        R::store(f, at);
    }

    /// wall_flux().
    HWY_INLINE void press(const edge_face<Real>& edge) const {
        Real* const slot = t_.scratch + record * edge.slot;
        const Real force = slot[4] * edge.face.area;
        slot[0] = slot[4] = 0;
        for (int d = 0; d < 3; ++d) slot[1 + d] = force * edge.face.at[d];
    }

    HWY_INLINE void sum(index_t place, Real* residual) const {
        static constexpr Real signs[] = {-1, 1};
        const index_t inner = 2 * lanes * (b_.last_group - b_.first_group);
        W all = W::all(0);
        const index_t last = m_.first_row[static_cast<std::size_t>(place) + 1];
        for (index_t row = m_.first_row[static_cast<std::size_t>(place)]; row < last; ++row) {
            const index_t at = m_.slot[static_cast<std::size_t>(row)];
            const bool enters = at < inner && (at & lanes) != 0;
            const W f = W::load(t_.scratch + record * (enters ? at - lanes : at));
            const W sign = W::all(signs[enters]);
            all = plus_product(sign, f, all);
        }
        all.store(residual);
    }

    const block_task<Real>& t_;
    const block_mesh<Real>& m_;
    const cell_block& b_;
};

template <class Real>
HWY_INLINE void residuals_of_block(const block_task<Real>& t, const cell_block& b, Real* residual) {
    with_scheme(t.mesh->scheme, [&]<euler_flux Flux, int Order>()
                                    HWY_ATTR { block_fluxes<Real, Flux, Order>(t, b).find(residual); });
}

template <class Real>
HWY_INLINE void steps_of(const step_task<Real>& t, index_t first, index_t last) {
    using R = records_of<Real>;
    using V = typename R::V;
    const typename R::D d;
    constexpr index_t lanes = R::lanes;
    const constants<Real>& k = t.mesh->k;
    for (index_t at = first; at < last; at += lanes) {
        V next[variables];
        for (int v = 0; v < variables; ++v) {
            const index_t word = variables * at + v * lanes;
            next[v] = hn::Mul(hn::Set(d, t.from_old), hn::Load(d, t.old + word));
            if (t.from_now != 0)
                next[v] = hn::MulAdd(hn::Set(d, t.from_now), hn::Load(d, t.now + word), next[v]);
        }
        if (t.residual != nullptr) {
            V residual[record];
            const Real* const from = t.residual + record * (at - first);
            R::load([from](int lane) HWY_ATTR { return from + record * lane; }, residual);
            const V step = hn::Mul(hn::Set(d, t.from_flux), hn::Load(d, t.steps + at));
            for (int v = 0; v < variables; ++v) next[v] = hn::MulAdd(step, residual[v], next[v]);
        }
        for (int v = 0; v < variables; ++v) hn::Store(next[v], d, t.next + variables * at + v * lanes);
        const V inverse = hn::Div(hn::Set(d, Real(1)), next[0]);
        V p[record];
        p[0] = next[0];
        for (int v = 1; v < 4; ++v) p[v] = hn::Mul(next[v], inverse);
        const V moved = hn::MulAdd(next[3], p[3], hn::MulAdd(next[2], p[2], hn::Mul(next[1], p[1])));
        p[4] = hn::Mul(hn::Set(d, k.gamma_1), hn::NegMulAdd(hn::Set(d, Real(0.5)), moved, next[4]));
        for (int v = variables; v < record; ++v) p[v] = hn::Zero(d);
        R::store(p, t.points + record * at);
    }
}

template <class Real>
HWY_INLINE void sweep(const block_mesh<Real>& m, const cell_block& b, const Real* rough, const Real* smooth,
                      Real* next) {
    using W = words_of<Real>;
    const W factor = W::all(m.k.smoothing_factor);
    for (index_t i = b.first; i < b.last; ++i) {
        const index_t first = m.first_link[static_cast<std::size_t>(i)];
        W sum = W::all(0);
        Real faces = 0;
        for (index_t at = first; at < first + m.near_links[static_cast<std::size_t>(i)]; ++at) {
            const std::int32_t other = m.link[static_cast<std::size_t>(at)];
            if (other >= m.places) continue;  // a ghost
            faces += 1;
            sum = each<Real>([](auto x, auto y) HWY_ATTR { return hn::Add(x, y); }, sum,
                             W::load(smooth + record * other));
        }
        const W share = W::all(Real(1) / (Real(1) + m.k.smoothing_factor * faces));
        product(plus_product(factor, sum, W::load(rough + record * i)), share).store(next + record * i);
    }
}
#endif

void slopes_f32(const block_task<float>& t, index_t first, index_t last) {
    slopes_of(t, first, last);
}
void slopes_f64(const block_task<double>& t, index_t first, index_t last) {
    slopes_of(t, first, last);
}
void residuals_f32(const block_task<float>& t, const cell_block& b, float* residual) {
    residuals_of_block(t, b, residual);
}
void residuals_f64(const block_task<double>& t, const cell_block& b, double* residual) {
    residuals_of_block(t, b, residual);
}
void steps_f32(const step_task<float>& t, index_t first, index_t last) {
    steps_of(t, first, last);
}
void steps_f64(const step_task<double>& t, index_t first, index_t last) {
    steps_of(t, first, last);
}
void sweep_f32(const block_mesh<float>& m, const cell_block& b, const float* rough, const float* smooth,
               float* next) {
    sweep(m, b, rough, smooth, next);
}
void sweep_f64(const block_mesh<double>& m, const cell_block& b, const double* rough, const double* smooth,
               double* next) {
    sweep(m, b, rough, smooth, next);
}

}  // namespace wale::euler::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wale::euler {
HWY_EXPORT(slopes_f32);
HWY_EXPORT(slopes_f64);
HWY_EXPORT(residuals_f32);
HWY_EXPORT(residuals_f64);
HWY_EXPORT(steps_f32);
HWY_EXPORT(steps_f64);
HWY_EXPORT(sweep_f32);
HWY_EXPORT(sweep_f64);
template <>
void find_slopes(const block_task<float>& t, index_t first, index_t last) {
    HWY_DYNAMIC_DISPATCH(slopes_f32)(t, first, last);
}
template <>
void find_slopes(const block_task<double>& t, index_t first, index_t last) {
    HWY_DYNAMIC_DISPATCH(slopes_f64)(t, first, last);
}
template <>
void find_residuals(const block_task<float>& t, const cell_block& b, float* residual) {
    HWY_DYNAMIC_DISPATCH(residuals_f32)(t, b, residual);
}
template <>
void find_residuals(const block_task<double>& t, const cell_block& b, double* residual) {
    HWY_DYNAMIC_DISPATCH(residuals_f64)(t, b, residual);
}
template <>
void take_steps(const step_task<float>& t, index_t first, index_t last) {
    HWY_DYNAMIC_DISPATCH(steps_f32)(t, first, last);
}
template <>
void take_steps(const step_task<double>& t, index_t first, index_t last) {
    HWY_DYNAMIC_DISPATCH(steps_f64)(t, first, last);
}
template <>
void sweep_residuals(const block_mesh<float>& m, const cell_block& b, const float* rough, const float* smooth,
                     float* next) {
    HWY_DYNAMIC_DISPATCH(sweep_f32)(m, b, rough, smooth, next);
}
template <>
void sweep_residuals(const block_mesh<double>& m, const cell_block& b, const double* rough,
                     const double* smooth, double* next) {
    HWY_DYNAMIC_DISPATCH(sweep_f64)(m, b, rough, smooth, next);
}
}  // namespace wale::euler
#endif
