#!/usr/bin/env python3
"""Cables beside NEURON 8.2: the same form, the same compartments, the same step; traces compared, then both timed
in processor time, the least of five rounds in turn: others may use the machine. Wale's is that of the program
less that of a run of no steps.

Run with a Python that has NEURON (Debian: python3-neuron, /usr/bin/python3); without it this says so and leaves.
usage: cable_neuron.py WALE [--swc FILE.swc] [--tstop MS] [--milliseconds MS] [--output CSV]
"""

import argparse
import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CURRENT = {"hh": 1.5, "passive": 0.3}  # [nA] into the soma from 5 ms on
HH_WORDS = ["hh"]
PASSIVE_WORDS = ["passive,g=0.0003,e=-65"]


def run_wale(wale, swc, membrane, cells, tstop, extra=()):
    """Summary with sections, and the table of the soma's voltage."""
    words = HH_WORDS if membrane == "hh" else PASSIVE_WORDS
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "v.csv"
        command = [wale, "tree", "cable", swc, "--json", "--sections", "-o", str(table), "--tstop", str(tstop),
                   "--cells", str(cells), "--clamp", f"5,1e9,{CURRENT[membrane]}", "--threads", "1",
                   "--backend", "cpu", *extra]  # fmt: skip
        for word in words:
            command += ["--membrane", word]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        with open(table) as file:
            rows = list(csv.reader(file))[1:]
    return json.loads(out), [[float(x) for x in row] for row in rows]


def build(h, facts, membrane):
    """One cell of NEURON from the sections that Wale made."""
    ball = facts["compartment_list"][0]["area_um2"] > 0
    made = []
    for number, s in enumerate(facts["sections"]):
        section = h.Section(name=f"s{number}_{len(CELLS)}")
        h.pt3dclear(sec=section)
        for x, y, z, r in s["points"]:
            h.pt3dadd(x, y, z, 2 * r, sec=section)
        if s["parent"] >= 0:
            section.connect(made[s["parent"]](0.5 if ball and s["parent"] == 0 else 1))
        elif number > 0:
            section.connect(made[0](0))
        section.nseg = s["count"]
        section.Ra, section.cm = 35.4, 1
        if membrane == "hh":
            section.insert("hh")
        else:
            section.insert("pas")
            for segment in section:
                segment.pas.g, segment.pas.e = 0.0003, -65
        made.append(section)
    clamp = h.IClamp(made[0](0.5 if ball else 0))
    clamp.delay, clamp.dur, clamp.amp = 5, 1e9, CURRENT[membrane]
    CELLS.append((made, clamp))
    return made, made[0](0.5 if ball else 0)


CELLS = []  # NEURON's objects live as long as their names


def prepare(h, facts, membrane, cells, table):
    CELLS.clear()
    places = [build(h, facts, membrane)[1] for _ in range(cells)]
    h.dt, h.celsius, h.secondorder = 0.025, 6.3, 0
    h.CVode().cache_efficient(1)
    if membrane == "hh":
        h("usetable_hh = %d" % table)
    return places


def trace(h, facts, membrane, tstop):
    place = prepare(h, facts, membrane, 1, 0)[0]
    v = h.Vector().record(place._ref_v)
    pc = h.ParallelContext()
    pc.set_maxstep(10)
    h.finitialize(-65)
    pc.psolve(tstop)
    return list(v)[1:]


def neuron_seconds(h, places, tstop):
    """Processor time of a run."""
    pc = h.ParallelContext()
    pc.set_maxstep(10)
    h.finitialize(-65)
    begin = time.process_time()
    pc.psolve(tstop)
    return time.process_time() - begin


def wale_seconds(wale, swc, membrane, cells, tstop):
    """Processor time of a run, and what it said."""
    spent, said = [], None
    for stop in (0, tstop):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        facts, _ = run_wale(wale, swc, membrane, cells, stop, ["--sample-every", "1000000"])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        said = facts
    return spent[1] - spent[0], said


def area_difference(h, facts):
    """The largest relative difference of a compartment's area between the two."""
    made, _ = build(h, facts, "passive")
    worst = 0
    for section, s in zip(made, facts["sections"]):
        for k, segment in enumerate(section):
            ours = facts["compartment_list"][s["first"] + k]["area_um2"]
            worst = max(worst, abs(segment.area() / ours - 1))
    CELLS.clear()
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wale")
    parser.add_argument("--swc")
    parser.add_argument("--tstop", type=float, default=50, help="of the traces [ms]")
    parser.add_argument("--milliseconds", type=float, default=2000, help="of all cells together, for timing")
    parser.add_argument("--output")
    said = parser.parse_args()
    try:
        from neuron import h
    except ImportError:
        print("cable_neuron: no NEURON in this Python (Debian: python3-neuron); nothing to compare with")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        swc = said.swc
        if swc is None:
            swc = str(Path(folder) / "grown.swc")
            subprocess.run([said.wale, "tree", "grow", "-o", swc], check=True, capture_output=True)
        rows = compare(h, said, swc)
    if said.output:
        with open(said.output, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    return 0 if all(row["trace_difference_mV"] < 0.05 for row in rows) else 1


def compare(h, said, swc):
    rows = []
    h.load_file("stdrun.hoc")
    print(f"NEURON {h.nrnversion(5)}, {swc}, {said.tstop} ms, one thread each")
    for membrane in ("passive", "hh"):
        facts, table = run_wale(said.wale, swc, membrane, 1, said.tstop)
        if membrane == "passive":
            print(f"areas differ by at most {area_difference(h, facts):.1e} of themselves")
        ours, theirs = [row[1] for row in table], trace(h, facts, membrane, said.tstop)
        difference = max(abs(a - b) for a, b in zip(ours, theirs))
        print(f"{membrane}: {facts['compartments']} compartments, {len(ours)} and {len(theirs)} samples, "
              f"peaks {max(ours):.3f} and {max(theirs):.3f} mV, traces differ by at most {difference:.2e} mV")  # fmt: skip
        for cells in (1, 16, 20, 64):
            places = prepare(h, facts, membrane, cells, 1)
            tstop = said.milliseconds / cells
            mine, theirs = [], []
            for _ in range(5):
                spent, told = wale_seconds(said.wale, swc, membrane, cells, tstop)
                mine.append(spent / told["work"])
                theirs.append(neuron_seconds(h, places, tstop) / told["work"])
            mine, neuron = min(mine) * 1e9, min(theirs) * 1e9
            print(f"  {cells:2} cells: Wale {mine:6.2f}, NEURON {neuron:7.2f} ns a compartment and step: "
                  f"{neuron / mine:.1f} times ({told['variant']}, {told['device']})")  # fmt: skip
            rows.append({"membrane": membrane, "cells": cells, "compartments": facts["compartments"],
                         "steps": told["steps"], "variant": told["variant"],
                         "wale_ns": round(mine, 3), "neuron_ns": round(neuron, 3), "ratio": round(neuron / mine, 2), "trace_difference_mV": difference})  # fmt: skip
    return rows


if __name__ == "__main__":
    sys.exit(main())
