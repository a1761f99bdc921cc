"""The solver `tree`: tridiagonal systems (chains), one or many."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Sequence, Tuple, overload

import numpy as np

from . import _inputs, _wale
from ._axes import Shape, broadcast, fold, product
from ._call import Call, Run, filled, remember, short_threads
from ._libraries import in_their_library
from ._matrices import SHORT, of_list
from ._vectors import Vectors, alike, checked_axis, copy_of, raise_if_bad, shape_of, vectors, warn_if_lost
from ._typing import Host, Unpack


def _lead(shape: Shape, axis: int) -> Shape:
    return shape[1:] if axis == 0 else shape[:-1]


def _spread(v: Vectors, lead: Shape, axis: int) -> Vectors:
    """The vectors repeated along leading axes; on a device they must have these already."""
    if _lead(v.shape, axis) == lead:
        return v
    if v.device is not None:
        raise _wale.BadArgument(f"b, d: have other leading axes than {lead}, expected the same on a device")
    n = v.shape[axis]
    shape = (*lead, n) if axis == -1 else (n, *lead)
    missing = (1,) * (len(lead) - len(v.shape) + 1)
    aligned = v.array if axis == -1 else v.array.reshape((n, *missing, *v.shape[1:]))
    return v._replace(array=np.ascontiguousarray(np.broadcast_to(aligned, shape)), shape=shape)


def _padded(name: str, v: Vectors, n: int, axis: int, periodic: bool) -> Vectors:
    """dl and du may lack the element that is not used, as LAPACK's do; of periodic systems it is used."""
    if periodic and v.shape and v.shape[axis] == max(n - 1, 0):
        end = "dl[0] couples the first unknown to the last" if name == "dl" else "du[n-1] couples the last unknown to the first"
        raise _wale.BadArgument(f"{name}: has shape {v.shape}, expected {n} elements a system with periodic: {end}")
    if v.shape and v.shape[axis] == max(n - 1, 0) and v.device is None and v.shape[axis] != n:
        array = np.zeros((n, *v.shape[1:]) if axis == 0 else (*v.shape[:-1], n), v.dtype)
        used = slice(1, None) if name == "dl" else slice(n - 1)
        array[used if axis == 0 else (..., used)] = v.array
        return v._replace(array=array, shape=array.shape)
    if not v.shape or v.shape[axis] != n:
        raise _wale.BadArgument(f"{name}: has shape {v.shape}, expected {n} or {max(n - 1, 0)} elements a system")
    return v


class _Chains(NamedTuple):
    dl: Vectors
    d: Vectors
    du: Vectors
    shape: _wale.VectorShape


def _chains(
    dl: Any, d: Any, du: Any, axis: int, periodic: bool, beside: Sequence[Vectors] = ()
) -> Tuple[_Chains, Any]:
    """The matrix, and what stands beside it in the same type."""
    names = ("d", "dl", "du", "b")
    middle, lower, upper, *rest = alike(names, [vectors(n, a) for n, a in zip(names, (d, dl, du))] + list(beside))
    if not middle.shape:
        raise _wale.BadArgument("d: has no dimension, expected one or more")
    n, lead = middle.shape[axis], _lead(middle.shape, axis)
    lower, upper = _padded("dl", lower, n, axis, periodic), _padded("du", upper, n, axis, periodic)
    for name, v in (("dl", lower), ("du", upper)):
        lead = broadcast(name, _lead(v.shape, axis), "d", lead)
    lower, middle, upper = (_spread(v, lead, axis) for v in (lower, middle, upper))
    return _Chains(lower, middle, upper, shape_of(middle.shape, axis)), rest


class _RightSides(NamedTuple):
    vectors: Vectors
    shape: _wale.VectorShape
    restored: Callable[[Any], Any]  # of an answer of the vectors' shape


def _as_it_is(x: Any) -> Any:
    return x


