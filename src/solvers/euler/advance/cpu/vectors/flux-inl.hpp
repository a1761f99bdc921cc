// flux-inl - the fluxes of fluxes.hpp with a face in each lane. As there, what is computed from l to r is
// exactly the negative of what is computed from r to l: products of both sides are summed without a fused
// product, which would round one side and not the other. Compiled once a target.
#if defined(WALE_EULER_FLUX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WALE_EULER_FLUX_INL
#undef WALE_EULER_FLUX_INL
#else
#define WALE_EULER_FLUX_INL
#endif

#include <hwy/highway.h>

#include "solvers/euler/advance/problem.hpp"

HWY_BEFORE_NAMESPACE();
namespace wale::euler::HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR
namespace hn = hwy::HWY_NAMESPACE;

template <class Real, euler_flux Flux>
class face_lanes {
    using D = hn::ScalableTag<Real>;
    using V = hn::Vec<D>;

public:
    struct side {
        V rho, u, v, w, p;
    };
    explicit HWY_INLINE face_lanes(const constants<Real>& k)
        : gamma_(set(k.gamma)),
          gamma_1_(set(k.gamma_1)),
          inverse_gamma_1_(set(Real(1) / k.gamma_1)),
          dissipation_(set(k.dissipation)),
          entropy_fix_(set(k.entropy_fix)) {}

    /// n: direction; a unit of area.
    HWY_INLINE void find(const side& l, const side& r, const V (&n)[3], V (&f)[variables]) const {
        if constexpr (Flux == euler_flux::hllc)
            hllc(l, r, n, f);
        else if constexpr (Flux == euler_flux::roe)
            roe(l, r, n, f);
        else
            central(l, r, n, spread(l, r, n), f);
    }

private:
    static HWY_INLINE V set(Real x) { return hn::Set(D(), x); }
    static HWY_INLINE V dot(V x, V y, V z, const V (&n)[3]) {
        return hn::MulAdd(z, n[2], hn::MulAdd(y, n[1], hn::Mul(x, n[0])));
    }
    static HWY_INLINE V through(const side& g, const V (&n)[3]) { return dot(g.u, g.v, g.w, n); }
    static HWY_INLINE V square_of_speed(const side& g) {
        return hn::MulAdd(g.w, g.w, hn::MulAdd(g.v, g.v, hn::Mul(g.u, g.u)));
    }
    HWY_INLINE V square_of_sound(const side& g) const { return hn::Div(hn::Mul(gamma_, g.p), g.rho); }
    HWY_INLINE V energy(const side& g) const {
        return hn::MulAdd(hn::Mul(set(Real(0.5)), g.rho), square_of_speed(g), hn::Mul(g.p, inverse_gamma_1_));
    }
    static HWY_INLINE side chosen(hn::Mask<D> left, const side& l, const side& r) {
        return {hn::IfThenElse(left, l.rho, r.rho), hn::IfThenElse(left, l.u, r.u),
                hn::IfThenElse(left, l.v, r.v), hn::IfThenElse(left, l.w, r.w),
                hn::IfThenElse(left, l.p, r.p)};
    }

    struct weights {
        V l, r;
        HWY_INLINE V mean(V left, V right) const { return hn::Add(hn::Mul(l, left), hn::Mul(r, right)); }
    };
    static HWY_INLINE weights roe_weights_of(const side& l, const side& r) {
        const V one = set(Real(1)), inverse = hn::Div(one, hn::Add(l.rho, r.rho));
        const V a = hn::Sqrt(hn::Mul(l.rho, inverse)), b = hn::Sqrt(hn::Mul(r.rho, inverse));
        const V whole = hn::Div(one, hn::Add(a, b));
        return {hn::Mul(a, whole), hn::Mul(b, whole)};
    }

    HWY_INLINE V spread(const side& l, const side& r, const V (&n)[3]) const {
        const V half = set(Real(0.5));
        const V cl = hn::Sqrt(square_of_sound(l)), cr = hn::Sqrt(square_of_sound(r));
        if constexpr (Flux == euler_flux::rusanov) {
            const V a = hn::Add(hn::Abs(through(l, n)), cl), b = hn::Add(hn::Abs(through(r, n)), cr);
            return hn::Mul(half, hn::Max(a, b));
        }
        const V a = hn::Add(hn::Sqrt(square_of_speed(l)), cl), b = hn::Add(hn::Sqrt(square_of_speed(r)), cr);
        return hn::Mul(hn::Mul(dissipation_, half), hn::Add(a, b));
    }

