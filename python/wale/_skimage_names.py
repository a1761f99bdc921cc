"""Functions under the names, arguments and answers of scikit-image."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Optional, Tuple, cast, overload

import numpy as np

from . import _inputs, _wale
from ._call import check_out, last_report, put, remember
from ._footprint import connectivity_of, with_footprint
from ._images import Images, Keywords, Run, call, prepare
from ._reconstruction import _beside
from ._libraries import in_their_library
from ._typing import Host, Unpack


def _extended(image: Any, h: float, footprint: Any, run: Run, sign: int) -> Any:
    """Pixels whose dome (sign 1) or basin (-1) reaches h, as uint8: scikit-image's rule, in the image's type."""
    h = _inputs.real("h", h)
    if not h > 0:
        raise _wale.BadArgument(f"h: is {h}, expected a number above 0")
    if _inputs.on_device(image) is not None:
        raise _wale.BadArgument("image: is in device memory; h_domes and h_basins take it there")
    pixels = _inputs.host_array(image, "image")
    if pixels.dtype.kind == "f":
        endless = np.isnan(pixels) | (pixels == sign * np.inf)  # a dome, or a basin, without a height
        if endless.any():
            place = tuple(int(k[0]) for k in np.nonzero(endless))
            found = "NaN" if np.isnan(pixels[place]) else pixels[place]
            raise _wale.BadArgument(f"image: {found} at {place}, expected finite numbers")
    rest: Run = {**run}
    out = rest.pop("out", None)
    if out is not None:
        check_out(out, pixels.shape, "uint8")
    corner = pixels[(slice(0, 1),) * pixels.ndim]  # for what is refused, whatever the pixels are
    ready = prepare(("image",), (corner,), bool(run.get("batch")))
    run = with_footprint(ready, footprint, None, rest)
    spread = float(pixels.max()) - float(pixels.min()) if pixels.size else 0.0
    if h > spread:  # the answer is known
        call(_wale.h_domes, ready, run, 1.0)
        return put(np.zeros(pixels.shape, np.uint8), out)
    if pixels.dtype.kind == "i" and spread > np.iinfo(pixels.dtype).max:
        pixels = pixels.astype(np.float64)  # its own type does not hold every height
    if pixels.dtype.kind in "iub" and float(h) % 1 != 0:
        pixels = pixels.astype(np.float64)
    ready = prepare(("image",), (pixels,), bool(run.get("batch")))
    if pixels.dtype.kind != "f":
        domes = _wale.h_domes if sign > 0 else _wale.h_basins
        return put((call(domes, ready, run, float(h)) >= pixels.dtype.type(h)).astype(np.uint8), out)
    # Rounding must not part a plateau: the marker goes a little deeper than h.
    spare = 2 * np.finfo(pixels.dtype).resolution * np.abs(pixels)
    seed = pixels - sign * h - sign * spare
    both = prepare(("seed", "image"), (seed, pixels), bool(run.get("batch")))
    method = "dilation" if sign > 0 else "erosion"
    rebuilt = call(_wale.reconstruct, both, run, method=method)
    return put((sign * (pixels - rebuilt) >= h).astype(np.uint8), out)


@in_their_library
def h_maxima(image: Any, h: float, footprint: Any = None, **run: Unpack[Run]) -> Any:
    """Maxima whose domes have at least the height `h`, as `skimage.morphology.h_maxima`: uint8, 1 where they are.

    Parameters
    ----------
    image : array
    h : number
    footprint : array, optional
        As for `reconstruction`, whose keywords this takes.

    Returns
    -------
    array of uint8, of the image's shape

    Raises
    ------
    BadArgument, TypeError
        Where a shape, a type or a value is not taken, such as NaN in the image.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.h_maxima(np.array([[1, 9, 1, 4, 1]], np.uint8), 5)
    array([[0, 1, 0, 0, 0]], dtype=uint8)
    """
    return _extended(image, h, footprint, run, 1)


@in_their_library
def h_minima(image: Any, h: float, footprint: Any = None, **run: Unpack[Run]) -> Any:
    """Minima whose basins have at least the depth `h`, as `skimage.morphology.h_minima`.

    Parameters
    ----------
    image, h, footprint
        As for `h_maxima`.

    Returns
    -------
    array of uint8, of the image's shape

    Raises
    ------
    BadArgument, TypeError
        Where a shape, a type or a value is not taken, such as NaN in the image.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.h_minima(np.array([[9, 1, 9, 6, 9]], np.uint8), 5)
    array([[0, 1, 0, 0, 0]], dtype=uint8)
    """
    return _extended(image, h, footprint, run, -1)


def _local(function: Any, image: Any, footprint: Any, connectivity: Optional[int], borders: bool,
           keywords: Keywords) -> Any:  # fmt: skip
    borders = _inputs.truth("allow_borders", borders)
    pixels = image if _inputs.on_device(image) else _inputs.host_array(image, "image")
    if isinstance(pixels, np.ndarray) and pixels.dtype.kind == "i" and pixels.dtype.itemsize <= 2:
        # Unsigned numbers of the same order: the library would take int32, which is twice as wide or more.
        pixels = (pixels ^ np.iinfo(pixels.dtype).min).view(f"u{pixels.dtype.itemsize}")
    ready = prepare(("image",), (pixels,), bool(keywords.get("batch")))
    run = with_footprint(ready, footprint, None, {**keywords, "connectivity": connectivity})
    axes = ready.outer_shape[int(ready.batch) :]  # of one image
    inner = borders or ready.device is not None or min(axes) >= 3
    if not inner and run.get("out") is None and _is_good(pixels):  # all pixels are at the border
        words = (function, pixels.dtype, pixels.ndim, ready.batch, tuple(run.items()))
        try:
            remember(_accepted(*words))
        except TypeError:  # a word without a hash
            remember(_looked_at(*words))
        return np.zeros(ready.outer_shape, bool)
    found = call(function, ready, run, flags=True)
    if borders or ready.device is not None:
        return found
    if not inner:
        found[...] = False
        return found
    # A plateau that touches the border is none.
    rest: Run = {**run}
    out = rest.pop("out", None)
    if ready.batch or len(ready.outer_shape) < 2:
        frame = np.ones(ready.outer_shape, bool)
        frame[(slice(None),) * int(ready.batch) + (slice(1, -1),) * len(axes)] = False
        touching = prepare(("seed", "mask"), (found & frame, found), ready.batch)
        answer = found & ~call(_wale.reconstruct, touching, rest)
    else:
        answer = call(_wale.clear_border, prepare(("image",), (found,)), rest)
    return put(answer, out)


def _looked_at(function: Any, dtype: np.dtype, rank: int, batch: bool, run: Tuple[Tuple[str, Any], ...]) -> Any:
    """The report of a call for one pixel: refuses what is refused whatever the pixels are."""
    pixel = prepare(("image",), (np.zeros((1,) * rank, dtype),), batch)
    call(function, pixel, cast(Run, dict(run)), flags=True)
    return last_report()


_accepted = functools.lru_cache(maxsize=64)(_looked_at)


def _is_good(pixels: np.ndarray) -> bool:
    """Whether no value is refused; what is beyond the library's types, prepare() has refused."""
    return pixels.dtype.kind != "f" or not np.isnan(pixels).any()


