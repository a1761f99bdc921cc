"""Where a call runs, and what the last one did."""

from __future__ import annotations

import threading
from typing import Any, List, Optional, Sequence

import numpy as np

from . import _wale
from ._inputs import host_array, on_device, whole

_last = threading.local()


def remember(report: _wale.Report) -> None:
    """Keeps the report of this thread's last call."""
    _last.report = report


def last_report() -> Optional[_wale.Report]:
    """Report of this thread's last successful call: what really ran, and how long it took.

    Returns
    -------
    Report or None
        With `variant`, `policy`, `device`, `threads`, `compute_seconds`, `transfer_seconds`, `work` (cells),
        `bytes` and `iterations`; None before the first call.

    Examples
    --------
    >>> import wale
    >>> wale.lcs_length("wavefront", "waterfront", backend="reference")
    8
    >>> wale.last_report().variant
    'reference/plain'
    """
    return getattr(_last, "report", None)


def resolve(
    where: Optional[_wale.Execution], backend: str, variant: str, threads: int, device: Optional[int]
) -> _wale.Execution:
    """The execution that the arguments of a call ask for. `device`: where inputs lie; None is the host."""
    if where is not None:
        if backend != "auto" or threads != 0:
            raise _wale.BadArgument("where: excludes backend and threads, which it contains")
        return where
    if backend == "auto":
        named = variant.split("/")[0]
        backend = named if named in ("reference", "cpu", "cuda") else "cpu" if device is None else "cuda"
    if backend == "cuda":
        return _wale.cuda(device or 0)
    if backend not in ("cpu", "reference"):
        raise _wale.BadArgument(f"backend: is '{backend}', expected auto, reference, cpu or cuda")
    threads = whole("threads", threads)
    return _wale.cpu(threads) if backend == "cpu" else _wale.reference()


def to_device(array: Any, device: int = 0) -> Any:
    """Copies a host array to a GPU.

    Parameters
    ----------
    array : array_like
        Of an element type that Wale takes: uint8, uint16, uint32, int16, int32, int64, float32.
    device : int
        The CUDA device.

    Returns
    -------
    object
        An array in device memory that speaks DLPack: `torch.from_dlpack`, `cupy.from_dlpack` take it, and so
        does every function of Wale, which then computes on that device.

    Examples
    --------
    >>> import numpy as np, wale
    >>> if wale.why_unavailable("cuda") == "":
    ...     a = wale.to_device(np.arange(5, dtype=np.uint8))
    ...     assert wale.lcs_length(a, a) == 5
    """
    host = np.ascontiguousarray(array)
    host = host.astype(host.dtype.newbyteorder("="), copy=False)
    target = _wale.empty(device, list(host.shape), str(host.dtype))
    if host.size:
        _wale.copy(_wale.cuda(device), target, host)
    return target


def to_host(array: Any) -> np.ndarray:
    """Copies a device array to a new NumPy array; a host array is returned as a view.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.to_host(np.arange(3))
    array([0, 1, 2])
    """
    source = on_device(array)
    if source is None:
        return host_array(array)
    target = np.empty(source.shape, source.dtype)
    if target.size:
        _wale.copy(_wale.cuda(source.device), target, array)
    return target


def move(where: _wale.Execution, arrays: Sequence[Any], device: Optional[int]) -> List[Any]:
    """The arrays in the memory that `where` computes in: host inputs are copied to the device here."""
    if where.backend == "cuda" and device is None:
        return [to_device(x, where.device) for x in arrays]
    return list(arrays)
