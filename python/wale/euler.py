"""Flow round a body on an unstructured mesh: meshes, cases, and what came of them.

A case is said in the words of its TOML file (docs/guide/euler.md), as nested dictionaries or as a file.

Examples
--------
>>> import wale.euler
>>> grid = wale.euler.generate_mesh("shell", size=2000)
>>> flow = wale.euler.Case(grid, stream={"mach": 0.5}, scheme={"flux": "rusanov", "order": 1})
>>> flow.run(10, threads=1).iterations
10
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _inputs, _wale
from ._call import Call, Run
from ._where import remember

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Case", "FlowRun", "Mesh", "MeshReport", "generate_mesh", "read_mesh"]

Words = Mapping[str, Any]
Path = Union[str, "os.PathLike[str]"]

#: Columns of `Case.history`, in their order.
COLUMNS = (
    "iteration", "time", "residual_density", "residual_momentum_x", "residual_momentum_y", "residual_momentum_z",
    "residual_energy", "drag", "lift", "side", "moment_x", "moment_y", "moment_z", "total_mass",
    "total_momentum_x", "total_momentum_y", "total_momentum_z", "total_energy",
)


class MeshReport(NamedTuple):
    """What a check of a mesh found; `verdict` is empty if a flow can be computed on it."""

    verdict: str
    open_cells: int
    not_mutual: int
    not_positive: int
    closure: float
    reciprocity: float
    volume: float
    area_factor: float
    bandwidth: int


class Mesh:
    """Cells and the faces between them. Made by `read_mesh`, `generate_mesh` or `Mesh.from_cells`.

    Examples
    --------
    >>> import numpy as np, wale.euler
    >>> points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    >>> square = wale.euler.Mesh.from_cells(points, "triangle", [[0, 1, 2], [0, 2, 3]])
    >>> square.volume
    array([0.5, 0.5])
    >>> square.patches
    ['unnamed']
    """

    def __init__(self, grid: Any) -> None:
        self._grid = grid

    @classmethod
    def from_cells(
        cls, points: Any, shape: str, cells: Any, patches: Optional[Mapping[str, Any]] = None
    ) -> "Mesh":
        """Of cells of one shape: "triangle", "quadrilateral", "tetrahedron", "pyramid", "prism", "hexahedron".

        Parameters
        ----------
        points : array, [points, 3]
        cells : array of int, [cells, corners]
            Places in `points`, in VTK's order.
        patches : dict, optional
            Of each part of the boundary its elements, [elements, corners]; faces of none are "unnamed".
        """
        named = [(name, _places(at)) for name, at in (patches or {}).items()]
        return cls(_wale.build_flow_mesh(_reals("points", points), shape, _places(cells), named))

    @property
    def cells(self) -> int:
        """How many there are."""
        return self._grid.cells

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return self._grid.dimensions

    @property
    def patches(self) -> List[str]:
        """Names of the boundary's parts."""
        return list(self._grid.patches)

    @property
    def has_points(self) -> bool:
        """Whether corners are known; a file such as fvcorr has none: see `recover`."""
        return self._grid.has_points

    @property
    def volume(self) -> np.ndarray:
        """Of each cell."""
        return self._grid.volume()

    @property
    def centre(self) -> np.ndarray:
        """[cells, 3]; empty without corners."""
        return self._grid.centre()

    @property
    def points(self) -> np.ndarray:
        """[points, 3]; empty without corners."""
        return self._grid.points()

    @property
    def first_face(self) -> np.ndarray:
        """[cells + 1]: the faces of cell c are rows first_face[c] to first_face[c + 1]."""
        return self._grid.first_face()

    @property
    def neighbour(self) -> np.ndarray:
        """[rows]: the cell at the other side, or -1 - patch."""
        return self._grid.neighbour()

    @property
    def normal(self) -> np.ndarray:
        """[rows, 3]: outward, as long as the face is large."""
        return self._grid.normal()

    def recover(self) -> float:
        """Gives tetrahedra their corners back, where the file had none; returns the worst mismatch over an edge."""
        return self._grid.recover()

    def renumbered(self, order: str) -> "Mesh":
        """With cells in the order "random", "reverse_cuthill_mckee" or "hilbert"."""
        return Mesh(self._grid.renumbered(order))

    def partition(self, parts: int) -> np.ndarray:
        """The part, 0 to parts - 1, of each cell."""
        return self._grid.partition(_inputs.whole("parts", parts))

    def inspect(self) -> MeshReport:
        """Closure, reciprocity, volumes and the like."""
        return MeshReport(*self._grid.inspect())

    def save(self, path: Path, format: Optional[str] = None) -> None:
        """Writes "fvcorr", "sac", "su2", "cache" or "vtu"; by the file's name unless said."""
        name = os.fspath(path)
        suffix = os.path.splitext(name)[1][1:]
        self._grid.save(name, format or {"wmesh": "cache"}.get(suffix, suffix))

    def __repr__(self) -> str:
        return f"<wale.euler.Mesh: {self.cells} cells, patches {', '.join(self.patches)}>"


