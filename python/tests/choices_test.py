"""What `automatic` takes, by the names of rows; and short calls, which have a way of their own."""

import numpy as np
import pytest

import wale


def ran(answer):
    """The row of the call before."""
    return wale.last_report().variant


def texts(count, size, letters=26, seed=1):
    draw = np.random.default_rng(seed)
    return ["".join(map(chr, 97 + draw.integers(0, letters, size))) for _ in range(count)]


@pytest.mark.parametrize("function, short, long", [(wale.lcs_lengths, 100, 400), (wale.edit_distances, 20, 400)])
def test_batches_of_short_pairs_go_one_by_one(function, short, long):
    for size, row in ((short, "cpu/pairs"), (long, "cpu/lanes")):
        a, b = texts(64, size), texts(64, size, seed=2)
        assert ran(function(a, b)) == row
        assert (function(a, b) == function(a, b, variant="cpu/lanes")).all()


@pytest.mark.parametrize("metric", ["lcs", "edit_distance"])
def test_few_queries_make_no_masks_of_the_targets(metric):
    targets = texts(300, 30)
    for queries, row in ((texts(1, 40, seed=3), "cpu/pairs"), (texts(9, 40, seed=3), "cpu/lanes")):
        assert ran(wale.cdist(queries, targets, metric=metric)) == row
        answers = wale.cdist(queries, targets, metric=metric)
        assert (answers == wale.cdist(queries, targets, metric=metric, variant="reference/plain")).all()


def test_words_of_every_length():
    """Rows of one to four words and beyond, with equal ends, empty texts and cut-offs."""
    sizes = [0, 1, 2, 63, 64, 65, 127, 128, 129, 192, 193, 255, 256, 257, 300]
    a = [texts(1, n, 3, seed=n)[0] for n in sizes for _ in sizes]
    b = [texts(1, m, 3, seed=m + 7)[0] for _ in sizes for m in sizes]
    b[3] = a[3][:20] + b[3]
    for function in (wale.lcs_lengths, wale.edit_distances):
        assert (function(a, b, variant="cpu/pairs") == function(a, b, variant="reference/plain")).all()
    assert (wale.edit_distances(a, b, bound=40, variant="cpu/pairs") == wale.edit_distances(a, b, bound=40)).all()
    assert (wale.edit_distances(a, b, bound=40) == np.minimum(wale.edit_distances(a, b), 41)).all()


def test_one_pair_goes_by_stripes():
    words = {"mode": "local", "match": 2, "mismatch": -3, "open": 5, "extend": 2}
    for pair in (texts(2, 15), texts(2, 60)):
        found = wale.align(*pair, **words)
        assert ran(None) in ("cpu/striped", "cpu/tiles")  # the latter without vectors
        assert found.score == wale.align(*pair, variant="reference/plain", **words).score
    # A score of 16 bits holds no such costs.
    wale.align("AB" * 30, "BA" * 30, match=1000, mismatch=-1000, open=40000)
    assert ran(None) in ("cpu/wavefronts", "cpu/diagonals", "cpu/tiles")


def test_unit_costs_go_by_bits():
    a, b = texts(2, 300)
    found = wale.align(a, b, task="path")
    assert ran(None) == "cpu/bit_vector"
    assert found == wale.align(a, b, task="path", variant="reference/plain")
    assert wale.align(a, b, task="path", k=2)["editDistance"] == -1
    assert wale.align(a, b, task="path", k=2).score == found.score
    wale.align(a, a[100:] + b, "HW", "locations")
    assert ran(None) == "cpu/strips"


def test_narrow_tables_of_bits_have_no_vectors():
    a, b = texts(1, 900)[0], texts(1, 20)[0]
    assert ran(wale.wavefront_fill(a, b, kind="edit")) != "cpu/simd"


def test_few_right_sides_of_larger_matrices():
    draw = np.random.default_rng(4)
    factors = wale.lu_factor(draw.uniform(-1, 1, (500, 500)) + 20 * np.eye(500))
    for sides, row in ((1, "cpu/small"), (16, "cpu/small"), (17, "cpu/recursive")):
        b = draw.uniform(-1, 1, (500, sides))
        assert ran(wale.lu_solve(factors, b)) == row
        np.testing.assert_allclose(wale.lu_solve(factors, b), wale.lu_solve(factors, b, variant="cpu/recursive"))


