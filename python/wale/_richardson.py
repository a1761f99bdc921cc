"""What a value of three grids comes to where cells have no size."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from . import _wale
from ._mesh import reals


class Richardson(NamedTuple):
    """Richardson's estimate: `value` for cells of no size, the observed `order`, and `error`, by which the finest
    grid's value is above it.

    All three are nan where the values do not go one way with differences that shrink.
    """

    value: float
    order: float
    error: float


def richardson(values: Any, spacings: Any) -> Richardson:
    """Extrapolates a value of three grids to cells of no size.

    Finds f, C and p of values = f + C spacings^p (Richardson 1911; with any three spacings: Roache 1998, section
    5.10). p is looked for from 0.01 to 20.

    Parameters
    ----------
    values : array, [3]
        Such as a drag, of the coarsest grid first.
    spacings : array, [3]
        Sizes of cells, falling: `cells ** (-1 / dimensions)` of similar grids.

    Returns
    -------
    Richardson

    Examples
    --------
    >>> import wale.euler
    >>> estimate = wale.euler.richardson([0.0316, 0.0304, 0.0301], [4, 2, 1])
    >>> round(estimate.value, 6), round(estimate.order, 6), round(estimate.error, 6)
    (0.03, 2.0, 0.0001)
    """
    f, h = reals("values", values), reals("spacings", spacings)
    if f.shape != (3,) or h.shape != (3,):
        raise _wale.BadArgument("richardson: expected three values and three spacings")
    if not (h[0] > h[1] > h[2] > 0 and math.isfinite(h[0])):
        raise _wale.BadArgument("spacings: expected three, falling and above 0")
    coarse, fine = float(h[0] / h[1]), float(h[1] / h[2])
    before, last = float(f[1] - f[0]), float(f[2] - f[1])

    def ratio(order: float) -> float:
        """Of the differences before / last, by the model; grows with the order."""
        return fine**order * (coarse**order - 1) / (fine**order - 1)

    low, high = 0.01, 20.0
    if not (math.isfinite(before) and last != 0 and ratio(low) <= before / last <= ratio(high)):
        return Richardson(math.nan, math.nan, math.nan)
    for _ in range(60):
        order = 0.5 * (low + high)
        low, high = (order, high) if ratio(order) < before / last else (low, order)
    error = -last / (fine**order - 1)
    return Richardson(float(f[2]) - error, order, error)