def read_mesh(path: Path, open_ends: bool = False) -> Mesh:
    """Reads fvcorr, SAC's lists, SU2 or Wale's cache, told apart by their content.

    Parameters
    ----------
    open_ends : bool
        Neighbours beyond the end of the file become the far field: for files that are the beginning of another.
    """
    return Mesh(_wale.read_flow_mesh(os.fspath(path), open_ends))


def generate_mesh(kind: str, **words: Any) -> Mesh:
    """A made-up mesh: "shell" (round an ellipsoid), "wedge", "bump", "box" or "tube".

    Examples
    --------
    >>> import wale.euler
    >>> wale.euler.generate_mesh("tube", size=100, shape="quadrilateral").dimensions
    2
    """
    setup = _wale.parse_flow_setup(_toml({"mesh": {"generate": kind, **words}}), "generate_mesh")
    return Mesh(setup.mesh())


class FlowRun(NamedTuple):
    """What some iterations came to: how many there were, and why they ended.

    `end` is "iterations", "residual", "force", "time", "asked" or, where the case has a stop rule that was not
    met, "not_converged".
    """

    iterations: int
    end: str


class Case:
    """A flow that lives.

    Parameters
    ----------
    mesh : Mesh, optional
        Else as `mesh` of the words says.
    stream, scheme, boundary, run, reference, mesh_words : dict
        The tables of a case's file.

    Examples
    --------
    The published benchmark of Rodinia, in float32, on a small mesh:

    >>> import wale.euler
    >>> grid = wale.euler.generate_mesh("shell", size=1500)
    >>> flow = wale.euler.Case(grid, scheme={"name": "rodinia"}, run={"precision": "f32"})
    >>> flow.run(20, backend="reference")
    FlowRun(iterations=20, end='iterations')
    >>> flow.state.shape == (grid.cells, 5)
    True
    """

    def __init__(
        self,
        mesh: Optional[Mesh] = None,
        *,
        stream: Optional[Words] = None,
        scheme: Optional[Words] = None,
        boundary: Optional[Words] = None,
        run: Optional[Words] = None,
        reference: Optional[Words] = None,
        mesh_words: Optional[Words] = None,
    ) -> None:
        # A case's text always names a mesh; with one at hand it is not looked at.
        words = {"mesh": mesh_words or {"generate": "tube"}, "stream": stream, "scheme": scheme,
                 "boundary": boundary, "run": run, "reference": reference}
        if (mesh is None) == (mesh_words is None):
            raise ValueError("expected either mesh or mesh_words")
        text = _toml({name: table for name, table in words.items() if table is not None})
        self._begin(_wale.parse_flow_setup(text, "the case"), mesh)

    @classmethod
    def read(cls, path: Path) -> "Case":
        """The case of a TOML file."""
        case = cls.__new__(cls)
        case._begin(_wale.read_flow_setup(os.fspath(path)), None)
        return case

    def _begin(self, setup: Any, mesh: Optional[Mesh]) -> None:
        self.mesh = mesh if mesh is not None else Mesh(setup.mesh())
        self._iterations = setup.iterations
        self._flow = _wale.LivingFlow(self.mesh._grid, setup)

    def run(
        self,
        iterations: Optional[int] = None,
        watch: Optional[Callable[[int, float], bool]] = None,
        **run: "Unpack[Run]",
    ) -> FlowRun:
        """Up to `iterations` more (else those of the case); `watch(iteration, residual)` may end it by False.

        `watch` may look at `state`; what it raises ends the run too, and the flow stays as it was measured.

        The keywords `where`, `backend`, `variant`, `threads` are those of all functions. Raises
        FloatingPointError where the flow is no gas any more; it is then as at the last measurement before.
        """
        call = Call(run, None)
        count = self._iterations if iterations is None else _inputs.whole("iterations", iterations, 64)
        outcome = self._flow.run(call.at, count, call.variant, watch)
        remember(outcome.run)
        if outcome.bad_cell >= 0:
            raise FloatingPointError(
                f"cell {outcome.bad_cell} is no gas after iteration {outcome.bad_iteration}"
            )
        return FlowRun(outcome.iterations, outcome.end)

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
        self._flow.set_state(_reals("state", value))

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
        """Of each cell: density, pressure, speed, mach, pressure_coefficient, total_enthalpy or entropy."""
        return self._flow.quantity(name)

    def slice(self, name: str = "mach", axis: int = 2, at: float = 0, shape: Sequence[int] = (640, 960)) -> np.ndarray:
        """A quantity in a plane, [rows, columns], NaN where no cell is."""
        return _wale.flow_slice(self.mesh._grid, self.quantity(name), _inputs.whole("axis", axis), at, *(_inputs.whole("shape", n) for n in shape[::-1]))

    def save(self, path: Path) -> None:
        """A checkpoint: state and history, bit for bit."""
        self._flow.save(os.fspath(path))

    def restore(self, path: Path) -> None:
        """Goes back to a checkpoint of this mesh."""
        self._flow.restore(os.fspath(path))

    def write_vtu(self, path: Path, surface: bool = False) -> None:
        """The flow, or its surface, for ParaView."""
        self._flow.write_vtu(os.fspath(path), surface)

    def plot_convergence(self, ax: Any = None) -> Any:
        """Residual of density and drag over iterations, with matplotlib; returns the axes."""
        ax = ax if ax is not None else _axes()
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
        """Pressure coefficient of a patch over x, with matplotlib; returns the axes. Needs corners."""
        ax = ax if ax is not None else _axes()
        grid = self.mesh
        rows = np.flatnonzero(grid.neighbour == -1 - grid.patches.index(patch))
        cells = np.searchsorted(grid.first_face, rows, side="right") - 1
        ax.plot(grid.centre[cells, 0], self.quantity("pressure_coefficient")[cells], ".", markersize=2)
        ax.invert_yaxis()
        ax.set_xlabel("x")
        ax.set_ylabel("pressure coefficient")
        return ax

    def __repr__(self) -> str:
        return f"<wale.euler.Case: {self.mesh.cells} cells, iteration {self.iteration}>"


