"""wale.solve_tridiagonal, TridiagonalFactors, gttrf of complex numbers: against SciPy."""

import numpy as np
import pytest
import scipy.linalg
import wale

RNG = np.random.default_rng(7)


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
