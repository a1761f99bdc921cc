"""Libraries that are the user's choice, imported when they are asked for: CuPy, PyTorch and JAX, whose device arrays users
pass - their streams, and answers as arrays of theirs - and the axes of Matplotlib."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Optional

from . import _wale


class Device(int):
    """The number of a CUDA device, and the library of the array that lies there; "" for any other speaker of DLPack.

    It is an int, so a call hands it on from its input to its answer as it does a number.
    """

    library = ""


_LIBRARIES = {"cupy": "cupy", "torch": "torch", "jax": "jax", "jaxlib": "jax"}


def _library_of(value: Any) -> str:
    return _LIBRARIES.get(type(value).__module__.partition(".")[0], "")


def device_of(value: Any, number: int) -> Device:
    """The device of an array, with its library."""
    device = Device(number)
    device.library = _library_of(value)
    if device.library == "jax" and hasattr(value, "block_until_ready"):
        value.block_until_ready()  # JAX has streams of its own, which no other library can name
    return device


def stream_of(device: Optional[int]) -> int:
    """The address of the stream on which the library of an array works at present; 0: the default stream."""
    library = getattr(device, "library", "")
    module = sys.modules.get(library)
    if module is None or device is None:
        return 0
    if library == "cupy":
        with module.cuda.Device(int(device)):
            return int(module.cuda.get_current_stream().ptr)
    if library == "torch":
        return int(module.cuda.current_stream(int(device)).cuda_stream)
    return 0


def execution(device: Optional[int]) -> _wale.Execution:
    """The device, with the stream on which the caller's library works: what the library began before is seen."""
    return _wale.cuda(int(device or 0), stream_of(device))


def theirs(device: Optional[int], array: Any) -> Any:
    """An array of Wale's on a device as an array of the library of `device`, in the same memory."""
    library = getattr(device, "library", "")
    if not library or _library_of(array) == library:
        return array
    return importlib.import_module("jax.dlpack" if library == "jax" else library).from_dlpack(array)


def axes_of(ax: Any, **how: Any) -> Any:
    """`ax`, or the axes of a new figure."""
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(**how)[1]
