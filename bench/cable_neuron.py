#!/usr/bin/env python3
"""Cables beside NEURON and CoreNEURON: the same form, the same compartments, the same step, one thread each; traces
compared, then all timed in processor time, the least of five rounds in turn: others may use the machine. Wale's and
CoreNEURON's is that of a run less that of a run of no steps.

Run with a Python that has NEURON (PyPI: neuron, with CoreNEURON); without it this says so and leaves.
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

import machine

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


CELLS = []  # NEURON deletes an object with its last name


def prepare(h, facts, membrane, cells, table):
    CELLS.clear()
    places = [build(h, facts, membrane)[1] for _ in range(cells)]
    h.dt, h.celsius, h.secondorder = 0.025, 6.3, 0
    h.CVode().cache_efficient(1)
    pc = h.ParallelContext()
    pc.gid_clear()
    for gid, (made, _) in enumerate(CELLS):  # CoreNEURON takes cells by their numbers
        pc.set_gid2node(gid, pc.id())
        pc.cell(gid, h.NetCon(made[0](0.5)._ref_v, None, sec=made[0]))
    if membrane == "hh":
        h("usetable_hh = %d" % table)
    return places


def trace(h, facts, membrane, tstop, core=False, table=0):
    from neuron import coreneuron

    place = prepare(h, facts, membrane, 1, table)[0]
    v = h.Vector().record(place._ref_v)
    pc = h.ParallelContext()
    pc.set_maxstep(10)
    h.finitialize(-65)
    coreneuron.enable, coreneuron.verbose = core, 0
    pc.psolve(tstop)
    coreneuron.enable = False
    return list(v)[1:]


def neuron_seconds(h, tstop, core):
    """Processor time of a run; of CoreNEURON without that of handing the model over, which a run of no steps takes."""
    from neuron import coreneuron

    coreneuron.enable, coreneuron.verbose = core, 0
    pc, spent = h.ParallelContext(), []
    pc.set_maxstep(10)
    for stop in (h.dt, tstop) if core else (tstop,):
        h.finitialize(-65)
        begin = time.process_time()
        pc.psolve(stop)
        spent.append(time.process_time() - begin)
    coreneuron.enable = False
    return spent[-1] - (spent[0] if core else 0)


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
    parser.add_argument("--output", type=Path, help="CSV file instead of bench/results/<machine>/cable_neuron.csv")
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
    print(machine.append("cable_neuron", rows, said.output))
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
        # The runs that are timed take rates from tables, as NEURON does by itself; CoreNEURON knows no other way.
        tabled, core = (trace(h, facts, membrane, said.tstop, core, table=1) for core in (False, True))
        core_difference = max(abs(a - b) for a, b in zip(tabled, core, strict=True))
        print(f"{membrane}: NEURON and CoreNEURON with tables differ by at most {core_difference:.2e} mV")
        if core_difference > 0.05:
            sys.exit("cable_neuron: CoreNEURON computes something else")
        print(f"{membrane}: {facts['compartments']} compartments, {len(ours)} and {len(theirs)} samples, "
              f"peaks {max(ours):.3f} and {max(theirs):.3f} mV, traces differ by at most {difference:.2e} mV")  # fmt: skip
        for cells in (1, 16, 20, 64):
            prepare(h, facts, membrane, cells, 1)
            tstop = said.milliseconds / cells
            mine, theirs, core = [], [], []
            for _ in range(5):
                spent, reported = wale_seconds(said.wale, swc, membrane, cells, tstop)
                mine.append(spent)
                theirs.append(neuron_seconds(h, tstop, False))
                core.append(neuron_seconds(h, tstop, True))
            wale, neuron, core = (1e9 * min(times) / reported["work"] for times in (mine, theirs, core))
            print(f"  {cells:2} cells: Wale {wale:6.2f}, NEURON {neuron:7.2f}, CoreNEURON {core:7.2f} ns a compartment and "
                  f"step ({reported['variant']}, {reported['device']})")  # fmt: skip
            rows.append({"membrane": membrane, "cells": cells, "compartments": facts["compartments"],
                         "steps": reported["steps"], "variant": reported["variant"], "wale_ns": round(wale, 3),
                         "neuron_ns": round(neuron, 3), "ratio": round(neuron / wale, 2),
                         "coreneuron_ns": round(core, 3), "coreneuron_ratio": round(core / wale, 2),
                         "trace_difference_mV": difference})  # fmt: skip
    return rows


if __name__ == "__main__":
    sys.exit(main())
