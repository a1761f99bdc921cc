"""The solver `tree`: tridiagonal systems (chains) and Hines systems (trees), one or many."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _inputs, _wale
from ._call import Call, Run, copied, filled, remember

if TYPE_CHECKING:
    from typing_extensions import Unpack


class _Vectors(NamedTuple):
    """An argument in memory that the library can use, as the caller sees it."""

    array: Any
    shape: Tuple[int, ...]
    dtype: str
    device: Optional[int]


def _real(name: str, value: Any) -> _Vectors:
    """`value` as contiguous real numbers, on the device where it lies there."""
    found = _inputs.on_device(value)
    if found is not None:
        if found.dtype not in ("float32", "float64"):
            raise _wale.BadArgument(f"{name}: is {found.dtype}, expected float32 or float64")
        return _Vectors(value, found.shape, found.dtype, found.device)
    array = _inputs.real_array(name, value)
    kind = "float32" if array.dtype.kind == "f" and array.dtype.itemsize <= 4 else "float64"
    return _Vectors(np.ascontiguousarray(array, kind), array.shape, kind, None)


def _alike(names: Sequence[str], all_of: Sequence[_Vectors]) -> Sequence[_Vectors]:
    """On one device, of one type: the widest of those on the host."""
    if len({v.device for v in all_of}) > 1:
        raise _wale.BadArgument(f"{names[0]}: expected all arrays on one device (wale.to_device)")
    if all_of[0].device is None:
        kind = np.result_type(*(v.dtype for v in all_of)).name
        return [v._replace(array=v.array.astype(kind, copy=False), dtype=kind) for v in all_of]
    for name, v in zip(names, all_of):
        if v.dtype != all_of[0].dtype:
            raise _wale.BadArgument(f"{name}: is {v.dtype}, expected {all_of[0].dtype} like {names[0]}")
    return all_of


def _copy(v: _Vectors) -> Any:
    return copied(v.device, v.array, v.shape, v.dtype)


def _product(shape: Sequence[int]) -> int:
    return int(np.prod(shape, dtype=np.int64))


def _shape(shape: Tuple[int, ...], axis: int) -> _wale.VectorShape:
    """Vectors along the last axis, or along the first one: then they are interleaved."""
    size, count = shape[axis], _product(shape) // max(shape[axis], 1)
    if not shape[axis]:
        count = _product(shape[1:] if axis == 0 else shape[:-1])
    if axis == 0:
        return _wale.VectorShape("interleaved", size, count, count, 1)
    return _wale.VectorShape("flat", size, count, size, 1)


def _axis(axis: int) -> int:
    if _inputs.whole("axis", axis) not in (0, -1):
        raise _wale.BadArgument(f"axis: is {axis}, expected -1 or 0")
    return axis


def _padded(name: str, v: _Vectors, shape: Tuple[int, ...], axis: int) -> _Vectors:
    """dl and du may lack the element that is not used, as LAPACK's do."""
    short = list(shape)
    short[axis] = max(shape[axis] - 1, 0)
    if v.shape == tuple(short) and v.device is None and v.shape != shape:
        before, after = (1, 0) if name == "dl" else (0, 1)
        width = [(0, 0)] * len(shape)
        width[axis] = (before, after)
        array = np.pad(v.array, width)
        return v._replace(array=array, shape=array.shape)
    if v.shape != shape:
        raise _wale.BadArgument(f"{name}: has shape {v.shape}, expected {shape} or {tuple(short)}")
    return v


class _Chains(NamedTuple):
    dl: _Vectors
    d: _Vectors
    du: _Vectors
    shape: _wale.VectorShape


def _chains(dl: Any, d: Any, du: Any, axis: int, beside: Sequence[_Vectors] = ()) -> Tuple[_Chains, Any]:
    """The matrix, and what stands beside it in the same type."""
    names = ("d", "dl", "du", "b")
    middle, lower, upper, *rest = _alike(names, [_real(n, a) for n, a in zip(names, (d, dl, du))] + list(beside))
    if not middle.shape:
        raise _wale.BadArgument("d: has no dimension, expected one or more")
    lower = _padded("dl", lower, middle.shape, axis)
    upper = _padded("du", upper, middle.shape, axis)
    return _Chains(lower, middle, upper, _shape(middle.shape, axis)), rest


