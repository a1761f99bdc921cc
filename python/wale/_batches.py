"""Many sequences end to end, with the offsets at which each begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np

from . import _inputs, _wale


class Batches(NamedTuple):
    """Both sides of a batch of pairs; `device` is None for host memory."""

    a: Any
    a_offsets: Any
    b: Any
    b_offsets: Any
    pairs: int
    device: Optional[int]


#: Of Arrow: columns that are short are read faster as lists, those of texts and bytes.
_FEW, _TEXTS = 256, ("string", "large_string", "binary", "large_binary")


def listed(value: Any) -> Any:
    """A column of texts or objects of NumPy or pandas, or a short one of Arrow, as a list, which is read faster; anything
    else as it is."""
    if type(value) in (list, tuple):
        return value
    kind = getattr(getattr(value, "dtype", None), "kind", "")  # first: pandas takes microseconds to say what it has not
    if kind in ("O", "U", "S") and getattr(value, "ndim", 0) == 1 and hasattr(value, "__array__"):
        return value.tolist() if hasattr(value, "tolist") else np.asarray(value).tolist()
    arrow = hasattr(value, "to_pylist") and hasattr(value, "null_count")  # a table has no null_count
    if arrow and len(value) <= _FEW and not value.null_count and str(value.type) in _TEXTS:
        return value.to_pylist()
    return value


def _is_packed(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and hasattr(value[1], "__dlpack__")


def _offsets(lengths: Any, count: int) -> np.ndarray:
    offsets = np.zeros(count + 1, np.int64)
    np.cumsum(np.fromiter(lengths, np.int64, count), out=offsets[1:])
    return offsets


def _end_to_end(name: str, items: Any) -> Tuple[Any, np.ndarray]:
    """One long str, bytes, array or list, and the offsets."""
    unordered = isinstance(items, (set, frozenset, Mapping))
    if unordered or not isinstance(items, Iterable) or (isinstance(items, np.ndarray) and items.ndim == 0):
        raise TypeError(f"{name}: is {_inputs.described(items)}, expected a list of sequences, an Arrow column or (data, offsets)")
    items = [_inputs.host_array(x, name) if _inputs.is_array(x) else _inputs.as_text(x) for x in items]
    for k, item in enumerate(items):
        if isinstance(item, np.ndarray) and (item.ndim != 1 or item.dtype.kind not in "iubOUS"):
            raise TypeError(f"{name}[{k}]: is {_inputs.described(item)}, expected one dimension of symbols")
        if not isinstance(item, Sized):
            missing = type(item).__name__ in ("NoneType", "NAType", "NaTType") or (isinstance(item, float) and item != item)
            found = f"a missing value ({item})" if missing else _inputs.described(item)
            raise TypeError(f"{name}[{k}]: is {found}, expected a sequence")
    offsets = _offsets(map(len, items), len(items))
    kinds = set(map(type, items))  # a look at each type, not at each item: batches have millions
    if all(issubclass(kind, str) for kind in kinds):
        return "".join(items), offsets
    if all(issubclass(kind, (bytes, bytearray)) for kind in kinds):
        return b"".join(items), offsets
    if any(issubclass(kind, (str, bytes, bytearray)) for kind in kinds):
        raise TypeError(f"{name}: a batch holds str, bytes, arrays or lists, not a mixture")
    if all(isinstance(x, np.ndarray) and x.dtype.kind in "iub" for x in items):
        return np.concatenate(items), offsets
    return [symbol for item in items for symbol in item], offsets


def _side(name: str, value: Any) -> Tuple[Any, Any]:
    if isinstance(_inputs.as_text(value), (str, bytes, bytearray)):
        raise TypeError(
            f"{name}: is one {type(value).__name__}, expected a list of sequences, an Arrow column or (data, offsets)"
        )
    if not _is_packed(value):
        return _end_to_end(name, value)
    data, offsets = value
    if _inputs.on_device(offsets) is None:
        offsets = _inputs.exact_integers(f"{name}: offsets", offsets, np.int64)
    return data, offsets


def _column(name: str, value: Any) -> Optional[Tuple[np.ndarray, np.ndarray, bool]]:
    """An Arrow column of strings (pyarrow, polars) as it lies in memory; None for anything else."""
    if hasattr(value, "to_arrow"):
        value = value.to_arrow()
    if hasattr(value, "combine_chunks") and not hasattr(value, "buffers"):
        value = value.combine_chunks()
    if not (hasattr(value, "buffers") and hasattr(value, "type")):
        return None
    kind = str(value.type)
    if kind.startswith("dictionary") and hasattr(value, "dictionary_decode"):
        value = value.dictionary_decode()
        kind = str(value.type)
    if kind in ("string_view", "binary_view"):
        value = value.cast(f"large_{kind[:-5]}")
        kind = str(value.type)
    if kind not in ("string", "large_string", "binary", "large_binary"):
        raise TypeError(f"{name}: is an Arrow column of {kind}, expected string or binary")
    if value.null_count:
        raise _wale.BadArgument(f"{name}: has {value.null_count} nulls, expected none (drop_null, fill_null)")
    _, starts, data = value.buffers()
    width = np.int64 if kind.startswith("large") else np.int32
    empty = starts is None or starts.size == 0
    offsets = np.zeros(1, np.int64) if empty else np.frombuffer(starts, width)
    offsets = offsets[value.offset : value.offset + len(value) + 1].astype(np.int64)
    letters = np.empty(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    letters = letters[offsets[0] : offsets[-1]]
    offsets -= offsets[0]
    if "binary" in kind or letters.size == 0 or letters.max() < 128:
        return letters, offsets, "string" in kind
    first = np.concatenate([[0], np.cumsum((letters & 0xC0) != 0x80)])  # bytes that begin a code point
    return _inputs.text_codes(letters.tobytes().decode("utf-8")), first[offsets].astype(np.int64), True


def strings(name: str, value: Any) -> Tuple[Any, Any, bool]:
    """Symbols end to end, their offsets, and whether the symbols are those of str."""
    _inputs.no_table(name, value)
    value = listed(value)
    column = _column(name, value)
    if column is not None:
        return column
    packed = _wale.packed_texts(value)
    if packed is not None:
        symbols, offsets, width, is_text = packed
        return symbols if width == 1 else symbols.view(f"u{width}").astype(np.uint32), offsets, is_text
    data, offsets = _side(name, value)
    if isinstance(data, str):
        return _inputs.text_codes(data), offsets, True
    return data, offsets, False


def batches(a: Any, b: Any, names: _inputs.Names = ("a", "b")) -> Batches:
    """Lists of sequences, Arrow columns of strings, or (data, offsets) pairs in host or device memory; `names` are those
    of the arguments."""
    both = ", ".join(names)
    a_data, a_offsets, a_is_text = strings(names[0], a)
    b_data, b_offsets, b_is_text = strings(names[1], b)
    here = hasattr(a_data, "__len__") and hasattr(b_data, "__len__")  # not every device array has a length
    if a_is_text != b_is_text and here and len(a_data) > 0 and len(b_data) > 0:
        raise TypeError(f"{both}: one is str, the other bytes or integers: encode or decode one of them")
    counts = []
    for name, offsets in zip(names, (a_offsets, b_offsets)):
        shape = offsets.shape if isinstance(offsets, np.ndarray) else tuple(_wale.inspect(offsets).shape)
        if len(shape) != 1 or shape[0] < 1:
            raise _wale.BadArgument(
                f"{name}: offsets of shape {shape}, expected one more than there are sequences"
            )
        counts.append(shape[0] - 1)
    if counts[0] != counts[1]:
        raise _wale.BadArgument(f"{both}: {counts[0]} and {counts[1]} sequences, expected the same number")
    ready = _inputs.pair(a_data, b_data, names)
    places = {_inputs.on_device(x) is not None for x in (a_offsets, b_offsets)}
    if places != {ready.device is not None}:
        raise _wale.BadArgument("offsets: expected in the memory of their data (wale.to_device)")
    return Batches(ready.a, a_offsets, ready.b, b_offsets, counts[0], ready.device)
