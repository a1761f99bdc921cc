// euler_file - flows in files: the case (TOML), checkpoints, history, the surface, and Rodinia's three texts.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <wale/euler.hpp>
#include <wale/mesh_file.hpp>
#include <wale/mesh_tools.hpp>
#include <wale/output_file.hpp>

namespace wale {

/// What the flow is at the beginning.
enum class euler_start {
    stream,  // the free stream everywhere
    sod,     // Sod 1978: (1, 0, 1) where x < 1/2, else (0.125, 0, 0.1)
    vortex,  // the free stream with an isentropic vortex (Shu, NASA CR-97-206253) of strength 5 at 0
    file     // a checkpoint
};
[[nodiscard]] const char* name_of(euler_start s) noexcept;
/// Needs coordinates, but for the free stream. Throws bad_argument for euler_start::file.
[[nodiscard]] std::vector<euler_state> starting_state(const mesh& m, const euler_stream& stream,
                                                      euler_start s);

/// The columns of a history.
enum class euler_columns {
    wale,  // every number of a sample
    su2    // the names that SU2 gives them, residuals as powers of ten
};
[[nodiscard]] const char* name_of(euler_columns c) noexcept;
/// What a sweep goes through.
enum class euler_swept { alpha, mach };
[[nodiscard]] const char* name_of(euler_swept s) noexcept;

/// A case as its file says it: docs/guide/euler.md has every word.
struct euler_setup {
    std::string name;       // of the file, for messages
    std::string mesh_path;  // empty: generated
    mesh_recipe recipe;
    mesh_file_options mesh_options;
    bool recover = false;  // corners of a mesh without coordinates
    euler_options options;
    euler_start start = euler_start::stream;
    std::string start_path;  // of a checkpoint
    std::string start_mesh;  // that the checkpoint is of; empty: the case's
    index_t iterations = 1000;
    /// Values that the case is computed for one after the other, each from the flow before; empty: once.
    std::vector<double> sweep;
    euler_swept swept = euler_swept::alpha;
    // Where results go; empty: nowhere.
    std::string history, flow, surface, surface_table, forces, checkpoint, rodinia, picture;
    std::string probes, series, surface_picture, polar, polar_picture;
    std::string surface_reference;              // that surface_picture shows beside the flow's; is read
    std::vector<std::array<double, 3>> points;  // of probes
    index_t checkpoint_every = 0;               // iterations; 0: at the end
    index_t probe_every = 0, series_every = 0;  // iterations; 0: check_every
    euler_columns history_columns = euler_columns::wale;
    euler_quantity picture_of = euler_quantity::mach;
    // Lines of the file where options.patches and options.periodic stand; empty: not from a file.
    std::vector<index_t> patch_lines, periodic_lines;
};

/// Reads a case; `-` is standard input. Paths in it are relative to its folder. Throws cannot_open, or
/// bad_input "file:line: what, expected" for text that is no TOML, unknown words and values out of range.
[[nodiscard]] euler_setup read_euler_setup(const std::string& path);
/// The same from memory; this is what the fuzzer drives.
[[nodiscard]] euler_setup parse_euler_setup(std::string_view text, const std::string& name);
/// The mesh that it names or generates, with recovered corners where asked. Throws bad_input "file:line:
/// what, expected" where the case names a patch that the mesh has not.
[[nodiscard]] mesh mesh_of(const euler_setup& setup);

/// All that it takes to go on as if nothing had happened.
struct euler_checkpoint {
    index_t iteration = 0;
    double time = 0;
    std::vector<euler_state> state;  // in the mesh's order
    std::vector<euler_sample> history;
};
/// Binary, this machine's byte order, with a checksum.
void write_checkpoint(output_file& out, const euler_checkpoint& c);
/// Throws cannot_open, or bad_input for a file that is none, is cut off, altered or of another byte order.
[[nodiscard]] euler_checkpoint read_checkpoint(const std::string& path);
[[nodiscard]] euler_checkpoint parse_checkpoint(std::string_view bytes, const std::string& name);
[[nodiscard]] euler_checkpoint checkpoint_of(euler_case& c);
/// Throws bad_argument where the sizes differ.
void restore(euler_case& c, const euler_checkpoint& from);

/// The states of a flow on another mesh: each cell of `to` has that of the nearest centroid of `from`; and
/// the largest distance between such two. Both need coordinates: bad_argument.
struct euler_carried {
    std::vector<euler_state> state;
    double farthest = 0;
};
[[nodiscard]] euler_carried carried_over(const mesh& from, std::span<const euler_state> state,
                                         const mesh& to);

/// A line a sample, with commas. SU2's columns have RhoW of meshes in 3-D only.
void write_history(output_file& out, std::span<const euler_sample> history,
                   euler_columns columns = euler_columns::wale, int dimensions = 3);

/// What the cells of some points held, once in a while. Throws bad_argument for a point outside of the mesh.
class euler_probes {
public:
    euler_probes(const mesh& m, std::vector<std::array<double, 3>> points);
    void sample(euler_case& c);
    /// A line a sample and point, with commas: where, in which cell, density, velocity, pressure, Mach number
    /// and pressure coefficient.
    void write(output_file& out) const;

private:
    std::vector<std::array<double, 3>> points_;
    std::vector<index_t> cells_;
    std::string lines_;
};

/// ParaView's collection of the flow at several times.
struct euler_series_file {
    std::string path;
    double time = 0;  // the flow's, or the iteration where steps are local
};
void write_series(output_file& out, std::span<const euler_series_file> files);

/// A flow of a sweep, at its end.
struct euler_polar_point {
    double value = 0;  // of what is swept
    index_t iterations = 0;
    euler_end end = euler_end::iterations;
    double decades = 0;
    double lift = 0, drag = 0, side = 0;
    std::array<double, 3> moment{};
};
void write_polar(output_file& out, euler_swept swept, std::span<const euler_polar_point> points);
/// Lift, drag and the moment about z over what is swept, as PNG.
void write_polar_picture(output_file& out, euler_swept swept, std::span<const euler_polar_point> points);

/// Pairs of numbers, a pair a line, between blanks or commas; further columns, a first line of words and what
/// follows # are passed over. Throws cannot_open, or bad_input with the line.
[[nodiscard]] std::array<std::vector<double>, 2> read_pairs(const std::string& path);
[[nodiscard]] std::array<std::vector<double>, 2> parse_pairs(std::string_view text, const std::string& name);
/// The pressure coefficient of walls over x, as PNG, and beside it that of `reference`, where there is one.
void write_surface_picture(output_file& out, euler_case& c,
                           const std::array<std::vector<double>, 2>& reference = {});
/// A line a wall, with commas.
void write_forces(output_file& out, std::span<const euler_force> forces);
/// Of every face of walls: cell, centre, outward area vector, pressure coefficient; centres need coordinates.
void write_surface_table(output_file& out, euler_case& c);
/// VTU with density, velocity, pressure, Mach number, pressure coefficient and cell numbers.
void write_flow(output_file& out, euler_case& c, bool surface = false);
/// Rodinia's files `density`, `momentum` and `density_energy`, here PREFIX.density and so on: a line "cells
/// cells", then a cell a line. With as many digits as it takes; Rodinia itself prints six.
void write_rodinia(const std::string& prefix, euler_case& c);
/// The files that it writes; none for an empty prefix.
[[nodiscard]] std::vector<std::string> rodinia_paths(const std::string& prefix);

}  // namespace wale
