"""Alignments of many pairs: scores, places and paths in columns."""

from __future__ import annotations

from typing import Any, Iterable, List, Optional, Tuple

import numpy as np

from . import _inputs, _wale
from ._batches import batches
from ._call import Call, Run, remember
from ._scoring import alignment_options, warn_of_scores
from ._typing import Unpack

_TASKS = {"score": "score", "distance": "ends", "ends": "ends", "locations": "starts", "path": "path"}


class PairAlignments:
    """Alignments of many pairs, a column a fact: entry k is pair k's. A column that the task does not ask for is None.

    Attributes
    ----------
    score : array of int64
        As `align_scores` gives them.
    query_begin : array of int64 or None
        Where the aligned part of the query begins, as a slice takes it; of several best alignments that of the one
        that ends first in the target, then in the query.
    query_end : array of int64 or None
        Behind its last symbol.
    target_begin : array of int64 or None
        The same of the target.
    target_end : array of int64 or None
        The same of the target.
    first_run : array of int64 or None
        Pair k has the runs from first_run[k] to first_run[k + 1], one entry more than pairs.
    runs : array of uint32 or None
        All runs as BAM has them: length * 16 + 7 for "=", 8 for "X", 1 for "I", 2 for "D".
    """

    score: np.ndarray
    query_begin: Optional[np.ndarray]
    query_end: Optional[np.ndarray]
    target_begin: Optional[np.ndarray]
    target_end: Optional[np.ndarray]
    first_run: Optional[np.ndarray]
    runs: Optional[np.ndarray]

    def __init__(self, columns: Any) -> None:
        self.score, self.query_begin, self.query_end, self.target_begin, self.target_end = columns[:5]
        self.first_run, self.runs = columns[5:]

    def __len__(self) -> int:
        return len(self.score)

    def __repr__(self) -> str:
        known = [name for name in ("query_end", "query_begin", "runs") if getattr(self, name) is not None]
        words = {"query_end": "ends", "query_begin": "starts", "runs": "paths"}
        return f"<{len(self)} alignments with {', '.join(['scores'] + [words[name] for name in known])}>"

    def cigar(self, k: int) -> str:
        """The path of a pair, such as "5=1X2D".

        Parameters
        ----------
        k : int
            The pair; a negative one counts from the end.

        Raises
        ------
        IndexError
            Where there is no pair `k`.
        ValueError
            Where the task was not "path".
        """
        first_run, runs = self._paths()
        at = k + len(self) if k < 0 else k
        if not 0 <= at < len(self):
            raise IndexError(f"k: is {k}, there are {len(self)} pairs")
        return _wale.cigars(first_run, runs, at, at + 1)[0]

    def cigars(self) -> List[str]:
        """The paths of all pairs. ValueError where the task was not "path"."""
        return _wale.cigars(*self._paths(), 0, len(self))

    @property
    def identity(self) -> np.ndarray:
        """Equal columns over all columns of each path; 1 of an empty one."""
        first_run, runs = self._paths()
        lengths = (runs >> 4).astype(np.int64)
        sums = [np.concatenate([[0], np.cumsum(x)])[first_run] for x in (lengths, lengths * (runs & 15 == 7))]
        columns, equal = (np.diff(x) for x in sums)
        return np.where(columns == 0, 1.0, equal / np.maximum(columns, 1))

    def _paths(self) -> Tuple[np.ndarray, np.ndarray]:
        """first_run and runs."""
        if self.first_run is None or self.runs is None:
            raise _wale.BadArgument("there are no paths, expected task='path'")
        return self.first_run, self.runs


def align_pairs(
    queries: Any,
    targets: Any,
    mode: str = "NW",
    task: str = "path",
    *,
    match: int = 0,
    mismatch: int = -1,
    matrix: Any = None,
    open: int = 1,
    extend: int = 1,
    ends: Optional[Iterable[str]] = None,
    **run: Unpack[Run],
) -> PairAlignments:
    """The best alignments of many pairs, with their places and paths, as `align` finds them one by one.

    Parameters
    ----------
    queries, targets : list of sequences, Arrow string column, or (data, offsets)
        As for `lcs_lengths`; pair k is sequence k of both. Device arrays are aligned on their device.
    mode : {"NW", "HW", "SHW", "local", "overlap", "semi_global"}
        As for `align`.
    task : {"score", "ends", "locations", "path"}
        What is wanted: each includes those before it. Ends, starts and ends, and the path. "distance" is "ends", as in `align`.
    match, mismatch, matrix, open, extend, ends
        As for `align`.
    where, backend, variant, threads
        As for `lcs_length`. The answer is in host memory, from CUDA too.

    Returns
    -------
    PairAlignments

    Raises
    ------
    BadArgument, TypeError
        Where sequences are not taken, such as floats, str beside bytes, or batches of different lengths.

    Examples
    --------
    >>> import wale
    >>> found = wale.align_pairs(["HEAGAWGHEE", "WW"], ["PAWHEAE", "W"], "local", matrix="blosum62", open=11)
    >>> found
    <2 alignments with scores, ends, starts, paths>
    >>> found.score.tolist(), found.cigars()
    ([17, 11], ['2=1I2=', '1='])
    >>> found.target_begin.tolist(), found.target_end.tolist()
    ([1, 0], [5, 1])
    """
    _inputs.one_of("task", task, _TASKS)
    words = {"match": match, "mismatch": mismatch, "matrix": matrix, "open": open, "extend": extend}
    warn_of_scores(mode, matrix, match)
    options = alignment_options(mode, ends, words)
    ready = batches(queries, targets, ("queries", "targets"))
    call = Call(run, ready.device)
    options.variant = call.variant
    options.task = _TASKS[task]
    query, query_offsets, target, target_offsets = call.move(*ready[:4])
    *columns, report = _wale.align_pairs(call.at, query, query_offsets, target, target_offsets, options)
    remember(report)
    return PairAlignments(columns)
