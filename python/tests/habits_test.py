"""What Python programs pass by habit: each value gives the right answer or a TypeError or ValueError that names it."""

import os
import sys
import warnings

import numpy as np
import pytest
import wale
import wale.euler
from inputs import A, B, FOLDER, GREY, GRID, LU, PIV, SWAPPED, X


def unaligned(values):
    values = np.asarray(values)
    there = np.ndarray(values.shape, values.dtype, bytearray(values.nbytes + 1), 1)
    there[...] = values
    assert not there.flags.aligned
    return there


def read_only(values):
    values = np.array(values)
    values.flags.writeable = False
    return values


# An option that is an integer: the call, and what it gives for 2.
WHOLE = {
    "threads": lambda v: wale.lcs_length("ab", "b", threads=v),
    "bound": lambda v: wale.edit_distance("kitten", "sitting", bound=v),
    "k": lambda v: wale.align("kitten", "sitting", k=v)["editDistance"],
    "match": lambda v: int(wale.wavefront_fill("a", "a", kind="global", match=v)[0, 0]),
    "tile": lambda v: wale.wavefront_fill("ab", "ab", tile=(v, 2)).tolist(),
    "connectivity": lambda v: wale.fill_holes(GREY, connectivity=v).tolist(),
    "iterations": lambda v: wale.euler.Case(GRID).run(v, threads=1).iterations,
    "parts": lambda v: GRID.partition(v).max(),
    "axis": lambda v: wale.euler.Case(GRID).slice(axis=v, shape=(4, 6)).shape,
    "cells": lambda v: wale.Cable(wale.grow_neuron(FOLDER / "cell.swc", levels=1), cells=v).voltages().shape,
}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("value", [True, np.bool_(True), 2.0, 2.5, np.float32(2.7), "2", None, float("nan"), [2]])
def test_an_option_that_is_no_integer_is_refused(name, value):
    if value is None and name in ("bound", "tile", "connectivity", "iterations"):
        value = "none"  # None is their default
    with warnings.catch_warnings(), pytest.raises(TypeError):
        warnings.simplefilter("error")  # NumPy 2.2 warns where it reads one of its booleans as an index
        WHOLE[name](value)


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("kind", [np.int8, np.uint64, np.int64])
def test_numpy_integers_are_options(name, kind):
    assert np.array_equal(WHOLE[name](kind(2)), WHOLE[name](2))


@pytest.mark.parametrize("name", WHOLE)
def test_an_integer_that_is_too_large_is_refused(name):
    with pytest.raises(ValueError, match="is 1180591620717411303424"):
        WHOLE[name](2**70)


def test_a_bound_of_any_size_is_taken():
    assert wale.edit_distance("kitten", "sitting", bound=sys.maxsize) == 3


REAL = {
    "h": lambda v: wale.h_domes(GREY, v),
    "h of h_maxima": lambda v: wale.h_maxima(GREY, v),
    "low": lambda v: wale.apply_hysteresis_threshold(GREY, v, 3),
    "no_data": lambda v: wale.fill_depressions(GREY, v),
}


@pytest.mark.parametrize("name", REAL)
def test_an_option_that_is_no_number_is_refused(name):
    for value in ("3", True, [3], np.array([3.0]), 3j, b"3"):
        with pytest.raises(TypeError, match="expected a real number"):
            REAL[name](value)
    for value in (3, 3.0, np.float32(3), np.uint8(3), np.array(3)):
        assert np.array_equal(REAL[name](value), REAL[name](3))


@pytest.mark.parametrize("call", [
    lambda v: wale.HinesPlan([-1, -1], forest=v).trees,
    lambda v: wale.hines_solve([-1], [2.0], [0.0], [0.0], [1.0], transposed=v).tolist(),
    lambda v: wale.solve_tridiagonal([1.0] * 3, [4.0] * 3, [1.0] * 3, [1.0] * 3, periodic=v, transposed=v).tolist(),
    lambda v: wale.watershed(GREY, np.array([[1, 0, 0, 0, 2]]), watershed_line=v).tolist(),
    lambda v: wale.fill_holes(np.stack([GREY, GREY]), batch=v).shape,
    lambda v: wale.lu_factor(A, growth=v).outcome.growth > 0,
])  # fmt: skip
def test_numpys_truth_is_taken(call):
    assert call(np.bool_(True)) == call(np.array(True)) == call(True)


