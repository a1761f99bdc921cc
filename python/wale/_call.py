"""The keywords that say where a call runs, the arrays that it makes there, and what the last call did."""

from __future__ import annotations

import functools
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, TypedDict, TypeVar

import numpy as np

from . import _wale
from ._inputs import host_array, on_device, shown, whole
from ._libraries import execution, stream_of, theirs

Where = Optional[_wale.Execution]
Options = TypeVar("Options")

#: Keeps the report of this thread's last call.
remember = _wale.remember


def last_report() -> Optional[_wale.Report]:
    """Report of this thread's last successful call: what really ran, and how long it took.

    Returns
    -------
    Report or None
        With `variant`, `policy`, `device`, `threads`, `compute_seconds`, `transfer_seconds`, `work` (cells),
        `bytes` and `iterations`; None before the first call. Of two short texts the times are 0: reading a
        clock takes as long as such a call.

    Examples
    --------
    >>> import wale
    >>> wale.lcs_length("wavefront", "waterfront", backend="reference")
    8
    >>> wale.last_report().variant
    'reference/plain'
    """
    return _wale.last_report()


def to_device(array: Any, device: int = 0) -> Any:
    """Copies a host array to a GPU.

    Parameters
    ----------
    array : array_like
        Of an element type that Wale takes: bool, uint8, uint16, uint32, int16, int32, int64, float32, float64,
        complex64, complex128.
    device : int
        The CUDA device.

    Returns
    -------
    object
        An array in device memory that speaks DLPack: `torch.from_dlpack`, `cupy.from_dlpack` take it, and so
        does every function of Wale, which then computes on that device.

    Raises
    ------
    BackendUnavailable, OutOfMemory
        Where the device is not there, or has too little memory.

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

    Parameters
    ----------
    array : array_like
        In device memory (DLPack) or host memory.

    Returns
    -------
    NumPy array

    Raises
    ------
    TypeError
        Where it is no array of numbers.

    Examples
    --------
    >>> import numpy as np, wale
    >>> wale.to_host(np.arange(3))
    array([0, 1, 2])
    """
    source = on_device(array)
    if source is None:
        found = host_array(array)
        if found.dtype.kind in "OUSV":
            raise TypeError(f"array: is {type(array).__name__}, expected numbers")
        return found
    target = np.empty(source.shape, source.dtype)
    if target.size:
        _wale.copy(execution(source.device), target, source.array)
    return target


def copied(device: Optional[int], array: Any, shape: Tuple[int, ...], dtype: str) -> Any:
    """A copy of a contiguous array, in the memory that it is in; `device` is None for NumPy's."""
    if device is None:
        return array.copy()
    copy = _wale.empty(device, list(shape), dtype)
    if np.prod(shape, dtype=np.int64):
        _wale.copy(execution(device), copy, array)
    return copy


_FIELDS: Dict[type, List[str]] = {}


def _fields(kind: type) -> List[str]:
    """The options that a class has; looked up once, since a short call is as dear as what surrounds it."""
    if kind not in _FIELDS:
        _FIELDS[kind] = [field for field in dir(kind) if isinstance(getattr(kind, field), property)]
    return _FIELDS[kind]


def filled(options: Options, words: Mapping[str, Any], name: str = "") -> Options:
    """`options` with the fields that `words` names set; `name` stands before a field in messages."""
    try:
        for word, value in words.items():
            setattr(options, word, value)
        return options
    except (AttributeError, TypeError, _wale.BadArgument):
        pass  # NumPy's scalars, which are taken below, or what is refused there
    before = f"{name}." if name else ""
    known = _fields(type(options))
    for word, value in words.items():
        if word not in known:
            raise _wale.BadArgument(f"{before}{word}: unknown word, expected one of {', '.join(known)}")
        try:
            setattr(options, word, value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value)
        except TypeError:
            kind = type(getattr(options, word)).__name__
            raise TypeError(f"{before}{word}: is {shown(value)}, expected {kind}") from None
        except _wale.BadArgument as refusal:
            raise _wale.BadArgument(f"{before}{refusal}") from None
    return options


class Run(TypedDict, total=False):
    """The keywords that every function takes."""

    where: Where
    backend: str
    variant: str
    threads: int


