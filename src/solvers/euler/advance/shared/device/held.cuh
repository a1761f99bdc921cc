// held - where a kernel finds the constants of the scheme: in its parameters, in constant memory, or compiled
// in. All three are the same numbers; `wale study euler` shows what the place costs.
#pragma once

#include <cmath>
#include <mutex>
#include <string>

#include "cuda/stream.cuh"
#include "solvers/euler/advance/system.hpp"

namespace wale::euler {

/// The published case: Mach 1.2 along x.
template <class Real>
[[nodiscard]] WALE_HD constexpr constants<Real> published_constants() {
    constants<Real> k;
    k.gamma = Real(1.4);
    k.gamma_1 = Real(1.4 - 1);
    k.cfl = Real(0.5);
    k.dissipation = Real(0.2);
    k.far = {Real(1.4), Real(1.2), 0, 0, Real(1), Real(3.508), Real(1)};
    for (int s = 0; s < stages; ++s) k.from_old[s] = 1;
    k.from_flux[0] = Real(0.25);
    k.from_flux[1] = Real(1.0 / 3);
    k.from_flux[2] = Real(0.5);
    return k;
}

/// Whether a case's numbers are the published ones, as far as a kernel of the published scheme reads them.
template <class Real>
[[nodiscard]] bool are_published(const constants<Real>& k) {
    const constants<Real> p = published_constants<Real>();
    bool same =
        k.gamma == p.gamma && k.gamma_1 == p.gamma_1 && k.cfl == p.cfl && k.dissipation == p.dissipation;
    for (int s = 0; s < stages; ++s)
        same = same && k.from_old[s] == p.from_old[s] && k.from_now[s] == p.from_now[s] &&
               k.from_flux[s] == p.from_flux[s];
    const Real own[] = {k.far.rho, k.far.u, k.far.v, k.far.w, k.far.p, k.far.energy};
    const Real theirs[] = {p.far.rho, p.far.u, p.far.v, p.far.w, p.far.p, p.far.energy};
    for (int i = 0; i < 6; ++i) same = same && std::abs(own[i] - theirs[i]) <= Real(4e-7) * theirs[0];
    return same;
}

/// Why a case cannot have its constants compiled in; empty if it can, or does not ask.
[[nodiscard]] inline std::string why_not_compiled(const flow_system& system) {
    if (system.options.constants != euler_constants::compiled) return "";
    return are_published(constants_of<double>(system)) ? ""
                                                       : "has only the published constants compiled in: Mach "
                                                         "1.2 along x, gamma 1.4, CFL number 0.5";
}

// A symbol of the device belongs to the file that is compiled, and so does what names it.
namespace {

__constant__ constants<float> constants_f32;
__constant__ constants<double> constants_f64;

template <euler_constants Where, class Real>
__device__ inline constants<Real> held(const constants<Real>& parameter) {
    if constexpr (Where == euler_constants::compiled)
        return published_constants<Real>();
    else if constexpr (Where == euler_constants::constant_memory && sizeof(Real) == 4)
        return constants_f32;
    else if constexpr (Where == euler_constants::constant_memory)
        return constants_f64;
    else
        return parameter;
}

/// A stage's number without indexing, which would put the constants into local memory.
template <class Real>
__device__ inline Real of_stage(const Real (&numbers)[stages], int stage) {
    return stage == 0 ? numbers[0] : stage == 1 ? numbers[1] : numbers[2];
}

/// Constant memory is one for all cases of a process: whoever uses it keeps the others out until the device
/// is done.
class constant_memory_in_use {
public:
    template <class Real>
    constant_memory_in_use(const cuda::context& on, const constants<Real>& k) : lock_(mutex()), on_(on) {
        if constexpr (sizeof(Real) == 4)
            cuda::check(
                cudaMemcpyToSymbolAsync(constants_f32, &k, sizeof k, 0, cudaMemcpyHostToDevice, on.stream()));
        else
            cuda::check(
                cudaMemcpyToSymbolAsync(constants_f64, &k, sizeof k, 0, cudaMemcpyHostToDevice, on.stream()));
    }
    constant_memory_in_use(const constant_memory_in_use&) = delete;
    constant_memory_in_use& operator=(const constant_memory_in_use&) = delete;
    ~constant_memory_in_use() { (void)cudaStreamSynchronize(on_.stream()); }

private:
    [[nodiscard]] static std::mutex& mutex() {
        static std::mutex m;
        return m;
    }
    std::lock_guard<std::mutex> lock_;
    const cuda::context& on_;
};

}  // namespace
}  // namespace wale::euler
