// euler - inviscid flow round a body on an unstructured mesh: cell-centred finite volumes, explicit stages.
// From Rodinia's benchmark, bit by bit as published, to second order, better fluxes and steady states sooner.
// What is computed: docs/guide/euler.md.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>
#include <wale/euler_options.hpp>
#include <wale/execution.hpp>
#include <wale/mesh.hpp>
#include <wale/report.hpp>

namespace wale {

namespace euler {
struct case_core;
}

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
    /// of cells, and however iterations are cut into runs (a vortex_far_field is bent anew at each end).
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
