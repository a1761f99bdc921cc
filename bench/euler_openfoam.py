#!/usr/bin/env python3
"""Flow in time beside OpenFOAM's rhoCentralFoam: the same hexahedra (of blockMesh, which Wale reads as they are),
Mach 2 over a wedge of 10 degrees from a uniform stream to the same time; processor time, the least of the rounds in
turn: others may use the machine. Neither writes a flow; a run of no steps is taken off. The pressure behind the shock
is compared with the exact 1.7066 of the oblique shock first.

Run where blockMesh and rhoCentralFoam are (Debian: openfoam). usage: euler_openfoam.py WALE [--cells N] [--output CSV]
"""

import argparse
import csv
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import machine

HEAD = "FoamFile {{ version 2.0; format ascii; class {0}; object {1}; }}\n"
END = 1.5  # of time: the stream passes the channel twice

BLOCKS = """scale 1;
vertices ((-0.5 0 0) (0 0 0) (1 {rise} 0) (-0.5 1 0) (0 1 0) (1 1 0)
          (-0.5 0 0.1) (0 0 0.1) (1 {rise} 0.1) (-0.5 1 0.1) (0 1 0.1) (1 1 0.1));
blocks (hex (0 1 4 3 6 7 10 9) ({before} {rows} 1) simpleGrading (1 1 1)
        hex (1 2 5 4 7 8 11 10) ({behind} {rows} 1) simpleGrading (1 1 1));
boundary (inflow {{ type patch; faces ((0 6 9 3)); }} outflow {{ type patch; faces ((2 5 11 8)); }}
          floor {{ type symmetryPlane; faces ((0 1 7 6)); }} top {{ type symmetry; faces ((3 9 10 4) (4 10 11 5)); }}
          wall {{ type patch; faces ((1 2 8 7)); }}
          sides {{ type empty; faces ((0 3 4 1) (1 4 5 2) (6 7 10 9) (7 8 11 10)); }});
"""
CONTROL = """application rhoCentralFoam; startFrom startTime; startTime 0; stopAt endTime; endTime {end};
deltaT 1e-4; writeControl adjustableRunTime; writeInterval {write}; writePrecision 12; timePrecision 8;
runTimeModifiable false; adjustTimeStep yes; maxCo 0.2; maxDeltaT 1;
"""
SCHEMES = """fluxScheme Kurganov; ddtSchemes { default Euler; } gradSchemes { default Gauss linear; }
divSchemes { default none; div(tauMC) Gauss linear; } laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; reconstruct(rho) vanLeer; reconstruct(U) vanLeerV; reconstruct(T) vanLeer; }
snGradSchemes { default corrected; }
"""
SOLUTION = """solvers { "(rho|rhoU|rhoE)" { solver diagonal; } U { solver smoothSolver; smoother GaussSeidel; nSweeps 2;
tolerance 1e-9; relTol 0.01; } h { $U; } e { $U; } }
"""
GAS = """thermoType { type hePsiThermo; mixture pureMixture; transport const; thermo hConst; equationOfState perfectGas;
specie specie; energy sensibleInternalEnergy; }
mixture { specie { molWeight 11640.3; } thermodynamics { Cp 2.5; Hf 0; } transport { mu 0; Pr 1; } }
"""  # R = 1 / 1.4: sound at pressure 1 and temperature 1 is as fast as 1, as Wale's
FIELD = """dimensions {dimensions}; internalField uniform {value};
boundaryField {{ inflow {{ type fixedValue; value uniform {value}; }} outflow {{ type zeroGradient; }}
floor {{ type symmetryPlane; }} top {{ type symmetry; }} wall {{ type {wall}; }} sides {{ type empty; }} }}
"""
CASE = """[mesh]
file = "{mesh}"
[stream]
mach = 2
[scheme]
flux = "hllc"
order = 2
step = "global"
time = "ssp_rk3"
cfl = {cfl}
[boundary]
inflow.kind = "inflow"
outflow.kind = "outflow"
floor.kind = "symmetry"
top.kind = "symmetry"
wall.kind = "wall"
sides.kind = "symmetry"
[run]
iterations = {iterations}
end_time = {end}
check_every = 0
"""


def write(folder, name, kind, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD.format(kind, path.name) + text)


def control(folder, end, keep):
    write(folder, "system/controlDict", "dictionary", CONTROL.format(end=end, write=end if keep else 1e9))


