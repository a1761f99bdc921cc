// system - checks a model and what is asked of it, and turns units of area into units of current.
#include "solvers/tree/cable/system.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <wale/error.hpp>
#include <wale/host_memory.hpp>

#include "base/decimal_text.hpp"
#include "base/enumerator.hpp"
#include "solvers/tree/cable/problem.hpp"

namespace wale::tree {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
    throw bad_argument(name + ": " + what);
}

void demand(bool holds, const std::string& name, double value, const char* expected) {
    if (!holds) refuse(name, "is " + base::decimal_text(value) + ", expected " + expected);
}

void check_range(const std::string& name, index_t value, index_t end, const char* of) {
    if (value < 0 || value >= end)
        refuse(name,
               "is " + std::to_string(value) + ", expected 0 to " + std::to_string(end - 1) + ", a " + of);
}

void check_compartments(const cable_model& model) {
    double membrane = 0;
    for (index_t i = 0; i < model.size(); ++i) {
        const cable_compartment& c = model.compartments[static_cast<std::size_t>(i)];
        const std::string name = "model.compartments[" + std::to_string(i) + "]";
        if (i == 0 && c.parent != -1)
            refuse(name + ".parent",
                   "is " + std::to_string(c.parent) + ", expected -1: the root is the first");
        if (i > 0) check_range(name + ".parent", c.parent, i, "compartment before it");
        demand(c.area >= 0 && std::isfinite(c.area), name + ".area", c.area, "0 or more");
        demand(i == 0 || (c.axial > 0 && std::isfinite(c.axial)), name + ".axial", c.axial, "more than 0");
        check_range(name + ".region", static_cast<index_t>(c.region), cable_regions, "region");
        membrane += c.area;
    }
    if (!(membrane > 0)) refuse("model", "has no membrane, expected compartments with an area");
}

void check_options(const cable_options& o) {
    base::check_enumerator("options", "method", o.method, cable_method::sdirk2);
    if (o.cells < 0) refuse("options.cells", "is " + std::to_string(o.cells) + ", expected 0 or more");
    demand(o.dt > 0 && std::isfinite(o.dt), "options.dt", o.dt, "more than 0");
    demand(std::isfinite(o.initial), "options.initial", o.initial, "a voltage");
    demand(o.q10 > 0 && std::isfinite(o.q10), "options.q10", o.q10, "more than 0");
    demand(o.celsius > -273.15 && std::isfinite(o.celsius), "options.celsius", o.celsius, "above -273.15");
    demand(std::isfinite(o.e_na), "options.e_na", o.e_na, "a voltage");
    demand(std::isfinite(o.e_k), "options.e_k", o.e_k, "a voltage");
    demand(!std::isnan(o.threshold), "options.threshold", o.threshold, "a voltage");
    if (o.sample_every < 1)
        refuse("options.sample_every", "is " + std::to_string(o.sample_every) + ", expected 1 or more");
    const index_t sets = std::ssize(o.membranes);
    if (sets == 0 || (sets != 1 && sets != o.cells))
        refuse("options.membranes", "has " + std::to_string(sets) + " sets, expected 1 or one for each of " +
                                        std::to_string(o.cells) + " cells");
}

void check_membrane(const cable_membrane& m, const std::string& name) {
    demand(m.capacitance > 0 && std::isfinite(m.capacitance), name + ".capacitance", m.capacitance,
           "more than 0 uF/cm2");
    for (const auto& [what, g] : {std::pair{".g_leak", m.g_leak}, {".g_na", m.g_na}, {".g_k", m.g_k}})
        demand(g >= 0 && std::isfinite(g), name + what, g, "0 S/cm2 or more");
    demand(std::isfinite(m.e_leak), name + ".e_leak", m.e_leak, "a voltage");
}

/// 1 um2 is 1e-8 cm2; uF/ms is a mS, S is 1e6 uS.
patch patch_of(const cable_membrane& m, double h) {
    patch p;
    p.charge = 1e-5 * m.capacitance / h;
    p.g_leak = 1e-2 * m.g_leak;
    p.i_leak = p.g_leak * m.e_leak;
    p.g_na = m.hodgkin_huxley ? 1e-2 * m.g_na : 0;
    p.g_k = m.hodgkin_huxley ? 1e-2 * m.g_k : 0;
    return p;
}

/// Of a compartment: the voltage and three gates, with a copy in the layout of a row.
void demand_memory(const cable_system& s, const cable_options& o) {
    double clamps = 0;
    for (const cable_clamp& c : o.clamps) clamps += c.cell == every_cell ? static_cast<double>(s.cells) : 1;
    demand_host_memory(
        "cable: " + std::to_string(s.cells) + " cells of " + std::to_string(s.size) + " compartments",
        static_cast<double>(s.cells) * static_cast<double>(s.size) * 8 * sizeof(double) +
            clamps * sizeof(cable_clamp));
}

