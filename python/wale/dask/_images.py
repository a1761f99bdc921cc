"""Reconstruction and what is derived from it, on Dask arrays of any chunks."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any, Dict, List, NoReturn, Optional, Sequence, Tuple

import dask.array as da
import numpy as np
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph
from scipy import ndimage

import wale

from .. import _images, _inputs, _wale
from .._call import keywords
from ..dask import _borders
from ..dask._borders import Operation, Place, worst

Blocks = Sequence[np.ndarray]


def _native(dtype: np.dtype) -> np.dtype:
    """The type in which pixels of `dtype` are computed, chosen without a look at their values."""
    plain = dtype.newbyteorder("=")
    if plain.name in _images._NATIVE:
        return plain
    if plain.kind == "f" and plain.itemsize < 4:
        return np.dtype(np.float32)
    if plain.kind not in "iu":
        raise TypeError(f"image: pixels of {dtype}, expected booleans or numbers up to float64")
    return np.dtype(np.int32 if plain.itemsize < 4 else np.float64)


def _converted(name: str, common: np.dtype, block: np.ndarray) -> np.ndarray:
    array = _images._promoted(name, block, common)
    return np.ascontiguousarray(_images._exact(name, array).astype(_native(common), copy=False))


def _array(name: str, value: Any) -> da.Array:
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


def _graph(op: Operation, arrays: Sequence[da.Array], dtype: np.dtype, rounds: Optional[int]) -> da.Array:
    """The tasks of a picture: each chunk by itself, rounds of halos, the graph of borders, the answers."""
    chunks = arrays[0].chunks
    places = _places(chunks, op.batch)
    rank = len(chunks)
    several = len(places) > 1
    if rounds is None:
        rounds = min(8, sum(map(len, chunks)))
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
    for at, place in places.items():
        tasks[named("chunk0", at)] = (partial(_borders.begin, op, place), *blocks[at])
    for k in range(rounds):
        for at in places:
            tasks[named(f"halo{k}", at)] = (partial(_borders.edges_of, near[at]), named(f"chunk{k}", at))
        for at, place in places.items():
            halos = [named(f"halo{k}", tuple(np.add(at, d).tolist())) for d in near[at]]
            call = partial(_borders.spread, op, place, near[at])
            tasks[named(f"chunk{k + 1}", at)] = (call, named(f"chunk{k}", at), halos, *blocks[at])
    if several:
        for at in places:
            tasks[named("rising", at)] = (_rising, named(f"chunk{rounds}", at))
        tasks[named("unsettled")] = (any, [named("rising", at) for at in places])
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
        tasks[named("answer", at)] = (partial(_borders.end, op, place), named(f"chunk{rounds}", at), heights, *blocks[at])
    name = named("answer")[0]
    layers = HighLevelGraph.from_collections(name, tasks, dependencies=list(arrays))
    return da.Array(layers, name, chunks, dtype=dtype)


def _rising(state: _borders.State) -> bool:
    return state.changed


def _pick(number: int, solved: List[Any]) -> Any:
    return solved[number]


def _lazy(arrays: Sequence[da.Array], mask: Any, seed: Any, finish: Any, dtype: Any, run: Dict[str, Any],
          method: str, clamp: bool = False) -> da.Array:  # fmt: skip
    words = keywords(run, connectivity=None, batch=False, rounds=None)
    batch = _inputs.truth("batch", words.pop("batch"))
    connectivity, rounds = words.pop("connectivity"), words.pop("rounds")
    if rounds is not None and _inputs.whole("rounds", rounds) < 0:
        raise _wale.BadArgument(f"rounds: is {rounds}, expected 0 or more")
    first = arrays[0]
    rank = _images._rank(first.ndim, batch)
    connectivity = _images._checked_connectivity(connectivity, rank) or rank
    if method not in ("dilation", "erosion"):
        raise _wale.BadArgument(f"method: is {method!r}, expected dilation or erosion")
    if words["where"] is None and words["backend"] == "auto" and words["variant"] == "automatic" and not words["threads"]:
        words["threads"] = 1  # Dask runs several chunks at once
    places = {word: value for word, value in words.items() if value is not None}
    op = Operation(method, connectivity, batch, clamp, places, mask, seed, finish)
    if not first.size:
        return da.zeros(first.shape, dtype=dtype, chunks=first.chunks)
    return _graph(op, arrays, np.dtype(dtype), rounds)


def _answer(dtype: np.dtype, blocks: Blocks, mask: np.ndarray, found: np.ndarray) -> np.ndarray:
    return _images._fitted(found, dtype) if found.dtype != dtype else found


def _given_mask(common: np.dtype, blocks: Blocks) -> np.ndarray:
    return _converted("mask", common, blocks[1])


def _given_seed(common: np.dtype, blocks: Blocks, mask: np.ndarray, place: Place) -> np.ndarray:
    return _converted("seed", common, blocks[0])


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
        How often borders are exchanged before the graph of borders is solved; by default the number of chunks
        along all axes, at most 8. 0: at once. A picture that settles earlier ends earlier.

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
    limit, start = _array("mask", mask), _array("seed", seed)
    if start.shape != limit.shape:
        raise _wale.BadArgument(f"seed: has shape {start.shape}, expected {limit.shape} like mask")
    common = np.result_type(start.dtype, limit.dtype).newbyteorder("=")
    _native(common)
    arrays = [start.rechunk(limit.chunks), limit]
    given = partial(_given_mask, common), partial(_given_seed, common)
    return _lazy(arrays, *given, partial(_answer, common), common, run, method, clamp)


def _one(blocks: Blocks) -> np.ndarray:
    block = np.asarray(blocks[0])
    return _converted("image", block.dtype.newbyteorder("="), block)


def _from_frame(method: str, blocks: Blocks, mask: np.ndarray, place: Place) -> np.ndarray:
    """A seed that is the image at the border of the picture."""
    if mask.ndim == 1:  # a line, all of which is border
        return mask
    seed = np.full(mask.shape, worst(mask.dtype, method))
    for axis, at, behind in place.faces():
        if not behind:
            side = (slice(None),) * axis + (at,)
            seed[side] = mask[side]
    return seed


def _above(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a - b of a >= b; a difference beyond the type becomes its end."""
    if a.dtype.kind == "b":
        return a & ~b
    found = a - b
    return np.where(found < 0, np.iinfo(a.dtype).max, found) if a.dtype.kind == "i" else found


