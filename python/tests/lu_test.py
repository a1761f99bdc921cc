"""The solver lu: SciPy's and NumPy's functions over every array kind and batch shape. tests/trust asks every row and type."""

import numpy as np
import pytest
import scipy.linalg
import wale
from hypothesis import given, settings
from hypothesis import strategies as st

RNG = np.random.default_rng(5)


def close(found, expected, a=None):
    size = 1 if a is None else np.linalg.cond(np.asarray(a, np.float64)).max()
    eps = np.finfo(np.asarray(found).dtype).eps
    np.testing.assert_allclose(found, expected, rtol=50 * size * eps, atol=50 * size * eps)


def heavy(shape, dtype=np.float64):
    """Random matrices that need no pivoting."""
    a = RNG.uniform(-1, 1, shape).astype(dtype)
    n = min(shape[-2:])
    a[..., np.arange(n), np.arange(n)] += shape[-1]
    return a


@pytest.mark.parametrize("n", [1, 2, 17, 60])
def test_factor_is_scipys(n):
    a = RNG.normal(size=(n, n))
    lu, piv = wale.lu_factor(a)
    expected_lu, expected_piv = scipy.linalg.lu_factor(a)
    np.testing.assert_array_equal(piv, expected_piv)
    close(lu, expected_lu, a)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.uint8, bool, np.float16])
def test_types(kind):
    a = (10 * RNG.uniform(size=(6, 6)) + 20 * np.eye(6)).astype(kind)
    if kind is bool:
        a = np.triu(np.ones((6, 6), bool))
    x = RNG.normal(size=6)
    wide = a.astype(np.float64)
    found = wale.solve(a, wide @ x)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, x, rtol=1e-2 if kind is np.float16 else 1e-4)
    with pytest.raises(TypeError, match="complex128"):
        wale.solve_refined(np.eye(2, dtype=complex), [1.0, 2.0])
    with pytest.raises(TypeError, match="complex256"):
        wale.lu_factor(np.eye(2, dtype=np.clongdouble))


def test_overwrite_works_in_place_and_nothing_else_does():
    a = RNG.normal(size=(9, 9))
    kept = a.copy()
    lu, _ = wale.lu_factor(a)
    assert not np.shares_memory(lu, a) and (a == kept).all()
    b = RNG.normal(size=(9, 2))
    kept_b = b.copy()
    wale.solve(a, b)
    assert (b == kept_b).all() and (a == kept).all()
    lu, piv = wale.lu_factor(a, overwrite_a=True)
    assert np.shares_memory(lu, a)
    x = wale.lu_solve((lu, piv), b, overwrite_b=True)
    assert np.shares_memory(x, b)
    frozen = kept.copy()
    frozen.flags.writeable = False
    assert not np.shares_memory(wale.lu_factor(frozen, overwrite_a=True).lu, frozen)


