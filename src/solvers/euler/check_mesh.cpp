// check_mesh - see check_mesh.hpp: linear, in plain loops.
#include "solvers/euler/check_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <wale/error.hpp>

namespace wale::euler {
namespace {

/// Engines follow neighbours and mates without looking.
void check_arrays(const mesh& m) {
    const auto cells = static_cast<std::size_t>(m.cells()), rows = m.neighbour.size();
    const bool fit = m.first_face.front() == 0 && m.first_face.back() == m.rows() &&
                     std::ranges::is_sorted(m.first_face) && m.mate.size() == rows &&
                     m.normal.size() == 3 * rows && m.volume.size() == cells &&
                     (m.centre.empty() || (m.centre.size() == 3 * cells && m.face_offset.size() == 3 * rows));
    if (!fit) throw bad_input("mesh: its arrays do not fit together");
    const index_t patches = std::ssize(m.patches);
    const auto first = [&](index_t cell) { return m.first_face[static_cast<std::size_t>(cell)]; };
    const auto leads_back = [&](index_t cell, index_t row) {
        const index_t other = m.neighbour[static_cast<std::size_t>(row)];
        if (other < 0) return other >= -patches;
        if (other >= m.cells()) return false;
        const index_t back = first(other) + m.mate[static_cast<std::size_t>(row)];
        return back < first(other + 1) && m.neighbour[static_cast<std::size_t>(back)] == cell &&
               first(cell) + m.mate[static_cast<std::size_t>(back)] == row;
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

}  // namespace

void check_mesh(const mesh& m) {
    check_arrays(m);
    check_closure(m);
}

}  // namespace wale::euler
