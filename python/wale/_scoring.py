"""Scores and modes of alignments, as the library takes them."""

from __future__ import annotations

import os
import warnings
from typing import Any, Dict, Iterable, Mapping, Optional, Tuple

import numpy as np

from . import _inputs, _wale

_ENDS = ("query_begin", "query_end", "target_begin", "target_end")
MODES: Dict[str, Tuple[str, Tuple[str, ...]]] = {
    "NW": ("global", ()),
    "HW": ("semi_global", ("target_begin", "target_end")),
    "SHW": ("semi_global", ("target_end",)),
    "global": ("global", ()),
    "infix": ("semi_global", ("target_begin", "target_end")),
    "prefix": ("semi_global", ("target_end",)),
    "overlap": ("semi_global", _ENDS),
    "semi_global": ("semi_global", ()),
    "local": ("local", ()),
    "nw": ("global", ()),  # parasail's names
    "sg": ("semi_global", _ENDS),
    "sw": ("local", ()),
}


NAMED = frozenset(_wale.SubstitutionMatrix.names())


def _of_parasail(matrix: Any) -> Tuple[str, np.ndarray]:
    """The letters of a matrix of parasail, which numbers each byte by a row; the last row is that of all other letters."""
    rows, scores = np.asarray(matrix.mapper)[:128], np.asarray(matrix.matrix)
    firsts = [np.flatnonzero(rows == row) for row in range(len(scores) - 1)]
    if not all(first.size for first in firsts):
        raise _wale.BadArgument("matrix: of parasail, has rows that no letter has, expected a row a letter")
    return "".join(chr(first[0]) for first in firsts) + "*", scores


def matrix_of(matrix: Any, match: Any, mismatch: Any) -> Any:
    if matrix is None:
        return _wale.SubstitutionMatrix(_inputs.whole("match", match), _inputs.whole("mismatch", mismatch))
    if isinstance(matrix, (str, os.PathLike)):
        name = _inputs.file_name("matrix", matrix)
        if name.lower() in NAMED:
            return _wale.SubstitutionMatrix.named(name)
        # A bare word without a file of this name is a misspelt matrix; a path is a missing file.
        if isinstance(matrix, str) and name.replace("_", "").isalnum() and not os.path.exists(name):
            raise _wale.BadArgument(f"matrix: is {name!r}, expected a file or one of {', '.join(_wale.SubstitutionMatrix.names())}")
        return _wale.SubstitutionMatrix.read(name)
    if isinstance(getattr(matrix, "alphabet", None), str) and np.ndim(matrix) == 2:  # of Biopython
        matrix = matrix.alphabet, np.asarray(matrix)
    if hasattr(matrix, "mapper") and hasattr(matrix, "matrix"):
        matrix = _of_parasail(matrix)
    if not isinstance(matrix, (tuple, list)) or len(matrix) != 2 or not isinstance(matrix[0], (str, bytes)):
        raise TypeError(f"matrix: is {_inputs.described(matrix)}, expected a name, a file, or (letters, square table)")
    letters, table = matrix
    scores = _inputs.exact_integers("matrix", table, np.int32)
    if scores.shape != (len(letters), len(letters)):
        raise _wale.BadArgument(f"matrix: scores of shape {scores.shape}, expected {(len(letters),) * 2}")
    return _wale.SubstitutionMatrix(letters, scores.ravel().tolist())


def warn_of_scores(mode: Any, matrix: Any, match: Any) -> None:
    """Called by a function that a user calls: says where the best part of any two sequences is empty."""
    if mode in ("local", "overlap") and matrix is None and match == 0:
        warnings.warn(
            f"mode {mode!r} with match=0: nothing scores above 0, so that the best part is empty; expected match= or matrix=",
            stacklevel=3,
        )


def alignment_options(mode: str, ends: Optional[Iterable[str]], words: Mapping[str, Any]) -> Any:
    _inputs.one_of("mode", mode, MODES)
    kind, free = MODES[mode]
    if ends is not None:
        if mode != "semi_global":
            raise _wale.BadArgument(f"ends: expected mode 'semi_global', the mode is {mode!r}")
        free = tuple(ends)
    options = _wale.AlignmentOptions()
    options.mode = kind
    chosen = _wale.FreeEnds()
    for end in free:
        if end not in _ENDS:
            raise _wale.BadArgument(f"ends: is {end!r}, expected {', '.join(_ENDS)}")
        setattr(chosen, end, True)
    options.ends = chosen
    options.matrix = matrix_of(words["matrix"], words["match"], words["mismatch"])
    options.open = _inputs.whole("open", words["open"], 64)
    options.extend = _inputs.whole("extend", words["extend"], 64)
    return options
