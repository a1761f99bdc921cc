// euler_file - flows in files: the case (TOML), checkpoints, history, the surface, and Rodinia's three texts.
#pragma once

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
    index_t iterations = 1000;
    // Where results go; empty: nowhere.
    std::string history, flow, surface, surface_table, forces, checkpoint, rodinia, picture;
    index_t checkpoint_every = 0;  // iterations; 0: at the end
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

/// A line a sample, with commas.
void write_history(output_file& out, std::span<const euler_sample> history);
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
