"""Every row beside its plain reference, where no peer has the same operation or the same options: equal bits of integers,
and of flows and neurons the same to the rounding of another order of sums."""

import os
import tempfile

import numpy as np
import wale
import wale.euler
from pairs import asked, pair
from plan import must, rows_here

MODES = ("NW", "SHW", "HW", "local", "overlap")
FILES = tempfile.TemporaryDirectory(prefix="wale_trust_")
CELL = os.path.join(FILES.name, "cell.swc")
LETTERS = "ARNDCQEGHILKMFPSTWYV"


def text(plan, longest):
    return "".join(plan.draw.choices(LETTERS, k=int((longest + 1) ** plan.draw.random()) - plan.draw.randrange(2)))


def costs(plan):
    """Scores of an alignment: a matrix, or a match and a mismatch; costs of gaps that are linear, affine or 0."""
    names = ["blosum62", "pam250", "blosum45"]
    letters = {"matrix": plan.draw.choice(names)} if plan.draw.random() < 0.5 else {"match": plan.draw.randrange(6), "mismatch": -plan.draw.randrange(9)}
    return letters | {"open": plan.draw.choice([0, 1, 2, 11, 40]), "extend": plan.draw.choice([0, 1, 1, 3])}


def align(plan):
    """One pair: the score, the places and the path of every row are those of the reference."""
    a, b, words = text(plan, 300), text(plan, 300), costs(plan) | {"mode": plan.draw.choice(MODES), "task": plan.draw.choice(["distance", "path"])}
    return rows_here("align"), lambda **run: tuple(wale.align(a, b, **words, **run).items()), (len(a), len(b), words)


def align_scores(plan):
    batch = [(text(plan, 200), text(plan, 200)) for _ in range(plan.draw.choice([1, 2, 16, 17, 40]))]
    words = costs(plan) | {"mode": plan.draw.choice(MODES)}
    return rows_here("align_batch"), lambda **run: wale.align_scores(*zip(*batch), **words, **run), (len(batch), words)


def align_pairs(plan):
    batch = [(text(plan, 200), text(plan, 200)) for _ in range(plan.draw.choice([1, 2, 17, 40]))]
    words = costs(plan) | {"mode": plan.draw.choice(MODES)}

    def columns(**run):
        found = wale.align_pairs(*zip(*batch), **words, **run)
        return found.score, found.query_begin, found.query_end, found.target_begin, found.target_end, found.cigars()

    return rows_here("align_pairs"), columns, (len(batch), words)


def search(plan):
    queries, records = ([text(plan, 90) or "A" for _ in range(plan.draw.choice([1, 2, 20]))] for _ in range(2))
    words = {"matrix": "blosum62", "open": plan.draw.choice([2, 12]), "extend": plan.draw.choice([1, 2]), "evalue": 1e9, "top": 5}
    return rows_here("align_cross"), lambda **run: wale.search(queries, records, **words, **run), (len(queries), words)


def locate(plan):
    queries, words = [pair(plan.draw, 150)[0] for _ in range(plan.draw.choice([1, 3, 20]))], {"mode": plan.draw.choice(["HW", "SHW"]), "k": plan.draw.choice([-1, 3, 40])}
    genome = b"".join(plan.draw.sample(queries, len(queries))) + pair(plan.draw, 400)[1]
    return rows_here("infix"), lambda **run: wale.locate(queries, genome, **words, **run), (list(map(len, queries)), len(genome), words)


def string(plan):
    a, b = pair(plan.draw, 700)
    return rows_here("lcs_string"), lambda **run: wale.lcs_length(a, b) == len(wale.lcs_string(a, b, **run).in_a), (len(a), len(b))


def table(plan):
    """A whole table of a recurrence, in each type."""
    a, b, kind = *pair(plan.draw, 400), plan.draw.choice(["lcs", "edit", "global"])
    words = {"kind": kind, "dtype": plan.draw.choice(["int32", "int16"])}
    words |= {"match": plan.draw.randrange(4), "mismatch": -plan.draw.randrange(4), "gap": -plan.draw.randrange(4)} if kind == "global" else {}
    return rows_here("fill"), lambda **run: wale.wavefront_fill(a, b, **words, **run), (len(a), len(b), words)


