"""wale.solve_tridiagonal, TridiagonalFactors, hines_solve: against SciPy, dense algebra and exact fractions. tests/trust asks every
row, type, axis and pivoting."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.linalg
import wale
from hypothesis import given, settings
from hypothesis import strategies as st

RNG = np.random.default_rng(7)


def dense(dl, d, du, periodic=False):
    n = len(d)
    a = np.zeros((n, n))
    for i in range(n):
        a[i, i] += d[i]
        if i > 0 or periodic:
            a[i, i - 1] += dl[i]
        if i < n - 1 or periodic:
            a[i, (i + 1) % n] += du[i]
    return a


def chains(shape, dominant=False):
    dl, d, du = RNG.normal(size=(3, *shape))
    return dl, d + 4 * np.sign(d) if dominant else d, du


def test_short_diagonals_are_lapacks():
    dl, d, du = chains((20,))
    b = RNG.normal(size=20)
    np.testing.assert_array_equal(
        wale.solve_tridiagonal(dl[1:], d, du[:-1], b), wale.solve_tridiagonal(dl, d, du, b)
    )


def test_unused_corners_may_be_anything():
    dl, d, du = chains((6, 30))
    b = RNG.normal(size=(6, 30))
    expected = wale.solve_tridiagonal(dl, d, du, b)
    dl[:, 0] = np.nan
    du[:, -1] = np.inf
    np.testing.assert_array_equal(wale.solve_tridiagonal(dl, d, du, b), expected)


def test_columns_are_right_sides():
    dl, d, du = chains((3, 40))
    b = RNG.normal(size=(3, 40, 5))
    x = wale.solve_tridiagonal(dl, d, du, b)
    for k in range(5):
        np.testing.assert_allclose(x[..., k], wale.solve_tridiagonal(dl, d, du, b[..., k]), rtol=1e-9, atol=1e-9)


def test_one_matrix_is_shared():
    dl, d, du = chains((1, 40))
    b = RNG.normal(size=(9, 40))
    x = wale.solve_tridiagonal(dl, d, du, b)
    for s in range(9):
        np.testing.assert_allclose(dense(dl[0], d[0], du[0]) @ x[s], b[s], atol=1e-9)


def test_inputs_survive_and_types_stay():
    dl, d, du = (a.astype(np.float32) for a in chains((4, 25), dominant=True))
    b = RNG.normal(size=(4, 25)).astype(np.float32)
    before = [a.copy() for a in (dl, d, du, b)]
    x = wale.solve_tridiagonal(dl, d, du, b, pivoting="none")
    assert x.dtype == np.float32 and x.shape == b.shape
    for old, new in zip(before, (dl, d, du, b)):
        np.testing.assert_array_equal(old, new)
    assert wale.solve_tridiagonal([1], [2, 2], [1], [3, 3]).dtype == np.float64


@pytest.mark.parametrize("shape", [(0,), (0, 5), (5, 0)])
def test_nothing_is_ordinary(shape):
    empty = np.zeros(shape)
    assert wale.solve_tridiagonal(empty, empty, empty, empty).shape == shape


def test_singular_systems_are_named():
    d = np.full((3, 4), 2.0)
    d[1] = 0
    off = np.zeros((3, 4))
    with pytest.raises(np.linalg.LinAlgError, match="system 1: the pivot of row 0"):
        wale.solve_tridiagonal(off, d, off, np.ones((3, 4)))


def test_factors_solve_often():
    dl, d, du = chains((8, 60))
    f = wale.TridiagonalFactors(dl, d, du)
    assert f.nbytes > 0
    for shape in ((8, 60), (8, 60, 3)):
        b = RNG.normal(size=shape)
        assert wale.tridiagonal_residual(dl, d, du, b, f.solve(b)) < 1e-14
        assert wale.tridiagonal_residual(dl, d, du, b, f.solve(b, transposed=True), transposed=True) < 1e-14
    single = wale.TridiagonalFactors(*(a.astype(np.float32) for a in (dl, d, du)))
    with pytest.raises(wale.BadArgument, match="float64, expected float32"):
        single.solve(np.ones((8, 60)))


@pytest.mark.parametrize("n", [1, 2, 6, 17, 64, 100])
@pytest.mark.parametrize("middle", [0.0, 1e-8, "first"])
def test_rings_with_a_singular_chain_in_them(n, middle):
    one = np.ones((4, n))
    d = np.zeros((4, n)) if middle == "first" else np.full((4, n), middle)
    if middle == "first":
        d[:, 0] = 1e-8
    b = RNG.normal(size=(4, n))
    if np.linalg.cond(dense(one[0], d[0], one[0], True)) > 1e15:
        pytest.skip("singular")
    for variant in ("automatic", "cpu/thomas", "cpu/lanes", "cpu/partition"):
        x = wale.solve_tridiagonal(one, d, one, b, periodic=True, variant=variant, backend="cpu")
        assert wale.tridiagonal_residual(one, d, one, b, x, periodic=True) < 112 * 2**-53, variant
    f = wale.TridiagonalFactors(one, d, one, periodic=True, backend="cpu")
    assert wale.tridiagonal_residual(one, d, one, b, f.solve(b), periodic=True) < 112 * 2**-53


@pytest.mark.parametrize("n", [3, 50, 500])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_lapacks_form_is_scipys(n, kind):
    dl, d, du = (a.astype(kind) for a in chains((n,)))
    factor, solve = scipy.linalg.lapack.get_lapack_funcs(("gttrf", "gttrs"), (d,))
    ours, theirs = wale.gttrf(dl[1:], d, du[:-1]), factor(dl[1:], d, du[:-1])
    eps = np.finfo(kind).eps
    for a, b in zip(ours[:4], theirs[:4]):
        assert a.dtype == b.dtype == kind
        np.testing.assert_allclose(a, b, rtol=1e5 * eps, atol=1e3 * eps)
    np.testing.assert_array_equal(ours.ipiv, theirs[4])
    assert ours.info == theirs[5] == 0
    b = RNG.normal(size=(n, 3)).astype(kind)
    for trans in ("N", "T", "C"):
        x, info = wale.gttrs(*theirs[:5], b, trans=trans)
        expected, _ = solve(*theirs[:5], b, trans=trans)
        assert x.dtype == kind and info == 0
        np.testing.assert_allclose(x, expected, rtol=1e5 * eps, atol=1e3 * eps * np.abs(expected).max())
        alone, _ = wale.gttrs(*ours[:5], b[:, 0], trans=trans)
        assert wale.tridiagonal_residual(dl, d, du, b[:, 0], alone, transposed=trans != "N") < 30 * eps


def test_lapacks_form_in_batches():
    dl, d, du = chains((2, 3, 30))
    d[1, 1, :] = 0
    dl[1, 1, :] = 0
    f = wale.gttrf(dl[..., 1:], d, du[..., :-1])
    assert f.ipiv.shape == (2, 3, 30) and f.du2.shape == (2, 3, 28)
    np.testing.assert_array_equal(f.info, [[0, 0, 0], [0, 1, 0]])
    f = wale.gttrf(dl[0, :, 1:], d[0], du[0, :, :-1])
    b = RNG.normal(size=(3, 30, 2))
    x, _ = wale.gttrs(*f[:5], b)
    assert wale.tridiagonal_residual(dl[0], d[0], du[0], b, x) < 30 * 2**-53
    assert wale.gttrf([], [2.0], []).ipiv == [1]
    with pytest.raises(wale.BadArgument, match="dl: has shape"):
        wale.gttrf(dl, d, du)
    with pytest.raises(wale.BadArgument, match=r"pivots\[2\]: is 1, expected 3 or 4"):
        wale.gttrs([1.0, 1, 1], [4.0] * 4, [1.0] * 3, [0.0] * 2, [1, 2, 1, 4], np.ones(4))
    with pytest.raises(wale.BadArgument, match="trans: is 'X'"):
        wale.gttrs(*f[:5], b, trans="X")


def test_lost_digits_are_warned_of():
    d = np.full(12, 4.0)
    d[0] = 1e-6
    one, b = np.ones(12), RNG.normal(size=12)
    with pytest.warns(RuntimeWarning, match="backward error is .*expected pivoting='partial'"):
        wale.solve_tridiagonal(one, d, one, b, pivoting="none")
    wale.solve_tridiagonal(one, d, one, b, pivoting="none", verify=False)
    wale.solve_tridiagonal(one, d, one, b)
    with pytest.warns(RuntimeWarning, match="does not exchange rows"):
        wale.hines_solve([-1, 0, 1], [0.1, 0.7, 1e-6], [1.0] * 3, [1.0] * 3, [0.3, 0.7, 0.9])


def test_wrong_shapes_are_named():
    d = np.ones((3, 5))
    with pytest.raises(wale.BadArgument, match="dl: has shape"):
        wale.solve_tridiagonal(np.ones((3, 3)), d, d, d)
    with pytest.raises(wale.BadArgument, match="b: has "):
        wale.solve_tridiagonal(d, d, d, np.ones((2, 5)))
    with pytest.raises(wale.BadArgument, match="pivoting: is 'some'"):
        wale.solve_tridiagonal(d, d, d, d, pivoting="some")
    with pytest.raises(TypeError, match="elements of object, expected real or complex numbers"):
        wale.solve_tridiagonal(d, d.astype(object), d, d)


def exact_tree(parent, d, u, lower, b):
    """The solution in fractions, leaves first."""
    n = len(parent)
    d, b = [Fraction(v) for v in d], [Fraction(v) for v in b]
    u, lower = [Fraction(v) for v in u], [Fraction(v) for v in lower]
    children = [[] for _ in range(n)]
    order = []
    for i, p in enumerate(parent):
        if p >= 0:
            children[p].append(i)
    stack = [i for i, p in enumerate(parent) if p < 0]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(children[node])
    for i in reversed(order):
        if parent[i] >= 0:
            f = u[i] / d[i]
            d[parent[i]] -= f * lower[i]
            b[parent[i]] -= f * b[i]
    for i in order:
        b[i] = (b[i] - (lower[i] * b[parent[i]] if parent[i] >= 0 else 0)) / d[i]
    return b, d


@st.composite
def trees(draw):
    n = draw(st.integers(1, 30))
    parent = [-1] + [draw(st.integers(0, i - 1)) for i in range(1, n)]
    place = draw(st.permutations(range(n)))
    out = [0] * n
    for i, p in enumerate(parent):
        out[place[i]] = -1 if p < 0 else place[p]
    return out


@settings(max_examples=60, deadline=None)
@given(trees(), st.integers(0, 2**31))
def test_trees_equal_fractions(parent, seed):
    rng = np.random.default_rng(seed)
    n = len(parent)
    u, lower, b = rng.normal(size=(3, n))
    d = 1 + np.abs(rng.normal(size=n))
    for i, p in enumerate(parent):
        d[i] += abs(lower[i])
        if p >= 0:
            d[p] += abs(u[i])
    expected, eliminated = exact_tree(parent, d, u, lower, b)
    x, left = wale.hines_solve(parent, d, u, lower, b, return_eliminated=True)
    np.testing.assert_allclose(x, [float(v) for v in expected], rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(left, [float(v) for v in eliminated], rtol=1e-12)
    assert wale.hines_residual(parent, d, u, lower, b, x) < 1e-14


def test_cells_and_plans():
    plan = wale.HinesPlan([-1] + [int(RNG.integers(max(0, i - 3), i)) for i in range(1, 90)])
    u, lower, b = RNG.normal(size=(3, 25, 90))
    d = np.full((25, 90), 30.0)
    x = wale.hines_solve(plan, d, u, lower, b)
    assert wale.hines_residual(plan, d, u, lower, b, x) < 1e-14
    across = wale.hines_solve(plan, d.T, u.T, lower.T, b.T, axis=0)
    np.testing.assert_allclose(across.T, x, rtol=1e-12, atol=1e-14)
    turned = wale.hines_solve(plan, d, u, lower, b, transposed=True)
    assert wale.hines_residual(plan, d, lower, u, b, turned) < 1e-14


@pytest.mark.parametrize(
    ("parent", "words"),
    [
        ([-1, 2, 1], "closes a cycle"),
        ([-1, -1], "a second root"),
        ([-1, 9], r"parent\[1\]: is 9"),
        ([0, 0], "the node itself"),
    ],
)
def test_what_is_no_tree_is_refused(parent, words):
    one = np.ones(len(parent))
    with pytest.raises(wale.BadArgument, match=words):
        wale.hines_solve(parent, one, one, one, one)


def test_forests_are_declared():
    one = np.ones(4)
    x = wale.hines_solve([-1, 0, -1, 2], 3 * one, one, one, one, forest=True)
    np.testing.assert_allclose(x, 0.25 * one)


def test_single_precision_says_that_it_overflows():
    big = np.array([6e37, 6e37], np.float32)
    with pytest.raises(np.linalg.LinAlgError, match="not finite"):
        wale.hines_solve([-1, 0], np.float32([1e-3, 1e-38]), big, big, big)


def plain_chains(dl, d, du, b):
    """Every system by NumPy: (..., n) each, whose leading axes broadcast."""
    dl, d, du, b = np.broadcast_arrays(dl, d, du, b)
    x = np.empty(b.shape)
    for at in np.ndindex(b.shape[:-1]):
        a = np.diag(d[at]) + np.diag(dl[at][1:], -1) + np.diag(du[at][:-1], 1)
        x[at] = np.linalg.solve(a, b[at])
    return x


@pytest.mark.parametrize("d, b", [
    ((5,), (5,)), ((3, 5), (5,)), ((3, 5), (1, 5)), ((1, 5), (3, 5)), ((1, 1, 5), (2, 3, 5)), ((2, 1, 5), (1, 3, 5)),
    ((2, 1, 5), (2, 3, 5)), ((4, 3, 5), (3, 5)), ((0, 5), (5,)), ((5, 5), (5, 5)),
])  # fmt: skip
def test_leading_axes_broadcast(d, b):
    rng = np.random.default_rng(8)
    dl, du = rng.normal(size=d[-2:]), rng.normal(size=5)
    middle, right = 5 + rng.random(d), rng.normal(size=b)
    expected = plain_chains(dl, middle, du, right)
    factors = wale.TridiagonalFactors(dl, middle, du)
    for x in (wale.solve_tridiagonal(dl, middle, du, right), factors.solve(right)):
        assert x.shape == expected.shape
        np.testing.assert_allclose(x, expected, rtol=1e-12, atol=1e-13)
        assert wale.tridiagonal_residual(dl, middle, du, right, x) < 1e-14
    if len(d) == 2 and d == b:
        flipped = [v.T.copy() for v in (middle, right)]
        x = wale.solve_tridiagonal(dl.T, flipped[0], np.repeat(du[:, None], d[0], 1), flipped[1], axis=0)
        np.testing.assert_allclose(x.T, expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("d, b", [((5,), (5, 2)), ((5,), (3, 5, 2)), ((3, 5), (1, 5, 2)), ((3, 5), (2, 3, 5, 2)), ((5,), (5, 5))])
def test_columns_broadcast(d, b):
    """More axes than d: (..., n, k), whatever the numbers are."""
    rng = np.random.default_rng(8)
    middle, right, one = 5 + rng.random(d), rng.normal(size=b), np.ones(5)
    expected = np.moveaxis(plain_chains(one, middle[..., None, :], one, np.moveaxis(right, -1, -2)), -1, -2)
    x = wale.solve_tridiagonal(one, middle, one, right)
    assert x.shape == expected.shape
    np.testing.assert_allclose(x, expected, rtol=1e-12, atol=1e-13)


def test_leading_axes_that_do_not_broadcast():
    with pytest.raises(wale.BadArgument, match=r"b: has leading axes \(2,\), expected some that broadcast"):
        wale.solve_tridiagonal(np.ones(4), 4 * np.ones((3, 5)), np.ones(4), np.ones((2, 5)))


def test_the_widest_type_counts():
    d, one = np.full(5, 4.0, np.float32), np.ones(5, np.float32)
    x = wale.solve_tridiagonal(one, d, one, 1j * one)
    assert x.dtype == np.complex64
    np.testing.assert_allclose(x, 1j * wale.solve_tridiagonal(one, d, one, one), rtol=1e-6)
    assert wale.solve_tridiagonal(one, d.astype(np.complex128), one, one).dtype == np.complex128
    factors = wale.TridiagonalFactors(one, d.astype(np.complex64), one)
    np.testing.assert_allclose(factors.solve(one), x / 1j, rtol=1e-6)
    with pytest.raises(wale.BadArgument, match="b: is complex128, expected complex64 like the factors"):
        factors.solve(one.astype(np.complex128))
    with pytest.raises(TypeError, match="rhs: elements of complex128, expected real numbers"):
        wale.hines_solve([-1], [1.0], [0.0], [0.0], [1j])


@pytest.mark.parametrize("trans", ["N", "T", "C"])
def test_complex_factors_are_lapacks(trans):
    dl, du = RNG.normal(size=(2, 39)) + 1j * RNG.normal(size=(2, 39))
    d, b = RNG.normal(size=(2, 40)) + 1j * RNG.normal(size=(2, 40))
    ours, theirs = wale.gttrf(dl, d, du), scipy.linalg.lapack.zgttrf(dl, d, du)
    np.testing.assert_array_equal(ours.ipiv, theirs[4])
    for a, z in zip(ours[:4], theirs[:4]):
        np.testing.assert_allclose(a, z, rtol=1e-10, atol=1e-12)
    x, info = wale.gttrs(*ours[:5], b, trans)
    expected, _ = scipy.linalg.lapack.zgttrs(*theirs[:5], b, trans)
    assert info == 0
    np.testing.assert_allclose(x, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("n", [3, 40, 70000])
@pytest.mark.parametrize("less", ["dl", "du"])
def test_periodic_systems_have_no_couplings_to_spare(n, less):
    a = {"dl": np.ones(n), "d": np.full(n, 4.0), "du": np.ones(n), "b": np.ones(n)}
    a[less] = a[less][1:]
    assert np.allclose(wale.solve_tridiagonal(**a)[n // 2], 1 / 6, atol=0.1)
    message = f"{less}: has shape .{n - 1},., expected {n} elements a system with periodic"
    for given in (a, {k: v.tolist() for k, v in a.items()}):
        with pytest.raises(wale.BadArgument, match=message):
            wale.solve_tridiagonal(**given, periodic=True)
    with pytest.raises(wale.BadArgument, match=message):
        wale.TridiagonalFactors(a["dl"], a["d"], a["du"], periodic=True)