def _places(at: Any) -> np.ndarray:
    """As int32, where that holds them."""
    return _inputs.exact_integers("places in points", at, np.int32)


def _reals(name: str, value: Any) -> np.ndarray:
    return np.ascontiguousarray(_inputs.real_array(name, value), float)


def _axes() -> Any:
    from matplotlib import pyplot

    return pyplot.subplots()[1]


def _text(v: str) -> str:
    """In TOML's double quotes; its escapes are JSON's, but for letters beyond the first 65536."""
    return json.dumps(v, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml(words: Words) -> str:
    """Nested dictionaries as TOML; every key is quoted, since patches may have any name."""

    def value(v: Any) -> str:
        if isinstance(v, Mapping):
            return "{ " + ", ".join(f"{_text(str(k))} = {value(x)}" for k, x in v.items()) + " }"
        if isinstance(v, (bool, np.bool_)):
            return "true" if v else "false"
        if isinstance(v, (int, np.integer)):
            return str(int(v))
        if isinstance(v, (float, np.floating)):
            return repr(float(v))
        if isinstance(v, str):
            return _text(v)
        if isinstance(v, (list, tuple, np.ndarray)):
            return "[" + ", ".join(value(x) for x in v) + "]"
        raise TypeError(f"expected numbers, texts, lists and dictionaries, not {type(v).__name__}")

    return "".join(f"{_text(name)} = {value(table)}\n" for name, table in words.items())
