"""Mixed calls for a while: memory, threads and file descriptors do not grow."""

import os
import pathlib
import tempfile
import time

import numpy as np
import wale
import wale.euler
from plan import exception_of, must

REFUSED = 3  # calls at the end of the list that are refused


def calls_of(folder, rng):
    """The calls, each of a size that differs from time to time."""
    letters = rng.integers(0, 4, 4000).astype(np.uint8)
    image = rng.integers(0, 50, (200, 210)).astype(np.uint8)
    matrix, row = rng.random((120, 120)) + 120 * np.eye(120), np.ones((20, 300))
    cell = wale.grow_neuron(folder / "cell.swc", levels=1)
    parent = np.array([-1, *range(199)])
    grid = wale.euler.generate_mesh("shell", size=300)
    return (
        lambda k: wale.edit_distance(letters[: 10 * k], letters[::-1], threads=2),
        lambda k: wale.lcs_string(letters[:k], letters[7:900]),
        lambda k: wale.cdist([letters[:n] for n in range(k % 40)], [letters[3:90]]),
        lambda k: wale.align(letters[:k], letters[5:600], mode="HW", task="path"),
        lambda k: wale.h_domes(image[:, : k + 1], 5, threads=3),
        lambda k: wale.watershed(image, (image == k % 50).astype(np.int32)),
        lambda k: wale.solve(matrix[: k % 100 + 1, : k % 100 + 1], np.ones(k % 100 + 1)),
        lambda k: wale.solve_refined(matrix, np.ones(120)),
        lambda k: wale.solve_tridiagonal(row, 4 * row, row, row, threads=2),
        lambda k: wale.HinesPlan(parent[: k % 200 + 1]),
        lambda k: wale.Cable(cell).run(0.2),
        lambda k: wale.euler.Case(grid).run(2, threads=2),
        lambda k: exception_of(lambda: wale.fill_holes(np.zeros((1,) * 4))),
        lambda k: exception_of(lambda: wale.euler.read_mesh(folder / "none")),
        lambda k: exception_of(lambda: wale.euler.read_mesh(folder / "cell.swc")),
    )


def held():
    """Resident bytes, threads and descriptors of this process."""
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE"), len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd"))


def soak(plan):
    """Short: some seconds; long: an hour. A leak grows in each third of the time; what a pool of threads or an allocator
    keeps for the next call grows once, be it late."""
    seconds = plan.count(8, 3600)
    with tempfile.TemporaryDirectory(prefix="wale_trust_") as name:
        calls = calls_of(pathlib.Path(name), plan.rng)
        for call in calls:
            for k in (1, 70, 199):
                call(k)
        count, looks = 0, [held()]
        for _ in range(3):
            begin = time.monotonic()
            while time.monotonic() - begin < seconds / 3:
                for _ in range(50):
                    plan.draw.choice(calls)(plan.draw.randrange(1, 200))
                count += 50
            looks.append(held())
    figure = f"{count} calls: " + "; ".join(f"{memory >> 20} MiB, {threads} threads, {files} files" for memory, threads, files in looks)
    must(looks[-1][2] <= looks[0][2], figure)
    for k, most in enumerate((plan.count(2 << 20, 8 << 20), 0)):  # bytes that an allocator may hold back in each third
        must(any(after[k] - before[k] <= most for before, after in zip(looks, looks[1:])), figure)
    return figure


ROWS = (soak,)
