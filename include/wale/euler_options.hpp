// euler_options - what a flow is asked for: its stream, its scheme, its boundaries, when it ends.
// Units: density, pressure and sound speed of the free stream are gamma, 1, 1 unless said otherwise; lengths
// are the mesh's. What each choice computes: docs/guide/euler.md.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>
#include <wale/matrix.hpp>
#include <wale/mesh_tools.hpp>
#include <wale/ranks.hpp>

namespace wale {

/// rho, rho u, rho v, rho w, rho E: what a cell holds, a unit of volume.
using euler_state = std::array<double, 5>;

/// The flow far away.
struct euler_stream {
    double mach = 1.2;
    double alpha = 0;    // [degrees] angle of attack: towards y
    double beta = 0;     // [degrees] of sideslip: towards z
    double gamma = 1.4;  // ratio of specific heats
    double density = 1.4;
    double pressure = 1;
    [[nodiscard]] std::array<double, 3> direction() const noexcept;  // of length 1
    [[nodiscard]] euler_state state() const noexcept;
};

enum class euler_flux {
    rodinia,  // mean of both sides less 0.2 of a scalar dissipation; half of the free stream at the far field
    central,  // the same mean and dissipation with boundaries as below
    rusanov,  // Rusanov 1961: dissipation by the larger |v.n| + c
    hllc,     // Toro, Spruce, Speares 1994; wave speeds of Einfeldt
    roe       // Roe 1981 with Harten's entropy fix
};
enum class euler_limiter {
    none,
    barth_jespersen,
    venkatakrishnan,
    smooth,    // by how much density and pressure change within a cell, without extremes: steady flows rest
    automatic  // smooth with time newton, else venkatakrishnan
};
enum class euler_time {
    rodinia,   // three stages, 1/4 1/3 1/2 of the step (as published; first order in time)
    jameson,   // three stages, 1/3 1/2 1
    ssp_rk3,   // Shu, Osher 1988: third order
    newton,    // implicit, steady: Newton's method, linear systems by GMRES (docs/guide/euler.md)
    automatic  // newton where stop_decades or stop_force asks for a steady flow, nothing else asks for
               // explicit stages, and the backend and the variant have it; else jameson
};
enum class euler_step {
    local,   // each cell its own: steady states
    global,  // the least of all: unsteady flow
    rodinia  // each its own with sqrt(volume) as the cell's length, as published
};
enum class euler_shocks {
    automatic,  // blended with the fluxes hllc and roe in a stream of Mach 2.5 and more; else plain
    plain,      // the same flux everywhere
    blended     // near strong shocks hllc and roe turn to HLLE, which keeps bow shocks from buckling
};
enum class euler_boundary {
    wall,             // slip
    far_field,        // characteristic (Riemann invariants); with flux rodinia half of the free stream, as
                      // published
    symmetry,         // as wall; its forces are not counted
    inflow,           // supersonic: the state said, or the free stream
    outflow,          // supersonic: the inner state
    pressure_inlet,   // subsonic: total pressure, total temperature and direction said, or the free stream's
    pressure_outlet,  // subsonic: the pressure said, or the free stream's; where gas leaves faster than
                      // sound, as outflow
    mass_inlet,       // subsonic: mass flux, total temperature and direction said, or the free stream's
    vortex_far_field  // as far_field of a free stream that a vortex of the walls' lift bends (Thomas, Salas
                      // 1986), at moment_centre; 2-D, subsonic, plain rows of the host
};
[[nodiscard]] const char* name_of(euler_flux f) noexcept;
[[nodiscard]] const char* name_of(euler_limiter l) noexcept;
[[nodiscard]] const char* name_of(euler_time t) noexcept;
[[nodiscard]] const char* name_of(euler_step s) noexcept;
[[nodiscard]] const char* name_of(euler_shocks s) noexcept;
[[nodiscard]] const char* name_of(euler_boundary b) noexcept;

struct euler_scheme {
    euler_flux flux = euler_flux::hllc;
    int order = 2;  // 1, or 2: gradients and a limiter
    euler_limiter limiter = euler_limiter::automatic;
    double limiter_k = 5;  // Venkatakrishnan's K
    euler_shocks shocks = euler_shocks::automatic;
    euler_time time = euler_time::automatic;
    euler_step step = euler_step::local;
    double cfl = 0.8;          // of explicit stages; newton chooses its own
    double fixed_step = 0;     // > 0: this step of time, everywhere
    double dissipation = 0.2;  // of flux central
    int smoothing = 0;         // Jacobi sweeps of implicit residual smoothing; 0: none
    double smoothing_factor = 0.5;
    int levels = 1;  // of multigrid (agglomeration, full approximation storage); 1: none
    /// As published: everything `rodinia`, first order.
    [[nodiscard]] static euler_scheme rodinia() noexcept;
};

/// What a patch of the mesh is to the flow.
struct euler_patch {
    std::string name;
    euler_boundary kind = euler_boundary::wall;
    std::optional<euler_state> state{};      // of an inflow
    std::optional<double> total_pressure{};  // of a pressure_inlet
    // Of a pressure_inlet and a mass_inlet; temperature is pressure over density (the gas constant is 1).
    std::optional<double> total_temperature{};
    std::optional<std::array<double, 3>> direction{};  // of any length, into the mesh through every face
    std::optional<double> mass_flux{};  // of a mass_inlet: density times speed, along the direction
    std::optional<double> pressure{};   // of a pressure_outlet
};

/// Where the numbers of a state lie.
enum class euler_layout {
    automatic,
    cell_major,      // the five of a cell side by side
    variable_major,  // one after the other, as Rodinia on CUDA
    packed           // eight words a cell: the five, pressure, |v| + c, 1 / density
};
/// Where constants of the scheme lie on CUDA.
enum class euler_constants { automatic, constant_memory, parameters, compiled };
[[nodiscard]] const char* name_of(euler_layout l) noexcept;
[[nodiscard]] const char* name_of(euler_constants c) noexcept;

struct euler_options {
    euler_stream stream;
    euler_scheme scheme;
    /// By name; patches not named here are what their name says: a wall, far field, ... ("farfield",
    /// "far_field", "wall", "symmetry", "sides", "inflow", "outflow"; anything else is refused). In a stream
    /// slower than sound "inflow" is a pressure_inlet and "outflow" a pressure_outlet; flux rodinia has
    /// neither.
    std::vector<euler_patch> patches;
    /// Pairs of patches to join before all else, such as {"left", "right"}.
    std::vector<std::array<std::string, 2>> periodic;
    scalar precision = scalar::f64;

    /// Iterations between measurements; 0: only at the end. With a rule to stop, newton measures each.
    index_t check_every = 100;
    double stop_decades = 0;  // > 0: stop when the residual of density fell by this many powers of ten
    double stop_force = 0;    // > 0: stop when drag moved by less than this part over ten measurements
    double end_time = 0;      // > 0: stop there exactly; global or fixed step only

    double reference_area = 1, reference_length = 1;
    std::array<double, 3> moment_centre{};

    /// The ranks that compute this case; empty: this process alone. Every call on the case is then
    /// collective, and all ranks get the same answers: bits that do not depend on how many they are
    /// (docs/guide/ranks.md).
    ranks group{};

    // For those who study: how it is laid out. The defaults are the fastest.
    /// Numbering that is computed in, answers are in the mesh's; by default a mesh of scattered neighbours is
    /// numbered by reverse Cuthill-McKee.
    std::optional<cell_order> order{};
    euler_layout layout = euler_layout::automatic;
    euler_constants constants = euler_constants::automatic;
};

}  // namespace wale
