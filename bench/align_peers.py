#!/usr/bin/env python3
"""Alignments beside parasail: 1000 protein pairs (affine local scores), one 10k x 10k DNA pair and 300 of 1000 (affine
global, with CIGAR) and a profile with 3000 proteins, one thread each, in processor time, the least of the rounds in turn: others may use the machine. Every score is
compared with parasail's; parasail is its fastest of the functions named here.

Run with a Python that has parasail (PyPI) and the package wale; without parasail this says so and leaves.
usage: align_peers.py [--rounds N] [--output CSV]
"""

import argparse
import ctypes
import random
import sys
import time
from pathlib import Path

import machine

PROTEIN = "ARNDCQEGHILKMFPSTWYV"
LOCAL = ["sw_striped_8", "sw_striped_sat", "sw_striped_16", "sw_scan_sat", "sw_scan_16"]
PROFILE = ["striped_profile_8", "striped_profile_sat", "striped_profile_16", "scan_profile_sat", "scan_profile_16"]
GLOBAL = ["nw_trace_scan_16", "nw_trace_scan_32", "nw_trace_striped_16", "nw_trace_diag_16"]


def least(rounds, calls):
    """{name: (least processor time, answer)}, every call once a round."""
    best = {}
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.process_time()
            answer = call()
            seconds = time.process_time() - start
            if name not in best or seconds < best[name][0]:
                best[name] = seconds, answer
    return best


def rate_line(operation, size, cells, best, answers_of, variant):
    wale_seconds, answer = best.pop("wale")
    # An 8-bit function that saturates has no answer: its row is left out.
    good = {name: s for name, (s, other) in best.items() if answers_of(other) == answers_of(answer)}
    peer = min(good, key=good.get)
    return {"operation": operation, "size": size, "variant": variant, "threads": 1, "seconds": f"{wale_seconds:.6g}",
            "rate_gcups": f"{cells / wale_seconds / 1e9:.4g}", "peer": f"parasail {peer}", "peer_seconds": f"{good[peer]:.6g}",
            "ratio": f"{good[peer] / wale_seconds:.3g}"}  # fmt: skip


def protein_pairs(parasail, wale, rounds):
    source = random.Random(1)
    def text():
        return "".join(source.choices(PROTEIN, k=source.randrange(100, 600)))
    pairs = [(text(), text()) for _ in range(1000)]
    queries, targets = [q for q, _ in pairs], [t for _, t in pairs]
    def score(name):
        function = getattr(parasail, name)
        return lambda: [function(q, t, 11, 1, parasail.blosum62).score for q, t in pairs]
    calls = {name: score(name) for name in LOCAL}
    calls["wale"] = lambda: wale.align_scores(
        queries, targets, "local", matrix="blosum62", open=11, threads=1, variant="cpu/lanes"
    ).tolist()
    cells = sum(len(q) * len(t) for q, t in pairs)
    return rate_line("align_batch/local protein 11/1", 1000, cells, least(rounds, calls), list, "cpu/lanes")


def mutated(source, size):
    query = "".join(source.choices("ACGT", k=size))
    return query, "".join(source.choice("ACGT") if source.random() < 0.1 else c for c in query)


def dna_pairs(parasail, wale, rounds):
    source = random.Random(4)
    queries, targets = zip(*(mutated(source, 1000) for _ in range(300)))
    matrix = parasail.matrix_create("ACGT", 2, -3)
    def traced(name):
        function = getattr(parasail, name)
        def call():
            found = [function(q, t, 5, 2, matrix) for q, t in zip(queries, targets)]
            return [r.score for r in found], [r.cigar.decode for r in found]
        return call
    def ours():
        found = wale.align_pairs(queries, targets, match=2, mismatch=-3, open=5, extend=2, threads=1)
        return found.score.tolist(), found.cigars()
    calls = {name: traced(name) for name in GLOBAL}
    calls["wale"] = ours
    return rate_line("align_pairs/global DNA 5/2 path", 300, 3e8, least(rounds, calls), lambda answer: answer[0], "cpu/pairs")


def dna_pair(parasail, wale, rounds):
    query, target = mutated(random.Random(2), 10_000)
    matrix = parasail.matrix_create("ACGT", 2, -3)
    def traced(name):
        def call():
            found = getattr(parasail, name)(query, target, 5, 2, matrix)
            return found.score, found.cigar.decode
        return call
    def ours():
        found = wale.align(query, target, "NW", "path", match=2, mismatch=-3, open=5, extend=2, threads=1, variant="cpu/diagonals")
        return found.score, found["cigar"]
    calls = {name: traced(name) for name in GLOBAL}
    calls["wale"] = ours
    return rate_line("align/global DNA 5/2 path", 10_000, 1e8, least(rounds, calls), lambda answer: answer[0], "cpu/diagonals")


def profile_targets(parasail, wale, rounds):
    """400 positions; parasail's Python module has no word for its matrices of positions: the function of its library."""
    source = random.Random(3)
    targets = ["".join(source.choices(PROTEIN, k=source.randrange(100, 600))) for _ in range(3000)]
    scores = [[source.choice([-4, -3, -2, -2, -1, -1, 0, 1, 6]) for _ in PROTEIN] for _ in range(400)]
    library, flat = parasail.bindings_v2._lib, [score for row in scores for score in row]
    create = library.parasail_matrix_pssm_create
    create.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_int), ctypes.c_int]
    create.restype = library.parasail_matrix_create.restype
    matrix = parasail.Matrix(create(PROTEIN.encode(), (ctypes.c_int * len(flat))(*flat), len(scores)))
    def score(name):
        profile = getattr(parasail, "profile_create_" + name.rsplit("_", 1)[1])("A" * len(scores), matrix)
        function = getattr(parasail, "sw_" + name)
        return lambda: [function(profile, target, 12, 1).score for target in targets]
    calls = {name: score(name) for name in PROFILE}
    ours = wale.Profile(scores, PROTEIN)
    calls["wale"] = lambda: wale.align_scores(ours, targets, "local", open=12, threads=1, variant="cpu/lanes").tolist()
    cells = len(scores) * sum(map(len, targets))
    return rate_line("align_cross/local profile 12/1", 3000, cells, least(rounds, calls), list, "cpu/lanes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--output", type=Path, help="instead of bench/results/<this CPU>/align_peers.csv")
    words = parser.parse_args()
    try:
        import parasail
    except ImportError:
        print("align_peers: parasail is not here (PyPI: parasail)", file=sys.stderr)
        return
    import wale

    rows = [f(parasail, wale, words.rounds) for f in (protein_pairs, dna_pair, dna_pairs, profile_targets)]
    machine.append("align_peers", rows, words.output)


if __name__ == "__main__":
    main()
