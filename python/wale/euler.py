"""Flow round a body on an unstructured mesh: meshes, cases, and what came of them.

A case has the options of its TOML file (docs/guide/euler.md), as nested dictionaries or as a file.

Examples
--------
>>> import wale.euler
>>> grid = wale.euler.generate_mesh("shell", size=2000)
>>> flow = wale.euler.Case(grid, stream={"mach": 0.5}, scheme={"flux": "rusanov", "order": 1})
>>> flow.run(10, threads=1).iterations
10
"""

from __future__ import annotations

import os  # noqa: F401 - what the hint Path names
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _inputs, _wale
from ._call import Call, Run, filled, remember
from ._flow_words import REFERENCE, RUN, pairs_of, patch_of, scheme_of, stream_of, table_of
from ._libraries import axes_of
from ._mesh import Mesh, Path, Words, generate_mesh, mesh_of, mesh_of_words, read_mesh, reals
from ._richardson import Richardson, richardson
from ._wale import MeshReport
from ._typing import Unpack

__all__ = ["Case", "FlowRun", "Mesh", "MeshReport", "Richardson", "generate_mesh", "read_mesh", "richardson"]


def __dir__() -> List[str]:
    return sorted({*filter(lambda name: name.startswith("_"), globals()), *__all__})


#: Columns of `Case.history`, in their order.
COLUMNS = (
    "iteration", "time", "residual_density", "residual_momentum_x", "residual_momentum_y", "residual_momentum_z",
    "residual_energy", "drag", "lift", "side", "moment_x", "moment_y", "moment_z", "total_mass",
    "total_momentum_x", "total_momentum_y", "total_momentum_z", "total_energy",
)


class FlowRun(NamedTuple):
    """What some iterations came to: how many there were, and why they ended.

    `end` is "iterations", "residual", "force", "time", "asked" or, where the case has a stop rule that was not
    met, "not_converged".
    """

    iterations: int
    end: str