def _taken(sign: int, dtype: np.dtype, blocks: Blocks, mask: np.ndarray, found: np.ndarray) -> np.ndarray:
    """What the reconstruction takes off the image (sign 1) or adds (-1)."""
    return _answer(dtype, blocks, mask, _above(mask, found) if sign > 0 else _above(found, mask))


def _plain(image: Any, seed: Any, method: str, run: Dict[str, Any], finish: Any = _answer, mask: Any = _one) -> da.Array:
    array = _array("image", image)
    outer = array.dtype.newbyteorder("=")
    _native(outer)
    return _lazy([array], mask, seed, partial(finish, outer), outer, run, method)


def fill_holes(image: Any, **run: Any) -> da.Array:
    """`wale.fill_holes` of a Dask array. Keywords as for `reconstruction`.

    Parameters
    ----------
    image : dask.array.Array

    Examples
    --------
    >>> import dask.array as da, wale.dask
    >>> ring = da.from_array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], chunks=1)
    >>> int(wale.dask.fill_holes(ring)[1, 1].compute())
    1
    """
    return _plain(image, partial(_from_frame, "erosion"), "erosion", run)


def clear_border(image: Any, **run: Any) -> da.Array:
    """`wale.clear_border` of a Dask array. Parameters as for `fill_holes`."""
    return _plain(image, partial(_from_frame, "dilation"), "dilation", run, partial(_taken, 1))


def _missing(no_data: Optional[float], image: np.ndarray) -> np.ndarray:
    gone = np.isnan(image) if image.dtype.kind == "f" else np.zeros(image.shape, bool)
    return gone if no_data is None else gone | (image == image.dtype.type(no_data))


def _number(image: np.ndarray) -> np.ndarray:
    return _images._exact("elevation", image).astype(_native(image.dtype), copy=False)


def _drained(no_data: Optional[float], blocks: Blocks) -> np.ndarray:
    """The elevation with the lowest value where there is no data."""
    image = _number(np.asarray(blocks[0]))
    return np.where(_missing(no_data, image), worst(image.dtype, "dilation"), image)


def _outlets(no_data: Optional[float], blocks: Blocks, mask: np.ndarray, place: Place) -> np.ndarray:
    missing = _missing(no_data, _number(np.asarray(blocks[0])))
    return np.where(missing, worst(mask.dtype, "dilation"), _from_frame("erosion", blocks, mask, place))


