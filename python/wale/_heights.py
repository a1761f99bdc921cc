"""What is derived from a reconstruction by a height or by the size of a box."""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Callable, Protocol, cast, overload

import numpy as np

from . import _inputs, _wale
from ._call import check_out, put
from ._images import Run, call, prepare
from ._libraries import in_their_library
from ._reconstruction import lined
from ._typing import Host, Unpack


class _ByHeight(Protocol):
    """To type checkers: NumPy's arrays for what is in the memory of the host."""

    @overload
    def __call__(self, image: Host, h: float, **run: Unpack[Run]) -> np.ndarray: ...
    @overload
    def __call__(self, image: Any, h: float, **run: Unpack[Run]) -> Any: ...


class _BySize(Protocol):
    """The same of the size of a box."""

    @overload
    def __call__(self, image: Host, size: int, **run: Unpack[Run]) -> np.ndarray: ...
    @overload
    def __call__(self, image: Any, size: int, **run: Unpack[Run]) -> Any: ...


_SECTIONS = """
Parameters
----------
image : array
    As for `reconstruction`, whose keywords this takes.
{parameter}

Returns
-------
{answer}

Raises
------
BadArgument, TypeError
    Where a shape, a type or a value is not taken, such as NaN in the image.

Examples
--------
>>> import numpy as np, wale
"""


def _described(function: Any, parameter: str, flags: bool = False) -> Any:
    """Puts the sections that all functions here have before the example in the function's docstring."""
    answer = "array of bool, of the image's shape" if flags else "array of the image's type and shape"
    # -OO leaves no docstring; Python from 3.13 on takes the indentation away.
    brief, _, example = cleandoc(function.__doc__ or "").partition("\n>>> ")
    function.__doc__ = f"{brief}{_SECTIONS.format(parameter=parameter, answer=answer)}>>> {example}"
    return in_their_library(function)


def _by_height(meaning: str, flags: bool = False) -> Callable[[Callable[..., Any]], _ByHeight]:
    parameter = f"h : number\n    {meaning}, more than 0."
    return lambda function: cast(_ByHeight, _described(function, parameter, flags))


def _by_size(function: Callable[..., Any]) -> _BySize:
    return cast(_BySize, _described(function, "size : int\n    Pixels a side of the box, odd."))


def _height(function: Any, image: Any, h: float, run: Run, **how: Any) -> Any:
    ready, h = prepare(("image",), (image,), bool(run.get("batch"))), _inputs.real("h", h)
    if ready.outer_dtype is not None and ready.outer_dtype.kind in "iu" and h % 1 != 0:  # others: the library's words
        raise _wale.BadArgument(f"h: is {h:g}, expected a whole number for {ready.outer_dtype}")
    return call(function, ready, run, h, **how)


def _within(function: Any, image: Any, h: float, run: Run, side: int) -> Any:
    """Domes (side 1) or basins (-1) as what the transform takes from the image: it ends where the image's type ends, and
    the library computes some types in a wider one."""
    there = _inputs.on_device(image) is not None
    pixels = image if there else _inputs.host_array(image, "image")
    if there or pixels.dtype.kind not in "iu" or pixels.dtype.name in ("uint8", "uint16", "int32", "int64"):
        return _height(function, image, h, run)  # computed as they are, or (int64) with values far from the ends
    rest: Run = {**run}
    out = rest.pop("out", None)
    if out is not None:
        check_out(out, pixels.shape, pixels.dtype.name)
    found, ends = _height(function, pixels, h, rest), np.iinfo(pixels.dtype)
    wide: Any = pixels.astype(np.int32 if pixels.dtype.kind == "i" else np.uint64)
    room = wide - wide.dtype.type(ends.min) if side > 0 else wide.dtype.type(ends.max) - wide
    np.copyto(found, np.minimum(found, room), casting="unsafe")
    return put(found, out)


def _box(function: Any, image: Any, size: int, run: Run) -> Any:
    """By a box, which on a line has the rows of as many lines, all the same."""
    size = _inputs.whole("size", size)
    lines = max(1, min(size, 1 << 16))  # a size beyond the line is refused

    def repeated(line: np.ndarray) -> np.ndarray:
        return np.tile(line, (lines, 1))

    return lined(function, prepare(("image",), (image,), bool(run.get("batch"))), run, repeated, size)


