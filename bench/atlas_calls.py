"""Random calls of the Python package beside the best peers on the same processor (call_cells.py, call_systems.py), and the
worst ones of each family.

A cell depends on its family, the seed and its number alone. Each answer is compared with the first peer's. With one thread
times are processor time, with several of the clock; the least of alternating turns; short calls are repeated. A cell
below 1.1 is timed three times as long. The ratio is the fastest peer's time over ours.
"""

import os
import statistics
import sys
import time
import warnings
import zlib

import call_cells
import call_systems
import machine
import numpy as np

FAMILIES = {**call_cells.SEQUENCES, **call_systems.SYSTEMS, **call_systems.IMAGES}


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
    """A row of the CSV; None where nothing could be compared."""
    draw = np.random.default_rng([asked.seed, zlib.crc32(family.encode()), number])
    cell = FAMILIES[family](draw, asked.threads)
    if not cell.peers:
        return None
    first = next(iter(cell.peers.values()))
    row = {"family": family, "cell": number, "threads": asked.threads, "traits": cell.traits, "seconds": "", "peer": "",
           "peer_seconds": "", "ratio": "", "same": ""}  # fmt: skip
    try:
        theirs = first()
    except Exception as refusal:  # the peer's own limits
        print(f"{family} {number}: the peer refused: {refusal}", file=sys.stderr)
        return None
    row["same"] = bool(cell.same(cell.ours(), theirs))
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
    return {**row, "seconds": f"{best[0]:.4g}", "peer": names[at], "peer_seconds": f"{best[1 + at]:.4g}",
            "ratio": f"{best[1 + at] / best[0]:.3f}"}  # fmt: skip


def run(asked):
    """What `atlas.py calls` does."""
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
        if found and asked.out != "-":  # of each family, as a later one may take long
            machine.append("atlas_calls", found, asked.out and machine.Path(asked.out))
        ratios = sorted(float(row["ratio"]) for row in found)
        if not ratios:
            continue
        wrong = [row["cell"] for row in found if not row["same"]]
        print(f"{family}: {len(ratios)} cells, ratio {ratios[0]:.2f} worst, {ratios[len(ratios) // 20]:.2f} of 95%, "
              f"{statistics.median(ratios):.2f} median, {sum(r < 1 for r in ratios)} below 1"
              + (f"; DIFFER: {wrong}" if wrong else ""), flush=True)  # fmt: skip
        for row in sorted(found, key=lambda row: float(row["ratio"]))[: asked.worst]:
            if float(row["ratio"]) < 1.1:
                print(f"  {row['ratio']} #{row['cell']} {float(row['seconds']) * 1e6:.2f} us, {row['peer']} "
                      f"{float(row['peer_seconds']) * 1e6:.2f}: {row['traits']}")  # fmt: skip
    ratios = sorted(float(row["ratio"]) for row in rows)
    if not ratios:
        sys.exit("no cell was drawn in this time")
    print(f"all: {len(ratios)} cells, {ratios[0]:.2f} worst, {ratios[len(ratios) // 20]:.2f} of 95%, "
          f"{sum(r < 1 for r in ratios)} below 1, {sum(r < 0.8 for r in ratios)} below 0.8, "
          f"{time.perf_counter() - began:.0f} s")  # fmt: skip

