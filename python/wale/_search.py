"""Where sequences lie in a long text, and each of many sequences against each."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Optional, Tuple

import numpy as np

from . import _inputs, _wale
from ._batches import listed, strings
from ._call import Call, Run, filled, remember, short_threads
from ._typing import Unpack
from ._verification import check_places

_MODES = {"HW": "infix", "SHW": "prefix"}


class Match(NamedTuple):
    """The parts of a text that are nearest to a query.

    ``distance`` is -1 above the bound. ``locations``: (begin, end, reverse), the part is ``text[begin:end]``;
    begin is -1 where it was not asked for. ``cigar``: the path along the first location.
    """

    distance: int
    locations: List[Tuple[int, int, bool]]
    cigar: str


def _host_call(name: str, run: Run) -> Call:
    call = Call(run, None)
    if call.at.backend == "cuda":
        raise _wale.UnsupportedVariant(f"{name}: has no variant on cuda yet, expected backend cpu or reference")
    return call


def _nearest(call: Call, queries: Tuple[Any, Any], text: Any, **options: Any) -> List[Match]:
    words = filled(_wale.InfixOptions(), {"variant": call.variant, **options})
    matches, report = _wale.infix_align(call.at, *queries, text, words)
    remember(report)
    return [Match(*match) for match in matches]


def as_edlib(call: Call, ready: _inputs.Pair, mode: str, task: str, k: int) -> Dict[str, Any]:
    """The nearest parts of one text to one query, in edlib's words."""
    offsets = np.array([0, ready.sizes[0]], np.int64)
    options = {"mode": _MODES[mode], "task": task, "bound": max(k, -1)}
    match = _nearest(call, (ready.a, offsets), ready.b, **options)[0]
    begins = task != "distance" and min(ready.sizes) > 0
    return {
        "editDistance": match.distance,
        "locations": [(begin if begins else None, end - 1) for begin, end, _ in match.locations],
        "cigar": match.cigar if begins and task == "path" and match.distance >= 0 else None,
    }


@functools.lru_cache(maxsize=64)
def _places(mode: str, task: str, bound: int, both_strands: bool) -> _wale.InfixOptions:
    """All threads read the same options."""
    return filled(_wale.InfixOptions(), {"mode": _MODES[mode], "task": task, "bound": bound, "both_strands": both_strands})


def locate(
    queries: Any, text: Any, *, mode: str = "HW", task: str = "path", k: int = -1, both_strands: bool = False,
    verify: bool = False, **run: Unpack[Run],
) -> List[Match]:  # fmt: skip
    """Aligns each query to the parts of one long text that are nearest to it: reads to a genome.

    Unit cost, without an index and without heuristics; many queries at a time are much faster than one by one.

    Parameters
    ----------
    queries : list of sequences, Arrow string column, or (data, offsets)
        As for `cdist`.
    text : str, bytes, integer array, or sequence of hashable objects
        As for `lcs_length`; of the kind of the queries.
    mode : {"HW", "SHW"}
        Any part of the text, or parts that begin where it begins.
    task : {"distance", "locations", "path"}
        Ends only, where the parts begin too, the operations along the first part too.
    k : int
        Distances above it are not wanted: `distance` is then -1. Negative: no limit, which takes much longer
        for queries that are nowhere in the text.
    both_strands : bool
        Also align the reverse complement of queries of bytes (DNA).
    verify : bool
        Look at each part again, with the reference in a window round it, up to 10^9 cells. `wale.Error` where a
        distance or a path differs. A query that is said to be nowhere is not looked for again.
    where, backend, variant, threads
        As for `lcs_length`; not CUDA.

    Returns
    -------
    list of Match
        One a query. Forward strand first, then by end; of each end the longest part.

    Raises
    ------
    BadArgument, TypeError
        Where sequences are not taken, such as floats, str beside bytes, or batches of different lengths.

    Examples
    --------
    >>> import wale
    >>> for match in wale.locate([b"GATTACA", b"TGTAATC"], b"CCGATTACACC", both_strands=True):
    ...     print(match.distance, match.locations, match.cigar)
    0 [(2, 9, False)] 7=
    0 [(2, 9, True)] 7=
    """
    _inputs.one_of("mode", mode, _MODES)
    both_strands = _inputs.truth("both_strands", both_strands)
    threads = short_threads(run) if run else 0
    if type(queries) is list and threads is not None and verify is False and type(k) is int and abs(k) < 1 << 62:
        plain = _wale.plain_places(queries, text, _places(mode, task, max(k, -1), both_strands), threads)
        if plain is not None:
            return [Match(*match) for match in plain]
    data, offsets, is_text = strings("queries", queries)
    text = _inputs.as_text(text)
    is_str = isinstance(text, str)
    ready = _ready("queries, text", (data, is_text), (_inputs.text_codes(text) if is_str else text, is_str))
    call = _host_call("locate", run)
    bound = max(_inputs.whole("k", k, 64), -1)
    words = {"mode": _MODES[mode], "task": task, "bound": bound, "both_strands": both_strands}
    matches = _nearest(call, (ready.a, offsets), ready.b, **words)
    if _inputs.truth("verify", verify):
        check_places(matches, (ready.a, offsets), ready.b, filled(_wale.InfixOptions(), words))
    return matches