def _kept(no_data: Optional[float], dtype: np.dtype, blocks: Blocks, mask: np.ndarray, found: np.ndarray) -> np.ndarray:
    image = _number(np.asarray(blocks[0]))
    return _answer(dtype, blocks, mask, np.where(_missing(no_data, image), image, found))


def fill_depressions(elevation: Any, no_data: Optional[float] = None, **run: Any) -> da.Array:
    """`wale.fill_depressions` of a Dask array. Parameters as there; keywords as for `reconstruction`."""
    if no_data is not None:
        no_data = _inputs.real("no_data", no_data)
        kind = _native(_array("elevation", elevation).dtype)
        if kind.kind != "f" and no_data != np.clip(np.trunc(no_data), worst(kind, "dilation"), worst(kind, "erosion")):
            raise _wale.BadArgument(f"no_data: is {no_data}, expected a value of {kind}")
    seed, mask = partial(_outlets, no_data), partial(_drained, no_data)
    return _plain(elevation, seed, "erosion", run, partial(_kept, no_data), mask)


def _stepped(h: float, sign: int, blocks: Blocks, mask: np.ndarray, place: Place) -> np.ndarray:
    """The image lowered (sign 1) or raised (-1) by h, within its type."""
    if mask.dtype.kind == "f":
        return mask - mask.dtype.type(sign * h)
    if mask.dtype.kind == "b":
        return np.full(mask.shape, sign < 0)
    ends, step = np.iinfo(mask.dtype), mask.dtype.type(h)
    if sign > 0:
        return np.maximum(mask, mask.dtype.type(min(ends.min + int(h), ends.max))) - step
    return np.minimum(mask, mask.dtype.type(max(ends.max - int(h), ends.min))) + step


def _height(name: str, image: Any, h: float, sign: int, run: Dict[str, Any], finish: Any = _answer) -> da.Array:
    array = _array("image", image)
    getattr(wale, name)(np.zeros((1, 1), array.dtype), h)  # refuses what h may not be
    method = "dilation" if sign > 0 else "erosion"
    return _plain(array, partial(_stepped, float(h), sign), method, run, finish)


def h_maxima_transform(image: Any, h: float, **run: Any) -> da.Array:
    """`wale.h_maxima_transform` of a Dask array. Keywords as for `reconstruction`."""
    return _height("h_maxima_transform", image, h, 1, run)


def h_minima_transform(image: Any, h: float, **run: Any) -> da.Array:
    """`wale.h_minima_transform` of a Dask array. Keywords as for `reconstruction`."""
    return _height("h_minima_transform", image, h, -1, run)


def h_domes(image: Any, h: float, **run: Any) -> da.Array:
    """`wale.h_domes` of a Dask array. Keywords as for `reconstruction`.

    Parameters
    ----------
    image : dask.array.Array
    h : number

    Examples
    --------
    >>> import dask.array as da, numpy as np, wale.dask
    >>> image = da.from_array(np.array([[1, 9, 1, 4, 1]], np.uint8), chunks=1)
    >>> wale.dask.h_domes(image, 5).compute()
    array([[0, 5, 0, 3, 0]], dtype=uint8)
    """
    return _height("h_domes", image, h, 1, run, partial(_taken, 1))


def h_basins(image: Any, h: float, **run: Any) -> da.Array:
    """`wale.h_basins` of a Dask array. Keywords as for `reconstruction`."""
    return _height("h_basins", image, h, -1, run, partial(_taken, -1))


def _wider(dtype: np.dtype) -> np.dtype:
    """A type in which a step below and above each value exists."""
    native = _native(dtype)
    if native.kind == "f":
        return native
    return np.dtype(np.float64 if native.itemsize == 4 else np.int32)


def _one_step(sign: int, blocks: Blocks, mask: np.ndarray, place: Place) -> np.ndarray:
    if mask.dtype.kind == "f":
        return np.nextafter(mask, mask.dtype.type(-np.inf * sign))
    return mask - mask.dtype.type(sign)


def _differs(blocks: Blocks, mask: np.ndarray, found: np.ndarray) -> np.ndarray:
    return mask != found


def _regional(image: Any, sign: int, run: Dict[str, Any]) -> da.Array:
    """Plateaus that a reconstruction from one step of the type below does not reach."""
    array = _array("image", image)
    wide = array.map_blocks(partial(_widened, _wider(array.dtype)), dtype=_wider(array.dtype))
    method = "dilation" if sign > 0 else "erosion"
    found = _lazy([wide], _one, partial(_one_step, sign), _differs, bool, run, method)
    if not array.size:
        return found
    axes = tuple(range(_inputs.truth("batch", run.get("batch", False)), array.ndim))
    return found & (wide.max(axes, keepdims=True) > wide.min(axes, keepdims=True))  # none in a constant image


