"""What users pass - str, bytes, lists, arrays of any library - as the arrays that the solvers take."""

from __future__ import annotations

import numbers
import operator
import os
from collections.abc import Iterable, Mapping, Set
from typing import Any, Dict, Hashable, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _errors as _errors  # names the exceptions
from . import _wale
from ._libraries import Device, device_of

_CUDA = 2  # DLPack's device type
_SYMBOLS = {1: np.uint8, 2: np.uint16, 4: np.uint32}


class DeviceArray(NamedTuple):
    """An array in the memory of a GPU: whose library it is does not matter. Contiguous: `array` may be a copy."""

    array: Any
    shape: Tuple[int, ...]
    dtype: str
    device: Device


def on_device(value: Any) -> Optional[DeviceArray]:
    """`value` as a DeviceArray where it is one, else None."""
    if isinstance(value, (np.ndarray, str, bytes)) or not hasattr(value, "__dlpack_device__"):
        return None
    kind, device = value.__dlpack_device__()
    if int(kind) != _CUDA:
        return None
    info = _wale.inspect(value)
    if not info.contiguous:
        value = _packed(value)
        info = _wale.inspect(value)
    return DeviceArray(value, tuple(info.shape), info.dtype, device_of(value, int(device)))


def _packed(value: Any) -> Any:
    """A contiguous copy of a device array, made by its own library: PyTorch, CuPy and those with their names."""
    for name in ("contiguous", "copy"):
        method = getattr(value, name, None)
        copy = method() if callable(method) else None
        if copy is not None and _wale.inspect(copy).contiguous:
            return copy
    raise _wale.BadArgument(
        f"array: is {type(value).__name__} with strides in device memory, expected a contiguous array"
    )


def host_array(value: Any, name: str = "array") -> np.ndarray:
    """A plain NumPy array in the machine's byte order, aligned; a view of `value` where that is one already."""
    if type(value) is np.ndarray and value.dtype.isnative and value.flags.aligned:
        return value
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise TypeError(f"{name}: is a masked array, expected one without masked elements (numpy.ma.filled)")
    array = None
    if hasattr(value, "__dlpack__") and not isinstance(value, (np.ndarray, np.generic)):
        try:
            array = np.from_dlpack(value)
        except Exception:  # such as Arrow's text, tensors with gradients: NumPy takes them, or its words say why not
            array = None
    if array is None:
        try:
            array = np.asarray(value)
        except ValueError as refusal:
            raise _wale.BadArgument(f"{name}: is no array, {refusal}") from None
        except RuntimeError as refusal:
            raise TypeError(f"{name}: {refusal}") from None
    if array.ndim == 0 and array.dtype.kind in "OUS":
        raise TypeError(f"{name}: is {type(value).__name__}, expected an array")
    if array.dtype.isnative and array.flags.aligned:
        return array
    return array.astype(array.dtype.newbyteorder("="))


def shown(value: Any) -> str:
    """A value in one line of a message."""
    if isinstance(value, np.ndarray) and value.size > 3:
        return f"an array of {value.dtype} of shape {value.shape}"
    text = " ".join(repr(value).split())
    return text if len(text) <= 100 else f"{text[:97]}..."


def whole(name: str, value: Any, bits: int = 32) -> int:
    """An option that is an integer; TypeError for bool, for text and for numbers with a fraction."""
    number = None
    if not isinstance(value, (bool, np.bool_)):
        try:
            number = operator.index(value)
        except TypeError:
            pass
    if number is None:
        raise TypeError(f"{name}: is {shown(value)}, expected an integer")
    if not -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
        raise _wale.BadArgument(f"{name}: is {number}, expected an integer of {bits} bits")
    return number


def file_name(name: str, value: Any) -> str:
    """The path of a file, as text; TypeError for what is no path."""
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise TypeError(f"{name}: is {shown(value)}, expected a path")
    path = os.fsdecode(value)
    if not path:
        raise _wale.BadArgument(f"{name}: is empty, expected a path")
    if "\0" in path:
        raise _wale.BadArgument(f"{name}: is {path!r}, expected a path without NUL")
    return path


