"""Dynamic time warping of series of numbers."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, List, NamedTuple, Optional, Tuple

import numpy as np

from . import _inputs, _wale
from ._call import Call, Run, filled, remember, short_threads
from ._libraries import in_their_library
from ._matrices import reshaped_on_device
from ._typing import Unpack


def _points(name: str, value: Any) -> np.ndarray:
    """One series: points x dimensions, in its own type."""
    if _inputs.on_device(value) is not None:
        raise _wale.BadArgument(
            f"{name}: is in device memory, expected host memory, or one array of all series in device memory"
        )
    array = _inputs.real_array(name, value)
    if array.ndim not in (1, 2):
        raise _wale.BadArgument(f"{name}: has {array.ndim} dimensions, expected 1, or 2: points x numbers of a point")
    if array.shape[0] == 0 or array.size == 0:
        raise _wale.BadArgument(f"{name}: has no points, expected one or more")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        place = tuple(np.argwhere(~np.isfinite(array))[0].tolist())
        at = place[0] if array.ndim == 1 else place
        raise _wale.BadArgument(f"{name}: {'NaN' if np.isnan(array[place]) else 'Inf'} at {at}, expected finite numbers")
    return array.reshape(array.shape[0], -1)


def _many(name: str, value: Any) -> List[np.ndarray]:
    _inputs.no_table(name, value)
    if _inputs.is_array(value):  # a memoryview counts no rows, and not every library lets its arrays be iterated over
        value = _inputs.host_array(value, name)
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise TypeError(f"{name}: is {_inputs.described(value)}, expected a list of series, or an array of them")
    return [_points(f"{name}[{k}]", one) for k, one in enumerate(value)]


def _typed(name: str, sides: List[np.ndarray]) -> List[np.ndarray]:
    """All in one type and of one number of dimensions: float32 where it holds all of them exactly."""
    dimensions = {side.shape[1] for side in sides}
    if len(dimensions) > 1:
        raise _wale.BadArgument(f"{name}: points have {sorted(dimensions)} numbers, expected the same everywhere")
    narrow = all(np.can_cast(side.dtype, np.float32) for side in sides)
    return [np.ascontiguousarray(side, np.float32 if narrow else np.float64) for side in sides]


def _is_short(cost: Any, window: Any, gamma: Any) -> bool:
    """Whether options are of the types that `_short_options` keeps."""
    return type(cost) is str and type(window) in (int, type(None)) and type(gamma) in (int, float)


@functools.lru_cache(maxsize=64, typed=True)
def _short_options(cost: str, window: Optional[int], gamma: float) -> _wale.WarpingOptions:
    """All threads read the same options."""
    return _options("automatic", cost, window, gamma)


def _options(variant: str, cost: str, window: Optional[int], gamma: float) -> _wale.WarpingOptions:
    width = -1 if window is None else _inputs.whole("window", window, 64)
    if window is not None and width < 0:
        raise _wale.BadArgument(f"window: is {window}, expected 0 or more, or None")
    words = {"variant": variant, "cost": cost, "window": width, "gamma": _inputs.real("gamma", gamma)}
    return filled(_wale.WarpingOptions(), words)


class _Side(NamedTuple):
    """Series end to end: points x numbers of a point, in host or in device memory, and where each begins."""

    points: Any
    offsets: np.ndarray
    dtype: str
    device: Optional[int]


def _packed(series: List[np.ndarray]) -> _Side:
    offsets = np.zeros(len(series) + 1, np.int64)
    np.cumsum([len(one) for one in series], out=offsets[1:])
    points = np.concatenate(series) if series else np.empty((0, 1))
    return _Side(points, offsets, points.dtype.name, None)


def _there(name: str, value: Any, many: bool) -> Optional[_Side]:
    """An array of device memory: one series, or the `many` series of one length that its first axis counts."""
    found = _inputs.on_device(value)
    if found is None:
        return None
    dimensions = len(found.shape) - many
    if dimensions not in (1, 2):
        wanted = "series x points, or series x points x numbers of a point" if many else "points, or points x numbers"
        raise _wale.BadArgument(f"{name}: has {len(found.shape)} dimensions, expected {wanted}")
    if found.dtype not in ("float32", "float64"):
        raise TypeError(f"{name}: elements of {found.dtype}, expected float32 or float64 in device memory")
    if 0 in found.shape[many:]:
        raise _wale.BadArgument(f"{name}: has no points, expected one or more")
    count, length = found.shape[0] if many else 1, found.shape[int(many)]
    numbers = found.shape[-1] if dimensions == 2 else 1
    points = reshaped_on_device(found.array, (count * length, numbers))
    return _Side(points, np.arange(count + 1, dtype=np.int64) * length, found.dtype, found.device)


def _together(names: str, first: Optional[_Side], second: Optional[_Side]) -> bool:
    """Whether both sides are in the memory of one device; BadArgument where one of them is."""
    if first is None and second is None:
        return False
    if first is None or second is None or first.device != second.device:
        raise _wale.BadArgument(f"{names}: one is in device memory, the other is elsewhere (wale.to_device)")
    if first.dtype != second.dtype:
        raise TypeError(f"{names}: series of {first.dtype} and {second.dtype}, expected one type in device memory")
    return True


def _quick(value: Any) -> Optional[Tuple[np.ndarray, np.ndarray]]:
    """Points and offsets of an array of series, or of a list of arrays, of one number a point; None of what needs a closer
    look."""
    if type(value) is list and value and all(type(one) is np.ndarray and one.ndim == 1 for one in value):
        if len({one.dtype for one in value}) > 1 or not all([one.size for one in value]):
            return None
        points, offsets = np.concatenate(value), np.zeros(len(value) + 1, np.int64)
        np.cumsum([one.size for one in value], out=offsets[1:])
    elif type(value) is np.ndarray and value.ndim == 2 and value.size:
        points, offsets = np.ascontiguousarray(value), np.arange(0, value.size + 1, value.shape[1])
    else:
        return None
    if points.dtype not in (np.float32, np.float64) or not points.dtype.isnative or not np.isfinite(points).all():
        return None
    return points.reshape(-1, 1), offsets


def dtw(
    x: Any, y: Any, *, cost: str = "absolute", window: Optional[int] = None, gamma: float = 0.0, path: bool = False,
    gradient: bool = False, **run: Unpack[Run],
) -> Any:  # fmt: skip
    """Dynamic time warping: the least sum of costs of points along a path through both series.

    Parameters
    ----------
    x, y : array or list of numbers
        Series of n points, or n x d for points of d numbers. Computed in float32 where both have a dtype that
        float32 holds exactly, else in float64. Both in the memory of one GPU (DLPack): float32 or float64,
        computed there.
    cost : {"absolute", "squared"}
        Of two points: the sum over their numbers of absolute or of squared differences. No root is taken:
        tslearn's ``dtw`` and dtaidistance's ``distance`` are the root of the squared one's sum.
    window : int, optional
        Sakoe and Chiba's: points whose places differ by more than it do not meet (tslearn's
        ``sakoe_chiba_radius``; dtaidistance's ``window`` is one more). Of series of unequal lengths the longer
        one may lead by their difference more.
    gamma : float
        Above 0: soft-DTW (Cuturi and Blondel 2017), tslearn's ``soft_dtw`` with cost "squared".
    path : bool
        Give the path too. Not with `gamma`.
    gradient : bool
        Give the gradient by the numbers of `x` too. Only with `gamma`.
    where, backend, variant, threads
        As for `lcs_length`; a gradient not on CUDA. Series of host memory are copied to the device.

    Returns
    -------
    float
        With `path`: (float, array of int64 of shape (steps, 2)), the places in x and in y from both first to
        both last; of equal paths the one of tslearn. With `gradient`: (float, array of the shape of x). Both
        take memory O(n sqrt(n)); a path two bits a cell where these are at most 64 MB.

    Raises
    ------
    BadArgument, TypeError
        Where series are not taken: without points, with NaN or Inf, of different numbers a point; for `path` with
        `gamma`, and `gradient` without.

    Examples
    --------
    >>> import wale
    >>> wale.dtw([0.0, 1.0, 3.0], [0.0, 3.0])
    1.0
    >>> wale.dtw([0.0, 1.0, 3.0], [0.0, 3.0], path=True)
    (1.0, array([[0, 0],
           [1, 0],
           [2, 1]]))
    >>> round(wale.dtw([0.0, 1.0, 3.0], [0.0, 3.0], cost="squared", gamma=1.0), 6)
    0.933995
    """
    if type(x) is type(y) is np.ndarray and type(path) is bool and gradient is False:
        threads = short_threads(run) if run else 0
        if threads is not None and _is_short(cost, window, gamma):
            short = _wale.plain_warping_path if path else _wale.plain_warping
            found = short(x, y, _short_options(cost, window, gamma), threads)
            if found is not None:
                return found
    return _any_warping(x, y, (cost, window, gamma), path, gradient, run)


@in_their_library
def _any_warping(x: Any, y: Any, how: Tuple[Any, ...], path: Any, gradient: Any, run: Run) -> Any:
    first, second = _there("x", x, False), _there("y", y, False)
    if not _together("x, y", first, second):
        first, second = (_packed([one]) for one in _typed("x, y", [_points("x", x), _points("y", y)]))
    assert first is not None and second is not None
    path, gradient = _inputs.truth("path", path), _inputs.truth("gradient", gradient)
    if path and gradient:
        raise _wale.BadArgument("path, gradient: expected one of them")
    call = Call(run, first.device)
    options = _options(call.variant, *how)
    if path:
        found, steps, report = _wale.warping_path(call.at, first.points, second.points, options)
        remember(report)
        return found, steps.view(np.int64)  # the same 64 bits: not shown as a type of their own
    if gradient:
        slopes = np.empty((int(first.offsets[-1]), _wale.inspect(first.points).shape[1]), first.dtype)
        found, report = _wale.warping_gradient(call.at, first.points, second.points, slopes, options)
        remember(report)
        return found, slopes.reshape(np.shape(x))
    answer = np.empty((1, 1), first.dtype)
    remember(_wale.warping_costs(call.at, first[:2], second[:2], answer, options))
    return float(answer[0, 0])


def cdist_dtw(
    queries: Any, targets: Any = None, *, cost: str = "absolute", window: Optional[int] = None, gamma: float = 0.0,
    **run: Unpack[Run],
) -> Any:  # fmt: skip
    """Time warping of each query and each target, as tslearn's ``cdist_dtw`` (whose costs are roots, see `dtw`).

    Parameters
    ----------
    queries, targets : list of series, or array
        Series as for `dtw`, of any lengths; an array of n x points or n x points x d is n series of one length,
        and so it must be in device memory.
        Without `targets` the queries are warped with each other, and half of the pairs is computed.
    cost, window, gamma
        As for `dtw`.
    where, backend, variant, threads
        As for `dtw`.

    Returns
    -------
    array, shape (queries, targets)
        float32 or float64, as `dtw` computes. Of series in device memory: on that device, of their library.

    Raises
    ------
    BadArgument, TypeError
        Where series are not taken: without points, with NaN or Inf, of different numbers a point.

    Examples
    --------
    >>> import wale
    >>> wale.cdist_dtw([[0.0, 1.0, 3.0], [2.0]], [[0.0, 3.0], [1.0, 1.0, 1.0]])
    array([[1., 3.],
           [3., 3.]])
    """
    threads = short_threads(run) if run else 0
    if queries is not None and threads is not None and _is_short(cost, window, gamma):
        found = _wale.plain_warpings(queries, targets, _short_options(cost, window, gamma), threads)
        if found is not None:
            return found
    one = _quick(queries)
    other = one if targets is None else _quick(targets)
    if one is not None and other is not None and one[0].dtype == other[0].dtype:
        call = Call(run, None)
        answers = np.empty((len(one[1]) - 1, len(other[1]) - 1), one[0].dtype)
        remember(_wale.warping_costs(call.at, one, other, answers, _options(call.variant, cost, window, gamma)))
        return answers
    return _any_warpings(queries, targets, (cost, window, gamma), run)


@in_their_library
def _any_warpings(queries: Any, targets: Any, how: Tuple[Any, ...], run: Run) -> Any:
    names = "queries" if targets is None else "queries, targets"
    first = _there("queries", queries, True)
    second = first if targets is None else _there("targets", targets, True)
    if not _together(names, first, second):
        some, others = _many("queries", queries), [] if targets is None else _many("targets", targets)
        typed = _typed(names, some + others)
        first = _packed(typed[: len(some)])
        second = first if targets is None else _packed(typed[len(some) :])
        if not typed[: len(some)] and typed:  # no queries: the type is that of the targets
            first = first._replace(dtype=typed[0].dtype.name)
    assert first is not None and second is not None
    call = Call(run, first.device)
    options = _options(call.variant, *how)
    shape = len(first.offsets) - 1, len(second.offsets) - 1
    answers = np.empty(shape, first.dtype) if call.device is None else call.empty(shape, first.dtype)
    if 0 not in shape:
        remember(_wale.warping_costs(call.at, first[:2], second[:2], answers, options))
    return answers if call.device is None else call.back(answers, shape)
