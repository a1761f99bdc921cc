#!/usr/bin/env python3
"""Processor time of wale.dask.fill_holes beside the plain call on one thread, in turn; pixels compared.

    python bench/dask_overhead.py [PIXELS A SIDE]

Chunks of 1024, 2048 and 4096 pixels a side, Dask's scheduler of one thread. Pictures of 8 bits: `noise`, every value as
likely; `grain`, hills of some 50 pixels with noise of 3. Processor time, as the least of five turns: other processes
change wall time, and this by less."""

import sys
import time

import dask
import dask.array as da
import machine
import numpy as np
import wale
import wale.dask
from scipy import ndimage

TURNS = 5


def picture(name, side):
    draw = np.random.default_rng(19)
    if name == "noise":
        return draw.integers(0, 256, (side, side), np.uint8)
    hills = ndimage.gaussian_filter(draw.random((side // 8 + 1,) * 2, np.float32), 2)
    hills = ndimage.zoom((hills - hills.min()) / (hills.max() - hills.min()), 8, order=1)[:side, :side]
    return np.clip(hills * 255 + draw.normal(0, 3, hills.shape), 0, 255).astype(np.uint8)


def seconds(call):
    begin = time.process_time()
    answer = call()
    return time.process_time() - begin, answer


def main(side=8192):
    rows = []
    for name in ("noise", "grain"):
        image = picture(name, side)
        for chunk in (1024, 2048, 4096):
            cells = da.from_array(image, chunks=chunk, name=False)
            plain, lazy = [], []
            for _ in range(TURNS):
                taken, wanted = seconds(lambda: wale.fill_holes(image, threads=1))
                plain.append(taken)
                variant = wale.last_report().variant
                taken, found = seconds(lambda: wale.dask.fill_holes(cells).compute())
                lazy.append(taken)
                if not np.array_equal(found, wanted):
                    sys.exit(f"dask_overhead: {name} in chunks of {chunk}: the answers differ")
            times = min(plain), min(lazy)
            rows.append({"picture": name, "side": side, "chunk": chunk, "type": "u8", "variant": variant,
                         "plain_seconds": f"{times[0]:.4g}", "seconds": f"{times[1]:.4g}",
                         "over_plain": f"{times[1] / times[0]:.3g}"})  # fmt: skip
    print(machine.append("dask_overhead", rows))


if __name__ == "__main__":
    with dask.config.set(scheduler="synchronous"):
        main(*map(int, sys.argv[1:]))
