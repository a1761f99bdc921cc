#!/usr/bin/env python3
"""Wale beside its peers, rapidfuzz and edlib: one process, one run, the same inputs, answers compared.

Prints a table and appends to bench/results/<machine>/wavefront_peers.csv. Medians of interleaved repeats:
Wale, peer, Wale, peer, so that a machine that slows down slows both. With one thread each the time is that of the
processor, with more it is that of the clock. rapidfuzz takes a batch by its own interface for batches, cpdist, with
as many threads as Wale; a single pair has one thread there, and edlib always has, so it is left out where Wale has
more. A row whose answers differ is not printed. Rates are m * n over time; on mutated pairs banded methods (cpu/band,
edlib) compute fewer cells than that.
"""

import argparse
import random
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, List

import edlib
import machine
import wale
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cdist, cpdist


@dataclass
class Case:
    operation: str  # of the variant table, and the kind of input
    size: str
    cells: float
    ours: Callable[[int], Any]  # takes the number of threads
    peer: str
    theirs: Callable[[int], Any]  # likewise
    most_threads: int = 1  # of the peer


def dna(size, draw):
    return "".join(draw.choices("ACGT", k=size))


def mutated(text, draw, share=0.1):
    """A copy with `share` of its letters replaced, left out or followed by another, in equal parts."""
    out = []
    for letter in text:
        if draw.random() >= share:
            out.append(letter)
            continue
        out.append(draw.choice(["", draw.choice("ACGT"), letter + draw.choice("ACGT")]))
    return "".join(out)


def edlib_distance(a, b):
    return edlib.align(a, b, mode="NW", task="distance")["editDistance"]


def single_pairs(sizes, draw):
    for n in sizes:
        a, protein = dna(n, draw), "".join(draw.choices("ACDEFGHIKLMNPQRSTVWY", k=n))
        pairs = {"random": (a, dna(n, draw)), "mutated": (a, mutated(a, draw))}
        pairs["protein"] = (protein, "".join(draw.choices("ACDEFGHIKLMNPQRSTVWY", k=n)))
        for percent in (1, 5, 20):
            pairs[f"{percent}%"] = (a, mutated(a, draw, percent / 100))
        for kind, (x, y) in pairs.items():
            cells = float(len(x)) * len(y)

            def lcs(threads, x=x, y=y):
                return wale.lcs_length(x, y, where=wale.cpu(threads))

            def edit(threads, x=x, y=y):
                return wale.edit_distance(x, y, where=wale.cpu(threads))

            def peer(function, x=x, y=y):
                return lambda threads: function(x, y)

            if "%" not in kind:
                yield Case(f"lcs_length/{kind}", str(n), cells, lcs, "rapidfuzz", peer(LCSseq.similarity))
            yield Case(f"edit_distance/{kind}", str(n), cells, edit, "edlib", peer(edlib_distance))
            yield Case(f"edit_distance/{kind}", str(n), cells, edit, "rapidfuzz", peer(Levenshtein.distance))


def batches(shapes, draw):
    """`count` pairs. edlib has no interface for batches: it is called pair by pair, as its users do."""
    for count, n in shapes:
        a = [dna(n, draw) for _ in range(count)]
        b = [mutated(x, draw) for x in a]
        cells = float(sum(len(x) * len(y) for x, y in zip(a, b)))
        size = f"{count}x{n}"

        def lcs(threads, a=a, b=b):
            return wale.lcs_lengths(a, b, where=wale.cpu(threads)).tolist()

        def edit(threads, a=a, b=b):
            return wale.edit_distances(a, b, where=wale.cpu(threads)).tolist()

        def all_of(scorer, a=a, b=b):
            return lambda threads: cpdist(a, b, scorer=scorer, workers=threads, dtype="int32").tolist()

        def each(threads, a=a, b=b):
            return [edlib_distance(x, y) for x, y in zip(a, b)]

        yield Case("lcs_batch", size, cells, lcs, "rapidfuzz", all_of(LCSseq.similarity), 1 << 20)
        yield Case("edit_batch", size, cells, edit, "rapidfuzz", all_of(Levenshtein.distance), 1 << 20)
        yield Case("edit_batch", size, cells, edit, "edlib", each)


def searches(shapes, draw):
    """Reads with 3% errors in a text, on the strand they come from. edlib takes them one by one, as its users do."""
    for count, n, size in shapes:
        text = dna(size, draw)
        starts = [draw.randrange(size - 2 * n) for _ in range(count)]
        reads = [mutated(text[at : at + n], draw, 0.03) for at in starts]
        packed_reads, packed_text = [r.encode() for r in reads], text.encode()

        def ours(threads, reads=packed_reads, text=packed_text):
            found = wale.locate(reads, text, where=wale.cpu(threads))
            return [(m.distance, [(begin, end - 1) for begin, end, _ in m.locations]) for m in found]

        def theirs(threads, reads=packed_reads, text=packed_text):
            found = [edlib.align(r, text, mode="HW", task="path") for r in reads]
            return [(m["editDistance"], m["locations"]) for m in found]

        cells = float(sum(map(len, reads))) * size
        yield Case("infix/3%", f"{count}x{n} in {size}", cells, ours, "edlib", theirs)