def right_sides(b: Vectors, d: Vectors, axis: int, name: str = "b") -> _RightSides:
    """b of more axes than d: columns, (..., n, k); else vectors, (..., n). Leading axes broadcast with those of d."""
    n, lead = d.shape[axis], _lead(d.shape, axis)
    columns = axis == -1 and len(b.shape) > len(d.shape)
    if not b.shape or b.shape[-2 if columns else axis] != n:
        more = f" or (..., {n}, k)" if axis == -1 else ""
        raise _wale.BadArgument(f"{name}: has shape {b.shape}, expected {(*lead, n) if axis else (n, *lead)}{more}")
    theirs = b.shape[:-2] if columns else _lead(b.shape, axis)
    whole = broadcast(name, theirs, "d", lead)
    shared = product(lead) == 1
    if columns and theirs == lead:
        k = b.shape[-1]
        return _RightSides(b, _wale.VectorShape("block_interleaved", n, product(lead) * k, 0, max(k, 1)), _as_it_is)
    if not columns and (whole == lead or shared):
        b = _spread(b, whole, axis)
        return _RightSides(b, shape_of(b.shape, axis), _as_it_is)
    if axis == 0 or b.device is not None:
        raise _wale.BadArgument(f"{name}: has leading axes {theirs}, expected {lead} like d")
    folded = fold(b.array if columns else b.array[..., np.newaxis], lead, whole)
    array, answer = np.ascontiguousarray(folded.array), (*whole, n, *b.shape[-1:]) if columns else (*whole, n)
    inner = right_sides(b._replace(array=array, shape=array.shape), d, axis)
    return inner._replace(restored=lambda x: folded.restored(x).reshape(answer))


def _options(variant: str, pivoting: str, periodic: bool, transposed: bool) -> _wale.ChainOptions:
    words = {"variant": variant, "pivoting": pivoting, "periodic": periodic, "transposed": transposed}
    return filled(_wale.ChainOptions(), words)


def _options_of(pivoting: str, periodic: bool, transposed: bool) -> _wale.ChainOptions:
    return _options("automatic", pivoting, periodic, transposed)


_short_options = functools.lru_cache(maxsize=64)(_options_of)  # all threads read the same options


@overload
def solve_tridiagonal(
    dl: Any, d: Host, du: Any, b: Host, *, pivoting: str = ..., periodic: bool = ..., transposed: bool = ...,
    axis: int = ..., verify: bool = ..., **run: Unpack[Run]
) -> np.ndarray: ...
@overload
def solve_tridiagonal(
    dl: Any, d: Any, du: Any, b: Any, *, pivoting: str = ..., periodic: bool = ..., transposed: bool = ...,
    axis: int = ..., verify: bool = ..., **run: Unpack[Run]
) -> Any: ...
@in_their_library
def solve_tridiagonal(
    dl: Any,
    d: Any,
    du: Any,
    b: Any,
    *,
    pivoting: str = "partial",
    periodic: bool = False,
    transposed: bool = False,
    axis: int = -1,
    verify: bool = True,
    **run: Unpack[Run],
) -> Any:
    """Solves dl[i] x[i-1] + d[i] x[i] + du[i] x[i+1] = b[i], as LAPACK's gtsv; leading axes count systems.

    Parameters
    ----------
    dl, d, du : array, (..., n)
        Below, on and above the diagonal. dl[0] and du[n-1] are not used unless `periodic`, and dl and du may
        then have n - 1 elements, as in LAPACK. float32, float64, complex64 or complex128, of all the widest; NumPy,
        or arrays of a device that speaks DLPack: the answer then stays there.
    b : array, (..., n) or (..., n, k)
        Right-hand sides: vectors, or where b has more axes than d, columns. Leading axes broadcast; a matrix is
        eliminated once for all its right-hand sides. On a device they must be those of d, or all of d's 1.
    pivoting : {"partial", "none"}
        "none" is faster and right for diagonally dominant or positive definite systems.
    periodic : bool
        dl[0] couples the first unknown to the last, du[n-1] the last to the first.
    transposed : bool
        Solve with the transpose.
    axis : {-1, 0}
        The axis along which a system lies. 0: interleaved systems, solved where they lie.
    verify : bool
        With pivoting="none", find the backward error and warn (RuntimeWarning) where it is above 1000 roundings;
        partial pivoting needs no look.
    where, backend, variant, threads
        Where and how it runs; `wale.variants("tree")` lists what there is.

    Returns
    -------
    array
        x, of the shape of b with the leading axes of both.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where a pivot is 0 or not finite.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.solve_tridiagonal([1.0, 1.0], [4.0, 4.0, 4.0], [1.0, 1.0], [5.0, 6.0, 5.0])
    array([1., 1., 1.])
    >>> d = np.full((1000, 64), 4.0)  # a thousand systems of 64
    >>> one = np.ones((1000, 64))
    >>> x = wale.solve_tridiagonal(one, d, one, one, pivoting="none")
    >>> x.shape
    (1000, 64)
    """
    axis, verify = checked_axis(axis), _inputs.truth("verify", verify)
    if type(b) is list:
        dl, d, du, b = map(of_list, (dl, d, du, b))
    plain = type(dl) is type(d) is type(du) is type(b) is np.ndarray
    if plain and b.size <= SHORT and (b.shape == d.shape or (axis == -1 and b.shape[:-1] == d.shape)):
        threads = short_threads(run) if run else 0
        if threads is not None:
            plain_words = type(pivoting) is str and type(periodic) is type(transposed) is bool
            how = (_short_options if plain_words else _options_of)(pivoting, periodic, transposed)
            x = np.empty(b.shape, b.dtype)
            checks = verify and pivoting == "none"
            if _wale.plain_chains(dl, d, du, b, x, axis == 0, how, checks, threads):
                return x
    a, (right,) = _chains(dl, d, du, axis, periodic, [vectors("b", b)])
    right, shape, restored = right_sides(right, a.d, axis)
    call = Call(run, right.device)
    lower, middle, upper, x = call.move(a.dl.array, a.d.array, a.du.array, copy_of(right))
    outcome = _wale.solve_chains(
        call.at, lower, middle, upper, x, a.shape, shape, _options(call.variant, pivoting, periodic, transposed)
    )
    remember(outcome.run)
    raise_if_bad(outcome, "row")
    warn_if_lost(
        verify and pivoting == "none",
        lambda: _wale.chain_residual(
            call.at, lower, middle, upper, call.move(right.array)[0], x, a.shape, shape,
            _options("automatic", pivoting, periodic, transposed),
        ),
        right.dtype,
        "expected pivoting='partial' for such a matrix",
    )
    return restored(call.back(x, right.shape))


