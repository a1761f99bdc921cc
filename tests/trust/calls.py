"""Python calls that cannot succeed: each raises an exception that is documented, with one line that says why."""

import time
import warnings

import numpy as np
import wale
from plan import exception_of, must

MASKED = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[0, 1], [0, 0]])
SQUARE = np.array([[4.0, 1.0], [1.0, 3.0]])
IMAGE = np.arange(30, dtype=np.uint8).reshape(5, 6) % 7
MARKERS = (IMAGE == 0).astype(np.int32)
ROW = np.ones(4)
NO_MATRIX = (None, object(), {1: 2}, 2j, np.array(["2020-01-01"], "M8[D]"), MASKED, [[1], [1, 2]])
NEVER = (*NO_MATRIX, np.array([[1j]]))
SYMBOLS = (*NEVER[:3], 3.5, np.array([1.5]), np.zeros((2, 2, 2)), np.ma.array([1, 2], mask=[0, 1]), 2j)
SERIES = (*NEVER, [], 5.0, "text", np.zeros((2, 2, 2, 2)), [1.0, np.nan], [np.inf], np.zeros((0, 2)))
BATCHES = (None, object(), {1: 2}, 5, "abc", [1.5], [None], ["a", b"a"], (b"ab", [0, 9]), (b"ab", [2, 1]))
PARENTS = (*NEVER, [0.5, -1.0], [-1, 7], [-2, 0], [1, 0], [0, 0])
NUMBERS = (None, "3", [3], 3j, b"3", float("nan"), object())
WHOLE = ("3", 2.5, [3], 3j, float("nan"), -7, 2**70, object())
WORDS = ("", "nothing", 7, b"none", None, ["partial"])
RUN = {"threads": (-1, 2.5, "2", 10**7, None, 2**70), "backend": ("", "gpu", 5, None), "variant": ("cpu/none", "x", 3, None),
       "where": ("cpu", 5, object()), "conectivity": (1,)}  # fmt: skip

# A call that succeeds by its keywords, and for each keyword the values that no answer could be right for.
CALLS = {
    wale.edit_distance: ({"a": b"ab", "b": b"cb"}, {"a": SYMBOLS, "b": SYMBOLS, "bound": WHOLE}),
    wale.lcs_length: ({"a": "ab", "b": "cb"}, {"a": SYMBOLS, "b": SYMBOLS}),
    wale.lcs_string: ({"a": "ab", "b": "cb"}, {"a": SYMBOLS}),
    wale.edit_distances: ({"a": ["ab"], "b": ["b"]}, {"a": BATCHES, "b": BATCHES, "bound": WHOLE}),
    wale.cdist: ({"queries": ["ab"], "targets": ["b"]}, {"queries": BATCHES, "metric": WORDS, "cutoff": WHOLE}),
    wale.align: ({"query": "ab", "target": "b"}, {"query": SYMBOLS, "mode": WORDS, "task": WORDS, "open": ("x", -(2**40))}),
    wale.locate: ({"queries": ["ab"], "text": "abc"}, {"queries": BATCHES, "text": SYMBOLS, "mode": WORDS}),
    wale.dtw: (
        {"x": [1.0, 2.0], "y": [3.0]}, {"x": SERIES, "y": SERIES, "cost": WORDS, "window": WHOLE, "gamma": (*NUMBERS, -1), "path": (1, "x")}),
    wale.cdist_dtw: (
        {"queries": [[1.0]], "targets": [[2.0]]},
        {"queries": (None, object(), {1: 2}, 2j, "ab", 3, [[]], [[1j]], [[1.0], [np.nan]], ["a"], [[1.0], [[1.0, 2.0]]]), "window": WHOLE}),
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
    wale.select_objects: ({"image": IMAGE, "points": [(0, 0)]}, {"points": (None, [(99, 0)], [(-1, 0)], [(0,)], "x", [(0.5, 1)])}),
}  # fmt: skip
WITHOUT_NONE = {"bound", "cutoff", "window", "k", "footprint", "out", "where", "connectivity"}  # None is their default
RIGHT = (TypeError, ValueError, np.linalg.LinAlgError, wale.Error, MemoryError)


def table():
    """The name of a call, the call, and its keywords with one that is wrong."""
    for function, (good, wrong) in CALLS.items():
        for keyword, values in [*wrong.items(), *RUN.items()]:
            for value in values:
                if not (value is None and keyword in WITHOUT_NONE):
                    yield f"{function.__name__}({keyword}={value!r})", function, {**good, keyword: value}


def bad_calls(plan):
    """Every call of the table; first each call as it is right."""
    for function, (good, _) in CALLS.items():
        refusal = exception_of(lambda: function(**good))
        must(refusal is None, f"{function.__name__}: {refusal!r} where nothing is wrong")
    faults, count = [], 0
    for name, function, words in table():
        begin, count = time.monotonic(), count + 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            refusal = exception_of(lambda: function(**words))
        said = str(refusal)
        if refusal is None:
            faults.append(f"{name}: gives an answer")
        elif not isinstance(refusal, RIGHT):
            faults.append(f"{name}: {refusal!r}")
        elif not said.strip() or len(said.splitlines()) > 2 or "_wale." in said or "incompatible function" in said:
            faults.append(f"{name}: {type(refusal).__name__} says {said[:200]!r}")
        if time.monotonic() - begin > 5:
            faults.append(f"{name}: takes {time.monotonic() - begin:.1f} s")
    must(not faults, f"{len(faults)} of {count} calls:\n  " + "\n  ".join(faults))
    return f"{count} calls refused as documented"


ROWS = (bad_calls,)