def crosses(draw):
    """Each of many strings against each, from Python lists."""
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(4, 16))) for _ in range(3000)]
    kinds = {"words of 4 to 16": (words, words[:1000])}
    for count, n in ((1000, 100), (100, 1000)):
        kinds[f"{count} of {n}"] = ([dna(n, draw) for _ in range(count)], [dna(n, draw) for _ in range(count)])
    for size, (a, b) in kinds.items():
        cells = float(sum(map(len, a))) * sum(map(len, b))
        for operation, metric, scorer in (
            ("edit_cross", "edit_distance", Levenshtein.distance),
            ("lcs_cross", "lcs", LCSseq.similarity),
        ):

            def ours(threads, a=a, b=b, metric=metric):
                return wale.cdist(a, b, metric=metric, where=wale.cpu(threads)).tobytes()

            def theirs(threads, a=a, b=b, scorer=scorer):
                return cdist(a, b, scorer=scorer, workers=threads, dtype="int32").tobytes()

            yield Case(operation, size, cells, ours, "rapidfuzz", theirs, 1 << 20)


def timed(call, threads):
    clock = time.process_time if threads == 1 else time.perf_counter
    start = clock()
    answer = call(threads)
    return clock() - start, answer


def measure(case, threads, repeats):
    """Both medians [s], and whether every answer was the same."""
    ours: List[float] = []
    theirs: List[float] = []
    case.ours(threads), case.theirs(threads)  # to warm up
    same = True
    for _ in range(repeats):
        seconds, answer = timed(case.ours, threads)
        peer_seconds, peer_answer = timed(case.theirs, threads)
        ours.append(seconds)
        theirs.append(peer_seconds)
        same = same and answer == peer_answer
    return statistics.median(ours), statistics.median(theirs), same


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="10000,100000", help="symbols a side of single pairs")
    parser.add_argument("--batches", default="10000x100,1000x1000", help="COUNTxLENGTH of batches")
    parser.add_argument("--searches", default="1x150x5000000,64x150x5000000", help="READSxLENGTHxTEXT")
    parser.add_argument(
        "--threads", default="1,2", help="CPU threads of both, a list with commas"
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="", help="operations whose names contain this")
    parser.add_argument(
        "--out", type=Path, help="CSV file instead of bench/results/<machine>/wavefront_peers.csv"
    )
    options = parser.parse_args()

    draw = random.Random(20)
    sizes = [int(n) for n in options.sizes.split(",") if n]
    shapes = [tuple(int(n) for n in s.split("x")) for s in options.batches.split(",") if s]
    rows, wrong = [], 0
    print(
        f"{'operation':24} {'size':>10} {'variant':22} {'thr':>3} {'GCUPS':>9}"
        f" {'peer':>10} {'GCUPS':>9} {'ratio':>7}"
    )
    texts = [tuple(int(n) for n in s.split("x")) for s in options.searches.split(",") if s]
    for case in [*single_pairs(sizes, draw), *batches(shapes, draw), *searches(texts, draw), *crosses(draw)]:
        if options.only not in case.operation:
            continue
        for threads in (int(t) for t in options.threads.split(",")):
            if threads > case.most_threads:
                continue
            ours, theirs, same = measure(case, threads, options.repeats)
            if not same:
                wrong += 1
                print(f"{case.operation} {case.size}: Wale and {case.peer} differ", file=sys.stderr)
                continue
            report = wale.last_report()
            rate = case.cells / ours / 1e9
            print(
                f"{case.operation:24} {case.size:>10} {report.variant:22} {threads:3} {rate:9.2f}"
                f" {case.peer:>10} {case.cells / theirs / 1e9:9.2f} {theirs / ours:6.2f}x",
                flush=True,
            )
            row = {"operation": case.operation, "size": case.size, "variant": report.variant}
            row.update(threads=threads, median_s=f"{ours:.6g}", rate_gcups=f"{rate:.4g}", peer=case.peer)
            row.update(peer_median_s=f"{theirs:.6g}", ratio=f"{theirs / ours:.3g}")
            rows.append(row)
    path = machine.append("wavefront_peers", rows, options.out) if rows else "nothing to write"
    print("GCUPS: m * n over time; on mutated pairs cpu/band and edlib compute fewer cells than that")
    print(f"{len(rows)} rows, {wrong} with wrong answers; {path}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
