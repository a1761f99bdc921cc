#!/usr/bin/env python3
"""mesh_seeds.py FOLDER - small meshes and checkpoints of flows from which the fuzzers start."""

import struct

from image_seeds import write

# Two tetrahedra: volume, then neighbour (cells from 1) and normal of four faces.
CELLS = [
    ("0.1666667E+00", [(2, 1, 1, 1), (0, -1, 0, 0), (-1, 0, -1, 0), (-1, 0, 0, -1)]),
    ("0.3333333E+00", [(1, -1, -1, -1), (0, -1, 1, 1), (0, 1, -1, 1), (-2, 1, 1, -1)]),
]
SQUARE = """% a square of two triangles
NDIME= 2
NELEM= 2
5 0 1 2 0
5 0 2 3 1
NPOIN= 4
0 0 0
1 0 1
1 1 2
0 1 3
NMARK= 2
MARKER_TAG= low
MARKER_ELEMS= 1
3 0 1
MARKER_TAG= rest
MARKER_ELEMS= 2
3 1 2
3 2 3
"""
TETRAHEDRON = """NDIME=3
NPOIN=4
0 0 0
1 0 0
0 1 0
0 0 1
NELEM=1
10 0 1 2 3
NMARK=0
"""


def fvcorr(columns):
    word = (lambda w, n: str(w).rjust(n)) if columns else (lambda w, n: " " + str(w))
    text = word(len(CELLS), 10) + "\n"
    for volume, faces in CELLS:
        text += word(volume, 15)
        for neighbour, *normal in faces:
            text += word(neighbour, 10) + "".join(word(f"{n:.6E}", 15) for n in normal)
        text += "\n"
    return text.encode()


def sac(by_component=False):
    faces = [[cell[1][k] for cell in CELLS] for k in range(4)]
    volumes = " ".join(v for v, _ in CELLS)
    neighbours = " ".join("[1,2:" + " ".join(str(f[0] - 1) for f in row) + "]" for row in faces)
    normals = " ".join("[1,2:" + " ".join(" ".join(map(str, f[1:])) for f in row) + "]" for row in faces)
    normals = f"[1,4:{normals}]"
    if by_component:
        parts = ["".join(f" {-float(face[1 + d])}" for _, cell in CELLS for face in cell) for d in range(3)]
        normals = "[1,3:" + "".join(f"[1,4:{part}]" for part in parts) + "]"
    return f"[1,2: {volumes}]\n[1,4:{neighbours}]\n{normals}\n".encode()


def cache(patches, first_face, neighbour, opposite, volume):
    """Without a checksum: the target gives it one."""
    def filled(data):
        return data + bytes(-len(data) % 8)

    names = b"".join(p.encode() + b"\0" for p in patches)
    rows = len(neighbour)
    head = b"\x93WALEMSH" + struct.pack("=II6q4idQ", 0x01020304, 1, len(volume), rows, 0, 0, len(patches), len(names),
                                        3, 0, 0, 0, 1.0, 0)
    return head + b"".join(filled(part) for part in (
        struct.pack(f"={len(first_face)}q", *first_face), struct.pack(f"={rows}i", *neighbour), bytes(opposite),
        struct.pack(f"={3 * rows}d", *([1.0] * 3 * rows)), struct.pack(f"={len(volume)}d", *volume), names))


def checkpoint(cells, samples):
    """Of a flow; the fuzz target makes the checksum right."""
    head = struct.pack("=8sQQQQqdQ", b"waleflow", 0x0102030405060708, 1, cells, samples, 7, 0.5, 0)
    return head + struct.pack(f"={18 * samples + 5 * cells}d", *range(18 * samples + 5 * cells))


def gmsh_2(order=""):
    """Two triangles and an edge in Gmsh's format 2.2: as text, or as numbers in a byte order."""
    points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    elements = [(1, 3, 1, 2), (2, 1, 1, 2, 3), (2, 1, 1, 3, 4)]
    if order:
        nodes = b"".join(struct.pack(order + "i3d", i + 1, *p) for i, p in enumerate(points))
        cells = b"".join(struct.pack(f"{order}{6 + len(rest)}i", kind, 1, 2, i + 1, group, 5, *rest)
                         for i, (kind, group, *rest) in enumerate(elements))
    else:
        nodes = "".join(f"{i + 1} {p[0]} {p[1]} {p[2]}\n" for i, p in enumerate(points)).encode()
        cells = "".join(f"{i + 1} {kind} 2 {group} 5 {' '.join(map(str, rest))}\n"
                        for i, (kind, group, *rest) in enumerate(elements)).encode()
    return gmsh_head("2.2", order) + b"".join((
        b'$PhysicalNames\n1\n1 3 "low"\n$EndPhysicalNames\n$Nodes\n4\n', nodes, b"\n$EndNodes\n$Elements\n3\n", cells,
        b"\n$EndElements\n"))


def gmsh_4(order=""):
    """A tetrahedron and one of its faces in format 4.1."""
    def numbers(form, *values):
        return struct.pack(order + form, *values) if order else (" ".join(map(str, values)) + "\n").encode()

    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    return gmsh_head("4.1", order) + b"".join((
        b"$Entities\n", numbers("4q", 0, 0, 1, 0), numbers("i6dqiqi", 8, 0, 0, 0, 1, 1, 0, 1, 3, 1, -5),
        b"\n$EndEntities\n$Nodes\n", numbers("4q", 1, 4, 1, 4), numbers("3iq", 3, 1, 0, 4),
        *(numbers("q", i + 1) for i in range(4)), *(numbers("3d", *p) for p in points),
        b"\n$EndNodes\n$Elements\n", numbers("4q", 2, 2, 1, 2),
        numbers("3iq", 2, 8, 2, 1), numbers("4q", 1, 1, 2, 3), numbers("3iq", 3, 1, 4, 1), numbers("5q", 2, 1, 2, 3, 4),
        b"\n$EndElements\n"))


def gmsh_head(version, order):
    one = struct.pack(order + "i", 1) + b"\n" if order else b""
    return f"$MeshFormat\n{version} {int(bool(order))} 8\n".encode() + one + b"$EndMeshFormat\n"


SEEDS = {
    "checkpoint/none": checkpoint(0, 0),
    "checkpoint/two": checkpoint(2, 1),
    "checkpoint/cut": checkpoint(3, 2)[:-8],
    "mesh_fvcorr/columns": fvcorr(True),
    "mesh_fvcorr/words": fvcorr(False),
    "mesh_fvcorr/none": b"0\n",
    "mesh_fvcorr/huge": b"99999999\n1 2 3\n",
    "mesh_sac/two": sac(),
    "mesh_sac/by_component": sac(True),
    "mesh_sac/none": b"[1,0:]\n[1,4:]\n[1,4:]\n",
    **{f"mesh_gmsh/{make.__name__}_{name}": make(order) for make in (gmsh_2, gmsh_4)
       for name, order in (("text", ""), ("little", "<"), ("big", ">"))},
    "mesh_su2/square": SQUARE.encode(),
    "mesh_su2/tetrahedron": TETRAHEDRON.encode(),
    "mesh_su2/crlf": SQUARE.replace("\n", "\r\n").encode(),
    "mesh_cache/two": cache(["wall"], [0, 2, 4], [1, -1, 0, -1], [0, 0, 0, 0], [1.0, 2.0]),
    "mesh_cache/none": cache([], [0], [], [], []),
}


if __name__ == "__main__":
    write(SEEDS)
