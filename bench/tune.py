#!/usr/bin/env python3
"""Measures the rows of the tuning tables on this machine: bench/results/<machine>/tuning.csv.

    bench/tune.py [--bin DIR] [--out CSV] [--cpu] [FILTER]       FILTER: only tables whose names contain it
    tools/check_evidence.py --cite CSV                           writes the measured lines into the tables

PLAN says which experiment of `wale study` runs a table. The program wale_bench forces each row through WALE_TUNING and
verifies what it timed. Rows that are not compiled (only -DWALE_TUNING_ROWS=ON compiles candidates) are left out.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import machine

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import tuning_rows  # noqa: E402

# The name in WALE_TUNING; the array of rows in *tuning.hpp; bytes of an element of the experiment; solver, experiment and
# variant; size; the rows by number ("-": all that are for such elements).
PLAN = """
euler/advance/resident  euler::resident_policies  4  euler rodinia_f32 cuda/resident  97200 -
euler/advance/resident  euler::resident_policies  8  euler rodinia_f64 cuda/resident  97200 -
euler/advance/fused     euler::fused_policies     4  euler rodinia_f32 cuda/graph     97200 -
euler/advance/fused     euler::fused_policies     8  euler rodinia_f64 cuda/graph     97200 -
lu/factor/batched/strips  lu::strip_policies  4  lu batch_8   cuda/batched  200000 0
lu/factor/batched/strips  lu::strip_policies  4  lu batch_32  cuda/batched  50000 3,4,5
lu/factor/batched/strips  lu::strip_policies  4  lu batch_64  cuda/batched  20000 4,5,6
lu/factor/batched/strips  lu::strip_policies  4  lu batch_128 cuda/batched  5000 7
lu/factor/batched         lu::panel_policies  4  lu batch_256 cuda/batched  1000 0,1
lu/factor/lookahead   lu::lookahead_policies    8  lu pivoted_f64   cuda/lookahead  8192 -
lu/factor/unpivoted   lu::unpivoted::policies   8  lu unpivoted_f64 cuda/lookahead  8192 -
lu/factor/tile_dag    lu::tile_dag::policies    8  lu unpivoted_f64 cuda/tile_dag   2048 -
lu/factor/resident_pivoted    lu::resident::pivoted_policies    4  lu pivoted       cuda/resident  1024 -
lu/factor/resident_pivoted    lu::resident::pivoted_policies    8  lu pivoted_f64   cuda/resident  1024 -
lu/factor/resident_unpivoted  lu::resident::unpivoted_policies  8  lu unpivoted_f64 cuda/resident  512 -
reconstruction/reconstruct/basins         reconstruction::basins::flat_policies    1  reconstruction fill_holes   cuda/basins  4096 -
reconstruction/reconstruct/basins_join    reconstruction::basins::join_policies    1  reconstruction fill_holes   cuda/basins  4096 0
reconstruction/reconstruct/basins_volume  reconstruction::basins::volume_policies  1  reconstruction volume_domes cuda/basins  256 -
reconstruction/reconstruct/bits           reconstruction::bits_tile_policies       1  reconstruction bits         cuda/bits    4096 -
reconstruction/reconstruct/elementary     reconstruction::elementary::policies     1  reconstruction h_domes      cuda/elementary  4096 -
reconstruction/reconstruct/sweep          reconstruction::sweep::policies          1  reconstruction h_domes      cuda/sweep   4096 -
reconstruction/reconstruct/tiles          reconstruction::tiles_policies           1  reconstruction h_domes      cuda/tiles   4096 -
reconstruction/reconstruct/tiles_3d       reconstruction::tiles_3d::policies       1  reconstruction volume_domes cuda/tiles_3d  256 -
tree/chains/thomas_one_pass  tree::one_pass::tiles  8  tree chains_interleaved      cuda/thomas_one_pass  64 0
tree/chains/thomas_one_pass  tree::one_pass::tiles  8  tree chains_interleaved      cuda/thomas_one_pass  112 1
tree/chains/thomas_one_pass  tree::one_pass::tiles  8  tree chains_interleaved      cuda/thomas_one_pass  512 2
tree/chains/thomas_one_pass  tree::one_pass::tiles  8  tree chains_interleaved      cuda/thomas_one_pass  4096 3
tree/chains/thomas_one_pass  tree::one_pass::tiles  4  tree chains_interleaved_f32  cuda/thomas_one_pass  512 4
tree/chains/thomas_one_pass  tree::one_pass::tiles  4  tree chains_interleaved_f32  cuda/thomas_one_pass  4096 5,6
tree/chains/thomas_one_pass  tree::one_pass::tiles  8  tree pivoted_interleaved     cuda/thomas_one_pass  128 7
tree/chains/thomas_one_pass  tree::one_pass::tiles  8  tree pivoted_interleaved     cuda/thomas_one_pass  1024 8
tree/chains/thomas      tree::thomas::thomas_policies        8  tree chains_interleaved  cuda/thomas      128 -
tree/chains/pcr_thomas  tree::pcr_thomas::unpivoted_policies  8  tree chains_flat         cuda/pcr_thomas  128 -
tree/chains/pcr_thomas  tree::pcr_thomas::unpivoted_policies  4  tree chains_flat_f32     cuda/pcr_thomas  128 -
tree/chains/pcr_thomas_pivoted  tree::pcr_thomas::pivoted_policies  8  tree pivoted_flat  cuda/pcr_thomas  128 -
tree/chains/recursive_partition  tree::partition::policies   8  tree chains_flat  cuda/recursive_partition  65536 -
tree/chains/spike                tree::spike::policies       8  tree chains_flat  cuda/spike                4194304 -
tree/hines/contraction  tree::contraction_policies           8  tree one_tree     cuda/contraction          4194304 -
tree/hines/levels       tree::block_levels::policies         8  tree trees_flat   cuda/levels               1024 -
tree/hines/register_partition   tree::register_partition::policies  8  tree trees_flat  cuda/register_partition  128 0
tree/hines/register_partition   tree::register_partition::policies  8  tree trees_flat  cuda/register_partition  320 1
tree/hines/register_partition   tree::register_partition::policies  8  tree trees_flat  cuda/register_partition  699 2,3
tree/hines/register_partition   tree::register_partition::policies  8  tree trees_flat  cuda/register_partition  1024 4
tree/hines/register_partition   tree::register_partition::policies  8  tree trees_flat  cuda/register_partition  2048 5
tree/hines/register_sweep       tree::thread_sweeps::policies       8  tree trees_interleaved  cuda/register_sweep  699 -
wavefront/batch/spread  wavefront::batch::spreads  1  wavefront edit_batch  cuda/binned  1000000 -
wavefront/fill/rect_global        wavefront::rect_global_policies       4  wavefront fill  cuda/rect_global  16384 -
wavefront/fill/rect_shared        wavefront::rect_shared_policies       4  wavefront fill  cuda/rect_shared  16384 -
wavefront/fill/hyperlane          wavefront::hyperlane_policies         4  wavefront fill  cuda/hyperlane    16384 -
wavefront/fill/hyperlane_streams  wavefront::hyperlane_stream_policies  4  wavefront fill  cuda/hyperlane_streams  16384 -
wavefront/fill/strips             wavefront::strip_policies             4  wavefront fill  cuda/strips       65536 -
wavefront/fill/strips_bits        wavefront::strip_bits_policies        4  wavefront fill  cuda/strips_bits  65536 -
wavefront/length/lcs_strips    wavefront::lcs_policies     1  wavefront lcs_length     cuda/strips  300000 0
wavefront/length/lcs_strips    wavefront::lcs_policies     1  wavefront lcs_length     cuda/strips  1000000 1
wavefront/length/lcs_strips    wavefront::lcs_policies     1  wavefront lcs_length     cuda/strips  2000000 2
wavefront/length/lcs_strips    wavefront::lcs_policies     1  wavefront lcs_length     cuda/strips  4000000 3
wavefront/length/edit_strips   wavefront::edit_policies    1  wavefront edit_distance  cuda/strips  500000 0
wavefront/length/edit_strips   wavefront::edit_policies    1  wavefront edit_distance  cuda/strips  1000000 1
wavefront/length/edit_strips   wavefront::edit_policies    1  wavefront edit_distance  cuda/strips  2000000 2
wavefront/length/string_strips wavefront::string_policies  1  wavefront lcs_string     cuda/strips  250000 0
wavefront/length/string_strips wavefront::string_policies  1  wavefront lcs_string     cuda/strips  500000 1
wavefront/length/string_strips wavefront::string_policies  1  wavefront lcs_string     cuda/strips  1000000 2
euler/advance/tiled     euler::tiled_policies     4  euler rodinia_f32 cuda/tiled     1008600 -
euler/advance/tiled     euler::tiled_policies     8  euler rodinia_f64 cuda/tiled     1008600 -
lu/factor/recursive          lu::recursive_policies     4  lu pivoted         cpu/recursive  1024 -
lu/factor/recursive          lu::recursive_policies     8  lu pivoted_f64     cpu/recursive  1024 -
reconstruction/reconstruct/clamp_scan  reconstruction::clamp_scan_policies  1  reconstruction h_domes  cpu/clamp_scan  2048 -
reconstruction/reconstruct/cpu_bits    reconstruction::bits_policies        1  reconstruction bits     cpu/bits        4096 -
wavefront/fill/cpu           wavefront::cpu_fill_policies  4  wavefront fill  cpu/simd       4096 0
wavefront/length/cpu_strips  wavefront::strip_policies  1  wavefront lcs_length  cpu/skewed_strips  100000 -
"""


def rows_of(tables, name, array, variant):
    """The rows of the array; where several files have an array of that name, of the one beside the variant's backend."""
    found = [(path, held[array]) for path, held in tables.items() if array in held]
    if len(found) > 1:
        device = variant.startswith("cuda/")
        found = [(path, rows) for path, rows in found if ("cuda" in path.relative_to(ROOT).parts) == device]
    if len(found) == 1:
        return found[0][1]
    print(f"{name}: {len(found)} files have an array {array}, expected one", file=sys.stderr)
    return []


