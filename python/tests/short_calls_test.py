"""Short calls take a short way: with it and without it answers are the same, whatever the caller passes."""

import numpy as np
import pytest
from plain import edit

import wale

KEYWORDS = [{}, {"threads": 1}, {"threads": 2}, {"backend": "cpu"}, {"variant": "automatic"}, {"where": wale.cpu(1)}]


class Key:
    """Equal to others of its name; of few hashes."""

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return len(self.name)

    def __eq__(self, other):
        return isinstance(other, Key) and self.name == other.name


def facts(found):
    names = ("score", "query_begin", "query_end", "target_begin", "target_end", "identity", "heuristic")
    return [getattr(found, name) for name in names]


@pytest.mark.parametrize("run", KEYWORDS)
def test_keywords_of_the_cpu_change_nothing(run):
    rng = np.random.default_rng(1)
    for kind in ("f4", "f8", "c8", "c16"):
        a = rng.normal(size=(9, 5, 5)).astype(kind)
        a = a + (1j * rng.normal(size=a.shape)).astype(kind) if kind[0] == "c" else a
        b = a[:, :, :2].copy()
        assert np.array_equal(wale.solve(a, b, **run), wale.solve(a, b))
        assert np.array_equal(wale.inv(a, **run), wale.inv(a))
        assert np.array_equal(wale.det(a, **run), wale.det(a))
        assert np.array_equal(wale.slogdet(a, **run)[1], wale.slogdet(a)[1])
        assert np.allclose(wale.det(a), np.linalg.det(a), rtol=1e-4)
    assert wale.edit_distance("kitten", "sitting", **run) == 3
    assert wale.lcs_length("kitten", "sitting", **run) == 4
    assert wale.edit_distances(["ab", ""], ["b", "c"], **run).tolist() == [1, 1]
    assert wale.cdist(["ab", ""], ["b", "c"], **run).tolist() == [[1, 2], [1, 1]]


@pytest.mark.parametrize("word", [{"threads": -1}, {"threads": 1.5}, {"threads": True}, {"backend": "gpu"}, {"speed": 1}])
def test_wrong_keywords_are_refused_on_the_short_way_too(word):
    for call in (lambda: wale.inv(np.eye(2), **word), lambda: wale.edit_distance("a", "b", **word)):
        with pytest.raises((wale.BadArgument, TypeError)):
            call()


@pytest.mark.parametrize("kind", ["f4", "f8", "c16", "i4"])
def test_lists_and_the_other_byte_order_are_taken_as_arrays(kind):
    rng = np.random.default_rng(5)
    a = (rng.normal(size=(2, 4, 4)) * 9 + 20 * np.eye(4)).astype(kind)
    b, wide = a[:, :, :2].copy(), np.result_type(kind, "f8")
    swapped = (a.astype(a.dtype.newbyteorder()), b.astype(b.dtype.newbyteorder()))
    for one, two, exact in ((*swapped, a), (a.tolist(), b.tolist(), a.astype(wide))):
        right = b.astype(exact.dtype)
        assert np.array_equal(wale.solve(one, two), wale.solve(exact, right))
        assert np.array_equal(wale.inv(one), wale.inv(exact))
        assert np.array_equal(wale.det(one), wale.det(exact))
        assert np.array_equal(wale.slogdet(one), wale.slogdet(exact))
        assert np.array_equal(wale.lu_factor(one).lu, wale.lu_factor(exact).lu)
    d, o = np.full(6, 9).astype(kind), np.arange(6).astype(kind)
    listed = wale.solve_tridiagonal(o.tolist(), d.tolist(), o.tolist(), o.tolist())
    assert np.array_equal(listed, wale.solve_tridiagonal(*(x.astype(wide) for x in (o, d, o, o))))
    if kind[0] != "c":
        parent, lists = [-1, 0, 0, 1, 1, 2], [x.tolist() for x in (d, -o, -o, o)]
        assert np.array_equal(wale.hines_solve(parent, *lists), wale.hines_solve(parent, *(np.array(x, "f8") for x in lists)))


@pytest.mark.parametrize("call", [wale.inv, wale.det, wale.slogdet, wale.lu_factor, lambda a: wale.solve(a, [1, 2])])
@pytest.mark.parametrize("value", [[[1, 2], [3]], [[1, "a"], [2, 3]], [[1, None], [2, 3]], [[10**30, 1], [1, 2]], [], [1.0, 2.0]])
def test_lists_that_are_no_matrix_are_refused(call, value):
    with pytest.raises((wale.BadArgument, TypeError), match="^a: "):
        call(value)


