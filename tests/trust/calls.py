"""Python calls that cannot succeed: each raises an exception that is documented, with one line that says why."""

import pathlib
import tempfile
import time
import warnings

import numpy as np
import wale
import wale.euler
from plan import exception_of, must

MASKED = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[0, 1], [0, 0]])
SQUARE = np.array([[4.0, 1.0], [1.0, 3.0]])
IMAGE = np.arange(30, dtype=np.uint8).reshape(5, 6) % 7
MARKERS = (IMAGE == 0).astype(np.int32)
ROW = np.ones(4)
NO_MATRIX = (None, object(), {1: 2}, 2j, np.array(["2020-01-01"], "M8[D]"), MASKED, [[1], [1, 2]])
NAMES = (None, 5, ["lu"], b"lu", "nothing")
NEVER = (*NO_MATRIX, np.array([[1j]]))
SYMBOLS = (*NEVER[:3], 3.5, np.array([1.5]), np.zeros((2, 2, 2)), np.ma.array([1, 2], mask=[0, 1]), 2j)
SERIES = (*NEVER, [], 5.0, "text", np.zeros((2, 2, 2, 2)), [1.0, np.nan], [np.inf], np.zeros((0, 2)))
BATCHES = (None, object(), {1: 2}, 5, "abc", [1.5], [None], ["a", b"a"], (b"ab", [0, 9]), (b"ab", [2, 1]))
PARENTS = (*NEVER, [0.5, -1.0], [-1, 7], [-2, 0], [1, 0], [0, 0])
NUMBERS = (None, "3", [3], 3j, b"3", float("nan"), object())
WHOLE = ("3", 2.5, [3], 3j, float("nan"), -7, 2**70, object())
WORDS = ("", "nothing", 7, b"none", None, ["partial"])
TILES = (5, (1,), (-1, 4), ("a", 4), (2.5, 4), (2**70, 4))
RUN = {"threads": (-1, 2.5, "2", 10**7, None, 2**70), "backend": ("", "gpu", 5, None), "variant": ("cpu/none", "x", 3, None),
       "where": ("cpu", 5, object()), "conectivity": (1,)}  # fmt: skip

FILES = tempfile.TemporaryDirectory(prefix="wale_trust_")
NEURON, FLOW_MESH = (str(pathlib.Path(FILES.name) / name) for name in ("cell.swc", "box.su2"))
wale.grow_neuron(NEURON, levels=1)
wale.euler.generate_mesh("box", size=100).save(FLOW_MESH)