# Inputs that are read as they are: the call, and its answer.
RIGHT = {
    "text, subclass": (lambda: wale.edit_distance(np.str_("abc"), type("S", (str,), {})("abd")), 1),
    "text, beyond 16 bits": (lambda: wale.edit_distance("a\U0001f600b", "a\U0001f600c"), 1),
    "text, narrow and wide": (lambda: wale.lcs_length("naïve €", "naive"), 4),
    "text, lone surrogate": (lambda: wale.edit_distance("\ud800a", "a"), 1),
    "text, NUL": (lambda: wale.edit_distance("a\0b", "a\0c"), 1),
    "text, empty": (lambda: wale.edit_distance("", "\u20ac"), 1),
    "bytes, empty": (lambda: wale.lcs_length(b"", b"ab"), 0),
    "text, bounded": (lambda: wale.edit_distance("kitten", "sitting", bound=np.int64(1)), 2),
    "matrix, read-only": (lambda: wale.solve(read_only(A), read_only(B)), X),
    "matrix, columns": (lambda: wale.solve(np.asfortranarray(A), B), X),
    "vector, strided": (lambda: wale.solve(A, np.repeat(B, 2)[::2]), X),
    "vector, reversed": (lambda: wale.solve(A, np.array(B[::-1])[::-1]), X),
    "vector, swapped bytes": (lambda: wale.solve(A, np.array(B, ">f8")), X),
    "float16": (lambda: wale.solve(A.astype(np.float16), np.array(B, np.float16)), X),
    "a matrix beside itself": (lambda: wale.solve(A, A), np.eye(2)),
    "one column stretched": (lambda: wale.solve(A, np.broadcast_to(np.array(B)[:, None], (3, 2, 1)))[2, :, 0], X),
    "symbols, swapped bytes": (lambda: wale.lcs_length(np.array([1, 2], ">u2"), [1, 2]), 2),
    "symbols, unaligned": (lambda: wale.lcs_length(unaligned(np.array([1, 2], np.uint32)), [1, 2]), 2),
    "symbols, nothing masked": (lambda: wale.lcs_length(np.ma.array([1, 2]), [1, 2]), 2),
    "symbols, bool": (lambda: wale.lcs_length(np.array([True, False]), [1, 0]), 2),
    "symbols, memoryview": (lambda: wale.lcs_length(memoryview(b"ab"), b"ab"), 2),
    "batch, unequal lengths": (lambda: wale.lcs_lengths([[1, 2], [3]], [[1], [3, 4]]), [1, 1]),
    "batch, arrays of several types": (
        lambda: wale.lcs_lengths([np.array([1], np.uint8), np.array([2], ">i4")], [[1], [2]]), [1, 1]),
    "matrix, swapped bytes": (lambda: wale.det(SWAPPED), -2),
    "matrix, swapped bytes, overwritten": (lambda: wale.lu_factor(SWAPPED.copy(), overwrite_a=True)[0], LU),
    "matrix, unaligned, overwritten": (lambda: wale.lu_factor(unaligned(A), overwrite_a=True)[0], LU),
    "matrix, read-only, overwritten": (lambda: wale.lu_factor(read_only(A), overwrite_a=True)[0], LU),
    "matrix, np.matrix": (lambda: wale.det(A.view(np.matrix)), -2),
    "matrix, negative strides": (lambda: wale.det(A[::-1, ::-1]), -2),
    "matrix, bool": (lambda: wale.det(np.eye(2, dtype=bool)), 1),
    "matrix, empty": (lambda: wale.det(np.zeros((0, 0))), 1),
    "factors, swapped bytes": (lambda: wale.lu_solve((LU.astype(">f8"), PIV.astype(">i4")), B), X),
    "factors, int64 pivots": (lambda: wale.lu_solve((LU, PIV.astype(np.int64)), B), X),
    "factors, backwards": (lambda: wale.lu_solve((LU[::-1, ::-1].copy()[::-1, ::-1], PIV), B), X),
    "factors, gaps": (lambda: wale.lu_solve((np.kron(LU, np.ones((2, 2)))[::2, ::2], PIV), B), X),
    "factors, gaps, residual": (lambda: wale.lu_residual_ratio(A, (np.kron(LU, np.ones((2, 2)))[::2, ::2], PIV)) < 30, True),
    "factors, float64 of swapped bytes": (lambda: wale.lu_solve((LU.astype(">f8"), PIV), np.float32(B)).itemsize, 8),
    "factors, integers": (lambda: wale.lu_solve((np.array([[2, 0], [0, 4]]), [0, 1]), [1, 1]), [0.5, 0.25]),
    "factors of chains, read-only": (
        lambda: wale.gttrs(*map(read_only, wale.gttrf([1.0], [4.0, 4], [1.0])[:-1]), [5.0, 5])[0], [1, 1]),
    "series, two-dimensional memoryview": (lambda: wale.cdist_dtw(memoryview(A), memoryview(A))[0, 0], 0),
    "minima in uint32": (
        lambda: wale.impose_minima(np.array([[0, 2**32 - 1, 1, 2]], np.uint32), [[0, 1, 0, 0]]), [[1, 0, 2, 3]]),
    "maxima within each image of a batch": (
        lambda: wale.local_maxima(np.pad(np.ones((2, 1, 1)), ((0, 0), (1, 1), (1, 1))), batch=True, allow_borders=False).sum(), 2),
    "queries, none": (lambda: wale.cdist([], [[1, 2], [3]]).shape, (0, 2)),
    "queries, none, of the best": (lambda: wale.cdist([], [[1, 2], [3]], top=1)[0].shape, (0, 1)),
    "factors, finite, in SciPy's order": (lambda: wale.lu_solve(wale.lu_factor(A, False, True), B, 0, False, True), X),
    "trans, a float": (lambda: wale.lu_solve((LU, PIV), B, trans=0.0), X),
    "factors, residual": (lambda: wale.lu_residual_ratio(SWAPPED, (LU, PIV)) < 30, True),
    "refined, swapped bytes": (lambda: wale.solve_refined(SWAPPED, np.array(B, ">f8")).x, X),
    "chains, swapped bytes": (
        lambda: wale.solve_tridiagonal(np.array([1.0], ">f8"), np.array([2.0, 2.0], ">f4"), [1.0], [3.0, 3.0]),
        [1, 1]),
    "tree, swapped bytes": (
        lambda: wale.hines_solve(np.array([-1, 0], ">i8"), [2.0, 2], [1.0, 1], [1.0, 1], [3.0, 3]), [1, 1]),
    "image, swapped bytes": (lambda: wale.h_domes(GREY.astype(">u2"), 3), [[0, 3, 0, 3, 0]]),
    "image, unaligned": (lambda: wale.h_domes(unaligned(GREY.astype(np.int32)), 3), [[0, 3, 0, 3, 0]]),
    "image, negative strides": (lambda: wale.h_domes(GREY[::-1, ::-1], 3), [[0, 3, 0, 3, 0]]),
    "image, empty": (lambda: wale.h_domes(np.zeros((0, 5), np.uint8), 3).shape, (0, 5)),
    "image, list of lists": (lambda: wale.h_domes([[1, 9, 1, 4, 1]], 3), [[0, 3, 0, 3, 0]]),
    "markers, uint64": (lambda: wale.watershed(GREY, np.array([[1, 0, 0, 0, 2]], np.uint64)), [[1, 1, 2, 2, 2]]),
    "float64 seed, float32 mask": (
        lambda: wale.reconstruction(np.array([0.1]), np.ones(1, np.float32)) - 0.1, [0]),
    "int8 seed, uint8 mask": (
        lambda: wale.reconstruction(np.array([-1, 3], np.int8), np.array([200, 3], np.uint8)), [3, 3]),
    "points, one": (lambda: wale.select_objects(GREY, [0, 1])[1], 5),
    "points, none": (lambda: wale.select_objects(GREY, [])[1], 0),
    "text, not ASCII": (lambda: wale.edit_distance("größe", "grosse"), 3),
    "table, swapped dtype": (lambda: wale.wavefront_fill("a", "a", dtype=">i4"), [[1]]),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_inputs_are_read_by_value(name):
    call, expected = RIGHT[name]
    found = call()
    assert np.shape(found) == np.shape(expected) and np.allclose(found, expected, rtol=1e-14, atol=1e-14)


def test_right_sides_widen_the_factors():
    """As in SciPy: float32 factors and float64 right sides are solved in float64."""
    scipy = pytest.importorskip("scipy.linalg")
    lu, b = LU.astype(np.float32), np.array([1 + 2**-40, 2.0])
    found = wale.lu_solve((lu, PIV), b)
    assert found.dtype == np.float64
    assert np.allclose(found, scipy.lu_solve((lu, PIV), b), rtol=1e-14)
    assert wale.lu_solve((lu, PIV), b.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_answers_stay_within_their_type(kind):
    """Against Python's integers: differences are cut at the ends of the image's own type."""
    low, high = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    low, high = max(low, -(2**40)), min(high, 2**40)
    steep = np.array([[low, high, low]], kind)
    cut = min(high - low, int(np.iinfo(kind).max))
    if cut == high - low:
        assert wale.h_domes(steep, cut).tolist() == [[0, cut, 0]]
    flat = np.full((1, 3), 5, kind)
    assert wale.h_maxima_transform(flat, 100).tolist() == [[max(5 - 100, int(np.iinfo(kind).min))] * 3]
    top = np.full((1, 3), high, kind)
    assert wale.h_minima_transform(top, 100).tolist() == [[min(high + 100, int(np.iinfo(kind).max))] * 3]
    assert wale.impose_minima(top, [[0, 1, 0]])[0, 1] < high


def test_minima_are_imposed_in_small_types():
    assert wale.impose_minima(np.full((1, 3), -128, np.int8), [[0, 1, 0]]).tolist() == [[-127, -128, -127]]
    assert wale.impose_minima(np.full((1, 3), 127, np.int8), [[0, 1, 0]]).tolist() == [[127, -128, 127]]


@pytest.mark.parametrize("h", [1, 127, 200, 255, 256])
def test_heights_beyond_a_signed_type(h):
    steep = np.array([[-128, 127, -128]], np.int8)
    assert wale.h_maxima(steep, h).tolist() == [[0, int(h <= 255), 0]]


OUTPUTS = {
    "read-only": read_only(np.zeros((1, 5), np.uint8)),
    "another type": np.zeros((1, 5), np.int8),
    "swapped bytes": np.zeros((1, 5), ">u2"),
    "another shape": np.zeros((3, 5), np.uint8),
    "a list": [[0] * 5],
    "masked": np.ma.zeros((1, 5), np.uint8),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_outputs_that_do_not_fit_are_refused(name):
    for image, out in ((GREY, OUTPUTS[name]), (GREY[0], OUTPUTS[name][0])):
        if name == "another shape" and image.ndim == 1:
            out = np.zeros((3, 5), np.uint8)
        if name == "read-only" and image.ndim == 1:
            out = read_only(out)
        with pytest.raises((TypeError, ValueError), match="out: "):
            wale.fill_holes(image, out=out)
    with pytest.raises((TypeError, ValueError), match="out: |dtype: "):
        wale.wavefront_fill(b"a", b"abcde", out=OUTPUTS[name])


def test_inputs_stay_as_they_are():
    a, b = A.copy(), np.array(B)
    for call in (wale.solve, lambda a, b: wale.lu_solve(wale.lu_factor(a), b), lambda a, b: wale.inv(a)):
        call(a, b)
        assert a.tolist() == A.tolist() and b.tolist() == B


WRITTEN = {
    "columns": lambda: np.zeros((1, 5), np.uint8, order="F"),
    "gaps": lambda: np.zeros((2, 10), np.uint8)[::2, ::2],
    "backwards": lambda: np.zeros((1, 5), np.uint8)[:, ::-1],
    "the input": lambda: GREY.copy(),
}


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("call", [wale.h_domes, wale.h_basins, wale.h_maxima, wale.h_minima, wale.h_maxima_transform])
@pytest.mark.parametrize("kind", [np.uint8, np.int8])
def test_outputs_of_any_strides(name, call, kind):
    out, image = WRITTEN[name](), GREY.astype(kind)
    out = out.astype(np.uint8 if call in (wale.h_maxima, wale.h_minima) else kind, copy=False)
    if name == "the input" and out.dtype == kind:
        image = out
    expected = call(image.copy(), 3)
    assert call(image, 3, out=out) is out
    assert out.dtype == expected.dtype and out.tolist() == expected.tolist()


def test_outputs_are_not_cut():
    """An answer of another type than the library's goes to `out` in its own."""
    out = np.zeros(5, np.int16)
    assert wale.h_domes(GREY[0].astype(np.int16), 3, out=out) is out
    assert out.tolist() == [0, 3, 0, 3, 0]


def test_series_of_pandas():
    pandas = pytest.importorskip("pandas")
    assert wale.lcs_length(pandas.Series(["to", "be"]), pandas.Series(["be", "or"])) == 1
    assert wale.lcs_length(pandas.Series([1, None], dtype="Int64"), [1]) == 1
    assert wale.lcs_lengths([pandas.Series([1, 2])], [pandas.Series([2, 3])]).tolist() == [1]
    with pytest.raises(TypeError, match="queries: is a table"):
        wale.cdist_dtw(pandas.DataFrame(A))
    assert wale.det(pandas.DataFrame(A)) == pytest.approx(-2)
    assert wale.solve(A, pandas.Series(B)).tolist() == X


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_text_is_named(missing):
    calls = [
        lambda: wale.cdist(["a", missing], ["b"]),
        lambda: wale.edit_distances(["a", missing], ["b", "c"]),
        lambda: wale.align_pairs(np.array(["a", missing], object), ["b", "c"]),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r"\[1\]: is a missing value \((None|nan)\), expected a sequence"):
            call()


def test_parasails_words():
    parasail = pytest.importorskip("parasail")
    a, b = "HEAGAWGHEEXz", "PAWHEAEJX"
    for mode, ours in (("nw", "NW"), ("sw", "local"), ("sg", "overlap")):
        expected = getattr(parasail, mode)(a, b, 11, 1, parasail.blosum62).score
        for name in (mode, ours):
            assert wale.align(a, b, name, matrix=parasail.blosum62, open=11).score == expected
            assert wale.align_scores([a], [b], name, matrix=parasail.blosum62, open=11).tolist() == [expected]
    own = parasail.matrix_create("ACGT", 2, -3)  # other letters: 0
    assert wale.align("ACGTN", "AGTNN", "nw", matrix=own, open=4).score == parasail.nw("ACGTN", "AGTNN", 4, 1, own).score
    assert wale.align("kitten", "sitting", "nw", "path") == wale.align("kitten", "sitting", "NW", "path")


def test_arrays_of_xarray():
    xarray = pytest.importorskip("xarray")
    assert wale.lcs_length(xarray.DataArray([1, 2]), [2]) == 1
    assert wale.edit_distances(xarray.DataArray(["ab", "b"]), ["a", "c"]).tolist() == [1, 1]


def work_of_all_solvers():
    """Enough of each solver for four threads."""
    draw = np.random.default_rng(7)
    a, b = draw.integers(0, 4, (2, 20000), np.uint8)
    matrix, image = draw.random((300, 300)), draw.integers(0, 255, (600, 600), np.uint8)
    grid = wale.euler.generate_mesh("shell", size=4000)
    flow = wale.euler.Case(grid)
    flow.run(5, threads=4)
    lu, _ = wale.lu_factor(matrix, threads=4)
    chains = np.ones((64, 1000))
    return (
        wale.lcs_length(a, b, threads=4),
        lu.tobytes(),
        wale.h_domes(image, 40, threads=4).tobytes(),
        wale.solve_tridiagonal(chains, 4 * chains, chains, chains, threads=4).tobytes(),
        flow.state.tobytes(),
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_computes_what_its_parent_does():
    """No thread of the library outlives a call, so that a child has everything that it needs."""
    import multiprocessing

    expected = work_of_all_solvers()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        waiting = [pool.apply_async(work_of_all_solvers) for _ in range(4)]
        assert all(w.get(timeout=600) == expected for w in waiting)


@pytest.mark.parametrize("words", [{"where": "cpu"}, {"where": 5}, {"variant": 3}, {"variant": None}, {"backend": None}])
def test_places_of_another_type_are_refused(words):
    with pytest.raises(TypeError, match=f"{next(iter(words))}: is .*, expected"):
        wale.lcs_length("ab", "b", **words)


@pytest.mark.parametrize("function", [wale.h_maxima, wale.h_minima])
def test_heights_above_every_dome_hide_no_bad_argument(function):
    for words in {"image": GREY * 1j}, {"footprint": "x"}, {"conectivity": 1}, {"image": np.zeros((1,) * 4)}:
        with pytest.raises((TypeError, ValueError)):
            function(**{"image": GREY, "h": 1000, **words})
