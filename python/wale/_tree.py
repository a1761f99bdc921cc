"""The solver `tree`: Hines systems, whose graph is a tree, one or many."""

from __future__ import annotations

from typing import Any, NamedTuple, Tuple

import numpy as np

from . import _inputs, _wale
from ._call import Call, Run, remember, short_threads
from ._matrices import SHORT, of_list
from ._libraries import in_their_library
from ._vectors import REAL, alike, checked_axis, copy_of, raise_if_bad, shape_of, vectors, warn_if_lost
from ._typing import Unpack


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
    size : int
        Nodes.
    trees : int
        Roots.
    branches : int
        Nodes with two children or more.
    depth : int
        Edges from a root to the farthest leaf.
    depth_first : bool
        Every node comes after its parent, and each subtree is contiguous.

    Examples
    --------
    >>> import wale
    >>> plan = wale.HinesPlan([-1, 0, 1, 0])
    >>> plan.size, plan.branches, plan.depth
    (4, 1, 2)
    """

    def __init__(self, parent: Any, *, forest: bool = False) -> None:
        array = _inputs.host_array(parent, "parent")
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            raise _wale.BadArgument(f"parent: is {array.dtype} of shape {array.shape}, expected integers, (n,)")
        if array.size and (array.max() > 2**31 - 1 or array.min() < -(2**31)):
            raise _wale.BadArgument("parent: expected numbers of 32 bits")
        self._parent, self._forest = np.array(array, np.int32), _inputs.truth("forest", forest)
        self.plan = _wale.hines_plan(self._parent, self._forest)

    def __reduce__(self) -> Tuple[Any, ...]:
        return _planned, (self._parent, self._forest)

    def __copy__(self) -> HinesPlan:
        return self  # a plan does not change

    def __deepcopy__(self, memo: Any) -> HinesPlan:
        return self

    def __getattr__(self, name: str) -> Any:
        if name in ("size", "trees", "branches", "depth", "depth_first"):
            return getattr(self.plan, name)
        raise AttributeError(name)

    def __repr__(self) -> str:
        return f"HinesPlan(size={self.size}, trees={self.trees}, branches={self.branches}, depth={self.depth})"


def _planned(parent: np.ndarray, forest: bool) -> HinesPlan:
    return HinesPlan(parent, forest=forest)


class Eliminated(NamedTuple):
    """The answer of `hines_solve` with `return_eliminated`."""

    x: Any
    diagonal: Any


@in_their_library
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
    axis, transposed = checked_axis(axis), _inputs.truth("transposed", transposed)
    return_eliminated, verify = _inputs.truth("return_eliminated", return_eliminated), _inputs.truth("verify", verify)
    plan = parent if isinstance(parent, HinesPlan) else HinesPlan(parent, forest=forest)
    if type(rhs) is list:
        symmetric = upper is lower
        diagonal, upper, lower, rhs = map(of_list, (diagonal, upper, lower, rhs))
        lower = upper if symmetric else lower
    plain = type(diagonal) is type(upper) is type(lower) is type(rhs) is np.ndarray and return_eliminated is False
    if plain and rhs.size <= SHORT and rhs.flags.c_contiguous:
        threads = short_threads(run) if run else 0
        if threads is not None:
            short = rhs.copy()
            if _wale.plain_trees(
                plan.plan, diagonal, upper, lower, rhs, short, axis == 0, transposed, verify, threads
            ):
                return short
    names = ("rhs", "diagonal", "upper", "lower")
    same = upper is lower
    b, d, u, l = alike(names, [vectors(n, a, REAL) for n, a in zip(names, (rhs, diagonal, upper, lower))])
    for name, v in zip(names[1:], (d, u, l)):
        if v.shape != b.shape:
            raise _wale.BadArgument(f"{name}: has shape {v.shape}, expected {b.shape} like rhs")
    if not b.shape:
        raise _wale.BadArgument("rhs: has no dimension, expected one or more")
    call = Call(run, b.device)
    middle, above, x = call.move(d.array, u.array, copy_of(b))
    (below,) = (above,) if same else call.move(l.array)
    left = call.empty(b.shape, b.dtype) if return_eliminated else None
    outcome = _wale.solve_trees(
        call.at, plan.plan, middle, above, below, x, left, shape_of(b.shape, axis), call.variant, transposed
    )
    remember(outcome.run)
    raise_if_bad(outcome, "node")
    warn_if_lost(
        verify,
        lambda: _wale.trees_residual(
            call.at, plan.plan, middle, above, below, call.move(b.array)[0], x, shape_of(b.shape, axis), transposed
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

    Parameters
    ----------
    parent, diagonal, upper, lower, rhs, forest, transposed, axis
        As for `hines_solve`.
    x : array, (..., n)
        A solution.
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
    >>> wale.hines_residual([-1, 0], [2.0, 2.0], [1.0, 1.0], [1.0, 1.0], [3.0, 3.0], [1.0, 1.0])
    0.0
    """
    axis, transposed = checked_axis(axis), _inputs.truth("transposed", transposed)
    plan = parent if isinstance(parent, HinesPlan) else HinesPlan(parent, forest=forest)
    names = ("rhs", "diagonal", "upper", "lower", "x")
    all_of = alike(names, [vectors(n, a, REAL) for n, a in zip(names, (rhs, diagonal, upper, lower, x))])
    for name, v in zip(names, all_of):
        if v.shape != all_of[0].shape:
            raise _wale.BadArgument(f"{name}: has shape {v.shape}, expected {all_of[0].shape} like rhs")
    call = Call(run, all_of[0].device).has_one_way()
    b, d, u, l, solution = call.move(*(v.array for v in all_of))
    shape = shape_of(all_of[0].shape, axis)
    return float(_wale.trees_residual(call.at, plan.plan, d, u, l, b, solution, shape, transposed))