@pytest.mark.parametrize("mode", ["NW", "HW", "SHW", "overlap", "semi_global", "local"])
@pytest.mark.parametrize("words", [{"matrix": "BLOSUM62", "open": 11}, {"match": 2, "mismatch": -3, "open": 5, "extend": 2}])
def test_scored_alignments_of_texts_are_those_of_the_long_way(mode, words):
    rng = np.random.default_rng(8)
    for number in range(40):
        query, target = ("".join(rng.choice(list("ARNDCQEGHIacgt*"), size)) for size in rng.integers(0, [40, 90], 2))
        if number % 3 == 0:
            query, target = query.encode(), target.encode()
        task = ["score", "distance", "locations", "path"][number % 4]
        answers = []
        for run in ({}, {"backend": "reference"}):
            try:
                answers.append(wale.align(query, target, mode=mode, task=task, **words, **run))
            except wale.BadArgument as refusal:
                answers.append(str(refusal))
        assert answers[0] == answers[1]
        assert isinstance(answers[0], str) or facts(answers[0]) == facts(answers[1])


def test_objects_are_equal_as_in_a_dict():
    nan = float("nan")
    a = [[1, True, "x", nan, (1, 2), Key("ab"), None], [], [b"x", "x", 2**70]]
    b = [[1.0, 1, "x", nan, (1, 2), Key("ab"), 0], ["y"], ["x", b"x", 2.0**70]]
    wanted = [edit(x, y)[-1][-1] for x, y in zip(a, b)]
    assert wanted == [1, 1, 2]
    assert wale.edit_distances(a, b).tolist() == wanted
    assert [wale.edit_distance(x, y) for x, y in zip(a, b)] == wanted
    assert wale.cdist(a, b).tolist() == [[edit(x, y)[-1][-1] for y in b] for x in a]
    many = [Key("abcdefghij"[: k % 10] + str(k % 37)) for k in range(500)]
    assert wale.edit_distance(many, many[3:]) == 3
    with pytest.raises(TypeError):
        wale.edit_distance([[1]], [[1]])
    with pytest.raises(TypeError):
        wale.edit_distances([[[1]]], [[[1]]])


@pytest.mark.parametrize("kind", ["i4", "u1", "f2", "?", ">f8"])
def test_other_numbers_are_converted(kind):
    a = np.array([[3, 1], [0, 2]]).astype(kind)
    wide = a.astype("f4" if kind == "f2" else "f8")
    assert np.array_equal(wale.inv(a), wale.inv(wide)) and wale.inv(a).dtype == wide.dtype
    assert np.array_equal(wale.solve(a, a), wale.solve(wide, wide))
    assert wale.det(a) == wale.det(wide) and wale.slogdet(a) == wale.slogdet(wide)
    kept = a.copy()
    wale.inv(np.asfortranarray(a)), wale.solve(a, a)
    assert np.array_equal(a, kept)


def test_systems_in_parts_have_the_bits_of_each():
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2000, 24, 24)), rng.normal(size=(2000, 24, 1))
    x = wale.solve(a, b)
    assert np.array_equal(x[500:600], wale.solve(a[500:600], b[500:600]))
    a[1234] = 0
    with pytest.raises(np.linalg.LinAlgError, match="matrix 1234"):
        wale.solve(a, b)


class Subclass(np.ndarray):
    """What the short way leaves to the long one."""


def numbers(rng, shape, kind):
    x = rng.normal(size=shape)
    return (x + 1j * rng.normal(size=shape) if kind[0] == "c" else x).astype(kind)


