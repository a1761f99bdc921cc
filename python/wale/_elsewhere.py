"""Names that users of other packages try on `wale`, and what answers here: for the message of AttributeError."""

from __future__ import annotations

from typing import Dict

_ALIGN = "align, with mode= and task="
_EDIT = "edit_distance (of many pairs edit_distances, each with each cdist)"

#: What is offered here under another name.
NAMES: Dict[str, str] = {
    "Levenshtein": _EDIT, "levenshtein": _EDIT, "distance": _EDIT, "editDistance": _EDIT, "hamming": _EDIT,
    "lcs": "lcs_length or lcs_string", "LCSseq": "lcs_length or lcs_string",
    "getNiceAlignment": "print(align(query, target, task='path'))",
    "nw": _ALIGN, "sg": _ALIGN, "sw": _ALIGN, "sw_trace": _ALIGN, "nw_trace": _ALIGN, "PairwiseAligner": _ALIGN,
    "map": "locate", "blast": "search", "read_fasta": "search, which reads files itself",
    "binary_fill_holes": "fill_holes(image, connectivity=1)", "remove_peaks": "clear_border", "imfill": "fill_holes",
    "hysteresis_threshold": "apply_hysteresis_threshold", "regional_maxima": "local_maxima", "regional_minima": "local_minima",
    "reconstruct": "reconstruction", "pit_fill": "fill_depressions",
    "lu": "lu_factor", "getrf": "lu_factor", "getrs": "lu_solve", "linalg": "wale itself: wale.solve, wale.inv, wale.det",
    "cond": "lu_factor(a, condition=True).outcome", "gtsv": "solve_tridiagonal", "thomas": "solve_tridiagonal",
    "tdma": "solve_tridiagonal", "solve_banded": "solve_tridiagonal, for one diagonal on each side",
    "read_swc": "Cable(path)", "load_swc": "Cable(path)", "IClamp": "Cable.clamp", "Section": "Cable(path)",
    "Case": "euler.Case", "Mesh": "euler.Mesh", "read_mesh": "euler.read_mesh", "generate_mesh": "euler.generate_mesh",
    "set_num_threads": "threads= of each call, or WALE_NUM_THREADS in the environment",
    "get_num_threads": "config()['cpu threads']", "devices": "config()", "info": "show_config",
}  # fmt: skip


def hint(name: str) -> str:
    """What to add to the message, or nothing.

    >>> hint("lu")
    '; here it is lu_factor'
    """
    return f"; here it is {NAMES[name]}" if name in NAMES else ""