def _right_sides(b: _Vectors, d: _Vectors, axis: int) -> _wale.VectorShape:
    """One vector for each system, the same for all of one, or columns: (..., n, k)."""
    n, ours = d.shape[axis], d.shape
    if len(b.shape) == len(ours) and b.shape[axis] == n:
        mine, theirs = (ours[1:], b.shape[1:]) if axis == 0 else (ours[:-1], b.shape[:-1])
        if mine == theirs or all(m == 1 for m in mine):
            return _shape(b.shape, axis)
    if axis == -1 and len(b.shape) == len(ours) + 1 and b.shape[:-1] == ours:
        k = b.shape[-1]
        return _wale.VectorShape("block_interleaved", n, _product(ours[:-1]) * k, 0, max(k, 1))
    more = f" or {(*ours, 'k')}" if axis == -1 else ""
    raise _wale.BadArgument(f"b: has shape {b.shape}, expected {ours}{more}")


def _options(variant: str, pivoting: str, periodic: bool, transposed: bool) -> _wale.ChainOptions:
    words = {"variant": variant, "pivoting": pivoting, "periodic": periodic, "transposed": transposed}
    return filled(_wale.ChainOptions(), words)


def _raise_if_bad(outcome: Any, word: str) -> None:
    if outcome.first_bad_system >= 0:
        raise np.linalg.LinAlgError(
            f"system {outcome.first_bad_system}: the pivot of {word} {outcome.first_bad_row} is 0 or not finite"
        )


