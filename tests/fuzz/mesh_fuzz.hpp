// mesh_fuzz - what holds for arbitrary bytes that may be a mesh file, of whatever format.
#pragma once

#include <string>

#include "fuzz/demand.hpp"
#include "io/mesh_format.hpp"

namespace wale::fuzz {

constexpr index_t most_cells = 1 << 12;

/// Whether the bytes are a mesh.
inline bool reads(std::string_view bytes, const mesh_file_options& options, mesh& out) {
    return takes([&] { out = parse_mesh(bytes, "fuzz", options); });
}

/// False where the format cannot say what the mesh is.
inline bool writes(const mesh& m, mesh_format format, std::string& out) {
    out.clear();
    try {
        io::write_any_mesh(m, format, [&](std::string_view part) { out += part; });
        return true;
    } catch (const bad_argument&) {
        return false;
    }
}

/// No index leads out of an array, but for neighbours that an unchecked mesh may lack; neighbours name each
/// other where that was checked.
inline void check_faces(const mesh& m, bool mutual, bool may_lack) {
    const auto at = [](index_t i) { return static_cast<std::size_t>(i); };
    demand(m.first_face.back() == m.rows(), "cells have all rows");
    demand(std::ssize(m.opposite) == m.rows() && std::ssize(m.normal) == 3 * m.rows(),
           "an opposite face and a normal each");
    demand(std::ssize(m.volume) == m.cells(), "a volume each");
    for (index_t c = 0; c < m.cells(); ++c)
        for (index_t r = m.first_face[at(c)]; r < m.first_face[at(c + 1)]; ++r) {
            const std::int32_t n = m.neighbour[at(r)];
            if (may_lack && n >= m.cells()) continue;
            demand(n < m.cells() && (n >= 0 || patch_of(n) < std::ssize(m.patches)),
                   "the neighbour is there");
            if (n < 0) continue;
            const index_t opposite = m.first_face[at(n)] + m.opposite[at(r)];
            demand(opposite < m.first_face[at(n + 1)], "the opposite face is there");
            if (!mutual) continue;
            demand(m.neighbour[at(opposite)] == c, "neighbours know each other");
            demand(m.first_face[at(c)] + m.opposite[at(opposite)] == r, "opposite faces name each other");
        }
}

/// What was written is read, and written again as it was.
inline void check_round_trip(const mesh& m, mesh_format format) {
    std::string once, twice;
    mesh again;
    if (!writes(m, format, once)) return;
    demand(reads(once, {.format = format, .threads = 1, .unchecked = true}, again),
           "what was written is read");
    demand(writes(again, format, twice) && once == twice, "a mesh survives being written and read");
}

inline void check_options(std::string_view bytes, const mesh_file_options& options) {
    mesh m;
    if (!reads(bytes, options, m)) return;
    demand(m.cells() <= options.max_cells, "the limit holds");
    // A cache was checked when it was written, and the automatic format may find a cache.
    const bool text = options.format != mesh_format::cache && options.format != mesh_format::automatic;
    const bool may_lack = options.unchecked && !options.open_ends;
    check_faces(m, text && !options.unchecked, may_lack);
    for (const mesh_format f : {mesh_format::fvcorr, mesh_format::sac, mesh_format::su2})
        check_round_trip(m, f);
    if (!may_lack) check_round_trip(m, mesh_format::cache);  // whose reader takes whole meshes only
}

inline void check_format(std::string_view input, mesh_format format) {
    option_bytes chosen(input);
    if (chosen.chosen()) {
        const int threads = 1 + static_cast<int>(chosen.next(3));
        const auto cells = chosen.limit(most_cells);
        const bool open_ends = chosen.flag(), unchecked = chosen.flag();
        const mesh_format wanted = chosen.flag() ? mesh_format::automatic : format;
        return check_options(chosen.file(), {.format = wanted,
                                             .threads = threads,
                                             .max_cells = cells,
                                             .open_ends = open_ends,
                                             .unchecked = unchecked});
    }
    for (const bool lenient : {false, true})
        check_options(input, {.format = format,
                              .threads = 1,
                              .max_cells = most_cells,
                              .open_ends = lenient,
                              .unchecked = lenient});
}

/// A cache also with the checksum that it should have.
inline void check(std::string_view input, mesh_format format) {
    check_format(input, format);
    if (format != mesh_format::cache) return;
    const std::string_view file = option_bytes(input).file();
    std::string sealed(file);
    io::seal_cache(sealed);
    sealed += input.substr(file.size());
    check_format(sealed, format);
}

}  // namespace wale::fuzz