_CPU = _wale.cpu(0)
_WHERE: Dict[str, Any] = {"where": None, "backend": "auto", "variant": "automatic", "threads": 0}


_SHORT = {"backend": ("auto", "cpu"), "variant": ("automatic",)}


def short_threads(run: Mapping[str, Any]) -> Optional[int]:
    """The threads of a call whose keywords say no more than that it runs on the CPU by the automatic row, else None."""
    threads = 0
    for word, value in run.items():
        if type(value) is int and word == "threads" and 0 <= value < 1 << 20:
            threads = value
        elif type(value) is _wale.Execution and word == "where" and value.backend == "cpu" and len(run) == 1:
            threads = value.threads
        elif type(value) is not str or value not in _SHORT.get(word, ()):
            return None
    return threads


#: What other packages call it.
_OTHERS = {
    "score_cutoff": "bound (of cdist: cutoff)", "scorer": "metric", "workers": "threads", "n_jobs": "threads",
    "num_threads": "threads", "nthreads": "threads", "device": "where=wale.cuda(device)", "selem": "footprint or connectivity",
    "structure": "connectivity", "fullyConnected": "connectivity", "gap_open": "open", "gap_extend": "extend",
    "open_gap_score": "open (a cost)", "extend_gap_score": "extend (a cost)", "match_score": "match", "mismatch_score": "mismatch",
    "substitution_matrix": "matrix", "sakoe_chiba_radius": "window", "radius": "window", "k": "bound (of cdist: cutoff)", "gap": "open and extend (costs)",
    "nodata": "no_data", "gap_penalty": "open and extend (costs)", "transpose": "transposed, or trans of lu_solve",
}  # fmt: skip


def keywords(run: Mapping[str, Any], **own: Any) -> Dict[str, Any]:
    """The defaults, `own` and those of Run, and what the caller gave; TypeError for a word that is none of them."""
    words = {**own, **_WHERE}
    unknown = set(run) - set(words)
    if unknown:
        word = sorted(unknown)[0]
        meant = f"; it is called {_OTHERS[word]} here" if word in _OTHERS else ""
        raise TypeError(f"unexpected keyword {word!r}, expected {', '.join(words)} or one of the function's own{meant}")
    return {**words, **run}


def _check_place(where: Any, backend: Any, variant: Any) -> None:
    """TypeError for a value that names no place and no row by its type."""
    if where is not None and not isinstance(where, _wale.Execution):
        raise TypeError(f"where: is {where!r}, expected wale.cpu(), wale.cuda(), wale.reference() or None")
    for name, word in (("backend", backend), ("variant", variant)):
        if not isinstance(word, str):
            raise TypeError(f"{name}: is {word!r}, expected text")


def _on_stream(where: _wale.Execution, device: Optional[int]) -> _wale.Execution:
    """`where`; a CUDA device without a stream takes the one on which the library of the inputs works."""
    stream = stream_of(device) if where.backend == "cuda" and where.stream == 0 and not where.devices else 0
    return _wale.cuda(where.device, stream) if stream else where


def _execution(where: Where, backend: str, variant: str, threads: int, device: Optional[int]) -> _wale.Execution:
    _check_place(where, backend, variant)
    if where is not None:
        if backend != "auto" or threads != 0:
            raise _wale.BadArgument("where: excludes backend and threads, which it contains")
        return _on_stream(where, device)
    if backend == "auto":
        named = variant.split("/")[0]
        backend = named if named in ("reference", "cpu", "cuda") else "cpu" if device is None else "cuda"
    if backend == "cuda":
        return execution(device)
    if backend not in ("cpu", "reference"):
        raise _wale.BadArgument(f"backend: is '{backend}', expected auto, reference, cpu or cuda")
    threads = whole("threads", threads)
    return _wale.cpu(threads) if backend == "cpu" else _wale.reference()


def check_out(out: Any, shape: Tuple[int, ...], dtype: str) -> None:
    """Throws unless `out` can take an answer of this shape and type as it is."""
    if not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray):
        raise TypeError("out: expected a plain NumPy array for inputs in host memory")
    if out.shape != shape or out.dtype != np.dtype(dtype):
        raise _wale.BadArgument(f"out: is {out.dtype} of shape {out.shape}, expected {dtype} of shape {shape}")
    if not out.flags.writeable:
        raise _wale.BadArgument("out: is read-only")
    if not out.flags.aligned:
        raise _wale.BadArgument("out: is not aligned to its elements")


