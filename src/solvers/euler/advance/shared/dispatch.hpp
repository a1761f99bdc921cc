// dispatch - from options known at run time to template arguments.
#pragma once

#include <wale/euler.hpp>

namespace wale::euler {

/// f.template operator()<Flux>()
template <class F>
decltype(auto) with_flux(euler_flux flux, F&& f) {
    switch (flux) {
        case euler_flux::rodinia:
            return f.template operator()<euler_flux::rodinia>();
        case euler_flux::central:
            return f.template operator()<euler_flux::central>();
        case euler_flux::rusanov:
            return f.template operator()<euler_flux::rusanov>();
        case euler_flux::hllc:
            return f.template operator()<euler_flux::hllc>();
        default:
            return f.template operator()<euler_flux::roe>();
    }
}

/// f.template operator()<Flux, Order>(); the published flux is of first order.
template <class F>
decltype(auto) with_scheme(const euler_scheme& scheme, F&& f) {
    return with_flux(scheme.flux, [&]<euler_flux Flux>() {
        if constexpr (Flux != euler_flux::rodinia)
            if (scheme.order == 2) return f.template operator()<Flux, 2>();
        return f.template operator()<Flux, 1>();
    });
}

/// f.template operator()<float or double>()
template <class F>
decltype(auto) with_precision(scalar precision, F&& f) {
    if (precision == scalar::f32) return f.template operator()<float>();
    return f.template operator()<double>();
}

}  // namespace wale::euler
