"""Gmsh's files and meshio's meshes are what the same mesh is in SU2."""

import meshio
import numpy as np
import pytest

import wale
import wale.euler

MESHES = [("bump", {"shape": "triangle"}), ("wedge", {"shape": "quadrilateral"}), ("shell", {}),
          ("bump", {"shape": "hexahedron"}), ("bump", {"shape": "prism"})]
FORMS = [("gmsh22", False), ("gmsh22", True), ("gmsh", False), ("gmsh", True)]


def su2_parts(path):
    """Points, blocks of (kind, corners) and patches {name: rows of corners} of an SU2 file that Wale wrote."""
    kinds = {3: "line", 5: "triangle", 9: "quad", 10: "tetra", 12: "hexahedron", 13: "wedge"}
    lines = iter(path.read_text().splitlines())
    points, cells, patches = [], [], {}

    def elements(count):
        rows = [list(map(int, next(lines).split())) for _ in range(count)]
        return [(kinds[row[0]], row[1:]) for row in rows]

    for line in lines:
        key, value = line.split("= ")
        if key == "NDIME":
            dimensions = int(value)
        elif key == "NELEM":
            cells = elements(int(value))
        elif key == "NPOIN":
            points = [list(map(float, next(lines).split())) for _ in range(int(value))]
        elif key == "MARKER_TAG":
            patches[value] = elements(int(next(lines).split("= ")[1]))
    assert dimensions == len(points[0])
    return np.column_stack([points, np.zeros((len(points), 3 - dimensions))]), cells, patches


def meshio_mesh(path):
    """The same as an object of meshio: physical groups of sparse numbers, the second one without a name."""
    points, cells, patches = su2_parts(path)
    blocks, groups, names = [], [], {}
    for number, (name, elements) in enumerate(patches.items()):
        group = 7 + 5 * number
        if number != 1:
            names[name] = np.array([group, 1 if points[:, 2].any() == 0 else 2])
        for kind in dict.fromkeys(kind for kind, _ in elements):
            blocks.append((kind, np.array([row for k, row in elements if k == kind])))
            groups.append(np.full(len(blocks[-1][1]), group))
    kind = cells[0][0]
    blocks.append((kind, np.array([row for _, row in cells])))
    groups.append(np.full(len(cells), 1))
    return meshio.Mesh(points, blocks, field_data=names,
                       cell_data={"gmsh:physical": groups, "gmsh:geometrical": groups})


def with_entities(mesh):
    """Format 4.1 names groups by entities, which meshio takes from those of the points."""
    points = np.zeros((len(mesh.points), 2), int)
    for block, groups in reversed(list(zip(mesh.cells, mesh.cell_data["gmsh:geometrical"]))):
        points[block.data.ravel()] = [block.dim, groups[0]]
    mesh.point_data["gmsh:dim_tags"] = points
    return mesh


def same(found, expected):
    assert found.dimensions == expected.dimensions
    for part in "points", "first_face", "neighbour", "normal", "volume", "centre":
        np.testing.assert_array_equal(getattr(found, part), getattr(expected, part), part)


@pytest.fixture(params=MESHES, ids=lambda m: f"{m[0]}-{m[1].get('shape', 'tetrahedron')}")
def pair(request, tmp_path):
    """A mesh as Wale reads it from SU2, and in meshio's form."""
    kind, words = request.param
    wale.euler.generate_mesh(kind, size=300, distortion=0.1, **words).save(tmp_path / "m.su2")
    return wale.euler.read_mesh(tmp_path / "m.su2"), meshio_mesh(tmp_path / "m.su2")


def renamed(patches):
    return [patches[0], "12", *patches[2:]]


def test_meshio_objects(pair):
    expected, mesh = pair
    found = wale.euler.Mesh.from_meshio(mesh)
    same(found, expected)
    assert found.patches == renamed(expected.patches)


@pytest.mark.parametrize("form, binary", FORMS)
def test_gmsh_files_by_meshio(pair, tmp_path, form, binary):
    expected, mesh = pair
    path = tmp_path / "m.msh"
    meshio.write(path, mesh if form == "gmsh22" else with_entities(mesh), form, binary=binary, float_fmt=".17g")
    found = wale.euler.read_mesh(path)
    same(found, expected)
    assert found.patches == renamed(expected.patches)
    if form == "gmsh22":  # from 4.1 meshio keeps the points in the order of the file's blocks
        same(wale.euler.Mesh.from_meshio(meshio.read(path)), expected)


def test_flows_on_gmsh_files(tmp_path):
    wale.euler.generate_mesh("bump", size=300, shape="triangle").save(tmp_path / "m.su2")
    mesh = meshio_mesh(tmp_path / "m.su2")
    mesh.field_data = {name: np.array([7 + 5 * i, 1]) for i, name in enumerate(su2_parts(tmp_path / "m.su2")[2])}
    meshio.write(tmp_path / "m.msh", mesh, "gmsh22", binary=True)
    states = []
    for name in "m.su2", "m.msh":
        grid = wale.euler.read_mesh(tmp_path / name)
        assert grid.patches == list(mesh.field_data)
        flow = wale.euler.Case(grid, stream={"mach": 0.5})
        flow.run(20, threads=1)
        states.append(flow.state)
    np.testing.assert_array_equal(*states)


def test_meshio_objects_that_are_no_mesh():
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 2]], float)
    for cells, message in (([("line", [[0, 1]])], "no cells"), ([("triangle6", [[0, 1, 2, 0, 1, 2]])], "'triangle6'"),
                           ([("triangle", [[0, 1, 2]])], "z from 0.0 to 2.0"),
                           ([("triangle", [[0, 1, 3]])], "expected 0 to 2")):
        with pytest.raises(wale.BadArgument, match=message):
            wale.euler.Mesh.from_meshio(meshio.Mesh(points, cells))
    flat = wale.euler.Mesh.from_meshio(meshio.Mesh(points[:, :2], [("triangle", [[0, 1, 2]])]))
    assert flat.volume.tolist() == [0.5]
    assert flat.patches == ["unnamed"]