# A call that succeeds by its keywords, and for each keyword the values that no answer could be right for.
CALLS = {
    wale.edit_distance: ({"a": b"ab", "b": b"cb"}, {"a": SYMBOLS, "b": SYMBOLS, "bound": WHOLE}),
    wale.lcs_length: ({"a": "ab", "b": "cb"}, {"a": SYMBOLS, "b": SYMBOLS}),
    wale.lcs_string: ({"a": "ab", "b": "cb"}, {"a": SYMBOLS}),
    wale.edit_distances: ({"a": ["ab"], "b": ["b"]}, {"a": BATCHES, "b": BATCHES, "bound": WHOLE}),
    wale.cdist: ({"queries": ["ab"], "targets": ["b"]}, {"queries": BATCHES, "metric": WORDS, "cutoff": WHOLE}),
    wale.align: ({"query": "ab", "target": "b"}, {"query": SYMBOLS, "mode": WORDS, "task": WORDS, "open": ("x", -(2**40)),
                                                              "matrix": (7, "none", {("A", "A"): 1}, ("AC", [[1]]))}),
    wale.locate: ({"queries": ["ab"], "text": "abc"}, {"queries": BATCHES, "text": SYMBOLS, "mode": WORDS}),
    wale.dtw: (
        {"x": [1.0, 2.0], "y": [3.0]}, {"x": SERIES, "y": SERIES, "cost": WORDS, "window": WHOLE, "gamma": (*NUMBERS, -1), "path": (1, "x")}),
    wale.cdist_dtw: (
        {"queries": [[1.0]], "targets": [[2.0]]},
        {"queries": (None, object(), {1: 2}, 2j, "ab", 3, [[]], [[1j]], [[1.0], [np.nan]], ["a"], [[1.0], [[1.0, 2.0]]]), "window": WHOLE}),
    wale.Profile: (
        {"scores": [[1, 2]], "letters": "AC"},
        {"scores": (*NO_MATRIX, 3, [1, 2], [[1.5, 2]], [["a", "b"]], [[1, 2**40]], [[1, 2**21]]), "letters": (None, 7, b"AC", "A", "AA", "A\u0100"),
         "consensus": (7, b"A", "AC", "\u00c4"), "scaled_as": (7, b"x")}),
    wale.search: (
        {"queries": ["AC"], "database": ["ACC"]},
        {"queries": BATCHES, "database": (*BATCHES[:4], *BATCHES[5:]), "matrix": (7, "none", ["A"]), "top": WHOLE, "open": WHOLE,
         "evalue": ("x", None, -1.0, float("nan"))}),
    wale.lu_factor: ({"a": SQUARE}, {"a": (*NO_MATRIX, 2.0, "text", [1.0]), "pivoting": WORDS, "perturbation": NUMBERS}),
    wale.solve: ({"a": SQUARE, "b": [1.0, 2.0]}, {"a": (*NO_MATRIX, 2.0, ROW, np.ones((2, 3))), "b": (*NO_MATRIX, ROW, "text")}),
    wale.inv: ({"a": SQUARE}, {"a": (*NO_MATRIX, 2.0, ROW, np.ones((2, 3)), np.zeros((2, 2)))}),
    wale.det: ({"a": SQUARE}, {"a": (*NO_MATRIX, 2.0, ROW, np.ones((2, 3)))}),
    wale.solve_tridiagonal: (
        {"dl": ROW, "d": 4 * ROW, "du": ROW, "b": ROW},
        {"dl": (*NEVER, ROW[:2]), "d": NEVER, "b": (*NEVER, ROW[:3]), "pivoting": WORDS, "axis": (1, 2, "0", None, 0.5)}),
    wale.hines_solve: (
        {"parent": [-1, 0], "diagonal": [4.0, 4.0], "upper": [1.0, 1.0], "lower": [1.0, 1.0], "rhs": [1.0, 2.0]},
        {"parent": PARENTS, "diagonal": (*NEVER, ROW), "rhs": (*NEVER, ROW)}),
    wale.reconstruction: (
        {"seed": IMAGE, "mask": IMAGE}, {"seed": (*NEVER, IMAGE[:2], IMAGE + 1), "mask": NEVER, "method": WORDS,
                                         "footprint": (np.ones((5, 5)), "x", np.ones(3)), "out": (IMAGE[:2].copy(), [1], "x")}),
    wale.fill_holes: ({"image": IMAGE}, {"image": (*NEVER, np.zeros((1,) * 4), "text"), "connectivity": (9, -1, "1", 1.5)}),
    wale.h_domes: ({"image": IMAGE, "h": 2}, {"image": NEVER, "h": (*NUMBERS, -1, 0, 1.5, float("inf"))}),
    wale.h_maxima: ({"image": IMAGE, "h": 2}, {"image": NEVER, "h": (*NUMBERS, -1), "footprint": ("x", np.ones((5, 5)))}),
    wale.h_minima: ({"image": IMAGE, "h": 1000}, {"image": NEVER, "footprint": ("x", np.ones((5, 5)))}),
    wale.opening_by_reconstruction: ({"image": IMAGE, "size": 3}, {"image": NEVER, "size": (*WHOLE, 2, 0)}),
    wale.watershed: ({"image": IMAGE, "markers": MARKERS}, {"image": NEVER, "markers": (*NEVER, MARKERS[:2], MARKERS * 1.5)}),
    wale.align_scores: (
        {"queries": ["AC"], "targets": ["AG"]},
        {"queries": BATCHES, "targets": BATCHES, "mode": WORDS, "match": ("3", 2.5, [3], 3j, 2**70), "matrix": (7, "none", ["A"]), "ends": (3, ["left"], [None])}),
    wale.align_pairs: (
        {"queries": ["AC"], "targets": ["AG"]},
        {"queries": BATCHES, "targets": BATCHES, "mode": WORDS, "task": WORDS, "match": ("3", 2.5, [3], 3j, 2**70), "open": ("3", -1, 2**70), "ends": (3, ["left"], [None])}),
    wale.lcs_lengths: ({"a": ["ab"], "b": ["b"]}, {"a": BATCHES, "b": BATCHES}),
    wale.wavefront_fill: (
        {"a": "ab", "b": "cb"}, {"a": SYMBOLS, "b": SYMBOLS, "kind": WORDS, "cost": WORDS, "gap": ("x", 2.5, 2**70), "tile": TILES,
                                 "dtype": ("text", np.float64, np.uint8, object()), "out": (np.zeros((1, 1), np.int32), "x", IMAGE)}),
    wale.summed_area: ({"image": IMAGE}, {"image": NEVER, "dtype": ("text", object()), "tile": TILES, "out": (np.zeros((1, 1), np.int64), "x")}),
    wale.lu_solve: (
        {"lu_and_piv": wale.lu_factor(SQUARE), "b": [1.0, 2.0]},
        {"lu_and_piv": (None, SQUARE, (SQUARE,), (SQUARE, [0, 9]), (SQUARE, [0]), (SQUARE, [0.5, 1.0]), (ROW, [0])),
         "b": (*NO_MATRIX, ROW, "text"), "trans": (3, -1, "N", None, 0.5)}),
    wale.slogdet: ({"a": SQUARE}, {"a": (*NO_MATRIX, 2.0, ROW, np.ones((2, 3)))}),
    wale.solve_refined: (
        {"a": SQUARE, "b": [1.0, 2.0]},
        {"a": (*NEVER, 2.0, ROW, np.ones((2, 3))), "b": (*NEVER, ROW, "text"), "precision": WORDS, "max_iterations": WHOLE}),
    wale.gttrf: ({"dl": ROW[1:], "d": 4 * ROW, "du": ROW[1:]}, {"dl": (*NEVER[:-1], ROW[:1]), "d": NEVER[:-1], "du": (*NEVER[:-1], ROW[:1])}),
    wale.tridiagonal_residual: (
        {"dl": ROW, "d": 4 * ROW, "du": ROW, "b": ROW, "x": ROW}, {"d": NEVER[:-1], "x": (*NEVER[:-1], ROW[:3]), "axis": (1, "0", None)}),
    wale.hines_residual: (
        {"parent": [-1, 0], "diagonal": [4.0, 4.0], "upper": [1.0, 1.0], "lower": [1.0, 1.0], "rhs": [1.0, 2.0], "x": [1.0, 1.0]},
        {"parent": PARENTS, "x": (*NEVER, ROW)}),
    wale.clear_border: ({"image": IMAGE}, {"image": (*NEVER, np.zeros((1,) * 4), "text"), "connectivity": (9, -1, "1", 1.5)}),
    wale.fill_depressions: ({"elevation": IMAGE}, {"elevation": NEVER, "no_data": ("x", [3], 3j, object())}),
    wale.apply_hysteresis_threshold: ({"image": IMAGE, "low": 1, "high": 4}, {"image": NEVER, "low": (*NUMBERS, 9), "high": (*NUMBERS, 0)}),
    wale.impose_minima: ({"image": IMAGE, "minima": MARKERS}, {"image": NEVER, "minima": (*NEVER, MARKERS[:2])}),
    wale.closing_by_reconstruction: ({"image": IMAGE, "size": 3}, {"image": NEVER, "size": (*WHOLE, 2, 0)}),
    wale.extended_maxima: ({"image": IMAGE, "h": 2}, {"image": NEVER, "h": (*NUMBERS, -1)}),
    wale.local_maxima: ({"image": IMAGE}, {"image": NEVER, "footprint": ("x", np.ones((5, 5))), "connectivity": (9, -1, "1", 1.5)}),
    wale.select_objects: ({"image": IMAGE, "points": [(0, 0)]}, {"points": (None, [(99, 0)], [(-1, 0)], [(0,)], "x", [(0.5, 1)])}),
}  # fmt: skip
# Calls that take nothing of RUN.
PLAIN = {
    wale.HinesPlan: ({"parent": [-1, 0]}, {"parent": PARENTS}),
    wale.TridiagonalFactors: ({"dl": ROW, "d": 4 * ROW, "du": ROW}, {"d": NEVER, "pivoting": WORDS, "axis": (1, "0", None, 0.5)}),
    wale.lu_residual_ratio: (
        {"a": SQUARE, "lu_and_piv": wale.lu_factor(SQUARE)}, {"a": (*NO_MATRIX, 2.0, ROW, np.ones((2, 3))), "lu_and_piv": (None, SQUARE, (SQUARE, [0, 9]))}),
    wale.reconstruction_flaw: ({"seed": IMAGE, "mask": IMAGE, "result": IMAGE}, {"result": (*NEVER, IMAGE[:2]), "method": WORDS, "connectivity": (9, -1, "1")}),
    wale.variants: ({"solver": "lu"}, {"solver": NAMES[1:]}),
    wale.why_unavailable: ({"backend": "cpu"}, {"backend": (*NAMES, *WORDS)}),
    wale.euler.generate_mesh: (
        {"kind": "box", "size": 100},
        {"kind": WORDS, "size": (*WHOLE, 0), "shape": WORDS, "distortion": ("x", -1.0, float("nan"), 5.0), "nothing": (1,)}),
    wale.euler.read_mesh: ({"path": FLOW_MESH}, {"path": (None, 7, "/no/where.su2", "", b"\0")}),
    wale.euler.Case: (
        {"mesh": wale.euler.generate_mesh("shell", size=100)},
        {"mesh": (None, 7, "box"), "stream": ({"mach": "x"}, {"mach": -1.0}, {"much": 1}, 5, {"density": float("nan")}),
         "scheme": ({"flux": "none"}, {"order": 3}, {"cfl": 0.0}, {"cfl": float("nan")}, {"limiter": 7}, 5),
         "boundary": ({"none": {"kind": "wall"}}, {"wall": 5}, {"wall": {"kind": "none"}}, 5),
         "run": ({"precision": "half"}, {"iterations": -1}, {"iterations": 1.5}, {"end_time": float("nan")}, {"nothing": 1}, 5)}),
    wale.Cable: (
        {"path": NEURON},
        {"path": (None, 7, "/no/where.swc"), "membrane": WORDS, "cells": WHOLE, "dt": (*NUMBERS, 0.0, -1.0), "ra": (*NUMBERS, 0.0), "max_length": (*NUMBERS, -1.0),
         "v_init": NUMBERS, "celsius": NUMBERS, "method": WORDS, "sample_every": (*WHOLE, 0), "nothing": (1,)}),
    wale.grow_neuron: ({"path": NEURON}, {"path": (None, 7, "/no/where/x.swc"), "seed": WHOLE[:5], "stems": WHOLE, "levels": (*WHOLE, 99)}),
}  # fmt: skip
WITHOUT_NONE = {"bound", "cutoff", "window", "k", "footprint", "out", "where", "connectivity"}  # None is their default
SECONDS = 5
RIGHT = (TypeError, ValueError, np.linalg.LinAlgError, wale.Error, MemoryError)