def _ready(names: str, a: Tuple[Any, bool], b: Tuple[Any, bool], anywhere: bool = False) -> _inputs.Pair:
    """Both sides in one width of symbols."""
    if a[1] != b[1] and len(a[0]) > 0 and len(b[0]) > 0:
        raise TypeError(f"{names}: one is str, the other bytes or integers: encode or decode one of them")
    both = names.split(", ")
    ready = _inputs.pair(a[0], b[0], (both[0], both[-1]))
    if ready.device is not None and not anywhere:
        raise _wale.BadArgument(f"{names}: are in device memory, expected host memory")
    return ready


_BLOCK = 1 << 24  # answers in memory at a time
_FEW = 1 << 10  # targets whose order is found by sorting all of them


def _within(pieces: Iterable[Tuple[int, np.ndarray]], bound: int, own: bool) -> Tuple[np.ndarray, ...]:
    """Rows, columns and values of all answers within the bound."""
    found = []
    for first, answers in pieces:
        rows, columns = np.nonzero(answers <= bound)
        kept = rows + first < columns if own else slice(None)
        rows, columns = rows[kept], columns[kept]
        found.append((rows + first, columns, answers[rows, columns]))
    return tuple(np.concatenate(part) for part in zip(*found))


def _best(
    pieces: Iterable[Tuple[int, np.ndarray]], top: int, sign: int, bound: int, own: bool
) -> Tuple[np.ndarray, np.ndarray]:
    """Numbers and values of the best targets of each row: the smallest ones, of sign -1 the largest."""
    numbers, values = [], []
    for first, answers in pieces:
        count, targets = answers.shape
        if not own and bound < 0 and top <= targets <= _FEW:  # sorts that keep the order of equals
            number = np.argsort(answers if sign > 0 else -answers, axis=1, kind="stable")[:, :top]
            numbers.append(number)
            values.append(np.take_along_axis(answers, number, 1))
            continue
        order = np.int64(sign) * answers.astype(np.int64) * max(targets, 1) + np.arange(targets)
        left_out = np.iinfo(np.int64).max
        if own:
            order[np.arange(count), np.arange(first, first + count)] = left_out
        if bound >= 0:
            order[answers > bound] = left_out
        size = min(top, targets)
        order = np.sort(np.partition(order, size - 1, axis=1)[:, :size], axis=1) if size else order
        number = np.full((count, top), -1, np.int64)
        missing = min(bound + 1, np.iinfo(np.int32).max) if bound >= 0 else -1
        value = np.full((count, top), missing, np.int32)
        row, place = np.nonzero(order < left_out)
        number[row, place] = order[row, place] % max(targets, 1)
        value[row, place] = answers[row, number[row, place]]
        numbers.append(number)
        values.append(value)
    return np.concatenate(numbers), np.concatenate(values)


