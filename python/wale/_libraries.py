"""Libraries that are the user's choice, imported when they are asked for: CuPy, PyTorch and JAX, whose device arrays users
pass - their streams, and answers as arrays of theirs -, any library of the array API's standard, and the axes of Matplotlib."""

from __future__ import annotations

import functools
import importlib
import sys
from typing import Any, Callable, Optional, TypeVar

import numpy as np

from . import _wale

Function = TypeVar("Function", bound=Callable[..., Any])


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


#: Of the types that most arguments have, none is an array of another library.
_OURS = frozenset({np.ndarray, list, tuple, dict, str, int, float, bool, type(None)})


def _maker(value: Any) -> Optional[Callable[[np.ndarray], Any]]:
    """What makes an array of the library of an array in host memory; None for NumPy's and for what is no array."""
    if isinstance(value, (np.ndarray, np.generic)) or not hasattr(value, "__dlpack_device__"):
        return None
    if int(value.__dlpack_device__()[0]) != 1:  # DLPack's number of host memory
        return None
    if _library_of(value) == "torch":
        return sys.modules["torch"].from_numpy
    if not hasattr(value, "__array_namespace__"):
        return None
    return functools.partial(value.__array_namespace__().asarray, device=value.device)


def _remade(answer: Any, make: Callable[[np.ndarray], Any]) -> Any:
    """An answer with an array of the library for each of NumPy."""
    if isinstance(answer, (np.ndarray, np.generic)):
        return make(np.asarray(answer))
    if type(answer) is tuple:
        return tuple(_remade(part, make) for part in answer)
    if isinstance(answer, tuple):  # named, or the factors of a matrix
        parts = getattr(answer, "__getnewargs__", answer.__iter__)()
        return type(answer)(*(_remade(part, make) for part in parts))
    return answer


def in_their_library(function: Function) -> Function:
    """Answers as arrays of the library of the first argument that is an array in host memory and not NumPy's."""

    @functools.wraps(function)
    def answered(*values: Any, **words: Any) -> Any:
        for value in (*values, *words.values()):
            make = None if type(value) in _OURS else _maker(value)
            if make is not None:
                answer = function(*values, **words)
                return answer if answer is words.get("out") else _remade(answer, make)
        return function(*values, **words)

    return answered  # type: ignore[return-value]


def axes_of(ax: Any, **how: Any) -> Any:
    """`ax`, or the axes of a new figure."""
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(**how)[1]