def _warn_if_lost(verify: bool, residual: Any, dtype: str, instead: str) -> None:
    """An elimination without exchanges of rows may lose digits without a pivot of 0."""
    if not verify:
        return
    error, most = residual(), _wale.good_backward_error(dtype == "float32")
    if not error <= most:
        warnings.warn(
            f"the backward error is {error:.3g}, expected at most {most:.3g}: {instead}", RuntimeWarning, stacklevel=3
        )


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
        Below, on and above the diagonal. dl[0] and du[n-1] are not used unless `periodic`; dl and du may
        also have n - 1 elements, as in LAPACK. float32 or float64; NumPy, or arrays of a device that speaks
        DLPack: the answer then stays there.
    b : array, (..., n) or (..., n, k)
        Right-hand sides. Where all leading axes of d are 1, b's may be longer: one matrix is shared by all.
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
        x, of the shape of b.

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
    axis = _axis(axis)
    a, (right,) = _chains(dl, d, du, axis, [_real("b", b)])
    shape = _right_sides(right, a.d, axis)
    call = Call(run, right.device)
    lower, middle, upper, x = call.move(a.dl.array, a.d.array, a.du.array, _copy(right))
    outcome = _wale.solve_chains(
        call.at, lower, middle, upper, x, a.shape, shape, _options(call.variant, pivoting, periodic, transposed)
    )
    remember(outcome.run)
    _raise_if_bad(outcome, "row")
    how = _options("automatic", pivoting, periodic, transposed)
    _warn_if_lost(
        verify and pivoting == "none",
        lambda: _wale.chain_residual(
            call.at, lower, middle, upper, call.move(right.array)[0], x, a.shape, shape, how
        ),
        right.dtype,
        "expected pivoting='partial' for such a matrix",
    )
    return call.back(x, right.shape)


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

    Examples
    --------
    >>> import wale
    >>> wale.tridiagonal_residual([1.0], [2.0, 2.0], [1.0], [3.0, 3.0], [1.0, 1.0])
    0.0
    """
    axis = _axis(axis)
    a, (right, solution) = _chains(dl, d, du, axis, [_real("b", b), _real("x", x)])
    shape = _right_sides(right, a.d, axis)
    if solution.shape != right.shape:
        raise _wale.BadArgument(f"x: has shape {solution.shape}, expected {right.shape} like b")
    call = Call(run, right.device)
    lower, middle, upper, rhs, found = call.move(a.dl.array, a.d.array, a.du.array, right.array, solution.array)
    how = _options(call.variant, "partial", periodic, transposed)
    return _wale.chain_residual(call.at, lower, middle, upper, rhs, found, a.shape, shape, how)


class Gttrf(NamedTuple):
    """The answer of `gttrf`."""

    dl: Any
    d: Any
    du: Any
    du2: Any
    ipiv: Any
    info: Any


def _lapack_call(run: Run, arrays: Sequence[_Vectors]) -> Call:
    if any(v.device is not None for v in arrays):
        raise _wale.BadArgument("d: is on a device, expected arrays of NumPy for factors in LAPACK's form")
    if not {"where", "backend", "variant"} & set(run):
        run["backend"] = "cpu"
    return Call(run, None)


def _lapack_arrays(arrays: Sequence[_Vectors], ipiv: Any) -> _wale.LapackArrays:
    """dl, d, du and du2 of one batch."""
    shape = arrays[1].shape
    if not shape:
        raise _wale.BadArgument("d: has no dimension, expected one or more")
    for name, v, less in zip(("dl", "du", "du2"), (arrays[0], *arrays[2:]), (1, 1, 2)):
        expected = (*shape[:-1], max(shape[-1] - less, 0))
        if v.shape != expected:
            raise _wale.BadArgument(f"{name}: has shape {v.shape}, expected {expected}")
    lower, middle, upper, second = (v.array for v in arrays)
    return _wale.LapackArrays(lower, middle, upper, second, ipiv, shape[-1], _product(shape[:-1]))


def gttrf(dl: Any, d: Any, du: Any, **run: Unpack[Run]) -> Gttrf:
    """Factors tridiagonal matrices as LAPACK's xGTTRF, into arrays that the caller keeps: P A = L U.

    Parameters
    ----------
    dl, d, du : array, (..., n - 1), (..., n), (..., n - 1)
        Below, on and above the diagonal; leading axes count systems. float32 or float64, NumPy.
    where, backend, variant, threads
        Where and how it runs: on the host.

    Returns
    -------
    Gttrf
        (dl, d, du, du2, ipiv, info) as of `scipy.linalg.lapack.dgttrf`: multipliers, the three diagonals of U,
        (..., n - 2) the last; ipiv, (..., n), counts rows from 1. info: 0, or the first pivot that is 0 counted
        from 1; an array where there are leading axes.

    Examples
    --------
    >>> import wale
    >>> f = wale.gttrf([1.0, 2.0], [0.5, 3.0, 1.0], [1.0, 1.0])
    >>> f.ipiv, f.info
    (array([2, 3, 3], dtype=int32), 0)
    """
    names = ("d", "dl", "du")
    middle, lower, upper = _alike(names, [_real(n, a) for n, a in zip(names, (d, dl, du))])
    call = _lapack_call(run, (middle, lower, upper))
    shape = middle.shape
    second = np.empty((*shape[:-1], max(shape[-1] - 2, 0)) if shape else (), middle.dtype)
    arrays = [v._replace(array=v.array.copy()) for v in (lower, middle, upper)]
    arrays.append(_Vectors(second, second.shape, middle.dtype, None))
    ipiv, info = np.empty(shape, np.int32), np.full(shape[:-1], -1, np.int64)
    outcome = _wale.gttrf(call.at, _lapack_arrays(arrays, ipiv), info, call.variant)
    remember(outcome.run)
    lower, middle, upper, second = (v.array for v in arrays)
    return Gttrf(lower, middle, upper, second, ipiv, info + 1 if info.ndim else int(info) + 1)


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
        "N": A x = b; "T" and "C": A^T x = b.
    where, backend, variant, threads
        Where and how it runs: on the host.

    Returns
    -------
    (array, int)
        x, of the shape of b, and 0. Not finite where a pivot was 0.

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
    middle, lower, upper, second, right = _alike(names, [_real(n, a) for n, a in zip(names, (d, dl, du, du2, b))])
    call = _lapack_call(run, (middle, lower, upper, second, right))
    rows = np.asarray(ipiv)
    if rows.dtype.kind not in "iu" or rows.shape != middle.shape:
        raise _wale.BadArgument(f"ipiv: is {rows.dtype} of shape {rows.shape}, expected integers, {middle.shape}")
    if rows.size and (rows.min() < 1 or rows.max() > middle.shape[-1]):
        raise _wale.BadArgument(f"ipiv: holds {rows.min()} to {rows.max()}, expected 1 to {middle.shape[-1]}")
    arrays = _lapack_arrays((lower, middle, upper, second), np.ascontiguousarray(rows, np.int32))
    x = right.array.copy()
    outcome = _wale.gttrs(
        call.at, arrays, x, _right_sides(right, middle, -1), trans not in ("N", b"N"), call.variant
    )
    remember(outcome.run)
    return x, 0


class TridiagonalFactors:
    """The factors of tridiagonal systems: factor once, solve often. Arguments as in `solve_tridiagonal`.

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
        self._axis = _axis(axis)
        a, _ = _chains(dl, d, du, self._axis)
        self._d, self._call = a.d, Call(run, a.d.device)
        lower, middle, upper = self._call.move(a.dl.array, a.d.array, a.du.array)
        how = _options(self._call.variant, pivoting, periodic, False)
        self._factors = _wale.factor_chains(self._call.at, lower, middle, upper, a.shape, how)
        remember(self._factors.outcome.run)
        _raise_if_bad(self._factors.outcome, "row")

    @property
    def nbytes(self) -> int:
        """Bytes that the factors take."""
        return int(self._factors.bytes)

    def solve(self, b: Any, *, transposed: bool = False) -> Any:
        """x of A x = b, or with the transpose; b as in `solve_tridiagonal`."""
        right = _real("b", b)
        if right.device != self._d.device:
            raise _wale.BadArgument("b: expected in the memory of the factors' matrix (wale.to_device)")
        if right.dtype == "float32" and self._d.dtype == "float64" and right.device is None:
            right = right._replace(array=right.array.astype(np.float64), dtype="float64")
        if right.dtype != self._d.dtype:
            raise _wale.BadArgument(f"b: is {right.dtype}, expected {self._d.dtype} like the factors")
        shape = _right_sides(right, self._d, self._axis)
        (x,) = self._call.move(_copy(right))
        outcome = self._factors.solve(self._call.at, x, shape, transposed)
        remember(outcome.run)
        return self._call.back(x, right.shape)


