"""Meshes of flows: cells and the faces between them; read, generated, or made of arrays."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _inputs, _wale
from ._call import filled
from ._wale import MeshReport

Words = Mapping[str, Any]
Path = Union[str, "os.PathLike[str]"]


def _places(at: Any) -> np.ndarray:
    """As int32, where that holds them."""
    return _inputs.exact_integers("places in points", at, np.int32)


def reals(name: str, value: Any) -> np.ndarray:
    return np.ascontiguousarray(_inputs.real_array(name, value), float)


#: meshio's cells: their shape here, and its dimensions.
_MESHIO_SHAPES = {
    "line": ("segment", 1), "triangle": ("triangle", 2), "quad": ("quadrilateral", 2), "tetra": ("tetrahedron", 3),
    "pyramid": ("pyramid", 3), "wedge": ("prism", 3), "hexahedron": ("hexahedron", 3),
}


def _meshio_shape(kind: str) -> Tuple[str, int]:
    if kind not in _MESHIO_SHAPES:
        raise _wale.BadArgument(f"mesh: cells '{kind}', expected vertex, {', '.join(_MESHIO_SHAPES)}")
    return _MESHIO_SHAPES[kind]


def _flat(points: np.ndarray, cells: Sequence[Tuple[str, np.ndarray]]) -> np.ndarray:
    """With z = 0, where the corners of cells have one z."""
    corners = np.concatenate([at.ravel() for _, at in cells])
    if corners.size and (corners.min() < 0 or corners.max() >= len(points)):
        raise _wale.BadArgument(f"mesh: a corner beyond the points, expected 0 to {len(points) - 1}")
    z = points[corners, 2]
    if z.size and z.min() != z.max():
        raise _wale.BadArgument(f"mesh: z from {z.min()} to {z.max()} without solid cells, expected one z")
    return points * [1.0, 1.0, 0.0]


def recipe_of(kind: str, words: Words) -> _wale.MeshRecipe:
    shape = "tetrahedron" if kind == "shell" else "quadrilateral"
    return filled(_wale.MeshRecipe(), {"kind": kind, "shape": shape, **words})


class Mesh:
    """Cells and the faces between them. Made by `read_mesh`, `generate_mesh`, `Mesh.from_cells` or
    `Mesh.from_meshio`.

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
        if not isinstance(grid, _wale.FlowMesh):
            made = "read_mesh, generate_mesh, Mesh.from_cells or Mesh.from_meshio"
            raise TypeError(f"grid: is {_inputs.shown(grid)}, expected a mesh of {made}")
        self.grid = grid

    def __reduce__(self) -> Tuple[Any, ...]:
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "mesh.wmesh")
            self.save(name)
            with open(name, "rb") as file:
                return _unpickled, (file.read(),)

    def __copy__(self) -> "Mesh":
        return Mesh(self.grid)

    @classmethod
    def from_cells(
        cls, points: Any, shape: str, cells: Any, patches: Optional[Mapping[str, Any]] = None
    ) -> "Mesh":
        """Of cells of one shape: "triangle", "quadrilateral", "tetrahedron", "pyramid", "prism", "hexahedron".

        Parameters
        ----------
        points : array, [points, 3]
        shape : str
            Of all cells.
        cells : array of int, [cells, corners]
            Places in `points`, in VTK's order.
        patches : dict, optional
            Of each part of the boundary its elements, [elements, corners]; faces of none are "unnamed".
        """
        if not isinstance(patches, (Mapping, type(None))):
            raise TypeError(f"patches: is {_inputs.shown(patches)}, expected a dictionary of names and elements")
        named = [(_inputs.text("patches", name), _places(at)) for name, at in (patches or {}).items()]
        shape = _inputs.text("shape", shape)
        return cls(_wale.build_flow_mesh(reals("points", points), [(shape, _places(cells))], named))

    @classmethod
    def from_meshio(cls, mesh: Any) -> "Mesh":
        """Of a `meshio.Mesh`, whose cells of the highest dimension are the cells.

        Elements of one dimension less that have a physical group (cell data "gmsh:physical") are patches, of the
        group's name in `field_data`, else of its number; faces of none are "unnamed". Without solid cells the mesh
        is in 2-D, and all z must be equal.

        Parameters
        ----------
        mesh : meshio.Mesh
            Of first order: no "triangle6" and the like.
        """
        if not (hasattr(mesh, "points") and hasattr(mesh, "cell_data")):
            raise TypeError(f"mesh: is {_inputs.shown(mesh)}, expected a meshio.Mesh (meshio.read)")
        points = reals("points", mesh.points)
        if points.ndim == 2 and points.shape[1] == 2:
            points = np.column_stack([points, np.zeros(len(points))])
        tags = mesh.cell_data.get("gmsh:physical", [None] * len(mesh.cells))
        blocks = [(*_meshio_shape(block.type), _places(block.data), group)
                  for block, group in zip(mesh.cells, tags) if block.type != "vertex"]
        dimensions = max((dimension for _, dimension, _, _ in blocks), default=0)
        cells = [(shape, at) for shape, dimension, at, _ in blocks if dimension == dimensions]
        if dimensions < 2:
            raise _wale.BadArgument("mesh: no cells, expected triangles, quads, tetra, pyramids, wedges or hexahedra")
        if dimensions == 2:
            points = _flat(points, cells)
        names = {(int(dimension), int(group)): name for name, (group, dimension) in mesh.field_data.items()}
        patches = []
        for _, dimension, at, groups in blocks:
            if dimension != dimensions - 1 or groups is None:
                continue
            groups = np.abs(np.asarray(groups))
            patches += [(names.get((dimension, group), str(group)), at[groups == group])
                        for group in dict.fromkeys(groups.tolist()) if group != 0]
        return cls(_wale.build_flow_mesh(points, cells, patches))

    @property
    def cells(self) -> int:
        """How many there are."""
        return self.grid.cells

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return self.grid.dimensions

    @property
    def patches(self) -> List[str]:
        """Names of the boundary's parts."""
        return list(self.grid.patches)

    @property
    def has_points(self) -> bool:
        """Whether corners are known; a file such as fvcorr has none: see `recover`."""
        return self.grid.has_points

    @property
    def volume(self) -> np.ndarray:
        """Of each cell."""
        return self.grid.volume()

    @property
    def centre(self) -> np.ndarray:
        """[cells, 3]; empty without corners."""
        return self.grid.centre()

    @property
    def points(self) -> np.ndarray:
        """[points, 3]; empty without corners."""
        return self.grid.points()

    @property
    def first_face(self) -> np.ndarray:
        """[cells + 1]: the faces of cell c are rows first_face[c] to first_face[c + 1]."""
        return self.grid.first_face()

    @property
    def neighbour(self) -> np.ndarray:
        """[rows]: the cell at the other side, or -1 - patch."""
        return self.grid.neighbour()

    @property
    def normal(self) -> np.ndarray:
        """[rows, 3]: outward, as long as the face is large."""
        return self.grid.normal()

    def recover(self) -> float:
        """Gives tetrahedra their corners back, where the file had none; returns the worst mismatch over an edge."""
        return self.grid.recover()

    def renumbered(self, order: str) -> "Mesh":
        """With cells in the order "random", "reverse_cuthill_mckee" or "hilbert".

        Parameters
        ----------
        order : str
            One of those above, or "natural".
        """
        return Mesh(self.grid.renumbered(_inputs.text("order", order)))

    def partition(self, parts: int) -> np.ndarray:
        """The part, 0 to parts - 1, of each cell.

        Parameters
        ----------
        parts : int
            How many, 1 or more.
        """
        return self.grid.partition(_inputs.whole("parts", parts))

    def inspect(self) -> MeshReport:
        """Closure, reciprocity, volumes and the like."""
        return self.grid.inspect()

    def save(self, path: Path, format: Optional[str] = None) -> None:
        """Writes "fvcorr", "sac", "su2", "cache" or "vtu"; by the file's name unless said.

        Parameters
        ----------
        path : str or path
            Written whole or not at all.
        format : str, optional
            By default that of the file's name.
        """
        name = _inputs.file_name("path", path)
        suffix = os.path.splitext(name)[1][1:]
        self.grid.save(name, {"wmesh": "cache"}.get(suffix, suffix) if format is None else _inputs.text("format", format))

    def _repr_html_(self) -> str:
        fields = ("cells", "number"), ("dimensions", "2 or 3"), ("patches", "names of the boundary's parts")
        return _wale.html_table(self, list(fields))

    def __repr__(self) -> str:
        return f"<wale.euler.Mesh: {self.cells} cells, patches {', '.join(self.patches)}>"