/// The part of a step that a stage solves for. Of sdirk2: 1 - 1/sqrt(2), for which it is L-stable.
double part_solved_for(cable_method method) {
    if (method == cable_method::sdirk2) return 1 - std::numbers::sqrt2 / 2;
    return method == cable_method::crank_nicolson ? 0.5 : 1;
}

void add_compartments(cable_system& s, const cable_model& model, const cable_options& o) {
    s.joined.assign(model.compartments.size(), 0);
    for (const cable_compartment& c : model.compartments) {
        const std::size_t i = s.parent.size();
        const auto r = static_cast<std::size_t>(c.region);
        s.parent.push_back(c.parent);
        s.axial.push_back(i == 0 ? 0 : c.axial);
        s.area.push_back(c.area);
        s.region.push_back(static_cast<std::uint8_t>(c.region));
        s.active.push_back(c.area > 0 && o.membranes[0][r].hodgkin_huxley);
        s.any_active = s.any_active || s.active.back();
        s.joined[i] += s.axial[i];
        if (i > 0) s.joined[static_cast<std::size_t>(c.parent)] += s.axial[i];
    }
}

void add_patches(cable_system& s, const cable_options& o) {
    s.alike = o.membranes.size() == 1;
    for (std::size_t k = 0; k < o.membranes.size(); ++k) {
        auto& all = s.patches.emplace_back();
        for (std::size_t r = 0; r < cable_regions; ++r) {
            const cable_membrane& m = o.membranes[k][r];
            const std::string name =
                "options.membranes[" + std::to_string(k) + "][" + std::to_string(r) + "]";
            check_membrane(m, name);
            if (m.hodgkin_huxley != o.membranes[0][r].hodgkin_huxley)
                refuse(name + ".hodgkin_huxley",
                       "differs between cells, expected a region to have channels in "
                       "all or in none");
            all[r] = patch_of(m, s.dt * part_solved_for(o.method));
        }
    }
}

/// One clamp for each cell.
void add_clamps(cable_system& s, const cable_options& o) {
    for (const cable_clamp& c : o.clamps) {
        check_range("options.clamps: compartment", c.compartment, s.size, "compartment");
        demand(std::isfinite(c.amplitude), "options.clamps: amplitude", c.amplitude, "a current");
        demand(!std::isnan(c.delay), "options.clamps: delay", c.delay, "a time");
        demand(c.duration >= 0, "options.clamps: duration", c.duration, "0 ms or more");
        if (c.cell != every_cell) check_range("options.clamps: cell", c.cell, s.cells, "cell");
        const index_t first = c.cell == every_cell ? 0 : c.cell;
        const index_t end = c.cell == every_cell ? s.cells : c.cell + 1;
        for (index_t cell = first; cell < end; ++cell) {
            s.clamps.push_back(c);
            s.clamps.back().cell = cell;
        }
    }
}

}  // namespace

cable_system::cable_system(const cable_model& model, const cable_options& o)
    : size(model.size()),
      cells(o.cells),
      dt(o.dt),
      speed(std::pow(o.q10, (o.celsius - 6.3) / 10)),
      e_na(o.e_na),
      e_k(o.e_k),
      sample_every(o.sample_every),
      threshold(o.threshold) {
    check_compartments(model);
    check_options(o);
    demand(std::isfinite(speed), "options.q10", o.q10, "a factor for which rates stay finite");
    demand_memory(*this, o);
    if (o.method == cable_method::crank_nicolson) stretch[0] = 2;
    if (o.method == cable_method::sdirk2) {
        // The second stage starts at 1 - g of the step, on the line from V through the first solution at g.
        stages = 2;
        stretch[0] = 1 + std::numbers::sqrt2;
    }
    add_compartments(*this, model, o);
    add_patches(*this, o);
    add_clamps(*this, o);
    for (const cable_probe& p : o.probes) {
        check_range("options.probes: cell", p.cell, cells, "cell");
        check_range("options.probes: compartment", p.compartment, size, "compartment");
        probes.push_back(p);
    }
}

cable_state cable_system::resting(std::span<const double> v) const {
    const auto n = static_cast<std::size_t>(size), all = n * static_cast<std::size_t>(cells);
    cable_state state;
    state.v.assign(all, v.empty() ? 0 : v[0]);
    if (v.size() == all) state.v.assign(v.begin(), v.end());
    for (auto& g : state.gates) g.assign(all, 0);
    if (!any_active) return state;
    for (std::size_t at = 0; at < all; ++at) {
        if (!active[at % n]) continue;
        const gate_rates r = rates_at(state.v[at]);
        for (int g = 0; g < 3; ++g) state.gates[g][at] = r.open[g] / (r.open[g] + r.close[g]);
    }
    return state;
}

}  // namespace wale::tree