def table():
    """The name of a call, the call, and its keywords with one that is wrong."""
    for function, (good, wrong) in [*CALLS.items(), *PLAIN.items()]:
        for keyword, values in [*wrong.items(), *(RUN.items() if function in CALLS else ())]:
            for value in values:
                if not (value is None and keyword in WITHOUT_NONE):
                    yield f"{function.__name__}({keyword}={value!r})", function, {**good, keyword: value}


def bad_calls(plan):
    """Every call of the table; first each call as it is right."""
    for function, (good, _) in [*CALLS.items(), *PLAIN.items()]:
        refusal = exception_of(lambda: function(**good))
        must(refusal is None, f"{function.__name__}: {refusal!r} where nothing is wrong")
    faults, count = [], 0
    for name, function, words in table():
        count, taken = count + 1, []
        while not taken or len(taken) < 3 and min(taken) > SECONDS:  # a busy machine may be late once
            begin = time.monotonic()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                refusal = exception_of(lambda: function(**words))
            taken.append(time.monotonic() - begin)
        said = str(refusal)
        if refusal is None:
            faults.append(f"{name}: gives an answer")
        elif not isinstance(refusal, RIGHT):
            faults.append(f"{name}: {refusal!r}")
        elif not said.strip() or len(said.splitlines()) > 2 or "_wale." in said or "incompatible function" in said:
            faults.append(f"{name}: {type(refusal).__name__} says {said[:200]!r}")
        if min(taken) > SECONDS:
            faults.append(f"{name}: takes {min(taken):.1f} s")
    must(not faults, f"{len(faults)} of {count} calls:\n  " + "\n  ".join(faults))
    return f"{count} calls refused as documented"


