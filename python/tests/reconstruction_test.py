"""Reconstruction and what is derived from it, with scikit-image as the judge. tests/trust asks every row, type and stride."""

import warnings

import numpy as np
import pytest
import wale
from scipy import ndimage
from skimage import filters, morphology, segmentation
from skimage.morphology import reconstruction as expected_reconstruction

DRAW = np.random.default_rng(11)
TYPES = ["bool", "uint8", "uint16", "int32", "float32", "float64"]


def random_image(shape, dtype, levels=12):
    """A few grey levels, so that there are plateaus."""
    values = DRAW.integers(0, 2 if dtype == "bool" else levels, shape)
    return values.astype(dtype)


def cross(rank, reach):
    return (np.abs(np.indices((3,) * rank) - 1).sum(axis=0) <= reach).astype(np.uint8)


def pair(shape, dtype, method):
    mask = random_image(shape, dtype)
    other = random_image(shape, dtype)
    return (np.minimum if method == "dilation" else np.maximum)(mask, other), mask


def test_a_box_on_a_line():
    line = np.array([0, 7, 0, 5, 6, 5, 0], np.uint8)
    assert wale.opening_by_reconstruction(line, 3).tolist() == [0, 0, 0, 5, 5, 5, 0]
    assert wale.closing_by_reconstruction(9 - line, 3).tolist() == [9, 9, 9, 4, 4, 4, 9]
    with pytest.raises(wale.BadArgument, match="size: is 9, expected at most 7"):
        wale.opening_by_reconstruction(line, 9)


def test_wide_integers():
    mask = np.array([[2**40, 5, 2**40 + 1]])
    np.testing.assert_array_equal(wale.reconstruction(mask - 1, mask), expected_reconstruction(mask - 1, mask))
    with pytest.raises(wale.BadArgument, match="2\\^53"):
        wale.reconstruction(np.array([[2**60, 1]]), np.array([[2**60, 1]]))


def test_types_that_differ_are_promoted():
    mask = random_image((9, 9), "uint8")
    found = wale.reconstruction(mask.astype(np.float32) - 1.5, mask)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, expected_reconstruction(mask - 1.5, mask))


def test_out_and_batch():
    seed, mask = pair((6, 20, 30), "uint8", "dilation")
    out = np.zeros((6, 20, 40), np.uint8)[..., :30]
    assert wale.reconstruction(seed, mask, batch=True, out=out) is out
    for k in range(6):
        np.testing.assert_array_equal(out[k], expected_reconstruction(seed[k], mask[k]))
    line = np.zeros(30, np.uint8)
    assert wale.reconstruction(seed[0, 0], mask[0, 0], out=line) is line
    np.testing.assert_array_equal(line, expected_reconstruction(seed[0, 0], mask[0, 0]))


