"""python failing_python.py SEED MOST, under the library of failing_calls.cpp: Python calls of which one call of the C
library fails, at most MOST of each kind. Prints as JSON what went wrong: another exception than the documented ones, a
message of several lines, a file left behind, memory that is not freed. Started by faults.py, in an empty folder."""

import ctypes
import gc
import json
import os
import pathlib
import random
import sys
import tempfile

import numpy as np
import soak
import wale
import wale.euler
from plan import exception_of

SHIM = ctypes.CDLL(None)
SHIM.failing_calls_held.restype = ctypes.c_size_t
SHIM.failing_calls_end.restype = ctypes.c_long
OUT_OF_MEMORY, IN, OUT = (MemoryError,), (wale.CannotOpen, OSError), (wale.CannotWrite, OSError)
# SystemError: NumPy's ufuncs and nanobind's objects where they cannot allocate.
RIGHT = {"malloc": (MemoryError, SystemError), "thread": OUT_OF_MEMORY, "fork": OUT_OF_MEMORY, "open": IN + OUT, "read": IN, "write": OUT,
         "fsync": OUT, "rename": OUT}  # fmt: skip
LEAST = 512  # bytes of an allocation that fails: nanobind ends the process where a small one of its own fails
KEPT = 64  # bytes that one refused call may keep: what Python itself caches of an exception


def under(fault, call, kind):
    """The exception of the call, or None, and how many calls of this kind it made."""
    SHIM.failing_calls_begin(fault.encode(), ctypes.c_size_t(LEAST))
    refusal = exception_of(call)
    return refusal, SHIM.failing_calls_end(kind.encode())


def calls_of(folder):
    """The calls of the soak that succeed, and some that write."""
    mesh = wale.euler.generate_mesh("shell", size=300)
    mixed = soak.calls_of(folder, np.random.default_rng(1))[: -soak.REFUSED]
    return [*(lambda call=call: call(97) for call in mixed),
            lambda: wale.grow_neuron(folder / "x.swc", levels=1), lambda: mesh.save(folder / "x.su2"),
            lambda: mesh.save(folder / "x.wmesh", "su2"), lambda: wale.euler.read_mesh(folder / "x.su2")]  # fmt: skip


def fault_of(kind, fault, call, folder):
    """What is wrong with a call under this fault, or an empty text; and the refusal."""
    refusal = under(fault, call, kind)[0]
    said = str(refusal)
    left = [name for name in os.listdir(folder) if ".tmp." in name]
    if left:
        return f"leaves {left}", refusal
    if refusal is None or isinstance(refusal, RIGHT[kind]) and len(said.splitlines()) < 3:
        return "", refusal
    return f"{refusal!r:.300}", refusal


def main():
    draw, most = random.Random(int(sys.argv[1])), int(sys.argv[2])
    wrong, faults, refused = [], 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        calls = calls_of(folder)
        for index, call in enumerate(calls):
            for _ in range(3):
                call()
            for kind in RIGHT:
                count = under("", call, kind)[1]
                chosen = range(1, count + 1) if count <= most else sorted(draw.sample(range(1, count + 1), most))
                # What is kept once, by Python or by a thread of the pool when it first has a part of the work, is no leak: a leak
                # grows each time.
                grown = []
                while chosen and len(grown) < 6 and all(bytes > KEPT * len(chosen) + 4096 for bytes in grown[1:]):
                    gc.collect()
                    before = SHIM.failing_calls_held()
                    for k in chosen:
                        fault, refusal = fault_of(kind, f"{kind}:{k}", call, folder)
                        faults, refused = faults + 1, refused + (refusal is not None)
                        if fault:
                            wrong.append(f"call {index}, {kind} {k} of {count}: {fault}")
                        del refusal
                    gc.collect()
                    grown.append(SHIM.failing_calls_held() - before)
                if len(grown) == 6:
                    wrong.append(f"call {index}, {kind}: {grown} bytes kept of {len(chosen)} refusals")
    print(json.dumps({"calls": len(calls), "faults": faults, "refused": refused, "wrong": wrong[:40]}))


if __name__ == "__main__":
    main()
