"""Leading axes that broadcast: those that the matrices lack, or have as 1, become columns of right-hand sides."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Tuple

import numpy as np

from . import _wale

Shape = Tuple[int, ...]


class Folded(NamedTuple):
    """Right-hand sides as (*lead, n, columns), and how an answer of that shape becomes the caller's."""

    array: np.ndarray
    restored: Callable[[Any], Any]


def product(shape: Shape) -> int:
    """Of the extents; 1 of none."""
    whole = 1
    for extent in shape:
        whole *= extent
    return whole


def broadcast(name: str, theirs: Shape, matrix: str, ours: Shape) -> Shape:
    """The common leading axes of `name` and `matrix`, by NumPy's rule."""
    if theirs == ours or not theirs:
        return ours
    try:
        return np.broadcast_shapes(theirs, ours)
    except ValueError:
        raise _wale.BadArgument(
            f"{name}: has leading axes {theirs}, expected some that broadcast with {ours} of {matrix}"
        ) from None


def fold(b: np.ndarray, lead: Shape, whole: Shape) -> Folded:
    """b, (..., n, k), for matrices of the leading axes `lead`; with `whole`, those of both, no matrix is copied."""
    b = np.broadcast_to(b, (*whole, *b.shape[-2:]))
    padded = (1,) * (len(whole) - len(lead)) + lead
    extra = [axis for axis in range(len(whole)) if padded[axis] != whole[axis]]
    kept = [axis for axis in range(len(whole)) if axis not in extra]
    order = [*kept, len(whole), *extra, len(whole) + 1]
    moved = b.transpose(order)
    n, columns = b.shape[-2], product(tuple(whole[axis] for axis in extra)) * b.shape[-1]

    def restored(x: Any) -> Any:
        return x.reshape(moved.shape).transpose(np.argsort(order))

    return Folded(moved.reshape(*lead, n, columns), restored)
