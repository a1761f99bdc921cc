"""`wale study` from Python: every variant on one input, verified and timed."""

from __future__ import annotations

from typing import Any, Callable, List, Literal, Optional, Sequence, Union, overload

from . import _inputs, _wale
from ._call import filled
from ._libraries import axes_of


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
        ax = axes_of(ax, layout="constrained")
        for name in dict.fromkeys(r.variant for r in self.rows):
            points = [(r.size, r.rate / 1e9) for r in self.rows if r.variant == name]
            ax.plot(*zip(*points), marker="o", label=name)
        ax.set(xscale="log", yscale="log", xlabel="size", title=self.operation)
        ax.set_ylabel(f"10^9 {self.unit}s a second")
        if self.rows:
            ax.legend(fontsize="small")
        return ax


class Atlas:
    """Random cells of a solver's whole problem space: where `automatic` is slower than another variant."""

    def __init__(self, result: _wale.AtlasResult) -> None:
        self._result = result
        self.solver: str = result.solver
        self.seed: int = result.seed
        self.cells: List[_wale.AtlasCell] = list(result.cells)
        self.failed: List[str] = list(result.failed)
        self.skipped: List[str] = list(result.skipped)

    def __repr__(self) -> str:
        head = f"{len(self.cells)} cells of {self.solver}, seed {self.seed}: regret {self.regret_at(0.5):.3g}"
        lines = [f"{head} (median), {self.regret_at(0.95):.3g} (95%), {self.regret_at(1):.3g} (worst)"]
        for c in self.worst():
            took = f"{c.chosen} {c.automatic_seconds:.3g} s, {c.best} {c.best_seconds:.3g} s"
            lines.append(f"{c.regret:7.2f} cell {c.number:4} {c.operation}: {took}; {c.traits}")
        return "\n".join(
            lines + [f"skipped: {s}" for s in self.skipped] + [f"FAILED: {s}" for s in self.failed]
        )

    def regret_at(self, part: float) -> float:
        """Regret at a part of all cells in rising order.

        Parameters
        ----------
        part : float
            0.5: the median; 1: the worst.
        """
        return self._result.regret_at(part)

    def worst(self, count: int = 10) -> List[_wale.AtlasCell]:
        """The cells of greatest regret, worst first.

        Parameters
        ----------
        count : int
            How many.
        """
        return list(self._result.worst(count))

    def csv(self) -> str:
        """A line for each cell and variant, under a line of names."""
        return self._result.csv()

    def plot(self, ax: Any = None) -> Any:
        """The worst regret over operation and work; needs matplotlib. Returns the axes.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.
        """
        ax = axes_of(ax, layout="constrained")
        if not self.cells:
            return ax
        found = self._result.map()
        rows = [found.regret[r * found.columns : (r + 1) * found.columns] for r in range(len(found.rows))]
        image = ax.imshow(rows, vmin=1, vmax=2, cmap="Reds", aspect="auto")
        ticks = [c for c in range(found.columns) if (found.first_power + c) % 2 == 0]
        ax.set_xticks(ticks, [f"$10^{{{(found.first_power + c) // 2}}}$" for c in ticks])
        ax.set_yticks(range(len(found.rows)), found.rows)
        ax.set(xlabel="work", title=f"{self.solver}: worst regret of automatic")
        ax.figure.colorbar(image, ax=ax, extend="max")
        return ax


@overload
def study(solver: str = ..., *, atlas: Literal[True], **options: Any) -> Atlas: ...
@overload
def study(solver: str = ..., *, atlas: Literal[False] = ..., **options: Any) -> Study: ...
def study(solver: str = "wavefront", *, atlas: bool = False, **options: Any) -> Union[Study, Atlas]:
    """Runs every variant of an operation on one input, or on random inputs, verified against the reference and timed.

    Parameters
    ----------
    solver : {"euler", "lu", "reconstruction", "tree", "wavefront"}
    atlas : bool
        Random cells of the whole problem space instead of one input.
    operation : str
        One of the solver's experiments, by default its first; of an atlas, by default all of its operations. A wrong
        name raises an error that lists them.
    sizes : sequence of int
        Symbols or pixels a side, or pairs of a batch; by default the solver's own. Not of an atlas.
    variant : str
        Only names that contain it. Not of an atlas.
    repeats, seconds_each
        Repeats whose median is given; when to stop repeating a row [s]. Not of an atlas.
    threads, cpu, cuda
        CPU threads, by default all, of an atlas as many as the cell draws; which backends.
    seed, first, cells : int
        Of an atlas: what the cells are drawn from; number of the first cell; how many cells, 500 by default.
    seconds, largest_seconds, largest_bytes : float
        Of an atlas: no new cell after so long [s], 0 for no bound; about what a fast variant needs for the largest
        cells [s]; about what their arrays take.
    timed : bool
        Of an atlas: False runs each variant once, to be verified.
    progress : callable, optional
        Called with a line of text before every row or cell. Ctrl-C is noticed between them.

    Returns
    -------
    Study or Atlas
        A Study has `rows`, `claims`, `skipped`, `failed`, and `plot()`; an Atlas `cells`, `skipped`, `failed`,
        `regret_at()`, `worst()`, `csv()` and `plot()`.

    Raises
    ------
    BadArgument, TypeError
        Where there is no such solver or operation, or a keyword is not taken.

    Examples
    --------
    >>> import wale
    >>> result = wale.study("wavefront", operation="lcs_length", sizes=[64], variant="reference", repeats=1)
    >>> [row.variant for row in result.rows]
    ['reference/plain']
    >>> cells = wale.study("lu", atlas=True, cells=2, largest_seconds=1e-5, timed=False).cells
    >>> [cell.number for cell in cells]
    [0, 1]
    """
    return _atlas(solver, **options) if atlas else _study(solver, **options)


def _atlas(
    solver: str,
    *,
    operation: str = "",
    seed: int = 1,
    first: int = 0,
    cells: int = 500,
    seconds: float = 0.0,
    largest_seconds: float = 0.05,
    largest_bytes: float = 2.5e8,
    threads: int = 0,
    cpu: bool = True,
    cuda: bool = True,
    timed: bool = True,
    progress: Optional[Callable[[str], None]] = None,
) -> Atlas:
    words = {"operation": operation, "seed": seed, "first": first, "cells": cells, "seconds": seconds,
             "largest_seconds": largest_seconds, "largest_bytes": largest_bytes, "threads": threads, "cpu": cpu,
             "cuda": cuda, "timed": timed}  # fmt: skip
    return Atlas(_wale.atlas(_inputs.text("solver", solver), filled(_wale.AtlasOptions(), words), progress))


def _study(
    solver: str,
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
    words = {"operation": operation, "sizes": list(sizes), "variant": variant, "repeats": repeats, "threads": threads,
             "cpu": cpu, "cuda": cuda, "seconds_each": seconds_each}  # fmt: skip
    result = _wale.study(_inputs.text("solver", solver), filled(_wale.StudyOptions(), words), progress)
    return Study(operation or _wale.study_operations(solver)[0], result)