def make_case(folder, cells):
    rows = round((cells / 1.5) ** 0.5)
    write(folder, "system/blockMeshDict", "dictionary", BLOCKS.format(
        rise=0.17632698070846498, before=rows // 2, behind=rows, rows=rows))  # fmt: skip
    control(folder, END, True)
    write(folder, "system/fvSchemes", "dictionary", SCHEMES)
    write(folder, "system/fvSolution", "dictionary", SOLUTION)
    write(folder, "constant/thermophysicalProperties", "dictionary", GAS)
    write(folder, "constant/turbulenceProperties", "dictionary", "simulationType laminar;\n")
    for name, kind, dimensions, value, wall in (
        ("p", "volScalarField", "[1 -1 -2 0 0 0 0]", "1", "zeroGradient"),
        ("T", "volScalarField", "[0 0 0 1 0 0 0]", "1", "zeroGradient"),
        ("U", "volVectorField", "[0 1 -1 0 0 0 0]", "(2 0 0)", "slip"),
    ):
        write(folder, f"0/{name}", kind, FIELD.format(dimensions=dimensions, value=value, wall=wall))
    subprocess.run(["blockMesh", "-case", str(folder)], check=True, stdout=subprocess.DEVNULL)
    return rows // 2 * rows + rows * rows


def spent(command):
    """Processor seconds, and what the program wrote."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def foam(folder, end=END, keep=False):
    control(folder, end, keep)
    return spent(["rhoCentralFoam", "-case", str(folder)])


def wale(program, folder, cfl, iterations=1000000, surface=""):
    case = folder / "case.toml"
    case.write_text(CASE.format(mesh=folder, cfl=cfl, iterations=iterations, end=END) + surface)
    return spent([program, "euler", str(case), "--threads", "1", "--backend", "cpu", "--json"])


def foam_pressure(folder):
    """At the ramp's middle half, mean of the first row of its block."""
    text = (folder / f"{END:g}" / "p").read_text()
    values = [float(v) for v in text[text.index("(") + 1 : text.index(")")].split()]
    rows = int((len(values) / 1.5) ** 0.5 + 0.5)
    ramp = values[rows // 2 * rows :][:rows]
    return sum(ramp[rows // 4 : 3 * rows // 4]) / len(ramp[rows // 4 : 3 * rows // 4])


def wale_pressure(program, folder, cfl):
    table = folder / "surface.csv"
    table.unlink(missing_ok=True)
    wale(program, folder, cfl, surface=f'[output]\nsurface_table = "{table}"\n')
    with open(table) as file:
        rows = list(csv.DictReader(file))
    middle = [float(r["pressure_coefficient"]) for r in rows
              if r["patch"] == "wall" and 0.25 < float(r["x"]) < 0.75]  # fmt: skip
    return 1 + 0.5 * 1.4 * 4 * sum(middle) / len(middle)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wale")
    parser.add_argument("--cells", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=Path, help="CSV file instead of bench/results/<machine>/euler_openfoam.csv")
    options = parser.parse_args()
    if not shutil.which("rhoCentralFoam"):
        sys.exit("euler_openfoam: no rhoCentralFoam, expected OpenFOAM (Debian: openfoam)")
    os.environ.setdefault("WM_PROJECT_DIR", "/usr/share/openfoam")
    cfl = 1.0
    with tempfile.TemporaryDirectory() as at:
        folder = Path(at)
        cells = make_case(folder, options.cells)
        foam(folder, keep=True)
        pressures = {"rhoCentralFoam": foam_pressure(folder), "wale": wale_pressure(options.wale, folder, cfl)}
        for who, pressure in pressures.items():
            if abs(pressure / 1.7066 - 1) > 0.01:
                sys.exit(f"euler_openfoam: {who} has pressure {pressure} behind the shock, expected 1.7066")
        idle = {"rhoCentralFoam": foam(folder, end=1e-12)[0], "wale": wale(options.wale, folder, cfl, iterations=0)[0]}
        taken, steps = {}, {}
        for _ in range(options.rounds):
            for who in idle:
                seconds, out = foam(folder) if who == "rhoCentralFoam" else wale(options.wale, folder, cfl)
                taken[who] = min(seconds - idle[who], taken.get(who, 1e9))
                found = json.loads(out)["iterations"] if who == "wale" else out.count("Mean and max Courant")
                steps[who] = found
    rows = [{"who": who, "cells": cells, "steps": steps[who], "seconds": round(taken[who], 3),
             "pressure": round(pressures[who], 5), "ratio": round(taken["rhoCentralFoam"] / taken[who], 2)}
            for who in taken]  # fmt: skip
    for row in rows:
        print(row)
    print(machine.append("euler_openfoam", rows, options.output))


if __name__ == "__main__":
    main()
