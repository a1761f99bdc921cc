"""The same call on one thread and on several: the same bits, whatever `automatic` chooses."""

import math

import numpy as np
import wale
from differential import AREAS
from plan import must
from systems import TYPES, uniform


def size(plan, most):
    return int(math.exp(plan.draw.uniform(0, math.log(most))))


def matrices(plan):
    """LU and what is made of it, of one matrix or a batch."""
    n, dtype = size(plan, 700), plan.draw.choice(TYPES)
    count = plan.draw.choice([(), (), (3,), (20,)]) if n < 150 else ()
    a, b = uniform(plan, (*count, n, n), dtype), uniform(plan, (*count, n, plan.draw.choice([1, 2, 7, 16, 17, 40])), dtype)
    both = wale.lu_factor(a)
    name = plan.draw.choice(["lu_factor", "solve", "inv", "det", "lu_solve"])
    arguments = {"solve": (a, b), "lu_solve": (both, b)}.get(name, (a,))
    return lambda **run: getattr(wale, name)(*arguments, **run), (name, a.dtype, b.shape)


def chains(plan):
    n, dtype = size(plan, 300_000), plan.draw.choice(TYPES)
    systems = max(1, min(size(plan, 3000), 400_000 // n))
    axis = plan.draw.choice([-1, 0])
    lower, diagonal, upper, b = (uniform(plan, (systems, n) if axis else (n, systems), dtype) for _ in range(4))
    words = {"axis": axis, "pivoting": plan.draw.choice(["none", "partial"])}
    diagonal += np.where(diagonal.real < 0, -3, 3).astype(dtype)
    return lambda **run: wale.solve_tridiagonal(lower, diagonal, upper, b, **words, **run), (b.shape, b.dtype, words)


def trees(plan):
    """Paths, random and binary trees, and branches of some fifty nodes."""
    n, kind = size(plan, 400_000), plan.draw.choice(["path", "random", "binary", "branches"])
    node = np.arange(n)
    parent = {
        "path": node - 1,
        "random": (plan.rng.random(n) * node).astype(int),
        "binary": (node - 1) // 2,
        "branches": np.maximum(node - 1 - (plan.rng.random(n) < 0.02) * plan.rng.integers(0, 50, n), 0),
    }[kind]
    parent[0] = -1
    dtype, vectors = plan.draw.choice(["f4", "f8"]), plan.draw.choice([1, 1, 2, 9])
    diagonal, upper, lower, b = (plan.rng.random((vectors, n)).astype(dtype) for _ in range(4))
    return lambda **run: wale.hines_solve(parent, diagonal + 4, -upper, -lower, b, **run), (kind, n, vectors, dtype)


def bits(answer):
    return [bits(part) for part in answer] if isinstance(answer, (tuple, list)) else answer.tobytes() if isinstance(answer, np.ndarray) else repr(answer)


def same_bits(plan):
    """Random calls of every solver: 1, 2, 3 and all threads give the same bits."""
    calls = 0
    for number in range(plan.count(12, 1000)):
        problems = [(area.__name__, *area(plan)) for _ in range(3) for area in (matrices, chains, trees)]
        problems += [(area.__name__, *area(plan)[1:]) for area in AREAS]
        for name, ask, what in problems:
            alone, variant = bits(ask(threads=1)), wale.last_report().variant
            for run in ({"threads": 2}, {"threads": 3}, {}):
                must(bits(ask(**run)) == alone, f"{name} {number}: {what} by {variant} on one thread, {wale.last_report().variant} with {run}: other bits")
            calls += 1
    return f"{calls} calls"


ROWS = (same_bits,)
