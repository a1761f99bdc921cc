"""Position-specific scores, which stand in the place of a query."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _inputs, _wale
from ._batches import strings
from ._call import remember
from ._scoring import alignment_options
from ._search import _host_call

_USUAL = {"match": 0, "mismatch": -1, "matrix": None}


class Profile:
    """Position-specific scores of a family of sequences: PSI-BLAST's PSSM. `align`, `align_scores` and `search` take
    it in the place of a query.

    Parameters
    ----------
    scores : array of integers, shape (positions, letters)
        Within +-1000000.
    letters : str
        Of the columns. Where all are upper case, lower case of the target counts as upper case; other letters count
        as "*" where there is such a column, and are refused otherwise.
    consensus : str, optional
        A letter for each position, which paths compare with the target; else that of the best score.
    scaled_as : str, optional
        The matrix whose scale the scores have, "blosum62": E-values take the parameters of that matrix.

    Examples
    --------
    >>> import wale
    >>> motif = wale.Profile([[2, -3, -3, -3], [-3, 2, 1, -3], [-3, -3, -3, 2]], "ACGT")
    >>> found = wale.align(motif, "CCAGTCC", "local", "path", open=9)
    >>> found.score, found["locations"], found["cigar"]
    (5, [(2, 4)], '1=1X1=')
    >>> wale.align_scores(motif, ["ACT", "TTT"], "local", open=9)
    array([6, 2])
    """

    def __init__(
        self, scores: Any, letters: str, consensus: Optional[str] = None, scaled_as: Optional[str] = None
    ) -> None:
        for name, text in (("letters", letters), ("consensus", consensus or ""), ("scaled_as", scaled_as or "")):
            if not isinstance(text, str):
                raise TypeError(f"{name}: is {text!r}, expected str")
            if not text.isascii():
                raise _wale.BadArgument(f"{name}: is {text!r}, expected ASCII")
        table = _inputs.exact_integers("scores", scores, np.int32)
        if table.ndim != 2 or table.shape[1] != len(letters):
            raise _wale.BadArgument(f"scores: of shape {table.shape}, expected (positions, {len(letters)})")
        self._own = _wale.ScoreProfile(letters, table.ravel().tolist(), consensus or "")
        self._own.scaled_as = scaled_as or ""

    def __reduce__(self) -> Tuple[Any, ...]:
        return Profile, (self.scores, self.letters, self.consensus, self.scaled_as)

    @classmethod
    def read(cls, path: Any) -> "Profile":
        """Of a file: what ``psiblast -out_ascii_pssm`` writes, or a line of letters and a line of scores for each
        position, which may begin with a letter, or with a number and a letter.

        Parameters
        ----------
        path : str or path
            The file. Of PSI-BLAST's 20 letters B, Z, X and * are added, with max(D, N), max(E, Q), -1 and -4.
        """
        self = cls.__new__(cls)
        self._own = _wale.ScoreProfile.read(_inputs.file_name("path", path))
        return self

    @classmethod
    def from_alignment(
        cls, rows: Sequence[str], letters: str = "ACGT", *, background: Any = None, pseudocount: float = 1.0,
        per_bit: float = 2.0,
    ) -> "Profile":  # fmt: skip
        """Log-odds of sequences that are aligned with each other: round(per_bit * log2(q / p)), where q is (count +
        pseudocount * p) / (rows + pseudocount).

        Parameters
        ----------
        rows : list of str
            Of one length. Lower case counts as upper case where `letters` are upper case. Other letters, such as gaps, are
            not counted.
        letters : str
            Of the columns.
        background : array, optional
            Frequencies p of the letters; else all the same.
        pseudocount : float
            How many rows the background counts as.
        per_bit : float
            Units of a score in a bit.

        Examples
        --------
        >>> import wale
        >>> wale.Profile.from_alignment(["ACT", "ACT", "AGT"]).scores
        array([[ 3, -4, -4, -4],
               [-4,  2,  1, -4],
               [-4, -4, -4,  3]], dtype=int32)
        """
        if not _inputs.text("letters", letters):
            raise _wale.BadArgument("letters: is empty, expected one or more")
        pseudocount, per_bit = _inputs.real("pseudocount", pseudocount), _inputs.real("per_bit", per_bit)
        if isinstance(rows, str) or not all(isinstance(row, str) for row in rows):
            raise TypeError(f"rows: is {_inputs.shown(rows)}, expected a list of str")
        if len({len(row) for row in rows}) != 1:
            raise _wale.BadArgument("rows: expected one or more of one length")
        if not 0 < per_bit < np.inf:
            raise _wale.BadArgument(f"per_bit: is {per_bit}, expected a number above 0")
        p = np.full(len(letters), 1 / max(len(letters), 1)) if background is None else np.asarray(background, float)
        if p.shape != (len(letters),) or not (p > 0).all() or not 0 < pseudocount < np.inf:
            raise _wale.BadArgument(f"background, pseudocount: expected {len(letters)} and 1 numbers above 0")
        p = p / p.sum()
        if letters == letters.upper():  # lower case counts as upper case, as in searches
            rows = [row.upper() for row in rows]
        table = np.array([list(row) for row in rows]).reshape(len(rows), -1)
        counts = np.stack([(table == letter).sum(0) for letter in letters], 1)
        odds = (counts + pseudocount * p) / (counts.sum(1, keepdims=True) + pseudocount) / p
        return cls(np.rint(per_bit * np.log2(odds)).astype(np.int32), letters)

    @property
    def scores(self) -> np.ndarray:
        """(positions, letters), a copy."""
        return np.array(self._own.scores, np.int32).reshape(-1, len(self.letters))

    @property
    def letters(self) -> str:
        """Of the columns."""
        return str(self._own.letters)

    @property
    def consensus(self) -> str:
        """A letter for each position."""
        return str(self._own.consensus)

    @property
    def scaled_as(self) -> Optional[str]:
        """The matrix whose scale the scores have."""
        return self._own.scaled_as or None

    def __len__(self) -> int:
        return len(self._own.consensus)

    def __repr__(self) -> str:
        return f"<wale.Profile of {len(self)} positions x {len(self.letters)} letters>"


def _bytes(name: str, target: Any) -> np.ndarray:
    ready = _inputs.pair(target, target)
    if ready.device is not None:
        raise _wale.BadArgument(f"{name}: is in device memory, expected host memory")
    return np.ascontiguousarray(ready.a)


def _own_scores(words: Mapping[str, Any]) -> None:
    for name, usual in _USUAL.items():
        if words[name] is not usual and words[name] != usual:
            raise _wale.BadArgument(f"{name}: is {words[name]!r}, expected none beside a profile")


def aligned(profile: Profile, target: Any, words: Dict[str, Any], run: Any) -> Tuple[Dict[str, Any], Any, Any]:
    """What `align` answers of a profile."""
    _own_scores(words)
    if _inputs.whole("k", words["k"], 64) >= 0:
        raise _wale.BadArgument("k: bounds a distance, and a profile has none")
    task = words["task"]
    options = alignment_options(words["mode"], words["ends"], words)
    options.band, options.x_drop = (_inputs.whole(name, words[name], 64) for name in ("band", "x_drop"))
    options.task = task
    call = _host_call("align of profiles", run)
    options.variant = call.variant
    codes = _bytes("target", target)
    found = _wale.align_profile(call.at, profile._own, codes, options)
    remember(found.report)
    begin = found.target_begin if found.target_begin >= 0 else None
    locations: List[Tuple[Optional[int], int]] = [] if task == "score" else [(begin, found.target_end - 1)]
    keys = {
        "editDistance": None,
        "alphabetLength": len(profile.letters),
        "locations": locations,
        "cigar": found.cigar if task == "path" else None,
    }
    return keys, found, (found.query_begin, found.target_begin)


def profile_scores(profile: Profile, targets: Any, words: Dict[str, Any], run: Any) -> Any:
    """What `align_scores` answers of a profile."""
    _own_scores(words)
    options = alignment_options(words["mode"], words["ends"], words)
    data, offsets, _ = strings("targets", targets)
    call = _host_call("align of profiles", run)
    options.variant = call.variant
    codes = _bytes("targets", data)
    scores = np.empty(len(offsets) - 1, np.int64)
    remember(_wale.profile_scores(call.at, profile._own, codes, offsets, scores, options))
    return scores
