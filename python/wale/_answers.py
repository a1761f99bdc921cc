"""What align() answers: edlib's dict with attributes."""

from __future__ import annotations

import re
from typing import Any, Dict, Optional, Tuple

from . import _inputs, _wale


def _is_text(value: Any) -> bool:
    return isinstance(value, (str, bytes, bytearray))


def _letters(value: Any) -> str:
    if not _is_text(value):
        raise _wale.BadArgument("view: the sequences are no text")
    return value if isinstance(value, str) else bytes(value).decode("latin-1")


class Alignment(Dict[str, Any]):
    """edlib's dict, and as attributes what it has no keys for. ``print`` shows the alignment of a path.

    Attributes
    ----------
    score : int
        Of unit costs minus ``editDistance``.
    query_begin : int
        Where the aligned part of the query begins, as a slice takes it; -1 where the task did not ask, and so below.
    query_end : int
        Behind its last symbol.
    target_begin : int
        The same of the target.
    target_end : int
        The same of the target.
    identity : float or None
        Equal columns over all columns; None without a path.
    heuristic : bool
        Whether `band` or `x_drop` may have left a better alignment out.

    Examples
    --------
    >>> import wale
    >>> found = wale.align("ACTG", "CACTRT", "HW", "path")
    >>> found["cigar"], found.score, found.target_begin, found.target_end
    ('3=1I', -1, 1, 4)
    """

    __slots__ = ("_facts", "_texts")

    #: (score, query_begin, query_end, target_begin, target_end, identity, heuristic); of short calls (minus the score, the
    #: first location, identity), of which the others are made when they are asked for; none of whole texts beyond a bound.
    _facts: Tuple[Any, ...]
    _texts: Tuple[Any, Any]

    def _fact(self, place: int) -> Any:
        if len(self._facts) == 0:
            distance = _wale.plain_edit_distance(*self._texts, None)
            assert distance is not None  # texts that align() took
            self._facts = (-distance, 0, len(self._texts[0]), 0, len(self._texts[1]), None, False)
        elif len(self._facts) == 3:
            cost, first, identity = self._facts
            known = first is not None and first[0] is not None
            begins = (0, first[0]) if known else (-1, -1)
            ends = (-1, -1) if first is None else (len(self._texts[0]), first[1] + 1)
            self._facts = (-cost, begins[0], ends[0], begins[1], ends[1], identity, False)
        return self._facts[place]

    @property
    def score(self) -> int:
        return int(self._fact(0))

    @property
    def query_begin(self) -> int:
        return int(self._fact(1))

    @property
    def query_end(self) -> int:
        return int(self._fact(2))

    @property
    def target_begin(self) -> int:
        return int(self._fact(3))

    @property
    def target_end(self) -> int:
        return int(self._fact(4))

    @property
    def identity(self) -> Optional[float]:
        return self._fact(5)

    @property
    def heuristic(self) -> bool:
        return bool(self._fact(6))

    def view(self, width: int = 60) -> str:
        """The path in lines: query, ``|`` or ``.``, target. ValueError without a path or text.

        Parameters
        ----------
        width : int
            Columns of a line.
        """
        if _inputs.whole("width", width) < 1:
            raise _wale.BadArgument(f"width: is {width}, expected 1 or more")
        if self["cigar"] is None:
            raise _wale.BadArgument("view: there is no path, expected task='path'")
        letters = [_letters(text) for text in self._texts]
        i, j = self.query_begin, self.target_begin
        upper, middle, lower = [], [], []
        for count, operation in re.findall(r"(\d+)([=XID])", self["cigar"]):
            size = int(count)
            upper.append("-" * size if operation == "D" else letters[0][i : i + size])
            lower.append("-" * size if operation == "I" else letters[1][j : j + size])
            middle.append({"=": "|", "X": "."}.get(operation, " ") * size)
            i += size * (operation != "D")
            j += size * (operation != "I")
        lines = ["".join(part) for part in (upper, middle, lower)]
        blocks = ["\n".join(line[at : at + width] for line in lines) for at in range(0, len(lines[0]), width)]
        return "\n\n".join(blocks)

    def __str__(self) -> str:
        return self.view() if self["cigar"] is not None and all(map(_is_text, self._texts)) else dict.__repr__(self)
