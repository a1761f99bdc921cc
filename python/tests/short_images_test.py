"""Small images take a short way: with it and without it answers are the same, in type, shape and pixels."""

import numpy as np
import pytest
import wale

NAMES = ("fill_holes", "clear_border", "fill_depressions", "local_maxima", "local_minima", "h_maxima_transform",
         "h_minima_transform", "h_domes", "h_basins", "extended_maxima", "extended_minima", "h_maxima", "h_minima",
         "apply_hysteresis_threshold", "reconstruction", "watershed")  # fmt: skip
TYPES = ("bool", "uint8", "int8", "uint16", "int16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64", ">u2")
SHAPES = ((1, 1), (1, 9), (70, 1), (8, 8), (17, 63), (40, 65), (64, 64), (90, 129), (130, 130), (4, 6, 5), (20, 17, 33), (40, 33, 3))
EXTREMA = {"footprint": None, "indices": False, "allow_borders": True}
IDLE = {"local_maxima": EXTREMA, "local_minima": EXTREMA, "watershed": {"mask": None, "watershed_line": False}}


def drawn(draw, shape, kind):
    image = draw.integers(0, 2 if kind == "bool" else 9, shape)
    if np.dtype(kind).kind in "if":
        image = image - 3
    if draw.random() < 0.2 and kind in ("int64", "uint64", "uint32"):
        image = image * 2**30
    image = image.astype(kind)
    lot = draw.random()
    if lot < 0.2:
        return np.asfortranarray(image)
    if lot < 0.4:
        return np.repeat(image, 2, axis=-1)[..., ::2]
    return image[::-1] if lot < 0.5 else image


def arguments(draw, name, shape, kind):
    image = drawn(draw, shape, kind)
    if name == "reconstruction":
        other = drawn(draw, shape, kind)
        method = str(draw.choice(["dilation", "erosion"]))
        return (np.minimum(image, other) if method == "dilation" else np.maximum(image, other)).astype(kind), image, method
    if name == "watershed":
        markers = (draw.random(shape) < 0.1) * draw.integers(1, 5, shape)
        return image, markers.astype(str(draw.choice(["int32", "int64", "uint8", "bool", "int8"]))), 1
    if name == "apply_hysteresis_threshold":
        return image, 1.5, 4
    return (image,) if name in NAMES[:5] else (image, int(draw.integers(1, 12)))


def answered(call):
    try:
        return call()
    except (wale.Error, TypeError, ValueError) as refusal:
        return str(refusal)


@pytest.mark.filterwarnings("ignore:.*taken as a volume")
@pytest.mark.parametrize("name", NAMES)
def test_the_short_way_and_the_other_agree(name):
    """The keyword `variant` is none of the short way."""
    draw, function, answers = np.random.default_rng(NAMES.index(name)), getattr(wale, name), 0
    for kind in TYPES:
        for shape in SHAPES:
            values = arguments(draw, name, shape, kind)
            words = {} if name == "watershed" else {"connectivity": int(draw.integers(1, len(shape) + 1))}
            words |= IDLE.get(name, {}) if draw.random() < 0.5 else {}
            found = answered(lambda: function(*values, **words))
            wanted = answered(lambda: function(*values, variant="automatic", **words))
            assert type(found) is type(wanted), (kind, shape, found, wanted)
            if isinstance(found, str):
                assert found == wanted
                continue
            answers += 1
            assert found.dtype == wanted.dtype and found.shape == wanted.shape
            assert found.flags.c_contiguous and found.flags.writeable
            assert np.array_equal(found, wanted), (kind, shape, words)
    assert answers > 20


def test_a_small_image_of_colours_is_warned_of():
    with pytest.warns(UserWarning, match="taken as a volume"):
        wale.fill_holes(np.zeros((40, 33, 3), np.uint8))


@pytest.mark.parametrize("shape", [(n, m) for n in (1, 2, 64, 127) for m in (1, 15, 63, 64, 65, 128, 129, 255, 256, 257)] + [(9, 8, 70), (20, 21, 22)])
@pytest.mark.parametrize("density", [0.02, 0.4, 0.6, 0.8, 0.97])
def test_masks_of_few_words_a_line(shape, density):
    """Lines of up to four words are swept in registers; `cpu/hybrid` knows no words."""
    draw = np.random.default_rng([*shape, int(100 * density)])
    mask = draw.random(shape) < density
    seed = mask & (draw.random(shape) < 0.02)
    for connectivity in range(1, len(shape) + 1):
        for method, pair in (("dilation", (seed, mask)), ("erosion", (~seed, ~mask))):
            found = wale.reconstruction(*pair, method, variant="cpu/bits", connectivity=connectivity)
            assert np.array_equal(found, wale.reconstruction(*pair, method, variant="cpu/hybrid", connectivity=connectivity))
        assert np.array_equal(wale.fill_holes(mask, variant="cpu/bits", connectivity=connectivity),
                              wale.fill_holes(mask, variant="cpu/hybrid", connectivity=connectivity))  # fmt: skip


def test_a_batch_of_masks_of_few_words_is_shared_by_threads():
    draw = np.random.default_rng(7)
    masks = draw.random((60, 50, 200)) < 0.55
    wanted = np.stack([wale.fill_holes(m, variant="cpu/hybrid") for m in masks])
    for threads in (1, 2, 3):
        assert np.array_equal(wale.fill_holes(masks, batch=True, threads=threads, variant="cpu/bits"), wanted)


def test_a_long_way_through_few_words_is_finished_by_the_guard():
    """A corridor that goes down and up takes more sweeps than lines of few words are given."""
    mask = np.ones((100, 255), bool)
    mask[:, 1::2] = False
    mask[-1, 1::4] = mask[0, 3::4] = True
    seed = np.zeros_like(mask)
    seed[0, 0] = True
    for threads in (1, 2):
        assert np.array_equal(wale.reconstruction(seed, mask, connectivity=1, threads=threads, variant="cpu/bits"), mask)


def test_the_report_is_that_of_the_call():
    wale.edit_distance("ab", "ba")
    wale.fill_holes(np.zeros((5, 40), bool))
    report = wale.last_report()
    assert report.variant.startswith("cpu/") and report.work == 200


@pytest.mark.parametrize("words", [{"threads": -1}, {"threads": 1.5}, {"connectivity": 9}, {"connectivity": True}, {"speed": 1}])
def test_wrong_keywords_are_refused(words):
    with pytest.raises((wale.BadArgument, TypeError)):
        wale.fill_holes(np.zeros((4, 4), bool), **words)


def test_nan_and_seeds_beyond_the_mask_are_refused():
    image = np.zeros((4, 4), np.float32)
    image[1, 2] = np.nan
    with pytest.raises(wale.BadArgument, match="NaN at row 1, column 2"):
        wale.fill_holes(image)
    with pytest.raises(wale.BadArgument, match="^seed: is above"):
        wale.reconstruction(np.ones((4, 4), np.uint8), np.zeros((4, 4), np.uint8))
