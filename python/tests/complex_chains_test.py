"""wale.solve_tridiagonal, TridiagonalFactors, gttrf of complex numbers: against SciPy."""

import numpy as np
import pytest
import scipy.linalg
import wale

RNG = np.random.default_rng(7)


@pytest.mark.parametrize("kind", ["complex64", "complex128"])
@pytest.mark.parametrize("n", [1, 2, 3, 50, 1000])
def test_complex_systems_equal_scipy(n, kind):
    dl, d, du, b = (RNG.normal(size=(4, n)) + 1j * RNG.normal(size=(4, n))).astype(kind)
    banded = np.vstack([np.append(0, du[:-1]), d, np.append(dl[1:], 0)])
    x = wale.solve_tridiagonal(dl, d, du, b)
    assert x.dtype == kind
    rounding = np.finfo(kind).eps / 2
    assert wale.tridiagonal_residual(dl, d, du, b, x) < 150 * rounding  # tests/agreement/tree_complex_test.cpp
    expected = scipy.linalg.solve_banded((1, 1), banded.astype("complex128"), b.astype("complex128"))
    if kind == "complex128":
        np.testing.assert_allclose(x, expected, rtol=1e-7, atol=1e-9 * np.abs(expected).max())
    factors = wale.TridiagonalFactors(dl, d, du)
    assert wale.tridiagonal_residual(dl, d, du, b, factors.solve(b)) < 150 * rounding
    back = factors.solve(b, transposed=True)
    assert wale.tridiagonal_residual(dl, d, du, b, back, transposed=True) < 150 * rounding


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
