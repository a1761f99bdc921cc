#!/usr/bin/env python3
"""Reconstruction beside scikit-image: one process, one run, the same images, answers compared bit for bit.

Appends to bench/results/<machine>/reconstruction_peers.csv, the file of the program reconstruction_cpu, which has
the peers in C++. The image is scikit-image's own `ihc` (immunohistochemistry), tiled by mirroring.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

import machine
import numpy as np
import wale
from skimage import data
from skimage.morphology import reconstruction



def pathology(side):
    """255 - luminance (BT.709) of the image: dark tissue is high. Every other tile is turned over."""
    grey = 255 - np.rint(data.immunohistochemistry() @ np.array([0.2126, 0.7152, 0.0722])).astype(np.uint8)
    return np.pad(grey, [(0, max(side - n, 0)) for n in grey.shape], "symmetric")[:side, :side]


def framed(image):
    seed = np.full_like(image, np.iinfo(image.dtype).max)
    seed[0], seed[-1], seed[:, 0], seed[:, -1] = image[0], image[-1], image[:, 0], image[:, -1]
    return seed


def cases(side):
    image = pathology(side)
    cross = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])
    cut = np.maximum(image, 40) - 40
    yield (
        "pathology/h_domes/8",
        lambda at: wale.h_domes(image, 40, where=at),
        lambda: image - reconstruction(cut, image).astype(np.uint8),
    )
    yield (
        "pathology/h_domes/4",
        lambda at: wale.h_domes(image, 40, connectivity=1, where=at),
        lambda: image - reconstruction(cut, image, footprint=cross).astype(np.uint8),
    )
    yield (
        "pathology/fill_holes/8",
        lambda at: wale.fill_holes(image, where=at),
        lambda: reconstruction(framed(image), image, "erosion").astype(np.uint8),
    )


def timed(call):
    start = time.perf_counter()
    answer = call()
    return time.perf_counter() - start, answer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--side", type=int, default=4096, help="pixels")
    parser.add_argument("--threads", default="1,2", help="CPU threads for Wale, a list with commas; the peer takes 1")
    parser.add_argument("--repeats", type=int, default=5, help="of Wale; scikit-image runs once")
    parser.add_argument("--out", type=Path, help="CSV file instead of bench/results/<machine>/reconstruction_peers.csv")
    options = parser.parse_args()
    wrong = 0
    for name, ours, theirs in cases(options.side):
        peer_seconds, wanted = timed(theirs)
        for threads in (int(t) for t in options.threads.split(",")):
            at = wale.cpu(threads)
            runs = [timed(lambda: ours(at)) for _ in range(options.repeats + 1)][1:]
            if not all(np.array_equal(answer, wanted) for _, answer in runs):
                wrong += 1
                print(f"{name}: Wale and scikit-image differ", file=sys.stderr)
                continue
            seconds = statistics.median(s for s, _ in runs)
            row = {"operation": name, "size": options.side, "variant": wale.last_report().variant, "threads": threads}
            row.update(median_s=f"{seconds:.6g}", peer="scikit-image", peer_median_s=f"{peer_seconds:.6g}")
            row.update(ratio=f"{peer_seconds / seconds:.4g}")
            print(*row.values(), flush=True)
            machine.append("reconstruction_peers", [row], options.out)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
