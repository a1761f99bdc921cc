"""Which records of a database resemble a sequence."""

from __future__ import annotations

import functools
import os
from typing import Any, List, NamedTuple, Optional, Tuple

from . import _inputs, _wale
from ._batches import strings
from ._call import Call, Run, remember, short_threads
from ._profile import Profile
from ._scoring import NAMED, matrix_of
from ._search import _host_call, _ready
from ._typing import Unpack


class Hit(NamedTuple):
    """A record that resembles a query.

    ``target`` is the record's number from 0, ``name`` its name in a file. ``evalue`` and ``bits`` are NaN where no
    parameters are published for the matrix and the costs. ``query`` and ``place``: the aligned parts of the query and of
    the record, as slices take them; ``(-1, -1)``, and an empty ``cigar``, without the path.
    """

    target: int
    name: str
    score: int
    evalue: float
    bits: float
    query: Tuple[int, int]
    place: Tuple[int, int]
    cigar: str
    identity: Optional[float]


def _hit(found: Any, path: bool) -> Hit:
    return Hit(
        found.target, found.name, found.score, found.evalue, found.bits, found.query, found.place,
        found.cigar if path else "", found.identity if path else None,
    )  # fmt: skip


@functools.lru_cache(maxsize=64, typed=True)
def _options_of(
    matrix: Any, match: int, mismatch: int, open: int, extend: int, top: int, evalue: float, path: bool
) -> _wale.SearchOptions:
    """All threads read the same options."""
    options = _wale.SearchOptions()
    options.matrix = matrix_of(None if match or mismatch else matrix, match, mismatch)
    options.open, options.extend = open, extend
    options.top, options.evalue, options.path = top, evalue, path
    return options


def _plain(queries: Any, database: Any, words: Tuple[Any, ...], run: Run) -> Optional[List[List[Hit]]]:
    """Two lists of texts, scored by a named matrix; None for what needs a closer look."""
    threads = short_threads(run) if run else 0
    matrix, match, mismatch, open, extend, top, evalue, path = words
    whole = type(match) is type(mismatch) is type(open) is type(extend) is type(top) is int
    if threads is None or not whole or type(evalue) not in (int, float) or type(path) is not bool:
        return None
    if type(matrix) is not str or matrix.lower() not in NAMED or max(map(abs, (match, mismatch, open, extend, top))) >= 1 << 31:
        return None
    if not queries or not database:
        return None
    options = _options_of(matrix, match, mismatch, open, extend, top, float(evalue), path)
    found = _wale.plain_search(queries, database, options, threads)
    return None if found is None else [[Hit(*hit) for hit in of_one] for of_one in found]


def search(
    queries: Any, database: Any, *, matrix: Any = "blosum62", match: int = 0, mismatch: int = 0, open: int = 12,
    extend: int = 1, top: int = 10, evalue: float = 10.0, path: bool = True,
    verify: bool = False, **run: Unpack[Run],
) -> List[List[Hit]]:  # fmt: skip
    """The records of a database that resemble each query most: Smith and Waterman's alignment with every record.

    Exact, without an index and without heuristics.

    Parameters
    ----------
    queries : list of sequences, Arrow string column, (data, offsets), `Profile`, or list of profiles
        As for `cdist`: str or bytes. Profiles have scores of their own, and E-values where `Profile.scaled_as` says
        of which matrix.
    database : path, or as `queries`
        A str or a path names a FASTA or FASTQ file, plain or gzip, which is read block by block and may be larger than
        the memory.
    matrix : str, path, or (letters, scores)
        As for `align`.
    match, mismatch : int
        Instead of a matrix: scores of equal and unequal symbols.
    open, extend : int
        A gap of n symbols costs open + (n - 1) * extend; NCBI calls the default costs 11 and 1.
    top : int
        Records kept of each query, at most.
    evalue : float
        Records with larger E-values are left out, where E-values are known.
    path : bool
        Find the places and the operations of each hit too.
    verify : bool
        Score the path of each hit again, and by the reference whether it is the best, up to 10^9 cells.
        `wale.Error` where one differs. Not with profiles.
    where, backend, variant, threads
        As for `lcs_length`. On CUDA, or on `wale.cuda([0, 1])`, blocks of records are scored; not of profiles.

    Returns
    -------
    list of list of Hit
        Of each query, by descending score, then by the record's number.

    Raises
    ------
    BadArgument, TypeError, CannotOpen, BadInput
        Where an argument is not taken, or the database cannot be read or is no FASTA or FASTQ.

    Examples
    --------
    >>> import wale
    >>> records = ["MKTAYIAKQRQISFVKSHFSRQ", "GGGGG", "MKTAYIAKQR"]
    >>> for hit in wale.search(["MKTAYIGKQRQISF"], records, top=2)[0]:
    ...     print(hit.target, hit.score, hit.query, hit.place, hit.cigar)
    0 64 (0, 14) (0, 14) 6=1X7=
    2 45 (0, 10) (0, 10) 6=1X3=
    """
    if type(queries) is type(database) is list and verify is False:
        plain = _plain(queries, database, (matrix, match, mismatch, open, extend, top, evalue, path), run)
        if plain is not None:
            return plain
    options = _wale.SearchOptions()
    match, mismatch = _inputs.whole("match", match), _inputs.whole("mismatch", mismatch)
    options.matrix = matrix_of(None if match or mismatch else matrix, match, mismatch)
    options.open, options.extend = _inputs.whole("open", open, 64), _inputs.whole("extend", extend, 64)
    options.top, options.evalue, options.path = _inputs.whole("top", top, 64), _inputs.real("evalue", evalue), _inputs.truth("path", path)
    verify = _inputs.truth("verify", verify)
    options.path = options.path or verify
    call = Call(run, None)
    options.variant = call.variant
    in_file = isinstance(database, (str, os.PathLike))
    file = _inputs.file_name("database", database) if in_file else ""
    profiles = [queries] if isinstance(queries, Profile) else queries
    records: Optional[Tuple[Any, Any]] = None
    if isinstance(profiles, (list, tuple)) and len(profiles) > 0 and isinstance(profiles[0], Profile):
        if not all(isinstance(one, Profile) for one in profiles) or match or mismatch or verify:
            raise _wale.BadArgument("queries: expected profiles alone, and no match, no mismatch, no verify")
        _host_call("search of profiles", run)
        if not in_file:
            other, other_offsets, other_is_text = strings("database", database)
            records = (_ready("database", (other, other_is_text), (other, other_is_text)).a, other_offsets)
        own = [one._own for one in profiles]
        _, _, hits, report = _wale.search_profiles(call.at, own, records, file, options)
    else:
        data, offsets, is_text = strings("queries", queries)
        if in_file:
            ready = _ready("queries", (data, is_text), (data, is_text))
        else:
            other, other_offsets, other_is_text = strings("database", database)
            ready = _ready("queries, database", (data, is_text), (other, other_is_text))
            records = (ready.b, other_offsets)
        _, _, hits, report = _wale.search_records(call.at, (ready.a, offsets), records, file, options, verify)
    remember(report)
    return [[_hit(hit, bool(path)) for hit in of_one] for of_one in hits]
