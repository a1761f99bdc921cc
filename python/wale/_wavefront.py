"""The solver `wavefront`: sequence comparison, and whole tables of recurrences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _inputs, _wale
from ._batches import batches, listed
from ._call import Call, Run, remember, short_threads
from ._typing import Unpack


def lcs_length(a: Any, b: Any, **run: Unpack[Run]) -> int:
    """Length of the longest common subsequence of `a` and `b`.

    O(m + n) memory, O(mn / word) time (Hyyro 2004, bit-parallel).

    Parameters
    ----------
    a, b : str, bytes, integer array, DLPack array, or sequence of hashable objects
        str is compared by code points, a sequence of Biopython as str. Arrays of uint8, uint16 and uint32 are used as they are.
    where : Execution, optional
        `wale.cpu(threads)`, `wale.cuda(device)` or `wale.reference()`; excludes `backend` and `threads`.
    backend : {"auto", "reference", "cpu", "cuda"}
        "auto" computes where the data lies: CUDA for device arrays, else the CPU. "cuda" copies host
        arrays to the device.
    variant : str
        A name of `wale.variants("wavefront")`, such as "cpu/rows", or "automatic".
    threads : int
        CPU threads; 0 takes all that the process may use.

    Returns
    -------
    int

    Raises
    ------
    BadArgument, TypeError
        Where sequences are not taken, such as floats, or str beside bytes.

    Examples
    --------
    >>> import wale
    >>> wale.lcs_length("wavefront", "waterfront")
    8
    >>> wale.lcs_length(["to", "be", "or"], ["or", "to", "be"])
    2
    """
    threads = short_threads(run) if run else 0
    if threads is not None:
        plain = _wale.plain_lcs_length(a, b, threads)
        if plain is not None:
            return plain
    ready = _inputs.pair(a, b)
    call = Call(run, ready.device)
    x, y = call.move(*ready[:2])
    length, report = _wale.lcs_length(call.at, x, y, call.variant)
    remember(report)
    return length


def edit_distance(a: Any, b: Any, *, bound: Optional[int] = None, **run: Unpack[Run]) -> int:
    """Unit-cost edit distance (Levenshtein) of `a` and `b`.

    O(m + n) memory, O(mn / word) time (Myers 1999, Hyyro 2003); O(bound * max(m, n) / word) with a bound or
    for similar inputs (Ukkonen 1985).

    Parameters
    ----------
    a, b : str, bytes, integer array, DLPack array, or sequence of hashable objects
        As for `lcs_length`.
    bound : int, optional
        Distances above it need not be known: the answer is then ``bound + 1``, as with rapidfuzz's
        ``score_cutoff``.
    where, backend, variant, threads
        As for `lcs_length`.

    Returns
    -------
    int
        The distance, or ``bound + 1`` where it exceeds `bound`.

    Raises
    ------
    BadArgument, TypeError
        Where sequences are not taken, such as floats, or str beside bytes.

    Examples
    --------
    >>> import wale
    >>> wale.edit_distance("kitten", "sitting")
    3
    >>> wale.edit_distance("kitten", "sitting", bound=1)
    2
    """
    threads = short_threads(run) if run else 0
    if threads is not None:
        plain = _wale.plain_edit_distance(a, b, bound, threads)
        if plain is not None:
            return plain
    ready = _inputs.pair(a, b)
    call = Call(run, ready.device)
    x, y = call.move(*ready[:2])
    distance, report = _wale.edit_distance(call.at, x, y, _bound(bound), call.variant)
    remember(report)
    return distance


def _bound(bound: Optional[int]) -> int:
    if bound is None:
        return -1
    whole = _inputs.whole("bound", bound, 64)
    if whole < 0:
        raise _wale.BadArgument(f"bound: is {whole}, expected 0 or more, or None")
    return whole


@dataclass(frozen=True)
class LcsString:
    """A longest common subsequence: its symbols' positions in both inputs, and its text if they are text."""

    in_a: np.ndarray
    in_b: np.ndarray
    text: Union[str, bytes, None]

    def __len__(self) -> int:
        return len(self.in_a)


def _text(a: Any, positions: np.ndarray) -> Union[str, bytes, None]:
    a = _inputs.as_text(a)
    if isinstance(a, str):
        return "".join([a[i] for i in positions])
    if isinstance(a, (bytes, bytearray)):
        return bytes(np.frombuffer(a, np.uint8)[positions])
    return None


