"""The solver `lu`: dense LU with SciPy's and NumPy's names, one matrix or many."""

from __future__ import annotations

import warnings
from typing import Any, Dict, Optional, Tuple, overload

import numpy as np

from . import _inputs, _wale
from ._call import Call, Run, Where, copied, filled, remember, short_threads
from ._libraries import in_their_library
from ._matrices import (
    NAMES, Matrices, as_flat, expect_finite, flat_shape, float_type, matrices, reshaped_on_device, right_sides, short_array,
    square,
)  # fmt: skip
from ._typing import Host, Unpack

class Factors(tuple):
    """`lu, piv = lu_factor(a)`, as in SciPy, and the outcome as an attribute.

    Attributes
    ----------
    lu : array
        U on and above the diagonal, L below it without its unit diagonal.
    piv : array of int32
        Row k was exchanged with row piv[k].
    outcome : LuOutcome
        First zero pivot, growth, reciprocal condition, and what ran.
    """

    lu: Any
    piv: Any
    outcome: _wale.LuOutcome

    def __new__(cls, lu: Any, piv: Any, outcome: _wale.LuOutcome) -> Factors:
        self = super().__new__(cls, (lu, piv))
        self.lu, self.piv, self.outcome = lu, piv, outcome
        return self

    def __getnewargs__(self) -> Tuple[Any, Any, _wale.LuOutcome]:
        return self.lu, self.piv, self.outcome

    def _repr_html_(self) -> str:
        fields = ("lu", "U on and above the diagonal, L below it"), ("piv", "row k was exchanged with row piv[k]")
        return _wale.html_table(self, [*fields, ("outcome", "what became of the factorisation")])


def factor(
    call: Call, m: Matrices, sign: Any = None, log: Any = None, **options: Any
) -> Tuple[Any, Any, _wale.LuOutcome]:
    (array,) = call.move(m.array)
    flat = flat_shape(m.shape)
    count = flat[0] if len(flat) == 3 else 1
    piv = call.empty((count * min(m.shape[-2:]),), "int32")
    how = filled(_wale.LuOptions(), {"variant": call.variant, **options})
    outcome = _wale.lu_factor(call.at, array, piv, sign, log, how)
    return array, piv, outcome


def lu_factor(
    a: Any,
    overwrite_a: bool = False,
    check_finite: bool = False,
    *,
    pivoting: str = "partial",
    perturbation: float = 0.0,
    growth: bool = False,
    condition: bool = False,
    **run: Unpack[Run],
) -> Factors:
    """P A = L U, as `scipy.linalg.lu_factor`; leading axes count matrices.

    Parameters
    ----------
    a : array, (..., m, n)
        float32, float64, complex64 or complex128, rows or columns contiguous; anything else is copied to float64
        or complex128. Pivots of complex matrices are the largest |re| + |im|, as in LAPACK. NumPy, or an array
        of a device that speaks DLPack: the factors then stay there.
    overwrite_a : bool
        Factor in the memory of `a` where that can be.
    check_finite : bool
        Refuse NaN and Inf, as SciPy does by default; otherwise `outcome.not_finite` counts them.
    pivoting : {"partial", "none", "tournament"}
    perturbation : float
        For pivoting "none": a pivot below perturbation * max|a| is moved to that.
    growth, condition : bool
        Measure max|U| / max|A|; estimate the reciprocal condition.
    where, backend, variant, threads
        Where and how it runs; `wale.variants("lu")` lists what there is.

    Returns
    -------
    Factors
        (lu, piv), with the attribute `outcome`. A zero pivot is a RuntimeWarning, and `outcome.first_zero`.

    Raises
    ------
    BadArgument, TypeError
        Where shapes do not fit, or elements are no numbers of at most 64 bits a part.

    Examples
    --------
    >>> import numpy as np, wale
    >>> lu, piv = wale.lu_factor(np.array([[1.0, 2.0], [4.0, 3.0]]))
    >>> lu
    array([[4.  , 3.  ],
           [0.25, 1.25]])
    >>> piv
    array([1, 1], dtype=int32)
    """
    factors = None
    if overwrite_a is not False or check_finite is not False:
        overwrite_a = _inputs.truth("overwrite_a", overwrite_a)
        expect_finite("a", a, check_finite)
    if pivoting == "partial" and perturbation == 0 and growth is False and condition is False and overwrite_a is False:
        factors = _short_factors(short_array(a), run)
    if factors is None:
        options = {"pivoting": pivoting, "perturbation": perturbation, "growth": growth, "condition": condition}
        factors = _any_factors(a, overwrite_a, run, options)
    outcome = factors.outcome
    if outcome.singular:
        shape = getattr(factors.piv, "shape", None) or _wale.inspect(factors.piv).shape
        matrix = f" of matrix {outcome.first_singular}" if len(shape) > 1 else ""
        warnings.warn(f"pivot {outcome.first_zero}{matrix} is exactly zero", RuntimeWarning, stacklevel=2)
    return factors