@pytest.mark.parametrize("shape", [(), (4,), (6,), (2, 3), (0,), (3, 0)])
def test_batches_as_numpy(shape):
    a = heavy((*shape, 6, 6))
    np.testing.assert_allclose(wale.inv(a), np.linalg.inv(a), atol=1e-12)
    np.testing.assert_allclose(wale.det(a), np.linalg.det(a), rtol=1e-12)
    sign, logabsdet = wale.slogdet(a)
    expected_sign, expected_log = np.linalg.slogdet(a)
    np.testing.assert_array_equal(sign, expected_sign)
    np.testing.assert_allclose(logabsdet, expected_log, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("lead", [(), (1,), (4,), (6,), (3, 4), (1, 4), (3, 1), (0,)])
@pytest.mark.parametrize("right", [(6,), (6, 1), (6, 6), (1, 6, 2), (4, 6, 3), (3, 1, 6, 6), (3, 4, 6, 1), (2, 1, 1, 6, 3)])
def test_right_sides_are_numpys(lead, right):
    """b of one axis is a vector, of more a stack of matrices; leading axes broadcast."""
    a, b = heavy((*lead, 6, 6)), RNG.normal(size=right)
    columns = b[:, None] if b.ndim == 1 else b
    try:  # NumPy 1 took b of one axis less than a for vectors
        expected = np.linalg.solve(a, columns)
    except ValueError:
        for call in (wale.solve, lambda a, b: wale.lu_solve(wale.lu_factor(a), b)):
            with pytest.raises(wale.BadArgument, match="b: has leading axes"):
                call(a, b)
        return
    expected = expected[..., 0] if b.ndim == 1 else expected
    for found in (wale.solve(a, b), wale.lu_solve(wale.lu_factor(a), b)):
        assert found.shape == expected.shape
        close(found, expected, a if a.size else None)
    if a.ndim == 2:
        close(wale.solve_refined(a, b).x, expected, a)


def test_a_matrix_that_is_shared_is_factored_once():
    wale.solve(heavy((6, 6)), np.ones((50, 6, 2)))
    assert wale.last_report().work < 3 * 6**3


def test_vectors_for_each_matrix_are_explained():
    with pytest.raises(wale.BadArgument, match=r"b\[..., None\], \(2, 6, 1\), is a vector for each"):
        wale.solve(heavy((2, 6, 6)), np.ones((2, 6)))


def test_views_strides_and_orders():
    big = RNG.normal(size=(20, 30))
    for a in (big[::2, 5:15], big[3:13, 4:14], big.T[:10, :10], np.asfortranarray(big[:10, :10])):
        x = RNG.normal(size=10)
        np.testing.assert_allclose(wale.solve(a, a @ x), x, rtol=1e-9)
        np.testing.assert_allclose(wale.lu_factor(a).lu, scipy.linalg.lu_factor(a)[0], atol=1e-12)


@given(n=st.integers(1, 12), seed=st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=40)
def test_determinant_of_a_product(n, seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(-3, 4, (2, n, n)).astype(float)
    scale = np.linalg.norm(a, axis=1).prod() * np.linalg.norm(b, axis=1).prod()  # Hadamard's bound
    assert abs(wale.det(a) * wale.det(b) - wale.det(a @ b)) <= 1e-9 * max(scale, 1) * n**2


def test_singular_matrices():
    a = np.ones((3, 3))
    with pytest.warns(RuntimeWarning, match="pivot 1 is exactly zero"):
        factors = wale.lu_factor(a)
    assert factors.outcome.first_zero == 1 and factors.outcome.singular == 1
    for function in (wale.inv, lambda m: wale.solve(m, np.ones(3))):
        with pytest.raises(np.linalg.LinAlgError):
            function(a)
    assert wale.det(a) == 0
    sign, logabsdet = wale.slogdet(a)
    assert sign == 0 and logabsdet == -np.inf
    batch = np.stack([np.eye(3), a, np.eye(3)])
    assert wale.slogdet(batch).sign.tolist() == [1, 0, 1]
    with pytest.warns(RuntimeWarning, match="of matrix 1"):
        assert wale.lu_factor(batch).outcome.first_singular == 1


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_determinants_whose_products_leave_the_range_on_the_way(dtype):
    power = 70 if np.finfo(dtype).bits == 32 else 530
    tiny, big = 2.0**-power, 2.0**power
    for diagonal, expected in (
        ([tiny] * 3 + [big] * 3, 1),
        ([big] * 3 + [tiny] * 3, 1),
        ([tiny / 3, tiny, big * 3, big], 1),  # the second product has few digits
        ([tiny] * 3 + [big] * 7, np.inf),
        ([big] * 3 + [tiny] * 7, 0),
    ):
        a = np.diag(diagonal).astype(dtype)
        assert wale.det(a) == pytest.approx(expected, rel=1e-6), diagonal
        assert wale.det(np.stack([a, a]))[1] == wale.det(a)


def test_nan_shows():
    a = np.eye(4)
    a[2, 1] = np.nan
    assert wale.lu_factor(a).outcome.not_finite == 1
    assert np.isnan(wale.slogdet(a).sign) and np.isnan(wale.det(a))


def test_options_and_outcome():
    a = RNG.normal(size=(30, 30))
    outcome = wale.lu_factor(a, growth=True, condition=True).outcome
    assert 0 < outcome.growth < 30
    exact = 1 / (np.linalg.norm(a, 1) * np.linalg.norm(np.linalg.inv(a), 1))
    assert exact * 0.99 <= outcome.reciprocal_condition <= 3 * exact
    zero = np.array([[0.0, 1], [1, 0]])
    moved = wale.lu_factor(zero, pivoting="none", perturbation=1e-8).outcome
    assert moved.perturbed == 1
    assert wale.last_report().variant == moved.run.variant
    with pytest.warns(RuntimeWarning):
        assert wale.lu_factor(zero, pivoting="none", growth=True).outcome.first_zero == 0


def test_refined():
    a, x = RNG.normal(size=(80, 80)), RNG.normal(size=(80, 2))
    found, outcome = wale.solve_refined(a, a @ x)
    np.testing.assert_allclose(found, x, rtol=1e-9, atol=1e-11)
    assert outcome.backward_error < 1e-15 * 80 and outcome.outcome
    hard = scipy.linalg.hilbert(11)  # condition 5e14: float32 factors are of no use
    found, outcome = wale.solve_refined(hard, np.ones(11))
    assert outcome.backward_error < 1e-14
    assert outcome.fell_back or outcome.factored == "float64"


@pytest.mark.parametrize("a, pivot", [([[0.0]], 0), ([[1.0, 1.0], [1.0, 1.0]], 1), (np.zeros((3, 3)), 0)])
@pytest.mark.parametrize("precision", ["automatic", "float64"])
def test_refined_refuses_a_singular_matrix_as_solve_does(a, pivot, precision):
    with pytest.raises(np.linalg.LinAlgError, match=f"a is singular: pivot {pivot} of the float64 factors is 0"):
        wale.solve_refined(a, np.ones(len(a)), precision=precision)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: wale.lu_factor(np.ones(3)), "a: has 1 dimensions"),
        (lambda: wale.det(np.ones((2, 3))), "square"),
        (lambda: wale.solve(np.eye(3), np.ones(4)), "b: has shape"),
        (lambda: wale.lu_factor(np.eye(2), pivoting="rook"), "pivoting: is 'rook'"),
        (lambda: wale.lu_factor(np.eye(2), perturbation=0.1), "perturbation"),
        (lambda: wale.lu_solve(wale.lu_factor(np.eye(2)), np.ones(2), 3), "trans"),
        (lambda: wale.lu_solve((np.eye(2), [0, 5]), np.ones(2)), r"pivots\[1\]: is 5"),
        (lambda: wale.solve_refined(np.eye(2), np.ones(2), precision="f8"), "precision"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(wale.BadArgument, match=message):
        call()


def test_device_arrays_stay_on_the_device():
    if wale.why_unavailable("cuda"):
        pytest.skip(wale.why_unavailable("cuda"))
    a, b = heavy((5, 40, 40)), RNG.normal(size=(5, 40, 1))
    there = wale.to_device(a)
    lu, piv = wale.lu_factor(there)
    assert lu.__dlpack_device__()[0] == 2
    x = wale.lu_solve((lu, piv), wale.to_device(b))
    np.testing.assert_allclose(wale.to_host(x), np.linalg.solve(a, b), rtol=1e-9)
    first = wale.to_device(a[0])
    x = wale.to_host(wale.lu_solve(wale.lu_factor(first), wale.to_device(b[0, :, 0])))
    assert x.shape == (40,)
    np.testing.assert_allclose(x, np.linalg.solve(a[0], b[0, :, 0]), rtol=1e-9)
    np.testing.assert_allclose(wale.to_host(wale.inv(there)), np.linalg.inv(a), atol=1e-10)
    np.testing.assert_allclose(wale.to_host(wale.det(there)), np.linalg.det(a), rtol=1e-9)


def test_complex_and_real_meet_as_in_numpy():
    a, b = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1j, 2.0])
    np.testing.assert_allclose(wale.solve(a, b), np.linalg.solve(a, b), rtol=1e-14)
    np.testing.assert_allclose(wale.solve(a * 1j, [1, 2]), np.linalg.solve(a * 1j, [1, 2]), rtol=1e-14)
    np.testing.assert_allclose(wale.lu_solve(wale.lu_factor(a), b), np.linalg.solve(a, b), rtol=1e-14)
    assert wale.solve(a.astype("f4"), b.astype("c8")).dtype == np.complex64
    assert wale.solve([[1j]], [2]) == -2j
    sign, log = wale.slogdet([[1j, 0], [0, 2]])
    assert (sign, round(float(np.exp(log)), 12)) == (1j, 2.0)
    with pytest.raises(wale.UnsupportedVariant, match="real numbers only"):
        wale.lu_factor(a * 1j, variant="blocked", backend="cpu")
