"""Calls that are answered without a step of the interpreter: lists, objects, tridiagonal systems, extrema. Each beside
the way of longer calls, or beside plain loops."""

import gc

import numpy as np
import pytest
from plain import edit, lcs

import wale


def plain_distance(a, b):
    return edit(a, b)[-1][-1]


def plain_length(a, b):
    return lcs(a, b)[-1][-1]


def texts(rng, count, letters, most):
    return ["".join(rng.choice(list(letters), int(rng.integers(0, most)))) for _ in range(count)]


LETTERS = ["ACGT", "abcdefghij ", "aàé", "一二三四五六七八", "ab\U0001f600一"]


@pytest.mark.parametrize("letters", LETTERS)
@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("metric", ["edit_distance", "lcs"])
def test_best_and_near_targets_are_those_of_the_long_way(letters, own, metric):
    rng = np.random.default_rng(3)
    a, b = texts(rng, 9, letters, 30), texts(rng, 13, letters, 30)
    given = (a,) if own else (a, b)
    for words in ({"top": 1}, {"top": 4}, {"top": 20}, {"top": 3, "cutoff": 12}, {"cutoff": 15, "sparse": True}, {"cutoff": 0, "sparse": True}):
        if metric == "lcs" and "cutoff" in words:
            continue
        short, long = (wale.cdist(*given, metric=metric, **words, **run) for run in ({}, {"variant": "cpu/pairs"}))
        assert len(short) == len(long)
        for one, other in zip(short, long):
            assert one.dtype == other.dtype and one.shape == other.shape and np.array_equal(one, other)


class Sly:
    """A key that equals another Sly with the same key; its comparison empties a list, as code of a caller may."""

    def __init__(self, key, victim=None):
        self.key, self.victim = key, victim

    def __hash__(self):
        return 7

    def __eq__(self, other):
        if self.victim is not None:
            self.victim.clear()
            gc.collect()
        return isinstance(other, Sly) and self.key == other.key


def test_objects_stay_while_code_of_the_caller_runs():
    for _ in range(20):
        a = [f"word {k}" for k in range(50)] + [10**20 + k for k in range(50)]
        a += [Sly(k, a) for k in range(3)]
        b = [f"word {k}" for k in range(50)]
        assert wale.edit_distance(a, b) >= 0
    keys = [Sly(k % 5) for k in range(40)]
    assert wale.lcs_length(keys, list(map(Sly, [4, 3, 2, 1, 0] * 8))) == plain_length([k % 5 for k in range(40)], [4, 3, 2, 1, 0] * 8)


def test_numbers_are_equal_as_in_a_dict():
    rng = np.random.default_rng(4)
    some = [0, 1, -1, -2, True, 1.0, 2**30, 2**61 - 1, 2**61, 2**62, -(2**61), 10**30, "1", b"1", 0.5, False]
    for _ in range(200):
        x, y = ([some[k] for k in rng.integers(0, len(some), int(n))] for n in rng.integers(0, 20, 2))
        assert wale.edit_distance(x, y) == plain_distance(x, y)
        assert wale.lcs_length(tuple(x), tuple(y)) == plain_length(x, y)


