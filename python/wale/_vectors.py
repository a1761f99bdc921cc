"""What users pass as vectors of systems - any shape, NumPy or a device's - as what the solver `tree` takes."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _inputs, _wale
from ._axes import product
from ._call import copied
from ._matrices import NAMES, float_type

REAL = ("float32", "float64")


class Vectors(NamedTuple):
    """An argument in memory that the library can use, as the caller sees it."""

    array: Any
    shape: Tuple[int, ...]
    dtype: str
    device: Optional[int]


def vectors(name: str, value: Any, types: Sequence[str] = tuple(NAMES.values())) -> Vectors:
    """`value` as contiguous numbers of one of `types`, on the device where it lies there."""
    if type(value) is np.ndarray and value.dtype in NAMES and value.flags.c_contiguous and value.flags.aligned:
        kind = NAMES[value.dtype]
        if kind in types:
            return Vectors(value, value.shape, kind, None)
    found = _inputs.on_device(value)
    if found is not None:
        if found.dtype not in types:
            raise _wale.BadArgument(f"{name}: is {found.dtype}, expected {' or '.join(types)}")
        return Vectors(found.array, found.shape, found.dtype, found.device)
    array = (_inputs.real_array if types == REAL else _inputs.number_array)(name, value)
    own: np.ndarray = np.ascontiguousarray(array, float_type(array)).reshape(array.shape)
    return Vectors(own, own.shape, NAMES[own.dtype], None)


def alike(names: Sequence[str], all_of: Sequence[Vectors]) -> Sequence[Vectors]:
    """On one device, of one type: the widest of those on the host."""
    if len({v.device for v in all_of}) > 1:
        raise _wale.BadArgument(f"{names[0]}: expected all arrays on one device (wale.to_device)")
    if all_of[0].device is None:
        if all(v.dtype == all_of[0].dtype for v in all_of):
            return all_of
        kind = np.result_type(*(v.dtype for v in all_of)).name
        return [v._replace(array=v.array.astype(kind, copy=False), dtype=kind) for v in all_of]
    for name, v in zip(names, all_of):
        if v.dtype != all_of[0].dtype:
            raise _wale.BadArgument(f"{name}: is {v.dtype}, expected {all_of[0].dtype} like {names[0]}")
    return all_of


def copy_of(v: Vectors) -> Any:
    return copied(v.device, v.array, v.shape, v.dtype)


def shape_of(shape: Tuple[int, ...], axis: int) -> _wale.VectorShape:
    """Vectors along the last axis, or along the first one: then they are interleaved."""
    size, count = shape[axis], product(shape) // max(shape[axis], 1)
    if not shape[axis]:
        count = product(shape[1:] if axis == 0 else shape[:-1])
    if axis == 0:
        return _wale.VectorShape("interleaved", size, count, count, 1)
    return _wale.VectorShape("flat", size, count, size, 1)


def checked_axis(axis: int) -> int:
    if _inputs.whole("axis", axis) not in (0, -1):
        raise _wale.BadArgument(f"axis: is {axis}, expected -1 or 0")
    return axis


def raise_if_bad(outcome: Any, word: str) -> None:
    if outcome.first_bad_system >= 0:
        raise np.linalg.LinAlgError(
            f"system {outcome.first_bad_system}: the pivot of {word} {outcome.first_bad_row} is 0 or not finite"
        )


def warn_if_lost(verify: bool, residual: Any, dtype: str, instead: str) -> None:
    """An elimination without exchanges of rows may lose digits without a pivot of 0."""
    if not verify:
        return
    error, most = residual(), _wale.good_backward_error(dtype in ("float32", "complex64"))
    if not error <= most:
        warnings.warn(
            f"the backward error is {error:.3g}, expected at most {most:.3g}: {instead}", RuntimeWarning, stacklevel=4
        )
