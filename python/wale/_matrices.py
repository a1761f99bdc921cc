"""What users pass as matrices and right-hand sides - any shape, NumPy or a device's - as what the solver `lu` takes."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Tuple

import numpy as np

from . import _inputs, _wale
from ._axes import Shape, broadcast, fold, product
from ._call import Call, copied


#: Elements: calls of NumPy's arrays up to this size are as dear as what surrounds them.
SHORT = 1 << 14

#: NumPy makes the name of a type anew each time that it is asked.
NAMES = {np.dtype(name): name for name in ("float32", "float64", "complex64", "complex128")}


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
    return (product(shape[:-2]), *shape[-2:])


def expect_finite(name: str, value: Any, asked: bool) -> None:
    """SciPy's check_finite: BadArgument for NaN and Inf, where it is asked for."""
    if asked is False or not _inputs.truth("check_finite", asked):
        return
    if _inputs.on_device(value) is not None:
        raise _wale.BadArgument(f"check_finite: {name} is in device memory, expected host memory")
    if not np.isfinite(_inputs.number_array(name, value)).all():
        raise _wale.BadArgument(f"{name}: holds NaN or Inf, expected finite numbers")


def as_flat(array: np.ndarray) -> np.ndarray:
    """The array, or where it has gaps or runs backwards a copy, with its leading axes as one."""
    whole = array.flags.c_contiguous or (array.ndim == 2 and array.flags.f_contiguous)
    array = array if whole else np.ascontiguousarray(array)
    return array.reshape(flat_shape(array.shape), order="A" if array.ndim == 2 else "C")


def workable(array: np.ndarray) -> bool:
    """Whether the library can work in this memory as it is."""
    flags = array.flags
    if not (flags.carray or (array.ndim == 2 and flags.f_contiguous and flags.behaved)):  # aligned and writeable
        return False
    return array.dtype in NAMES


def float_type(array: np.ndarray) -> type:
    if array.dtype.kind == "c":
        return np.complex64 if array.dtype.itemsize == 8 else np.complex128
    return np.float32 if array.dtype.kind == "f" and array.dtype.itemsize < 8 else np.float64


def short_array(value: Any) -> Any:
    """A short array of NumPy whose elements the library's short calls take, converted from lists, integers, halves and the
    other byte order; else None."""
    if type(value) is list:
        value = _array_of_list(value)
    if type(value) is not np.ndarray or value.size > SHORT:
        return None
    dtype = value.dtype
    if dtype.kind in "fc" and dtype.itemsize != 2:
        return value if dtype.isnative else value.astype(dtype.newbyteorder("="))
    return value.astype(float_type(value)) if dtype.kind in "fiub" else None


def _array_of_list(value: Any) -> Any:
    """A short list of lists of Python's numbers as an array; None where the list needs a closer look."""
    first, size = value, 1
    while type(first) is list and first:
        size *= len(first)
        first = first[0]
    if size > SHORT or type(first) not in (int, float, complex):
        return None
    try:
        return np.array(value)
    except ValueError:  # rows of several lengths
        return None


def of_list(value: Any) -> Any:
    """A short list of numbers as the array that the list stands for; anything else as it is."""
    array = short_array(value) if type(value) is list else None
    return value if array is None else array


def reshaped_on_device(array: Any, shape: Tuple[int, ...]) -> Any:
    """A device array with other axes; the library sees up to three."""
    return array if len(shape) <= 3 else _wale.reshaped(array, list(flat_shape(shape)))


def matrices(name: str, value: Any, overwrite: bool) -> Matrices:
    """`value` in memory that may be overwritten: the caller's own if `overwrite` and it serves."""
    if type(value) is np.ndarray and value.ndim == 2 and workable(value):  # the steps below would change nothing
        array = value if overwrite else value.copy("K")
        return Matrices(array, value.shape, NAMES[value.dtype], None)
    found = _inputs.on_device(value)
    if found is not None:
        if len(found.shape) < 2 or found.dtype not in NAMES.values():
            raise _wale.BadArgument(
                f"{name}: is {found.dtype} of shape {found.shape}, expected matrices of {' or '.join(NAMES.values())}"
            )
        array = found.array if overwrite else copied(found.device, found.array, found.shape, found.dtype)
        return Matrices(reshaped_on_device(array, found.shape), found.shape, found.dtype, found.device)
    array = _inputs.number_array(name, value)
    if array.ndim < 2:
        raise _wale.BadArgument(f"{name}: has {array.ndim} dimensions, expected 2 or more")
    kind = float_type(array)
    if not (overwrite and workable(array)):
        array = np.array(array, kind, order="K" if array.ndim == 2 else "C", copy=True)
        if not workable(array):
            array = np.ascontiguousarray(array)
    return Matrices(array.reshape(flat_shape(array.shape), order="A"), array.shape, NAMES[array.dtype], None)


def square(m: Matrices, name: str = "a") -> None:
    if m.shape[-1] != m.shape[-2]:
        raise _wale.BadArgument(f"{name}: has shape {m.shape}, expected square matrices")


class RightSides(NamedTuple):
    """b as columns for the matrices, and how the answer gets its own shape."""

    columns: Matrices
    finished: Callable[[Call, Any], Any]


def right_sides(b: Any, a_shape: Shape, overwrite: bool, name: str = "a") -> RightSides:
    """b of one axis is a vector, else matrices (..., n, k), as in NumPy 2; leading axes broadcast with those of a."""
    if type(b) is np.ndarray and b.shape == a_shape[:-1] and b.ndim == 1 and workable(b):  # one vector as it is
        own = Matrices(b if overwrite else b.copy(), b.shape, NAMES[b.dtype], None)
        return RightSides(own, lambda call, x: call.back(x, a_shape[:-1]))
    found = _inputs.on_device(b)
    array = _inputs.number_array("b", b if found is None else ())
    shape = found.shape if found is not None else array.shape
    vector, lead = len(shape) == 1, a_shape[:-2]
    rows = shape[:1] if vector else shape[-2:-1]
    if rows != a_shape[-1:]:
        hint = f"; b[..., None], {(*shape, 1)}, is a vector for each" if len(shape) > 1 and shape == a_shape[:-1] else ""
        raise _wale.BadArgument(f"b: has shape {shape}, expected {a_shape[-1:]} or (..., {a_shape[-1]}, k){hint}")
    whole = broadcast("b", shape[:-2], name, lead)
    answer = (*whole, *rows) if vector else (*whole, *shape[-2:])
    if found is not None:
        if shape[:-2] != lead:
            raise _wale.BadArgument(f"b: has shape {shape}, expected leading axes {lead} on a device, as those of {name}")
        columns = matrices("b", _wale.reshaped(found.array, [*shape, 1]) if vector else found.array, overwrite)
        return RightSides(columns, lambda call, x: call.back(x, answer))
    array = array[:, np.newaxis] if vector else array
    if shape[:-2] == lead:
        return RightSides(matrices("b", array, overwrite), lambda call, x: call.back(x, answer))
    folded = fold(array, lead, whole)
    columns = matrices("b", folded.array, True)
    return RightSides(columns, lambda call, x: folded.restored(call.back(x, columns.shape)).reshape(answer))