@pytest.mark.parametrize("kind", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("pivoting", ["partial", "none"])
def test_tridiagonal_systems_with_columns_are_solved_as_one_by_one(kind, pivoting):
    rng = np.random.default_rng(6)

    def numbers(*shape):
        return (rng.normal(size=shape) + (1j * rng.normal(size=shape) if kind[0] == "c" else 0)).astype(kind)

    for n in (1, 2, 3, 17, 130):
        for k in (1, 2, 5, 33, 70):
            for less in (0, 1):
                dl, d, du, b = numbers(n - less), numbers(n), numbers(n - less), numbers(n, k)
                d += np.asarray(6 if pivoting == "none" else 0.5, kind)
                for words in ({}, {"transposed": True}, {"periodic": True} if n > 2 and not less else {}):
                    x = wale.solve_tridiagonal(dl, d, du, b, pivoting=pivoting, **words)
                    one = np.stack([wale.solve_tridiagonal(dl, d, du, b[:, j].copy(), pivoting=pivoting, **words) for j in range(k)], 1)
                    scale = wale.tridiagonal_residual(dl, d, du, b, x, **words)
                    assert x.shape == b.shape and x.dtype == kind and scale < (1e-5 if kind in ("f4", "c8") else 1e-13)
                    np.testing.assert_allclose(x, one, rtol=1e-2 if kind in ("f4", "c8") else 1e-8, atol=1e-3)


def test_short_tridiagonal_calls_refuse_and_warn_as_long_ones():
    one = np.ones(3)
    for call in (lambda: wale.solve_tridiagonal(one, one, one, np.ones(4)), lambda: wale.solve_tridiagonal(one, one, one, one, axis=1),
                 lambda: wale.solve_tridiagonal(one, one, one, one, pivoting="some")):  # fmt: skip
        with pytest.raises(wale.BadArgument):
            call()
    with pytest.raises(TypeError, match="pivot"):
        wale.solve_tridiagonal(one, one, one, one, pivot="none")
    with pytest.raises(TypeError):
        wale.solve_tridiagonal(one, one, one)
    with pytest.raises(np.linalg.LinAlgError):
        wale.solve_tridiagonal(one, np.zeros(3), one, one, pivoting="none")
    d = np.array([1e-18, 1.0, 1.0])
    with pytest.warns(RuntimeWarning, match="backward error"):
        wale.solve_tridiagonal(one, d, one, np.array([1.0, 2.0, 3.0]), pivoting="none")
    assert np.isfinite(wale.solve_tridiagonal(one, d, one, one, pivoting="none", verify=False)).all()


@pytest.mark.parametrize("name", ["local_maxima", "local_minima"])
def test_extrema_away_from_the_border(name):
    morphology = pytest.importorskip("skimage.morphology")
    rng, call = np.random.default_rng(7), getattr(wale, name)
    for number in range(60):
        shape = tuple(rng.integers(3, 9, int(rng.integers(1, 4))))
        image = rng.integers(0, 4, shape).astype([np.uint8, np.float64, np.int64, bool][number % 4])
        connectivity = int(rng.integers(1, len(shape) + 1))
        wanted = getattr(morphology, name)(image, connectivity=connectivity, allow_borders=False)
        assert np.array_equal(call(image, connectivity=connectivity, allow_borders=False), wanted)
        out = np.empty(shape, bool)
        assert call(image, connectivity=connectivity, allow_borders=False, out=out) is out and np.array_equal(out, wanted)
    flat = np.arange(8.0).reshape(2, 4)
    assert not call(flat, allow_borders=False).any() and wale.last_report().variant
    for bad in (lambda: call(flat, connectivity=3, allow_borders=False), lambda: call(flat * np.nan, allow_borders=False),
                lambda: call(np.full((2, 2), 2**60), allow_borders=False)):  # fmt: skip
        with pytest.raises(wale.BadArgument):
            bad()
    with pytest.raises(TypeError):
        call(flat, threads=[1], allow_borders=False)


@pytest.mark.parametrize("shape", [(50, 1), (4, 9, 1), (1, 70)])
def test_images_in_a_line_are_those_in_another_direction(shape):
    rng = np.random.default_rng(8)
    for kind in (np.uint8, np.float32, np.int16):
        image = rng.integers(0, 9, shape).astype(kind)
        turned = np.ascontiguousarray(np.moveaxis(image, -1, 0))
        for call in (lambda x: wale.apply_hysteresis_threshold(x, 3, 6), wale.local_maxima, lambda x: wale.extended_minima(x, 2)):
            assert np.array_equal(np.moveaxis(call(image), -1, 0), call(turned))


@pytest.mark.parametrize("trans", [0, 1, 2])
def test_factors_and_sides_of_two_types(trans):
    a = np.random.default_rng(9).normal(size=(5, 5)) + 5 * np.eye(5)
    for kind, other in (("f4", "f8"), ("f8", "f4"), ("c8", "f8"), ("f8", "c16")):
        factors, b = wale.lu_factor(a.astype(kind)), np.arange(10).reshape(5, 2).astype(other)
        x = wale.lu_solve(factors, b, trans)
        assert x.dtype == np.result_type(kind, other)
        np.testing.assert_allclose(x, np.linalg.solve(a.T if trans else a, b), rtol=1e-3)
        assert np.array_equal(wale.lu_solve(factors, b.tolist(), trans), wale.lu_solve(factors, np.array(b.tolist()), trans))