def put(answer: Any, out: Any) -> Any:
    """The answer, in `out` where there is one."""
    if out is None:
        return answer
    out[...] = answer
    return out


def _threads_alone(words: Mapping[str, Any]) -> Optional[int]:
    """The threads of a call whose words say no more of its place than that it is the CPU, else None."""
    where, backend, variant, threads = (words[word] for word in _WHERE)
    plain = where is None and type(backend) is str and type(variant) is str and type(threads) is int
    return threads if plain and backend in ("auto", "cpu") and variant == "automatic" and 0 <= threads < 1 << 20 else None


_cpu = functools.lru_cache(maxsize=64)(_wale.cpu)


class Call:
    """Where a call runs, and the arrays that it makes there. `device`: of the inputs; None: NumPy's memory."""

    def __init__(self, run: Mapping[str, Any], device: Optional[int], **own: Any) -> None:
        self.device = device
        if not run and device is None:  # as most calls are, of which the short ones notice each step
            self.words = {**own, **_WHERE}
            self.at, self.variant, self.on_cuda = _CPU, "automatic", False
            return
        self.words = {**own, **_WHERE, **run}
        if device is None and len(self.words) == len(own) + len(_WHERE):  # no unknown word
            threads = _threads_alone(self.words)
            if threads is not None:
                self.at, self.variant, self.on_cuda = _cpu(threads), "automatic", False
                return
        self.words = keywords(run, **own)
        where, backend, self.variant, threads = (self.words[word] for word in _WHERE)
        self.at = _execution(where, backend, self.variant, threads, device)
        #: Arrays are on the device; a call over several devices takes and splits those of the host.
        self.on_cuda = self.at.backend == "cuda" and not self.at.devices

    def has_one_way(self) -> "Call":
        """Throws where a variant is named, for a call that has none."""
        if self.variant != "automatic":
            raise _wale.BadArgument(f"variant: is {self.variant!r}, expected 'automatic': a residual has no variants")
        return self

    def namesake(self, solver: str, operation: str) -> str:
        """The row of a call's second operation: that of the name that was asked for, else the automatic one."""
        if self.variant == "automatic":
            return self.variant
        names = [row.name for row in _wale.variants(solver) if row.operation == operation]
        found = any(name == self.variant or name.endswith("/" + self.variant) for name in names)
        return self.variant if found else "automatic"

    def move(self, *arrays: Any) -> List[Any]:
        """The arrays in the memory that the call computes in: host arrays are copied to the device here."""
        if self.on_cuda and self.device is None:
            return [to_device(x, self.at.device) for x in arrays]
        return list(arrays)

    def empty(self, shape: Sequence[int], dtype: str) -> Any:
        """A new array in the memory that the call computes in."""
        if self.on_cuda:
            return _wale.empty(self.at.device, list(shape), dtype)
        return np.empty(tuple(shape), dtype)

    def back(self, array: Any, shape: Tuple[int, ...]) -> Any:
        """The array as the caller is to see it."""
        if self.on_cuda and self.device is None:
            return to_host(array).reshape(shape)
        if self.device is None:
            if array.shape == shape:
                return array
            return array.reshape(shape, order="A" if array.ndim == len(shape) else "C")
        same = tuple(_wale.inspect(array).shape) == shape
        return theirs(self.device, array if same else _wale.reshaped(array, list(shape)))

    def check(self, out: Any, shape: Tuple[int, ...], dtype: str) -> None:
        """Throws unless `out`, where there is one in host memory, takes an answer of this shape and type."""
        if out is not None and self.device is None:
            check_out(out, shape, dtype)

    def target(self, shape: Tuple[int, ...], dtype: str, out: Any) -> Any:
        """The array that is filled: `out`, or a new one in the memory that the call computes in."""
        self.check(out, shape, dtype)
        direct = out is not None and (self.device is not None or not self.on_cuda)
        return out if direct else self.empty(shape, dtype)

    def finished(self, table: Any, out: Any) -> Any:
        """The array that target() gave, or what it holds in the caller's memory."""
        if not self.on_cuda or self.device is not None:
            return theirs(self.device, table)
        host = to_host(table)
        if out is None:
            return host
        out[...] = host
        return out
