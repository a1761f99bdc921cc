// mesh_records - opposite faces, true areas and soundness, every cell on its own: linear, and the same for
// any number of threads.
#include "io/mesh_records.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <wale/error.hpp>

#include "base/large_pages.hpp"
#include "cpu/team.hpp"
#include "io/escape.hpp"

namespace wale::io {
namespace {

constexpr index_t cells_of_thread = 8192;  // fewer are not worth one
constexpr index_t sampled = 1024;          // cells that show whether normals are areas
/// Seven digits leave a closed cell open by 5e-7 of its faces' sizes, six digits by 5e-6.
constexpr double most_open = 1e-4;

enum class fault { none, volume, dangling, self, one_sided, open };
struct finding {
    fault what = fault::none;
    index_t cell = -1;
    int face = -1;
};

std::size_t at(index_t i) {
    return static_cast<std::size_t>(i);
}

/// Calls part(rank, first, last) for the cells of each of `threads` threads.
template <class Part>
void share(index_t cells, int threads, const Part& part) {
    cpu::run_team(threads,
                  [&](int rank) { part(rank, cells * rank / threads, cells * (rank + 1) / threads); });
}

/// How far two faces' normals are from cancelling; comparable for the faces of one pair of cells.
double misfit(const mesh& m, index_t row, index_t other) {
    double sum = 0;
    for (index_t d = 0; d < 3; ++d) sum += std::fabs(m.normal[at(3 * row + d)] + m.normal[at(3 * other + d)]);
    return sum;
}

/// Bit k: face k of `cell` names `other`.
unsigned faces_between(const mesh& m, index_t cell, index_t other) {
    unsigned faces = 0;
    for (int k = 0; k < record_faces; ++k)
        faces |= static_cast<unsigned>(m.neighbour[at(record_faces * cell + k)] == other) << k;
    return faces;
}

/// The face of `high` that is nearest to face `row` of a cell that names it, of those not yet taken; -1:
/// none.
int nearest(const mesh& m, index_t row, index_t low, index_t high, const bool* taken) {
    int best = -1;
    for (int b = 0; b < record_faces; ++b) {
        const index_t candidate = record_faces * high + b;
        if (taken[b] || m.neighbour[at(candidate)] != low) continue;
        if (best < 0 || misfit(m, row, candidate) < misfit(m, row, record_faces * high + best)) best = b;
    }
    return best;
}

/// Which of its neighbour's faces face `face` of a cell is; -1: none. Two cells may share several faces:
/// those of the cell with the lower number take the most opposite ones of the other in their order, so that
/// both sides find the same pairs.
int mate_of_many(const mesh& m, index_t cell, int face) {
    const index_t other = m.neighbour[at(record_faces * cell + face)];
    const index_t low = std::min(cell, other), high = std::max(cell, other);
    bool taken[record_faces] = {};
    for (int a = 0; a < record_faces; ++a) {
        if (m.neighbour[at(record_faces * low + a)] != high) continue;
        const int b = nearest(m, record_faces * low + a, low, high, taken);
        if (b < 0) break;
        taken[b] = true;
        if (cell == low && a == face) return b;
        if (cell == high && b == face) return a;
    }
    return -1;
}

/// The usual case first: one face each.
int opposite_of(const mesh& m, index_t cell, int face) {
    const index_t other = m.neighbour[at(record_faces * cell + face)];
    const unsigned own = faces_between(m, cell, other), theirs = faces_between(m, other, cell);
    const bool one_each = ((own & (own - 1)) | (theirs & (theirs - 1))) == 0 && theirs != 0;
    if (one_each) return std::countr_zero(theirs);
    return mate_of_many(m, cell, face);
}

/// Sets the opposite faces of a cell's faces; its first fault.
finding settle(mesh& m, index_t cell) {
    finding first;
    const auto note = [&](fault what, int face) {
        if (first.what == fault::none) first = {what, cell, face};
    };
    if (!(m.volume[at(cell)] > 0)) note(fault::volume, -1);
    for (int k = 0; k < record_faces; ++k) {
        const index_t r = record_faces * cell + k, other = m.neighbour[at(r)];
        if (other < 0) continue;
        if (other >= m.cells()) {
            note(fault::dangling, k);
            continue;
        }
        const int opposite = opposite_of(m, cell, k);
        if (other == cell) note(fault::self, k);
        if (opposite < 0) note(fault::one_sided, k);
        m.opposite[at(r)] = static_cast<std::uint8_t>(std::max(opposite, 0));
    }
    if (is_open(m, cell)) note(fault::open, -1);
    return first;
}

/// (2/9 |n1.(n2 x n3)|)^(1/2) over the volume: 1 for a tetrahedron with its true area vectors.
double volume_factor(const mesh& m, index_t cell) {
    const double* a = m.normal.data() + 3 * record_faces * cell;
    const double *b = a + 3, *c = a + 6;
    const double product = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                           a[2] * (b[0] * c[1] - b[1] * c[0]);
    return std::sqrt(2.0 / 9 * std::fabs(product)) / m.volume[at(cell)];
}

/// Whether normals are twice the areas: the median of cells spread over the file, which has no opinion where
/// volumes are not positive.
bool are_doubled(const mesh& m) {
    std::vector<double> factors;
    const index_t count = std::min(sampled, m.cells());
    for (index_t i = 0; i < count; ++i) {
        const double factor = volume_factor(m, i * (m.cells() / count));
        if (factor > 0 && std::isfinite(factor)) factors.push_back(factor);
    }
    if (factors.empty()) return false;
    const auto middle = factors.begin() + std::ssize(factors) / 2;
    std::nth_element(factors.begin(), middle, factors.end());
    return std::fabs(*middle / std::sqrt(8.0) - 1) < 1e-3;
}

[[noreturn]] void refuse(const finding& f, const mesh& m, const record_source& s) {
    const std::string cell = "cell " + std::to_string(f.cell + s.base);
    const index_t line = s.line(f.cell, f.face);
    if (f.what == fault::volume) {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%.7g", m.volume[at(f.cell)]);
        s.in.refuse(line, "volume " + std::string(digits) + " of " + cell + ", expected more than 0");
    }
    if (f.what == fault::open)
        s.in.refuse(line,
                    cell + " is open: its normals do not sum to 0, expected at most 1e-4 of their sizes");
    const index_t other = m.neighbour[at(record_faces * f.cell + f.face)];
    const std::string face = "neighbour " + std::to_string(other + s.base) + " of " + cell + ", face " +
                             std::to_string(f.face + 1);
    if (f.what == fault::dangling)
        s.in.refuse(line, face + ", expected at most " + std::to_string(m.cells() - 1 + s.base));
    if (f.what == fault::self) s.in.refuse(line, face + ", expected another cell");
    s.in.refuse(line, face + ", which has no face for it");
}

void halve(mesh& m, int threads) {
    share(m.cells(), threads, [&](int, index_t first, index_t last) {
        for (index_t i = 3 * record_faces * first; i < 3 * record_faces * last; ++i) m.normal[at(i)] /= 2;
    });
    m.normal_scale = 2;
}

}  // namespace

mesh empty_records(index_t cells) {
    mesh m;
    m.first_face.resize(at(cells) + 1);
    for (index_t c = 0; c <= cells; ++c) m.first_face[at(c)] = record_faces * c;
    m.neighbour.resize(at(record_faces * cells));
    m.opposite.resize(at(record_faces * cells));
    base::resize_in_large_pages(m.normal, at(3 * record_faces * cells));
    m.volume.resize(at(cells));
    m.patches = {"wall", "farfield"};
    return m;
}

bool is_open(const mesh& m, index_t cell) {
    double sum[3] = {}, size = 0;
    for (int k = 0; k < record_faces; ++k) {
        const double* n = m.normal.data() + 3 * (record_faces * cell + k);
        double largest = 0;
        for (int d = 0; d < 3; ++d) {
            sum[d] += n[d];
            largest = std::max(largest, std::fabs(n[d]));
        }
        size += largest;
    }
    const double gap = std::max({std::fabs(sum[0]), std::fabs(sum[1]), std::fabs(sum[2])});
    return !(gap <= most_open * size);
}

void finish_records(mesh& m, const record_source& source) {
    const mesh_file_options& options = source.in.options;
    const int threads = cpu::team_size(options.threads, m.cells() / cells_of_thread);
    std::vector<finding> found(at(threads));
    share(m.cells(), threads, [&](int rank, index_t first, index_t last) {
        for (index_t c = first; c < last; ++c)
            if (const finding f = settle(m, c); found[at(rank)].what == fault::none) found[at(rank)] = f;
    });
    for (const finding& f : found)
        if (f.what != fault::none && !options.unchecked) refuse(f, m, source);
    if (are_doubled(m)) halve(m, threads);
}

std::int32_t neighbour_in_record(const mesh& m, index_t row) {
    const std::int32_t n = m.neighbour[at(row)];
    if (!is_patch(n)) return n;
    return m.patches[at(patch_of(n))] == "wall" ? wall : far_field;
}

std::string why_no_records(const mesh& m) {
    if (m.dimensions != 3) return "mesh: has 2 dimensions, expected 3";
    for (index_t c = 0; c < m.cells(); ++c)
        if (const index_t faces = m.first_face[at(c + 1)] - m.first_face[at(c)]; faces != record_faces)
            return "mesh: cell " + std::to_string(c) + " has " + std::to_string(faces) +
                   " faces, expected 4: tetrahedra only";
    for (const std::int32_t n : m.neighbour) {
        if (!is_patch(n)) continue;
        const std::string& name = m.patches[at(patch_of(n))];
        if (name != "wall" && name != "farfield")
            return "mesh: has faces of patch " + quoted(name) + ", expected wall and farfield only";
    }
    for (const std::vector<double>* numbers : {&m.volume, &m.normal})
        for (const double v : *numbers)
            if (!std::isfinite(v)) return "mesh: has a volume or normal that is not finite";
    return {};
}

}  // namespace wale::io
