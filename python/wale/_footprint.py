"""Footprints as scikit-image has them, and the connectivity that each stands for."""

from __future__ import annotations

import functools
import operator
from typing import Any, Set, Tuple

import numpy as np

from . import _inputs, _wale
from ._images import Images, Run


def _cross(rank: int, reach: int) -> np.ndarray:
    """The neighbours that differ in at most `reach` coordinates, and the pixel itself."""
    away = np.abs(np.indices((3,) * rank) - 1).sum(axis=0)
    return away <= reach


def _middle(offset: Any, footprint: np.ndarray) -> Tuple[int, ...]:
    """Where the pixel itself lies in the footprint."""
    if offset is None:
        if any(extent % 2 == 0 for extent in footprint.shape):
            raise _wale.BadArgument(f"footprint: has shape {footprint.shape}, expected odd extents or an offset")
        return tuple(extent // 2 for extent in footprint.shape)
    try:
        place = tuple(operator.index(at) for at in offset)
    except TypeError:
        place = ()
    if len(place) != footprint.ndim or not all(0 <= at < extent for at, extent in zip(place, footprint.shape)):
        raise _wale.BadArgument(f"offset: is {_inputs.shown(offset)}, expected a place in the footprint of {footprint.shape}")
    return place


@functools.lru_cache(maxsize=64)
def _reach_of(shape: Tuple[int, ...], pixels: bytes, middle: Tuple[int, ...]) -> int:
    """The connectivity whose neighbours are those of a footprint of bool; 0: none."""
    rank = len(shape)
    steps = _steps(np.frombuffer(pixels, np.bool_).reshape(shape), middle)
    return next((k for k in range(1, rank + 1) if steps == _steps(_cross(rank, k), (1,) * rank)), 0)


def _steps(footprint: np.ndarray, middle: Tuple[int, ...]) -> Set[Tuple[int, ...]]:
    """From a pixel to its neighbours; whether the pixel itself is set does not matter."""
    return set(map(tuple, (np.argwhere(footprint) - middle).tolist())) - {(0,) * footprint.ndim}


def connectivity_of(footprint: Any, offset: Any, rank: int) -> int:
    """The connectivity that a footprint of scikit-image stands for, in as many dimensions as the image has."""
    shape = np.ones((3,) * rank, bool) if footprint is None else _inputs.host_array(footprint, "footprint")
    if shape.dtype.kind not in "biuf":
        raise _wale.BadArgument(f"footprint: is {footprint!r}, expected an array of bool")
    if shape.ndim != rank:
        raise _wale.BadArgument(f"footprint: has {shape.ndim} dimensions, expected {rank} like the image")
    reach = _reach_of(shape.shape, (shape != 0).tobytes(), _middle(offset, shape))
    if reach > 0:
        return reach
    reaches = range(1, rank + 1)
    raise _wale.BadArgument(
        f"footprint: expected one of the {rank} symmetric neighbourhoods about the offset: "
        + ", ".join(str(int(_cross(rank, reach).sum()) - 1) for reach in reaches)
        + " neighbours"
    )


def with_footprint(ready: Images, footprint: Any, offset: Any, run: Run) -> Run:
    if footprint is None and offset is None:
        return run
    if run.get("connectivity") is not None:
        raise _wale.BadArgument("footprint and connectivity: expected one of them")
    rank = min(len(ready.outer_shape), ready.rank)  # a line has one dimension, in the library two
    return {**run, "connectivity": connectivity_of(footprint, offset, rank)}