@in_their_library
def local_maxima(
    image: Any,
    footprint: Any = None,
    connectivity: Optional[int] = None,
    indices: bool = False,
    allow_borders: bool = True,
    **run: Unpack[Keywords],
) -> Any:
    """Plateaus whose neighbours are all lower, as `skimage.morphology.local_maxima`: bool, or their indices.

    Parameters
    ----------
    image : array
        As for `reconstruction`.
    footprint : array, optional
        As for `reconstruction`.
    connectivity : int, optional
        Instead of a footprint.
    indices : bool
        Return `numpy.nonzero` of the answer.
    allow_borders : bool
        Plateaus at the border count.

    Returns
    -------
    array of bool, of the image's shape
        With `indices`: a tuple of arrays of indices.

    Raises
    ------
    BadArgument, TypeError
        Where a shape, a type or a value is not taken, such as NaN in the image.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.local_maxima(np.array([[1, 9, 1, 4, 4]], np.uint8)).astype(int)
    array([[0, 1, 0, 1, 1]])
    """
    indices = _inputs.truth("indices", indices)
    found = _local(_wale.regional_maxima, image, footprint, connectivity, allow_borders, run)
    return np.nonzero(found) if indices else found


@in_their_library
def local_minima(
    image: Any,
    footprint: Any = None,
    connectivity: Optional[int] = None,
    indices: bool = False,
    allow_borders: bool = True,
    **run: Unpack[Keywords],
) -> Any:
    """Plateaus whose neighbours are all higher, as `skimage.morphology.local_minima`.

    Parameters
    ----------
    image, footprint, connectivity, indices, allow_borders
        As for `local_maxima`.

    Returns
    -------
    array of bool, of the image's shape
        With `indices`: a tuple of arrays of indices.

    Raises
    ------
    BadArgument, TypeError
        Where a shape, a type or a value is not taken, such as NaN in the image.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.local_minima(np.array([[9, 1, 9, 6, 6]], np.uint8), indices=True)[1]
    array([1, 3, 4])
    """
    indices = _inputs.truth("indices", indices)
    found = _local(_wale.regional_minima, image, footprint, connectivity, allow_borders, run)
    return np.nonzero(found) if indices else found