@_by_height("What is cut off")
def h_maxima_transform(image: Any, h: float, **run: Unpack[Run]) -> Any:
    """Domes cut down by `h`: reconstruction(image - h, image), differences kept within the type.

    >>> wale.h_maxima_transform(np.array([[1, 9, 1, 4, 1]], np.uint8), 5)
    array([[1, 4, 1, 1, 1]], dtype=uint8)
    """
    return _height(_wale.h_maxima_transform, image, h, run)


@_by_height("What is filled up")
def h_minima_transform(image: Any, h: float, **run: Unpack[Run]) -> Any:
    """Basins filled up by `h`: reconstruction(image + h, image, "erosion").

    >>> wale.h_minima_transform(np.array([[9, 1, 9, 6, 9]], np.uint8), 5)
    array([[9, 6, 9, 9, 9]], dtype=uint8)
    """
    return _height(_wale.h_minima_transform, image, h, run)


@_by_height("The greatest height of a dome")
def h_domes(image: Any, h: float, **run: Unpack[Run]) -> Any:
    """What `h_maxima_transform` cuts off: image - h_maxima_transform(image, h).

    >>> wale.h_domes(np.array([[1, 9, 1, 4, 1]], np.uint8), 5)
    array([[0, 5, 0, 3, 0]], dtype=uint8)
    """
    return _within(_wale.h_domes, image, h, run, 1)


@_by_height("The greatest depth of a basin")
def h_basins(image: Any, h: float, **run: Unpack[Run]) -> Any:
    """What `h_minima_transform` fills: h_minima_transform(image, h) - image.

    >>> wale.h_basins(np.array([[9, 1, 9, 6, 9]], np.uint8), 5)
    array([[0, 5, 0, 3, 0]], dtype=uint8)
    """
    return _within(_wale.h_basins, image, h, run, -1)


@_by_height("What a summit rises above its surroundings", flags=True)
def extended_maxima(image: Any, h: float, **run: Unpack[Run]) -> Any:
    """The regional maxima of the h-maxima transform, as bool: summits that rise by more than `h`.

    >>> wale.extended_maxima(np.array([[1, 9, 8, 9, 1, 4, 1]], np.uint8), 3).astype(int)
    array([[0, 1, 1, 1, 0, 0, 0]])
    """
    return _height(_wale.extended_maxima, image, h, run, flags=True)


@_by_height("What a hollow lies below its surroundings", flags=True)
def extended_minima(image: Any, h: float, **run: Unpack[Run]) -> Any:
    """The regional minima of the h-minima transform, as bool.

    >>> wale.extended_minima(np.array([[9, 1, 2, 1, 9, 7, 9]], np.uint8), 3).astype(int)
    array([[0, 1, 1, 1, 0, 0, 0]])
    """
    return _height(_wale.extended_minima, image, h, run, flags=True)


@_by_size
def opening_by_reconstruction(image: Any, size: int, **run: Unpack[Run]) -> Any:
    """Erodes with a box of `size` pixels a side (odd), then rebuilds what survived whole.

    >>> wale.opening_by_reconstruction(np.array([[0, 7, 0], [0, 0, 0], [0, 0, 0]], np.uint8), 3)[0]
    array([0, 0, 0], dtype=uint8)
    """
    return _box(_wale.opening_by_reconstruction, image, size, run)


@_by_size
def closing_by_reconstruction(image: Any, size: int, **run: Unpack[Run]) -> Any:
    """Dilates with a box of `size` pixels a side (odd), then lowers what did not fill up.

    >>> wale.closing_by_reconstruction(np.array([[9, 2, 9], [9, 9, 9], [9, 9, 9]], np.uint8), 3)[0]
    array([9, 9, 9], dtype=uint8)
    """
    return _box(_wale.closing_by_reconstruction, image, size, run)


if not TYPE_CHECKING:  # small images are answered without a step of the interpreter
    h_maxima_transform, h_minima_transform, h_domes, h_basins, extended_maxima, extended_minima = (
        _wale.short_form(f, "(image, h, **run)")
        for f in (h_maxima_transform, h_minima_transform, h_domes, h_basins, extended_maxima, extended_minima)
    )
