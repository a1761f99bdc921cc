#!/usr/bin/env python3
"""Random calls of the Python package beside the best peers on the same processor (call_cells.py, call_systems.py,
call_images.py), and the worst ones of each family. `wale study SOLVER --atlas` draws cells of a solver's own rows.

usage: atlas.py calls [--family NAME]... [--cells N] [--seed N] [--first K] [--seconds S] [--threads N]
                      [--smallest S] [--largest S] [--worst N] [--out CSV]

A cell depends on its family, the seed and its number alone, so that the CSV holds a family in one line: how its ratios are
spread, and its worst cell. Each answer is compared with the first peer's. With one thread
times are processor time, with several of the clock; the least of alternating turns; short calls are repeated. A cell
below 1.1 is timed three times as long. The ratio is the fastest peer's time over ours.
"""

import argparse
import os
import statistics
import sys
import time
import warnings
import zlib

import call_cells
import call_images
import call_systems
import machine
import numpy as np

FAMILIES = {**call_cells.SEQUENCES, **call_systems.SYSTEMS, **call_images.IMAGES}


def with_threads(threads):
    """Starts this program again where the libraries, which read the environment as they are loaded, have other numbers."""
    wanted = dict.fromkeys(("WALE_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), str(threads))
    if any(os.environ.get(name) != value for name, value in wanted.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **wanted})


def timed(clock, call, repeats):
    start = clock()
    for _ in range(repeats):
        call()
    return (clock() - start) / repeats


def least(clock, calls, rounds, largest):
    """The least time of each call, in turn; None where one takes longer than `largest`."""
    repeats = []
    for call in calls:
        once = max(timed(clock, call, 1), 1e-7)
        if once > largest:
            return None
        once = min(once, max(timed(clock, call, 2), 1e-7))
        repeats.append(max(1, int(2e-4 / once)))
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for at, (call, count) in enumerate(zip(calls, repeats)):
            best[at] = min(best[at], timed(clock, call, count))
    return best


def measured(asked, family, number):
    """A cell's times; None where nothing could be compared."""
    draw = np.random.default_rng([asked.seed, zlib.crc32(family.encode()), number])
    cell = FAMILIES[family](draw, asked.threads)
    if not cell.peers:
        return None
    first = next(iter(cell.peers.values()))
    try:
        theirs = first()
    except Exception as refusal:  # the peer's own limits
        print(f"{family} {number}: the peer refused: {refusal}", file=sys.stderr)
        return None
    same = bool(cell.same(cell.ours(), theirs))
    names, calls = list(cell.peers), [cell.ours, *cell.peers.values()]
    if asked.smallest and min(timed(time.perf_counter, call, 1) for call in calls) < asked.smallest:
        return None
    clock = time.process_time if asked.threads == 1 else time.perf_counter
    best = least(clock, calls, 5, asked.largest)
    if best is None:
        return None
    if min(best[1:]) / best[0] < 1.1:
        best = [min(pair) for pair in zip(best, least(clock, calls, 15, asked.largest) or best)]
    at = int(np.argmin(best[1:]))
    return {"cell": number, "traits": cell.traits, "seconds": best[0], "peer": names[at], "peer_seconds": best[1 + at],
            "ratio": best[1 + at] / best[0], "same": same}  # fmt: skip


def spread(found):
    """How the ratios of cells are spread: those of the worst cell, of 95 % and of the median, and how many are below 1."""
    ratios = sorted(row["ratio"] for row in found)
    return {"cells": len(ratios), "worst": f"{ratios[0]:.3f}", "of_95_percent": f"{ratios[len(ratios) // 20]:.3f}",
            "median": f"{statistics.median(ratios):.3f}", "below_1": sum(r < 1 for r in ratios),
            "below_0.8": sum(r < 0.8 for r in ratios)}  # fmt: skip


def line_of(family, threads, found):
    """The CSV's line of a family."""
    worst = min(found, key=lambda row: row["ratio"])
    return {"family": family, "threads": threads, **spread(found), "differ": sum(not row["same"] for row in found),
            "worst_cell": worst["cell"], "traits": worst["traits"], "seconds": f"{worst['seconds']:.4g}",
            "peer": worst["peer"], "peer_seconds": f"{worst['peer_seconds']:.4g}"}  # fmt: skip


def shown(found):
    return ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in spread(found).items())


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["calls"])
    parser.add_argument("--family", action="append", choices=FAMILIES, help="all by default")
    parser.add_argument("--cells", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of each family's first cell")
    parser.add_argument("--seconds", type=float, default=0, help="of each family")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--smallest", type=float, default=0, help="no cells that take less once")
    parser.add_argument("--largest", type=float, default=0.05)
    parser.add_argument("--worst", type=int, default=8, help="lines shown of each family")
    parser.add_argument("--out")
    return parser.parse_args()


def main():
    asked = arguments()
    with_threads(asked.threads)
    warnings.simplefilter("ignore")
    rows, began = [], time.perf_counter()
    for family in asked.family or FAMILIES:
        found, start = [], time.perf_counter()
        for number in range(asked.first, asked.first + asked.cells):
            if asked.seconds and time.perf_counter() - start > asked.seconds:
                break
            try:
                found.append(measured(asked, family, number))
            except Exception as trouble:
                print(f"{family} {number}: {type(trouble).__name__}: {trouble}", file=sys.stderr)
        found = [row for row in found if row]
        rows += found
        if not found:
            continue
        if asked.out != "-":  # of each family, as a later one may take long
            machine.append("atlas_calls", [line_of(family, asked.threads, found)], asked.out and machine.Path(asked.out))
        wrong = [row["cell"] for row in found if not row["same"]]
        print(f"{family}: {shown(found)}" + (f"; DIFFER: {wrong}" if wrong else ""), flush=True)
        for row in sorted(found, key=lambda row: row["ratio"])[: asked.worst]:
            if row["ratio"] < 1.1:
                print(f"  {row['ratio']:.3f} #{row['cell']} {row['seconds'] * 1e6:.2f} us, {row['peer']} "
                      f"{row['peer_seconds'] * 1e6:.2f}: {row['traits']}")  # fmt: skip
    if not rows:
        sys.exit("no cell was drawn in this time")
    print(f"all: {shown(rows)}, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
