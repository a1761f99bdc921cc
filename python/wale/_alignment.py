"""Alignment: edlib's arguments and answers, and scores as parasail words them."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Tuple

import numpy as np

from . import _inputs, _wale
from ._answers import Alignment as Alignment
from ._batches import batches
from ._call import Call, Run, remember, short_threads
from ._profile import Profile, aligned, profile_scores
from ._scoring import MODES, NAMED, alignment_options, warn_of_scores
from ._typing import Unpack
from ._search import as_edlib
from ._verification import check_alignment
from ._wavefront import edit_distance

_UNIT_MODES = {"NW": "global", "global": "global", "HW": "infix", "infix": "infix", "SHW": "prefix", "prefix": "prefix", "nw": "global"}
_TASKS = {"score": "score", "distance": "ends", "ends": "ends", "locations": "starts", "path": "path"}


def _plain(query: Any, target: Any, mode: str, task: str, k: int, threads: int) -> Optional[Alignment]:
    """Two texts, or two bytes, by unit costs; None for what needs a closer look."""
    found = _wale.plain_align(query, target, mode, _TASKS[task], k, threads)
    if found is None:
        return None
    distance, alphabet, locations, cigar, identity = found
    path = cigar if task == "path" and locations else None
    answer = Alignment({"editDistance": distance, "alphabetLength": alphabet, "locations": locations, "cigar": path})
    answer._texts = (query, target)
    if locations:
        answer._facts = (distance, locations[0], identity)
    elif mode != "global":
        answer._facts = (max(k, 0) + 1, None, None)
    elif _TASKS[task] == "ends":
        answer._facts = (-k - 1, -1, len(query), -1, len(target), None, False)
    else:  # the distance whatever the bound: found when it is asked for
        answer._facts = ()
    return answer


@functools.lru_cache(maxsize=64, typed=True)
def _options_of(mode: str, task: str, match: int, mismatch: int, matrix: Optional[str], open: int, extend: int) -> Any:
    """All threads read the same options; None for what needs a closer look."""
    named = matrix is None or (type(matrix) is str and matrix.lower() in NAMED)
    if not named or not type(match) is type(mismatch) is type(open) is type(extend) is int:
        return None
    words = {"match": match, "mismatch": mismatch, "matrix": matrix, "open": open, "extend": extend}
    options = alignment_options(mode, None, words)
    options.task = _TASKS[task]
    return options


def _answer(keys: Mapping[str, Any], found: Any, texts: Tuple[Any, Any], begins: Tuple[int, int]) -> Alignment:
    answer = Alignment(keys)
    identity = None if keys["cigar"] is None else found.identity
    answer._facts = (found.score, begins[0], found.query_end, begins[1], found.target_end, identity, found.heuristic)
    answer._texts = texts
    return answer


def align(
    query: Any,
    target: Any,
    mode: str = "NW",
    task: str = "distance",
    k: int = -1,
    *,
    match: int = 0,
    mismatch: int = -1,
    matrix: Any = None,
    open: int = 1,
    extend: int = 1,
    ends: Optional[Iterable[str]] = None,
    band: int = -1,
    x_drop: int = -1,
    verify: bool = False,
    **run: Unpack[Run],
) -> Alignment:
    """The best alignment: edit distance with edlib's arguments and answer, or any scores.

    Parameters
    ----------
    query, target : str, bytes, integer array, or sequence of hashable objects
        In host memory. With `matrix` str or bytes. The query may be a `Profile`, which has scores of its own.
    mode : {"NW", "HW", "SHW", "local", "overlap", "semi_global"}
        edlib's: "NW" or "global", both whole; "HW" or "infix", the query somewhere in the target; "SHW" or
        "prefix", the query at the target's beginning. "local": the best parts of both. "overlap": no end gap
        counts. "semi_global": those of `ends` do not. parasail's "nw", "sg" and "sw" are global, overlap and local.
    task : {"distance", "locations", "path"}
        Where alignments end; where they start, too; and the path of the first one.
    k : int
        Distances above it are not wanted: ``editDistance`` is then -1. Negative: no limit. Of unit costs only.
    match, mismatch : int
        Scores of equal and unequal symbols.
    matrix : str, path, or (letters, scores)
        Instead of both: "blosum62" (30 to 100; "pam10" to 500; "nuc44" for IUPAC's nucleotides), a
        matrix file of NCBI, one of Biopython or parasail, or letters and a square table, row: letter of the query. Other bytes count as
        "*" where the matrix has it.
    open, extend : int
        A gap of n symbols costs open + (n - 1) * extend, at most n * open. The costs of 1 are those of the edit
        distance: with a matrix give those that suit it, such as 12 and 1 with "blosum62", as `search` has.
    ends : iterable of {"query_begin", "query_end", "target_begin", "target_end"}
        Where gaps cost nothing, of mode "semi_global".
    band : int
        Heuristic: only cells at most so many diagonals beyond those of the two corners. Negative: all.
    x_drop : int
        Heuristic: the alignment ends at the best cell of all, and cells that are more than this below the best
        one of the rows above are left out. Negative: none. Not with mode "local".
    verify : bool
        Ask another row on the host for the score (not of heuristics), and score the path again: about as long as
        the answer takes. `wale.Error` where one differs. Not with a profile.
    where, backend, variant, threads
        As for `lcs_length`.

    Returns
    -------
    Alignment
        A dict: ``editDistance`` (None unless costs are 1, matches 0), ``alphabetLength``, ``locations`` (pairs of
        inclusive positions in the target), ``cigar`` (of =, X, I, D; None without a path), as edlib gives them.
        Attributes: ``score``, ``query_begin``, ``query_end``, ``target_begin``, ``target_end``, ``identity``,
        ``heuristic``.

    Raises
    ------
    BadArgument, TypeError
        Where sequences are not taken, such as floats, or str beside bytes.

    Examples
    --------
    >>> import wale
    >>> wale.align("telephone", "elephant")
    {'editDistance': 3, 'alphabetLength': 8, 'locations': [(None, 7)], 'cigar': None}
    >>> wale.align("ACTG", "CACTRT", mode="HW", task="path")
    {'editDistance': 1, 'alphabetLength': 5, 'locations': [(1, 3), (1, 4)], 'cigar': '3=1I'}
    >>> found = wale.align("HEAGAWGHEE", "PAWHEAE", "local", "path", matrix="blosum62", open=11)
    >>> found.score, found["cigar"]
    (17, '2=1I2=')
    >>> print(found)
    AWGHE
    || ||
    AW-HE
    """
    if verify is not False and _inputs.truth("verify", verify):
        if isinstance(query, Profile):
            raise _wale.BadArgument("verify: the query is a profile, expected a sequence")
        checked: Dict[str, Any] = {"mode": mode, "ends": ends, "x_drop": x_drop, "match": match, "mismatch": mismatch}
        checked.update(matrix=matrix, open=open, extend=extend)
        found = align(query, target, task=task, k=k, band=band, **checked, **run)
        check_alignment(found, (query, target), {**checked, "k": k})
        return found
    _inputs.one_of("task", task, _TASKS)
    _inputs.one_of("mode", mode, MODES)
    unit = matrix is None and (match, mismatch, open, extend) == (0, -1, 1, 1)
    if not isinstance(query, Profile):
        warn_of_scores(mode, matrix, match)
    threads = short_threads(run) if run else 0
    short = ends is None and (band, x_drop) == (-1, -1) and type(query) is type(target) in (str, bytes)
    if threads is None or not short:
        pass
    elif unit and mode in _UNIT_MODES and task != "score":
        good = type(k) is int and abs(k) < 1 << 62
        plain = _plain(query, target, _UNIT_MODES[mode], task, k, threads) if good else None
        if plain is not None:
            return plain
    elif not unit and k == -1 and type(matrix) in (str, type(None)) and query.isascii() and target.isascii():
        options = _options_of(mode, task, match, mismatch, matrix, open, extend)
        scored: Any = None if options is None else _wale.plain_scored(Alignment, query, target, options, threads)
        if scored is not None:
            return scored
    query, target = _inputs.as_text(query), _inputs.as_text(target)
    words = {"match": match, "mismatch": mismatch, "matrix": matrix, "open": open, "extend": extend}
    if isinstance(query, Profile):
        words.update(mode=mode, ends=ends, band=band, x_drop=x_drop, task=_TASKS[task], k=k)
        keys, found, begins = aligned(query, target, words, run)
        return _answer(keys, found, (query.consensus, target), begins)
    options = alignment_options(mode, ends, words)
    options.band = _inputs.whole("band", band, 64)
    options.x_drop = _inputs.whole("x_drop", x_drop, 64)
    heuristic = options.band >= 0 or options.x_drop >= 0
    k = _inputs.whole("k", k, 64)
    if k >= 0 and not unit:
        raise _wale.BadArgument("k: bounds a distance, expected match=0, mismatch=-1, open=1, extend=1")
    ready = _inputs.pair(query, target, ("query", "target"))
    if ready.device is not None:
        raise _wale.BadArgument("query, target: are in device memory; wale.edit_distance takes device arrays")
    call = Call(run, None)
    options.variant = call.variant
    kind = {"global": "NW", "infix": "HW", "prefix": "SHW", "nw": "NW"}.get(mode, mode) if unit else ""
    # operations for unit costs, which have variants of their own
    own = call.variant == "automatic" and not call.on_cuda and not heuristic
    if own and kind == "NW" and _TASKS[task] == "ends":
        found, keys, begins = _distance(ready.a, ready.b, call, k)
    elif own and kind in ("HW", "SHW") and task != "score":
        found, keys, begins = _nearest_part(call, ready, kind, _TASKS[task], k)
    else:
        found, keys, begins = _scored(ready.a, ready.b, options, call, _TASKS[task])
        if kind in ("HW", "SHW") and not heuristic and task != "score" and min(ready.sizes) > 0:
            found, begins = _all_ends(ready, options, call, kind, found, keys)
        if 0 <= k < -found.score:
            keys.update(editDistance=-1, locations=[], cigar=None)
    keys["editDistance"] = keys["editDistance"] if unit else None
    keys["alphabetLength"] = len(np.unique(np.concatenate([ready.a, ready.b])))
    ordered = {name: keys[name] for name in ("editDistance", "alphabetLength", "locations", "cigar")}
    return _answer(ordered, found, (query, target), begins)


def _asked(a: np.ndarray, b: np.ndarray, options: Any, call: Call, task: str) -> Any:
    options.task = task
    query, target = call.move(np.ascontiguousarray(a), np.ascontiguousarray(b))
    found = _wale.align(call.at, query, target, options)
    remember(found.report)
    return found


def _scored(a: np.ndarray, b: np.ndarray, options: Any, call: Call, task: str) -> Tuple[Any, Dict[str, Any], Any]:
    found = _asked(a, b, options, call, task)
    begin = found.target_begin if found.target_begin >= 0 else None
    locations: List[Tuple[Optional[int], int]] = [] if task == "score" else [(begin, found.target_end - 1)]
    cigar = found.cigar if task == "path" else None
    keys = {"editDistance": -found.score, "locations": locations, "cigar": cigar}
    return found, keys, (found.query_begin, found.target_begin)


def _all_ends(
    ready: _inputs.Pair, options: Any, call: Call, kind: str, found: Any, keys: Dict[str, Any]
) -> Tuple[Any, Tuple[int, int]]:
    """Sets all best ends, each with the longest part that ends there, as edlib has them, and the path of the first."""
    ends = [end for _, end in found.best_ends]
    if found.target_begin < 0 or kind == "SHW":
        keys["locations"] = [(None if found.target_begin < 0 else 0, end - 1) for end in ends]
        return found, (found.query_begin, found.target_begin)
    report = found.report
    free, options.ends = options.ends, _wale.FreeEnds()
    options.ends.target_end = True
    lengths = []
    for end in ends:  # backwards a part begins where the query does, and may end anywhere
        back = _asked(ready.a[::-1], ready.b[:end][::-1], options, call, "ends")
        lengths.append(max(size for _, size in back.best_ends))
    keys["locations"] = [(end - size, end - 1) for end, size in zip(ends, lengths)]
    begin = ends[0] - lengths[0]
    if keys["cigar"] is not None and begin != found.target_begin:
        options.ends = _wale.FreeEnds()
        path = _asked(ready.a, ready.b[begin : ends[0]], options, call, "path")
        keys["cigar"] = path.cigar
        found = _Distance(-found.score, found.query_end, found.target_end, path.identity)
    options.ends = free
    remember(report)
    return found, (0, begin)


class _Distance:
    """What a result has, where a distance is known otherwise."""

    heuristic = False

    def __init__(self, distance: int, query_end: int, target_end: int, identity: Optional[float] = None) -> None:
        self.score, self.query_end, self.target_end, self.identity = -distance, query_end, target_end, identity


def _distance(a: np.ndarray, b: np.ndarray, call: Call, k: int) -> Tuple[Any, Dict[str, Any], Tuple[int, int]]:
    distance = edit_distance(a, b, bound=k if k >= 0 else None, where=call.at)
    within = k < 0 or distance <= k
    keys = {"editDistance": distance if within else -1, "locations": [(None, len(b) - 1)] if within else [], "cigar": None}
    return _Distance(distance, len(a), len(b)), keys, (-1, -1)


def _nearest_part(
    call: Call, ready: _inputs.Pair, kind: str, task: str, k: int
) -> Tuple[Any, Dict[str, Any], Tuple[int, int]]:
    keys = as_edlib(call, ready, kind, {"ends": "distance", "starts": "locations"}.get(task, task), k)
    if not keys["locations"]:
        return _Distance(max(k, 0) + 1, -1, -1), keys, (-1, -1)
    begin, last = keys["locations"][0]
    columns = {mark: 0 for mark in "=XID"}
    for count, mark in re.findall(r"(\d+)([=XID])", keys["cigar"] or ""):
        columns[mark] += int(count)
    identity = columns["="] / sum(columns.values()) if keys["cigar"] else None
    found = _Distance(keys["editDistance"], len(ready.a), last + 1, identity)
    return found, keys, (-1, -1) if begin is None else (0, begin)


if not TYPE_CHECKING:  # short texts by unit costs are answered without a step of the interpreter
    _wale.keep_alignment(Alignment)
    align = _wale.short_form(
        align,
        "(query, target, mode='NW', task='distance', k=-1, *, match=0, mismatch=-1, matrix=None, open=1, extend=1, "
        "ends=None, band=-1, x_drop=-1, verify=False, **run)",
    )


def align_scores(
    queries: Any,
    targets: Any,
    mode: str = "NW",
    *,
    match: int = 0,
    mismatch: int = -1,
    matrix: Any = None,
    open: int = 1,
    extend: int = 1,
    ends: Optional[Iterable[str]] = None,
    **run: Unpack[Run],
) -> Any:
    """Scores of the best alignments of many pairs, as `align` gives them one by one.

    Parameters
    ----------
    queries, targets : list of sequences, Arrow string column, or (data, offsets)
        As for `lcs_lengths`; pair k is sequence k of both. Instead of queries one `Profile`, for all targets.
    mode, match, mismatch, matrix, open, extend, ends
        As for `align`.
    where, backend, variant, threads
        As for `lcs_length`.

    Returns
    -------
    array of int64
        NumPy for host inputs; for device inputs an array on their device, of their library.

    Raises
    ------
    BadArgument, TypeError
        Where sequences are not taken, such as floats, str beside bytes, or batches of different lengths.

    Examples
    --------
    >>> import wale
    >>> wale.align_scores(["HEAGAWGHEE", "WW"], ["PAWHEAE", "W"], "local", matrix="blosum62", open=11)
    array([17, 11])
    """
    words = {"match": match, "mismatch": mismatch, "matrix": matrix, "open": open, "extend": extend}
    if isinstance(queries, Profile):
        return profile_scores(queries, targets, {"mode": mode, "ends": ends, **words}, run)
    warn_of_scores(mode, matrix, match)
    threads = short_threads(run) if run else 0
    if threads is not None and ends is None and type(queries) is type(targets) is list and len(queries) == len(targets):
        chosen = None
        if type(matrix) in (str, type(None)):
            chosen = _options_of(mode, "score", match, mismatch, matrix, open, extend)
        if chosen is not None:
            found = np.empty(len(queries), np.int64)
            if _wale.plain_scores(queries, targets, found, chosen, threads):
                return found
    options = alignment_options(mode, ends, words)
    ready = batches(queries, targets, ("queries", "targets"))
    call = Call(run, ready.device)
    options.variant = call.variant
    scores = call.empty((ready.pairs,), "int64")
    remember(_wale.align_scores(call.at, _wale.Pairs(*call.move(*ready[:4])), scores, options))
    return call.back(scores, (ready.pairs,))
