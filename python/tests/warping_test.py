"""Time warping of series: costs, windows, paths, the soft minimum."""

import numpy as np
import plain
import pytest
import wale

DRAW = np.random.default_rng(3)
X, Y = DRAW.standard_normal((40, 2)), DRAW.standard_normal((33, 2))


def costs(x, y, squared):
    """Of each two points."""
    apart = np.asarray(x, float).reshape(len(x), 1, -1) - np.asarray(y, float).reshape(1, len(y), -1)
    return (apart**2 if squared else abs(apart)).sum(-1)


def table(cost, window=None, gamma=0.0):
    """By definition, cell by cell; row and column 0 are the border."""
    m, n = cost.shape
    r = np.full((m + 1, n + 1), np.inf)
    r[0, 0] = 0
    for i in range(m):
        for j in range(n):
            if window is None or (i - j <= window + max(0, m - n) and j - i <= window + max(0, n - m)):
                three = np.array([r[i, j], r[i, j + 1], r[i + 1, j]])
                least = three.min()
                soft = gamma * np.log(np.exp((least - three) / gamma).sum()) if gamma else 0
                r[i + 1, j + 1] = cost[i, j] + least - soft
    return r


def rows(operation):
    found = [v for v in wale.variants("wavefront") if v.operation == operation]
    return [v.name for v in found if not wale.why_unavailable(v.backend)]


@pytest.mark.parametrize("variant", rows("warping"))
@pytest.mark.parametrize("window", [None, 0, 5])
@pytest.mark.parametrize("cost", ["absolute", "squared"])
def test_every_row(variant, window, cost):
    backend = variant.split("/")[0]
    apart = costs(X, Y, cost == "squared")
    words = {"cost": cost, "window": window, "variant": variant, "backend": backend}
    assert wale.dtw(X, Y, **words) == pytest.approx(table(apart, window)[-1, -1], rel=1e-14)
    soft = wale.dtw(X, Y, gamma=0.5, **words)
    assert soft == pytest.approx(table(apart, window, 0.5)[-1, -1], rel=1e-12)
    if variant not in rows("warping_path"):
        with pytest.raises(wale.UnsupportedVariant, match="no variant"):
            wale.dtw(X, Y, path=True, **words)
        return
    found, path = wale.dtw(X, Y, path=True, **words)
    assert found == wale.dtw(X, Y, **words)
    assert apart[tuple(path.T)].sum() == pytest.approx(found, rel=1e-13)
    assert path[0].tolist() == [0, 0] and path[-1].tolist() == [39, 32]
    assert set(map(tuple, np.diff(path, axis=0).tolist())) <= {(0, 1), (1, 0), (1, 1)}
    again, slopes = wale.dtw(X, Y, gamma=0.5, gradient=True, **words)
    assert again == soft and slopes.shape == X.shape
    bumped = X.copy()
    bumped[3, 1] += 1e-6
    assert (wale.dtw(bumped, Y, gamma=0.5, **words) - soft) / 1e-6 == pytest.approx(slopes[3, 1], abs=1e-3)


def test_series_of_one_number_a_point():
    assert wale.dtw(X[:, 0], Y[:, 0]) == plain.dtw(X[:, 0], Y[:, 0], False)[-1][-1]
    assert wale.dtw([1, 2, 4], [1, 4]) == 1
    assert wale.dtw(X[:, 0].astype("f4"), Y[:, 0].astype("f4")) == pytest.approx(wale.dtw(X[:, 0], Y[:, 0]), rel=1e-4)
    assert wale.dtw(X[:, :1], Y[:, 0], gamma=1.0, gradient=True)[1].shape == (40, 1)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("window", [None, 0, 2])
def test_arrays_as_lists(dtype, window):
    """Arrays of one type are read where they lie; others, and lists of numbers, are converted first."""
    sizes = (1, 2, 3, 4, 5, 9, 40)
    series = [DRAW.standard_normal(2 * n).astype(dtype)[::2] for n in sizes]  # not contiguous
    packed = [one.copy() for one in series]
    words = {"cost": "squared", "window": window}
    for a, x in zip(series, packed):
        for b, y in zip(series, packed):
            wanted, steps = wale.dtw(a, b, path=True, **words)
            found, path = wale.dtw(x, y, path=True, **words)
            assert found == wanted == wale.dtw(x, y, **words)
            assert path.dtype == np.int64 and np.array_equal(path, steps)
            apart = costs(x, y, True)
            assert apart[tuple(path.T)].sum() == pytest.approx(found, rel=1e-5)
    for some in (packed, packed[:1], packed[2:4] * 3):
        strided = [np.repeat(one, 2)[::2] for one in some]
        got = wale.cdist_dtw(some, **words)
        assert got.dtype == np.dtype(dtype) and np.array_equal(got, wale.cdist_dtw(strided, **words))
        assert np.array_equal(got, [[wale.dtw(x, y, **words) for y in some] for x in some])
        assert np.array_equal(wale.cdist_dtw(some, packed, **words), wale.cdist_dtw(strided, packed, **words))
    even = DRAW.standard_normal((5, 7)).astype(dtype)
    got = wale.cdist_dtw(even, **words)
    assert np.array_equal(got, wale.cdist_dtw(list(even), list(even.copy()), **words))
    assert np.array_equal(got, wale.cdist_dtw(even, threads=1, **words)) and not got.diagonal().any()
    mixed = [packed[3], packed[4].astype("f8")]
    assert wale.cdist_dtw(mixed, **words).dtype == np.float64
    with pytest.raises(wale.BadArgument, match=r"queries\[1\]: NaN at 0"):
        wale.cdist_dtw([packed[3], np.full(2, np.nan, dtype)], **words)
    with pytest.raises(wale.BadArgument, match="y: Inf at 1"):
        wale.dtw(packed[3], np.array([0, np.inf], dtype), path=True, **words)