def lcs_string(a: Any, b: Any, **run: Unpack[Run]) -> LcsString:
    """A longest common subsequence itself, in memory linear in m + n on the CPU (Hirschberg 1975).

    Parameters
    ----------
    a, b, where, backend, variant, threads
        As for `lcs_length`.

    Returns
    -------
    LcsString
        `in_a` and `in_b`: int64 arrays of the common symbols' positions, ascending. `text`: the subsequence
        where `a` is str or bytes, else None.

    Raises
    ------
    BadArgument, TypeError
        Where sequences are not taken, such as floats, or str beside bytes.

    Examples
    --------
    >>> import wale
    >>> common = wale.lcs_string("nematode", "empty")
    >>> common.text, len(common)
    ('emt', 3)
    """
    ready = _inputs.pair(a, b)
    call = Call(run, ready.device)
    x, y = call.move(*ready[:2])
    in_a, in_b, report = _wale.lcs_string(call.at, x, y, call.variant)
    remember(report)
    in_a, in_b = (positions.view(np.int64) for positions in (in_a, in_b))  # the compiler's long long prints its type
    return LcsString(in_a, in_b, _text(a, in_a))


def _batch_call(function: Any, a: Any, b: Any, run: Run, *options: Any) -> Any:
    a, b = listed(a), listed(b)
    threads = short_threads(run) if run else 0
    if threads is not None and isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        answers = np.empty(len(a), np.int32)
        if _wale.plain_pairs(a, b, answers, bool(options), options[0] if options else -1, threads):
            return answers
    ready = batches(a, b)
    call = Call(run, ready.device)
    pairs = _wale.Pairs(*call.move(*ready[:4]))
    answers = call.empty((ready.pairs,), "int32")
    remember(function(call.at, pairs, answers, *options, call.variant))
    return call.back(answers, (ready.pairs,))


def lcs_lengths(a: Any, b: Any, **run: Unpack[Run]) -> Any:
    """Lengths of the longest common subsequences of many pairs.

    Parameters
    ----------
    a, b : list of sequences, Arrow string column, or (data, offsets)
        Pair k is sequence k of `a` and of `b`. Lists hold str, bytes, integer arrays or lists of hashable
        objects. In the packed form `data` is one sequence, as for `lcs_length`, and sequence k is
        ``data[offsets[k]:offsets[k + 1]]``; both arrays may be in device memory.
    where, backend, variant, threads
        As for `lcs_length`.

    Returns
    -------
    array of int32
        NumPy for host inputs; for device inputs an array on their device, of their library.

    Raises
    ------
    BadArgument, TypeError
        Where sequences are not taken, such as floats, str beside bytes, or batches of different lengths.

    Examples
    --------
    >>> import wale
    >>> wale.lcs_lengths(["abc", "wavefront"], ["cab", "waterfront"])
    array([2, 8], dtype=int32)
    """
    return _batch_call(_wale.lcs_lengths, a, b, run)


def edit_distances(a: Any, b: Any, *, bound: Optional[int] = None, **run: Unpack[Run]) -> Any:
    """Unit-cost edit distances of many pairs.

    Parameters
    ----------
    a, b
        As for `lcs_lengths`.
    bound : int, optional
        Distances above it are given as ``bound + 1``.
    where, backend, variant, threads
        As for `lcs_length`.

    Returns
    -------
    array of int32
        As for `lcs_lengths`.

    Raises
    ------
    BadArgument, TypeError
        Where sequences are not taken, such as floats, str beside bytes, or batches of different lengths.

    Examples
    --------
    >>> import wale
    >>> wale.edit_distances(["kitten", ""], ["sitting", "abc"])
    array([3, 3], dtype=int32)
    """
    return _batch_call(_wale.edit_distances, a, b, run, _bound(bound))


if not TYPE_CHECKING:  # few and short texts are answered without a step of the interpreter
    lcs_length = _wale.short_form(lcs_length, "(a, b, **run)")
    edit_distance = _wale.short_form(edit_distance, "(a, b, *, bound=None, **run)")
    lcs_lengths = _wale.short_form(lcs_lengths, "(a, b, **run)")
    edit_distances = _wale.short_form(edit_distances, "(a, b, *, bound=None, **run)")