class HinesPlan:
    """What can be known of a tree from its parents alone, for any number of calls of `hines_solve`.

    Parameters
    ----------
    parent : array of int, (n,)
        The parent of each node, -1 of the root; in any order.
    forest : bool
        Several roots are meant.

    Attributes
    ----------
    size, trees, branches, depth : int
        Nodes, roots, nodes with two children or more, and edges from a root to the farthest leaf.
    depth_first : bool
        Every node stands after its parent, and subtrees together.

    Examples
    --------
    >>> import wale
    >>> plan = wale.HinesPlan([-1, 0, 1, 0])
    >>> plan.size, plan.branches, plan.depth
    (4, 1, 2)
    """

    def __init__(self, parent: Any, *, forest: bool = False) -> None:
        array = _inputs.host_array(parent)
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            raise _wale.BadArgument(f"parent: is {array.dtype} of shape {array.shape}, expected integers, (n,)")
        if array.size and (array.max() > 2**31 - 1 or array.min() < -(2**31)):
            raise _wale.BadArgument("parent: expected numbers of 32 bits")
        self.plan = _wale.hines_plan(np.ascontiguousarray(array, np.int32), forest)

    def __getattr__(self, name: str) -> Any:
        if name in ("size", "trees", "branches", "depth", "depth_first"):
            return getattr(self.plan, name)
        raise AttributeError(name)

    def __repr__(self) -> str:
        return f"HinesPlan(size={self.size}, trees={self.trees}, branches={self.branches}, depth={self.depth})"


class Eliminated(NamedTuple):
    """The answer of `hines_solve` with `return_eliminated`."""

    x: Any
    diagonal: Any


