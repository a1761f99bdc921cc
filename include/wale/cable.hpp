// cable - the voltage of neurons as time goes by: an SWC tree becomes compartments, each step solves a Hines
// system (backward Euler), gates of Hodgkin and Huxley (1952) follow exponentially. Many cells of one form
// run side by side. Units: mV, ms, um, um2, uF/cm2, S/cm2, ohm cm, nA, uS, nF. What is computed:
// docs/guide/cable.md.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>
#include <wale/execution.hpp>
#include <wale/report.hpp>
#include <wale/swc_file.hpp>

namespace wale {

namespace tree {
struct cable_core;
}

enum class cable_region : std::uint8_t { soma, axon, dendrite, apical };
inline constexpr int cable_regions = 4;
[[nodiscard]] const char* name_of(cable_region r) noexcept;

struct cable_geometry {
    double axial_resistivity = 35.4;  // Ra [ohm cm]
    double capacitance = 1;           // [uF/cm2] that the length constant is taken with
    /// Compartments are at most this long [um]; 0: by the length constant.
    double max_length = 0;
    /// Else at most this part of the length constant at `frequency` [Hz]. Both rules give an odd number of
    /// compartments to each unbranched section.
    double d_lambda = 0.1, frequency = 100;
};

/// One compartment and its parent.
struct cable_compartment {
    std::int32_t parent = -1;  // -1: the root; else an earlier compartment
    cable_region region = cable_region::soma;
    double area = 0;            // [um2] of membrane; 0: a place where sections meet
    double axial = 0;           // [uS] to the parent
    std::int32_t section = -1;  // -1: the root of a tree without a spherical soma
    double at = 0;              // place in the section, 0 to 1
};

/// An unbranched stretch of one region.
struct cable_section {
    std::int32_t parent = -1;           // section; -1: at the root
    std::int32_t first = 0, count = 0;  // its compartments with membrane
    cable_region region = cable_region::soma;
    double length = 0;                            // [um]
    std::vector<std::array<double, 4>> points{};  // x, y, z, radius [um]
};

struct cable_model {
    std::vector<cable_compartment> compartments;
    std::vector<cable_section> sections;
    std::vector<std::int32_t> compartment_of_point;  // of the SWC tree: the compartment nearest to each point

    cable_model() = default;
    /// From compartments alone.
    explicit cable_model(std::vector<cable_compartment> all) : compartments(std::move(all)) {}
    /// A soma of one point, of three (NeuroMorpho.Org's) or of a contour becomes a sphere: one compartment at
    /// whose middle all others begin. Throws bad_input for a section without length, bad_argument for a rule
    /// that makes no sense.
    explicit cable_model(const swc_tree& form, const cable_geometry& geometry = {});
    [[nodiscard]] index_t size() const noexcept { return static_cast<index_t>(compartments.size()); }
};

/// The membrane of one region: a leak, and if hodgkin_huxley the squid's sodium and potassium channels.
struct cable_membrane {
    bool hodgkin_huxley = false;
    double capacitance = 1;               // [uF/cm2]
    double g_leak = 0.001, e_leak = -70;  // [S/cm2] [mV]
    double g_na = 0.12, g_k = 0.036;      // [S/cm2] of hodgkin_huxley
    [[nodiscard]] static constexpr cable_membrane passive(double g = 0.001, double e = -70) noexcept {
        return {false, 1, g, e, 0, 0};
    }
    [[nodiscard]] static constexpr cable_membrane squid() noexcept {
        return {true, 1, 0.0003, -54.3, 0.12, 0.036};
    }
};
using cable_membranes = std::array<cable_membrane, cable_regions>;

/// How V goes over a step; gates stand still meanwhile, half a step ahead where the method has order 2.
enum class cable_method {
    backward_euler,  // order 1, damps whatever is faster than dt
    crank_nicolson,  // order 2; places without membrane, and all that is faster than dt, ring undamped
    sdirk2           // order 2 and L-stable (Alexander 1977): two solves with one matrix, no such ringing
};

inline constexpr index_t every_cell = -1;

/// A current into a compartment while delay <= t < delay + duration; taken at the middle of a step.
struct cable_clamp {
    index_t cell = every_cell;
    index_t compartment = 0;
    double delay = 0, duration = std::numeric_limits<double>::infinity();  // [ms]
    double amplitude = 0;                                                  // [nA]
};

/// Where a voltage is watched.
struct cable_probe {
    index_t cell = 0;
    index_t compartment = 0;
};

struct cable_options {
    index_t cells = 1;
    double dt = 0.025;              // [ms]
    double initial = -65;           // [mV]; gates start at rest for it
    double celsius = 6.3, q10 = 3;  // rates grow by q10 every 10 degrees above 6.3
    double e_na = 50, e_k = -77;    // [mV]
    cable_method method = cable_method::backward_euler;
    /// One set for all cells, or one for each. A region has channels in all cells or in none.
    std::vector<cable_membranes> membranes{cable_membranes{}};
    std::vector<cable_clamp> clamps{};
    std::vector<cable_probe> probes{};  // in the order of results
    index_t sample_every = 1;           // steps
    double threshold = 0;               // [mV] whose upward crossing at a probe is a spike
};

struct cable_result {
    report run;
    index_t steps = 0;
    index_t samples = 0;           // of each probe: after every sample_every-th step of the cable's life
    std::vector<double> times;     // [samples] [ms]
    std::vector<double> voltages;  // [samples][probes] [mV]
    std::vector<std::vector<double>> spikes;  // [probes] times [ms], interpolated within a step
    index_t diverged = -1;                    // the first cell whose voltage is not finite; -1: none
};

/// Cells with their voltages and gates over time. Moved only. Not for several threads at once: bad_argument
/// for the second.
class cable {
public:
    cable(cable_model model, cable_options options);
    cable(cable&&) noexcept;
    cable& operator=(cable&&) noexcept;
    ~cable();

    /// `steps` steps of dt from where the last run ended. The state stays where it was computed until it is
    /// asked for or another backend goes on. The same bits for any number of threads, and however the steps
    /// are cut into runs.
    cable_result run(const execution& where, index_t steps, const std::string& variant = "automatic");
    /// Steps until `time` is reached, rounded to the nearest.
    [[nodiscard]] index_t steps_until(double time) const;

    [[nodiscard]] double time() const noexcept;  // [ms]
    [[nodiscard]] const cable_model& model() const noexcept;
    [[nodiscard]] const cable_options& options() const noexcept;
    /// Of all compartments, [cells][compartments] [mV].
    [[nodiscard]] std::vector<double> voltages();
    /// Gates m, h, n of all compartments, [3][cells][compartments]; 0 where there are no channels.
    [[nodiscard]] std::vector<double> gates();
    /// Back to time 0 with every voltage at options().initial, or as said, [cells][compartments].
    void reset(std::span<const double> voltages = {});

private:
    std::unique_ptr<tree::cable_core> core_;
};

}  // namespace wale
