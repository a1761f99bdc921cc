"""Wale on Dask arrays: reconstruction of images in chunks, batches of sequences and of systems in blocks.

Needs Dask and SciPy: ``pip install 'wale[dask]'``. Every function is lazy and gives the pixels of the plain call, for
any chunks. A block takes one thread unless a call says more, since Dask runs several blocks at once.
"""

from __future__ import annotations

try:
    import dask.array as _dask_array  # noqa: F401
    import scipy as _scipy  # noqa: F401
except ImportError as _missing:
    raise ImportError(f"wale.dask: {_missing}; expected dask and scipy: pip install 'wale[dask]'") from _missing

from ._batches import (
    align_scores, cdist, det, edit_distances, hines_solve, inv, lcs_lengths, solve, solve_tridiagonal,
)  # fmt: skip
from ._derived import (
    apply_hysteresis_threshold, clear_border, closing_by_reconstruction, extended_maxima, extended_minima,
    fill_depressions, fill_holes, h_basins, h_domes, h_maxima_transform, h_minima_transform, local_maxima, local_minima,
    opening_by_reconstruction, watershed,
)  # fmt: skip
from ._images import reconstruction

__all__ = [
    "align_scores", "apply_hysteresis_threshold", "cdist", "clear_border", "closing_by_reconstruction", "det",
    "edit_distances", "extended_maxima", "extended_minima", "fill_depressions", "fill_holes", "h_basins", "h_domes",
    "h_maxima_transform", "h_minima_transform", "hines_solve", "inv", "lcs_lengths", "local_maxima", "local_minima",
    "opening_by_reconstruction", "reconstruction", "solve", "solve_tridiagonal", "watershed",
]  # fmt: skip