    HWY_INLINE void physical(const side& g, V energy, const V (&n)[3], V (&f)[variables]) const {
        const V q = through(g, n);
        f[0] = hn::Mul(g.rho, q);
        f[1] = hn::MulAdd(f[0], g.u, hn::Mul(g.p, n[0]));
        f[2] = hn::MulAdd(f[0], g.v, hn::Mul(g.p, n[1]));
        f[3] = hn::MulAdd(f[0], g.w, hn::Mul(g.p, n[2]));
        f[4] = hn::Mul(hn::Add(energy, g.p), q);
    }

    HWY_INLINE void central(const side& l, const side& r, const V (&n)[3], V spread,
                            V (&f)[variables]) const {
        const V half = set(Real(0.5)), el = energy(l), er = energy(r);
        V a[variables], b[variables];
        physical(l, el, n, a);
        physical(r, er, n, b);
        const V jump[variables] = {hn::Sub(l.rho, r.rho), hn::Sub(hn::Mul(l.rho, l.u), hn::Mul(r.rho, r.u)),
                                   hn::Sub(hn::Mul(l.rho, l.v), hn::Mul(r.rho, r.v)),
                                   hn::Sub(hn::Mul(l.rho, l.w), hn::Mul(r.rho, r.w)), hn::Sub(el, er)};
        for (int i = 0; i < variables; ++i)
            f[i] = hn::MulAdd(spread, jump[i], hn::Mul(half, hn::Add(a[i], b[i])));
    }

    /// Where all waves go to one side, its star is itself: what it carries is then its own flux.
    HWY_INLINE void hllc(const side& l, const side& r, const V (&n)[3], V (&f)[variables]) const {
        const V zero = hn::Zero(D()), half = set(Real(0.5));
        const V ql = through(l, n), qr = through(r, n);
        const weights w = roe_weights_of(l, r);
        const V jump = hn::Sub(qr, ql), q = w.mean(ql, qr);
        const V ccl = square_of_sound(l), ccr = square_of_sound(r);
        const V c =
            hn::Sqrt(hn::MulAdd(hn::Mul(half, hn::Mul(w.l, w.r)), hn::Mul(jump, jump), w.mean(ccl, ccr)));
        const V sl = hn::Min(hn::Sub(ql, hn::Sqrt(ccl)), hn::Sub(q, c));
        const V sr = hn::Max(hn::Add(qr, hn::Sqrt(ccr)), hn::Add(q, c));
        const V ml = hn::Mul(l.rho, hn::Sub(sl, ql)), mr = hn::Mul(r.rho, hn::Sub(sr, qr));
        const V push = hn::Add(hn::Sub(hn::Mul(ml, ql), hn::Mul(mr, qr)), hn::Sub(r.p, l.p));
        const V middle = hn::Div(push, hn::Sub(ml, mr));
        const V pressure = hn::Mul(half, hn::Add(hn::MulAdd(ml, hn::Sub(middle, ql), l.p),
                                                 hn::MulAdd(mr, hn::Sub(middle, qr), r.p)));
        const auto all_right = hn::Ge(sl, zero), all_left = hn::Le(sr, zero);
        const auto left = hn::Or(all_right, hn::And(hn::Not(all_left), hn::Ge(middle, zero)));
        const auto alone = hn::Or(all_right, all_left);
        const side g = chosen(left, l, r);
        const V own = hn::IfThenElse(left, ql, qr), s = hn::IfThenElse(left, sl, sr);
        star(g, s, own, hn::IfThenElse(alone, own, middle), hn::IfThenElse(alone, g.p, pressure), n, f);
    }

    HWY_INLINE void star(const side& g, V s, V q, V middle, V pressure, const V (&n)[3],
                         V (&f)[variables]) const {
        const V carried = hn::Div(middle, hn::Sub(s, middle)), away = hn::Sub(s, q);
        const V push = hn::MulAdd(hn::Sub(pressure, g.p), carried, pressure);
        f[0] = hn::Mul(hn::Mul(g.rho, away), carried);
        f[1] = hn::MulAdd(f[0], g.u, hn::Mul(push, n[0]));
        f[2] = hn::MulAdd(f[0], g.v, hn::Mul(push, n[1]));
        f[3] = hn::MulAdd(f[0], g.w, hn::Mul(push, n[2]));
        const V worked = hn::Mul(pressure, middle);
        const V inside = hn::Add(hn::MulSub(away, energy(g), hn::Mul(g.p, q)), worked);
        f[4] = hn::MulAdd(inside, carried, worked);
    }