def _unpickled(cache: bytes) -> Mesh:
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "mesh.wmesh")
        with open(name, "wb") as file:
            file.write(cache)
        return read_mesh(name)


def mesh_of(given: Any) -> Mesh:
    """A mesh, or that of a file."""
    mesh = read_mesh(given) if isinstance(given, (str, os.PathLike)) else given
    if not isinstance(mesh, Mesh):
        raise TypeError(f"mesh: is {_inputs.shown(mesh)}, expected a wale.euler.Mesh or a path")
    return mesh


def read_mesh(path: Path, open_ends: bool = False) -> Mesh:
    """Reads fvcorr, SAC's lists, SU2, Gmsh (2.2 and 4.1), CGNS, polyMesh or Wale's cache, distinguished by content.

    Parameters
    ----------
    path : str or path
    open_ends : bool
        Neighbours beyond the end of the file become the far field: for files that are the beginning of another.
    """
    return Mesh(_wale.read_flow_mesh(_inputs.file_name("path", path), _inputs.truth("open_ends", open_ends)))


def generate_mesh(kind: str, **words: Any) -> Mesh:
    """A made-up mesh: "shell" (round an ellipsoid), "wedge", "bump", "box", "tube", "o_grid" or "c_grid" (round a section).

    Parameters
    ----------
    kind : str
    **words
        Of the recipe, such as size (cells, nearly), shape, outer; a wrong one is answered with the list. Round a
        section: section ("2412": NACA's four digits), around and outward (cells), outer (chords to the far field).

    Examples
    --------
    >>> import wale.euler
    >>> wale.euler.generate_mesh("o_grid", section="2412", around=60, outward=20).cells
    1200
    >>> wale.euler.generate_mesh("tube", size=100, shape="quadrilateral").dimensions
    2
    """
    return Mesh(_wale.generate_flow_mesh(recipe_of(kind, words)))


def mesh_of_words(words: Dict[str, Any], options: _wale.FlowOptions) -> Mesh:
    """The mesh that a table `mesh` names: a file, or a recipe."""
    if "order" in words:
        options.set_order(_inputs.text("mesh.order", words.pop("order")))
    if ("file" in words) == ("generate" in words):
        raise _wale.BadArgument("mesh: expected either file or generate")
    if "generate" in words:
        return Mesh(_wale.generate_flow_mesh(recipe_of(words.pop("generate"), words)))
    path, open_ends, recover = words.pop("file"), words.pop("open_ends", False), words.pop("recover", False)
    if words:
        raise _wale.BadArgument(f"mesh.{next(iter(words))}: unknown word, expected file, open_ends, order or recover")
    mesh = read_mesh(path, open_ends)
    if recover and not mesh.has_points:
        mesh.recover()
    return mesh