if not TYPE_CHECKING:  # short systems are solved without a step of the interpreter
    solve_tridiagonal = _wale.short_form(
        solve_tridiagonal,
        "(dl, d, du, b, *, pivoting='partial', periodic=False, transposed=False, axis=-1, verify=True, **run)",
    )


def tridiagonal_residual(
    dl: Any,
    d: Any,
    du: Any,
    b: Any,
    x: Any,
    *,
    periodic: bool = False,
    transposed: bool = False,
    axis: int = -1,
    **run: Unpack[Run],
) -> float:
    """max |b - A x| / (|A| |x| + |b|) over all systems, in the maximum norm: the backward error of x.

    Parameters
    ----------
    dl, d, du, b, periodic, transposed, axis
        As for `solve_tridiagonal`.
    x : array
        What it returned for b, or another's solution.
    where, backend, threads
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
    >>> import wale
    >>> wale.tridiagonal_residual([1.0], [2.0, 2.0], [1.0], [3.0, 3.0], [1.0, 1.0])
    0.0
    """
    axis = checked_axis(axis)
    a, (right, solution) = _chains(dl, d, du, axis, periodic, [vectors("b", b), vectors("x", x)])
    if solution.shape != right.shape:
        if broadcast("b", right.shape, "x", solution.shape) != solution.shape or right.device is not None:
            raise _wale.BadArgument(f"x: has shape {solution.shape}, expected {right.shape} like b")
        array = np.ascontiguousarray(np.broadcast_to(right.array, solution.shape))
        right = right._replace(array=array, shape=solution.shape)
    solution, shape, _ = right_sides(solution, a.d, axis, "x")
    right, _, _ = right_sides(right, a.d, axis)
    call = Call(run, right.device).has_one_way()
    lower, middle, upper, rhs, found = call.move(a.dl.array, a.d.array, a.du.array, right.array, solution.array)
    how = _options(call.variant, "partial", periodic, transposed)
    return _wale.chain_residual(call.at, lower, middle, upper, rhs, found, a.shape, shape, how)