    static HWY_INLINE V fixed_wave(V wave, V width, V inverse) {
        const V size = hn::Abs(wave);
        const V rounded = hn::Mul(set(Real(0.5)), hn::MulAdd(hn::Mul(wave, wave), inverse, width));
        return hn::IfThenElse(hn::Lt(size, width), rounded, size);
    }

    HWY_INLINE void roe(const side& l, const side& r, const V (&n)[3], V (&f)[variables]) const {
        const V half = set(Real(0.5)), one = set(Real(1));
        const weights m = roe_weights_of(l, r);
        const V v[3] = {m.mean(l.u, r.u), m.mean(l.v, r.v), m.mean(l.w, r.w)};
        const V dv[3] = {hn::Sub(r.u, l.u), hn::Sub(r.v, l.v), hn::Sub(r.w, l.w)};
        const V dp = hn::Sub(r.p, l.p), drho = hn::Sub(r.rho, l.rho);
        const V rho = hn::Sqrt(hn::Mul(l.rho, r.rho));
        const V ccl = square_of_sound(l), ccr = square_of_sound(r);
        const V hl = hn::MulAdd(half, square_of_speed(l), hn::Mul(ccl, inverse_gamma_1_));
        const V hr = hn::MulAdd(half, square_of_speed(r), hn::Mul(ccr, inverse_gamma_1_));
        const V squares = hn::MulAdd(dv[2], dv[2], hn::MulAdd(dv[1], dv[1], hn::Mul(dv[0], dv[0])));
        const V cc =
            hn::MulAdd(hn::Mul(hn::Mul(half, gamma_1_), hn::Mul(m.l, m.r)), squares, m.mean(ccl, ccr));
        const V c = hn::Sqrt(cc), inverse_cc = hn::Div(one, cc);
        const V q = dot(v[0], v[1], v[2], n), dq = dot(dv[0], dv[1], dv[2], n);
        const V width = hn::Mul(entropy_fix_, hn::Add(hn::Abs(q), c)), inverse_width = hn::Div(one, width);
        const V still = fixed_wave(q, width, inverse_width), hurled = hn::Mul(hn::Mul(rho, c), dq);
        const V share = hn::Mul(half, inverse_cc);
        const V back =
            hn::Mul(hn::Mul(fixed_wave(hn::Sub(q, c), width, inverse_width), hn::Sub(dp, hurled)), share);
        const V forth =
            hn::Mul(hn::Mul(fixed_wave(hn::Add(q, c), width, inverse_width), hn::Add(dp, hurled)), share);
        const V contact = hn::Mul(still, hn::NegMulAdd(dp, inverse_cc, drho)), shear = hn::Mul(still, rho);
        const V both = hn::Add(back, forth), mass = hn::Add(both, contact);
        const V sound = hn::Mul(c, hn::Sub(forth, back));
        const V vdv = hn::MulAdd(v[2], dv[2], hn::MulAdd(v[1], dv[1], hn::Mul(v[0], dv[0])));
        const V vv = hn::MulAdd(v[2], v[2], hn::MulAdd(v[1], v[1], hn::Mul(v[0], v[0])));
        central(l, r, n, hn::Zero(D()), f);
        f[0] = hn::NegMulAdd(half, mass, f[0]);
        for (int i = 0; i < 3; ++i) {
            const V aside = hn::MulAdd(shear, hn::NegMulAdd(dq, n[i], dv[i]), hn::Mul(sound, n[i]));
            f[i + 1] = hn::NegMulAdd(half, hn::MulAdd(mass, v[i], aside), f[i + 1]);
        }
        const V turned = hn::MulAdd(sound, q, hn::Mul(shear, hn::NegMulAdd(q, dq, vdv)));
        const V borne = hn::MulAdd(contact, hn::Mul(half, vv), hn::Mul(both, m.mean(hl, hr)));
        f[4] = hn::NegMulAdd(half, hn::Add(borne, turned), f[4]);
    }

    V gamma_, gamma_1_, inverse_gamma_1_, dissipation_, entropy_fix_;
};

#endif
}  // namespace wale::euler::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