def _some(ready: Any, sides: Any, shape: Tuple[int, int], kept: Any, measure: Tuple[bool, int], run: Run) -> Any:
    """The best targets of each query, or the pairs within the bound, from some rows of answers at a time."""
    top, sparse, own = kept
    edit, bound = measure
    if top is not None and (sparse or _inputs.whole("top", top, 64) < 1):
        raise _wale.BadArgument(f"top: is {top}, expected 1 or more, and not sparse")
    if sparse and bound < 0:
        raise _wale.BadArgument("sparse: expected a cutoff")
    if ready.device is not None:
        raise _wale.BadArgument("top, sparse: the sequences are in device memory, expected host memory")
    call = _host_call("cdist", run)

    def block(first: int) -> np.ndarray:
        last = min(first + step, shape[0])
        answers = np.empty((last - first, shape[1]), np.int32)
        packed = (sides[0], sides[1][first : last + 1], sides[-2], sides[-1])
        remember(_wale.distance_matrix(call.at, packed, answers, edit, bound, call.variant))
        return answers

    step = max(1, _BLOCK // max(shape[1], 1))
    pieces = ((first, block(first)) for first in range(0, max(shape[0], 1), step))
    return _within(pieces, bound, own) if sparse else _best(pieces, int(top), 1 if edit else -1, bound, own)


def _count(offsets: Any) -> int:
    found = _inputs.on_device(offsets)
    return int((offsets if found is None else found).shape[0]) - 1


def cdist(
    queries: Any, targets: Any = None, *, metric: str = "edit_distance", cutoff: Optional[int] = None,
    top: Optional[int] = None, sparse: bool = False, **run: Unpack[Run],
) -> Any:  # fmt: skip
    """Each query against each target, as rapidfuzz's ``cdist``.

    Parameters
    ----------
    queries, targets : list of sequences, Arrow string column, or (data, offsets)
        Lists hold str, bytes, integer arrays or lists of hashable objects. Arrow columns (pyarrow, polars)
        are read where they lie. Packed, on the host or on a device: sequence k is
        ``data[offsets[k]:offsets[k + 1]]``. Without `targets`
        the queries are compared with each other, and half of the pairs is computed.
    metric : {"edit_distance", "lcs"}
        Unit-cost edit distance, or length of the longest common subsequence.
    cutoff : int, optional
        Distances above it show as ``cutoff + 1``; faster.
    top : int, optional
        Only so many targets a query, the best ones first, equal ones by their number; without `targets` not
        the query itself. A place without a target (beyond `cutoff`, or fewer targets) has number -1.
    sparse : bool
        Only distances within `cutoff`, as coordinates; without `targets` each pair once, row below column.
    where, backend, variant, threads
        As for `lcs_length`.

    Returns
    -------
    array of int32, shape (queries, targets)
        NumPy; for sequences on a device an array there, of their library.
        With `top`: (numbers, values), arrays of int64 and int32 of shape (queries, top). With `sparse`: (rows,
        columns, values), which ``scipy.sparse.coo_array((values, (rows, columns)))`` takes. Both take memory
        for some queries at a time, and sequences of the host.

    Raises
    ------
    BadArgument, TypeError
        Where sequences are not taken, such as floats, str beside bytes, or batches of different lengths.

    Examples
    --------
    >>> import wale
    >>> wale.cdist(["kitten", "flaw"], ["sitting", "lawn", "flow"])
    array([[3, 5, 6],
           [7, 2, 1]], dtype=int32)
    >>> wale.cdist(["abc", "abd", "xyz"], cutoff=2)
    array([[0, 1, 3],
           [1, 0, 3],
           [3, 3, 0]], dtype=int32)
    >>> wale.cdist(["kitten", "flaw"], ["sitting", "lawn", "flow"], top=1)
    (array([[0],
           [2]]), array([[3],
           [1]], dtype=int32))
    >>> wale.cdist(["abc", "abd", "xyz"], cutoff=2, sparse=True)
    (array([0]), array([1]), array([1], dtype=int32))
    """
    _inputs.one_of("metric", metric, ("edit_distance", "lcs"))
    bound = -1 if cutoff is None else _inputs.whole("cutoff", cutoff, 64)
    if cutoff is not None and (bound < 0 or metric == "lcs"):
        raise _wale.BadArgument(f"cutoff: is {cutoff}, expected 0 or more and metric 'edit_distance', or None")
    edit, sparse = metric == "edit_distance", _inputs.truth("sparse", sparse)
    queries, targets = listed(queries), listed(targets)
    lists = isinstance(queries, (list, tuple)) and (targets is None or isinstance(targets, (list, tuple)))
    threads = short_threads(run) if run else 0
    shape = (len(queries), len(queries if targets is None else targets)) if lists else (0, 0)
    whole = top is None and not sparse
    few = shape[0] * shape[1] <= _BLOCK and (bound >= 0 and top is None if sparse else type(top) is int and top > 0)
    if lists and threads is not None and (whole or few):
        answers = np.empty(shape, np.int32)
        if _wale.plain_matrix(queries, targets, answers, edit, bound, threads):
            pieces = [(0, answers)]
            own = targets is None
            return answers if whole else _within(pieces, bound, own) if sparse else _best(pieces, int(top or 0), 1 if edit else -1, bound, own)
    data, offsets, is_text = strings("queries", queries)
    if targets is None:
        ready = _ready("queries", (data, is_text), (data, is_text), True)
        sides = [ready.a, offsets]
    else:
        other, other_offsets, other_is_text = strings("targets", targets)
        ready = _ready("queries, targets", (data, is_text), (other, other_is_text), True)
        sides = [ready.a, offsets, ready.b, other_offsets]
    if any((_inputs.on_device(x) is None) != (ready.device is None) for x in sides[1::2]):
        raise _wale.BadArgument("offsets: expected in the memory of their data (wale.to_device)")
    shape = _count(sides[1]), _count(sides[-1])
    if top is not None or sparse:
        return _some(ready, sides, shape, (top, sparse, targets is None), (edit, bound), run)
    call = Call(run, ready.device)
    if call.on_cuda and call.device is None and call.at.stream == 0:  # one call takes arrays of the host there
        call.at, call.on_cuda = _wale.cuda_devices([call.at.device]), False
    sides = call.move(*sides)
    answers = call.empty(shape, "int32")
    packed = (sides[0], sides[1], sides[-2], sides[-1])  # one list twice: each two sequences are one pair
    remember(_wale.distance_matrix(call.at, packed, answers, edit, bound, call.variant))
    return call.back(answers, shape)


if not TYPE_CHECKING:  # short lists are answered without a step of the interpreter
    cdist = _wale.short_form(
        cdist, "(queries, targets=None, *, metric='edit_distance', cutoff=None, top=None, sparse=False, **run)"
    )
