"""Wale computes what cannot be computed all at once: work whose parts depend on each other, on CPU and GPU.

>>> import wale
>>> wale.lcs_length("wavefront", "waterfront")
8

The functions release the GIL while they compute, and Ctrl-C ends a long call on the CPU within a second. NumPy and the
library are loaded at the first use of a name. WALE_NUM_THREADS, else OMP_NUM_THREADS, limits the threads of calls
that do not say how many.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's name, without loading it
if TYPE_CHECKING:
    from . import euler
    from ._cable import Cable, CableRun, grow_neuron
    from ._call import last_report, to_device, to_host
    from ._chains import TridiagonalFactors, solve_tridiagonal, tridiagonal_residual
    from ._database import Hit, search
    from ._determinants import SlogdetResult, det, slogdet
    from ._facts import Variant, config, cpu, cuda, reference, show_config, variants, why_unavailable
    from ._alignment import Alignment, align, align_scores
    from ._pair_alignments import PairAlignments, align_pairs
    from ._profile import Profile
    from ._heights import (
        closing_by_reconstruction,
        extended_maxima,
        extended_minima,
        h_basins,
        h_domes,
        h_maxima_transform,
        h_minima_transform,
        opening_by_reconstruction,
    )
    from ._lapack import Gttrf, gttrf, gttrs
    from ._lu import Factors, inv, lu_factor, lu_residual_ratio, lu_solve, solve
    from ._reconstruction import (
        clear_border,
        fill_depressions,
        fill_holes,
        impose_minima,
        reconstruction,
        reconstruction_flaw,
        select_objects,
    )
    from ._refined import Refined, solve_refined
    from ._skimage_names import (
        apply_hysteresis_threshold,
        h_maxima,
        h_minima,
        local_maxima,
        local_minima,
        watershed,
    )
    from ._search import Match, cdist, locate
    from ._study import Atlas, Study, study
    from ._tables import summed_area, wavefront_fill
    from ._tree import Eliminated, HinesPlan, hines_residual, hines_solve
    from ._errors import (
        BackendUnavailable,
        BadArgument,
        BadInput,
        CannotOpen,
        CannotWrite,
        DeviceError,
        Error,
        OutOfMemory,
        UnsupportedVariant,
    )
    from ._wale import Execution, Report
    from ._warping import cdist_dtw, dtw
    from ._wavefront import (
        LcsString,
        edit_distance,
        edit_distances,
        lcs_length,
        lcs_lengths,
        lcs_string,
    )

    __version__: str

__all__ = [
    "Alignment", "Atlas", "BackendUnavailable", "BadArgument", "BadInput", "Cable", "CableRun", "CannotOpen", "CannotWrite",
    "DeviceError", "Eliminated", "Error", "Execution", "Factors", "Gttrf", "HinesPlan", "Hit", "LcsString", "Match", "OutOfMemory",
    "PairAlignments", "Profile", "Refined", "Report", "SlogdetResult", "Study", "TridiagonalFactors", "UnsupportedVariant", "Variant",
    "align", "align_pairs", "align_scores", "apply_hysteresis_threshold", "cdist", "cdist_dtw", "clear_border", "closing_by_reconstruction", "config", "cpu",
    "cuda", "det", "dtw", "edit_distance", "edit_distances", "euler", "extended_maxima", "extended_minima",
    "fill_depressions", "fill_holes", "grow_neuron", "gttrf", "gttrs", "h_basins", "h_domes", "h_maxima", "h_maxima_transform",
    "h_minima", "h_minima_transform", "hines_residual", "hines_solve", "impose_minima", "inv", "last_report",
    "lcs_length", "lcs_lengths", "lcs_string", "local_maxima", "local_minima", "locate", "lu_factor",
    "lu_residual_ratio", "lu_solve", "opening_by_reconstruction", "reconstruction", "reconstruction_flaw",
    "reference", "search", "select_objects", "show_config", "slogdet", "solve", "solve_refined", "solve_tridiagonal",
    "study", "summed_area", "to_device", "to_host", "tridiagonal_residual", "variants", "watershed",
    "wavefront_fill", "why_unavailable",
]  # fmt: skip

#: The module of each name, loaded at its first use.
_HOMES = {
    "_cable": "Cable CableRun grow_neuron",
    "_call": "last_report to_device to_host",
    "_chains": "TridiagonalFactors solve_tridiagonal tridiagonal_residual",
    "_determinants": "SlogdetResult det slogdet",
    "_facts": "Variant config cpu cuda reference show_config variants why_unavailable",
    "_heights": (
        "closing_by_reconstruction extended_maxima extended_minima h_basins h_domes h_maxima_transform "
        "h_minima_transform opening_by_reconstruction"
    ),
    "_lapack": "Gttrf gttrf gttrs",
    "_lu": "Factors inv lu_factor lu_residual_ratio lu_solve solve",
    "_refined": "Refined solve_refined",
    "_reconstruction": (
        "clear_border fill_depressions fill_holes impose_minima reconstruction reconstruction_flaw select_objects"
    ),
    "_skimage_names": "apply_hysteresis_threshold h_maxima h_minima local_maxima local_minima watershed",
    "_alignment": "Alignment align align_scores",
    "_pair_alignments": "PairAlignments align_pairs",
    "_profile": "Profile",
    "_database": "Hit search",
    "_search": "Match cdist locate",
    "_study": "Atlas Study study",
    "_tables": "summed_area wavefront_fill",
    "_tree": "Eliminated HinesPlan hines_residual hines_solve",
    "_errors": (
        "BackendUnavailable BadArgument BadInput CannotOpen CannotWrite DeviceError Error OutOfMemory "
        "UnsupportedVariant"
    ),
    "_wale": "Execution Report",
    "_warping": "cdist_dtw dtw",
    "_wavefront": "LcsString edit_distance edit_distances lcs_length lcs_lengths lcs_string",
}  # fmt: skip


if not TYPE_CHECKING:

    def __getattr__(name):
        import importlib

        if name == "__version__":
            value = importlib.import_module("wale._wale").version()
        elif name == "euler":
            value = importlib.import_module("wale.euler")
        else:
            home = next((module for module, names in _HOMES.items() if name in names.split()), None)
            if home is None:
                meant = importlib.import_module("wale._elsewhere").hint(name)
                raise AttributeError(f"module 'wale' has no attribute {name!r}{meant}")
            value = getattr(importlib.import_module(f"wale.{home}"), name)
        globals()[name] = value
        return value

    def __dir__():
        return sorted({*filter(lambda name: name.startswith("_"), globals()), *__all__, "__version__"})
