#!/usr/bin/env python3
"""The atlas beside peers: draws cells as `wale study SOLVER --atlas` does, then runs the best peer from PyPI on problems of
the same shape, type and kind, in turn with Wale from Python, and writes CSV with provenance and maps.

Peers: NumPy and SciPy (OpenBLAS) for lu and tridiagonal systems, rapidfuzz and edlib for sequences, scikit-image for
images. A cell without one has no ratio. The peer's inputs are made anew: of the same sizes, not the same bits.
A run writes the file of its solver: atlas_euler.csv, atlas_lu.csv, atlas_reconstruction.csv, atlas_tree.csv or
atlas_wavefront.csv.

`atlas.py calls` draws whole calls of the package instead (atlas_calls.py) and writes atlas_calls.csv.

usage: atlas.py calls [--family NAME]... [--cells N] [--seed N] [--first K] [--seconds S] [--threads N]
                      [--smallest S] [--largest S] [--out CSV]
       atlas.py SOLVER [--cells N] [--seed N] [--seconds S] [--largest S] [--threads N] [--out CSV] [--map PNG] [--no-peers]
"""

import argparse
import statistics
import sys
import time

import machine
import numpy as np

import wale

ROUNDS = 5


def in_turn(*calls):
    """The lower quartile of each call's times, called one after the other in every round, after a round to warm up."""
    times = [[] for _ in calls]
    for turn in range(ROUNDS + 1):
        for call, seen in zip(calls, times):
            start = time.perf_counter()
            call()
            if turn > 0:
                seen.append(time.perf_counter() - start)
    return [statistics.quantiles(seen, n=4)[0] for seen in times]


def lu(cell, draw, threads):
    """NumPy's solve and inv of one matrix or a batch, SciPy's lu_factor of one matrix."""
    import scipy.linalg

    rows, columns, count = int(cell["rows"]), int(cell["columns"]), int(cell["count"])
    a = draw.uniform(-1, 1, (count, rows, columns)).astype(cell["type"])
    a = a[0] if count == 1 else a
    if cell["operation"] == "solve" and cell["transposed"] == "no":
        b = draw.uniform(-1, 1, (*a.shape[:-1], int(cell["right_sides"]))).astype(cell["type"])
        return "numpy.linalg.solve", lambda: wale.solve(a, b, threads=threads), lambda: np.linalg.solve(a, b)
    if cell["operation"] == "inverse":
        return "numpy.linalg.inv", lambda: wale.inv(a, threads=threads), lambda: np.linalg.inv(a)
    if cell["operation"] == "factor" and count == 1 and cell["pivoting"] == "partial":
        return "scipy.linalg.lu_factor", lambda: wale.lu_factor(a, threads=threads), lambda: scipy.linalg.lu_factor(a)
    return None


def tree(cell, draw, threads):
    """LAPACK's gtsv through SciPy, of one system."""
    import scipy.linalg.lapack

    wanted = cell["operation"] == "tridiagonal" and cell["periodic"] == "no" and cell["transposed"] == "no"
    n = int(cell["rows"])
    if not wanted or cell["layout"] != "flat" or int(cell["count"]) != 1 or n < 2:
        return None
    lower, diagonal, upper, right = draw.uniform(-1, 1, (4, n)).astype(cell["type"])
    diagonal += 4
    gtsv = scipy.linalg.lapack.dgtsv if cell["type"] == "float64" else scipy.linalg.lapack.sgtsv
    short_lower, short_upper = lower[1:].copy(), upper[:-1].copy()
    return (
        "scipy gtsv",
        lambda: wale.solve_tridiagonal(short_lower, diagonal, short_upper, right, threads=threads),
        lambda: gtsv(short_lower, diagonal, short_upper, right),
    )


def wavefront(cell, draw, threads):
    """rapidfuzz for lengths of pairs in bytes; edit distances of alphabets that edlib takes by the faster of both."""
    import rapidfuzz.distance

    if cell["operation"] not in ("lcs_length", "edit_distance") or cell["symbol_bytes"] != "1":
        return None
    if cell.get("bound", "-1") != "-1":
        return None
    letters = int(cell["alphabet"])
    a = draw.integers(1, 1 + letters, int(cell["rows"]), np.uint8).tobytes()
    b = draw.integers(1, 1 + letters, int(cell["columns"]), np.uint8).tobytes()
    one_in = int(cell["differs_one_in"])
    if one_in:
        changed = np.frombuffer(a, np.uint8).copy()
        at = draw.random(changed.size) < 1 / one_in
        changed[at] = draw.integers(1, 1 + letters, int(at.sum()), np.uint8)
        b = changed.tobytes()
    if cell["operation"] == "lcs_length":
        peer = rapidfuzz.distance.LCSseq.similarity
        return "rapidfuzz", lambda: wale.lcs_length(a, b, threads=threads), lambda: peer(a, b)
    peer = rapidfuzz.distance.Levenshtein.distance
    return "rapidfuzz", lambda: wale.edit_distance(a, b, threads=threads), lambda: peer(a, b)


