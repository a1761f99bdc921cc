"""Tridiagonal factors in LAPACK's form, which the caller keeps."""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence, Tuple

import numpy as np

from . import _inputs, _wale
from ._axes import product
from ._call import Call, Run, remember
from ._chains import right_sides
from ._libraries import in_their_library
from ._typing import Unpack
from ._vectors import Vectors, alike, vectors


class Gttrf(NamedTuple):
    """The answer of `gttrf`."""

    dl: Any
    d: Any
    du: Any
    du2: Any
    ipiv: Any
    info: Any


def _lapack_call(run: Run, arrays: Sequence[Vectors]) -> Call:
    if any(v.device is not None for v in arrays):
        raise _wale.BadArgument("d: is on a device, expected arrays of NumPy for factors in LAPACK's form")
    if not {"where", "backend", "variant"} & set(run):
        run["backend"] = "cpu"
    return Call(run, None)


def _lapack_arrays(arrays: Sequence[Vectors], ipiv: Any) -> _wale.LapackArrays:
    """dl, d, du and du2 of one batch."""
    shape = arrays[1].shape
    if not shape:
        raise _wale.BadArgument("d: has no dimension, expected one or more")
    for name, v, less in zip(("dl", "du", "du2"), (arrays[0], *arrays[2:]), (1, 1, 2)):
        expected = (*shape[:-1], max(shape[-1] - less, 0))
        if v.shape != expected:
            raise _wale.BadArgument(f"{name}: has shape {v.shape}, expected {expected}")
    lower, middle, upper, second = (np.require(v.array, requirements=["C", "W"]) for v in arrays)  # as the binding takes them
    return _wale.LapackArrays(lower, middle, upper, second, ipiv, shape[-1], product(shape[:-1]))


@in_their_library
def gttrf(dl: Any, d: Any, du: Any, **run: Unpack[Run]) -> Gttrf:
    """Factors tridiagonal matrices as LAPACK's xGTTRF, into arrays that the caller keeps: P A = L U.

    Parameters
    ----------
    dl, d, du : array, (..., n - 1), (..., n), (..., n - 1)
        Below, on and above the diagonal; leading axes count systems. NumPy: real numbers, or complex64 or complex128.
    where, backend, variant, threads
        Where and how it runs: on the host.

    Returns
    -------
    Gttrf
        (dl, d, du, du2, ipiv, info) as of `scipy.linalg.lapack.dgttrf`: multipliers, the three diagonals of U,
        (..., n - 2) the last; ipiv, (..., n), counts rows from 1. info: 0, or the first pivot that is 0 counted
        from 1; an array where there are leading axes.

    Raises
    ------
    BadArgument, TypeError
        Where shapes do not fit, or elements are no numbers of at most 64 bits a part.

    Examples
    --------
    >>> import wale
    >>> f = wale.gttrf([1.0, 2.0], [0.5, 3.0, 1.0], [1.0, 1.0])
    >>> f.ipiv, f.info
    (array([2, 3, 3], dtype=int32), 0)
    """
    names = ("d", "dl", "du")
    middle, lower, upper = alike(names, [vectors(n, a) for n, a in zip(names, (d, dl, du))])
    call = _lapack_call(run, (middle, lower, upper))
    shape = middle.shape
    second = np.empty((*shape[:-1], max(shape[-1] - 2, 0)) if shape else (), middle.dtype)
    arrays = [v._replace(array=v.array.copy()) for v in (lower, middle, upper)]
    arrays.append(Vectors(second, second.shape, middle.dtype, None))
    ipiv, info = np.empty(shape, np.int32), np.full(shape[:-1], -1, np.int64)
    outcome = _wale.gttrf(call.at, _lapack_arrays(arrays, ipiv), info, call.variant)
    remember(outcome.run)
    lower, middle, upper, second = (v.array for v in arrays)
    return Gttrf(lower, middle, upper, second, ipiv, info + 1 if info.ndim else int(info) + 1)


@in_their_library
def gttrs(
    dl: Any, d: Any, du: Any, du2: Any, ipiv: Any, b: Any, trans: str = "N", **run: Unpack[Run]
) -> Tuple[Any, int]:
    """Solves with the factors that `gttrf`, or LAPACK's xGTTRF, has left.

    Parameters
    ----------
    dl, d, du, du2, ipiv
        As `gttrf` returns them.
    b : array, (..., n) or (..., n, k)
        Right-hand sides.
    trans : {"N", "T", "C"}
        "N": A x = b; "T": A^T x = b; "C": A^H x = b, with the conjugates.
    where, backend, variant, threads
        Where and how it runs: on the host.

    Returns
    -------
    (array, int)
        x, of the shape of b, and 0. Not finite where a pivot was 0.

    Raises
    ------
    BadArgument, TypeError
        Where shapes do not fit, or elements are no numbers of at most 64 bits a part.

    Examples
    --------
    >>> import wale
    >>> dl, d, du, du2, ipiv, info = wale.gttrf([1.0, 1.0], [4.0, 4.0, 4.0], [1.0, 1.0])
    >>> wale.gttrs(dl, d, du, du2, ipiv, [5.0, 6.0, 5.0])
    (array([1., 1., 1.]), 0)
    """
    if trans not in ("N", "T", "C", b"N", b"T", b"C"):
        raise _wale.BadArgument(f"trans: is {trans!r}, expected 'N', 'T' or 'C'")
    names = ("d", "dl", "du", "du2", "b")
    middle, lower, upper, second, right = alike(names, [vectors(n, a) for n, a in zip(names, (d, dl, du, du2, b))])
    call = _lapack_call(run, (middle, lower, upper, second, right))
    rows = _inputs.host_array(ipiv, "ipiv")
    if rows.dtype.kind not in "iu" or rows.shape != middle.shape:
        raise _wale.BadArgument(f"ipiv: is {rows.dtype} of shape {rows.shape}, expected integers, {middle.shape}")
    if rows.size and (rows.min() < 1 or rows.max() > middle.shape[-1]):
        raise _wale.BadArgument(f"ipiv: holds {rows.min()} to {rows.max()}, expected 1 to {middle.shape[-1]}")
    arrays = _lapack_arrays((lower, middle, upper, second), np.require(rows, np.int32, ["C", "W"]))
    ready, shape, restored = right_sides(right, middle, -1)
    conjugated = trans in ("C", b"C") and right.dtype.startswith("complex")  # A^H x = b: A^T and conjugates about it
    x = np.conj(ready.array) if conjugated else ready.array.copy()
    outcome = _wale.gttrs(call.at, arrays, x, shape, trans not in ("N", b"N"), call.variant)
    remember(outcome.run)
    return restored(np.conj(x) if conjugated else x), 0
