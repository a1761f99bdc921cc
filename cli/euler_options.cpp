// euler_options - the options of `wale euler`.
#include <CLI/CLI.hpp>

#include "backend.hpp"
#include "euler.hpp"
#include "numbers.hpp"

namespace wale::cli {

void add_euler(CLI::App& app, euler_command& o) {
    CLI::App& verb = *app.add_subcommand("euler", "flow round a body on an unstructured mesh");
    verb.add_option("case", o.file, "TOML; - is standard input")->required();
    add_number(verb, "-n,--iterations", o.iterations, {0, index_t{1} << 40}, "instead of the case's")
        .type_name("N");
    verb.add_option("--restart", o.restart, "go on from this checkpoint")->type_name("FILE");
    verb.add_option("--restart-mesh", o.restart_mesh,
                    "the checkpoint is of this mesh: each cell takes the state of the nearest one")
        ->type_name("MESH");
    add_run(verb, o, "auto takes CUDA for long runs where a device is there",
            "a row of `wale list euler`, such as cpu/one_pass");
    verb.add_flag("--verify", o.verify,
                  "check the flow as it is at the end: its states are physical, measured as the plain loops\n"
                  "measure it, and gains what its patches let in; exit 1 if not");
    CLI::Option* const json =
        verb.add_flag("--json", o.json, "write what ran to standard output as JSON, errors too");
    verb.add_flag("--samples", o.samples, "with --json: every measurement")->needs(json);
    verb.add_option("-o,--output", o.output, "with --json: write it to FILE instead")
        ->type_name("FILE")
        ->needs(json);
    verb.footer(R"(The case says which mesh, stream, scheme, boundaries and outputs;
docs/guide/euler.md has every word:

  [mesh]
  file = "wing.su2"            # fvcorr, SAC, SU2, Gmsh, CGNS or Wale's cache;
                               # or generate = "shell", size = 20000
  [stream]
  mach = 1.2
  alpha = 2.0                  # degrees
  [boundary.body]
  kind = "wall"                # far_field, symmetry, inflow, outflow, pressure_inlet, ...
  [run]
  iterations = 2000
  stop_decades = 6
  [output]
  history = "history.csv"
  flow = "flow.vtu"
  picture = "mach.png"
  surface_picture = "cp.png"   # probes, series, forces, checkpoint, ...

A table [sweep] with alpha = [0, 1, 2] or mach = [...] computes a polar, each flow from the one
before; [output] polar and polar_picture have its forces.

Exit code 1 where a state is nonphysical (density or pressure not positive): the line says which
cell, where and when, and what is written is the last good state. Exit code 1, too, where the case
has stop_decades or stop_force and neither is met: the line says how far the residual fell and
where it is largest.

Examples:
  wale euler case.toml
  wale euler case.toml --restart flow.checkpoint -n 5000 --json
  mpirun -np 4 wale euler case.toml
)");
}

}  // namespace wale::cli