def _short_factors(a: Any, run: Run) -> Optional[Factors]:
    """Factors of a short array with pivoting on the CPU; None where the call needs a closer look."""
    threads = short_threads(run) if run else 0
    if a is None or threads is None or not 2 <= a.ndim <= 3:
        return None
    by_columns = a.ndim == 2 and a.flags.f_contiguous and not a.flags.c_contiguous
    lu = a.copy("F" if by_columns else "C")
    piv = np.empty((*a.shape[:-2], min(a.shape[-2:])), np.int32)
    outcome = _wale.plain_factor(lu.T if by_columns else lu, by_columns, piv, threads)
    return None if outcome is None else Factors(lu, piv, outcome)


@in_their_library
def _any_factors(a: Any, overwrite: bool, run: Run, options: Dict[str, Any]) -> Factors:
    m = matrices("a", a, overwrite)
    call = Call(run, m.device)
    array, piv, outcome = factor(call, m, **options)
    shape = (*m.shape[:-2], min(m.shape[-2:]))
    return Factors(call.back(array, m.shape), call.back(piv, shape), outcome)


def _factors(name: str, value: Any) -> Tuple[Any, Any]:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise TypeError(f"{name}: is {_inputs.described(value)}, expected (lu, piv) as of lu_factor")
    return value[0], value[1]


@overload
def lu_solve(
    lu_and_piv: Any, b: Host, trans: int = ..., overwrite_b: bool = ..., check_finite: bool = ..., **run: Unpack[Run]
) -> np.ndarray: ...
@overload
def lu_solve(
    lu_and_piv: Any, b: Any, trans: int = ..., overwrite_b: bool = ..., check_finite: bool = ..., **run: Unpack[Run]
) -> Any: ...
def lu_solve(
    lu_and_piv: Any, b: Any, trans: int = 0, overwrite_b: bool = False, check_finite: bool = False, **run: Unpack[Run]
) -> Any:
    """Solves A x = b from `lu_factor`'s answer, as `scipy.linalg.lu_solve`.

    Parameters
    ----------
    lu_and_piv : (lu, piv)
    b : array, (n,) or (..., n, k)
        Right-hand sides as for `solve`; in the memory of the factors.
    trans : {0, 1, 2}
        1: solve with the transpose of A; 2: with its conjugate transpose.
    overwrite_b : bool
        Solve in the memory of `b` where that can be.
    check_finite : bool
        Refuse NaN and Inf in `b`, as SciPy does by default.

    Returns
    -------
    array, (..., n) or (..., n, k)
        x, of the shape of b with the leading axes of both. Infinite or NaN where A is singular.

    Raises
    ------
    BadArgument, TypeError
        Where shapes do not fit, or elements are no numbers of at most 64 bits a part.

    Examples
    --------
    >>> import numpy as np, wale
    >>> a = np.array([[1.0, 2.0], [4.0, 3.0]])
    >>> wale.lu_solve(wale.lu_factor(a), [5.0, 10.0])
    array([1., 2.])
    """
    if trans not in (0, 1, 2):
        raise _wale.BadArgument(f"trans: is {_inputs.shown(trans)}, expected 0, 1 or 2")
    if overwrite_b is not False or check_finite is not False or type(trans) is not int:
        trans, overwrite_b = int(trans), _inputs.truth("overwrite_b", overwrite_b)
        expect_finite("b", b, check_finite)
    lu, piv = _factors("lu_and_piv", lu_and_piv)
    short = short_array(b) if type(lu) is type(piv) is np.ndarray and overwrite_b is False else None
    if short is not None:
        threads = short_threads(run) if run else 0
        factors = lu if lu.dtype == short.dtype or lu.dtype in NAMES else short_array(lu)
        if threads is not None and factors is not None:
            if factors.dtype != short.dtype:
                common = np.result_type(short, factors)
                short, factors = (side.astype(common, copy=False) for side in (short, factors))
            x = short.copy() if short is b else np.ascontiguousarray(short)
            if _wale.plain_lu_solve(factors, piv, x, trans, threads):
                return x
    return _any_lu_solution(lu, piv, b, trans, overwrite_b, run)


