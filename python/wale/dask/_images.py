"""Reconstruction of Dask arrays of any chunks, and the tasks that it is made of."""

from __future__ import annotations

from functools import partial
from itertools import product
from operator import getitem
from typing import Any, Dict, List, Optional, Sequence, Tuple

import dask.array as da
import numpy as np
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph

from .. import _images, _inputs, _wale
from .._call import keywords
from ..dask import _borders
from ..dask._borders import Operation, Place

Blocks = Sequence[np.ndarray]
TILE_BYTES = 1 << 24  # of an image: a task for each smaller chunk costs more than the copy that joins chunks
SWEEPS = 16  # pictures of noise settled in 14; a sweep of a settled image costs its tasks alone


def native(dtype: np.dtype) -> np.dtype:
    """The type in which pixels of `dtype` are computed, chosen without a look at their values."""
    plain = dtype.newbyteorder("=")
    if plain.name in _images._NATIVE:
        return plain
    if plain.kind == "f" and plain.itemsize < 4:
        return np.dtype(np.float32)
    if plain.kind not in "iu":
        raise TypeError(f"image: pixels of {dtype}, expected booleans or numbers up to float64")
    return np.dtype(np.int32 if plain.itemsize < 4 else np.float64)


def converted(name: str, common: np.dtype, block: np.ndarray) -> np.ndarray:
    array = _images._promoted(name, block, common)
    return _images._exact(name, array).astype(native(common), copy=False)


def dask_array(name: str, value: Any) -> da.Array:
    if not isinstance(value, da.Array):
        raise TypeError(f"{name}: is {type(value).__name__}, expected a Dask array (dask.array.from_array)")
    if any(np.isnan(c) for axis in value.chunks for c in axis):
        raise _wale.BadArgument(f"{name}: has chunks of unknown size, expected known ones (compute_chunk_sizes)")
    if 0 in (c for axis in value.chunks for c in axis) and value.size:
        value = value.rechunk(tuple(tuple(c for c in axis if c) for axis in value.chunks))
    return value


def _places(chunks: Sequence[Sequence[int]], batch: bool) -> Dict[Tuple[int, ...], Place]:
    starts = [np.cumsum([0, *axis]).tolist() for axis in chunks]
    whole = tuple(sum(axis) for axis in chunks)
    return {
        at: Place(tuple(s[k] for s, k in zip(starts, at)), tuple(c[k] for c, k in zip(chunks, at)), whole, batch)
        for at in product(*(range(len(axis)) for axis in chunks))
    }


def _tiles(chunks: Sequence[Sequence[int]], lead: int, side: int) -> Tuple[Tuple[int, ...], ...]:
    """Neighbouring chunks joined along each axis but the `lead` first ones, up to `side` pixels."""
    tiles = [tuple(axis) for axis in chunks[:lead]]
    for axis in chunks[lead:]:
        joined = [axis[0]]
        for extent in axis[1:]:
            if joined[-1] + extent <= side:
                joined[-1] += extent
            else:
                joined.append(extent)
        tiles.append(tuple(joined))
    return tuple(tiles)


def _cut(tiled: da.Array, chunks: Tuple[Tuple[int, ...], ...]) -> da.Array:
    """The array in the chunks that its tiles were joined of; `rechunk` would copy what is less than half a tile."""
    if tiled.chunks == chunks:
        return tiled
    pieces: List[Any] = []  # of each axis: tile and slice of each chunk
    for tiles, axis in zip(tiled.chunks, chunks):
        ends, starts = np.cumsum(tiles), np.cumsum([0, *axis])
        inside = np.searchsorted(ends, starts[:-1], side="right")
        pieces.append([(int(k), slice(int(a - ends[k] + tiles[k]), int(b - ends[k] + tiles[k])))
                       for k, a, b in zip(inside, starts, starts[1:])])  # fmt: skip
    name = f"wale-cut-{tokenize(tiled.name, chunks)}"
    tasks: Dict[Any, Any] = {}
    for at in product(*(range(len(axis)) for axis in chunks)):
        found = [axis[k] for axis, k in zip(pieces, at)]
        tasks[(name, *at)] = (getitem, (tiled.name, *(k for k, _ in found)), tuple(cut for _, cut in found))
    return da.Array(HighLevelGraph.from_collections(name, tasks, dependencies=[tiled]), name, chunks, dtype=tiled.dtype)