class TridiagonalFactors:
    """The factors of tridiagonal systems: factor once, solve often. Arguments as in `solve_tridiagonal`.

    A pickle holds the matrix, of which factors in host memory keep a copy: the same row factors it again.

    Examples
    --------
    >>> import numpy as np, wale
    >>> f = wale.TridiagonalFactors([1.0, 1.0], [4.0, 4.0, 4.0], [1.0, 1.0])
    >>> f.solve([5.0, 6.0, 5.0])
    array([1., 1., 1.])
    """

    def __init__(
        self,
        dl: Any,
        d: Any,
        du: Any,
        *,
        pivoting: str = "partial",
        periodic: bool = False,
        axis: int = -1,
        **run: Unpack[Run],
    ) -> None:
        self._axis = checked_axis(axis)
        a, _ = _chains(dl, d, du, self._axis, periodic)
        self._d, self._call = a.d, Call(run, a.d.device)
        lower, middle, upper = self._call.move(a.dl.array, a.d.array, a.du.array)
        how = _options(self._call.variant, pivoting, periodic, False)
        self._factors = _wale.factor_chains(self._call.at, lower, middle, upper, a.shape, how)
        remember(self._factors.outcome.run)
        raise_if_bad(self._factors.outcome, "row")
        self._pivoting, self._periodic = pivoting, _inputs.truth("periodic", periodic)
        there = a.d.device is not None
        self._matrix = None if there else (a.dl.array.copy(), a.d.array.copy(), a.du.array.copy())

    @property
    def nbytes(self) -> int:
        """Bytes that the factors take."""
        return int(self._factors.bytes)

    def __repr__(self) -> str:
        return f"<wale.TridiagonalFactors of diagonals of shape {tuple(self.shape)}>"

    def _repr_html_(self) -> str:
        fields = ("shape", "of the matrices' diagonals"), ("nbytes", "that the factors take")
        return _wale.html_table(self, [*fields, ("outcome", "what became of the factorisation")])

    @property
    def shape(self) -> Shape:
        """Of the diagonal: leading axes count systems."""
        return self._d.shape

    @property
    def outcome(self) -> _wale.ChainOutcome:
        """What became of the factorisation, and what ran."""
        return self._factors.outcome

    def __copy__(self) -> TridiagonalFactors:
        return self  # factors do not change

    def __deepcopy__(self, memo: Any) -> TridiagonalFactors:
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        if self._matrix is None:
            raise TypeError("factors in device memory have no pickle; make them from their matrix again")
        run = {"where": self._call.at, "variant": self._factors.outcome.run.variant}
        return _factored, (*self._matrix, self._pivoting, self._periodic, self._axis, run)

    @in_their_library
    def solve(self, b: Any, *, transposed: bool = False) -> Any:
        """x of A x = b, or with the transpose; b as in `solve_tridiagonal`.

        Parameters
        ----------
        b : array, (..., n) or (..., n, k)
            As for `solve_tridiagonal`.
        transposed : bool
            Solve with the transpose.
        """
        transposed = _inputs.truth("transposed", transposed)
        right = vectors("b", b)
        if right.device != self._d.device:
            raise _wale.BadArgument("b: expected in the memory of the factors' matrix (wale.to_device)")
        if right.device is None and np.can_cast(right.dtype, self._d.dtype):
            right = right._replace(array=right.array.astype(self._d.dtype, copy=False), dtype=self._d.dtype)
        if right.dtype != self._d.dtype:
            raise _wale.BadArgument(f"b: is {right.dtype}, expected {self._d.dtype} like the factors")
        right, shape, restored = right_sides(right, self._d, self._axis)
        (x,) = self._call.move(copy_of(right))
        outcome = self._factors.solve(self._call.at, x, shape, transposed)
        remember(outcome.run)
        return restored(self._call.back(x, right.shape))


def _factored(
    dl: Any, d: Any, du: Any, pivoting: str, periodic: bool, axis: int, run: Run
) -> TridiagonalFactors:
    return TridiagonalFactors(dl, d, du, pivoting=pivoting, periodic=periodic, axis=axis, **run)