@in_their_library
def _any_lu_solution(lu: Any, piv: Any, b: Any, trans: int, overwrite_b: bool, run: Run) -> Any:
    found = _inputs.on_device(lu)
    device = None if found is None else found.device
    factors = _inputs.number_array("lu", lu if found is None else ())
    lu_shape = found.shape if found is not None else factors.shape
    if found is None:
        factors = factors.astype(float_type(factors), copy=False)
        right, finished = right_sides(b, lu_shape, overwrite_b, "lu")
        if right.dtype != NAMES[factors.dtype]:
            common = np.result_type(right.dtype, factors.dtype)
            right = right._replace(array=right.array.astype(common, copy=False))
            factors = factors.astype(common, copy=False)
        lu = as_flat(factors)
        piv = _inputs.exact_integers("piv", piv, np.int32).reshape(-1)
    else:
        lu = reshaped_on_device(found.array, lu_shape)
        right, finished = right_sides(b, lu_shape, overwrite_b, "lu")
    if right.device != device:
        raise _wale.BadArgument("b: expected in the memory of lu (wale.to_device)")
    call = Call(run, device)
    lu, piv, x = call.move(lu, piv, right.array)
    _wale.lu_solve(call.at, lu, piv, x, trans, call.variant)
    return finished(call, x)


@in_their_library
def _solved(a: Any, b: Any, run: Run) -> Tuple[Any, _wale.LuOutcome]:
    m = matrices("a", a, True)  # _wale.solve keeps it as it is, and works in memory of its own
    square(m)
    right, finished = right_sides(b, m.shape, False)
    if right.device != m.device:
        raise _wale.BadArgument("b: expected in the memory of a (wale.to_device)")
    if m.device is None and right.dtype != m.dtype:
        common = np.result_type(right.dtype, m.dtype)
        m = m._replace(array=m.array.astype(common, copy=False), dtype=common.name)
        right = right._replace(array=right.array.astype(common, copy=False))
    call = Call(run, m.device)
    solver = call.namesake("lu", "solve")
    if not call.on_cuda:
        outcome = _wale.solve(call.at, m.array, right.array, call.variant, solver)
        return finished(call, right.array), outcome
    if m.device is not None:
        m = m._replace(array=copied(m.device, m.array, flat_shape(m.shape), m.dtype))
    lu, piv, outcome = factor(call, m)
    (x,) = call.move(right.array)
    _wale.lu_solve(call.at, lu, piv, x, 0, solver)
    return finished(call, x), outcome


def _raise_if_singular(outcome: _wale.LuOutcome) -> None:
    if outcome.singular:
        where = f"matrix {outcome.first_singular} is singular"
        raise np.linalg.LinAlgError(f"{where}: pivot {outcome.first_zero} is 0")


