#!/usr/bin/env python3
"""Edit distances of each with each on a GPU beside StringZilla's CUDA engine: whole calls, from Python lists, from packed
arrays of the host and from CuPy's arrays, medians of at least 0.3 s. All answers are compared with StringZilla's, which
has its own strings and array of answers ready before.

Run with a Python that has CuPy, stringzilla, stringzillas-cuda (PyPI) and the package wale; without them this says so.
usage: cdist_cuda.py [--output CSV]
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

import machine
import numpy as np

CASES = ((1000, 100), (2000, 100), (300, 1000), (1000, 1000), (30, 10_000))


def median(call, least=0.3):
    answer, times = call(), []
    while sum(times) < least or len(times) < 3:
        begin = time.perf_counter()
        answer = call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times), answer


def packed(texts):
    return np.frombuffer("".join(texts).encode(), np.uint8), np.cumsum([0, *map(len, texts)], dtype=np.int64)


def measured(cupy, sz, szs, wale, count, length):
    letters = np.random.default_rng(1).choice(list("ACGT"), (2, count, length))
    queries, targets = (["".join(text) for text in side] for side in letters)
    scope = szs.DeviceScope(gpu_device=0)
    engine = szs.LevenshteinDistances(0, 1, 1, 1, scope)
    a, b, theirs = sz.Strs(queries), sz.Strs(targets), np.zeros((count, count), np.uint64)
    peer_seconds, _ = median(lambda: engine(a, b, device=scope, out=theirs))
    host = packed(queries), packed(targets)
    device = [tuple(map(cupy.asarray, side)) for side in host]
    cuda = wale.cuda()
    for source, call in (
        ("lists", lambda: wale.cdist(queries, targets, where=cuda)),
        ("host arrays", lambda: wale.cdist(*host, where=cuda)),
        ("device arrays", lambda: wale.cdist(*device)),
    ):
        seconds, answer = median(call)
        if not np.array_equal(cupy.asnumpy(answer), theirs.astype(np.int64)):
            sys.exit(f"cdist_cuda: {count} x {count} of {length} from {source}: the answers differ")
        yield {"operation": "edit_cross", "count": count, "length": length, "source": source,
               "variant": wale.last_report().variant, "seconds": f"{seconds:.6g}",
               "rate_tcups": f"{(count * length) ** 2 / seconds / 1e12:.4g}", "peer": "stringzillas-cuda",
               "peer_seconds": f"{peer_seconds:.6g}", "ratio": f"{peer_seconds / seconds:.3g}"}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, help="instead of bench/results/<this GPU>/cdist_cuda.csv")
    words = parser.parse_args()
    try:
        import cupy
        import stringzilla
        import stringzillas
    except ImportError as missing:
        print(f"cdist_cuda: {missing}", file=sys.stderr)
        return
    import wale

    rows = [row for case in CASES for row in measured(cupy, stringzilla, stringzillas, wale, *case)]
    machine.append("cdist_cuda", rows, words.output, machine.gpu())


if __name__ == "__main__":
    main()
