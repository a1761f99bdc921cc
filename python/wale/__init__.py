"""Wale computes what cannot be computed all at once: work whose parts depend on each other, on CPU and GPU.

>>> import wale
>>> wale.lcs_length("wavefront", "waterfront")
8

The functions release the GIL while they compute. A single call is not interrupted: Ctrl-C raises
KeyboardInterrupt when it returns (`study` notices it between rows).
"""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional

from . import _inputs, _wale, euler
from ._call import last_report, to_device, to_host
from ._cable import Cable, CableRun, grow_neuron
from ._chains import (
    Gttrf,
    TridiagonalFactors,
    gttrf,
    gttrs,
    solve_tridiagonal,
    tridiagonal_residual,
)
from ._lu import (
    Factors,
    Refined,
    SlogdetResult,
    det,
    inv,
    lu_factor,
    lu_residual_ratio,
    lu_solve,
    slogdet,
    solve,
    solve_refined,
)
from ._reconstruction import (
    clear_border,
    closing_by_reconstruction,
    extended_maxima,
    extended_minima,
    fill_depressions,
    fill_holes,
    h_basins,
    h_domes,
    h_maxima_transform,
    h_minima_transform,
    impose_minima,
    opening_by_reconstruction,
    reconstruction,
    reconstruction_flaw,
    select_objects,
)
from ._skimage_names import (
    apply_hysteresis_threshold,
    h_maxima,
    h_minima,
    local_maxima,
    local_minima,
    watershed,
)
from ._search import Match, cdist, locate
from ._study import Study, study
from ._tables import summed_area, wavefront_fill
from ._tree import Eliminated, HinesPlan, hines_residual, hines_solve
from ._wale import (
    BackendUnavailable,
    BadArgument,
    BadInput,
    CannotOpen,
    CannotWrite,
    DeviceError,
    Error,
    Execution,
    OutOfMemory,
    Report,
    UnsupportedVariant,
)
from ._wavefront import LcsString, align, edit_distance, edit_distances, lcs_length, lcs_lengths, lcs_string

__version__ = _wale.version()

__all__ = [
    "BackendUnavailable", "BadArgument", "BadInput", "Cable", "CableRun", "CannotOpen", "CannotWrite",
    "DeviceError", "Eliminated", "Error", "Execution", "Factors", "Gttrf", "HinesPlan", "LcsString", "Match", "OutOfMemory",
    "Refined", "Report", "SlogdetResult", "Study", "TridiagonalFactors", "UnsupportedVariant", "Variant",
    "align", "apply_hysteresis_threshold", "cdist", "clear_border", "closing_by_reconstruction", "config", "cpu",
    "cuda", "det", "edit_distance", "edit_distances", "euler", "extended_maxima", "extended_minima",
    "fill_depressions", "fill_holes", "grow_neuron", "gttrf", "gttrs", "h_basins", "h_domes", "h_maxima", "h_maxima_transform",
    "h_minima", "h_minima_transform", "hines_residual", "hines_solve", "impose_minima", "inv", "last_report",
    "lcs_length", "lcs_lengths", "lcs_string", "local_maxima", "local_minima", "locate", "lu_factor",
    "lu_residual_ratio", "lu_solve", "opening_by_reconstruction", "reconstruction", "reconstruction_flaw",
    "reference", "select_objects", "show_config", "slogdet", "solve", "solve_refined", "solve_tridiagonal",
    "study", "summed_area", "to_device", "to_host", "tridiagonal_residual", "variants", "watershed",
    "wavefront_fill", "why_unavailable",
]  # fmt: skip

for _name in ("BackendUnavailable", "BadArgument", "BadInput", "CannotOpen", "CannotWrite", "DeviceError", "Error",
              "OutOfMemory", "UnsupportedVariant"):  # fmt: skip
    globals()[_name].__module__ = "wale"  # so that tracebacks say wale.BadArgument
del _name


class Variant(NamedTuple):
    """A schedule on a backend that exists: a row in the table of its operation."""

    solver: str
    operation: str
    name: str
    backend: str
    summary: str


def variants(solver: Optional[str] = None) -> List[Variant]:
    """All variants, or those of one solver, in the order in which "automatic" prefers them.

    Examples
    --------
    >>> import wale
    >>> [v.name for v in wale.variants("wavefront") if v.operation == "fill" and v.backend == "reference"]
    ['reference/plain']
    """
    return [Variant(*(getattr(row, name) for name in Variant._fields)) for row in _wale.variants(solver or "")]


def config() -> Dict[str, str]:
    """Facts about this build and machine: version, compiler, instruction set, devices.

    Examples
    --------
    >>> import wale
    >>> wale.config()["version"] == wale.__version__
    True
    """
    return dict(_wale.configuration())


def show_config() -> None:
    """Prints `config()`, one fact a line.

    Examples
    --------
    >>> import wale
    >>> wale.show_config()  # doctest: +ELLIPSIS
    version...
    """
    for name, value in config().items():
        print(f"{name:20} {value}")


def why_unavailable(backend: str) -> str:
    """Why "reference", "cpu" or "cuda" cannot be used on this machine, in one line; empty if it can.

    Examples
    --------
    >>> import wale
    >>> wale.why_unavailable("cpu")
    ''
    """
    return _wale.why_unavailable(backend)


def reference() -> Execution:
    """The plain loops that define the truth, for the argument `where`; one thread.

    Examples
    --------
    >>> import wale
    >>> wale.edit_distance("abc", "abd", where=wale.reference())
    1
    """
    return _wale.reference()


def cpu(threads: int = 0) -> Execution:
    """CPU threads, for the argument `where`; 0 takes all that this process may use.

    Examples
    --------
    >>> import wale
    >>> wale.lcs_length("abc", "abd", where=wale.cpu(threads=1))
    2
    """
    return _wale.cpu(_inputs.whole("threads", threads))


def cuda(device: int = 0, stream: int = 0) -> Execution:
    """A CUDA device, for the argument `where`, and the address of a stream (0: the default stream).

    Examples
    --------
    >>> import wale
    >>> wale.cuda(1)
    wale.cuda(device=1)
    """
    return _wale.cuda(_inputs.whole("device", device), stream)
