#!/usr/bin/env python3
"""Finds the best row of a tuning table on this machine, and the best tile of a variant that takes tiles.

    bench/tune.py wavefront/fill/strips --operation fill --variant cuda/strips --sizes 16384,65536
    bench/tune.py --tiles 64x64,128x128,128x32 --variant cuda/hyperlane --sizes 16384

Rows are forced through WALE_TUNING and measured by `wale study`, which verifies each. The ranking is printed
with the line to put into the table as evidence; the measurements go to
bench/results/<machine>/wavefront_tuning.csv. Tiles are measured through the Python package and compared with
the reference.
"""

import argparse
import csv
import datetime
import json
import math
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

import machine

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = ["commit", "date", "machine", "table", "row", "operation", "size", "variant", "policy"]
COLUMNS += ["median_s", "rate_gcups"]
BEYOND = 1_000_000  # no table has so many rows: the refusal names the range


def study(options, row):
    """Rows of `wale study` with this row of the table forced, and everything that it says besides."""
    command = [options.wale, "study", "wavefront", "--json", "--operation", options.operation]
    command += ["--sizes", options.sizes, "--variant", options.variant, "--repeats", str(options.repeats)]
    command += ["--backend", "cuda" if options.variant.startswith("cuda/") else "cpu"]
    environment = {**os.environ, "WALE_TUNING": f"{options.table}={row}"}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=options.seconds)
    if ran.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: {ran.stderr.strip()}")
    answer = json.loads(ran.stdout)
    # --variant takes every name that contains it; one table belongs to one variant.
    rows = [r for r in answer["rows"] if r["variant"] == options.variant]
    return rows, answer["skipped"] + answer["failed"]


def count_rows(options):
    """How many rows the table has, from the refusal of a row that it cannot have."""
    name = re.escape(options.table)
    said = " ".join(study(options, BEYOND)[1])
    found = re.search(rf"{name}={BEYOND}', expected {name}=0\.\.(\d+)", said)
    if not found:
        sys.exit(f"{options.variant} does not ask for a tuning table '{options.table}' ({said or 'it ran'})")
    return int(found[1]) + 1


def sweep_rows(options):
    for row in range(count_rows(options)):
        rows, said = study(options, row)
        for text in said:
            print(f"row {row}: {text}", file=sys.stderr)
        for r in rows:
            yield {"table": options.table, "row": row, "operation": options.operation, **r}


def sweep_tiles(options):
    import numpy as np
    import wale

    for size in (int(n) for n in options.sizes.split(",")):
        draw = np.random.default_rng(size)
        a, b = draw.integers(0, 4, (2, size), np.uint8)
        truth = wale.wavefront_fill(a, b, backend="reference")
        device = options.variant.startswith("cuda/")
        x, y = (wale.to_device(a), wale.to_device(b)) if device else (a, b)
        for tile in options.tiles.split(","):
            shape = tuple(int(n) for n in tile.split("x"))
            try:
                seconds = []
                for _ in range(options.repeats + 1):
                    table = wale.wavefront_fill(x, y, tile=shape, variant=options.variant)
                    seconds.append(wale.last_report().compute_seconds)
            except wale.Error as refusal:
                print(f"tile {tile}: {refusal}", file=sys.stderr)
                continue
            if not np.array_equal(wale.to_host(table), truth):
                print(f"tile {tile}: wrong table", file=sys.stderr)
                continue
            median = statistics.median(seconds[1:])  # the first run warms up
            row = {"table": "tile", "row": tile, "operation": "fill", "variant": options.variant}
            row.update(size=size, policy=wale.last_report().policy)
            yield {**row, "seconds": median, "rate": size * size / median}


def append(path, measured):
    """Writes the measurements; returns the line number of the first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = len(path.read_text().splitlines()) if path.exists() else 0
    constant = {"commit": machine.commit(), "date": datetime.date.today().isoformat()}
    constant["machine"] = path.parent.name
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        if lines == 0:
            writer.writeheader()
            lines = 1
        for m in measured:
            figures = {"median_s": f"{m['seconds']:.6g}", "rate_gcups": f"{m['rate'] / 1e9:.5g}"}
            writer.writerow({**constant, **m, **figures})
    return lines + 1


def rank(measured):
    """Rows by the geometric mean of their rates over all sizes; those that lack a size come last."""
    rates = {}
    for m in measured:
        rates.setdefault(m["row"], []).append(m["rate"])
    full = max(len(r) for r in rates.values())
    mean = {row: math.exp(sum(map(math.log, r)) / len(r)) for row, r in rates.items()}
    return sorted(mean, key=lambda row: (len(rates[row]) < full, -mean[row])), mean


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("table", nargs="?", help="the table's name, as in WALE_TUNING")
    parser.add_argument("--tiles", help="ROWSxCOLUMNS,... instead of a table")
    parser.add_argument("--variant", required=True)
    parser.add_argument("--operation", default="fill")
    parser.add_argument("--sizes", default="4096,16384")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=300, help="limit for one row")
    parser.add_argument("--wale", default=str(ROOT / "build/dev/bin/wale"), help="the command line program")
    parser.add_argument(
        "--out", type=Path, help="CSV file instead of bench/results/<machine>/wavefront_tuning.csv"
    )
    options = parser.parse_args()
    if bool(options.table) == bool(options.tiles):
        parser.error("give a table or --tiles")

    measured = list(sweep_tiles(options) if options.tiles else sweep_rows(options))
    if not measured:
        sys.exit("nothing could be measured")
    name = machine.name(prefer_gpu=options.variant.startswith("cuda/"))
    path = options.out or ROOT / "bench/results" / name / "wavefront_tuning.csv"
    first = append(path, measured)
    order, mean = rank(measured)
    print(f"{'rank':>4} {'row':>9} {'Gcell/s':>10}  {'of best':>7}  policy")
    for place, row in enumerate(order, 1):
        policy = next(m["policy"] for m in measured if m["row"] == row)
        print(f"{place:4} {row!s:>9} {mean[row] / 1e9:10.3f}  {mean[row] / mean[order[0]]:7.1%}  {policy}")
    line = first + next(i for i, m in enumerate(measured) if m["row"] == order[0])
    shown = path.resolve()
    shown = shown.relative_to(ROOT) if shown.is_relative_to(ROOT) else shown
    print(f'put row {order[0]} first, with the evidence "{shown}:{line}"')
    return 0


if __name__ == "__main__":
    sys.exit(main())
