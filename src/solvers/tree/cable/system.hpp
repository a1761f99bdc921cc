// system - cells as numbers, ready to step: what model, membranes and step size make of every compartment.
#pragma once

#include <cstdint>
#include <vector>
#include <wale/cable.hpp>

namespace wale::tree {

/// A region's membrane in one cell, for 1 um2.
struct patch {
    double charge = 0;              // capacitance over the step that is solved for [uS]
    double g_leak = 0, i_leak = 0;  // [uS], g_leak times its reversal [nA]
    double g_na = 0, g_k = 0;       // [uS]
};

/// The voltages and gates of all cells, [cells][compartments].
struct cable_state {
    std::vector<double> v;
    std::vector<double> gates[3];  // m, h, n
};

struct cable_system {
    cable_system(const cable_model& model, const cable_options& options);

    index_t size = 0, cells = 0;
    std::vector<std::int32_t> parent;  // [size]
    std::vector<double> axial, area;   // [size] to the parent, 0 of the root
    std::vector<double> joined;        // [size] axial conductances that meet here
    std::vector<std::uint8_t> region;  // [size]
    std::vector<std::uint8_t> active;  // [size] has channels
    bool any_active = false;
    bool alike = true;                                      // all cells have the first one's patches
    std::vector<std::array<patch, cable_regions>> patches;  // [cells], or [1] if alike

    double dt = 0;  // [ms]
    /// A step is one or two stages with the same matrix, the same gates and the same currents. A stage solves
    /// (charge + conductances) x = charge v + currents, and v goes `stretch` times as far as x.
    int stages = 1;
    double stretch[2] = {1, 1};
    double speed = 1;  // of the gates, by temperature
    double e_na = 0, e_k = 0;
    std::vector<cable_clamp> clamps;  // one cell each
    std::vector<cable_probe> probes;
    index_t sample_every = 1;
    double threshold = 0;

    [[nodiscard]] const std::array<patch, cable_regions>& patches_of(index_t cell) const {
        return patches[alike ? 0 : static_cast<std::size_t>(cell)];
    }
    /// The clamp's current in step `step`, from step * dt on.
    [[nodiscard]] double current(const cable_clamp& c, index_t step) const {
        const double middle = (static_cast<double>(step) + 0.5) * dt;
        return middle >= c.delay && middle < c.delay + c.duration ? c.amplitude : 0;
    }
    /// Whether the new voltages are the solution itself.
    [[nodiscard]] bool in_place() const { return stages == 1 && stretch[0] == 1; }
    /// Every voltage at v (of all, or one each), gates at rest for it.
    [[nodiscard]] cable_state resting(std::span<const double> v) const;
};

}  // namespace wale::tree