def reconstruction(cell, draw, threads):
    """scikit-image's reconstruction of one image, of domes and of holes."""
    import skimage.morphology

    if cell["operation"] != "h_domes" or cell["images"] != "1" or cell["type"] in ("bit", "bool"):
        return None
    shape = (int(cell["rows"]), int(cell["columns"]))
    shape = shape if cell["rank"] == "2" else (int(cell["planes"]), *shape)
    image = draw.integers(0, 256, shape).astype(cell["type"])
    height = int(cell["height"])
    seed = np.maximum(image.astype(np.int64) - height, 0).astype(cell["type"])
    footprint = np.ones((3,) * image.ndim, np.uint8)
    return (
        "skimage reconstruction",
        lambda: wale.reconstruction(seed, image, footprint=footprint, threads=threads),
        lambda: skimage.morphology.reconstruction(seed, image, footprint=footprint),
    )


PEERS = {"lu": lu, "tree": tree, "wavefront": wavefront, "reconstruction": reconstruction}


def peer_of(solver, cell, number):
    """Name, Wale's time and the peer's from Python; None where no peer does this cell."""
    if solver not in PEERS:
        return None
    threads = int(cell["threads"])
    found = PEERS[solver](cell, np.random.default_rng(number), threads)
    if found is None:
        return None
    name, ours, theirs = found
    return name, *in_turn(ours, theirs)


def rows_of(solver, cell, peers):
    """Lines of the CSV for one cell: of automatic, with the peer's ratio, and of every variant."""
    traits = dict(word.split("=") for word in cell.traits.split())
    same = {"solver": solver, "cell": cell.number, "case": cell.operation, "backend": cell.backend,
            "threads": cell.threads, "traits": cell.traits, "work": f"{cell.work:.6g}"}  # fmt: skip
    peer = None
    if peers and cell.backend == "cpu":
        peer = peer_of(solver, {**traits, "operation": cell.operation, "threads": cell.threads}, cell.number)
    for one in cell.times:
        automatic = one.variant == "automatic"
        row = {**same, "variant": one.variant, "ran": cell.chosen if automatic else one.variant,
               "seconds": f"{one.seconds:.4g}", "verified": one.verified,
               "regret": f"{cell.regret:.3f}" if automatic else "",
               "peer": "", "python_seconds": "", "peer_seconds": "", "ratio": ""}  # fmt: skip
        if automatic and peer:
            name, ours, theirs = peer
            row |= {"peer": name, "python_seconds": f"{ours:.4g}", "peer_seconds": f"{theirs:.4g}",
                    "ratio": f"{theirs / ours:.3f}"}  # fmt: skip
        yield row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("solver", choices=["calls", "euler", "lu", "reconstruction", "tree", "wavefront"])
    parser.add_argument("--cells", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0, help="of calls: of each family")
    parser.add_argument("--largest", type=float, default=0.05)
    parser.add_argument("--smallest", type=float, default=0, help="of calls: no cells that take less once")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--out")
    parser.add_argument("--map")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--family", action="append", help="of calls; all by default")
    parser.add_argument("--first", type=int, default=0, help="of calls: the number of each family's first cell")
    parser.add_argument("--worst", type=int, default=8, help="of calls: lines shown of each family")
    asked = parser.parse_args()
    if asked.solver == "calls":
        import atlas_calls

        asked.threads = asked.threads or 1
        return atlas_calls.run(asked)
    found = wale.study(asked.solver, atlas=True, seed=asked.seed, cells=asked.cells, seconds=asked.seconds,
                       largest_seconds=asked.largest, threads=asked.threads, cuda=False)  # fmt: skip
    rows = [row for cell in found.cells for row in rows_of(asked.solver, cell, not asked.no_peers)]
    if found.failed or not rows:
        sys.exit("\n".join(found.failed or ["no cell was drawn in this time"]))
    out = machine.append(f"atlas_{asked.solver}", rows, asked.out and machine.Path(asked.out))
    if asked.map:
        found.plot().figure.savefig(asked.map, dpi=60)
    print(found)
    ratios = sorted(float(row["ratio"]) for row in rows if row["ratio"])
    if ratios:
        print(f"peers: {len(ratios)} cells, ratio {ratios[0]:.2f} (worst), {statistics.median(ratios):.2f} (median), "
              f"{sum(r < 1 for r in ratios)} below 1")  # fmt: skip
    print(f"written to {out}")


if __name__ == "__main__":
    main()
