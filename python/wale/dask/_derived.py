"""What is derived from reconstruction, on Dask arrays of any chunks."""

from __future__ import annotations

from functools import partial
from typing import Any, Dict, NoReturn, Optional, Tuple

import dask.array as da
import numpy as np
from scipy import ndimage

import wale

from .. import _images, _inputs, _wale
from ._borders import Place, worst
from ._images import Blocks, answer, converted, dask_array, lazy, native, reconstruction


def _one(blocks: Blocks) -> np.ndarray:
    block = np.asarray(blocks[0])
    return converted("image", block.dtype.newbyteorder("="), block)


def _from_frame(method: str, blocks: Blocks, mask: np.ndarray, place: Place) -> Optional[np.ndarray]:
    """A seed that has the image's values at the border; None: the chunk lies apart from it."""
    sides = [(slice(None),) * axis + (at,) for axis, at, behind in place.faces() if not behind]
    if not sides:
        return None
    seed = np.full(mask.shape, worst(mask.dtype, method))
    for side in sides:
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
    return answer(dtype, blocks, mask, _above(mask, found) if sign > 0 else _above(found, mask))


def _plain(image: Any, seed: Any, method: str, run: Dict[str, Any], finish: Any = answer,
           mask: Any = _one, late: bool = False) -> da.Array:  # fmt: skip
    array = dask_array("image", image)
    outer = array.dtype.newbyteorder("=")
    native(outer)
    return lazy([array], mask, seed, partial(finish, outer), outer, run, method, True, late)


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
    return _plain(image, partial(_from_frame, "erosion"), "erosion", run, late=True)


def clear_border(image: Any, **run: Any) -> da.Array:
    """`wale.clear_border` of a Dask array. Parameters as for `fill_holes`."""
    return _plain(image, partial(_from_frame, "dilation"), "dilation", run, partial(_taken, 1), late=True)


def _missing(no_data: Optional[float], image: np.ndarray) -> np.ndarray:
    gone = np.isnan(image) if image.dtype.kind == "f" else np.zeros(image.shape, bool)
    return gone if no_data is None else gone | (image == image.dtype.type(no_data))


def _number(image: np.ndarray) -> np.ndarray:
    return _images._exact("elevation", image).astype(native(image.dtype), copy=False)


def _drained(no_data: Optional[float], blocks: Blocks) -> np.ndarray:
    """The elevation with the lowest value where there is no data."""
    image = _number(np.asarray(blocks[0]))
    return np.where(_missing(no_data, image), worst(image.dtype, "dilation"), image)


def _outlets(no_data: Optional[float], blocks: Blocks, mask: np.ndarray, place: Place) -> np.ndarray:
    missing = _missing(no_data, _number(np.asarray(blocks[0])))
    frame = _from_frame("erosion", blocks, mask, place)
    return np.where(missing, worst(mask.dtype, "dilation"), worst(mask.dtype, "erosion") if frame is None else frame)


def _kept(no_data: Optional[float], dtype: np.dtype, blocks: Blocks, mask: np.ndarray, found: np.ndarray) -> np.ndarray:
    image = _number(np.asarray(blocks[0]))
    return answer(dtype, blocks, mask, np.where(_missing(no_data, image), image, found))


def fill_depressions(elevation: Any, no_data: Optional[float] = None, **run: Any) -> da.Array:
    """`wale.fill_depressions` of a Dask array. Parameters as there; keywords as for `reconstruction`."""
    if no_data is not None:
        no_data = _inputs.real("no_data", no_data)
        kind = native(dask_array("elevation", elevation).dtype)
        if kind.kind != "f" and no_data != np.clip(np.trunc(no_data), worst(kind, "dilation"), worst(kind, "erosion")):
            raise _wale.BadArgument(f"no_data: is {no_data}, expected a value of {kind}")
    seed, mask = partial(_outlets, no_data), partial(_drained, no_data)
    return _plain(elevation, seed, "erosion", run, partial(_kept, no_data), mask, True)


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


def _height(name: str, image: Any, h: float, sign: int, run: Dict[str, Any], finish: Any = answer) -> da.Array:
    array = dask_array("image", image)
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
    own = native(dtype)
    if own.kind == "f":
        return own
    return np.dtype(np.float64 if own.itemsize == 4 else np.int32)


def _one_step(sign: int, blocks: Blocks, mask: np.ndarray, place: Place) -> np.ndarray:
    if mask.dtype.kind == "f":
        return np.nextafter(mask, mask.dtype.type(-np.inf * sign))
    return mask - mask.dtype.type(sign)


def _differs(blocks: Blocks, mask: np.ndarray, found: np.ndarray) -> np.ndarray:
    return mask != found


def _regional(image: Any, sign: int, run: Dict[str, Any]) -> da.Array:
    """Plateaus that a reconstruction from one step of the type below does not reach."""
    array = dask_array("image", image)
    wide = array.map_blocks(partial(_widened, _wider(array.dtype)), dtype=_wider(array.dtype))
    method = "dilation" if sign > 0 else "erosion"
    found = lazy([wide], _one, partial(_one_step, sign), _differs, bool, run, method)
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
    """`wale.apply_hysteresis_threshold` of a Dask array. Keywords as for `reconstruction`; connectivity: 1."""
    array = dask_array("image", image)
    wale.apply_hysteresis_threshold(np.zeros((1, 1), array.dtype), low, high)  # refuses what they may not be
    above = partial(_threshold, float(low)), partial(_threshold, float(high))
    return lazy([array], *above, _flags, bool, {"connectivity": 1, **run}, "dilation")


def _boxed(size: Tuple[int, ...], method: str, block: np.ndarray) -> np.ndarray:
    """The least (greatest) values in a box; at the border of the image the box is cut."""
    function = ndimage.minimum_filter if method == "dilation" else ndimage.maximum_filter
    pixels = block.astype(native(block.dtype), copy=False)  # SciPy takes no float16
    return function(pixels, size, mode="nearest").astype(block.dtype)


def _by_box(name: str, image: Any, size: int, method: str, run: Dict[str, Any]) -> da.Array:
    array = dask_array("image", image)
    batch = _inputs.truth("batch", run.get("batch", False))
    extents = array.shape[batch:]
    least = np.zeros((min(extents, default=0),) * 2, np.uint8)
    getattr(wale, name)(least, size)  # refuses what size may not be
    if not array.size:
        raise _wale.BadArgument(f"image: has shape {array.shape}, expected pixels")
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
    """Refused: floods that meet on a plateau share it in the order of one queue over the whole image."""
    raise _wale.UnsupportedVariant(
        "watershed: floods that meet on a plateau share it in the order of one queue over the whole image, which "
        "chunks do not know; expected an array in one piece (wale.watershed), or chunks by themselves (map_blocks)"
    )