def plan(wanted, cpu):
    """The lines for wale_bench: a row of a table and the experiment that runs it."""
    tables = tuning_rows.all_tables()
    for line in filter(None, PLAN.splitlines()):
        name, array, size_of, solver, experiment, variant, size, chosen = line.split()
        if wanted not in name or variant.startswith("cpu/") != cpu:
            continue
        newest = 0  # rows of older architectures are not measured on a newer one
        for row in rows_of(tables, name, array, variant):
            fits = row.element_bytes in (0, int(size_of))
            newest = max(newest, row.from_sm) if fits and not cpu else newest
            wanted_row = str(row.number) in chosen.split(",") if chosen != "-" else fits and row.from_sm >= newest
            if wanted_row:
                fields = [name, array, row.number, size_of, row.values, solver, experiment, variant, size]
                yield "\t".join(map(str, fields))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filter", nargs="?", default="", metavar="FILTER")
    parser.add_argument("--bin", type=Path, default=ROOT / "build/dev/bin", help="folder of wale_bench")
    parser.add_argument("--out", type=Path, help="CSV file instead of bench/results/<machine>/tuning.csv")
    parser.add_argument("--cpu", action="store_true", help="the tables of the CPU instead of those of CUDA")
    parser.add_argument("--print", action="store_true", help="only the plan")
    options = parser.parse_args()
    lines = list(plan(options.filter, options.cpu))
    if options.print or not lines:
        print("\n".join(lines))
        return 0 if lines else f"no table's name contains '{options.filter}'"
    name = os.environ.get("WALE_MACHINE") or machine.name(prefer_gpu=not options.cpu)
    out = options.out or ROOT / "bench/results" / name / "tuning.csv"
    out.parent.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "WALE_MACHINE": name, "WALE_COMMIT": machine.commit()}
    environment["WALE_COMMAND"] = " ".join(["tune.py", *["--cpu"] * options.cpu, options.filter]).strip()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows"
        path.write_text("\n".join(lines) + "\n")
        return subprocess.run([options.bin / "wale_bench", out, "--rows", path], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
