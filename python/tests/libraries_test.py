"""Arrays of other libraries in host memory: the answers are of the same library, with NumPy's numbers."""

import types

import numpy as np
import pytest
import wale


class Own:
    """An array of the array API's standard: what is asked of one, and no more."""

    device = "here"

    def __init__(self, values):
        self.values = np.asarray(values)
        self.ndim, self.shape = self.values.ndim, self.values.shape

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()

    def __dlpack__(self, **words):
        return self.values.__dlpack__(**words)

    def __array_namespace__(self, api_version=None):
        return types.SimpleNamespace(asarray=lambda values, device: Own(values))

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype)


def of_torch():
    return pytest.importorskip("torch").from_numpy


def of_jax():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    return jax.numpy.asarray


LIBRARIES = {
    "the standard": lambda: Own,
    "array_api_strict": lambda: pytest.importorskip("array_api_strict").asarray,
    "torch": of_torch,
    "jax": of_jax,
}
A, B = np.array([[2.0, 1.0], [4.0, 8.0]]), np.array([5.0, 28.0])
ONES, TREE = np.ones(5), np.array([-1, 0, 1, 0, 2])
GREY = np.random.default_rng(1).integers(0, 9, (12, 15)).astype(np.uint8)
MARKERS = np.zeros(GREY.shape, np.int32)
MARKERS[0, 0], MARKERS[-1, -1] = 1, 2
CALLS = {
    "solve": lambda f: wale.solve(f(A), f(B)),
    "solve, one is NumPy's": lambda f: wale.solve(A, f(B)),
    "inv": lambda f: wale.inv(f(A)),
    "det": lambda f: wale.det(f(np.stack([A, A]))),
    "det of one": lambda f: wale.det(f(A)),
    "slogdet": lambda f: wale.slogdet(f(A)),
    "lu_factor": lambda f: wale.lu_factor(f(A)),
    "lu_solve": lambda f: wale.lu_solve(wale.lu_factor(f(A)), f(B)),
    "solve_refined": lambda f: wale.solve_refined(f(A), f(B)).x,
    "solve_tridiagonal": lambda f: wale.solve_tridiagonal(f(ONES), f(4 * ONES), f(ONES), f(ONES)),
    "TridiagonalFactors": lambda f: wale.TridiagonalFactors(f(ONES), f(4 * ONES), f(ONES)).solve(f(ONES)),
    "gttrf": lambda f: wale.gttrf(f(ONES[1:]), f(4 * ONES), f(ONES[1:]))[:5],
    "gttrs": lambda f: wale.gttrs(*wale.gttrf(ONES[1:], 4 * ONES, ONES[1:])[:5], f(ONES))[0],
    "hines_solve": lambda f: wale.hines_solve(f(TREE), f(4 * ONES), f(-ONES), f(-ONES), f(ONES)),
    "reconstruction": lambda f: wale.reconstruction(f(np.minimum(GREY, 5)), mask=f(GREY)),
    "fill_holes": lambda f: wale.fill_holes(f(GREY)),
    "fill_depressions": lambda f: wale.fill_depressions(f(GREY.astype(np.float32))),
    "clear_border": lambda f: wale.clear_border(f(GREY)),
    "impose_minima": lambda f: wale.impose_minima(f(GREY), f(MARKERS)),
    "select_objects": lambda f: wale.select_objects(f(GREY), [[0, 0]])[0],
    "h_domes": lambda f: wale.h_domes(f(GREY), 2),
    "h_basins of int16": lambda f: wale.h_basins(f(GREY.astype(np.int16)), 2),
    "h_maxima": lambda f: wale.h_maxima(f(GREY), 2),
    "local_maxima": lambda f: wale.local_maxima(f(GREY)),
    "places of local_minima": lambda f: wale.local_minima(f(GREY), indices=True),
    "opening_by_reconstruction of a line": lambda f: wale.opening_by_reconstruction(f(GREY[0]), 3),
    "apply_hysteresis_threshold": lambda f: wale.apply_hysteresis_threshold(f(GREY), 2, 5),
    "watershed": lambda f: wale.watershed(f(GREY), f(MARKERS)),
    "wavefront_fill": lambda f: wale.wavefront_fill(f(GREY[0]), f(GREY[1])),
    "summed_area": lambda f: wale.summed_area(f(GREY)),
    "cdist_dtw": lambda f: wale.cdist_dtw(f(GREY.astype(np.float64))),
    "path of dtw": lambda f: wale.dtw(f(B), f(ONES), path=True)[1],
    "gradient of dtw": lambda f: wale.dtw(f(B), f(ONES), gamma=1.0, gradient=True)[1],
}


def parts(answer):
    return answer if isinstance(answer, tuple) else (answer,)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", CALLS)
def test_answers_are_of_the_callers_library(name, library):
    make = LIBRARIES[library]()
    expected, found = CALLS[name](np.asarray), CALLS[name](make)
    assert type(found) is type(expected) or not isinstance(expected, tuple)
    for one, other in zip(parts(expected), parts(found)):
        assert type(other) is type(make(np.zeros(3)))
        np.testing.assert_array_equal(one, np.asarray(other))
        assert np.asarray(other).dtype == one.dtype


def test_an_answer_in_out_is_out():
    out = np.empty_like(GREY)
    assert wale.fill_holes(Own(GREY), out=out) is out
    np.testing.assert_array_equal(out, wale.fill_holes(GREY))


def test_the_warnings_are_of_the_callers_line():
    singular = np.zeros((2, 2))
    one, lost, b = np.ones(12), np.r_[1e-6, np.full(11, 4.0)], np.random.default_rng(2).normal(size=12)
    chain = np.arange(-1, 11)
    for call in (
        lambda: wale.lu_factor(singular),
        lambda: wale.lu_factor(Own(singular)),
        lambda: wale.solve_tridiagonal(one, lost, one, b, pivoting="none"),
        lambda: wale.hines_solve(chain, lost[::-1], one, one, b),
        lambda: wale.fill_holes(np.zeros((40, 40, 3))),
    ):
        with pytest.warns() as seen:
            call()
        assert [w.filename for w in seen] == [__file__]