class Subclass(np.ndarray):
    pass


def unaligned(x):
    there = np.ndarray(x.shape, x.dtype, bytearray(x.nbytes + 1), 1)
    there[...] = x
    return there


def locked(x):
    x = x.copy()
    x.flags.writeable = False
    return x


# The same values, otherwise in memory.
FORMS = {
    "backwards": lambda x: np.flip(np.flip(x).copy()),
    "gaps": lambda x: np.repeat(x, 2, -1)[..., ::2],
    "columns": lambda x: np.array(x, order="F"),
    "swapped": lambda x: x.astype(x.dtype.newbyteorder()),
    "read-only": locked,
    "unaligned": unaligned,
    "subclass": lambda x: x.view(Subclass),
    "nothing masked": np.ma.array,
    "memoryview": memoryview,
}  # fmt: skip


def formed(value, form):
    """`value` in another form; None of what is no array of numbers."""
    if isinstance(value, tuple) and all(isinstance(x, np.ndarray) for x in value):
        return tuple(form(x) for x in value)
    if isinstance(value, list):
        try:
            value = np.array(value)
        except ValueError:
            return None
    return form(value) if isinstance(value, np.ndarray) and value.dtype.kind in "fiu" and value.ndim > 0 else None


def parts(answer):
    return [p for x in answer for p in parts(x)] if isinstance(answer, tuple) else [answer]


