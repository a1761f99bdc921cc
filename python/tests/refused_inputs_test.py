"""Inputs that no answer could be right for end in an error that names them."""

import numpy as np
import pytest
import wale
import wale.euler
from inputs import A, B, FOLDER, GREY, GRID, LU, MASKED, PIV, SQUARE

MISSING = "without masked elements"
CELL = wale.Cable(wale.grow_neuron(FOLDER / "refused.swc", levels=1))
FLOW = wale.euler.Case(GRID)
# Inputs that no answer could be right for: the call, the error and what its message names.
REFUSED = {
    "symbols, None": (lambda: wale.edit_distance(None, "ab"), TypeError, "a: is NoneType"),
    "bound, truth": (lambda: wale.edit_distance("a", "b", bound=True), TypeError, "bound: is True"),
    "bound, negative": (lambda: wale.edit_distance("a", "b", bound=-1), ValueError, "bound: is -1"),
    "matrix, rows of two lengths": (lambda: wale.solve([[1, 2], [3]], [1, 2]), ValueError, "a: is no array"),
    "factors, a matrix": (lambda: wale.lu_solve(np.eye(3), B), TypeError, r"lu_and_piv: is float64 of shape \(3, 3\)"),
    "factors, of a residual": (lambda: wale.lu_residual_ratio(A, 5), TypeError, "lu_and_piv: is int"),
    "seed above the mask": (lambda: wale.reconstruction([5, 5], [3, 3]), ValueError, "^seed: is above the mask"),
    "seed, NaN": (lambda: wale.reconstruction([[np.nan, 1.0]], [[2.0, 2.0]]), ValueError, "^seed: NaN"),
    "symbols, masked": (lambda: wale.lcs_length(MASKED, [1, 3]), TypeError, MISSING),
    "symbols, set": (lambda: wale.lcs_length({"a", "b"}, "ab"), TypeError, "a: is set"),
    "symbols, dict": (lambda: wale.lcs_length("ab", {"a": 1}), TypeError, "b: is dict"),
    "symbols, text of no dimension": (lambda: wale.lcs_length(np.array("ab"), "ab"), ValueError, "0 dimensions"),
    "symbols, table of text": (lambda: wale.lcs_length(np.array([["a"]]), "ab"), ValueError, "2 dimensions"),
    "symbols, floats": (lambda: wale.lcs_length(np.array([1.5]), [1]), TypeError, "float64"),
    "symbols, times": (lambda: wale.lcs_length(np.array(["2020"], "M8[D]"), [1]), TypeError, "datetime64"),
    "text beside bytes": (lambda: wale.edit_distance("größe", "größe".encode()), TypeError, "encode or decode"),
    "series, complex": (lambda: wale.wavefront_fill([1j], [1.0], kind="dtw"), TypeError, "complex128"),
    "batch, masked": (lambda: wale.lcs_lengths([MASKED], [[1]]), TypeError, MISSING),
    "batch, one bytearray": (lambda: wale.lcs_lengths(bytearray(b"ab"), [b"ab"]), TypeError, "bytearray"),
    "batch, unequal counts": (lambda: wale.lcs_lengths(["a", "b"], ["a"]), ValueError, "2 and 1 sequences"),
    "batch, names of its sides": (lambda: wale.align_scores(["a", "b"], ["a"]), ValueError, "queries, targets: 2 and 1"),
    "batch, None": (lambda: wale.align_pairs(["a"], [None]), TypeError, r"^targets\[0\]: is a missing value \(None\)"),
    "query, a table": (lambda: wale.align(np.eye(2, dtype=int), [1]), ValueError, "^query: has 2 dimensions"),
    "text, a table": (lambda: wale.locate([[1]], np.eye(2, dtype=int)), ValueError, "^text: has 2 dimensions"),
    "offsets, fractions": (lambda: wale.lcs_lengths((b"ab", np.array([0, 1.7])), [b"ab"]), ValueError, "a: offsets"),
    "offsets, uint64": (
        lambda: wale.lcs_lengths((b"ab", np.array([0, 2**64 - 1], np.uint64)), [b"ab"]), ValueError, "a: offsets"),
    "matrix, masked": (lambda: wale.det(np.ma.array(A, mask=A == 2)), TypeError, MISSING),
    "matrix, objects": (lambda: wale.det(A.astype(object)), TypeError, "object"),
    "matrix, text": (lambda: wale.det([["1", "2"], ["3", "4"]]), TypeError, "<U1"),
    "matrix, long double": (lambda: wale.det(A.astype(np.longdouble)), TypeError, "64 bits"),
    "matrix, a number": (lambda: wale.det(2.0), ValueError, "0 dimensions"),
    "pivots, fractions": (lambda: wale.lu_solve((LU, PIV + 0.7), B), ValueError, "piv"),
    "pivots, wide": (lambda: wale.lu_solve((LU, PIV + np.int64(2**32)), B), ValueError, "piv"),
    "pivots, negative": (lambda: wale.lu_solve((LU, [-1, 0]), B), ValueError, "piv"),
    "pivots, too few": (lambda: wale.lu_solve((LU, [1]), B), ValueError, "piv"),
    "chains, masked": (
        lambda: wale.solve_tridiagonal([1.0], np.ma.array([4.0, 4], mask=[0, 1]), [1.0], B), TypeError, MISSING),
    "chains, axis": (lambda: wale.solve_tridiagonal([1.0], [4.0, 4], [1.0], B, axis=-1.0), TypeError, "axis"),
    "tree, parents of fractions": (
        lambda: wale.hines_solve([-1, 0.5], [2.0, 2], [1.0, 1], [1.0, 1], [3.0, 3]), ValueError, "parent"),
    "tree, wide parents": (
        lambda: wale.hines_solve([-1, 2**32], [2.0, 2], [1.0, 1], [1.0, 1], [3.0, 3]), ValueError, "parent"),
    "image, masked": (lambda: wale.fill_holes(np.ma.array(GREY, mask=GREY == 1)), TypeError, MISSING),
    "image, NaN": (lambda: wale.reconstruction([[1.0, 2]], [[np.nan, 2]]), ValueError, "mask: NaN at row 0"),
    "image, complex": (lambda: wale.fill_holes(GREY.astype(complex)), TypeError, "complex128"),
    "image, endless": (lambda: wale.h_maxima([[1, np.inf]], 1), ValueError, r"image: inf at \(0, 1\)"),
    "height, a fraction": (lambda: wale.h_basins(np.array([[0, 2**32 - 1]], np.uint32), 1.5), ValueError, "h: is 1.5.*uint32"),
    "image, objects": (lambda: wale.fill_holes(GREY.astype(object)), TypeError, "object"),
    "image to select from, texts": (lambda: wale.select_objects([["1", "0"]], [(0, 0)]), TypeError, "image: pixels of <U1"),
    "image, a number": (lambda: wale.reconstruction(3, 5), ValueError, "0 dimensions"),
    "image, four dimensions": (lambda: wale.fill_holes(np.zeros((1, 1, 1, 1))), ValueError, "4 dimensions"),
    "image, int64 beside uint64": (
        lambda: wale.reconstruction(np.array([2**53 + 1]), np.array([2**53 + 1], np.uint64)), ValueError, "2.53"),
    "keyword": (lambda: wale.fill_holes(GREY, conectivity=1), TypeError, "conectivity"),
    "keyword of lu": (lambda: wale.det(A, thread=1), TypeError, "thread"),
    "markers, fractions": (lambda: wale.watershed(GREY, [[1.7, 0, 0, 0, 2]]), TypeError, "markers: labels of float64"),
    "markers, masked": (lambda: wale.watershed(GREY, np.ma.array(GREY, mask=GREY == 1)), TypeError, "markers: is a masked"),
    "footprint, masked": (
        lambda: wale.reconstruction(GREY, GREY, footprint=np.ma.array(np.ones((3, 3)), mask=np.eye(3))),
        TypeError, "footprint: is a masked"),
    "pivots of LAPACK, masked": (
        lambda: wale.gttrs([1.0], [4.0, 4], [1.0], [], np.ma.array([1, 2], mask=[0, 1]), B), TypeError, "ipiv: is a masked"),
    "sums, int32": (lambda: wale.summed_area(GREY.astype(np.int32)), ValueError, r"image: is int32 of shape \(1, 5\)"),
    "batch, no dimension": (lambda: wale.lcs_lengths(np.array(5), ["a"]), TypeError, r"a: is int64 of shape \(\)"),
    "batch, a number": (lambda: wale.lcs_lengths([np.array(5)], ["a"]), TypeError, r"a\[0\]: is int64 of shape \(\)"),
    "batch, floats": (lambda: wale.lcs_lengths([np.array([1.5])], [[1]]), TypeError, r"a\[0\]: is float64"),
    "duration": (lambda: CELL.run("1"), TypeError, "duration: is '1'"),
    "forest": (lambda: wale.HinesPlan([-1], forest=2), TypeError, "forest: is 2, expected True or False"),
    "mask, NaN": (lambda: wale.watershed(GREY, [[1, 0, 0, 0, 2]], mask=[[np.nan, 0, 0, 0, 1]]), ValueError, "mask"),
    "size": (lambda: wale.opening_by_reconstruction(np.ones((5, 5)), 3.7), TypeError, "size: is 3.7"),
    "points, fractions": (lambda: wale.select_objects(GREY, [(0, 1.7)]), ValueError, "points"),
    "points, too few numbers": (lambda: wale.select_objects(np.ones((2, 2, 2)), [(1, 1)]), ValueError, "points"),
    "points, too many numbers": (lambda: wale.select_objects(GREY, [(0, 0, 1)]), ValueError, "points"),
    "points, negative": (lambda: wale.select_objects(GREY, [(-1, 1)]), ValueError, "points"),
    "quantity": (lambda: FLOW.quantity(3), TypeError, "name: is 3, expected text"),
    "slice, shape": (lambda: FLOW.slice(shape=4), TypeError, r"shape: is 4, expected \(rows, columns\)"),
    "slice, place": (lambda: FLOW.slice(at=float("nan")), ValueError, "at: is nan"),
    "slice, text": (lambda: FLOW.slice(at="0"), TypeError, "at: is '0'"),
    "surface": (lambda: FLOW.write_vtu(FOLDER / "f.vtu", 1), TypeError, "surface: is 1"),
    "an older format": (lambda: FLOW.write_vtu(FOLDER / "f.vtk"), ValueError, r"f.vtk', expected a name that ends in .vtu"),
    "no array: a file's name": (lambda: wale.fill_holes("cells.png"), TypeError, "image: is str, expected an array"),
    "no array: a footprint": (lambda: wale.local_maxima(GREY, footprint="disk"), TypeError, "footprint: is str, expected an array"),
    "no array: a dictionary": (lambda: wale.solve({}, B), TypeError, "a: is dict, expected an array"),
    "surface of no patch": (lambda: FLOW.plot_surface("wing"), ValueError, "patch: is 'wing', expected one of wall, farfield"),
    "watch": (lambda: FLOW.run(1, watch=3), TypeError, "watch: is 3, expected a function"),
    "word of a run": (
        lambda: wale.euler.Case(GRID, run={"cfl": 2}), ValueError, "run.cfl: unknown word, expected one of check_every, end_time, iterations"),
    "start": (lambda: wale.euler.Case(GRID, run={"start": 3}), TypeError, "run.start: is 3"),
    "periodic": (
        lambda: wale.euler.Case(GRID, boundary={"periodic": "left"}), TypeError, "boundary.periodic: is 'left', expected pairs"),
    "scheme": (lambda: wale.euler.Case(GRID, scheme={"name": np.eye(2)}), ValueError, "scheme.name: is an array"),
    "option, an array": (
        lambda: wale.euler.Case(GRID, stream={"alpha": np.ma.array([1, 2], mask=[0, 1])}), TypeError, "^stream.alpha: is .*[^\n]$"),
    "order of cells": (lambda: GRID.renumbered(1), TypeError, "order: is 1"),
    "format of a mesh": (lambda: GRID.save(FOLDER / "m.su2", 1), TypeError, "format: is 1"),
    "shape of cells": (lambda: wale.euler.Mesh.from_cells(SQUARE, 3, [[0, 1, 2]]), TypeError, "shape: is 3"),
    "patches": (lambda: wale.euler.Mesh.from_cells(SQUARE, "triangle", [[0, 1, 2]], ["a"]), TypeError, "patches: is"),
    "no meshio": (lambda: wale.euler.Mesh.from_meshio("wing.msh"), TypeError, "mesh: is 'wing.msh', expected a meshio.Mesh"),
    "path, empty": (lambda: FLOW.save(""), ValueError, "path: is empty"),
    "path of a neuron, empty": (lambda: wale.grow_neuron(""), ValueError, "path: is empty"),
    "solver": (lambda: wale.study(3), TypeError, "solver: is 3"),
    "membrane": (lambda: wale.Cable(FOLDER / "refused.swc", membrane=[[]]), TypeError, r"membrane: is \[\]"),
    "membrane, a set": (lambda: wale.Cable(FOLDER / "refused.swc", membrane=set()), TypeError, "membrane: is set"),
    "truth of a batch": (lambda: wale.fill_holes(np.stack([GREY] * 2), batch=2), TypeError, "batch: is 2"),
    "truth of borders": (lambda: wale.local_maxima(GREY, allow_borders="no"), TypeError, "allow_borders: is 'no'"),
    "truth of indices": (lambda: wale.local_minima(GREY, indices=1), TypeError, "indices: is 1"),
    "truth of a path": (lambda: wale.search(["AC"], ["AC"], path="no"), TypeError, "path: is 'no'"),
    "truth of sparse": (lambda: wale.cdist(["a"], sparse="no", cutoff=1), TypeError, "sparse: is 'no'"),
    "matrix, NaN": (lambda: wale.lu_factor([[np.nan, 1], [1, 1]], check_finite=True), ValueError, "a: holds NaN or Inf"),
    "right sides, Inf": (lambda: wale.lu_solve((LU, PIV), [np.inf, 1], check_finite=True), ValueError, "b: holds NaN or Inf"),
    "truth of overwriting": (lambda: wale.lu_factor(A, overwrite_a="no"), TypeError, "overwrite_a: is 'no'"),
    "truth of overwriting, right sides": (lambda: wale.lu_solve((LU, PIV), B, overwrite_b="no"), TypeError, "overwrite_b: is 'no'"),
    "truth of verifying": (lambda: wale.solve_tridiagonal([1], [4, 4], [1], B, verify="no"), TypeError, "verify: is 'no'"),
    "truth of strands": (lambda: wale.locate([b"A"], b"A", both_strands="no"), TypeError, "both_strands: is 'no'"),
    "mode, a list": (lambda: wale.align("a", "b", ["NW"]), ValueError, "mode: is .'NW'., expected one of NW"),
    "task of pairs, a list": (lambda: wale.align_pairs(["a"], ["b"], task=["path"]), wale.BadArgument, "task: is .'path'."),
    "E-value, text": (lambda: wale.search(["AC"], ["AC"], evalue="1"), TypeError, "evalue: is '1'"),
    "width of a view": (lambda: wale.align("a", "b", task="path").view(0), ValueError, "width: is 0"),
    "seed": (lambda: wale.grow_neuron(FOLDER / "grown.swc", seed=-1), ValueError, "seed: is -1"),
    "region": (
        lambda: wale.Cable(FOLDER / "refused.swc", membrane={"soma": "hh", "axo": "hh"}), ValueError, "membrane.axo: no region"),
    "duration, beyond steps": (lambda: CELL.run(1e300), ValueError, r"time: is 1e.300, expected"),
    "letters of a profile": (lambda: wale.Profile.from_alignment(["AC"], ""), ValueError, "letters: is empty"),
    "match": (lambda: wale.search(["AC"], ["AC"], match=""), TypeError, "match: is ''"),
    "sequences, a set": (lambda: wale.cdist({"a", "b"}, ["a"]), TypeError, "queries: is set"),
    "sequences, a dict": (lambda: wale.edit_distances({"a": 1}, ["a"]), TypeError, "a: is dict"),
    "mesh, complex": (
        lambda: wale.euler.Mesh.from_cells(SQUARE * 1j, "triangle", [[0, 1, 2]]), TypeError, "points"),
    "mesh, text": (
        lambda: wale.euler.Mesh.from_cells([["0", "0", "0"]], "triangle", [[0, 0, 0]]), TypeError, "points"),
    "mesh, fractions": (
        lambda: wale.euler.Mesh.from_cells(SQUARE, "triangle", [[0, 1, 1.5]]), ValueError, "places in points"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_inputs_without_a_right_answer_are_refused(name):
    call, error, message = REFUSED[name]
    with pytest.raises(error, match=message):
        call()
