"""What users pass as matrices and right-hand sides - any shape, NumPy or a device's - as what the solver `lu` takes."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple

import numpy as np

from . import _inputs, _wale
from ._call import copied


class Matrices(NamedTuple):
    """An argument as the library takes it: two or three axes, its own copy or the caller's memory."""

    array: Any
    shape: Tuple[int, ...]  # as the caller sees it
    dtype: str
    device: Optional[int]


def flat_shape(shape: Tuple[int, ...]) -> Tuple[int, ...]:
    """Leading axes as one."""
    if len(shape) == 2:
        return shape
    return (int(np.prod(shape[:-2], dtype=np.int64)), *shape[-2:])


def workable(array: np.ndarray) -> bool:
    """Whether the library can work in this memory as it is."""
    if not array.flags.writeable or array.dtype.name not in ("float32", "float64"):
        return False
    if array.ndim == 2:
        return array.flags.c_contiguous or array.flags.f_contiguous
    return array.flags.c_contiguous


def float_type(array: np.ndarray) -> type:
    return np.float32 if array.dtype.kind == "f" and array.dtype.itemsize < 8 else np.float64


def reshaped_on_device(array: Any, shape: Tuple[int, ...]) -> Any:
    """A device array with other axes; the library sees up to three."""
    return array if len(shape) <= 3 else _wale.reshaped(array, list(flat_shape(shape)))


def matrices(name: str, value: Any, overwrite: bool) -> Matrices:
    """`value` in memory that may be overwritten: the caller's own if `overwrite` and it serves."""
    found = _inputs.on_device(value)
    if found is not None:
        if len(found.shape) < 2 or found.dtype not in ("float32", "float64"):
            raise _wale.BadArgument(
                f"{name}: is {found.dtype} of shape {found.shape}, expected matrices of float32 or float64"
            )
        array = value if overwrite else copied(found.device, value, found.shape, found.dtype)
        return Matrices(reshaped_on_device(array, found.shape), found.shape, found.dtype, found.device)
    array = _inputs.real_array(name, value)
    if array.ndim < 2:
        raise _wale.BadArgument(f"{name}: has {array.ndim} dimensions, expected 2 or more")
    kind = float_type(array)
    if not (overwrite and workable(array)):
        array = np.array(array, kind, order="K" if array.ndim == 2 else "C", copy=True)
        if not workable(array):
            array = np.ascontiguousarray(array)
    return Matrices(array.reshape(flat_shape(array.shape), order="A"), array.shape, array.dtype.name, None)


def square(m: Matrices, name: str = "a") -> None:
    if m.shape[-1] != m.shape[-2]:
        raise _wale.BadArgument(f"{name}: has shape {m.shape}, expected square matrices")


def right_sides(b: Any, a_shape: Tuple[int, ...], overwrite: bool) -> Tuple[Matrices, Tuple[int, ...]]:
    """b as matrices of columns, and its own shape: (..., n) is a vector for each matrix."""
    found = _inputs.on_device(b)
    shape = found.shape if found is not None else _inputs.host_array(b).shape
    vector = len(shape) == len(a_shape) - 1
    if (vector and shape != a_shape[:-1]) or (not vector and shape[:-1] != a_shape[:-1]):
        raise _wale.BadArgument(f"b: has shape {shape}, expected {a_shape[:-1]} or {a_shape[:-1] + ('k',)}")
    if not vector:
        return matrices("b", b, overwrite), shape
    if found is not None:
        return matrices("b", _wale.reshaped(b, [*shape, 1]), overwrite), shape
    return matrices("b", _inputs.host_array(b)[..., np.newaxis], overwrite), shape
