"""Batches of sequences and of systems in blocks of Dask arrays."""

from __future__ import annotations

from functools import partial
from typing import Any, Dict, Optional, Sequence

import dask.array as da
import numpy as np

import wale

from .. import _inputs, _wale
from .._matrices import float_type
from ._images import one_thread

_BLOCK = 10000  # sequences in a block of a list


def _column(name: str, value: Any) -> da.Array:
    """Sequences as a Dask array of one dimension; a list is cut in blocks."""
    if isinstance(value, da.Array):
        if value.ndim != 1:
            raise _wale.BadArgument(f"{name}: has {value.ndim} dimensions, expected 1")
        if any(np.isnan(c) for c in value.chunks[0]):
            raise _wale.BadArgument(f"{name}: has chunks of unknown size, expected known ones (compute_chunk_sizes)")
        return value
    if isinstance(value, (str, bytes, bytearray)):
        raise TypeError(f"{name}: is one {type(value).__name__}, expected a list of sequences or a Dask array")
    items = list(value)
    column = np.empty(len(items), object)
    for k, item in enumerate(items):
        column[k] = item
    return da.from_array(column, chunks=_BLOCK, name=False)


def _pairs(name: str, words: Dict[str, Any], a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return getattr(wale, name)(a.tolist(), b.tolist(), **words)


def _batch(name: str, a: Any, b: Any, dtype: Any, words: Dict[str, Any]) -> da.Array:
    first = _column("a", a)
    second = _column("b", b)
    if first.shape != second.shape:
        raise _wale.BadArgument(f"a, b: {first.size} and {second.size} sequences, expected the same number")
    call, second = partial(_pairs, name, words), second.rechunk(first.chunks)
    return da.map_blocks(call, first, second, dtype=dtype, meta=np.empty(0, dtype))


def edit_distances(a: Any, b: Any, *, bound: Optional[int] = None, **run: Any) -> da.Array:
    """`wale.edit_distances` of two columns, a task a block.

    Parameters
    ----------
    a, b : dask.array.Array of one dimension, or list
        Sequences: text, bytes, or objects as `wale.edit_distances` takes them. A list has blocks of 10,000.
    bound, where, backend, variant, threads
        As for `wale.edit_distances`; `threads` of a block: 1 by default.

    Examples
    --------
    >>> import wale.dask
    >>> wale.dask.edit_distances(["kitten", ""], ["sitting", "abc"]).compute()
    array([3, 3], dtype=int32)
    """
    return _batch("edit_distances", a, b, np.int32, {"bound": bound, **one_thread(run)})


def lcs_lengths(a: Any, b: Any, **run: Any) -> da.Array:
    """`wale.lcs_lengths` of two columns, a task a block. Arguments as for `edit_distances`."""
    return _batch("lcs_lengths", a, b, np.int32, one_thread(run))


def align_scores(queries: Any, targets: Any, mode: str = "NW", **words: Any) -> da.Array:
    """`wale.align_scores` of two columns, a task a block. Sequences as for `edit_distances`, the rest as there."""
    return _batch("align_scores", queries, targets, np.int64, {"mode": mode, **one_thread(words)})


def cdist(queries: Any, targets: Any = None, *, metric: str = "edit_distance", cutoff: Optional[int] = None,
          **run: Any) -> da.Array:  # fmt: skip
    """`wale.cdist` in blocks: each block of queries against each block of targets. Lazy, int32.

    Parameters
    ----------
    queries, targets : dask.array.Array of one dimension, or list
        As for `edit_distances`; without targets the queries against each other, every pair computed.
    metric, cutoff, where, backend, variant, threads
        As for `wale.cdist`.

    Examples
    --------
    >>> import wale.dask
    >>> wale.dask.cdist(["kitten", "flaw"], ["sitting", "lawn", "flow"]).compute()
    array([[3, 5, 6],
           [7, 2, 1]], dtype=int32)
    """
    words = {"metric": metric, "cutoff": cutoff, **one_thread(run)}
    wale.cdist(["a"], ["a"], **words)  # refuses what they may not be
    rows = _column("queries", queries)
    columns = rows if targets is None else _column("targets", targets)
    call = partial(_pairs, "cdist", words)
    return da.blockwise(call, "ij", rows, "i", columns, "j", dtype=np.int32, meta=np.empty((0, 0), np.int32))


def _stack(name: str, value: Any) -> Any:
    return value if isinstance(value, da.Array) else da.from_array(_inputs.host_array(value, name))


def _mapped(call: Any, core: Sequence[int], signature: str, *arrays: da.Array) -> da.Array:
    """`call` for the blocks of leading axes, which get the same chunks; the last `core` axes are a system's."""
    lead = [x.ndim - n for x, n in zip(arrays, core)]
    most = max(lead)
    own = [range(100 * at, 100 * at + n) for at, n in enumerate(core, 1)]
    indices = [(*range(most - k, most), *axes) for k, axes in zip(lead, own)]
    _, aligned = da.core.unify_chunks(*(part for pair in zip(arrays, indices) for part in pair))
    dtype = np.result_type(*map(float_type, arrays))  # as the library computes
    return da.apply_gufunc(call, signature, *aligned, output_dtypes=dtype)


def _called(name: str, words: Dict[str, Any], *blocks: np.ndarray) -> Any:
    return getattr(wale, name)(*blocks, **words)


def _solved(words: Dict[str, Any], a: np.ndarray, b: np.ndarray) -> Any:
    """Vectors of right-hand sides, whose leading axes are not those of a system."""
    return wale.solve(a, b[..., np.newaxis], **words)[..., 0]


def solve(a: Any, b: Any, **run: Any) -> da.Array:
    """`wale.solve` of stacks of systems, a task a block of matrices.

    Parameters
    ----------
    a : dask.array.Array, (..., n, n)
        Chunked along the leading axes; one matrix lies in one chunk.
    b : array, (n,) or (..., n, k)
        As for `wale.solve`.
    where, backend, variant, threads
        As for `wale.solve`; `threads` of a block: 1 by default.

    Examples
    --------
    >>> import dask.array as da, numpy as np, wale.dask
    >>> a = da.from_array(np.array([[[2.0, 0.0], [0.0, 4.0]]] * 3), chunks=(2, 2, 2))
    >>> wale.dask.solve(a, [2.0, 8.0]).compute()
    array([[1., 2.],
           [1., 2.],
           [1., 2.]])
    """
    a, b = _stack("a", a), _stack("b", b)
    words = one_thread(run)
    if b.ndim == 1:
        return _mapped(partial(_solved, words), (2, 1), "(n,n),(n)->(n)", a, b)
    return _mapped(partial(_called, "solve", words), (2, 2), "(n,n),(n,k)->(n,k)", a, b)


def inv(a: Any, **run: Any) -> da.Array:
    """`wale.inv` of a stack of matrices. Arguments as for `solve`."""
    return _mapped(partial(_called, "inv", one_thread(run)), (2,), "(n,n)->(n,n)", _stack("a", a))


def det(a: Any, **run: Any) -> da.Array:
    """`wale.det` of a stack of matrices. Arguments as for `solve`."""
    return _mapped(partial(_called, "det", one_thread(run)), (2,), "(n,n)->()", _stack("a", a))


def _aligned(*blocks: np.ndarray) -> Any:
    """Blocks with as many leading axes as each other, so that none is taken for columns."""
    most = max(block.ndim for block in blocks)
    return [block.reshape((1,) * (most - block.ndim) + block.shape) for block in blocks]


def _chains(words: Dict[str, Any], *blocks: np.ndarray) -> Any:
    return wale.solve_tridiagonal(*_aligned(*blocks), **words)


def solve_tridiagonal(dl: Any, d: Any, du: Any, b: Any, **words: Any) -> da.Array:
    """`wale.solve_tridiagonal` of many systems, a task a block of systems.

    Parameters
    ----------
    dl, d, du : array, (..., n)
        As for `wale.solve_tridiagonal`; chunked along the leading axes, one system in one chunk.
    b : array, (..., n)
        Right-hand sides; leading axes broadcast with those of d.
    pivoting, periodic, transposed, verify, where, backend, variant, threads
        As for `wale.solve_tridiagonal`; `axis` is the last one.

    Examples
    --------
    >>> import dask.array as da, wale.dask
    >>> one = da.ones((5, 3), chunks=(2, 3))
    >>> wale.dask.solve_tridiagonal(one, 4 * one, one, [5.0, 6.0, 5.0]).compute()[4]
    array([1., 1., 1.])
    """
    if "axis" in words:
        raise _wale.BadArgument("axis: is not taken here, expected systems along the last axis")
    arrays = [_stack(name, value) for name, value in zip(("dl", "d", "du", "b"), (dl, d, du, b))]
    call = partial(_chains, one_thread(words))
    return _mapped(call, (1,) * 4, "(l),(n),(u),(n)->(n)", *arrays)


def _cells(plan: Any, words: Dict[str, Any], *blocks: np.ndarray) -> Any:
    return wale.hines_solve(plan, *np.broadcast_arrays(*blocks), **words)


def hines_solve(parent: Any, diagonal: Any, upper: Any, lower: Any, rhs: Any, **words: Any) -> da.Array:
    """`wale.hines_solve` of many cells of one form, a task a block of cells.

    Parameters
    ----------
    parent : HinesPlan, or array of parents
    diagonal, upper, lower, rhs : array, (..., n)
        Chunked along the leading axes, one cell in one chunk.
    forest, transposed, verify, where, backend, variant, threads
        As for `wale.hines_solve`.

    Examples
    --------
    >>> import dask.array as da, wale.dask
    >>> one = da.ones((100, 3), chunks=(30, 3))
    >>> wale.dask.hines_solve([-1, 0, 1], 3 * one, -one, -one, one).compute().shape
    (100, 3)
    """
    for word in ("axis", "return_eliminated"):
        if word in words:
            raise _wale.BadArgument(f"{word}: is not taken here, expected cells along the last axis")
    arrays = [_stack(n, v) for n, v in zip(("diagonal", "upper", "lower", "rhs"), (diagonal, upper, lower, rhs))]
    call = partial(_cells, parent, one_thread(words))
    return _mapped(call, (1,) * 4, "(n),(n),(n),(n)->(n)", *arrays)
