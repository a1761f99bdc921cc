"""`wale study` from Python: every variant on one input, verified and timed."""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Sequence

from . import _wale
from ._call import filled


class Study:
    """Rows of a study, and what they say of the claims of the literature."""

    def __init__(self, operation: str, result: _wale.StudyResult) -> None:
        self.operation = operation
        self.unit: str = result.unit
        self.rows: List[_wale.StudyRow] = list(result.rows)
        self.claims: List[_wale.StudyClaim] = list(result.claims)
        self.skipped: List[str] = list(result.skipped)
        self.failed: List[str] = list(result.failed)

    def __repr__(self) -> str:
        head = (
            f"{'variant':28} {'size':>9} {'seconds':>12} {'10^9/s':>10} {'of ceiling':>10} {'x slowest':>9}"
        )
        lines = [f"{self.operation}, 10^9 {self.unit}s a second", head]
        for r in self.rows:
            share = f"{r.of_ceiling:10.0%}" if r.ceiling else " " * 10
            lines.append(
                f"{r.variant:28} {r.size:9} {r.seconds:12.6f} {r.rate / 1e9:10.3f}"
                f" {share} {r.over_slowest:9.1f}"
            )
        lines += [f"{c.claim}: {c.measured}" for c in self.claims]
        return "\n".join(
            lines + [f"skipped: {s}" for s in self.skipped] + [f"FAILED: {s}" for s in self.failed]
        )

    def plot(self, ax: Any = None) -> Any:
        """Work a second over size, one line a variant; needs matplotlib. Returns the axes.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.
        """
        import matplotlib.pyplot as plt

        if ax is None:
            ax = plt.subplots(layout="constrained")[1]
        for name in dict.fromkeys(r.variant for r in self.rows):
            points = [(r.size, r.rate / 1e9) for r in self.rows if r.variant == name]
            ax.plot(*zip(*points), marker="o", label=name)
        ax.set(xscale="log", yscale="log", xlabel="size", title=self.operation)
        ax.set_ylabel(f"10^9 {self.unit}s a second")
        if self.rows:
            ax.legend(fontsize="small")
        return ax


def study(
    solver: str = "wavefront",
    *,
    operation: str = "",
    sizes: Sequence[int] = (),
    variant: str = "",
    repeats: int = 5,
    threads: int = 0,
    cpu: bool = True,
    cuda: bool = True,
    seconds_each: float = 2.0,
    progress: Optional[Callable[[str], None]] = None,
) -> Study:
    """Runs every variant of an operation on one input, verified against the reference, and times it.

    Parameters
    ----------
    solver : {"wavefront", "reconstruction", "lu"}
    operation : str
        One of the solver's experiments, by default its first; a wrong name raises an error that lists them.
    sizes : sequence of int
        Symbols or pixels a side, or pairs of a batch; by default the solver's own.
    variant : str
        Only names that contain it.
    repeats, threads, cpu, cuda, seconds_each
        Repeats whose median is given; CPU threads; which backends; when to stop repeating a row [s].
    progress : callable, optional
        Called with a line of text before every row.

    Returns
    -------
    Study
        `rows`, `claims`, `skipped`, `failed`, and `plot()`.

    Examples
    --------
    >>> import wale
    >>> result = wale.study("wavefront", operation="lcs_length", sizes=[64], variant="reference", repeats=1)
    >>> [row.variant for row in result.rows]
    ['reference/plain']
    """
    words = {"operation": operation, "sizes": list(sizes), "variant": variant, "repeats": repeats, "threads": threads,
             "cpu": cpu, "cuda": cuda, "seconds_each": seconds_each}  # fmt: skip
    result = _wale.study(solver, filled(_wale.StudyOptions(), words), progress)
    return Study(operation or _wale.study_operations(solver)[0], result)
