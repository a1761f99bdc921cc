"""Batches, images and pairs over several devices: `where=wale.cuda([0, 1])`."""

import copy
import pickle

import numpy as np
import pytest
import wale
import wale.euler

DRAW = np.random.default_rng(3)


def test_a_place_of_several_devices():
    place = wale.cuda([0, 1])
    assert repr(place) == "wale.cuda([0, 1])"
    assert place.devices == (0, 1) and wale.cuda(1).devices == ()
    assert place == wale.cuda((0, 1)) == copy.copy(place) == pickle.loads(pickle.dumps(place))
    assert place != wale.cuda([1, 0]) and place != wale.cuda(0)
    assert hash(place) == hash(wale.cuda(np.array([0, 1])))


@pytest.mark.parametrize("where", [1, [0, 1]])
def test_a_place_that_times_on_the_device(where):
    place = wale.cuda(where, time_on_device=True)
    assert repr(place) == repr(wale.cuda(where))[:-1] + ", time_on_device=True)"
    assert place == copy.copy(place) == pickle.loads(pickle.dumps(place)) != wale.cuda(where)


@pytest.mark.parametrize(
    "words, error",
    [
        (([],), wale.BadArgument),
        (([0, -1],), wale.BadArgument),
        (([0], 7), wale.BadArgument),
        ((["x"],), TypeError),
        (("0",), TypeError),
        ((0.5,), TypeError),
        ((None,), TypeError),
    ],
)
def test_what_is_no_place(words, error):
    with pytest.raises(error):
        wale.cuda(*words)


def test_without_a_device_it_says_so():
    if wale.why_unavailable("cuda") == "":
        pytest.skip("CUDA is there")
    for call in (lambda at: wale.edit_distances(["a"], ["b"], where=at), lambda at: wale.inv(np.eye(3)[None], where=at),
                 lambda at: wale.solve_tridiagonal([0.0], [1.0], [0.0], [1.0], where=at)):  # fmt: skip
        with pytest.raises(wale.BackendUnavailable):
            call(wale.cuda([0]))


@pytest.mark.parametrize("devices", [[0], [0, 0], [0, 1]])
def test_answers_of_one_device(devices):
    if wale.why_unavailable("cuda"):
        pytest.skip(wale.why_unavailable("cuda"))
    at = wale.cuda(devices)
    words = ["".join(DRAW.choice(list("acgt"), DRAW.integers(0, 50))) for _ in range(101)]
    try:
        found = wale.edit_distances(words, words[::-1], where=at)
    except wale.BadArgument as refusal:
        pytest.skip(str(refusal))  # a device that is not there
    np.testing.assert_array_equal(found, wale.edit_distances(words, words[::-1]))
    np.testing.assert_array_equal(wale.align_scores(words, words[::-1], where=at), wale.align_scores(words, words[::-1]))
    found = [[(hit.target, hit.score) for hit in hits] for hits in wale.search(words[:3], words, where=at)]
    assert found == [[(hit.target, hit.score) for hit in hits] for hits in wale.search(words[:3], words)]
    stack, right = DRAW.random((50, 6, 6)) + 6 * np.eye(6), DRAW.random((50, 6, 2))
    np.testing.assert_allclose(wale.solve(stack, right, where=at), wale.solve(stack, right), rtol=1e-10)
    np.testing.assert_allclose(wale.inv(stack, where=at), wale.inv(stack), rtol=1e-10)
    one, sides = DRAW.random((90, 90)) + 9 * np.eye(90), DRAW.random((90, 5))
    np.testing.assert_allclose(wale.lu_solve(wale.lu_factor(one, where=at), sides, where=at), wale.solve(one, sides), rtol=1e-9)
    low, middle, high, b = DRAW.random((4, 30, 20))
    np.testing.assert_allclose(wale.solve_tridiagonal(low, 4 + middle, high, b, where=at),
                               wale.solve_tridiagonal(low, 4 + middle, high, b), rtol=1e-10)  # fmt: skip
    image = DRAW.integers(0, 255, (130, 70)).astype(np.uint8)
    np.testing.assert_array_equal(wale.fill_holes(image, where=at), wale.fill_holes(image))
    np.testing.assert_array_equal(wale.local_maxima(image, where=at), wale.local_maxima(image))
    a, b = DRAW.integers(0, 4, (2, 20000)).astype(np.uint8)
    assert wale.lcs_length(a, b, where=at) == wale.lcs_length(a, b)
    assert wale.edit_distance(a, b, where=at) == wale.edit_distance(a, b)
    with pytest.raises(wale.UnsupportedVariant, match="where.devices"):
        wale.lcs_string(a, b, where=at)


@pytest.mark.parametrize("devices", [[0], [0, 0], [0, 1]])
def test_flows_have_the_bits_of_one_device(devices):
    if wale.why_unavailable("cuda"):
        pytest.skip(wale.why_unavailable("cuda"))
    states = []
    for run in ({"where": wale.cuda(), "variant": "cuda/fused"}, {"where": wale.cuda(devices)}):
        flow = wale.euler.Case(wale.euler.generate_mesh("o_grid", around=40, outward=12), stream={"mach": 0.5})
        try:
            flow.run(30, **run)
        except wale.BadArgument as refusal:
            pytest.skip(str(refusal))  # a device that is not there
        states.append(flow.state)
    np.testing.assert_array_equal(states[0], states[1])