def text(name: str, value: Any) -> str:
    """An option that is a word; TypeError for anything else."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: is {shown(value)}, expected text")
    return value


def one_of(name: str, value: Any, known: Iterable[str]) -> None:
    """BadArgument where an option is none of some words; a list, which has no hash, too."""
    if not isinstance(value, str) or value not in known:
        raise _wale.BadArgument(f"{name}: is {shown(value)}, expected one of {', '.join(known)}")


def described(value: Any) -> str:
    """What a value is, for a message: the type and shape of an array, else the name of its class."""
    if isinstance(value, (np.ndarray, np.generic)):
        return f"{value.dtype} of shape {np.shape(value)}"
    return type(value).__name__


def truth(name: str, value: Any) -> bool:
    """An option that is True or False, of Python or of NumPy; TypeError for anything else."""
    if type(value) is bool:
        return value
    scalar = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if not isinstance(scalar, (bool, np.bool_)):
        raise TypeError(f"{name}: is {shown(value)}, expected True or False")
    return bool(scalar)


def real(name: str, value: Any) -> float:
    """An option that is a real number; TypeError for bool and for text."""
    scalar = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if not isinstance(scalar, numbers.Real) or isinstance(scalar, (bool, np.bool_)):
        raise TypeError(f"{name}: is {shown(value)}, expected a real number")
    return float(scalar)


def real_array(name: str, value: Any, also: str = "", parts: str = "") -> np.ndarray:
    """A host array of real numbers of at most 64 bits, in its own type. `also`, `parts`: words of the message."""
    array = host_array(value, name)
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
        raise TypeError(f"{name}: elements of {array.dtype}, expected real {also}numbers of at most 64 bits{parts}")
    return array


def number_array(name: str, value: Any) -> np.ndarray:
    """A host array of real or complex numbers, their parts of at most 64 bits, in its own type."""
    array = host_array(value, name)
    if array.dtype.kind == "c" and array.dtype.itemsize <= 16:
        return array
    return real_array(name, array, "or complex ", " a part")


def exact_integers(name: str, value: Any, dtype: Any) -> np.ndarray:
    """A contiguous array of the integer type `dtype`; BadArgument where that changes a value."""
    array = real_array(name, value)
    if array.dtype == dtype and array.flags.c_contiguous:
        return array
    with np.errstate(invalid="ignore"):  # NaN: the comparison finds it
        narrow = np.ascontiguousarray(array, dtype).reshape(array.shape)
    if not np.can_cast(array.dtype, dtype) and not np.array_equal(narrow, array):
        raise _wale.BadArgument(f"{name}: expected whole numbers of {narrow.dtype}")
    return narrow


_LETTERS = ("Seq", "MutableSeq", "SeqRecord", "UnknownSeq")


def as_text(value: Any) -> Any:
    """A sequence or a record of Biopython as a str of its letters; anything else as it is."""
    kind = type(value)
    if kind.__name__ not in _LETTERS or kind.__module__.partition(".")[0] != "Bio":
        return value
    letters = getattr(value, "seq", value)
    return value if letters is None else str(letters)


def no_table(name: str, value: Any) -> None:
    """TypeError for a table of columns (pandas, polars, Arrow): what it iterates over is not its rows."""
    if isinstance(value, (str, bytes, list, tuple, np.ndarray)):
        return
    if hasattr(value, "columns") or hasattr(value, "column_names"):
        raise TypeError(f"{name}: is a table ({type(value).__name__}), expected one of its columns")


def is_array(value: Any) -> bool:
    """Whether NumPy reads the symbols of a sequence at once; of pandas and xarray by their type alone."""
    if isinstance(value, (np.ndarray, memoryview)) or hasattr(value, "__dlpack__"):
        return True
    kind = getattr(value, "dtype", None)
    return hasattr(value, "__array__") and isinstance(kind, np.dtype) and kind.kind in "iubOUS"


def _narrowest(largest: int) -> int:
    return 1 if largest < 1 << 8 else 2 if largest < 1 << 16 else 4


def text_codes(text: str) -> np.ndarray:
    """Code points: one byte each while all are below 256, else four."""
    try:
        return np.frombuffer(text.encode("latin-1"), np.uint8)
    except UnicodeEncodeError:
        return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint32, copy=False)


def integers(name: str, array: np.ndarray) -> np.ndarray:
    if array.dtype.kind not in "iub":
        raise TypeError(
            f"{name}: symbols of {array.dtype}, expected integers, str, bytes or hashable objects"
        )
    return array


Names = Tuple[str, str]


class _Side:
    """One input, its kind known: text, integers or objects."""

    def __init__(self, name: str, value: Any) -> None:
        value = as_text(value)
        no_table(name, value)
        self.name = name
        self.value = value
        if isinstance(value, str):
            self.kind = "text"
        elif isinstance(value, (bytes, bytearray)):
            self.kind, self.value = "integers", np.frombuffer(value, np.uint8)
        elif is_array(value):
            array = host_array(value, name)
            if array.ndim != 1:
                raise _wale.BadArgument(f"{name}: has {array.ndim} dimensions, expected 1")
            self.kind = "objects" if array.dtype.kind in "OUS" else "integers"
            self.value = array.tolist() if self.kind == "objects" else integers(name, array)
        elif isinstance(value, Iterable) and not isinstance(value, (Set, Mapping)):
            self.kind, self.value = "objects", list(value)
        else:
            raise TypeError(f"{name}: is {type(value).__name__}, expected str, bytes, an array or a sequence")

    def objects(self) -> Sequence[Hashable]:
        if self.kind == "integers":
            return list(self.value.tolist())
        return list(self.value) if self.kind == "text" else self.value


def _codes_of_objects(sides: Sequence[Sequence[Hashable]]) -> Tuple[np.ndarray, ...]:
    """Equal objects get equal codes, in the order in which they are first seen."""
    codes: Dict[Hashable, int] = {}
    return tuple(
        np.fromiter((codes.setdefault(x, len(codes)) for x in side), np.uint32, len(side)) for side in sides
    )


def _codes_of_integers(a: np.ndarray, b: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Unsigned symbols that are equal exactly where the values are."""
    if all(x.dtype.kind in "ub" and x.dtype.itemsize <= 4 for x in (a, b)):
        width = max(a.dtype.itemsize, b.dtype.itemsize)
    else:
        ends = [int(end) for x in (a, b) if x.size for end in (x.min(), x.max())]
        if ends and (min(ends) < 0 or max(ends) >= 1 << 32):
            # int64 and uint64 have no common integer type: beyond 2^63 values are compared as Python's.
            common = np.int64 if max(ends) < 1 << 63 else object
            both = np.concatenate([a.astype(common), b.astype(common)])
            codes = np.unique(both, return_inverse=True)[1]
            a, b = codes[: a.size], codes[a.size :]
            ends = [int(codes.max())]
        width = _narrowest(max(ends, default=0))
    native = np.dtype(_SYMBOLS[width])
    return np.ascontiguousarray(a, native), np.ascontiguousarray(b, native)