def _graph(op: Operation, arrays: Sequence[da.Array], dtype: np.dtype, rounds: Optional[int]) -> da.Array:
    """The tasks of an image: each chunk by itself, sweeps of halos, the graph of borders, the answers."""
    chunks = arrays[0].chunks
    places = _places(chunks, op.batch)
    rank = len(chunks)
    several = len(places) > 1
    if rounds is None:
        rounds = SWEEPS
    if not several:
        rounds = 0
    lead = [(0,)] * op.batch
    steps = [d for d in product(*lead, *[(-1, 0, 1)] * (rank - op.batch)) if 0 < np.abs(d).sum() <= op.connectivity]
    near = {at: [d for d in steps if tuple(np.add(at, d)) in places] for at in places}
    token = tokenize(op, [x.name for x in arrays], rounds)
    tasks: Dict[Any, Any] = {}

    def named(stage: str, at: Tuple[int, ...] = ()) -> Tuple[Any, ...]:
        return (f"wale-{stage}-{token}", *at)

    blocks = {at: [(x.name, *at) for x in arrays] for at in places}
    late = op.late and rounds > 0
    if not late:
        for at, place in places.items():
            tasks[named("chunk0", at)] = (partial(_borders.begin, op, place, near[at]), *blocks[at])
    for k in range(1, rounds + 1):
        there = k % 2 == 1
        for at, place in places.items():
            before = [d for d in near[at] if (d < (0,) * rank) == there]
            onward = frozenset(near[at]) - frozenset(before)
            halos = [named(f"halo{k}", tuple(np.add(at, d).tolist())) for d in before]
            call = partial(_borders.spread, op, place, near[at], onward, before)
            last = None if late and k == 1 else named(f"chunk{k - 1}", at)
            tasks[named(f"chunk{k}", at)] = (call, last, halos, *blocks[at])
            tasks[named(f"halo{k}", at)] = (_borders.halo, named(f"chunk{k}", at))
    if several:
        if rounds == 0:
            tasks.update({named("halo0", at): (_borders.halo, named("chunk0", at)) for at in places})
        tasks[named("unsettled")] = (_unsettled, [named(f"halo{rounds}", at) for at in places])
        for at, place in places.items():
            borders = partial(_borders.borders, op, place)
            tasks[named("borders", at)] = (borders, named("unsettled"), named(f"chunk{rounds}", at), *blocks[at])
        solve = partial(_borders.solve, places[(0,) * rank].whole, _borders.offsets(rank, op.connectivity, op.batch))
        tasks[named("solved")] = (solve, [named("borders", at) for at in places])
    for number, (at, place) in enumerate(places.items()):
        heights: Any = None
        if several:
            heights = named("heights", at)
            tasks[heights] = (partial(_pick, number), named("solved"))
        end = partial(_borders.end, op, place)
        tasks[named("answer", at)] = (end, named(f"chunk{rounds}", at), heights, *blocks[at])
    name = named("answer")[0]
    layers = HighLevelGraph.from_collections(name, tasks, dependencies=list(arrays))
    return da.Array(layers, name, chunks, dtype=dtype)


def one_thread(run: Dict[str, Any]) -> Dict[str, Any]:
    """Dask runs several blocks at once, so that one takes one thread unless the caller says more."""
    usual = {"where": None, "backend": "auto", "variant": "automatic", "threads": 0}
    if any(word in run and run[word] != value for word, value in usual.items()):
        return run
    return {**run, "threads": 1}


def _unsettled(halos: Sequence[_borders.Halo]) -> bool:
    return any(halo.pending for halo in halos)


def _pick(number: int, solved: List[Any]) -> Any:
    return solved[number]