def warp(plan):
    """Dynamic time warping, whose sums are of numbers that are added exactly."""
    a, b = (plan.rng.integers(-50, 50, plan.draw.randrange(1, 300)).astype(plan.draw.choice(["f4", "f8"])) for _ in range(2))
    b = b.astype(a.dtype)
    words = {"kind": "dtw", "cost": plan.draw.choice(["absolute", "squared"])}
    return rows_here("fill"), lambda **run: wale.wavefront_fill(a, b, **words, **run), (len(a), len(b), words)


def watershed(plan):
    """Heights of few values, so that the order of equal pixels decides."""
    shape = plan.draw.choice([(40, 37), (1, 90), (33, 2), (9, 10, 11)])
    image = plan.rng.integers(0, plan.draw.choice([1, 2, 5, 300]), shape).astype(plan.draw.choice(["u1", "u2", "i4", "f4", "f8"]))
    markers = np.where(plan.rng.random(shape) < 0.04, plan.rng.integers(1, 9, shape), 0)
    words = {"connectivity": plan.draw.randrange(len(shape)) + 1, "watershed_line": len(shape) == 2 and plan.draw.random() < 0.4}
    return rows_here("watershed"), lambda **run: wale.watershed(image, markers, **words, **run), (shape, image.dtype, words)


def flow(plan):
    """A few iterations of a flow round a body, with random numerics."""
    mesh = wale.euler.generate_mesh("shell", size=plan.draw.randrange(60, 900))
    scheme = {"flux": plan.draw.choice(["hllc", "roe", "rusanov"]), "order": plan.draw.choice([1, 2]), "time": plan.draw.choice(["jameson", "ssp_rk3"]),
              "step": plan.draw.choice(["local", "global"]), "cfl": 0.5}  # fmt: skip
    stream = {"mach": plan.draw.choice([0.3, 0.8, 1.6]), "alpha": plan.draw.choice([0.0, 3.0])}

    def run(**words):
        case = wale.euler.Case(mesh, stream=stream, scheme=scheme)
        case.run(8, **words)
        return case.state

    return rows_here("advance"), run, (mesh.cells, scheme, stream)


def cable(plan):
    wale.grow_neuron(CELL, seed=plan.draw.randrange(99), stems=plan.draw.randrange(1, 5), levels=plan.draw.randrange(1, 4))
    words = {"membrane": plan.draw.choice(["passive", "hh"]), "cells": plan.draw.choice([1, 2, 9]), "dt": plan.draw.choice([0.01, 0.025, 0.1]),
             "method": plan.draw.choice(["backward_euler", "crank_nicolson"])}  # fmt: skip

    def run(**how):
        cell = wale.Cable(CELL, **words)
        cell.clamp(0.5, delay=0.2, duration=1)
        cell.probe("soma")
        return cell.run(3, **how).voltages

    return rows_here("cable"), run, words


AREAS = (align, align_scores, align_pairs, search, locate, string, table, warp, watershed, flow, cable)
CLOSE = {flow: 1e-9, cable: 1e-7}  # of the largest value: eight iterations and 300 steps of float64


def equal(area, found, wanted):
    if isinstance(wanted, np.ndarray):
        if area in CLOSE:
            return np.shape(found) == np.shape(wanted) and abs(found - wanted).max() <= CLOSE[area] * abs(wanted).max()
        return found.dtype == wanted.dtype and np.array_equal(found, wanted)
    return repr(found) == repr(wanted)  # E-values of scores without published statistics are NaN


def rows_agree(plan):
    """Random problems of eleven operations: each row that does not refuse gives the reference's answer."""
    compared = dict.fromkeys((area.__name__ for area in AREAS), 0)
    for number in range(plan.count(25, 1500)):
        for area in AREAS:
            rows, ask, what = area(plan)
            reference = next(row for row in rows if row.startswith("reference"))
            wanted = ask(variant=reference)
            for row in ("automatic", *(r for r in rows if r != reference)):
                found = asked(ask, variant=row, threads=plan.draw.choice([1, 2, 3]))
                must(found is None or equal(area, found, wanted), f"{area.__name__} {number}, {row}: {what} differs from the reference")
                compared[area.__name__] += found is not None
    return ", ".join(f"{name} {count}" for name, count in compared.items()) + " answers equal"


ROWS = (rows_agree,)
