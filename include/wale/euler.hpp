// euler - inviscid flow round a body on an unstructured mesh: cell-centred finite volumes, explicit stages.
// From Rodinia's benchmark, bit by bit as published, to second order, better fluxes and steady states sooner.
// Units: density, pressure and sound speed of the free stream are gamma, 1, 1 unless said otherwise; lengths
// are the mesh's. What is computed: docs/guide/euler.md.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include <wale/execution.hpp>
#include <wale/matrix.hpp>
#include <wale/mesh.hpp>
#include <wale/mesh_tools.hpp>
#include <wale/ranks.hpp>
#include <wale/report.hpp>

namespace wale {

namespace euler {
struct case_core;
}

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
    automatic  // newton where stop_decades asks for a steady flow, nothing else asks for explicit stages, and
               // the backend and the variant have it; else jameson
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

    /// Iterations between measurements; 0: only at the end. With stop_decades, newton measures each one.
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

/// One measurement. Sums are exact before they are rounded, so no order of cells shows in them.
struct euler_sample {
    index_t iteration = 0;
    double time = 0;                      // 0 where steps are local
    std::array<double, 5> residual{};     // root of the mean square of d/dt of each variable, by volume
    double lift = 0, drag = 0, side = 0;  // coefficients, of all walls
    std::array<double, 3> moment{};       // coefficients about moment_centre; 0 without coordinates
    double total[5]{};                    // sum of volume times state: what the mesh holds
};

enum class euler_end {
    iterations,  // all were taken; the case has no stop rule
    residual,
    force,
    time,
    diverged,
    asked,         // by the watcher
    not_converged  // all iterations were taken and neither stop_decades nor stop_force was met
};
[[nodiscard]] const char* name_of(euler_end e) noexcept;

struct euler_result {
    report run;
    index_t iterations = 0;  // of this run
    euler_end end = euler_end::iterations;
    /// Powers of ten from the largest residual of density in the history of all runs to the last one;
    /// infinite where the last is 0.
    double decades = 0;
    std::vector<euler_sample> history;  // of this run
    /// The first cell whose state is not a gas (NaN, density or pressure not positive), and the iteration
    /// that made it so; the case is as it was at the last measurement before. -1: none.
    index_t bad_cell = -1, bad_iteration = -1;
    std::array<double, 3> bad_place{};  // its centre; 0 without coordinates
};

/// A cell with its centre (0 without coordinates), and d/dt of its density.
struct euler_place {
    index_t cell = -1;  // -1: there are no cells
    std::array<double, 3> at{};
    double residual = 0;
};

/// Coefficients of one wall.
struct euler_force {
    std::string patch;
    double lift = 0, drag = 0, side = 0;
    std::array<double, 3> moment{};  // about moment_centre; 0 without coordinates
};

/// A flow from its start over all iterations. Moved only. Not for several threads at once.
class euler_case {
public:
    /// Throws bad_argument for options out of range, for a patch without a meaning, and where second order is
    /// asked of a mesh without coordinates; bad_input for a mesh that does not close.
    explicit euler_case(mesh m, euler_options options = {});
    euler_case(euler_case&&) noexcept;
    euler_case& operator=(euler_case&&) noexcept;
    ~euler_case();

    /// Called at each measurement; false ends the run. It may ask for state() and history(); what it throws
    /// ends the run, too, and the flow is then as it was measured.
    using watcher = std::function<bool(const euler_sample&)>;
    /// Up to `iterations` from where the last run ended. The same bits for any number of threads, any order
    /// of cells, and however the iterations are cut into runs.
    euler_result run(const execution& where, index_t iterations, const std::string& variant = "automatic",
                     const watcher& watch = {});

    [[nodiscard]] const mesh& grid() const noexcept;
    [[nodiscard]] const euler_options& options() const noexcept;
    [[nodiscard]] index_t iteration() const noexcept;
    [[nodiscard]] double time() const noexcept;
    [[nodiscard]] const std::vector<euler_sample>& history() const noexcept;  // of all runs

    /// States of all cells, in the mesh's order. f32 cases hold floats.
    [[nodiscard]] const std::vector<euler_state>& state();
    /// Throws bad_argument for another size.
    void set_state(std::span<const euler_state> state, index_t iteration = 0, double time = 0);
    void set_history(std::vector<euler_sample> history);
    /// The state now: residual, forces, totals; the plain loops on the host.
    [[nodiscard]] euler_sample measure();
    /// d/dt of volume times each variable of every cell, by the scheme without time: for those who test it.
    [[nodiscard]] std::vector<euler_state> residual();
    /// Where density changes most: the place to look at where a flow does not settle. As residual(),
    /// O(cells).
    [[nodiscard]] euler_place largest_residual();
    /// A line for each patch whose kind does not suit the flow as it is now, such as an outflow that gas
    /// leaves slower than sound; empty: none. O(cells).
    [[nodiscard]] std::vector<std::string> warnings();
    /// Of each wall, in the order of the mesh's patches; computed in float64. O(cells) a wall.
    [[nodiscard]] std::vector<euler_force> forces();

private:
    std::unique_ptr<euler::case_core> core_;
};

/// Pressure coefficient, Mach number and the like of states, a value a cell.
enum class euler_quantity { density, pressure, speed, mach, pressure_coefficient, total_enthalpy, entropy };
[[nodiscard]] const char* name_of(euler_quantity q) noexcept;
[[nodiscard]] std::vector<double> quantity(euler_quantity q, std::span<const euler_state> state,
                                           const euler_stream& stream);

}  // namespace wale