def test_in_place():
    seed, mask = pair((33, 35), "float64", "dilation")
    wanted = expected_reconstruction(seed, mask)
    assert wale.reconstruction(seed, mask, out=seed) is seed
    np.testing.assert_array_equal(seed, wanted)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda m: wale.reconstruction(m + 1, m), "above the mask in 9 of 9 pixels, first at row 0, column 0"),
        (lambda m: wale.reconstruction(m, m + 1, "erosion"), "below the mask"),
        (lambda m: wale.reconstruction(m[:2], m), "shape"),
        (lambda m: wale.reconstruction(m, np.where(m == 4, np.nan, m)), "NaN at row 1, column 1"),
        (lambda m: wale.reconstruction(m, m, "opening"), "method: is 'opening'"),
        (lambda m: wale.reconstruction(m, m, footprint=np.ones((5, 5))), "footprint"),
        (lambda m: wale.reconstruction(m, m, footprint=np.ones((3, 3)), offset=[0, 1]), "about the offset"),
        (lambda m: wale.reconstruction(m, m, footprint=np.ones((3, 3)), offset=[1]), "offset: is \\[1\\]"),
        (lambda m: wale.reconstruction(m, m, offset=[1, 3]), "offset: is \\[1, 3\\], expected a place"),
        (lambda m: wale.reconstruction(m, m, footprint=np.ones((2, 3))), "odd extents or an offset"),
        (lambda m: wale.reconstruction(m, m, footprint=np.ones(3)), "footprint: has 1 dimensions, expected 2"),
        (lambda m: wale.reconstruction(m[0], m[0], footprint=[1, 1, 0]), "footprint: expected one of the 1"),
        (lambda m: wale.reconstruction(m[0], m[0], footprint=["junk"]), "footprint: is \\['junk'\\]"),
        (lambda m: wale.reconstruction(m[0], m[0], footprint=np.ones((3, 3))), "has 2 dimensions, expected 1"),
        (lambda m: wale.reconstruction(m[0], m[0], offset=[7]), "offset: is \\[7\\], expected a place"),
        (lambda m: wale.reconstruction(m[0], m[0], offset="junk"), "offset: is 'junk'"),
        (lambda m: wale.reconstruction(m[0], m[0], offset=[1.5]), "offset: is \\[1.5\\]"),
        (lambda m: wale.local_maxima(m[0], footprint=[1, 1, 0]), "footprint: "),
        (lambda m: wale.h_maxima(m[0], 1, footprint=[0, 1, 1]), "footprint: "),
        (lambda m: wale.reconstruction(m, m, connectivity=3), "connectivity: is 3, expected 1..2"),
        (lambda m: wale.reconstruction(m[None, None], m[None, None]), "dimensions"),
        (lambda m: wale.h_domes(m, 0), "h: is 0"),
        (lambda m: wale.h_domes(m.astype(np.uint8), 1.5), "whole number"),
        (lambda m: wale.opening_by_reconstruction(m, 2), "odd"),
        (lambda m: wale.reconstruction(m, m, out=np.zeros((3, 4))), "out: is float64 of shape"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(wale.BadArgument, match=message):
        call(np.arange(9.0).reshape(3, 3))


@pytest.mark.parametrize("method", ["dilation", "erosion"])
@pytest.mark.parametrize("rank", [1, 2])
def test_footprints_mean_what_scikit_image_makes_of_them(method, rank):
    """Those that are a neighbourhood of the library give the same answer, all others are refused."""
    shape = (23,) if rank == 1 else (6, 7)
    crosses = [steps_of(cross(rank, reach), (1,) * rank) for reach in range(1, rank + 1)]
    taken = 0
    for trial in range(400):
        footprint = DRAW.integers(0, 2, tuple(DRAW.integers(1, 6, rank)))
        offset = None if trial % 3 == 0 else np.array([DRAW.integers(0, extent) for extent in footprint.shape])
        if trial % 4 == 0:  # a neighbourhood in a larger footprint, with and without the pixel itself
            before, after = DRAW.integers(0, 3, (2, rank))
            footprint = np.pad(cross(rank, int(DRAW.integers(1, rank + 1))), list(zip(before, after)))
            offset = before + 1
            footprint[tuple(offset)] = trial // 4 % 2
        seed, mask = pair(shape, "uint8", method)
        even = offset is None and any(extent % 2 == 0 for extent in footprint.shape)
        middle = [extent // 2 for extent in footprint.shape] if offset is None else offset
        if even or steps_of(footprint, middle) not in crosses:
            with pytest.raises(wale.BadArgument, match="footprint"):
                wale.reconstruction(seed, mask, method, footprint, offset)
            continue
        taken += 1
        found = wale.reconstruction(seed, mask, method, footprint, offset)
        if rank == 2 and offset is not None:  # scikit-image takes an offset for a line only
            footprint, offset = cross(rank, 1 + crosses.index(steps_of(footprint, offset))), None
        wanted = expected_reconstruction(seed.astype(float), mask.astype(float), method, footprint, offset)
        np.testing.assert_array_equal(found, wanted)
    assert taken >= 100


def steps_of(footprint, middle):
    return {tuple(place) for place in np.argwhere(footprint) - np.array(middle)} - {(0,) * footprint.ndim}


def test_unknown_keyword():
    with pytest.raises(TypeError, match="unexpected keyword 'conectivity'"):
        wale.fill_holes(np.zeros((3, 3)), conectivity=1)


def test_a_seed_beyond_its_mask_may_be_cut():
    mask = random_image((12, 13), "uint8")
    np.testing.assert_array_equal(wale.reconstruction(mask + 3, mask, clamp=True), mask)


def test_h_maxima_of_floats_that_round():
    image = DRAW.random((50, 50)) * 3
    for h in (0.1, 0.3, 0.7):
        np.testing.assert_array_equal(wale.h_maxima(image, h), morphology.h_maxima(image, h))
        np.testing.assert_array_equal(wale.h_minima(image, h), morphology.h_minima(image, h))


@pytest.mark.parametrize("borders", [True, False])
@pytest.mark.parametrize("shape", [(40, 37), (6, 9, 11), (50,)])
def test_local_maxima_and_minima(shape, borders):
    image = random_image(shape, "uint8", 5)
    for connectivity in range(1, len(shape) + 1):
        if len(shape) == 1:
            connectivity = None
        for ours, theirs in (
            (wale.local_maxima, morphology.local_maxima),
            (wale.local_minima, morphology.local_minima),
        ):
            found = ours(image, connectivity=connectivity, allow_borders=borders)
            wanted = theirs(image, connectivity=connectivity, allow_borders=borders)
            np.testing.assert_array_equal(found, wanted.astype(bool))


@pytest.mark.parametrize("dtype", ["i1", "i2", ">i2", "u1", "i4", "f8", "?"])
@pytest.mark.parametrize("shape", [(97, 2), (300, 5), (129, 33), (70, 3, 2), (2, 3, 80), (4, 1, 30)])
def test_tall_and_thin_images(dtype, shape):
    image = np.random.default_rng(5).integers(-3, 4, shape).astype(dtype)
    native = image.astype(image.dtype.newbyteorder("="))
    for borders in (True, False) if min(shape) >= 3 else (True,):
        found = wale.local_minima(image, allow_borders=borders)
        assert (found == morphology.local_minima(native, allow_borders=borders)).all()
    for call in (wale.fill_holes, wale.clear_border):
        assert (call(image, connectivity=1) == call(image, connectivity=1, backend="reference")).all()
    if dtype != "?":
        assert (wale.apply_hysteresis_threshold(image, 0, 1) == filters.apply_hysteresis_threshold(native, 0, 1)).all()
    flags = image > 0
    point = tuple(int(k) for k in np.argwhere(flags)[-1])
    found, area = wale.select_objects(flags, [point], connectivity=1)
    assert area == found.sum() and (found == (segmentation.flood(flags.astype("u1"), point, connectivity=1))).all()


@pytest.mark.parametrize("dtype", ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "f4"])
@pytest.mark.parametrize("h", [2, 10, 100])
def test_domes_are_what_the_transform_takes(dtype, h):
    """Also where the transform ends at the end of the type."""
    image = (np.random.default_rng(4).integers(0, 9, (6, 7)) + (0 if dtype[0] != "i" else -5)).astype(dtype)
    for ends in (image, image * 0, np.full_like(image, 100)):
        domes = ends - wale.h_maxima_transform(ends, h)
        assert np.array_equal(wale.h_domes(ends, h), domes) and wale.h_domes(ends, h).dtype == ends.dtype
        assert np.array_equal(wale.h_basins(ends, h), wale.h_minima_transform(ends, h) - ends)


def test_holes_of_scipy():
    """Whose background is connected by edges, by default."""
    flags = DRAW.random((50, 60)) < 0.6
    np.testing.assert_array_equal(wale.fill_holes(flags, connectivity=1), ndimage.binary_fill_holes(flags))
    assert (wale.fill_holes(flags) != ndimage.binary_fill_holes(flags)).any()


def test_hysteresis():
    image = DRAW.random((60, 50))
    np.testing.assert_array_equal(
        wale.apply_hysteresis_threshold(image, 0.4, 0.9), filters.apply_hysteresis_threshold(image, 0.4, 0.9)
    )


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", ">i4"])
def test_watershed_keeps_labels(dtype):
    """Of any integer type, at its ends too; never wrapped."""
    image = np.array([[0, 1, 5, 1, 0, 4, 2]], np.uint8)
    ends = np.iinfo(dtype)
    markers = np.array([[ends.max, 0, 0, 0, 3, 0, ends.min or 1]], dtype)
    out = np.zeros(image.shape, np.dtype(dtype).newbyteorder("="))
    for found in (wale.watershed(image, markers), wale.watershed(image, markers, out=out), out):
        assert found.dtype == out.dtype
        np.testing.assert_array_equal(found, segmentation.watershed(image, markers.astype(out.dtype)))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "O", "U1"])
