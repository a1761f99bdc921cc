"""Whole tables. tests/trust compares every row with the reference."""

import numpy as np
import plain
import pytest
import wale

DRAW = np.random.default_rng(7)
A, B = DRAW.integers(0, 4, 37, np.uint8), DRAW.integers(0, 4, 53, np.uint8)
X, Y = DRAW.standard_normal(33).astype("f4"), DRAW.standard_normal(29).astype("f4")
IMAGE = DRAW.integers(0, 256, (35, 66), np.uint8)

EXPECTED = {
    "lcs": plain.cells(plain.lcs(A.tolist(), B.tolist()), np.int32),
    "edit": plain.cells(plain.edit(A.tolist(), B.tolist()), np.int32),
    "global": plain.cells(plain.alignment(A.tolist(), B.tolist(), 3, -2, -4), np.int32),
}


@pytest.mark.parametrize("dtype", ["int32", "int16"])
@pytest.mark.parametrize("kind", ["lcs", "edit", "global"])
def test_kinds(kind, dtype):
    table = wale.wavefront_fill(A, B, kind=kind, match=3, mismatch=-2, gap=-4, dtype=dtype)
    assert table.dtype == dtype
    np.testing.assert_array_equal(table, EXPECTED[kind])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("cost", ["absolute", "squared"])
def test_dtw(cost, dtype):
    x, y = X.astype(dtype) / 3, Y.astype(dtype)
    table = wale.wavefront_fill(x, y, kind="dtw", cost=cost)
    assert table.dtype == dtype
    np.testing.assert_array_equal(table, plain.cells(plain.dtw(x, y, cost == "squared"), dtype))


def test_dtw_narrows_only_on_request():
    fine = [1.0, 1.0 + 2.0**-40]
    assert wale.wavefront_fill(fine, [1.0], kind="dtw")[1, 0] == 2.0**-40
    assert wale.wavefront_fill(np.float32([1.0]), fine, kind="dtw").dtype == np.float64
    assert wale.wavefront_fill(fine, [1.0], kind="dtw", dtype="float32").dtype == np.float32
    assert wale.wavefront_fill(np.int16([1]), np.float16([2]), kind="dtw").dtype == np.float32


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_summed_area(dtype):
    table = wale.summed_area(IMAGE, dtype=dtype)
    np.testing.assert_array_equal(table, IMAGE.cumsum(0, dtype=np.int64).cumsum(1))
    assert table.dtype == dtype


@pytest.mark.parametrize(
    "view", [IMAGE[:, ::2], IMAGE.T, IMAGE[::-1], IMAGE[3:9, 5:20], IMAGE[:0], IMAGE[:, :0]]
)
def test_summed_area_of_views(view):
    np.testing.assert_array_equal(wale.summed_area(view), view.cumsum(0, dtype=np.int64).cumsum(1))


def test_tiles():
    for tile in [(1, 1), (8, 3), (3, 8), (64, 64), (0, 0)]:
        np.testing.assert_array_equal(wale.wavefront_fill(A, B, tile=tile), EXPECTED["lcs"])
    with pytest.raises(wale.BadArgument, match="options.tile"):
        wale.wavefront_fill(A, B, tile=(-1, 4))


def test_out_is_written_in_place_with_any_pitch():
    space = np.full((A.size, B.size + 9), -7, np.int32)
    out = space[:, : B.size]
    assert wale.wavefront_fill(A, B, out=out) is out
    np.testing.assert_array_equal(out, EXPECTED["lcs"])
    assert (space[:, B.size :] == -7).all()


def test_out_gives_the_element_type():
    out = np.empty((A.size, B.size), np.int16)
    np.testing.assert_array_equal(wale.wavefront_fill(A, B, out=out), EXPECTED["lcs"])


@pytest.mark.parametrize(
    "out, message",
    [
        (np.empty((3, 3), np.int32), r"expected int32 of shape \(37, 53\)"),
        (np.empty((37, 53), np.float32), "dtype: is float32, expected int32 or int16"),
        (np.empty((53, 37), np.int32).T, "expected contiguous rows"),
        (np.empty((37, 53), np.int32)[::-1], "expected contiguous rows"),
        (np.broadcast_to(np.int32(0), (37, 53)), "read-only"),
        (np.empty((37, 53), ">i4"), r"out: is >i4"),
    ],
)
def test_bad_out(out, message):
    with pytest.raises(wale.BadArgument, match=message):
        wale.wavefront_fill(A, B, out=out)


def test_no_silent_narrowing():
    long = np.zeros(40000, np.uint8)
    with pytest.raises(wale.BadArgument, match="16-bit cells hold up to"):
        wale.wavefront_fill(long, long[:1], kind="edit", dtype="int16")


def test_empty_tables():
    assert wale.wavefront_fill("", "abc").shape == (0, 3)
    assert wale.wavefront_fill("abc", "").shape == (3, 0)


def test_bad_arguments():
    with pytest.raises(wale.BadArgument, match="NaN at 1"):
        wale.wavefront_fill([0.0, np.nan], [1.0], kind="dtw")
    with pytest.raises(wale.BadArgument, match="Inf at 0"):
        wale.wavefront_fill([np.inf], [1.0], kind="dtw")
    with pytest.raises(wale.BadArgument, match="kind: is 'sw'"):
        wale.wavefront_fill("a", "b", kind="sw")
    with pytest.raises(wale.BadArgument, match="two dimensions of uint8"):
        wale.summed_area(np.zeros((2, 2)))
    with pytest.raises(wale.BadArgument, match="cost: is 'euclid'"):
        wale.wavefront_fill([1.0], [1.0], kind="dtw", cost="euclid")


def test_dlpack_round_trip():
    table = wale.wavefront_fill(A, B)
    np.testing.assert_array_equal(np.from_dlpack(table), EXPECTED["lcs"])
    np.testing.assert_array_equal(wale.to_host(table), EXPECTED["lcs"])


@pytest.mark.skipif(wale.why_unavailable("cuda") != "", reason=wale.why_unavailable("cuda"))
def test_device_arrays_stay_on_their_device():
    a, b = wale.to_device(A), wale.to_device(B)
    table = wale.wavefront_fill(a, b)
    assert table.__dlpack_device__() == (2, 0)
    np.testing.assert_array_equal(wale.to_host(table), EXPECTED["lcs"])
    assert wale.lcs_length(a, b) == EXPECTED["lcs"][-1, -1]
    with pytest.raises(wale.BadArgument, match="is elsewhere"):
        wale.lcs_length(a, B)
    with pytest.raises(wale.BadArgument, match="expected host memory"):
        wale.lcs_length(a, b, backend="cpu")
