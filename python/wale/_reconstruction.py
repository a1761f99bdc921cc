"""The solver `reconstruction`: morphological reconstruction as scikit-image has it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Callable, Optional, Tuple, overload

import numpy as np

from . import _inputs, _wale
from ._call import check_out, filled, put
from ._footprint import with_footprint
from ._images import Images, Run, call, checked_connectivity, fitted, prepare
from ._libraries import in_their_library
from ._typing import Host, Unpack


@overload
def reconstruction(
    seed: Host, mask: Host, method: str = ..., footprint: Any = ..., offset: Any = ..., *, clamp: bool = ...,
    **run: Unpack[Run]
) -> np.ndarray: ...
@overload
def reconstruction(
    seed: Any, mask: Any, method: str = ..., footprint: Any = ..., offset: Any = ..., *, clamp: bool = ...,
    **run: Unpack[Run]
) -> Any: ...
@in_their_library
def reconstruction(
    seed: Any,
    mask: Any,
    method: str = "dilation",
    footprint: Any = None,
    offset: Any = None,
    *,
    clamp: bool = False,
    **run: Unpack[Run],
) -> Any:
    """Morphological reconstruction of an image, as `skimage.morphology.reconstruction`, in the input's type.

    By dilation the seed rises under the mask until its neighbours and the mask hold it; by erosion it falls
    upon the mask (Vincent 1993).

    Parameters
    ----------
    seed, mask : array
        The marker and its limit, of one shape: one to three dimensions, any real type or bool, any strides; NumPy,
        or arrays of one device that speak DLPack (bool, uint8, uint16, int32, float32, float64, contiguous).
    method : {"dilation", "erosion"}
    footprint : array, optional
        The neighbourhood: a cross, all neighbours (the default), in 3-D also 18 of them; of a line both
        neighbours. It may be larger than 3 pixels a side where the rest is not set.
    offset : sequence of int, optional
        Where the pixel itself lies in the footprint; the middle by default.
    clamp : bool
        Cut the seed to the mask where it lies beyond it, instead of raising an error.
    connectivity : int, optional
        Instead of a footprint: how many coordinates of a neighbour may differ, 1 to the number of dimensions; or
        how many neighbours there are, 4 or 8, in three dimensions 6, 18 or 26.
    batch : bool
        The leading axis counts independent images.
    out : array, optional
        Written in place.
    where, backend, variant, threads
        As for `lcs_length`; variants are those of `wale.variants("reconstruction")`.

    Returns
    -------
    array
        `out`, or a new array of the inputs' common type; on their device for device arrays.

    Raises
    ------
    BadArgument
        For NaN (with its place), for a seed beyond the mask (with the first pixel and their number), for shapes
        that differ, for a footprint about its offset that is none of these neighbourhoods.

    Examples
    --------
    >>> import numpy as np, wale
    >>> mask = np.array([3, 7, 5, 1, 6, 9, 2], np.uint8)
    >>> wale.reconstruction(np.minimum(mask, 5), mask)
    array([3, 5, 5, 1, 5, 5, 2], dtype=uint8)
    """
    ready = prepare(("seed", "mask"), (seed, mask), bool(run.get("batch", False)))
    run = with_footprint(ready, footprint, offset, run)
    try:
        return call(_wale.reconstruct, ready, run, method=method, clamp=clamp)
    except _wale.BadArgument as refusal:  # by the name that the marker has here
        raise _wale.BadArgument(re.sub("^marker: ", "seed: ", str(refusal))) from None


def reconstruction_flaw(
    seed: Any, mask: Any, result: Any, method: str = "dilation", *, connectivity: Optional[int] = None
) -> str:
    """Why `result` is not the reconstruction; empty if it is. A certificate that needs no second computation.

    It lies between seed and mask, an elementary dilation under the mask leaves it as it is, and each of its
    regional maxima touches the seed: these three hold for one image only.

    Parameters
    ----------
    seed, mask, method, connectivity
        As for `reconstruction`; host memory.
    result : array
        The image that is judged.

    Returns
    -------
    str

    Raises
    ------
    BadArgument, TypeError
        Where a shape, a type or a value is not taken, such as NaN in the image.

    Examples
    --------
    >>> import numpy as np, wale
    >>> mask = np.array([[3, 7, 5, 1, 6]], np.uint8)
    >>> seed = np.minimum(mask, 5)
    >>> wale.reconstruction_flaw(seed, mask, wale.reconstruction(seed, mask))
    ''
    >>> wale.reconstruction_flaw(seed, mask, mask) != ''
    True
    """
    ready = prepare(("seed", "mask", "result"), (seed, mask, result))
    if ready.device is not None:
        raise _wale.BadArgument("result: is in device memory, expected host memory (wale.to_host)")
    words = {"method": method, "rank": ready.rank, "connectivity": checked_connectivity(connectivity, ready.rank)}
    options = filled(_wale.ReconstructionOptions(), words)
    below, limit, found = ready.arrays
    return _wale.reconstruction_flaw(below, limit, found, options)


def lined(function: Any, ready: Images, run: Run, rows: Callable[[np.ndarray], np.ndarray], *between: Any) -> Any:
    """`call`, of a line as the middle one of `rows(line)`."""
    if len(ready.outer_shape) > 1:
        return call(function, ready, run, *between)
    line = ready.arrays[0][0]
    rest: Run = {**run}
    out = rest.pop("out", None)
    if out is not None:
        check_out(out, line.shape, np.dtype(ready.outer_dtype or ready.dtype).name)
    image = rows(line)
    answer = call(function, ready._replace(arrays=[image], shape=image.shape, outer_shape=image.shape), rest, *between)
    return put(answer[len(image) // 2], out)


def _bordered(function: Any, ready: Images, run: Run, wall: Callable[[np.ndarray], Any], *between: Any) -> Any:
    """A line between two walls: the border of a line are its ends, and of one row of pixels all pixels."""

    def walled(line: np.ndarray) -> np.ndarray:
        walls = np.full_like(line, wall(line) if line.size else 0)
        return np.stack([walls, line, walls])

    return lined(function, ready, run, walled, *between)


@overload
def fill_holes(image: Host, **run: Unpack[Run]) -> np.ndarray: ...
@overload
def fill_holes(image: Any, **run: Unpack[Run]) -> Any: ...
@in_their_library
def fill_holes(image: Any, **run: Unpack[Run]) -> Any:
    """Fills the basins that do not reach the border, up to their lowest way out; grey or binary.

    Parameters
    ----------
    image : array
        As for `reconstruction`, whose keywords this takes: connectivity, batch, out, where, backend, variant, threads.

    Returns
    -------
    array of the image's type and shape

    Raises
    ------
    BadArgument, TypeError
        Where a shape, a type or a value is not taken, such as NaN in the image.

    Examples
    --------
    >>> import numpy as np, wale
    >>> ring = np.zeros((5, 5), bool)
    >>> ring[1:4, 1:4] = True
    >>> ring[2, 2] = False
    >>> bool(wale.fill_holes(ring, connectivity=1)[2, 2])
    True
    """
    return _bordered(_wale.fill_holes, prepare(("image",), (image,), bool(run.get("batch"))), run, np.max)


@overload
def clear_border(image: Host, **run: Unpack[Run]) -> np.ndarray: ...
@overload
def clear_border(image: Any, **run: Unpack[Run]) -> Any: ...
@in_their_library
def clear_border(image: Any, **run: Unpack[Run]) -> Any:
    """Removes what is connected to the border: image - reconstruction from the border.

    On binary images as `skimage.segmentation.clear_border`. Parameters as for `fill_holes`.

    Parameters
    ----------
    image : array
        As for `reconstruction`, whose keywords this takes.

    Returns
    -------
    array of the image's type and shape

    Raises
    ------
    BadArgument, TypeError
        Where a shape, a type or a value is not taken, such as NaN in the image.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.clear_border(np.array([[7, 0, 0], [0, 0, 0], [0, 0, 0]], np.uint8))[0]
    array([0, 0, 0], dtype=uint8)
    """
    return _bordered(_wale.clear_border, prepare(("image",), (image,), bool(run.get("batch"))), run, np.min)


@overload
def fill_depressions(elevation: Host, no_data: Optional[float] = ..., **run: Unpack[Run]) -> np.ndarray: ...
@overload
def fill_depressions(elevation: Any, no_data: Optional[float] = ..., **run: Unpack[Run]) -> Any: ...
@in_their_library
def fill_depressions(elevation: Any, no_data: Optional[float] = None, **run: Unpack[Run]) -> Any:
    """Fills the depressions of an elevation model, so that water runs off at the border.

    Parameters
    ----------
    elevation : array
        Heights. Cells of NaN or `no_data` let water out too, and keep their value.
    no_data : number, optional

    Returns
    -------
    array of the image's type and shape

    Raises
    ------
    BadArgument, TypeError
        Where a shape, a type or a value is not taken.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.fill_depressions(np.array([[9, 9, 9, 9], [9, 2, 5, 7], [9, 9, 9, 9]], np.float32))[1]
    array([9., 7., 7., 7.], dtype=float32)
    """
    ready = prepare(("elevation",), (elevation,), bool(run.get("batch")))
    outlet = None if no_data is None else _inputs.real("no_data", no_data)

    def highest(line: np.ndarray) -> Any:
        cells = line[(line != outlet) & (line == line)]
        return cells.max() if cells.size else line[0]

    return _bordered(_wale.fill_depressions, ready, run, highest, outlet)


def _beside(ready: Images, name: str, other: Any, dtype: Any) -> Any:
    """A second image of another type, in the shape of the first."""
    there = _inputs.on_device(other)
    if (there is None) != (ready.device is None):
        raise _wale.BadArgument(f"{name}: expected in the memory of the image")
    if there is not None:
        return there.array
    array = _inputs.host_array(other, name)
    if array.shape != ready.outer_shape:
        raise _wale.BadArgument(f"{name}: has shape {array.shape}, expected {ready.outer_shape} like the image")
    if dtype is not np.bool_:
        return _inputs.exact_integers(name, array, dtype).reshape(ready.shape)
    if np.isnan(_inputs.real_array(name, array)).any():
        raise _wale.BadArgument(f"{name}: holds NaN, expected booleans or numbers")
    return np.ascontiguousarray(array, np.bool_).reshape(ready.shape)


@overload
def impose_minima(image: Host, minima: Any, **run: Unpack[Run]) -> np.ndarray: ...
@overload
def impose_minima(image: Any, minima: Any, **run: Unpack[Run]) -> Any: ...
@in_their_library
def impose_minima(image: Any, minima: Any, **run: Unpack[Run]) -> Any:
    """The image with regional minima exactly where `minima` is set.

    Parameters
    ----------
    image : array
        As for `reconstruction`, whose keywords this takes.
    minima : array
        Of the shape of the image; not 0: a minimum.

    Returns
    -------
    array of the image's type and shape

    Raises
    ------
    BadArgument, TypeError
        Where a shape, a type or a value is not taken, such as NaN in the image.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.impose_minima(np.array([[5, 3, 6, 2, 7]], np.uint8), np.array([[0, 1, 0, 0, 0]], bool))
    array([[6, 0, 7, 7, 8]], dtype=uint8)
    """
    ready = prepare(("image",), (image,), bool(run.get("batch")))
    both = ready._replace(arrays=[ready.arrays[0], _beside(ready, "minima", minima, np.bool_)])
    if ready.outer_dtype is None or ready.outer_dtype.kind == "f" or ready.dtype != "float64":
        return call(_wale.impose_minima, both, run)
    # Integers in float64, where the library would raise the others by a rounding, not by 1.
    image, low = both.arrays
    bottom, top = fitted(np.array([-np.inf, np.inf]), ready.outer_dtype).astype(np.float64)
    limits = [np.where(low, bottom, level) for level in (top, np.minimum(image + 1, top))]
    return call(_wale.reconstruct, ready._replace(arrays=limits), run, method="erosion")


@in_their_library
def select_objects(image: Any, points: Any, **run: Unpack[Run]) -> Tuple[Any, int]:
    """The connected parts of a binary image that hold one of the points, and their number of pixels.

    Parameters
    ----------
    image : array
        Not 0: object.
    points : sequence
        Coordinates in the order of the axes: (row, column) or (plane, row, column).

    Returns
    -------
    selected : array of bool
    area : int

    Raises
    ------
    BadArgument, TypeError
        Where a shape, a type or a value is not taken, such as NaN in the image.

    Examples
    --------
    >>> import numpy as np, wale
    >>> selected, area = wale.select_objects(np.array([[1, 1, 0, 1]]), [(0, 3)])
    >>> selected.astype(int), area
    (array([[0, 0, 0, 1]]), 1)
    """
    if _inputs.on_device(image) is None:
        pixels = _inputs.host_array(image, "image")
        if pixels.dtype.kind not in "biuf":
            raise TypeError(f"image: pixels of {pixels.dtype}, expected booleans or numbers")
        image = pixels != 0
    ready = prepare(("image",), (image,), bool(run.get("batch")))
    axes = len(ready.outer_shape) - int(ready.batch)
    places = np.atleast_1d(_inputs.exact_integers("points", points, np.int64))
    if places.size % axes or (places.size and places.shape[-1] != axes):
        raise _wale.BadArgument(f"points: have shape {places.shape}, expected {axes} coordinates each")
    at = [(0,) * (3 - axes) + tuple(p) for p in places.reshape(-1, axes).tolist()]
    return call(_select, ready, run, at, flags=True)


def _select(where: Any, image: Any, points: Any, out: Any, options: Any) -> Any:
    return _wale.select_objects(where, image, points, out, options)


if not TYPE_CHECKING:  # small images are answered without a step of the interpreter
    reconstruction = _wale.short_form(
        reconstruction, "(seed, mask, method='dilation', footprint=None, offset=None, *, clamp=False, **run)"
    )
    fill_holes = _wale.short_form(fill_holes, "(image, **run)")
    clear_border = _wale.short_form(clear_border, "(image, **run)")
    fill_depressions = _wale.short_form(fill_depressions, "(elevation, no_data=None, **run)")
