"""What users pass as images - any shape, type and stride - as what the solver `reconstruction` takes."""

from __future__ import annotations

import functools
import warnings
from typing import Any, List, NamedTuple, Optional, Tuple

import numpy as np

from . import _inputs, _wale
from ._inputs import whole
from ._call import Call, check_out, filled, put, remember
from ._call import Run as Place
_NATIVE = ("bool", "uint8", "uint16", "int32", "float32", "float64")


def _exact(name: str, array: np.ndarray) -> np.ndarray:
    """The values in a type that the library takes, none of them changed; their order stays."""
    if array.dtype.newbyteorder("=").name in _NATIVE:
        return array.astype(array.dtype.newbyteorder("="), copy=False)
    if array.dtype.kind == "f":
        if array.dtype.itemsize < 4:
            return array.astype(np.float32)
        raise TypeError(f"{name}: pixels of {array.dtype}, expected at most float64")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: pixels of {array.dtype}, expected booleans or numbers")
    if array.dtype.itemsize < 4 or array.size == 0:
        return array.astype(np.int32)
    low, high = int(array.min()), int(array.max())
    if low > -(2**30) and high < 2**30:  # so that int32 holds every difference
        return array.astype(np.int32)
    if low >= -(2**53) and high <= 2**53:  # float64 holds them all
        return array.astype(np.float64)
    raise _wale.BadArgument(f"{name}: values from {low} to {high}, expected within -2^53..2^53")


def _promoted(name: str, array: np.ndarray, common: np.dtype) -> np.ndarray:
    """In the common type of all inputs. NumPy's common type of int64 and uint64 is float64, which rounds beyond 2^53."""
    if array.dtype.kind in "iu" and common.kind == "f":
        array = _exact(name, array)
    return array.astype(common, copy=False)


