"""Determinants, by the factors of the solver `lu`."""

from __future__ import annotations

from typing import Any, NamedTuple, Tuple

import numpy as np

from . import _wale
from ._axes import Shape, product
from ._call import Call, Run, short_threads, to_device, to_host
from ._lu import factor
from ._libraries import in_their_library
from ._matrices import Matrices, matrices, short_array, square
from ._typing import Unpack


class SlogdetResult(NamedTuple):
    """sign * exp(logabsdet) is the determinant."""

    sign: Any
    logabsdet: Any


def _prepared(a: Any, run: Run) -> Tuple[Matrices, Call, Shape]:
    """A copy of the matrices, where they are factored, and the shape of the answer."""
    m = matrices("a", a, False)
    square(m)
    return m, Call(run, m.device), m.shape[:-2]


def slogdet(a: Any, **run: Unpack[Run]) -> SlogdetResult:
    """Sign and logarithm of determinants, as `numpy.linalg.slogdet`, in the factorisation's own pass.

    Parameters
    ----------
    a : array, (..., n, n)
        As for `lu_factor`.
    where, backend, variant, threads
        As for `lcs_length`.

    Returns
    -------
    SlogdetResult
        sign: -1, 0 or 1, of complex matrices a number of magnitude 1 or 0, and logabsdet: -inf where singular; both
        NaN where the matrix holds NaN.

    Raises
    ------
    BadArgument, TypeError
        Where shapes do not fit, or elements are no numbers of at most 64 bits a part.

    Examples
    --------
    >>> import numpy as np, wale
    >>> sign, logabsdet = wale.slogdet(np.diag([2.0, -4.0]))
    >>> float(sign), round(float(np.exp(logabsdet)), 12)
    (-1.0, 8.0)
    """
    threads = short_threads(run) if run else 0
    short = short_array(a) if threads is not None else None
    if threads is not None and short is not None:
        shape = short.shape[:-2]
        sign = np.empty(shape, np.complex128 if short.dtype.kind == "c" else np.float64)
        log = np.empty(shape)
        if _wale.plain_determinants(short, sign, log, None, threads):
            return SlogdetResult(sign[()], log[()])
    return _any_slogdet(a, run)


@in_their_library
def _any_slogdet(a: Any, run: Run) -> SlogdetResult:
    m, call, shape = _prepared(a, run)
    count = product(shape)
    kind = "complex128" if m.dtype.startswith("complex") else "float64"
    sign, log = call.empty((count,), kind), call.empty((count,), "float64")
    factor(call, m, sign, log)
    sign, log = call.back(sign, shape), call.back(log, shape)
    if not shape and m.device is None:
        sign, log = sign[()], log[()]
    return SlogdetResult(sign, log)


def det(a: Any, **run: Unpack[Run]) -> Any:
    """Determinants, as `numpy.linalg.det`. `slogdet` neither over- nor underflows.

    Parameters
    ----------
    a : array, (..., n, n)
        As for `lu_factor`.
    where, backend, variant, threads
        As for `lcs_length`.

    Returns
    -------
    number, or array of the leading axes

    Raises
    ------
    BadArgument, TypeError
        Where shapes do not fit, or elements are no numbers of at most 64 bits a part.

    Examples
    --------
    >>> import numpy as np, wale
    >>> float(wale.det(np.diag([2.0, -4.0])))
    -8.0
    """
    threads = short_threads(run) if run else 0
    short = short_array(a) if threads is not None else None
    if threads is not None and short is not None:
        value = np.empty(short.shape[:-2], short.dtype)
        if _wale.plain_determinants(short, None, None, value, threads):
            return value[()]
    return _any_det(a, run)


@in_their_library
def _any_det(a: Any, run: Run) -> Any:
    m, call, shape = _prepared(a, run)
    if call.at.backend == "cuda":
        sign, log = slogdet(a, where=call.at, variant=call.variant)
        value = to_host(sign) * np.exp(to_host(log))
        return value if m.device is None else call.back(to_device(value, m.device), shape)
    lu, piv, _ = factor(call, m)
    value = np.empty(shape, m.dtype)
    _wale.determinants(lu, piv, value)
    return value[()]
