// warnings - patches whose kind does not suit the flow: where waves come in that the kind does not take in,
// or leave that it holds back.
#include "solvers/euler/warnings.hpp"

#include <cstdio>

#include "io/escape.hpp"

namespace wale::euler {
namespace {

/// Of a patch's faces those that do not suit, and the one that suits least.
struct misfit {
    index_t faces = 0, bad = 0, cell = -1;
    double worst = 0;  // Mach number of the gas that leaves through the face
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
                       : kind == euler_boundary::pressure_inlet ? "is for gas that comes in"
                                                                : "is for gas that leaves";
    char mach[32];
    (void)std::snprintf(mach, sizeof mach, "%.3g", m.worst);
    return "patch " + io::quoted(patch) + ": " + name_of(kind) + " " + what + "; " + std::to_string(m.bad) +
           " of its " + std::to_string(m.faces) + " faces do not suit, worst at cell " +
           std::to_string(m.cell) + ", outward Mach number " + mach;
}

}  // namespace

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
            if (!(excess(kind, out) > 0)) continue;
            ++m.bad;
            if (m.cell >= 0 && excess(kind, out) <= excess(kind, m.worst)) continue;
            m.cell = s.number_of(c);
            m.worst = out;
        }
    std::vector<std::string> lines;
    for (std::size_t p = 0; p < found.size(); ++p)
        if (found[p].bad > 0) lines.push_back(line_of(s.grid.patches[p], s.kinds[p], found[p]));
    return lines;
}

}  // namespace wale::euler
