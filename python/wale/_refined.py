"""Systems solved by factors of a lower precision, and refined."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _wale
from ._call import Call, Run, filled, remember
from ._libraries import in_their_library
from ._matrices import matrices, right_sides, square
from ._typing import Unpack


class Refined(NamedTuple):
    """x, and how it was reached."""

    x: Any
    outcome: _wale.RefinedOutcome


@in_their_library
def solve_refined(
    a: Any,
    b: Any,
    *,
    precision: str = "automatic",
    max_iterations: int = 50,
    **run: Unpack[Run],
) -> Refined:
    """Solves A x = b to float64 accuracy by factors in a lower precision and refinement.

    Parameters
    ----------
    a : array, (n, n)
    b : array, (n,) or (..., n, k)
    precision : {"automatic", "float16", "tf32", "float32", "float64"}
        Of the factors; float16 and tf32 need a GPU.
    max_iterations : int
        Of refinement, before it falls back to float64.

    Returns
    -------
    Refined
        x, and an outcome that says in words whether it was refined or fell back.

    Raises
    ------
    BadArgument, TypeError
        Where shapes do not fit, or elements are no numbers of at most 64 bits a part.
    numpy.linalg.LinAlgError
        Where a is singular: a pivot of the float64 factors is exactly 0.

    Examples
    --------
    >>> import numpy as np, wale
    >>> x, outcome = wale.solve_refined(np.array([[1.0, 2.0], [4.0, 3.0]]), [5.0, 10.0])
    >>> x
    array([1., 2.])
    >>> outcome.fell_back
    False
    """
    m = matrices("a", a, True)
    if len(m.shape) != 2:
        raise _wale.BadArgument(f"a: has shape {m.shape}, expected one matrix")
    square(m)
    right, finished = right_sides(b, m.shape, True)
    for name, given in (("a", m), ("b", right)):
        if given.dtype.startswith("complex"):
            raise TypeError(f"{name}: elements of {given.dtype}, expected real numbers (wale.solve takes complex ones)")
    if right.device != m.device:
        raise _wale.BadArgument("b: expected in the memory of a (wale.to_device)")
    arrays = [m.array, right.array]
    if m.device is None:
        arrays = [x.astype(np.float64, copy=False) for x in arrays]
    call = Call(run, m.device)
    left, b_there = call.move(*arrays)
    x = call.empty(right.shape, "float64")
    words = {"variant": call.variant, "precision": precision, "max_iterations": max_iterations}
    outcome = _wale.lu_solve_refined(call.at, left, b_there, x, filled(_wale.RefinedOptions(), words))
    remember(outcome.run)
    if outcome.first_zero is not None and outcome.first_zero >= 0:
        raise np.linalg.LinAlgError(f"a {outcome.outcome}")
    return Refined(finished(call, x), outcome)