def agree(found, wanted):
    pairs = list(zip(parts(found), parts(wanted), strict=True))
    arrays = [(a, b) for a, b in pairs if isinstance(b, (np.ndarray, float))]
    return all(np.shape(a) == np.shape(b) and getattr(a, "dtype", 0) == getattr(b, "dtype", 0) and np.allclose(a, b) for a, b in arrays)


def other_forms(plan):
    """Each array argument of the table in every form, and outputs in some: the answer of the plain form."""
    del plan
    faults, count = [], 0

    def ask(what, function, words, wanted):
        try:
            good = agree(function(**words), wanted)
        except Exception as refusal:  # noqa: BLE001 - whatever it is, it is a fault
            good = repr(refusal)
        if good is not True:
            faults.append(f"{function.__name__}: {what}: {good or 'another answer'}")
        return 1

    for function, (words, _) in [*CALLS.items(), *((f, PLAIN[f]) for f in (wale.lu_residual_ratio, wale.reconstruction_flaw))]:
        wanted = function(**words)
        for keyword, value in words.items():
            for name, form in FORMS.items():
                other = formed(value, form)
                if other is not None:
                    count += ask(f"{keyword}, {name}", function, {**words, keyword: other}, wanted)
        if function.__module__ in ("wale._reconstruction", "wale._heights", "wale._skimage_names") and isinstance(wanted, np.ndarray):
            for name in ("backwards", "gaps", "columns"):
                count += ask(f"out, {name}", function, {**words, "out": FORMS[name](np.zeros_like(wanted))}, wanted)
    must(not faults, f"{len(faults)} of {count} calls:\n  " + "\n  ".join(faults))
    return f"{count} calls answered as of plain arrays"


ROWS = (bad_calls, other_forms)
