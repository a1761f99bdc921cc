// checks - see checks.hpp. A patch does not suit where waves come in that its kind does not take in, or leave
// that it holds back.
#include "solvers/euler/checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <wale/error.hpp>

#include "base/decimal_text.hpp"
#include "io/escape.hpp"

namespace wale::euler {
namespace {

/// Sessions follow neighbours and opposite faces without a check.
void check_arrays(const mesh& m) {
    const auto cells = static_cast<std::size_t>(m.cells()), rows = m.neighbour.size();
    const bool fit = m.first_face.front() == 0 && m.first_face.back() == m.rows() &&
                     std::ranges::is_sorted(m.first_face) && m.opposite.size() == rows &&
                     m.normal.size() == 3 * rows && m.volume.size() == cells &&
                     (m.centre.empty() || (m.centre.size() == 3 * cells && m.face_offset.size() == 3 * rows));
    if (!fit) throw bad_input("mesh: its arrays do not fit together");
    const index_t patches = std::ssize(m.patches);
    const auto first = [&](index_t cell) { return m.first_face[static_cast<std::size_t>(cell)]; };
    const auto leads_back = [&](index_t cell, index_t row) {
        const index_t other = m.neighbour[static_cast<std::size_t>(row)];
        if (other < 0) return other >= -patches;
        if (other >= m.cells()) return false;
        const index_t back = first(other) + m.opposite[static_cast<std::size_t>(row)];
        return back < first(other + 1) && m.neighbour[static_cast<std::size_t>(back)] == cell &&
               first(cell) + m.opposite[static_cast<std::size_t>(back)] == row;
    };
    for (index_t cell = 0; cell < m.cells(); ++cell)
        for (index_t row = first(cell); row < first(cell + 1); ++row)
            if (!leads_back(cell, row))
                throw bad_input("mesh: face " + std::to_string(row - first(cell)) + " of cell " +
                                std::to_string(cell) +
                                " has a neighbour that does not have it, or a patch "
                                "that does not exist");
}

/// A cell that leaks would make a flow of its own.
void check_closure(const mesh& m) {
    constexpr double most_open = 1e-4;  // of its faces' sizes, as files of few digits are
    for (std::size_t cell = 0; cell + 1 < m.first_face.size(); ++cell) {
        double sum[3] = {}, size = 0;
        for (auto row = static_cast<std::size_t>(m.first_face[cell]);
             row < static_cast<std::size_t>(m.first_face[cell + 1]); ++row) {
            const double* n = &m.normal[3 * row];
            for (int d = 0; d < 3; ++d) sum[d] += n[d];
            size += std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        }
        const double gap = std::max({std::fabs(sum[0]), std::fabs(sum[1]), std::fabs(sum[2])});
        if (!(gap <= most_open * size))
            throw bad_input("mesh: the faces of cell " + std::to_string(cell) + " do not close");
    }
}

/// Of a patch's faces those that do not suit, and the one that suits least.
struct misfit {
    index_t faces = 0, bad = 0, cell = -1;
    index_t blocked = 0;  // of an inflow: with gas slower than sound behind them
    double worst = 0;     // Mach number of the gas that leaves through the face
};

/// How much slower, or faster, than the kind demands the gas passes the face, in parts of the speed of sound;
/// 0 and less: it suits. `out` is the Mach number outward.
double excess(euler_boundary kind, double out) {
    constexpr double rounding = 1e-6;  // of a gas that rests
    switch (kind) {
        case euler_boundary::inflow:
            return 1 + out - rounding;
        case euler_boundary::outflow:
            return 1 - out - rounding;
        case euler_boundary::pressure_inlet:
        case euler_boundary::mass_inlet:
            return out - rounding;
        case euler_boundary::pressure_outlet:
            return -out - rounding;
        default:
            return 0;
    }
}

std::string line_of(const std::string& patch, euler_boundary kind, const misfit& m) {
    const char* what = kind == euler_boundary::inflow
                           ? "is for gas that comes in faster than sound (pressure_inlet takes slower gas)"
                       : kind == euler_boundary::outflow
                           ? "is for gas that leaves faster than sound (pressure_outlet takes slower gas)"
                       : kind == euler_boundary::pressure_outlet ? "is for gas that leaves"
                                                                 : "is for gas that comes in";
    char mach[32];
    (void)std::snprintf(mach, sizeof mach, "%.3g", m.worst);
    return "patch " + io::quoted(patch) + ": " + name_of(kind) + " " + what + "; " + std::to_string(m.bad) +
           " of its " + std::to_string(m.faces) + " faces do not suit, worst at cell " +
           std::to_string(m.cell) + ", outward Mach number " + mach;
}

}  // namespace

void check_mesh(const mesh& m) {
    check_arrays(m);
    check_closure(m);
}

std::vector<std::string> warnings_of(const flow_system& s, const std::vector<euler_state>& state) {
    const auto k = constants_of<double>(s);
    std::vector<misfit> found(s.kinds.size());
    for (index_t c = 0; c < s.cells(); ++c)
        for (index_t r = s.grid.first_face[static_cast<std::size_t>(c)];
             r < s.grid.first_face[static_cast<std::size_t>(c) + 1]; ++r) {
            const std::int32_t other = s.grid.neighbour[static_cast<std::size_t>(r)];
            if (!is_patch(other)) continue;
            const auto patch = static_cast<std::size_t>(patch_of(other));
            const euler_boundary kind = s.kinds[patch];
            const auto& from =
                kind == euler_boundary::inflow ? s.said[patch] : state[static_cast<std::size_t>(c)];
            const gas_point<double> g = point_of(from.data(), k);
            const double out =
                through(g, facing_of(&s.grid.normal[static_cast<std::size_t>(3 * r)]).at) / g.c;
            misfit& m = found[patch];
            ++m.faces;
            if (kind == euler_boundary::inflow && out < -1) {
                const gas_point<double> own = point_of(state[static_cast<std::size_t>(c)].data(), k);
                if (speed(own) < own.c) ++m.blocked;
            }
            if (!(excess(kind, out) > 0)) continue;
            ++m.bad;
            if (m.cell >= 0 && excess(kind, out) <= excess(kind, m.worst)) continue;
            m.cell = s.number_of(c);
            m.worst = out;
        }
    std::vector<std::string> lines;
    constexpr double slow = 0.05;  // there a section of 60 cells around has four times the drag of Mach 0.3
    if (const double mach = s.options.stream.mach; mach > 0 && mach < slow)
        lines.push_back(
            "stream.mach: is " + base::decimal_text(mach) +
            ", expected 0.05 or more: the dissipation of the fluxes, and drag with it, grows beside a "
            "stream that is far slower than sound");
    for (std::size_t p = 0; p < found.size(); ++p) {
        if (found[p].bad > 0) lines.push_back(line_of(s.grid.patches[p], s.kinds[p], found[p]));
        if (found[p].blocked > 0)
            lines.push_back("patch " + io::quoted(s.grid.patches[p]) +
                            ": a shock has reached this inflow; at " + std::to_string(found[p].blocked) +
                            " of its " + std::to_string(found[p].faces) +
                            " faces the gas within is slower than sound (the channel is choked, or the mesh "
                            "begins too near to the body)");
    }
    return lines;
}

}  // namespace wale::euler
