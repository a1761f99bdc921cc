"""Where answers go: the caller's array, or a new one in the memory that the call computes in."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from . import _wale
from ._where import to_host


def check(out: Any, shape: Tuple[int, ...], name: str) -> None:
    """Throws unless `out` can take an answer of this shape and type as it is."""
    if not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray):
        raise TypeError("out: expected a plain NumPy array for inputs in host memory")
    if out.shape != shape or out.dtype != np.dtype(name):
        raise _wale.BadArgument(f"out: is {out.dtype} of shape {out.shape}, expected {name} of shape {shape}")
    if not out.flags.writeable:
        raise _wale.BadArgument("out: is read-only")
    if not out.flags.aligned:
        raise _wale.BadArgument("out: is not aligned to its elements")


def target(at: _wale.Execution, shape: Tuple[int, ...], name: str, out: Any, device: Optional[int]) -> Any:
    """The array that is filled: `out`, or a new one in the memory that `at` computes in."""
    if device is not None:
        return out if out is not None else _wale.empty(device, list(shape), name)
    if out is not None:
        check(out, shape, name)
    if at.backend == "cuda":
        return _wale.empty(at.device, list(shape), name)
    return out if out is not None else np.empty(shape, name)


def finished(table: Any, at: _wale.Execution, out: Any, device: Optional[int]) -> Any:
    if at.backend != "cuda" or device is not None:
        return table
    host = to_host(table)
    if out is None:
        return host
    out[...] = host
    return out
