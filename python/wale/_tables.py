"""Whole tables: every cell of a recurrence, written to memory."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from . import _inputs, _wale
from ._call import Call, Run, filled, remember
from ._libraries import in_their_library
from ._typing import Unpack

_KINDS = {
    "lcs": ("int32", "int16"),
    "edit": ("int32", "int16"),
    "global": ("int32", "int16"),
    "dtw": (),
}


def _options(kind: str, variant: str, tile: Optional[Tuple[int, int]], **more: Any) -> _wale.FillOptions:
    options = filled(_wale.FillOptions(), {"kind": kind, "variant": variant, **more})
    if tile is not None:
        if not isinstance(tile, (tuple, list)) or len(tile) != 2:
            raise TypeError(f"tile: is {tile!r}, expected two integers")
        options.set_tile(*(_inputs.whole("tile", n) for n in tile))
    return options


def _element(kind: str, allowed: Tuple[str, ...], dtype: Any, out: Any) -> str:
    """Name of the table's element type: what is asked for, else that of `out`, else the usual one."""
    if dtype is not None:
        name = str(np.dtype(dtype).name)
    elif out is not None:
        device = _inputs.on_device(out)
        name = device.dtype if device else np.dtype(getattr(out, "dtype", allowed[0])).name
    else:
        name = allowed[0]
    if name not in allowed:
        raise _wale.BadArgument(f"dtype: is {name}, expected {' or '.join(allowed)} for kind {kind}")
    return name


@in_their_library
def wavefront_fill(
    a: Any,
    b: Any,
    *,
    kind: str = "lcs",
    match: int = 1,
    mismatch: int = -1,
    gap: int = -1,
    cost: str = "absolute",
    dtype: Any = None,
    out: Any = None,
    tile: Optional[Tuple[int, int]] = None,
    **run: Unpack[Run],
) -> Any:
    """The whole m x n table of a recurrence over `a` (rows) and `b` (columns).

    Cell (i, j) speaks of ``a[:i + 1]`` and ``b[:j + 1]``; the border is not stored.

    Parameters
    ----------
    a, b
        As for `lcs_length`; for kind "dtw" series of numbers.
    kind : {"lcs", "edit", "global", "dtw"}
        LCS length; unit-cost edit distance; global alignment score with linear gaps (Needleman & Wunsch);
        dynamic time warping cost (Sakoe & Chiba, no window).
    match, mismatch, gap : int
        Scores of kind "global": all are added, the result is maximised.
    cost : {"absolute", "squared"}
        Distance of two numbers for kind "dtw".
    dtype : dtype, optional
        int32 or int16 (refused unless every value provably fits); float32 or float64
        for "dtw": by default float64, but float32 where both series have a dtype that float32 holds exactly.
    out : array, optional
        Written in place: m x n, contiguous rows; the distance between rows is free.
    tile : (int, int), optional
        Rows and columns of a tile, for variants that work in tiles; 0 takes the tuned number.
    where, backend, variant, threads
        As for `lcs_length`.

    Returns
    -------
    array
        `out`, or a new NumPy array; for device inputs an array on their device, of their library (CuPy, PyTorch,
        JAX; else one that speaks DLPack).

    Raises
    ------
    BadArgument, TypeError
        Where sequences are not taken, such as floats, or str beside bytes.

    Examples
    --------
    >>> import wale
    >>> wale.wavefront_fill("abc", "acb")
    array([[1, 1, 1],
           [1, 1, 2],
           [1, 2, 2]], dtype=int32)
    >>> float(wale.wavefront_fill([0.0, 1.0, 3.0], [0.0, 3.0], kind="dtw")[-1, -1])
    1.0
    """
    _inputs.one_of("kind", kind, _KINDS)
    if kind == "dtw":
        ready, allowed = _inputs.series_pair(a, b)
    else:
        ready, allowed = _inputs.pair(a, b), _KINDS[kind]
    name = _element(kind, allowed, dtype, out)
    if kind == "dtw" and ready.device is None:
        ready = ready._replace(a=ready.a.astype(name, copy=False), b=ready.b.astype(name, copy=False))
    call = Call(run, ready.device)
    options = _options(kind, call.variant, tile, cost=cost)
    scores = {"match": match, "mismatch": mismatch, "gap": gap}
    options.set_scores(*(_inputs.whole(score, value) for score, value in scores.items()))
    table = call.target(ready.sizes, name, out)
    x, y = call.move(*ready[:2])
    remember(_wale.fill(call.at, x, y, table, options))
    return call.finished(table, out)


@in_their_library
def summed_area(
    image: Any,
    *,
    dtype: Any = None,
    out: Any = None,
    tile: Optional[Tuple[int, int]] = None,
    **run: Unpack[Run],
) -> Any:
    """Summed-area table (Crow 1984): cell (i, j) is the sum of ``image[:i + 1, :j + 1]``.

    Parameters
    ----------
    image : uint8 array, two-dimensional
        NumPy or DLPack, on the host or on a device.
    dtype : dtype, optional
        int32 or int64; by default int32 where every image of this shape fits, else int64.
    out, tile, where, backend, variant, threads
        As for `wavefront_fill`.

    Returns
    -------
    array
        As for `wavefront_fill`.

    Raises
    ------
    BadArgument, TypeError
        Where the image has not two dimensions of uint8.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.summed_area(np.ones((2, 3), np.uint8))
    array([[1, 2, 3],
           [2, 4, 6]], dtype=int32)
    """
    source = _inputs.on_device(image)
    pixels = image if source else _inputs.host_array(image, "image")
    shape = source.shape if source else pixels.shape
    if len(shape) != 2 or (source.dtype if source else pixels.dtype.name) != "uint8":
        found = source.dtype if source else pixels.dtype.name
        raise _wale.BadArgument(f"image: is {found} of shape {tuple(shape)}, expected two dimensions of uint8")
    device = source.device if source else None
    if dtype is None and out is None:
        dtype = "int32" if 255 * shape[0] * shape[1] < 1 << 31 else "int64"
    name = _element("summed_area", ("int32", "int64"), dtype, out)
    call = Call(run, device)
    table = call.target((shape[0], shape[1]), name, out)
    if device is None and not _rows_contiguous(pixels):
        pixels = np.ascontiguousarray(pixels)
    options = _options("summed_area", call.variant, tile)
    (moved,) = call.move(pixels)
    remember(_wale.summed_area(call.at, moved, table, options))
    return call.finished(table, out)


def _rows_contiguous(image: np.ndarray) -> bool:
    return image.size == 0 or (image.strides[1] == 1 and image.strides[0] >= image.shape[1])
