"""Random calls about matrices, chains and trees beside NumPy and SciPy, as call_cells.py draws those about sequences."""

import numpy as np
from call_cells import Cell, caller, shown, size, threads_word

import wale

TOLERANCE = {"float32": 2e-2, "complex64": 2e-2}


def close(ours, theirs, kind=None):
    """Within what rounding of well-conditioned systems explains; of `kind`, which a list widens."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    narrow = {kind or ours.dtype.name, ours.dtype.name} & set(TOLERANCE)
    tolerance = 2e-2 if narrow else 1e-7
    scale = np.abs(theirs).max() if theirs.size else 1
    return ours.shape == theirs.shape and bool(np.allclose(ours, theirs, rtol=tolerance, atol=tolerance * max(scale, 1e-300)))


def layout_of(draw, a):
    """The array as it is, by columns, a part of a larger one, of the other byte order, or a list."""
    lot = draw.random()
    if lot < 0.6:
        return "C", a
    if lot < 0.75:
        return "F", np.asfortranarray(a)
    if lot < 0.85:
        big = np.zeros((*a.shape[:-1], 2 * a.shape[-1]), a.dtype)
        big[..., ::2] = a
        return "strided", big[..., ::2]
    if lot < 0.92 and a.ndim > 1:
        return "transposed", np.ascontiguousarray(a.swapaxes(-1, -2)).swapaxes(-1, -2)
    if lot < 0.96 or a.size > 2000:
        return "big-endian", a.astype(a.dtype.newbyteorder(">"))
    return "list", a.tolist()


def matrix_of(draw, low=1, high=1200, batches=True):
    """Type, layout and values of a well-conditioned matrix or a batch of them."""
    kind = str(draw.choice(["float32", "float64", "float64", "complex64", "complex128"]))
    n, count = size(draw, low, high), None
    if batches and draw.random() < 0.3:
        n = size(draw, 1, 100)
        count = size(draw, 1, max(1, 400000 // (n * n)))
    shape = (n, n) if count is None else (count, n, n)
    a = draw.normal(size=shape) + (1j * draw.normal(size=shape) if kind.startswith("c") else 0)
    a += np.eye(n) * 2 * np.sqrt(n)
    layout, given = layout_of(draw, a.astype(kind))
    return kind, layout, given, n, count


def sides_of(draw, kind, n, count):
    k = [None, 1, size(draw, 2, 8), size(draw, 2, 300)][draw.choice(4, p=[0.45, 0.1, 0.25, 0.2])]
    if n * (k or 1) * (count or 1) > 3_000_000:
        k = None
    shape = ((n,) if count is None else (count, n, 1)) if k is None else ((n, k) if count is None else (count, n, k))
    b = draw.normal(size=shape) + (1j * draw.normal(size=shape) if kind.startswith("c") else 0)
    return k, layout_of(draw, b.astype(kind))


def solved(draw, threads):
    kind, layout, a, n, count = matrix_of(draw)
    k, (b_layout, b) = sides_of(draw, kind, n, count)
    word = threads_word(draw, threads)
    return Cell(shown(type=kind, layout=layout, n=n, count=count, sides=k, b=b_layout, **word),
                caller(wale.solve, a, b, **word), {"numpy": caller(np.linalg.solve, a, b)}, close)  # fmt: skip


def inverse(draw, threads):
    kind, layout, a, n, count = matrix_of(draw)
    word = threads_word(draw, threads)
    return Cell(shown(type=kind, layout=layout, n=n, count=count, **word), caller(wale.inv, a, **word),
                {"numpy": caller(np.linalg.inv, a)}, close)  # fmt: skip


def determinant(draw, threads):
    kind, layout, a, n, count = matrix_of(draw, high=100)
    word = threads_word(draw, threads)
    return Cell(shown(type=kind, layout=layout, n=n, count=count, **word), caller(wale.det, a, **word),
                {"numpy": caller(np.linalg.det, a)},
                lambda o, t: all(np.allclose(part(o), part(t), rtol=0.05 if kind in TOLERANCE else 1e-7)
                                 for part in (np.real, np.imag)))  # fmt: skip


def log_determinant(draw, threads):
    kind, layout, a, n, count = matrix_of(draw)
    word = threads_word(draw, threads)
    def alike(ours, theirs):
        return bool(np.allclose(ours[1], theirs[1], rtol=1e-3, atol=1e-3))
    return Cell(shown(type=kind, layout=layout, n=n, count=count, **word), caller(wale.slogdet, a, **word),
                {"numpy": caller(np.linalg.slogdet, a)}, alike)  # fmt: skip


def factored(draw, threads):
    import scipy.linalg

    kind, layout, a, n, count = matrix_of(draw, batches=False)
    word = threads_word(draw, threads)
    return Cell(shown(type=kind, layout=layout, n=n, **word), lambda: wale.lu_factor(a, **word)[0],
                {"scipy": lambda: scipy.linalg.lu_factor(a, check_finite=False)[0],
                 "scipy checked": lambda: scipy.linalg.lu_factor(a)[0]}, close)  # fmt: skip


def resolved(draw, threads):
    import scipy.linalg

    kind, layout, a, n, _ = matrix_of(draw, batches=False)
    k, (b_layout, b) = sides_of(draw, kind, n, None)
    trans, word = int(draw.choice([0, 0, 0, 1, 2])), threads_word(draw, threads)
    factors = wale.lu_factor(np.asarray(a))
    theirs = scipy.linalg.lu_factor(np.asarray(a))
    return Cell(shown(type=kind, n=n, sides=k, b=b_layout, trans=trans, **word),
                caller(wale.lu_solve, factors, b, trans, **word),
                {"scipy": lambda: scipy.linalg.lu_solve(theirs, b, trans, check_finite=False)},
                lambda o, t: close(o, t, kind))  # fmt: skip


def chains(draw, threads):
    """solve_banded, and of longer systems gtsv; of several systems loops."""
    import scipy.linalg

    kind = str(draw.choice(["float32", "float64", "float64", "complex64", "complex128"]))
    n, word = size(draw, 2, 200000), threads_word(draw, threads)
    count = size(draw, 1, max(1, 1000000 // n)) if draw.random() < 0.5 else None
    axis = int(draw.choice([-1, -1, 0])) if count else -1
    k = None if count or draw.random() < 0.6 else size(draw, 1, max(1, min(300, 2000000 // n)))
    def numbers(*shape):
        return (draw.normal(size=shape) + (1j * draw.normal(size=shape) if kind.startswith("c") else 0)).astype(kind)
    lead = (count,) if count else ()
    dl, d, du = numbers(*lead, n), numbers(*lead, n) + np.asarray(6, kind), numbers(*lead, n)
    b = numbers(*lead, n) if k is None else numbers(n, k)
    pivoting = str(draw.choice(["partial", "partial", "none"]))
    ours = [np.ascontiguousarray(x.T) for x in (dl, d, du, b)] if axis == 0 else [dl, d, du, b]
    table = np.zeros((3, *d.shape), kind)
    table[0, ..., 1:], table[1], table[2, ..., :-1] = du[..., :-1], d, dl[..., 1:]
    solve = scipy.linalg.solve_banded
    def banded():
        if count is None:
            return solve((1, 1), table, b, check_finite=False)
        x = np.stack([solve((1, 1), table[:, i], b[i], check_finite=False) for i in range(count)])
        return x.T if axis == 0 else x
    peers = {"scipy solve_banded": banded}
    if n >= 100:  # a function of LAPACK through SciPy, which few call
        gtsv = scipy.linalg.get_lapack_funcs("gtsv", (d, b))
        def loop():
            x = np.stack([gtsv(dl[i, 1:], d[i], du[i, :-1], b[i])[3] for i in range(count)])
            return x.T if axis == 0 else x
        peers["scipy gtsv"] = loop if count else lambda: gtsv(dl[1:], d, du[:-1], b)[3]
    return Cell(shown(type=kind, n=n, count=count, axis=axis, sides=k, pivoting=pivoting, **word),
                lambda: wale.solve_tridiagonal(*ours, pivoting=pivoting, axis=axis, **word), peers, close)  # fmt: skip


def single_systems(draw, threads):
    """Small tridiagonal systems beside LAPACK's gtsv, which few call through SciPy."""
    import scipy.linalg
    kind = str(draw.choice(["float32", "float64", "float64", "complex64", "complex128"]))
    n, word = size(draw, 2, 400), threads_word(draw, threads)
    k = None if draw.random() < 0.5 else size(draw, 1, 12)
    def numbers(*shape):
        return (draw.normal(size=shape) + (1j * draw.normal(size=shape) if kind.startswith("c") else 0)).astype(kind)
    dl, d, du, b = numbers(n - 1), numbers(n) + np.asarray(6, kind), numbers(n - 1), numbers(*((n,) if k is None else (n, k)))
    gtsv = scipy.linalg.get_lapack_funcs("gtsv", (d, b))
    def looked_at():  # as a user of LAPACK's function must
        *_, x, info = gtsv(dl, d, du, b)
        return x if info == 0 else None
    return Cell(shown(type=kind, n=n, sides=k, **word), caller(wale.solve_tridiagonal, dl, d, du, b, **word),
                {"scipy gtsv": looked_at}, close)  # fmt: skip