@overload
def apply_hysteresis_threshold(image: Host, low: float, high: float, **run: Unpack[Run]) -> np.ndarray: ...
@overload
def apply_hysteresis_threshold(image: Any, low: float, high: float, **run: Unpack[Run]) -> Any: ...
@in_their_library
def apply_hysteresis_threshold(image: Any, low: float, high: float, **run: Unpack[Run]) -> Any:
    """Pixels above `low` connected to one above `high`, as `skimage.filters.apply_hysteresis_threshold`: bool.

    By default neighbours share an edge or a face (connectivity 1), as there.

    Parameters
    ----------
    image : array
        As for `reconstruction`, whose keywords this takes.
    low, high : number
        The thresholds.

    Returns
    -------
    array of bool, of the image's shape

    Raises
    ------
    BadArgument, TypeError
        Where a shape, a type or a value is not taken, such as NaN in the image.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.apply_hysteresis_threshold(np.array([1, 2, 1, 2, 3, 2], np.uint8), 1.5, 2.5).astype(int)
    array([0, 0, 0, 1, 1, 1])
    """
    ready = prepare(("image",), (image,), bool(run.get("batch")))
    limits = _inputs.real("low", low), _inputs.real("high", high)
    return call(_wale.hysteresis_threshold, ready, {"connectivity": 1, **run}, *limits, flags=True)