def test_each_with_each():
    series = [DRAW.standard_normal(n) for n in (1, 7, 20, 64)]
    wanted = np.array([[wale.dtw(a, b, window=3) for b in series] for a in series])
    for threads in (1, 3):
        np.testing.assert_array_equal(wale.cdist_dtw(series, window=3, threads=threads), wanted)
        np.testing.assert_array_equal(wale.cdist_dtw(series, series[1:], window=3, threads=threads), wanted[:, 1:])
    stacked = DRAW.standard_normal((3, 9, 2)).astype("f4")
    got = wale.cdist_dtw(stacked)
    assert got.dtype == np.float32 and got[0, 1] == np.float32(wale.dtw(stacked[0], stacked[1]))
    assert wale.cdist_dtw([], [[1.0]]).shape == (0, 1)
    soft = wale.cdist_dtw(stacked, gamma=1.0)
    np.testing.assert_array_equal(soft, soft.T)


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: wale.dtw([], [1.0]), wale.BadArgument, "x: has no points"),
        (lambda: wale.dtw([1.0, np.nan], [1.0]), wale.BadArgument, "x: NaN at 1"),
        (lambda: wale.dtw([1.0], ["a"]), TypeError, "y: elements of"),
        (lambda: wale.dtw([1j], [1.0]), TypeError, "x: elements of complex128"),
        (lambda: wale.dtw(np.zeros((2, 2, 2)), [1.0]), wale.BadArgument, "x: has 3 dimensions"),
        (lambda: wale.dtw(X, [1.0]), wale.BadArgument, r"points have \[1, 2\] numbers"),
        (lambda: wale.dtw([1.0], [1.0], window=-1), wale.BadArgument, "window: is -1"),
        (lambda: wale.dtw([1.0], [1.0], window=1.5), TypeError, "window: is 1.5"),
        (lambda: wale.dtw([1.0], [1.0], gamma=-1), wale.BadArgument, "gamma: is -1"),
        (lambda: wale.dtw([1.0], [1.0], cost="euclidean"), wale.BadArgument, "cost: is 'euclidean'"),
        (lambda: wale.dtw([1.0], [1.0], gamma=1.0, path=True), wale.BadArgument, "no path"),
        (lambda: wale.dtw([1.0], [1.0], gradient=True), wale.BadArgument, "gamma: is 0"),
        (lambda: wale.cdist_dtw("abc"), TypeError, "queries: is str"),
        (lambda: wale.cdist_dtw([[1.0], [np.inf]]), wale.BadArgument, r"queries\[1\]: Inf at 0"),
    ],
)
def test_bad_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call()


def on_cuda():
    if wale.why_unavailable("cuda"):
        pytest.skip(wale.why_unavailable("cuda"))
    return {"backend": "cuda"}


def test_host_arrays_on_cuda():
    series = [DRAW.standard_normal((n, 2)) for n in (1, 7, 40, 1100)]
    words = on_cuda()
    got = wale.cdist_dtw(series, window=9, **words)
    assert wale.last_report().variant == "cuda/binned"
    np.testing.assert_array_equal(got, wale.cdist_dtw(series, window=9))
    cost, path = wale.dtw(series[2], series[3], path=True, **words)
    assert wale.last_report().variant == "cuda/strips"
    wanted, steps = wale.dtw(series[2], series[3], path=True)
    assert cost == wanted and np.array_equal(path, steps)
    with pytest.raises(wale.UnsupportedVariant, match="not gradients"):
        wale.dtw(X, Y, gamma=1.0, gradient=True, **words)


def test_arrays_of_a_device():
    on_cuda()
    host = DRAW.standard_normal((5, 30, 2)).astype("f4")
    there = wale.to_device(host)
    got = wale.cdist_dtw(there)
    assert wale.last_report().variant == "cuda/binned"
    np.testing.assert_array_equal(wale.to_host(got), wale.cdist_dtw(host))
    flat = wale.to_device(host[:2, :, 0].copy())
    np.testing.assert_array_equal(
        wale.to_host(wale.cdist_dtw(flat, flat, cost="squared")),
        wale.cdist_dtw(host[:2, :, 0], cost="squared"),
    )
    one, other = wale.to_device(host[0]), wale.to_device(host[1])
    assert wale.dtw(one, other) == wale.dtw(host[0], host[1])
    np.testing.assert_array_equal(wale.dtw(one, other, path=True)[1], wale.dtw(host[0], host[1], path=True)[1])
    for call, error, message in (
        (lambda: wale.dtw(one, host[1]), wale.BadArgument, "one is in device memory"),
        (lambda: wale.cdist_dtw([one, other]), wale.BadArgument, "one array of all series"),
        (lambda: wale.dtw(wale.to_device(np.ones(3, "i4")), other), TypeError, "float32 or float64"),
        (lambda: wale.dtw(wale.to_device(np.array([1, np.nan])), wale.to_device(np.ones(2))), wale.BadArgument, "NaN at 1"),
    ):
        with pytest.raises(error, match=message):
            call()