def hines_solve(
    parent: Any,
    diagonal: Any,
    upper: Any,
    lower: Any,
    rhs: Any,
    *,
    forest: bool = False,
    transposed: bool = False,
    return_eliminated: bool = False,
    axis: int = -1,
    verify: bool = True,
    **run: Unpack[Run],
) -> Any:
    """Solves systems whose graph is a tree (Hines 1984); leading axes count cells of one form.

    A[i, i] = diagonal[i], A[p, i] = upper[i] and A[i, p] = lower[i] for p = parent[i]: from the leaves to the
    root, then back, without exchanging rows.

    Parameters
    ----------
    parent : array of int, (n,), or HinesPlan
        The parent of each node, -1 of the root; in any order. A plan is checked and scheduled only once.
    diagonal, upper, lower, rhs : array, (..., n)
        upper and lower of the root are not used. The same array for both: symmetric, read once.
    forest : bool
        Several roots are meant.
    transposed : bool
        Solve with the transpose.
    return_eliminated : bool
        Return (x, diagonal after the elimination).
    axis : {-1, 0}
        The axis along which a tree's nodes lie. 0: interleaved cells, solved where they lie.
    verify : bool
        Find the backward error, and warn (RuntimeWarning) where it is above 1000 roundings.
    where, backend, variant, threads
        Where and how it runs; `wale.variants("tree")` lists what there is.

    Returns
    -------
    array, or Eliminated

    Raises
    ------
    numpy.linalg.LinAlgError
        Where a pivot is 0 or not finite.

    Examples
    --------
    >>> import numpy as np, wale
    >>> parent = [-1, 0, 1, 0]
    >>> minus = -np.ones(4)
    >>> wale.hines_solve(parent, [3.0, 3.0, 2.0, 2.0], minus, minus, [1.0, 1.0, 1.0, 1.0])
    array([1., 1., 1., 1.])
    """
    axis = _axis(axis)
    plan = parent if isinstance(parent, HinesPlan) else HinesPlan(parent, forest=forest)
    names = ("rhs", "diagonal", "upper", "lower")
    same = upper is lower
    b, d, u, l = _alike(names, [_real(n, a) for n, a in zip(names, (rhs, diagonal, upper, lower))])
    for name, v in zip(names[1:], (d, u, l)):
        if v.shape != b.shape:
            raise _wale.BadArgument(f"{name}: has shape {v.shape}, expected {b.shape} like rhs")
    if not b.shape:
        raise _wale.BadArgument("rhs: has no dimension, expected one or more")
    call = Call(run, b.device)
    middle, above, x = call.move(d.array, u.array, _copy(b))
    (below,) = (above,) if same else call.move(l.array)
    left = call.empty(b.shape, b.dtype) if return_eliminated else None
    outcome = _wale.solve_trees(
        call.at, plan.plan, middle, above, below, x, left, _shape(b.shape, axis), call.variant, transposed
    )
    remember(outcome.run)
    _raise_if_bad(outcome, "node")
    _warn_if_lost(
        verify,
        lambda: _wale.trees_residual(
            call.at, plan.plan, middle, above, below, call.move(b.array)[0], x, _shape(b.shape, axis), transposed
        ),
        b.dtype,
        "the elimination of a tree does not exchange rows",
    )
    answer = call.back(x, b.shape)
    return Eliminated(answer, call.back(left, b.shape)) if return_eliminated else answer


def hines_residual(
    parent: Any,
    diagonal: Any,
    upper: Any,
    lower: Any,
    rhs: Any,
    x: Any,
    *,
    forest: bool = False,
    transposed: bool = False,
    axis: int = -1,
    **run: Unpack[Run],
) -> float:
    """max |b - A x| / (|A| |x| + |b|) over all cells, in the maximum norm: the backward error of x.

    Examples
    --------
    >>> import wale
    >>> wale.hines_residual([-1, 0], [2.0, 2.0], [1.0, 1.0], [1.0, 1.0], [3.0, 3.0], [1.0, 1.0])
    0.0
    """
    axis = _axis(axis)
    plan = parent if isinstance(parent, HinesPlan) else HinesPlan(parent, forest=forest)
    names = ("rhs", "diagonal", "upper", "lower", "x")
    all_of = _alike(names, [_real(n, a) for n, a in zip(names, (rhs, diagonal, upper, lower, x))])
    for name, v in zip(names, all_of):
        if v.shape != all_of[0].shape:
            raise _wale.BadArgument(f"{name}: has shape {v.shape}, expected {all_of[0].shape} like rhs")
    call = Call(run, all_of[0].device)
    b, d, u, l, solution = call.move(*(v.array for v in all_of))
    shape = _shape(all_of[0].shape, axis)
    return float(_wale.trees_residual(call.at, plan.plan, d, u, l, b, solution, shape, transposed))