def trees(draw, threads):
    """Hines systems beside SciPy's sparse factors, made before; cells one after the other there."""
    import scipy.sparse
    import scipy.sparse.linalg

    n, word = size(draw, 2, 20000), threads_word(draw, threads)
    parent = np.array([-1] + [int(draw.integers(max(0, i - 20), i)) for i in range(1, n)])
    diagonal, off, rhs = draw.uniform(4, 5, n) + np.bincount(parent[1:], minlength=n), -draw.random(n), draw.normal(size=n)
    plan, at = wale.HinesPlan(parent), np.arange(1, n)
    def theirs():
        rows = np.concatenate([np.arange(n), parent[1:], at])
        columns = np.concatenate([np.arange(n), at, parent[1:]])
        a = scipy.sparse.csc_array((np.concatenate([diagonal, off[1:], off[1:]]), (rows, columns)), shape=(n, n))
        return scipy.sparse.linalg.spsolve(a, rhs)
    return Cell(shown(n=n, **word), caller(wale.hines_solve, plan, diagonal, off, off, rhs, **word),
                {"scipy spsolve": theirs}, close)  # fmt: skip


SYSTEMS = {"solve": solved, "inv": inverse, "det": determinant, "slogdet": log_determinant, "lu_factor": factored,
           "lu_solve": resolved, "solve_tridiagonal": chains, "hines_solve": trees,
           "one tridiagonal": single_systems}  # fmt: skip
