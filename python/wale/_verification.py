"""Second opinions on answers: paths are scored again, scores and distances asked of another row."""

from __future__ import annotations

import re
from typing import Any, Callable, Mapping, Tuple

from . import _inputs, _wale
from ._call import last_report, remember
from ._scoring import alignment_options

CELLS = 1e9  # that the plain loops of one call may take
_FEW = 1 << 16


def _second(operation: str, ran: str, cells: float, ask: Callable[[Any, str], Any]) -> Any:
    """ask(where, row) by the first row of the host that did not run and does not refuse."""
    rows = [row.name for row in _wale.variants("wavefront") if row.operation == operation]
    hosts = [name for name in rows if name.startswith("cpu/")]
    plain = [name for name in rows if name.startswith("reference/")]
    for name in plain + hosts if cells <= _FEW else hosts + plain:
        if name not in ran.split("+"):
            try:
                return ask(_wale.reference() if name in plain else _wale.cpu(0), name)
            except _wale.UnsupportedVariant:
                continue
    return ask(_wale.reference(), plain[0])


def check_alignment(found: Any, texts: Tuple[Any, Any], words: Mapping[str, Any]) -> None:
    """Throws unless another row has the score of an answer of `align`, and its path, where it has one, too."""
    query, target = texts
    report = last_report()
    options = alignment_options(words["mode"], words["ends"], words)
    ready = _inputs.pair(query, target)
    flaw = ""

    def ask(where: Any, row: str) -> int:
        options.variant, options.task = row, "score"
        return int(_wale.align(where, ready.a, ready.b, options).score)

    if not found.heuristic:
        best = _second("align", "" if report is None else report.variant, float(ready.sizes[0]) * ready.sizes[1], ask)
        beyond = found["editDistance"] == -1
        if -best <= words["k"] if beyond else best != found.score:
            flaw = f"score is {'below ' if beyond else ''}{-words['k'] if beyond else found.score}, another row says {best}"
    if not flaw and found["cigar"] is not None:
        options.task, options.x_drop = "path", words["x_drop"]
        columns = [(int(count), mark) for count, mark in re.findall(r"(\d+)([=XID])", found["cigar"])]
        places = (found.query_begin, found.query_end, found.target_begin, found.target_end)
        flaw = _wale.alignment_flaw(ready.a, ready.b, found.score, places, columns, options)
    if report is not None:
        remember(report)
    if flaw:
        raise _wale.Error(f"verification: {flaw}")


def check_places(matches: Any, queries: Tuple[Any, Any], text: Any, options: Any) -> None:
    """Throws unless the reference finds the same distance round the places of answers of `locate`."""
    number, flaw = _wale.infix_flaw(queries, text, [tuple(match) for match in matches], options, CELLS)
    if flaw:
        raise _wale.Error(f"verification: query {number}: {flaw}")
