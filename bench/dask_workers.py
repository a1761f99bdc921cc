#!/usr/bin/env python3
"""wale.dask.fill_holes on two workers of one thread beside one, in turn; pixels compared.

    python bench/dask_workers.py [PIXELS A SIDE]

Chunks of 4096 pixels a side, which lie in the workers' memory before the clock runs, as the answers do after. Each
chunk is a picture `grain` of bench/dask_overhead.py. Processor time of the worker that has most, the least of three
turns, and wall time, which other processes change."""

import sys
import time

import dask
import dask.array as da
import machine
import numpy as np
import wale
import wale.dask
from dask_overhead import picture
from distributed import Client, LocalCluster, wait

TURNS, CHUNK = 3, 4096


def cells(side):
    drawn = picture("grain", CHUNK)

    def chunk(_, block_info=None):
        place = block_info[None]["chunk-location"]
        return np.ascontiguousarray(np.roll(drawn, (517 * place[0], 911 * place[1]), (0, 1)))

    return da.zeros((side, side), np.uint8, chunks=CHUNK).map_blocks(chunk, dtype=np.uint8)


def persisted(client, array):
    """The array in the workers' memory; processor time of the busiest worker and wall time until it is there."""
    before, begin = client.run(time.process_time), time.perf_counter()
    with client.as_current():
        there = client.persist(array)
        wait(there)
    wall = time.perf_counter() - begin
    after = client.run(time.process_time)
    return there, (max(after[w] - before[w] for w in after), wall)


def main(side=32768):
    clusters = [LocalCluster(n_workers=n, threads_per_worker=1, dashboard_address=None) for n in (1, 2)]
    clients = [Client(cluster, set_as_default=False) for cluster in clusters]
    images = [persisted(client, cells(side))[0] for client in clients]
    plain = wale.fill_holes(clients[0].compute(images[0]).result(), threads=1)
    seconds = [[], []]
    for _ in range(TURNS):
        for k, (image, client) in enumerate(zip(images, clients)):
            filled, taken = persisted(client, wale.dask.fill_holes(image))
            seconds[k].append(taken)
            for row in range(0, side, CHUNK):  # a band at a time: the memory is the workers'
                if not np.array_equal(client.compute(filled[row:row + CHUNK]).result(), plain[row:row + CHUNK]):
                    sys.exit(f"dask_workers: {k + 1} workers: the answers differ")
            del filled
    busy, wall = ([min(turn[k] for turn in taken) for taken in seconds] for k in range(2))
    rows = [{"picture": "grain", "side": side, "chunk": CHUNK, "type": "u8", "workers": k + 1, "processor_seconds": f"{busy[k]:.4g}",
             "wall_seconds": f"{wall[k]:.4g}", "over_one": f"{busy[0] / busy[k]:.3g}"} for k in range(2)]  # fmt: skip
    print(machine.append("dask_workers", rows))
    for client, cluster in zip(clients, clusters):
        client.close()
        cluster.close()


if __name__ == "__main__":
    with dask.config.set({"distributed.worker.memory.target": False, "distributed.worker.memory.spill": False,
                          "distributed.worker.memory.pause": False, "distributed.worker.memory.terminate": False}):  # fmt: skip
        main(*map(int, sys.argv[1:]))