@pytest.mark.parametrize("kind", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (7, 3), (3, 7), (4, 6, 6)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_factors_and_solutions_are_those_of_the_long_way(kind, shape, order):
    rng = np.random.default_rng(3)
    a = np.asarray(numbers(rng, shape, kind), order=order)
    kept, short, long = a.copy(), wale.lu_factor(a), wale.lu_factor(a.view(Subclass))
    assert np.array_equal(a, kept) and np.array_equal(short.lu, long.lu) and np.array_equal(short.piv, long.piv)
    assert short.lu.flags.f_contiguous == long.lu.flags.f_contiguous
    if shape[-1] != shape[-2]:
        return
    for b in (numbers(rng, (*shape[:-1], 3), kind), numbers(rng, shape[-1:], kind)):
        for trans in (0, 1, 2):
            x = wale.lu_solve(short, b, trans)
            assert np.array_equal(x, wale.lu_solve(short, b.view(Subclass), trans)) and x.dtype == b.dtype


def test_short_factors_warn_and_refuse():
    with pytest.warns(RuntimeWarning, match="pivot 0 of matrix 1 is exactly zero"):
        assert wale.lu_factor(np.stack([np.eye(2), np.zeros((2, 2))])).outcome.singular == 1
    with pytest.raises(wale.BadArgument, match="pivots"):
        wale.lu_solve((np.eye(2), np.array([0, 7], np.int32)), np.ones(2))
    part, piv = np.random.default_rng(4).normal(size=(8, 8))[:4, :4], np.arange(4, dtype=np.int32)
    assert np.array_equal(wale.lu_solve((part, piv), np.ones(4)), wale.lu_solve((part.copy(), piv), np.ones(4)))


@pytest.mark.parametrize("kind", ["f4", "f8", "c16"])
@pytest.mark.parametrize("shape, axis", [((1,), -1), ((9,), -1), ((4, 9), -1), ((9, 4), 0)])
@pytest.mark.parametrize("pivoting", ["partial", "none"])
def test_chains_and_trees_are_those_of_the_long_way(kind, shape, axis, pivoting):
    rng = np.random.default_rng(5)
    dl, du, b = (numbers(rng, shape, kind) for _ in range(3))
    d = numbers(rng, shape, kind) + np.array(6, kind)
    how = {"axis": axis, "pivoting": pivoting}
    for more in ({}, {"periodic": True}, {"transposed": True}):
        x = wale.solve_tridiagonal(dl, d, du, b, **how, **more)
        assert np.array_equal(x, wale.solve_tridiagonal(dl, d, du, b.view(Subclass), **how, **more))
    below, above = (dl[1:], du[:-1]) if axis == 0 else (dl[..., 1:].copy(), du[..., :-1].copy())
    whole = wale.solve_tridiagonal(dl, d, du, b, **how)
    assert np.array_equal(wale.solve_tridiagonal(below, d, above, b, **how), whole)
    if kind != "c16":
        plan = wale.HinesPlan(np.arange(shape[axis]) // 2 - (np.arange(shape[axis]) < 1))
        x = wale.hines_solve(plan, d, du, dl, b, axis=axis)
        assert np.array_equal(x, wale.hines_solve(plan, d, du, dl, b.view(Subclass), axis=axis))


def test_lengths_above_a_bound_and_strips_of_words():
    wide, text = "é" * 90_000, "\U0001f600" * 40
    assert wale.edit_distance(wide, text, bound=7) == 8
    assert wale.last_report().work == len(wide) * len(text)
    assert wale.edit_distance(text, text[1:] + "é", bound=1) == 1
    assert wale.edit_distance("a" + text, text, bound=0) == 1
    with pytest.raises(wale.BadArgument):
        wale.edit_distance(wide, text, bound=7, threads=5000)
    rng = np.random.default_rng(5)
    for rows in (63, 64, 65, 129, 257, 321, 512, 513, 600):
        for first, kind in ((97, 3), (0x400, 400)):
            a, b = ("".join(map(chr, first + rng.integers(0, kind, n))) for n in (rows, rows + 40))
            for call in (wale.edit_distance, wale.lcs_length):
                assert call(a, b, variant="bit_vector") == call(a, b, backend="reference"), (rows, kind)


@pytest.mark.parametrize("kind", ["float32", "float64", "complex64", "complex128"])
def test_arrays_are_read_where_numpy_keeps_them(kind):
    draw = np.random.default_rng(3)
    dl, d, du, b = (draw.normal(size=(4, 7)) + [[0], [6], [0], [0]]).astype(kind)
    wanted = wale.solve_tridiagonal(dl, d, du, b)
    wide = np.repeat(b, 2)
    for other in (wide[::2], b[::-1][::-1], b.view(Subclass), b.astype(b.dtype.newbyteorder())):
        assert np.array_equal(wale.solve_tridiagonal(dl, d, du, other), wanted)
    frozen = b.copy()
    frozen.flags.writeable = False
    assert np.array_equal(wale.solve_tridiagonal(dl, d, du, frozen), wanted)
    unaligned = np.frombuffer(b"x" + b.tobytes(), b.dtype, offset=1)
    assert np.array_equal(wale.solve_tridiagonal(dl, d, du, unaligned), wanted)
    with pytest.raises((wale.BadArgument, TypeError)):
        wale.solve_tridiagonal(dl, d, du, b[0])
    with pytest.raises((wale.BadArgument, TypeError)):
        wale.solve_tridiagonal(dl, d, du, np.array(b[0]))  # of no axis
    assert wale.solve_tridiagonal(dl[:0], d[:0], du[:0], b[:0]).shape == (0,)
    assert wale.edit_distance(np.arange(3, dtype=np.uint8)[::2], np.array([0, 2])) == 0


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