def test_watershed_refuses_labels_that_are_no_integers(dtype):
    markers = np.array([[1, 0, 0, 0, 2]]).astype(dtype)
    with pytest.raises(TypeError, match="markers: labels of .*, expected integers"):
        wale.watershed(np.zeros((1, 5), np.uint8), markers)


def test_clear_border_and_selection():
    image = random_image((30, 31), "uint8") > 7
    found = wale.clear_border(image)
    np.testing.assert_array_equal(
        found, segmentation.clear_border(morphology.label(image, connectivity=2)) > 0
    )
    labels = morphology.label(image, connectivity=1)
    row, column = np.argwhere(image)[3]
    selected, area = wale.select_objects(image, [(row, column)], connectivity=1)
    np.testing.assert_array_equal(selected, labels == labels[row, column])
    assert area == selected.sum()


def test_holes_and_openings():
    image = random_image((35, 36), "uint8", 40)
    seed = np.full_like(image, 255)
    seed[0], seed[-1], seed[:, 0], seed[:, -1] = image[0], image[-1], image[:, 0], image[:, -1]
    np.testing.assert_array_equal(wale.fill_holes(image), expected_reconstruction(seed, image, "erosion"))
    opened = expected_reconstruction(morphology.erosion(image, np.ones((5, 5))), image)
    np.testing.assert_array_equal(wale.opening_by_reconstruction(image, 5), opened)
    closed = expected_reconstruction(morphology.dilation(image, np.ones((5, 5))), image, "erosion")
    np.testing.assert_array_equal(wale.closing_by_reconstruction(image, 5), closed)