def test_few_systems_side_by_side():
    draw = np.random.default_rng(5)
    for axis, systems, row in ((0, 5, "cpu/thomas"), (0, 6, "cpu/lanes"), (-1, 3, "cpu/thomas"), (-1, 4, "cpu/lanes")):
        shape = (300, systems) if axis == 0 else (systems, 300)
        less = (299, systems) if axis == 0 else (systems, 299)
        dl, du = draw.uniform(-1, 1, (2, *less))
        assert ran(wale.solve_tridiagonal(dl, draw.uniform(4, 5, shape), du, np.ones(shape), axis=axis)) == row


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("n", [1, 2, 5, 16, 17, 40])
@pytest.mark.parametrize("count", [(), (1,), (3,), (9,), (2, 3)])
def test_short_calls_of_numpy_arrays(dtype, n, count):
    """For every order and stride; inputs stay as they are."""
    draw = np.random.default_rng(n)
    whole = draw.uniform(-1, 1, (*count, 2 * n, 2 * n)) + (1j * draw.uniform(-1, 1, (*count, 2 * n, 2 * n)) if dtype[0] == "c" else 0)
    whole = (whole + n**0.5 * np.eye(2 * n)).astype(dtype)
    for a in (whole[..., :n, :n].copy(), np.asfortranarray(whole[..., :n, :n]), whole[..., ::2, ::2], whole[..., :n, :n].swapaxes(-1, -2)):
        before, b = a.copy(), draw.uniform(-1, 1, (*count, n, 3)).astype(dtype)
        close = {"rtol": 2e-4, "atol": 1e-5} if dtype in ("f4", "c8") else {"rtol": 1e-11, "atol": 1e-12}
        np.testing.assert_allclose(a @ wale.solve(a, b), b, **close)
        np.testing.assert_allclose(a @ wale.inv(a), np.broadcast_to(np.eye(n), a.shape), **close)
        np.testing.assert_allclose(wale.det(a), np.linalg.det(a), rtol=close["rtol"])
        for ours, theirs in zip(wale.slogdet(a), np.linalg.slogdet(a)):
            np.testing.assert_allclose(ours, theirs, **close)
        assert wale.solve(a, b).dtype == wale.inv(a).dtype == wale.det(a).dtype == a.dtype
        assert (a == before).all()


def test_short_calls_of_singular_and_other_arrays():
    with pytest.raises(np.linalg.LinAlgError, match="matrix 1 is singular: pivot 1"):
        wale.solve(np.array([np.eye(2), np.ones((2, 2))]), np.ones((2, 2, 1)))
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        wale.inv(np.zeros((3, 3)))
    assert wale.det(np.ones((2, 2))) == 0 and wale.slogdet(np.zeros((2, 2)))[1] == -np.inf
    a = np.array([[2.0, 1.0], [1.0, 3.0]])
    for other in (a.astype(">f8"), a.astype(int), a.tolist(), a.astype("f4")):
        np.testing.assert_allclose(wale.solve(other, np.array([3.0, 5.0])), [0.8, 1.4], rtol=1e-6)
    with pytest.raises(wale.BadArgument):
        wale.solve(a, np.ones(3))
    assert wale.solve(np.empty((0, 0)), np.empty(0)).shape == (0,)


def test_lists_of_texts():
    """Tuples and bytes as lists of str; what is not of ASCII, mixed or uneven goes the long way."""
    assert wale.edit_distances(("ab", ""), ["b", "xyz"]).tolist() == [1, 3]
    assert wale.lcs_lengths([b"ab"], (b"ba",)).tolist() == [1]
    assert wale.edit_distances(["\u00e4b\u4e00", "a"], ["ab", "\u4e00"]).tolist() == [2, 1]
    assert wale.cdist(["ab", "abc"], ["b"]).tolist() == [[1], [2]]
    assert wale.cdist(["ab", "abc"]).tolist() == [[0, 1], [1, 0]]
    assert wale.cdist(["abcdef"], ["b"], cutoff=2).tolist() == [[3]]
    assert wale.edit_distances([], []).shape == (0,) and wale.cdist([], ["a"]).shape == (0, 1)
    for a, b in ((["a"], [b"a"]), (["a", b"a"], ["a", "b"])):
        with pytest.raises(TypeError):
            wale.edit_distances(a, b)
    with pytest.raises(wale.BadArgument, match="2 and 1 sequences"):
        wale.edit_distances(["a", "b"], ["a"])
    with pytest.raises(wale.BadArgument, match="bound"):
        wale.edit_distances(["a"], ["a"], bound=-1)


def changed(text, draw, share):
    """The text with about that share of its letters replaced, left out or doubled."""
    kinds = draw.choice(4, len(text), p=[1 - share, share / 3, share / 3, share / 3])
    return "".join(("z" if kind == 1 else "" if kind == 2 else letter * (kind - 1 if kind else 1)) for letter, kind in zip(text, kinds))


def test_bounds():
    """Bands of one word, beginnings that settle the answer, and bands of strips: as without a bound, cut off."""
    draw = np.random.default_rng(6)
    for size in (65, 66, 90, 130, 300, 700, 1500):
        for share in (0, 0.01, 0.03, 0.1, 0.4):
            for letters in (2, 26):
                a = texts(1, size, letters, seed=size)[0]
                b = "yx" + changed(a, draw, share) + "y" if letters == 2 or share < 0.4 else texts(1, size + 5, seed=9)[0]
                distance = wale.edit_distance(a, b, variant="reference/plain")
                for bound in {0, 1, 2, 5, 8, 15, 30, 31, 32, 60, 80, 150, max(distance - 1, 0), distance, distance + 1}:
                    for x, y in ((a, b), (b, a), (b[::-1], a[::-1])):
                        assert wale.edit_distance(x, y, bound=bound) == min(distance, bound + 1)
                        assert wale.edit_distance(x, y, bound=bound, variant="cpu/band") == min(distance, bound + 1)
    a, b = texts(1, 200)[0], texts(1, 205, seed=8)[0]
    assert wale.edit_distance(a, b, bound=20) == 21 and ran(None) == "cpu/band"