def lazy(arrays: Sequence[da.Array], mask: Any, seed: Any, finish: Any, dtype: Any, run: Dict[str, Any],
          method: str, clamp: bool = False, late: bool = False) -> da.Array:  # fmt: skip
    words = keywords(run, connectivity=None, batch=False, rounds=None, tile=None)
    batch = _inputs.truth("batch", words.pop("batch"))
    connectivity, rounds, side = words.pop("connectivity"), words.pop("rounds"), words.pop("tile")
    for name, value in (("rounds", rounds), ("tile", side)):
        if value is not None and _inputs.whole(name, value) < 0:
            raise _wale.BadArgument(f"{name}: is {value}, expected 0 or more")
    first = arrays[0]
    rank = _images._rank(first.ndim, batch)
    connectivity = _images.checked_connectivity(connectivity, rank) or rank
    if method not in ("dilation", "erosion"):
        raise _wale.BadArgument(f"method: is {method!r}, expected dilation or erosion")
    op = Operation(method, connectivity, batch, clamp, late, one_thread(words), mask, seed, finish)
    if not first.size:
        return da.zeros(first.shape, dtype=dtype, chunks=first.chunks)
    if side is None:
        side = int((TILE_BYTES / max(x.dtype.itemsize for x in arrays)) ** (1 / rank) + 1e-6)
    tiles = _tiles(first.chunks, int(batch), side)
    # A part of a larger array would be copied again by every task that goes on in it.
    whole = [x.rechunk(tiles).map_blocks(np.ascontiguousarray, dtype=x.dtype, meta=x._meta) for x in arrays]
    return _cut(_graph(op, whole, np.dtype(dtype), rounds), first.chunks)


def answer(dtype: np.dtype, blocks: Blocks, mask: np.ndarray, found: np.ndarray) -> np.ndarray:
    return _images.fitted(found, dtype) if found.dtype != dtype else found


def _given_mask(common: np.dtype, blocks: Blocks) -> np.ndarray:
    return converted("mask", common, blocks[1])


def _given_seed(common: np.dtype, blocks: Blocks, mask: np.ndarray, place: Place) -> np.ndarray:
    return converted("seed", common, blocks[0])


def reconstruction(seed: Any, mask: Any, method: str = "dilation", *, clamp: bool = False, **run: Any) -> da.Array:
    """`wale.reconstruction` of Dask arrays: lazy, with the same pixels for any chunks.

    Parameters
    ----------
    seed, mask : dask.array.Array
        Of one shape, one to three dimensions, with `batch` one more; `seed` is rechunked as `mask`.
    method, clamp
        As for `wale.reconstruction`.
    connectivity, batch, where, backend, variant, threads
        As for `wale.reconstruction`; `threads` of a chunk: 1 by default. `variant` has no effect on the watershed
        of the graph of borders.
    rounds : int, optional
        How many sweeps, there and back in turn, borders go over all chunks before the graph of borders is solved; 16
        by default. 0: at once. An image that has settled by then needs no graph.
    tile : int, optional
        Neighbouring chunks are joined and computed as one up to so many pixels a side; 0: none. By default 16 MB, a
        square of 4096 pixels of one byte.

    Returns
    -------
    dask.array.Array
        With the chunks of `mask` (chunks of no pixels left out).

    Raises
    ------
    BadArgument
        As `wale.reconstruction`; of pixels when they are computed, with the origin of their chunk.

    Examples
    --------
    >>> import dask.array as da, numpy as np, wale.dask
    >>> mask = da.from_array(np.array([3, 7, 5, 1, 6, 9, 2], np.uint8), chunks=2)
    >>> wale.dask.reconstruction(da.minimum(mask, 5), mask).compute()
    array([3, 5, 5, 1, 5, 5, 2], dtype=uint8)
    """
    limit, start = dask_array("mask", mask), dask_array("seed", seed)
    if start.shape != limit.shape:
        raise _wale.BadArgument(f"seed: has shape {start.shape}, expected {limit.shape} like mask")
    common = np.result_type(start.dtype, limit.dtype).newbyteorder("=")
    native(common)
    arrays = [start.rechunk(limit.chunks), limit]
    given = partial(_given_mask, common), partial(_given_seed, common)
    return lazy(arrays, *given, partial(answer, common), common, run, method, clamp)