@overload
def solve(a: Host, b: Host, **run: Unpack[Run]) -> np.ndarray: ...
@overload
def solve(a: Any, b: Any, **run: Unpack[Run]) -> Any: ...
def solve(a: Any, b: Any, **run: Unpack[Run]) -> Any:
    """Solves A x = b, as `numpy.linalg.solve` of NumPy 2.

    Parameters
    ----------
    a : array, (..., n, n)
        As for `lu_factor`.
    b : array, (n,) or (..., n, k)
        One axis: a vector, for every matrix. More: matrices of columns. Leading axes broadcast with those of `a`;
        no matrix is factored twice. On a device they must be those of `a`.
    where, backend, variant, threads
        As for `lu_factor`.

    Returns
    -------
    array, (..., n) or (..., n, k)
        x, of the shape of b with the leading axes of both.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where a matrix is singular: a pivot is exactly 0.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.solve(np.array([[1.0, 2.0], [4.0, 3.0]]), [5.0, 10.0])
    array([1., 2.])
    """
    short_a, short_b = short_array(a), short_array(b)
    if short_a is not None and short_b is not None:
        threads = short_threads(run) if run else 0
        if threads is not None:
            if short_a.dtype != short_b.dtype:
                common = np.result_type(short_a, short_b)
                short_a, short_b = (side.astype(common, copy=False) for side in (short_a, short_b))
            x = short_b.copy() if short_b is b else short_b
            if _wale.plain_solve(short_a, x, threads):
                return x
    x, outcome = _solved(a, b, run)
    _raise_if_singular(outcome)
    return x


@overload
def inv(a: Host, overwrite_a: bool = ..., **run: Unpack[Run]) -> np.ndarray: ...
@overload
def inv(a: Any, overwrite_a: bool = ..., **run: Unpack[Run]) -> Any: ...
def inv(a: Any, overwrite_a: bool = False, **run: Unpack[Run]) -> Any:
    """The inverses of matrices, as `numpy.linalg.inv`.

    Parameters
    ----------
    a : array, (..., n, n)
        As for `lu_factor`.
    overwrite_a : bool
        Invert in the memory of `a` where that can be.
    where, backend, variant, threads
        As for `lcs_length`.

    Returns
    -------
    array, (..., n, n)

    Raises
    ------
    numpy.linalg.LinAlgError
        Where a matrix is singular.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.inv(np.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    short = None if _inputs.truth("overwrite_a", overwrite_a) else short_array(a)
    if short is not None:
        threads = short_threads(run) if run else 0
        if threads is not None:
            x = short.copy() if short is a else np.ascontiguousarray(short)
            if _wale.plain_inverse(x, threads):
                return x
    return _any_inverse(a, overwrite_a, run)


@in_their_library
def _any_inverse(a: Any, overwrite: bool, run: Run) -> Any:
    m = matrices("a", a, overwrite)
    square(m)
    call = Call(run, m.device)
    lu, piv, outcome = factor(call, m)
    _raise_if_singular(outcome)
    _wale.lu_inverse(call.at, lu, piv, call.namesake("lu", "inverse"))
    return call.back(lu, m.shape)


def lu_residual_ratio(
    a: Any, lu_and_piv: Any, *, where: Where = None, backend: str = "auto", threads: int = 0
) -> float:
    """LAPACK's measure of a factorisation: the largest |P A - L U| / (n |A| eps); good below 30.

    Parameters
    ----------
    a : array, (..., m, n)
        The matrices that were factored.
    lu_and_piv : (lu, piv)
        Their factors.
    where, backend, variant, threads
        As for `lcs_length`.

    Returns
    -------
    float

    Raises
    ------
    BadArgument, TypeError
        Where shapes do not fit, or elements are no numbers of at most 64 bits a part.

    Examples
    --------
    >>> import numpy as np, wale
    >>> a = np.random.default_rng(1).normal(size=(50, 50))
    >>> wale.lu_residual_ratio(a, wale.lu_factor(a)) < 30
    True
    """
    lu, piv = _factors("lu_and_piv", lu_and_piv)
    m = matrices("a", a, True)
    found = _inputs.on_device(lu)
    call = Call({"where": where, "backend": backend, "threads": threads}, m.device)
    if found is None:
        lu = _inputs.host_array(lu, "lu")
        lu = as_flat(lu)
        piv = _inputs.exact_integers("piv", piv, np.int32).reshape(-1)
    else:
        lu = reshaped_on_device(found.array, found.shape)
    return _wale.lu_residual_ratio(call.at, *call.move(m.array, lu, piv))