def fitted(answer: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The answer of a wider type in the caller's; what lies beyond an integer type becomes its end."""
    if dtype.kind in "iu" and not np.can_cast(answer.dtype, dtype):
        ends, exact = np.iinfo(dtype), 2**53 if answer.dtype.kind == "f" else 2**31 - 1
        answer = np.clip(answer, max(ends.min, -exact), min(ends.max, exact))
    return answer.astype(dtype)


class Images(NamedTuple):
    """Inputs of one shape and type, ready for a call, and what their answer is to look like."""

    arrays: List[Any]
    shape: Tuple[int, ...]  # as the library sees it
    dtype: str  # of the library's answer
    outer_shape: Tuple[int, ...]  # as the caller sees it
    outer_dtype: Any  # None: that of the library's answer
    device: Optional[int]
    rank: int
    batch: bool


def _rank(axes: int, batch: bool) -> int:
    rank = max(axes - (1 if batch else 0), 2)
    if rank > 3 or axes < 1 or (batch and axes < 3):
        raise _wale.BadArgument(
            f"image: has {axes} dimensions, expected 1 to 3" if not batch else
            f"image: has {axes} dimensions, expected 3 or 4 for a batch"
        )  # fmt: skip
    return rank


#: NumPy makes the name of a type anew each time that it is asked.
_NAMES = {np.dtype(name): name for name in _NATIVE}


def _as_it_is(values: Tuple[Any, ...], batch: bool) -> Optional[Images]:
    """Arrays without gaps, of one shape and of one type that the library takes; None for others."""
    last = values[-1]
    if type(last) is not np.ndarray or last.ndim not in (2, 3) or batch:
        return None
    name = _NAMES.get(last.dtype)
    if name is None:
        return None
    for array in values:
        alike = type(array) is np.ndarray and array.dtype == last.dtype and array.shape == last.shape
        if not alike or not array.flags.c_contiguous or not array.flags.aligned:
            return None
    return Images(list(values), last.shape, name, last.shape, None, None, last.ndim, batch)


def _host(names: Tuple[str, ...], values: Tuple[Any, ...], batch: bool) -> Images:
    given = [_inputs.host_array(v, n) for n, v in zip(names, values)]
    common = np.result_type(*[a.dtype for a in given]) if len(given) > 1 else given[0].dtype
    arrays = [_exact(n, _promoted(n, a, common)) for n, a in zip(names, given)]
    widest = np.result_type(*[a.dtype for a in arrays])  # int32 here, float64 there: by their values
    outer = given[-1].shape
    rank = _rank(len(outer), batch)
    own = []
    for name, array in zip(names, arrays):
        if array.shape != outer:
            raise _wale.BadArgument(f"{name}: has shape {array.shape}, expected {outer} like {names[-1]}")
        array = array.astype(widest, copy=False)
        if array.ndim == 1:
            array = array[np.newaxis]
        own.append(array if _rows_contiguous(array) else np.ascontiguousarray(array))
    dtype = common.newbyteorder("=") if common.newbyteorder("=") != widest else None
    return Images(own, own[-1].shape, widest.name, outer, dtype, None, rank, batch)


def _rows_contiguous(array: np.ndarray) -> bool:
    """Whether rows are contiguous and lie one after the other, gaps allowed."""
    if array.size == 0:
        return True
    item = array.itemsize
    if array.shape[-1] > 1 and array.strides[-1] != item:
        return False
    inner = array.shape[-1] * item
    for size, stride in zip(array.shape[-2::-1], array.strides[-2::-1]):
        if size > 1 and (stride < inner or stride % item):
            return False
        inner = size * (stride if size > 1 else inner)
    return True


def _warn_of_colour(name: str, image: Any, batch: bool) -> None:
    """Rows, columns and three or four numbers a pixel would be a volume of thin planes."""
    shape: Tuple[int, ...] = getattr(image, "shape", ())
    if len(shape) == 3 and not batch and 3 <= shape[2] <= 4 and min(shape[:2]) >= 32:
        warnings.warn(
            f"{name}: has shape {tuple(shape)} and is taken as a volume; of a colour image pass the channels one by "
            "one, or np.moveaxis(image, -1, 0) with batch=True",
            stacklevel=5,
        )


def prepare(names: Tuple[str, ...], values: Tuple[Any, ...], batch: bool = False) -> Images:
    """Host arrays are promoted to one type, as NumPy does; device arrays must have it already."""
    _warn_of_colour(names[-1], values[-1], batch)
    ready = _as_it_is(values, batch)
    if ready is not None:
        return ready
    there = [_inputs.on_device(v) for v in values]
    if all(t is None for t in there):
        return _host(names, values, batch)
    last = there[-1]
    for name, found in zip(names, there):
        if found is None or last is None or found.device != last.device:
            raise _wale.BadArgument(f"{', '.join(names)}: expected all on one device (wale.to_device)")
        if found.shape != last.shape or found.dtype != last.dtype:
            raise _wale.BadArgument(
                f"{name}: is {found.dtype} of shape {found.shape}, expected {last.dtype} of {last.shape}"
            )
    assert last is not None
    rank = _rank(len(last.shape), batch)
    if len(last.shape) < 2:
        raise _wale.BadArgument("image: has 1 dimension, expected 2 or 3 on a device")
    return Images([found.array for found in there if found], last.shape, last.dtype, last.shape, None, last.device, rank, batch)


class Keywords(Place, total=False):
    """The keywords that every function of this solver takes."""

    batch: bool
    out: Any


class Run(Keywords, total=False):
    """The same where `connectivity` is one of them."""

    connectivity: Optional[int]


def call(function: Any, ready: Images, run: Run, *between: Any, method: str = "dilation",
         flags: bool = False, clamp: bool = False, dtype: str = "") -> Any:  # fmt: skip
    """Runs `function(where, *arrays, *between, out, options)` and returns the answer, where it is to lie.

    `dtype`: of the library's answer where it is not that of the images; `flags`: it is bool.
    """
    place = _plain(ready, run, method, clamp)
    if place is not None and (ready.outer_dtype is None or flags or dtype):
        to = np.empty(ready.shape, "bool" if flags else dtype or ready.dtype)
        result = function(place[0], *ready.arrays, *between, to, place[1])
        area, report = result if isinstance(result, tuple) else (None, result)
        remember(report)
        return to if area is None else (to, area)
    there = Call(run, ready.device, connectivity=None, batch=False, out=None)
    connectivity = checked_connectivity(there.words["connectivity"], ready.rank)
    words = (there.variant, method, clamp, ready.rank, _inputs.truth("batch", there.words["batch"]), connectivity)
    known = type(method) is str and type(clamp) is bool
    options = (_known_options if known else _options_of)(*words)
    own = "bool" if flags else dtype or ready.dtype
    outer = None if flags or dtype else ready.outer_dtype
    out = there.words["out"]
    direct = out if outer is None and ready.outer_shape == ready.shape else None
    if out is not None and ready.device is None:
        check_out(out, ready.outer_shape, np.dtype(outer or own).name)
        marker = function is _wale.reconstruct and out is ready.arrays[0]  # whose memory the library takes
        if not _rows_contiguous(out) or any(np.may_share_memory(out, x) for x in ready.arrays[int(marker) :]):
            direct = None  # the answer is computed elsewhere first
    to = there.target(ready.shape, own, direct)
    result = function(there.at, *there.move(*ready.arrays), *between, to, options)
    area, report = result if isinstance(result, tuple) else (None, result)
    remember(report)
    answer = there.finished(to, direct)
    if ready.device is None and direct is None:
        answer = answer.reshape(ready.outer_shape)
        if outer is not None:
            answer = fitted(answer, outer)
        answer = put(answer, out)
    return answer if area is None else (answer, area)


def _plain(ready: Images, run: Run, method: Any, clamp: Any) -> Any:
    """Place and options of a call on the CPU whose words are no more than connectivity and threads; None of others."""
    connectivity = threads = 0
    for word, value in run.items():
        if type(value) is not int:
            return None
        if word == "connectivity" and 1 <= value <= ready.rank:
            connectivity = value
        elif word == "threads" and 0 <= value < 1 << 20:
            threads = value
        else:
            return None
    if ready.device is not None or ready.outer_shape != ready.shape or type(method) is not str or type(clamp) is not bool:
        return None
    return _plain_place(method, clamp, ready.rank, connectivity, threads)


@functools.lru_cache(maxsize=256)
def _plain_place(method: str, clamp: bool, rank: int, connectivity: int, threads: int) -> Tuple[Any, Any]:
    return _wale.cpu(threads), _options_of("automatic", method, clamp, rank, False, connectivity)


def _options_of(variant: str, method: str, clamp: bool, rank: int, batch: bool, connectivity: int) -> Any:
    return filled(_wale.ReconstructionOptions(), {
        "variant": variant, "method": method, "clamp": clamp, "rank": rank, "batch": batch,
        "connectivity": connectivity})  # fmt: skip


_known_options = functools.lru_cache(maxsize=64)(_options_of)  # all threads read the same options


def checked_connectivity(connectivity: Optional[int], rank: int) -> int:
    if connectivity is None:
        return 0
    neighbours = {4: 1, 8: 2} if rank == 2 else {6: 1, 18: 2, 26: 3}  # as the command line and other programs count
    reach = neighbours.get(whole("connectivity", connectivity), connectivity)
    if reach not in range(1, rank + 1):
        counted = ", ".join(map(str, neighbours))
        raise _wale.BadArgument(f"connectivity: is {connectivity}, expected 1..{rank}, or {counted} neighbours")
    return reach