def _widened(dtype: np.dtype, block: np.ndarray) -> np.ndarray:
    return _images._exact("image", block).astype(dtype)


def extended_maxima(image: Any, h: float, **run: Any) -> da.Array:
    """`wale.extended_maxima` of a Dask array. Keywords as for `reconstruction`."""
    return _regional(h_maxima_transform(image, h, **run), 1, run)


def extended_minima(image: Any, h: float, **run: Any) -> da.Array:
    """`wale.extended_minima` of a Dask array. Keywords as for `reconstruction`."""
    return _regional(h_minima_transform(image, h, **run), -1, run)


def local_maxima(image: Any, **run: Any) -> da.Array:
    """`wale.local_maxima` of a Dask array, plateaus at the border included. Keywords as for `reconstruction`."""
    return _regional(image, 1, run)


def local_minima(image: Any, **run: Any) -> da.Array:
    """`wale.local_minima` of a Dask array, plateaus at the border included. Keywords as for `reconstruction`."""
    return _regional(image, -1, run)


def _threshold(limit: float, blocks: Blocks, *_: Any) -> np.ndarray:
    image = _one(blocks)
    return image > (image.dtype.type(limit) if image.dtype.kind == "f" else limit)


def _flags(blocks: Blocks, mask: np.ndarray, found: np.ndarray) -> np.ndarray:
    return found


def apply_hysteresis_threshold(image: Any, low: float, high: float, **run: Any) -> da.Array:
    """`wale.apply_hysteresis_threshold` of a Dask array. Keywords as for `reconstruction`; connectivity 1 by default."""
    array = _array("image", image)
    wale.apply_hysteresis_threshold(np.zeros((1, 1), array.dtype), low, high)  # refuses what they may not be
    above = partial(_threshold, float(low)), partial(_threshold, float(high))
    return _lazy([array], *above, _flags, bool, {"connectivity": 1, **run}, "dilation")


def _boxed(size: Tuple[int, ...], method: str, block: np.ndarray) -> np.ndarray:
    """The least (greatest) values in a box; at the border of the picture the box is cut."""
    function = ndimage.minimum_filter if method == "dilation" else ndimage.maximum_filter
    native = block.astype(_native(block.dtype), copy=False)  # SciPy takes no float16
    return function(native, size, mode="nearest").astype(block.dtype)


def _by_box(name: str, image: Any, size: int, method: str, run: Dict[str, Any]) -> da.Array:
    array = _array("image", image)
    batch = _inputs.truth("batch", run.get("batch", False))
    extents = array.shape[batch:]
    least = np.zeros((min(extents, default=0),) * 2, np.uint8)
    getattr(wale, name)(least, size)  # refuses what size may not be
    if array.ndim == 1 or not array.size:
        raise _wale.BadArgument(f"image: has shape {array.shape}, expected pixels in 2 or 3 dimensions")
    depth = {axis: 0 if axis < batch else size // 2 for axis in range(array.ndim)}
    box = tuple(1 if axis < batch else size for axis in range(array.ndim))
    seed = da.map_overlap(partial(_boxed, box, method), array, depth=depth, boundary="none", dtype=array.dtype)
    return reconstruction(seed, array, method, **run)


def opening_by_reconstruction(image: Any, size: int, **run: Any) -> da.Array:
    """`wale.opening_by_reconstruction` of a Dask array. Keywords as for `reconstruction`."""
    return _by_box("opening_by_reconstruction", image, size, "dilation", run)


def closing_by_reconstruction(image: Any, size: int, **run: Any) -> da.Array:
    """`wale.closing_by_reconstruction` of a Dask array. Keywords as for `reconstruction`."""
    return _by_box("closing_by_reconstruction", image, size, "erosion", run)


def watershed(*arguments: Any, **words: Any) -> NoReturn:
    """Refused: a pixel that two floods reach at one height belongs to the one whose queue was shorter in the whole
    picture, and borders of chunks do not say that."""
    raise _wale.UnsupportedVariant(
        "watershed: floods that meet on a plateau share it in the order of one queue over the whole picture, which "
        "chunks do not know; expected an array in one piece (wale.watershed), or chunks by themselves (map_blocks)"
    )