def test_depressions_let_water_out_at_missing_cells():
    heights = np.full((7, 7), 9.0)
    heights[3, 3] = 2
    assert wale.fill_depressions(heights)[3, 3] == 9
    heights[3, 4] = np.nan
    filled = wale.fill_depressions(heights)
    assert filled[3, 3] == 2 and np.isnan(filled[3, 4])
    heights[3, 4] = -9999
    filled = wale.fill_depressions(heights, no_data=-9999)
    assert filled[3, 3] == 2 and filled[3, 4] == -9999


def test_imposed_minima_are_the_only_ones():
    image = random_image((30, 30), "uint8", 50)
    wanted = np.zeros(image.shape, bool)
    wanted[5, 5] = wanted[20, 11:14] = True
    np.testing.assert_array_equal(wale.local_minima(wale.impose_minima(image, wanted)), wanted)


@pytest.mark.skipif(wale.why_unavailable("cuda") != "", reason=wale.why_unavailable("cuda"))
@pytest.mark.parametrize("dtype", TYPES)
def test_device_arrays_stay_on_their_device(dtype):
    seed, mask = pair((40, 70), dtype, "dilation")
    found = wale.reconstruction(wale.to_device(seed), wale.to_device(mask))
    assert found.__dlpack_device__() == (2, 0)
    np.testing.assert_array_equal(wale.to_host(found), wale.reconstruction(seed, mask))


def test_the_border_of_a_line_are_its_ends():
    from skimage.morphology import reconstruction

    rng = np.random.default_rng(8)
    for kind in (np.uint8, np.int32, np.float64):
        line = rng.integers(0, 9, 60).astype(kind)
        inner = np.full_like(line, line.max())
        inner[[0, -1]] = line[[0, -1]]
        filled = reconstruction(inner, line, "erosion", footprint=np.ones(3))
        assert np.array_equal(wale.fill_holes(line), filled) and wale.fill_holes(line).dtype == kind
        assert np.array_equal(wale.fill_depressions(line), filled)
        outer = np.full_like(line, line.min())
        outer[[0, -1]] = line[[0, -1]]
        assert np.array_equal(wale.clear_border(line), line - reconstruction(outer, line, footprint=np.ones(3)))
        out = np.empty_like(line)
        assert wale.fill_holes(line, out=out) is out and np.array_equal(out, filled)
    outlet = wale.fill_depressions(np.array([9.0, 1, 7, np.nan, 7, 2, 9]))
    assert np.array_equal(outlet, [9, 7, 7, np.nan, 7, 7, 9], equal_nan=True)
    assert wale.fill_depressions(np.array([9, 1, 9, 9, 2, 5], np.uint8), no_data=9).tolist() == [9, 1, 9, 9, 2, 5]
    assert wale.fill_holes([3, 1, 3]).tolist() == [3, 3, 3] and wale.fill_holes([]).size == 0
    with pytest.raises(wale.BadArgument, match="out: "):
        wale.fill_holes(np.zeros(3, np.uint8), out=np.zeros(4, np.uint8))


@pytest.mark.parametrize("channels", [3, 4])
def test_colour_is_not_taken_as_a_volume_without_a_word(channels):
    colour = np.random.default_rng(1).integers(0, 255, (40, 33, channels), np.uint8)
    with pytest.warns(UserWarning, match=rf"image: has shape \(40, 33, {channels}\) and is taken as a volume"):
        wale.fill_holes(colour)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        apart = wale.fill_holes(np.moveaxis(colour, -1, 0), batch=True)
        wale.fill_holes(colour[:20])
        wale.fill_holes(np.zeros((40, 33, 5), np.uint8))
    np.testing.assert_array_equal(apart[0], wale.fill_holes(colour[..., 0]))


@pytest.mark.parametrize("shape, counts", [((9, 11), (4, 8)), ((7, 6, 9), (6, 18, 26))])
def test_connectivity_is_a_reach_or_a_count_of_neighbours(shape, counts):
    image = random_image(shape, "uint8")
    for reach, count in enumerate(counts, 1):
        np.testing.assert_array_equal(
            wale.fill_holes(image, connectivity=count), wale.fill_holes(image, connectivity=reach)
        )
    other = 6 if len(shape) == 2 else 4
    with pytest.raises(wale.BadArgument, match=f"connectivity: is {other}, expected 1..{len(shape)}, or {counts[0]}, "):
        wale.fill_holes(image, connectivity=other)