def _host_pair(names: Names, a: Any, b: Any) -> Tuple[np.ndarray, np.ndarray]:
    left, right = _Side(names[0], a), _Side(names[1], b)
    kinds = {left.kind, right.kind}
    if kinds == {"text"}:
        x, y = text_codes(left.value), text_codes(right.value)
        return _codes_of_integers(x, y)
    if kinds == {"text", "integers"}:
        raise TypeError(f"{', '.join(names)}: one is str, the other bytes or integers: encode or decode one of them")
    if "objects" in kinds:
        x, y = _codes_of_objects([left.objects(), right.objects()])
        return x, y
    return _codes_of_integers(left.value, right.value)


class Pair(NamedTuple):
    """Both sequences, ready: NumPy arrays of one symbol width, or arrays of one device."""

    a: Any
    b: Any
    sizes: Tuple[int, int]
    device: Optional[int]


def _same_device(names: Names, a: Optional[DeviceArray], b: Optional[DeviceArray]) -> int:
    if a is None or b is None or a.device != b.device:
        raise _wale.BadArgument(f"{', '.join(names)}: one is in device memory, the other is elsewhere (wale.to_device)")
    return a.device


def pair(a: Any, b: Any, names: Names = ("a", "b")) -> Pair:
    """Sequences of symbols; `names` are those of the arguments."""
    x, y = on_device(a), on_device(b)
    if x is None and y is None:
        left, right = _host_pair(names, a, b)
        return Pair(left, right, (left.size, right.size), None)
    device = _same_device(names, x, y)
    assert x is not None and y is not None
    if len(x.shape) != 1 or len(y.shape) != 1:
        raise _wale.BadArgument(f"{', '.join(names)}: expected one dimension each")
    return Pair(x.array, y.array, (x.shape[0], y.shape[0]), device)


def _float_series(name: str, value: Any) -> np.ndarray:
    array = host_array(value, name)
    if array.ndim != 1:
        raise _wale.BadArgument(f"{name}: has {array.ndim} dimensions, expected 1")
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name}: series of {array.dtype}, expected numbers")
    return np.ascontiguousarray(array)


def series_pair(a: Any, b: Any) -> Tuple[Pair, Tuple[str, ...]]:
    """Series of numbers, for dynamic time warping, and the types of its table, the usual one first."""
    x, y = on_device(a), on_device(b)
    if x is not None or y is not None:
        device = _same_device(("a", "b"), x, y)
        assert x is not None and y is not None
        if x.dtype != y.dtype or x.dtype not in ("float32", "float64"):
            raise TypeError(f"a, b: series of {x.dtype} and {y.dtype}, expected both float32 or both float64")
        return Pair(x.array, y.array, (x.shape[0], y.shape[0]), device), (x.dtype,)
    left, right = _float_series("a", a), _float_series("b", b)
    narrow = np.can_cast(left.dtype, np.float32) and np.can_cast(right.dtype, np.float32)
    names = ("float32", "float64") if narrow else ("float64", "float32")
    return Pair(left, right, (left.size, right.size), None), names