@overload
def watershed(
    image: Host, markers: Any, connectivity: Any = ..., mask: Any = ..., watershed_line: bool = ...,
    **run: Unpack[Keywords]
) -> np.ndarray: ...
@overload
def watershed(
    image: Any, markers: Any, connectivity: Any = ..., mask: Any = ..., watershed_line: bool = ...,
    **run: Unpack[Keywords]
) -> Any: ...
@in_their_library
def watershed(
    image: Any,
    markers: Any,
    connectivity: Any = 1,
    mask: Any = None,
    watershed_line: bool = False,
    **run: Unpack[Keywords],
) -> Any:
    """Basins flooded from markers, as `skimage.segmentation.watershed`: labels of the markers' type.

    Marked pixels of equal values flood in raster order; scikit-image leaves their order to its heap, and borders may
    differ from its by a few pixels.

    Parameters
    ----------
    image : array
        Heights; the lowest are flooded first.
    markers : array of integers
        Where the floods begin: labels of any integer type, each kept in it; 0 is none.
    connectivity : int or array
        How many coordinates of a neighbour may differ; or a footprint, as for `reconstruction`.
    mask : array of bool, optional
        Only where it is set.
    watershed_line : bool
        Leave the pixels between two basins 0.

    Returns
    -------
    array of the markers' type, of the image's shape

    Raises
    ------
    BadArgument, TypeError
        Where a shape, a type or a value is not taken, such as markers of floats or NaN in the image.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.watershed(np.array([[0, 1, 5, 1, 0]], np.uint8), np.array([[1, 0, 0, 0, 2]]))
    array([[1, 1, 1, 2, 2]])
    """
    ready = prepare(("image",), (image,), bool(run.get("batch")))
    if markers is None or isinstance(markers, (int, np.integer)):
        raise TypeError(f"markers: is {markers!r}, expected an array of labels, such as numbered parts of `local_minima`")
    if np.ndim(connectivity) > 0:
        connectivity = connectivity_of(connectivity, None, min(len(ready.outer_shape), ready.rank))
    seeds, labels = _seeds(ready, markers)
    line = _inputs.truth("watershed_line", watershed_line)
    within = None if mask is None else _beside(ready, "mask", mask, np.bool_)

    def flood(where: Any, pixels: Any, from_: Any, out: Any, options: Any) -> Any:
        return _wale.watershed(where, pixels, from_, within, out, line, options)

    both = ready._replace(arrays=[ready.arrays[0], seeds])
    words: Run = {"connectivity": connectivity, **run}
    if labels is None:
        return call(flood, both, words, dtype="int32")
    out = words.pop("out", None)
    if out is not None:
        check_out(out, ready.outer_shape, labels.dtype.name)
    found = call(flood, both, words, dtype="int32")
    answer = labels[found] if labels.size else found.astype(labels.dtype, copy=False)
    return put(answer, out)


def _seeds(ready: Images, markers: Any) -> Tuple[Any, Optional[np.ndarray]]:
    """The markers in int32, and the labels that stand for theirs: empty where they are the same numbers.

    Labels beyond int32 (its lowest two numbers are the library's own) are counted in ascending order.
    """
    if _inputs.on_device(markers) is not None:
        return _beside(ready, "markers", markers, np.int32), None
    array = _inputs.host_array(markers, "markers")
    if array.dtype.kind not in "iub" and array.size:
        raise TypeError(f"markers: labels of {array.dtype}, expected integers")
    own = array.dtype if array.dtype.kind in "iub" else np.dtype(np.int32)
    labels = np.empty(0, own)
    if array.size and (int(array.min()) < -(2**31) + 2 or int(array.max()) > 2**31 - 1):
        labels = np.unique(np.append(array, own.type(0)))
        place = np.flatnonzero(labels == 0)[0]  # the number of "none" must be 0
        labels = np.concatenate((labels[place : place + 1], np.delete(labels, place)))
        order = np.argsort(labels, kind="stable")
        array = order[np.searchsorted(labels, array, sorter=order)]
    return _beside(ready, "markers", array, np.int32), labels


if not TYPE_CHECKING:  # small images are answered without a step of the interpreter
    h_maxima = _wale.short_form(h_maxima, "(image, h, footprint=None, **run)")
    h_minima = _wale.short_form(h_minima, "(image, h, footprint=None, **run)")
    local_maxima, local_minima = (
        _wale.short_form(f, "(image, footprint=None, connectivity=None, indices=False, allow_borders=True, **run)")
        for f in (local_maxima, local_minima)
    )
    apply_hysteresis_threshold = _wale.short_form(apply_hysteresis_threshold, "(image, low, high, **run)")
    watershed = _wale.short_form(
        watershed, "(image, markers, connectivity=1, mask=None, watershed_line=False, **run)"
    )