class Case:
    """A flow with its state and history.

    Parameters
    ----------
    mesh : Mesh, or path of its file, optional
        Else `mesh_words` names a file or a recipe, as the table `mesh` of a case's file.
    stream, scheme, boundary, run, reference, mesh_words : dict
        The tables of a case's file.

    Examples
    --------
    The published benchmark of Rodinia, in float32, on a small mesh:

    >>> import wale.euler
    >>> grid = wale.euler.generate_mesh("shell", size=1500)
    >>> flow = wale.euler.Case(grid, scheme={"name": "rodinia"}, run={"precision": "float32"})
    >>> flow.run(20, backend="reference")
    FlowRun(iterations=20, end='iterations')
    >>> flow.state.shape == (grid.cells, 5)
    True
    """

    def __init__(
        self,
        mesh: Union[Mesh, Path, None] = None,
        *,
        stream: Optional[Words] = None,
        scheme: Optional[Words] = None,
        boundary: Optional[Words] = None,
        run: Optional[Words] = None,
        reference: Optional[Words] = None,
        mesh_words: Optional[Words] = None,
    ) -> None:
        if (mesh is None) == (mesh_words is None):
            raise _wale.BadArgument("mesh: expected either mesh or mesh_words")
        run, reference = table_of("run", run, RUN), table_of("reference", reference, REFERENCE)
        iterations, start, restart = run.pop("iterations", 1000), run.pop("start", "stream"), run.pop("restart", "")
        options = filled(_wale.FlowOptions(), run, "run")
        filled(options, reference, "reference")
        options.stream = stream_of(table_of("stream", stream))
        options.scheme = scheme_of(table_of("scheme", scheme))
        patches = table_of("boundary", boundary)
        if not isinstance(patches.get("periodic", []), Mapping):
            options.periodic = pairs_of(patches.pop("periodic", []))
        options.patches = [patch_of(name, words, options.stream) for name, words in patches.items()]
        grid = mesh_of(mesh) if mesh is not None else mesh_of_words(table_of("mesh_words", mesh_words), options)
        before = "" if isinstance(restart, str) and not restart else _inputs.file_name("restart", restart)
        self._begin(grid, options, _inputs.whole("iterations", iterations, 64), _inputs.text("run.start", start), before)

    @classmethod
    def read(cls, path: Path) -> "Case":
        """The case of a TOML file.

        Parameters
        ----------
        path : str or path
        """
        case = cls.__new__(cls)
        setup = _wale.read_flow_setup(_inputs.file_name("path", path))
        case._begin(Mesh(setup.mesh()), setup.options, setup.iterations, setup.start, setup.restart)
        return case

    def _begin(self, mesh: Mesh, options: _wale.FlowOptions, iterations: int, start: str, restart: str) -> None:
        if iterations < 0:
            raise _wale.BadArgument(f"run.iterations: is {iterations}, expected 0 or more")
        self.mesh, self._iterations, self._options, self._flow = mesh, iterations, options, _wale.FlowCase(mesh.grid, options)
        if restart:
            self.restore(restart)
        elif start != "stream":
            self._flow.start(start)

    def run(
        self, iterations: Optional[int] = None, watch: Optional[Callable[[int, float], bool]] = None, **run: Unpack[Run]
    ) -> FlowRun:
        """Up to `iterations` more (else those of the case); `watch(iteration, residual)` may end it by False.

        `watch` may look at `state`; what it raises ends the run too, and the flow stays as it was measured.

        The keywords `where`, `backend`, `variant`, `threads` are those of all functions. Raises
        FloatingPointError where a density or pressure is not positive; it is then as at the last measurement before.

        Parameters
        ----------
        iterations : int, optional
            By default those of the case.
        watch : callable, optional
            watch(iteration, residual) after each measurement; False ends the run.
        where, backend, variant, threads
            As for `lcs_length`.
        """
        call = Call(run, None)
        if not (watch is None or callable(watch)):
            raise TypeError(f"watch: is {_inputs.shown(watch)}, expected a function of iteration and residual")
        count = self._iterations if iterations is None else _inputs.whole("iterations", iterations, 64)
        outcome = self._flow.run(call.at, count, call.variant, watch)
        remember(outcome.run)
        if outcome.bad_cell >= 0:
            where = f"cell {outcome.bad_cell} has a nonphysical state after iteration {outcome.bad_iteration}"
            raise FloatingPointError(f"{where}: its density or pressure is not positive")
        return FlowRun(outcome.iterations, outcome.end)

    def polar(
        self,
        alpha: Optional[Sequence[float]] = None,
        mach: Optional[Sequence[float]] = None,
        iterations: Optional[int] = None,
        **run: Unpack[Run],
    ) -> Dict[str, Any]:
        """Flows at several angles of attack or Mach numbers, each from the one before; the case is the last then.

        The first begins with the state and the history of the case, each other with those of the one before, so
        `stop_decades` counts from the largest residual of all. Returns an array for each of "alpha" or "mach", "lift", "drag", "side", "moment" [n, 3],
        "iterations" and "decades", and the list "end". After an end that is "diverged" no further flow is computed.

        Parameters
        ----------
        alpha, mach : sequence of float
            Either of them: the values, in degrees or as they are, in the order of the flows.
        iterations : int, optional
            Of each flow, by default those of the case.
        where, backend, variant, threads
            As for `lcs_length`.

        Examples
        --------
        >>> import wale.euler
        >>> foil = wale.euler.generate_mesh("o_grid", around=24, outward=8)
        >>> flow = wale.euler.Case(foil, stream={"mach": 0.5}, run={"stop_decades": 4})
        >>> polar = flow.polar(alpha=[0, 2], iterations=100, threads=1)
        >>> polar["end"], bool(polar["lift"][1] > 0.2 > abs(polar["lift"][0]))
        (['residual', 'residual'], True)
        """
        if (alpha is None) == (mach is None):
            raise _wale.BadArgument("polar: expected either alpha or mach")
        swept, values = ("alpha", alpha) if mach is None else ("mach", mach)
        points = reals(swept, values)
        if points.ndim > 1:
            raise _wale.BadArgument(f"{swept}: is {_inputs.shown(values)}, expected numbers along one axis")
        found: List[Tuple[float, FlowRun, float, Dict[str, np.ndarray]]] = []
        for value in points.tolist():
            before = self._flow
            setattr(self._options.stream, swept, value)
            self._flow = _wale.FlowCase(self.mesh.grid, self._options)
            self._flow.take_over(before)
            try:
                outcome = self.run(iterations, **run)
            except FloatingPointError:
                outcome = FlowRun(self.iteration - before.iteration, "diverged")
            found.append((value, outcome, self.decades, self.history))
            if outcome.end == "diverged":
                break
        last = {name: np.array([h[name][-1] for *_, h in found]) for name in COLUMNS if found}
        return {
            swept: np.array([value for value, *_ in found]),
            **{name: last.get(name, np.empty(0)) for name in ("lift", "drag", "side")},
            "moment": np.array([[h[f"moment_{axis}"][-1] for axis in "xyz"] for *_, h in found]).reshape(-1, 3),
            "iterations": np.array([outcome.iterations for _, outcome, *_ in found], int),
            "decades": np.array([decades for _, _, decades, _ in found]),
            "end": [outcome.end for _, outcome, *_ in found],
        }

    @property
    def iteration(self) -> int:
        """Iterations since the beginning."""
        return self._flow.iteration

    @property
    def time(self) -> float:
        """Reached; 0 where steps are local."""
        return self._flow.time

    @property
    def state(self) -> np.ndarray:
        """Density, momentum and energy of each cell, a unit of volume: [cells, 5]. May be assigned."""
        return self._flow.state()

    @state.setter
    def state(self, value: Any) -> None:
        self._flow.set_state(reals("state", value))

    @property
    def residual(self) -> np.ndarray:
        """d/dt of volume times each variable, [cells, 5]."""
        return self._flow.residual()

    @property
    def decades(self) -> float:
        """Powers of ten from the largest residual of density in the history to the last."""
        residual = self.history["residual_density"]
        if not residual.size or residual.max() == 0:
            return 0.0
        with np.errstate(divide="ignore"):
            return float(np.log10(residual.max() / residual[-1]))

    def warnings(self) -> List[str]:
        """A line for each part of the boundary whose kind does not suit the flow as it is now."""
        return self._flow.warnings()

    def verify(self) -> Dict[str, Any]:
        """What is wrong with the flow as it is: ``flaw``, or ""; and ``mass_in``, ``mass_out``, ``mass_change`` a second."""
        return dict(zip(("flaw", "mass_in", "mass_out", "mass_change"), self._flow.verdict()))

    def forces(self) -> Dict[str, Dict[str, Any]]:
        """Coefficients of each wall: drag, lift, side and moment (x, y, z)."""
        words = ("drag", "lift", "side", "moment")
        return {patch: dict(zip(words, (*numbers, tuple(moment)))) for patch, *numbers, moment in self._flow.forces()}

    def largest_residual(self) -> Tuple[int, Tuple[float, float, float], float]:
        """Where density changes most: the cell, its centre (0 without coordinates), d/dt of its density."""
        cell, (x, y, z), change = self._flow.largest_residual()
        return cell, (x, y, z), change

    @property
    def history(self) -> Dict[str, np.ndarray]:
        """Of all measurements: an array for each of COLUMNS."""
        rows = np.array(self._flow.history(), float).reshape(-1, len(COLUMNS))
        return {name: rows[:, k] for k, name in enumerate(COLUMNS)}

    def quantity(self, name: str) -> np.ndarray:
        """Of each cell: density, pressure, speed, mach, pressure_coefficient, total_enthalpy or entropy.

        Parameters
        ----------
        name : str
            One of those above.
        """
        return self._flow.quantity(_inputs.text("name", name))

    def slice(self, name: str = "mach", axis: int = 2, at: float = 0, shape: Sequence[int] = (640, 960)) -> np.ndarray:
        """A quantity in a plane, [rows, columns], NaN where no cell is.

        Parameters
        ----------
        name : str
            As for `quantity`.
        axis : {0, 1, 2}
            The plane's normal.
        at : float
            Where on that axis the plane lies.
        shape : (int, int)
            Rows and columns of the image.
        """
        size = tuple(shape) if isinstance(shape, Sequence) and not isinstance(shape, (str, bytes)) else ()
        if len(size) != 2:
            raise TypeError(f"shape: is {_inputs.shown(shape)}, expected (rows, columns)")
        place = _inputs.real("at", at)
        if place != place:
            raise _wale.BadArgument("at: is nan, expected a place on the axis")
        rows, columns = (_inputs.whole("shape", n) for n in size)
        return _wale.flow_slice(self.mesh.grid, self.quantity(name), _inputs.whole("axis", axis), place, columns, rows)

    def save(self, path: Path) -> None:
        """A checkpoint: state and history, bit for bit.

        Parameters
        ----------
        path : str or path
            Written whole or not at all.
        """
        name = _inputs.file_name("path", path)
        if name.endswith((".vtu", ".vtk", ".pvd")):
            raise _wale.BadArgument(f"path: is {name!r}, expected a checkpoint's name; write_vtu writes for ParaView")
        self._flow.save(name)

    def restore(self, path: Path) -> None:
        """Goes back to a checkpoint of this mesh.

        Parameters
        ----------
        path : str or path
            What `save` wrote.
        """
        self._flow.restore(_inputs.file_name("path", path))

    def write_vtu(self, path: Path, surface: bool = False) -> None:
        """The flow, or its surface, for ParaView.

        Parameters
        ----------
        path : str or path
            Written whole or not at all.
        surface : bool
            Only the faces of the boundary.
        """
        name = _inputs.file_name("path", path)
        if name.endswith(".vtk"):
            raise _wale.BadArgument(f"path: is {name!r}, expected a name that ends in .vtu: VTK's format of XML, not the older one")
        self._flow.write_vtu(name, _inputs.truth("surface", surface))

    def plot_convergence(self, ax: Any = None) -> Any:
        """Residual of density and drag over iterations, with matplotlib; returns the axes.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.
        """
        ax = axes_of(ax)
        history = self.history
        ax.semilogy(history["iteration"], history["residual_density"], label="residual of density")
        ax.set_xlabel("iteration")
        ax.set_ylabel("residual")
        twin = ax.twinx()
        twin.plot(history["iteration"], history["drag"], color="tab:red", label="drag")
        twin.set_ylabel("drag coefficient")
        ax.figure.legend(loc="upper right")
        return ax

    def plot_surface(self, patch: str = "wall", ax: Any = None) -> Any:
        """Pressure coefficient of a patch over x, with matplotlib; returns the axes. Needs corners.

        Parameters
        ----------
        patch : str
            Of the mesh.
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.
        """
        ax = axes_of(ax)
        grid = self.mesh
        if patch not in grid.patches:
            raise _wale.BadArgument(f"patch: is {_inputs.shown(patch)}, expected one of {', '.join(grid.patches)}")
        rows = np.flatnonzero(grid.neighbour == -1 - grid.patches.index(patch))
        cells = np.searchsorted(grid.first_face, rows, side="right") - 1
        ax.plot(grid.centre[cells, 0], self.quantity("pressure_coefficient")[cells], ".", markersize=2)
        ax.invert_yaxis()
        ax.set_xlabel("x")
        ax.set_ylabel("pressure coefficient")
        return ax

    def _repr_html_(self) -> str:
        fields = ("iteration", "since the beginning"), ("time", "reached; 0 where steps are local")
        return _wale.html_table(self, [*fields, ("decades", "that the residual fell"), ("mesh", "of the flow")])

    def __reduce__(self) -> Any:
        raise TypeError("a Case has no copy and no pickle: save(path) writes a checkpoint, restore(path) reads it")

    def __repr__(self) -> str:
        return f"<wale.euler.Case: {self.mesh.cells} cells, iteration {self.iteration}>"
